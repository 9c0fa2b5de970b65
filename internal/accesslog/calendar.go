package accesslog

// days counts the days from 1970-01-01 to a date, if there is such a date.
func days(year, month, day int) (int64, bool) {
	if year < 1 || month < 1 || month > 12 || day < 1 || day > 31 || day > monthDays(year, month) {
		return 0, false
	}
	if month <= 2 { // count years from March, so that the leap day is the last
		year, month = year-1, month+12
	}
	return int64(365*year+year/4-year/100+year/400+(153*month-457)/5+day) - 719469, true
}

func monthDays(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

func secondOfDay(hour, minute, second int) (int64, bool) {
	ok := hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59
	return int64(hour*3600 + minute*60 + second), ok
}

// two reads two digits at i, or says -1.
func two(t []byte, i int) int {
	a, b := t[i]-'0', t[i+1]-'0'
	if a > 9 || b > 9 {
		return -1
	}
	return int(a)*10 + int(b)
}

// four reads four digits at i, or says -1.
func four(t []byte, i int) int {
	a, b := two(t, i), two(t, i+2)
	if a < 0 || b < 0 {
		return -1
	}
	return a*100 + b
}

func allDigits(t []byte) bool {
	for _, c := range t {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
