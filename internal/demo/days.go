package demo

import (
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

const secondsPerDay = 24 * 60 * 60

// seed makes this demo's data; another seed makes other data of the same kind.
const seed = 0x51_9471_13e

// day is a day in UTC, counted from 1970-01-01.
type day int64

func dayOf(t time.Time) day {
	n, _ := divide(t.Unix(), secondsPerDay)
	return day(n)
}

// divide rounds down, also below zero.
func divide(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		return quotient - 1, rest + b
	}
	return quotient, rest
}

func (d day) start() int64 { return int64(d) * secondsPerDay }

func (d day) date() string { return time.Unix(d.start(), 0).UTC().Format(time.DateOnly) }

// weekday counts from 0 on Mondays.
func (d day) weekday() int {
	_, n := divide(int64(d)+3, 7)
	return int(n)
}

// rand returns the day's source of chance for one kind of data.
func (d day) rand(kind string) *rand.Rand {
	return rand.New(rand.NewPCG(seed^uint64(key(kind)), uint64(d)))
}

// event is something that happens in a second of its day.
type event interface{ second() int }

// source appends all events of a day, in any order.
type source[E event] func([]E, day) []E

// encoder appends the line of an event, without its end.
type encoder[E event] func(line []byte, date string, e *E) []byte

// write writes a line for each event with from < at <= to, in order of time.
// The events of a day are always made in full, whatever part of it is wanted.
func write[E event](w io.Writer, from, to time.Time, events source[E], encode encoder[E]) (n int, err error) {
	first, last := from.Unix(), to.Unix()
	var (
		list  []E
		order []uint64 // second, then place in the list
		lines []byte
	)
	for d := dayOf(from); d <= dayOf(to) && first < last; d++ {
		list, order, lines = events(list[:0], d), order[:0], lines[:0]
		for i := range list {
			if at := d.start() + int64(list[i].second()); at > first && at <= last {
				order = append(order, uint64(list[i].second())<<32|uint64(i))
			}
		}
		slices.Sort(order)
		date := d.date()
		for _, o := range order {
			lines = append(encode(lines, date, &list[uint32(o)]), '\n')
		}
		n += len(order)
		if _, err := w.Write(lines); err != nil {
			return n, err
		}
	}
	return n, nil
}

// appendTime appends "2026-03-02T09:15:00Z" in quotes.
func appendTime(b []byte, date string, second int) []byte {
	two := func(n int) { b = append(b, byte('0'+n/10), byte('0'+n%10)) }
	b = append(append(append(b, '"'), date...), 'T')
	two(second / 3600)
	b = append(b, ':')
	two(second / 60 % 60)
	b = append(b, ':')
	two(second % 60)
	return append(b, `Z"`...)
}

// appendString appends a JSON string. The demo's texts have no control
// characters but line ends.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch s[i] {
		case '"', '\\':
			b = append(b, '\\', s[i])
		case '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, s[i])
		}
	}
	return append(b, '"')
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }
