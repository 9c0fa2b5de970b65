package main

import (
	"log/slog"

	"github.com/sightline-hq/sightline/internal/facts"
)

// damageLog tells of each damaged file once, however the damage goes on to look,
// and again if reports that went on begin to fail.
type damageLog struct {
	log  *slog.Logger
	told map[string]bool // whether it was open then, by name of the file
}

// tell says which files of facts are damaged now, or that none is any more.
func (d *damageLog) tell(damaged []facts.Damage) {
	now := make(map[string]bool, len(damaged))
	for _, one := range damaged {
		now[one.File] = one.Open
		switch open, told := d.told[one.File]; {
		case told && (open == one.Open || one.Open):
		case one.Open:
			d.log.Error("a file of facts is missing", "error", one.What)
		default:
			d.log.Error("a file of facts is damaged; reports that need it fail, others go on", "error", one.What)
		}
	}
	d.told = now
	if len(damaged) == 0 {
		d.log.Info("all files of facts are whole again")
	}
}

// tellOfKeys says which keys are damaged now, or that none is any more.
func tellOfKeys(log *slog.Logger, damaged []error) {
	for _, err := range damaged {
		log.Error("a key is damaged and refused; others go on", "error", err)
	}
	if len(damaged) == 0 {
		log.Info("all keys are whole again")
	}
}
