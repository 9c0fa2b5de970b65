package mention

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// acme is the comparison of most tests.
var acme = []Product{
	{ID: 1, Names: []string{"Acme", "Acme Rockets"}, Domain: "acme.com"},
	{ID: 2, Names: []string{"Rocket"}, Domain: "rocket.example"},
	{ID: 3, Names: []string{"Acme Rocket Pro"}, Domain: "pro.acme.com"},
	{ID: 4, Names: []string{"Coca-Cola"}, Domain: "coca-cola.example"},
	{ID: 5, Names: []string{"Straße"}, Domain: "bücher.example"},
	{ID: 6, Names: []string{"Node.js"}},
	{ID: 7, Names: []string{"Levi's", "C++"}},
}

// found returns the ids of the mentioned products in their order, and fails if
// positions do not count from 1.
func found(t *testing.T, f *Finder, text string) []int64 {
	t.Helper()
	ids := []int64{}
	for i, m := range f.Find(text) {
		if m.Position != i+1 {
			t.Errorf("Find(%q): mention %d has position %d", text, i+1, m.Position)
		}
		ids = append(ids, m.ProductID)
	}
	return ids
}

type findCase struct {
	text string
	want []int64
}

func check(t *testing.T, products []Product, rules map[string][]findCase) {
	t.Helper()
	f := NewFinder(products)
	for rule, cases := range rules {
		t.Run(rule, func(t *testing.T) {
			for _, c := range cases {
				if got := found(t, f, c.text); !slices.Equal(got, append([]int64{}, c.want...)) {
					t.Errorf("Find(%q) = %v, want %v", c.text, got, c.want)
				}
			}
		})
	}
}

func TestFind(t *testing.T) {
	check(t, acme, map[string][]findCase{
		"nothing is mentioned": {
			{"", nil}, {"   ", nil}, {"***", nil}, {"Nobody knows.", nil},
		},
		"order of first mention": {
			{"Acme, Rocket and Acme again", []int64{1, 2}},
			{"Rocket beats Acme; Rocket!", []int64{2, 1}},
			{"1. Coca-Cola\n2. Rocket\n3. Acme", []int64{4, 2, 1}},
		},
		"whole words": {
			{"Acmes", nil}, {"xAcme", nil}, {"Acme2", nil}, {"3Acme", nil}, {"Acmé", nil}, {"Acme\u0301", nil},
			{"(Acme)", []int64{1}}, {"Acme.", []int64{1}}, {"“Acme”", []int64{1}}, {"Acme/Rocket", []int64{1, 2}},
			{"acme-based", []int64{1}}, {"Acme—Rocket", []int64{1, 2}}, {"#Acme", []int64{1}}, {"@acme", []int64{1}},
			{"d'Acme", []int64{1}}, {"Acme. Then", []int64{1}}, {"Acme.Then", []int64{1}}, {"C++11 or C++", []int64{7}},
		},
		"case is folded": {
			{"ACME", []int64{1}}, {"aCmE", []int64{1}}, {"STRASSE", []int64{5}}, {"strasse", []int64{5}}, {"STRAẞE", []int64{5}},
		},
		"Unicode is normalised": {
			{"Ａｃｍｅ", []int64{1}}, {"𝐀𝐜𝐦𝐞", []int64{1}}, {"Ac\u00ADme", []int64{1}}, {"Ac\u200Dme", []int64{1}}, {"\uFEFFAcme\u200F", []int64{1}},
		},
		"signs beside a name are not part of it": {
			{"Acme™", []int64{1}}, {"Acme®", []int64{1}}, {"Acme™ Rocket® Pro", []int64{3}},
			{"Acme²", []int64{1}}, {"Acme¹²", []int64{1}}, {"¹Acme", []int64{1}}, {"Acme③", []int64{1}}, {"Acme[1]", []int64{1}}, {"Acme[^1]", []int64{1}},
		},
		"white space of any kind and length is one space": {
			{"Acme  Rocket\u00A0Pro", []int64{3}}, {"Acme\nRocket\r\n\tPro", []int64{3}}, {"Acme\u3000Rocket\u2009Pro", []int64{3}},
		},
		"hyphens within a name are spaces": {
			{"Coca‑Cola", []int64{4}}, {"coca–cola", []int64{4}}, {"Coca Cola", []int64{4}}, {"Coca\u2212Cola", []int64{4}},
			{"Acme-Rocket-Pro", []int64{3}}, {"Coca—Cola", nil}, {"Coca - Cola", nil}, {"CocaCola", nil},
			{"* Coca\n- Cola", nil}, {"Coca-**Cola**", []int64{4}},
		},
		"possessives": {
			{"Acme's", []int64{1}}, {"Acme’s", []int64{1}}, {"Acme’", []int64{1}}, {"Acmeʼs", []int64{1}}, {"Acme'nin", []int64{1}},
			{"Levi’s", []int64{7}}, {"LEVI'S", []int64{7}}, {"Levi", nil}, {"Acmes'", nil},
		},
		"longest match first": {
			{"Acme Rocket Pro", []int64{3}}, {"Acme Rocket", []int64{1, 2}}, {"Acme Rockets", []int64{1}},
			{"Acme Rocket Pro beats Rocket", []int64{3, 2}}, {"Rocket, Acme Rocket Pro", []int64{2, 3}},
			{"Acme Rocket Proxy", []int64{1, 2}},
		},
		"Markdown": {
			{"**Acme**", []int64{1}}, {"_Acme_", []int64{1}}, {"__Acme__", []int64{1}}, {"~~Acme~~", []int64{1}}, {"`acme`", []int64{1}},
			{"my_acme_app", []int64{1}}, {"**Acme** Rocket _Pro_", []int64{3}}, {"**Acme Rocket** Pro", []int64{3}},
			{"[Acme](https://other.example/x)", []int64{1}}, {"[Acme][1]\n\n[1]: https://other.example", []int64{1}},
			{"![Rocket](/img/acme.png)", []int64{2}}, {"# Acme\n\n| Rocket | 5 |", []int64{1, 2}},
			{`C\+\+ and Coca\-Cola`, []int64{7, 4}}, {"[not a link](Acme is great", []int64{1}}, {"[x](Acme and more)", []int64{1}},
		},
	})
}

