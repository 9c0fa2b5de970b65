package accesslog

import (
	"fmt"
	"strings"
)

// formats are those that are known by name, in the order in which they are
// named and tried.
var formats = knownFormats()

func knownFormats() []Format {
	list := []Format{combinedFormat{}, combinedFormat{vhost: true}, w3cFormat{}}
	for i := range sources {
		layout, err := newJSONLayout(&sources[i])
		if err != nil {
			panic(err)
		}
		list = append(list, jsonFormat{sources[i].name, layout})
	}
	return list
}

// Names are the names of the formats that ByName knows.
func Names() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name()
	}
	return names
}

// ByName is the format of a name.
func ByName(name string) (Format, error) {
	for _, f := range formats {
		if f.Name() == name {
			return f, nil
		}
	}
	switch name {
	case "common", "clf":
		return nil, errCommon
	case fieldMapName:
		return nil, fmt.Errorf("the format fields needs a field map: give it with --fields FILE")
	}
	return nil, fmt.Errorf("no format is called %q; there are %s, and JSON of any keys with --fields FILE",
		name, strings.Join(Names(), ", "))
}
