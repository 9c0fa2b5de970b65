package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asJSON runs a command in this process and reads what it prints.
func asJSON(t *testing.T, args ...string) (value map[string]any) {
	t.Helper()
	var out, errOut bytes.Buffer
	none := func(string) string { return "" }
	if code := run(t.Context(), append(args, "--output", "json"), none, nil, &out, &errOut); code != 0 || errOut.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, errOut.String())
	}
	if err := json.Unmarshal(out.Bytes(), &value); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return value
}

// Scripts read these names.
func TestTheFieldsOfKeysAsJSONAreStable(t *testing.T) {
	p := newProgram(t, t.TempDir()) // makes a key without a name
	listed := asJSON(t, "key", "list", "--data", p.data)
	old := listed["keys"].([]any)[0].(map[string]any)
	p.run("key", "rotate", old["id"].(string), "--overlap", "24h")
	listed = asJSON(t, "key", "list", "--data", p.data)
	want := []string{"createdAt", "expiresAt", "id", "name", "replacedBy", "revokedAt", "shown", "state", "teamId"}
	if diff := cmp.Diff(want, namesAt(listed, "keys")); diff != "" {
		t.Errorf("fields of a key (-want +got)\n%s", diff)
	}
	now := make(map[string]map[string]any)
	for _, k := range listed["keys"].([]any) {
		k := k.(map[string]any)
		now[k["id"].(string)] = k
	}
	was := now[old["id"].(string)]
	current := asJSON(t, "key", "list", "--data", p.data, "--current")["keys"].([]any)
	if len(now) != 2 || len(current) != 1 || current[0].(map[string]any)["id"] != was["replacedBy"] || was["state"] != "active" || was["expiresAt"] == nil || was["revokedAt"] != nil {
		t.Errorf("%v; current are %v", listed, current)
	}
	logged := asJSON(t, "key", "log", "--data", p.data)
	want = []string{"action", "at", "detail", "host", "keyId", "name", "teamId", "user"}
	if diff := cmp.Diff(want, namesAt(logged, "events")); diff != "" {
		t.Errorf("fields of an event (-want +got)\n%s", diff)
	}
	last := logged["events"].([]any)[1].(map[string]any)
	if last["action"] != "rotate" || last["keyId"] != old["id"] {
		t.Errorf("%v", logged)
	}
}

// A list of none is a list.
func TestNoKeysAreAnEmptyListInJSON(t *testing.T) {
	p := newProgram(t, t.TempDir())
	listed := asJSON(t, "key", "list", "--data", p.data, "--team", "nobody")
	if keys, ok := listed["keys"].([]any); !ok || len(keys) > 0 {
		t.Errorf("%v", listed)
	}
}
