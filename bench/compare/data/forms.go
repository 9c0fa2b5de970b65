package data

import (
	"strconv"
	"time"
)

// The forms in which events are written: what Sightline loads, and rows of text
// with tabs for the other engines. No value has a character that needs escaping.

// appendLog writes a line of a combined access log with its host.
func (v *Visit) appendLog(b []byte, date []byte) []byte {
	b = append(append(b, "www."...), v.Website.Domain...)
	b = append(b, ":443 "...)
	for shift := 24; shift >= 0; shift -= 8 {
		b = strconv.AppendUint(b, uint64(v.address>>shift&255), 10)
		b = append(b, '.')
	}
	b = append(b[:len(b)-1], " - - ["...)
	b = append(b, date...)
	b = append(appendClock(b, v.Second), ` +0000] "GET `...)
	b = append(append(b, v.Page.Path...), v.query...)
	b = append(b, ` HTTP/1.1" 200 5120 "`...)
	switch v.referrer {
	case "":
		b = append(b, '-')
	case own:
		b = append(append(append(b, "https://www."...), v.Website.Domain...), '/')
	default:
		b = append(b, v.referrer...)
	}
	b = append(append(b, `" "`...), v.UserAgent...)
	return append(b, '"', '\n')
}

func appendClock(b []byte, second int64) []byte {
	s := second % daySeconds
	for i, part := range [...]int64{s / 3600, s / 60 % 60, s % 60} {
		if i > 0 {
			b = append(b, ':')
		}
		b = append(b, byte('0'+part/10), byte('0'+part%10))
	}
	return b
}

// appendRow writes the columns of the table visits.
func (v *Visit) appendRow(b []byte, date []byte) []byte {
	b = append(append(b, v.Website.ID...), '\t')
	b = append(appendClock(append(b, date...), v.Second), '\t')
	b = append(b, digit(v.Bot), '\t', digit(v.Referred), '\t')
	b = append(append(b, v.Platform...), '\t')
	b = append(append(b, v.BotType...), '\t')
	b = append(strconv.AppendInt(b, v.Visitor, 10), '\t')
	for _, text := range [...]string{v.Page.Path, v.Page.Normalized, v.Page.Directory} {
		b = append(append(b, text...), '\t')
	}
	return append(append(b, v.UserAgent...), '\n')
}

func digit(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}

// appendJSON writes an answer as it is loaded.
func (a *Answer) appendJSON(b []byte) []byte {
	b = append(append(b, `{"id":"`...), a.ID...)
	b = strconv.AppendInt(append(b, `","promptId":`...), a.Prompt.ID, 10)
	b = append(append(b, `,"platform":"`...), a.Platform...)
	b = time.Unix(a.Second, 0).UTC().AppendFormat(append(b, `","at":"`...), time.RFC3339)
	b = append(b, `","mentions":[`...)
	for i, product := range a.Mentions {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"productId":`...), product, 10)
		b = append(strconv.AppendInt(append(b, `,"position":`...), int64(i+1), 10), '}')
	}
	b = append(b, `],"citations":[`...)
	for i, s := range a.Citations {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), s.URL...), '"')
	}
	return append(b, "]}\n"...)
}

// appendCommon writes the columns that answers, mentions and citations share.
func (a *Answer) appendCommon(b []byte, date []byte) []byte {
	b = append(strconv.AppendInt(b, a.Owner.ID, 10), '\t')
	b = append(append(b, a.Prompt.Domain...), '\t')
	b = append(appendClock(append(b, date...), a.Second), '\t')
	b = append(strconv.AppendInt(b, a.Prompt.ID, 10), '\t')
	b = append(append(b, a.Platform...), '\t')
	return strconv.AppendInt(b, a.Key, 10)
}

func (a *Answer) appendMentions(b []byte, date []byte) []byte {
	for i, product := range a.Mentions {
		b = append(a.appendCommon(b, date), '\t')
		b = append(strconv.AppendInt(b, product, 10), '\t')
		b = append(strconv.AppendInt(b, int64(i+1), 10), '\n')
	}
	return b
}

func (a *Answer) appendCitations(b []byte, date []byte) []byte {
	for _, s := range a.Citations {
		b = append(a.appendCommon(b, date), '\t')
		b = append(append(b, s.Domain...), '\t')
		b = append(append(b, s.URL...), '\n')
	}
	return b
}
