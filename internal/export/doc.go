// Package export writes rows as CSV, as NDJSON and as Parquet: one row at a
// time, so that a table of any length takes little memory.
//
// An answer of the API becomes a [Table] with [Of]. Its columns are the fields
// of the answer's JSON, under the same names, in the same order and with the
// same rows. The server, the command line and the dashboard share these writers;
// none of them reads anything.
package export
