// Package mention reads the text of an AI answer: which products it mentions,
// in which order (Finder), and which URLs it cites (URLs). It does no I/O.
//
// # What counts as a mention
//
// A product is found by its name, its further names and its domain. Text and
// names are compared after Unicode normalisation (NFKC) and full case folding,
// so "ＡＣＭＥ", "acme" and "Acme" are one, and so are "Straße" and "STRASSE".
// Runs of white space count as one space. Any hyphen (-, ‐, ‑, ‒, –, −, ־)
// between two word characters counts as a space: "Coca‑Cola", "coca-cola" and
// "Coca Cola" are one name; an em dash separates. Apostrophes are all alike.
// Soft hyphens and other invisible characters are ignored, ™ ® © ℠ too.
//
// Names match whole words. Letters, digits and marks are word characters; an
// underscore is not, as it is Markdown emphasis far more often than part of a
// word. What follows an apostrophe never matters, so "Acme's", "Acme’s",
// "Acme’" and the Turkish "Acme'nin" mention Acme; "Acmes" does not.
//
//   - Scripts without spaces (Han, kana, Thai, Lao, Khmer, Myanmar): every border
//     between two characters is a word border, unless the second one belongs to
//     the first (a vowel sign, a tone mark, a small kana, ー).
//   - Korean: a change between Hangul and another script is a border, and a Hangul
//     name may be followed by particles from a closed list (는, 에서, 입니다 …). Any
//     other syllable makes it another word.
//   - Everywhere else a joined letter makes another word: inflected endings
//     ("Акмеом") and joined prefixes (Hebrew ב, Arabic و) are not looked
//     through. Give such forms as further names.
//
// The longest match is taken first, whichever product it belongs to: inside
// "Acme Rocket" a competitor called "Rocket" is not mentioned, elsewhere it is.
// Products that share a name are both mentioned, the lower id first.
//
// Markdown is looked through: emphasis, code marks and escapes vanish, and a
// link's target is a URL whatever it looks like.
//
// # Addresses
//
// A name inside a URL is not a mention. A URL or bare domain is one of the
// product whose domain it is or is a subdomain of; with several, the longest
// domain takes it. A dotted word with a lower-case ending ("rocket.chat",
// "node.js") is taken for a domain: "Rocket" is not mentioned by it, a product
// named "Node.js" is. E-mail addresses mention nobody. Domains outside ASCII are
// compared as they are written, not by their xn-- form.
package mention
