package ingest

import (
	"os"
	"testing"

	"github.com/sightline-hq/sightline/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Code(m.Run())) }
