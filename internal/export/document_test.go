package export

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sightline-hq/sightline/api"
)

// A field that the contract has as a time is a moment in Parquet, and no other.
func TestMomentsAreTheTimesOfTheDocument(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for name, schema := range doc.Components.Schemas {
		for field, property := range schema.Value.Properties {
			time := property.Value.Format == "date-time"
			found[field] = found[field] || time
			if property.Value.Type.Is("string") && time != moments[field] {
				t.Errorf("%s.%s is a time: %v", name, field, time)
			}
		}
	}
	for field := range moments {
		if !found[field] {
			t.Errorf("%s is no field of the contract", field)
		}
	}
}

// Every metric has a field, and a table has it.
func TestATimeseriesHasTheColumnsThatWereAskedFor(t *testing.T) {
	all := seriesTable(api.TimeseriesRequest{Metrics: api.Metrics, GroupBy: api.Dimensions}, nil)
	if n := len(all.Columns); n != 1+len(api.Metrics)+len(api.Dimensions) {
		t.Errorf("%d columns: %v", n, all.Columns)
	}
}
