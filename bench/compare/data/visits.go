package data

import (
	"math/rand/v2"
	"time"
)

// Visit is a visit, and what a report says of it.
type Visit struct {
	Website   *Website
	Second    int64
	Bot       bool
	Referred  bool
	Platform  string
	BotType   string
	Visitor   int64 // of humans: different for different people, websites and weeks
	Page      *Page
	UserAgent string

	address  uint32
	query    string
	referrer string
}

// FirstVisitDay and FirstAnswerDay are the first days of a world.
func (w *World) FirstVisitDay() time.Time  { return End.AddDate(0, 0, -w.VisitDays) }
func (w *World) FirstAnswerDay() time.Time { return End.AddDate(0, 0, -w.AnswerDays) }

// VisitsOn makes the visits of a website on a day, in the order of time.
func (w *World) VisitsOn(site *Website, day int, each func(*Visit)) {
	start := w.FirstVisitDay().AddDate(0, 0, day)
	random := rand.New(rand.NewPCG(w.Seed, uint64(site.number)<<32|uint64(start.Unix()/daySeconds)))
	n := site.daily * (7 - 2*weekendFactor) / 5
	if d := start.Weekday(); d == time.Saturday || d == time.Sunday {
		n = site.daily * weekendFactor
	}
	count := int(n)
	if random.Float64() < n-float64(count) {
		count++
	}
	week := start.Unix() - int64((start.Weekday()+6)%7)*daySeconds
	v := Visit{Website: site}
	for i := range count {
		v.Second = start.Unix() + int64(i)*daySeconds/int64(count)
		v.Page, v.query, v.referrer = w.pages.pick(random), "", ""
		if random.IntN(100) < 35 {
			w.crawl(&v, random)
		} else {
			w.browse(&v, random, week)
		}
		each(&v)
	}
}

func (w *World) crawl(v *Visit, random *rand.Rand) {
	a := pickWeighted(random, w.bots, botWeights)
	v.Bot, v.Referred, v.Platform, v.BotType, v.Visitor, v.UserAgent = true, false, a.platform, a.botType, 0, a.Text
	v.address = uint32(20<<24 | random.IntN(4096))
}

func (w *World) browse(v *Visit, random *rand.Rand, week int64) {
	person := random.IntN(v.Website.people)
	from := pickWeighted(random, pointers, referrerWeights)
	v.Bot, v.Referred, v.Platform, v.BotType = false, from.referred, from.platform, "none"
	v.UserAgent = w.humans[mix(uint64(person))%uint64(len(w.humans))].Text
	v.Visitor = int64(mix(uint64(v.Website.number)<<52 | uint64(week/(7*daySeconds))<<32 | uint64(person)))
	v.address, v.query, v.referrer = uint32(30<<24+person), from.query, from.text
}

// pickWeighted finds what a random number falls on, in a table of a thousand places.
func pickWeighted[T any](random *rand.Rand, from []T, places []uint16) T {
	return from[places[random.IntN(len(places))]]
}

var (
	botWeights      = weights(crawlers(), func(a *Agent) int { return a.weight })
	referrerWeights = weights(referrers, func(r referrer) int { return r.weight })
	pointers        = references(referrers)
)

func references(of []referrer) (all []*referrer) {
	for i := range of {
		all = append(all, &of[i])
	}
	return all
}

func weights[T any](of []T, weight func(T) int) (places []uint16) {
	for i, one := range of {
		for range weight(one) {
			places = append(places, uint16(i))
		}
	}
	return places
}
