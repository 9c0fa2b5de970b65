package mention

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/rangetable"
)

// class says how a character behaves at the border of a word.
type class uint8

const (
	separator class = iota // no word character
	word                   // letter or digit of a script that puts spaces between words
	digit
	mark   // belongs to the character before it
	dense  // letter of a script without spaces
	hangul // Korean, whose particles are joined to the noun
)

var (
	denseScripts = rangetable.Merge(unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, rangetable.New('〆'))

	// followers are letters that never begin a word: small kana, the long vowel
	// mark, and the Thai and Lao vowels written after their consonant.
	followers = rangetable.New([]rune("ーぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶะาำๅະາຳ")...)

	// leaders never end a word: Thai and Lao vowels written before their
	// consonant, and the signs that stack the next consonant below.
	leaders = rangetable.Merge(unicode.Logical_Order_Exception, rangetable.New('\u17D2', '\u1039'))
)

var asciiClass = func() (table [128]class) {
	for c := range table {
		switch r := rune(c); {
		case r >= '0' && r <= '9':
			table[c] = digit
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			table[c] = word
		}
	}
	return table
}()

func classOf(r rune) class {
	switch {
	case r < 0:
		return separator
	case r < 128:
		return asciiClass[r]
	case unicode.IsMark(r), unicode.Is(followers, r):
		return mark
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return separator
	case unicode.Is(denseScripts, r):
		return dense
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case unicode.IsNumber(r):
		return digit
	}
	return word
}

// border reports whether a word may end with a and the next begin with b.
func border(a, b rune, ca, cb class) bool {
	switch {
	case ca == separator || cb == separator:
		return true
	case cb == mark || a >= 128 && unicode.Is(leaders, a):
		return false
	case ca == dense || cb == dense || ca == mark && unicode.In(a, denseScripts, followers):
		return true
	}
	return ca == hangul && cb == word || ca == word && cb == hangul
}

// particles are the Korean endings that may be joined to a name, one after the
// other: markers of case and topic, and the forms of "to be".
var particles = func() map[string]bool {
	set := make(map[string]bool)
	for p := range strings.FieldsSeq(`
		은 는 이 가 을 를 의 에 께 도 만 로 와 과 랑 나 라 란 야 며 고 다 인 든 여 요
		에서 에게 께서 한테 이랑 하고 으로 로서 로써 까지 부터 마저 조차 밖에 처럼 보다 같이
		이나 이라 이란 이야 이며 이고 이다 이든 든지 라고 라는 라면 였다 이여 이요 예요 에요
		으로서 으로써 이라고 이라는 이라면 이든지 이었다 이에요 입니다 입니까`) {
		set[p] = true
	}
	return set
}()

// longestEnding bounds the particles looked at behind a name, in syllables.
const longestEnding = 8

// areParticles reports whether a run of syllables is nothing but particles.
func areParticles(syllables []rune) bool {
	if len(syllables) == 0 {
		return true
	}
	for n := min(3, len(syllables)); n > 0; n-- {
		if particles[string(syllables[:n])] && areParticles(syllables[n:]) {
			return true
		}
	}
	return false
}
