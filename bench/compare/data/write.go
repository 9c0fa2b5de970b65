package data

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Table is a table of the engines.
type Table string

// The tables: what happened, and what the catalog knows.
const (
	Visits          Table = "visits"
	Answers         Table = "answers"
	Mentions        Table = "mentions"
	Citations       Table = "citations"
	Prompts         Table = "prompts"
	PromptPlatforms Table = "prompt_platforms"
	PromptLabels    Table = "prompt_labels"
	Owned           Table = "owned"
)

// Tables lists them all.
var Tables = []Table{Visits, Answers, Mentions, Citations, Prompts, PromptPlatforms, PromptLabels, Owned}

// Progress is told how much of the work is done.
type Progress func(done, of int)

// WriteTable writes a table as text, sorted by website or product, and time.
func (w *World) WriteTable(to io.Writer, t Table, progress Progress) error {
	switch t {
	case Prompts, PromptPlatforms, PromptLabels, Owned:
		_, err := to.Write(w.catalogRows(t))
		return err
	case Visits:
		return ordered(to, len(w.Websites)*w.VisitDays, progress, func(b []byte, i int) []byte {
			site, day := w.Websites[i/w.VisitDays], i%w.VisitDays
			date := []byte(w.FirstVisitDay().AddDate(0, 0, day).Format("2006-01-02 "))
			w.VisitsOn(site, day, func(v *Visit) { b = v.appendRow(b, date) })
			return b
		})
	}
	return ordered(to, len(w.Products)*w.AnswerDays, progress, func(b []byte, i int) []byte {
		product, day := w.Products[i/w.AnswerDays], i%w.AnswerDays
		date := []byte(w.FirstAnswerDay().AddDate(0, 0, day).Format("2006-01-02 "))
		w.AnswersOn(product, day, func(a *Answer) {
			switch t {
			case Answers:
				b = append(a.appendCommon(b, date), '\n')
			case Mentions:
				b = a.appendMentions(b, date)
			case Citations:
				b = a.appendCitations(b, date)
			}
		})
		return b
	})
}

// catalogRows writes a table of what the catalog knows.
func (w *World) catalogRows(t Table) (b []byte) {
	if t == Owned {
		for _, o := range w.Owners() {
			b = fmt.Appendf(b, "%s\t%d\n", o.Domain, o.Product)
		}
		return b
	}
	for _, p := range w.Products {
		for _, prompt := range p.Prompts {
			switch t {
			case Prompts:
				b = fmt.Appendf(b, "%d\t%d\t%s\t%s\n", prompt.ID, p.ID, prompt.Domain, prompt.Text)
			case PromptPlatforms:
				for _, platform := range prompt.Platforms {
					b = fmt.Appendf(b, "%d\t%s\n", prompt.ID, platform)
				}
			case PromptLabels:
				for _, label := range prompt.Labels {
					b = fmt.Appendf(b, "%d\t%d\n", prompt.ID, label)
				}
			}
		}
	}
	return b
}

// WriteFiles writes what Sightline loads into a folder: a log and a file of
// answers for each day. Files that are there are kept: a run that was stopped
// goes on.
func (w *World) WriteFiles(folder string, progress Progress) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	total := w.VisitDays + w.AnswerDays
	for day := range w.VisitDays {
		name := filepath.Join(folder, "visits-"+w.FirstVisitDay().AddDate(0, 0, day).Format("2006-01-02")+".log")
		if err := once(name, func(f io.Writer) error { return w.writeLog(f, day) }); err != nil {
			return err
		}
		progress(day+1, total)
	}
	for day := range w.AnswerDays {
		name := filepath.Join(folder, "answers-"+w.FirstAnswerDay().AddDate(0, 0, day).Format("2006-01-02")+".ndjson")
		if err := once(name, func(f io.Writer) error { return w.writeAnswers(f, day) }); err != nil {
			return err
		}
		progress(w.VisitDays+day+1, total)
	}
	return nil
}

func (w *World) writeLog(to io.Writer, day int) error {
	date := []byte(w.FirstVisitDay().AddDate(0, 0, day).Format("02/Jan/2006:"))
	return ordered(to, len(w.Websites), nil, func(b []byte, i int) []byte {
		w.VisitsOn(w.Websites[i], day, func(v *Visit) { b = v.appendLog(b, date) })
		return b
	})
}

func (w *World) writeAnswers(to io.Writer, day int) error {
	return ordered(to, len(w.Products), nil, func(b []byte, i int) []byte {
		w.AnswersOn(w.Products[i], day, func(a *Answer) { b = a.appendJSON(b) })
		return b
	})
}

// once writes a file that is not there yet.
func once(name string, write func(io.Writer) error) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// ordered makes blocks of text on all cores and writes them in order.
func ordered(to io.Writer, n int, progress Progress, block func(b []byte, i int) []byte) error {
	type slot chan []byte
	ahead := 2 * runtime.GOMAXPROCS(0)
	slots, buffers := make(chan slot, ahead), make(chan []byte, ahead+2)
	for range cap(buffers) {
		buffers <- nil
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(slots)
		for i := range n {
			s := make(slot, 1)
			select {
			case slots <- s:
			case <-stop:
				return
			}
			select {
			case b := <-buffers:
				go func() { s <- block(b[:0], i) }()
			case <-stop:
				return
			}
		}
	}()
	done := 0
	for s := range slots {
		b := <-s
		if _, err := to.Write(b); err != nil {
			return err
		}
		buffers <- b
		if done++; progress != nil {
			progress(done, n)
		}
	}
	return nil
}
