package gauge

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// readings are taken every second for ten minutes.
func readings(rss func(second int) int64) (all []Reading) {
	for i := range 600 {
		all = append(all, Reading{At: time.Unix(int64(i), 0), RSS: rss(i)})
	}
	return all
}

func TestALeakIsToldFromNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := func(int) int64 { return 200<<20 + random.Int64N(30<<20) }
	if g := Fit(readings(noise), RSS).Growth(); g > 5<<20 {
		t.Errorf("noise of 30 MB grows by %.0f bytes", g)
	}
	leak := func(i int) int64 { return noise(i) + int64(i)*100<<10 }
	if g := Fit(readings(leak), RSS).Growth(); g < 50<<20 || g > 65<<20 {
		t.Errorf("a leak of 60 MB grows by %.0f bytes", g)
	}
}

func TestAProcessIsRead(t *testing.T) {
	r, err := Read(os.Getpid(), "")
	if err != nil || r.RSS < 1<<20 || r.Threads < 1 || r.Files < 3 {
		t.Errorf("%+v %v", r, err)
	}
}
