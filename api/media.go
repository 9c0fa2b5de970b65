package api

// The media types that every report can be had in. JSON is the default.
const (
	MediaJSON    = "application/json"
	MediaCSV     = "text/csv"
	MediaNDJSON  = "application/x-ndjson"
	MediaParquet = "application/vnd.apache.parquet"
)

// Headers of exports that say what the JSON of a page says beside its items. A
// page that does not exist has no header.
const (
	HeaderPreviousPage = "Sightline-Previous-Page"
	HeaderCurrentPage  = "Sightline-Current-Page"
	HeaderNextPage     = "Sightline-Next-Page"
	HeaderTotalPages   = "Sightline-Total-Pages"
	HeaderTotalItems   = "Sightline-Total-Items"
	HeaderPerPage      = "Sightline-Per-Page"
)
