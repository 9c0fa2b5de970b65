// Package show turns answers of the API into what people and programs read:
// tables with small bars and sparklines for a terminal, plain aligned tables,
// CSV, NDJSON, JSON and Markdown.
//
// An answer becomes a [Table]: columns that know what their values mean, and
// rows of plain values. [Compare] joins the tables of two periods. Writers know
// nothing of reports, and reports nothing of writers.
//
// Texts come from a server that anyone may run, and from visitors of websites
// behind it. Whatever is written for people is harmless to a terminal; CSV is
// harmless to a spreadsheet; Markdown shows texts as they are.
package show