func TestFindByAddress(t *testing.T) {
	check(t, acme, map[string][]findCase{
		"a URL mentions the owner of its host": {
			{"https://acme.com", []int64{1}}, {"HTTPS://WWW.ACME.COM/x", []int64{1}}, {"http://docs.acme.com:8080/a?b#c", []int64{1}},
			{"https://user:rocket@acme.com/", []int64{1}}, {"https://acme.com.", []int64{1}}, {"https://acme.com./x", []int64{1}},
			{"https://notacme.com", nil}, {"https://acme.com.evil.example/", nil}, {"https://evil.example/acme.com", nil},
			{"https://bücher.example/a", []int64{5}}, {"https://BÜCHER.example", []int64{5}}, {"<https://acme.com/>", []int64{1}},
		},
		"a bare domain does so too": {
			{"acme.com", []int64{1}}, {"See ACME.COM!", []int64{1}}, {"Acme.com", []int64{1}}, {"www.acme.com/pricing", []int64{1}}, {"Try acme.com?", []int64{1}},
			{"blog.acme.com, rocket.example", []int64{1, 2}}, {"acme.com's", []int64{1}}, {"acme.com-based", []int64{1}}, {"(acme.com)", []int64{1}},
			{"acme.com.Rocket flies", []int64{1, 2}}, {"acme.company", nil}, {"acme.comé", nil}, {"é-acme.com", nil}, {"éacme.com", nil}, {"acme.com:8080", []int64{1}},
			{"bücher.example", []int64{5}}, {"www.bücher.example", []int64{5}}, {"acme.comを使う", []int64{1}}, {"见acme.com吧", []int64{1}},
		},
		"the longest domain takes it": {
			{"https://pro.acme.com/x", []int64{3}}, {"a.pro.acme.com", []int64{3}}, {"https://xpro.acme.com", []int64{1}},
		},
		"also as the target of a link": {
			{"[here](https://acme.com/x)", []int64{1}}, {"[here](acme.com)", []int64{1}}, {"[here](//acme.com/x)", []int64{1}},
			{"[here](<https://acme.com/x y>)", []int64{1}}, {`[here](https://acme.com "Rocket")`, []int64{1, 2}}, {"[Rocket](https://acme.com)", []int64{2, 1}},
			{"[1]: https://acme.com", []int64{1}}, {"[^1]: Rocket, https://acme.com/a", []int64{2, 1}},
		},
		"a name inside an address is none": {
			{"https://other.example/acme/Rocket", nil}, {"https://acme.other.example", nil}, {"other.example/acme", nil},
			{"github.com/acme/rocket", nil}, {"acme.io", nil}, {"rocket.chat", nil}, {"[docs](/rocket/acme)", nil}, {"[docs](#acme)", nil},
			{"https://web.example/https://other.example/acme", nil}, {"https://other.example/(acme)", nil},
		},
		"e-mail mentions nobody": {
			{"sales@acme.com", nil}, {"acme@other.example", nil}, {"mailto:rocket.acme+x@acme.com", nil}, {"josé@acme.com", nil}, {"Rocket: a@acme.com", []int64{2}},
		},
		"a dotted name is found as a whole": {
			{"Node.js", []int64{6}}, {"node.js!", []int64{6}}, {"Node.js/Rocket", []int64{6, 2}}, {"Node", nil}, {"my.node.js", nil},
		},
	})
}

