package main

import "log/slog"

// logDamage says which files of facts are damaged now, or that none is any more.
func logDamage(log *slog.Logger, damaged []string) {
	for _, what := range damaged {
		log.Error("a file of facts is damaged; reports that need it fail, others go on", "error", what)
	}
	if len(damaged) == 0 {
		log.Info("all files of facts are whole again")
	}
}
