package demo

import "strconv"

// address is an address of one of the ranges reserved for documentation.
type address uint64

// visitor returns the address and browser that a person keeps.
func visitor(site, number int64) (address, string) {
	h := mix(site, number)
	return address(h), browsers.pick(float64(h>>40) / (1 << 24)).userAgent
}

// machine returns one of a bot's addresses, all of them in IPv4.
func machine(userAgent string, number int) address {
	return address(mix(key(userAgent), int64(number)) &^ 1)
}

var documentationNets = [3]string{"192.0.2.", "198.51.100.", "203.0.113."}

// append writes 2001:db8::/32 for odd numbers, and IPv4 for even ones.
func (a address) append(b []byte) []byte {
	a, six := a>>1, a&1 == 1
	if !six {
		b = append(b, documentationNets[a%3]...)
		return strconv.AppendUint(b, uint64(1+a/3%254), 10)
	}
	b = append(b, "2001:db8:"...)
	b = strconv.AppendUint(b, uint64(a&0xfff|0x1000), 16)
	b = append(b, ':')
	b = strconv.AppendUint(b, uint64(a>>12&0xfff|0x1000), 16)
	b = append(b, "::"...)
	return strconv.AppendUint(b, uint64(a>>24&0xffff|1), 16)
}

func appendPageview(b []byte, date string, p *pageview) []byte {
	b = appendTime(append(b, `{"at":`...), date, p.at)
	b = append(append(b, `,"websiteId":"`...), p.site.id...)
	b = appendURL(append(b, `","url":"`...), p.site.host, p.path)
	if p.slash && p.path != "/" {
		b = append(b, '/')
	}
	if p.utmSource != "" {
		b = append(append(b, "?utm_source="...), p.utmSource...)
	}
	if p.head {
		b = append(b, `","method":"HEAD","status":`...)
	} else {
		b = append(b, `","method":"GET","status":`...)
	}
	b = appendInt(b, int64(p.status))
	b = append(append(b, `,"userAgent":"`...), p.userAgent...)
	switch {
	case p.previous != "":
		b = appendURL(append(b, `","referrer":"`...), p.site.host, p.previous)
	case p.referrer != "":
		b = append(append(b, `","referrer":"`...), p.referrer...)
	}
	b = p.ip.append(append(b, `","ip":"`...))
	return append(b, `"}`...)
}

func appendURL(b []byte, host, path string) []byte {
	b = append(append(b, "https://"...), host...)
	return append(b, path...)
}