func TestFindScripts(t *testing.T) {
	products := []Product{
		{ID: 1, Names: []string{"Акме"}},
		{ID: 2, Names: []string{"Άκμη", "Οδυσσεύς"}},
		{ID: 3, Names: []string{"أكمي"}},
		{ID: 4, Names: []string{"אקמה"}},
		{ID: 5, Names: []string{"アクメ"}},
		{ID: 6, Names: []string{"极光", "极光笔记"}},
		{ID: 7, Names: []string{"แอคมี"}},
		{ID: 8, Names: []string{"애크미"}},
		{ID: 9, Names: []string{"Notia"}},
		{ID: 10, Names: []string{"笔记"}},
		{ID: 11, Names: []string{"ກາ"}},
		{ID: 12, Names: []string{"កម្ពុជា"}},
	}
	check(t, products, map[string][]findCase{
		"Cyrillic": {{"Попробуйте «АКМЕ».", []int64{1}}, {"Акмеом", nil}, {"Акме-приложение", []int64{1}}},
		"Greek":    {{"ΆΚΜΗ", []int64{2}}, {"η Άκμη, ναι", []int64{2}}, {"Άκμης", nil}, {"ΟΔΥΣΣΕΎΣ", []int64{2}}},
		"Arabic":   {{"جرّب أكمي، فهو جيد", []int64{3}}, {"وأكمي", nil}, {"ﺃﻛﻤﻲ", []int64{3}}},
		"Hebrew":   {{"נסו את אקמה.", []int64{4}}, {"באקמה", nil}, {"ב־אקמה", []int64{4}}},
		"Japanese": {{"私はアクメを使う", []int64{5}}, {"ｱｸﾒ", []int64{5}}, {"アクメー", nil}, {"アクメッ", nil}, {"Notiaを使う", []int64{9}}, {"株式会社Notiaは", []int64{9}}},
		"Chinese":  {{"我喜欢极光，也喜欢Notia。", []int64{6, 9}}, {"极光笔记", []int64{6}}, {"极光和笔记", []int64{6, 10}}},
		"Thai":     {{"ฉันใช้แอคมีทุกวัน", []int64{7}}, {"แอคมี่", nil}, {"ใช้Notiaได้", []int64{9}}},
		"Lao":      {{"ກາແຟ", []int64{11}}, {"ກາ່", nil}},
		"Khmer":    {{"ខ្ញុំនៅកម្ពុជា", []int64{12}}},
		"Korean": {
			{"애크미는 좋다", []int64{8}}, {"애크미에서는", []int64{8}}, {"애크미입니다.", []int64{8}}, {"애크미", []int64{8}}, {"Notia는", []int64{9}},
			{"애크미랜드", nil}, {"신애크미", nil}, {"애크미2", nil}, {"애크미의랜드", nil}, {"애크미" + strings.Repeat("이라", 9), nil},
		},
	})
}

