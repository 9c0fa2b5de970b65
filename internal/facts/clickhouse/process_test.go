package clickhouse

import (
	"os/exec"
	"testing"
)

func TestAProcessIsKnownToHaveEndedOnlyWhereItRan(t *testing.T) {
	here := thisProcess()
	if here.space == "" || here.started == 0 {
		t.Fatalf("this process is %+v", here)
	}
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(p *process)
		ended  bool
	}{
		{"this one", func(*process) {}, false},
		{"one that has ended", func(p *process) { p.number = int64(cmd.Process.Pid) }, true},
		{"an earlier one with the same number", func(p *process) { p.started-- }, true},
		{"one in another container, or after a restart", func(p *process) { p.space += "1"; p.number = int64(cmd.Process.Pid) }, false},
		{"one of which little is known", func(p *process) { p.space = "" }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := here
			c.change(&p)
			if got := p.ended(here); got != c.ended {
				t.Errorf("%+v has ended: %t", p, got)
			}
		})
	}
}
