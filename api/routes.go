package api

// The seven routes, in the order of the contract, as patterns of http.ServeMux.
const (
	RouteProducts      = "/v1/products"
	RouteWebsites      = "/v1/products/{productId}/websites"
	RoutePrompts       = "/v1/products/{productId}/prompts"
	RoutePromptSummary = "/v1/products/{productId}/prompts/summary"
	RoutePromptDates   = "/v1/products/{productId}/prompts/dates"
	RouteCitations     = "/v1/products/{productId}/citations"
	RouteTimeseries    = "/v1/products/{productId}/analytics/timeseries"
)

// Routes lists the seven routes in the order of the contract.
var Routes = []string{
	RouteProducts, RouteWebsites, RoutePrompts, RoutePromptSummary,
	RoutePromptDates, RouteCitations, RouteTimeseries,
}

// The fixed messages of error answers. Nothing else is ever said in a body.
const (
	MessageBadRequest       = "Invalid request parameters."
	MessageUnauthorized     = "Unauthorized."
	MessageInternal         = "Internal server error."
	MessageNotFound         = "Not found."
	MessageMethodNotAllowed = "Method not allowed."
	MessageOverloaded       = "Service unavailable."
)

// Headers of our own.
const (
	// HeaderErrorDetail says what was wrong with a request answered with 400.
	HeaderErrorDetail = "Sightline-Error-Detail"
	// HeaderRequestID is on every response, and in the log line of the request.
	HeaderRequestID = "Sightline-Request-Id"
)