func TestThaiAndKhmerNamesAreNotCutInsideASyllable(t *testing.T) {
	f := NewFinder([]Product{{ID: 1, Names: []string{"กา"}}, {ID: 2, Names: []string{"พุ"}}, {ID: 3, Names: []string{"មា"}}, {ID: 4, Names: []string{"ក"}}})
	for _, text := range []string{"เกา", "กาำ", "พุ่ม", "ខ្មា", "កា"} {
		if got := found(t, f, text); len(got) > 0 {
			t.Errorf("Find(%q) = %v, want nothing", text, got)
		}
	}
}

func TestOverlapsGoToTheLongest(t *testing.T) {
	check(t, []Product{
		{ID: 1, Names: []string{"Acme", "Acme Rocket"}},
		{ID: 2, Names: []string{"Rocket Science"}},
		{ID: 3, Names: []string{"Science"}},
		{ID: 4, Names: []string{"ab cd"}},
		{ID: 5, Names: []string{"cd ef"}},
	}, map[string][]findCase{
		"the longer one, though it begins later": {{"Acme Rocket Science", []int64{1, 2}}},
		"of equal length the first":              {{"ab cd ef", []int64{4}}},
	})
}

func TestSharedNamesAndDomains(t *testing.T) {
	check(t, []Product{
		{ID: 30, Names: []string{"Orbit"}, Domain: "orbit.example"},
		{ID: 10, Names: []string{"orbit", "Orbit"}, Domain: "Www.Orbit.example."},
		{ID: 20, Names: []string{"orbit.example"}},
		{ID: 20, Names: []string{"Second entry"}},
	}, map[string][]findCase{
		"by id":                {{"Orbit", []int64{10, 30}}, {"https://orbit.example/x", []int64{10, 30}}},
		"a name and a domain":  {{"orbit.example", []int64{10, 20, 30}}, {"orbit.example orbit.example", []int64{10, 20, 30}}},
		"one id, two products": {{"second entry", []int64{20}}},
	})
}

func TestNamesThatCannotBeFound(t *testing.T) {
	f := NewFinder([]Product{{ID: 1, Names: []string{"", " ", "**", "https://acme.com"}}, {ID: 2, Names: []string{" Acme \n"}}})
	if got := found(t, f, "** https://acme.com is Acme"); !slices.Equal(got, []int64{2}) {
		t.Errorf("got %v, want only the product with a name", got)
	}
	if got := NewFinder(nil).Find("Acme"); got != nil {
		t.Errorf("a finder without products found %v", got)
	}
}

func TestOtherProductsChangeNothing(t *testing.T) {
	few := NewFinder(acme)
	many := NewFinder(append(slices.Clone(acme), crowd(500)...))
	for _, text := range []string{answer, "Acme Rocket Pro", "see acme.com and Coca‑Cola"} {
		if a, b := found(t, few, text), found(t, many, text); !slices.Equal(a, b) {
			t.Errorf("Find(%.40q) = %v among few and %v among many", text, a, b)
		}
	}
}

func TestFindConcurrently(t *testing.T) {
	f := NewFinder(acme)
	want := found(t, f, answer)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := f.Find(answer); len(got) != len(want) {
					t.Errorf("found %d products, want %d", len(got), len(want))
				}
			}
		})
	}
	wg.Wait()
}

// crowd makes n products that no text of the tests mentions.
func crowd(n int) (products []Product) {
	for i := range n {
		name := fmt.Sprintf("Acorn %c%c Systems %d", 'A'+i%26, 'a'+i/26%26, i)
		products = append(products, Product{ID: int64(1000 + i), Names: []string{name, fmt.Sprintf("Rockford%d", i)}, Domain: fmt.Sprintf("acorn%d.example", i)})
	}
	return products
}

// answer is about 4 kB of what an AI platform answers.
var answer = strings.Repeat("## Best tools\n\n1. **Acme Rocket Pro** – a solid choice for schools; see [its docs](https://pro.acme.com/docs/start).\n"+
	"2. **Rocket** is cheaper, but Coca‑Cola's team prefers Acme’s older model (rocket.example/pricing).\n"+
	"3. C++ and Node.js bindings exist. Many reviewers note that the set-up takes less than ten minutes, and that support answers quickly.\n\n", 12)
