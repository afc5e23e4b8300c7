package py

import (
	"fmt"
	"math"
	"strings"
	"syscall"
	"time"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

var _ = define("time", func() *lang.ModuleDef {
	return &lang.ModuleDef{Doc: "This module provides various functions to manipulate time values.", Defs: timeRows, Init: timeInit}
})

var structTime = func() *structSeq {
	s := newStructSeq("struct_time", "time", "tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst", "tm_zone", "tm_gmtoff")
	s.shown = 9
	return s
}()

var timeRows = []lang.Def{
	{Sig: "time()", Fn: clock(func(th *Thread) time.Duration { return time.Duration(now(th).UnixNano()) }, false), Doc: "Return the current time in seconds since the Epoch."},
	{Sig: "time_ns()", Fn: clock(func(th *Thread) time.Duration { return time.Duration(now(th).UnixNano()) }, true)},
	{Sig: "perf_counter()", Fn: clock(sinceStart, false), Doc: "Performance counter for benchmarking."},
	{Sig: "perf_counter_ns()", Fn: clock(sinceStart, true)},
	{Sig: "monotonic()", Fn: clock(sinceStart, false)},
	{Sig: "monotonic_ns()", Fn: clock(sinceStart, true)},
	{Sig: "process_time()", Fn: clock(processTime, false)},
	{Sig: "process_time_ns()", Fn: clock(processTime, true)},
	{Sig: "thread_time()", Fn: clock(processTime, false)},
	{Sig: "thread_time_ns()", Fn: clock(processTime, true)},
	{Sig: "clock_gettime(clk_id, /)", Fn: timeClock(false)},
	{Sig: "clock_gettime_ns(clk_id, /)", Fn: timeClock(true)},
	{Sig: "clock_getres(clk_id, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		_, err := clockOf(th, a[0])
		return lang.Float(1e-9), err
	}},
	{Sig: "sleep(secs, /)", Fn: timeSleep},
	{Sig: "gmtime(seconds=None, /)", Fn: timeStruct(time.UTC)},
	{Sig: "localtime(seconds=None, /)", Fn: timeStruct(time.Local)},
	{Sig: "mktime(t, /)", Fn: timeMktime},
	{Sig: "strftime(format, t=..., /)", Fn: timeStrftime},
	{Sig: "strptime(string, format='%a %b %d %H:%M:%S %Y', /)", Fn: timeStrptime},
	{Sig: "asctime(t=..., /)", Fn: timeAsctime},
	{Sig: "ctime(seconds=None, /)", Fn: timeCtime},
	{Sig: "get_clock_info(name, /)", Fn: timeClockInfo},
	{Sig: "tzset()", Fn: func(th *Thread, a []Value) (Value, error) { return none, nil }},
}

func timeInit(th *Thread, m *lang.Module) error {
	m.Set("struct_time", structTime.class.Value())
	for name, id := range clockIDs {
		m.Set(name, lang.Int(id))
	}
	name, off := time.Now().Zone()
	m.Set("timezone", lang.Int(int64(-off)))
	m.Set("altzone", lang.Int(int64(-off)))
	m.Set("daylight", lang.Int(0))
	m.Set("tzname", lang.NewTuple(lang.NewStr(name), lang.NewStr(name)))
	return nil
}

func now(th *Thread) time.Time {
	if f := th.Interp.Host.Now; f != nil {
		return f()
	}
	return time.Now()
}

var start = time.Now()

func sinceStart(th *Thread) time.Duration { return time.Since(start) }

func clock(f func(th *Thread) time.Duration, ns bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		d := f(th)
		if ns {
			return lang.Int(int64(d)), nil
		}
		return lang.Float(float64(d) / 1e9), nil
	}
}

func timeSleep(th *Thread, a []Value) (Value, error) {
	s, err := floatOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if s != s {
		return fail(th.ValueErrorf("Invalid value NaN (not a number)"))
	}
	if s < 0 {
		return fail(th.ValueErrorf("sleep length must be non-negative"))
	}
	if s*1e9 >= math.MaxInt64 {
		return fail(th.Raise(lang.OverflowError, "timestamp too large to convert to C _PyTime_t"))
	}
	th.YieldStrand()
	return none, th.SleepStrand(time.Now().Add(time.Duration(s * 1e9)))
}

func timeAt(th *Thread, v Value) (time.Time, error) {
	if v.IsNone() {
		return now(th), nil
	}
	f, err := floatOf(th, v)
	if err != nil {
		return time.Time{}, err
	}
	if math.Abs(f) > 67e15 || f != f {
		return time.Time{}, th.Raise(lang.OverflowError, "timestamp out of range for platform time_t")
	}
	w := math.Floor(f)
	return time.Unix(int64(w), int64((f-w)*1e9)), nil
}

func timeStruct(loc *time.Location) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		t, err := timeAt(th, a[0])
		if err != nil {
			return fail(err)
		}
		return structOf(t.In(loc)), nil
	}
}

func structOf(t time.Time) Value {
	zone, off := t.Zone()
	if t.Location() == time.UTC {
		zone = "UTC"
	}
	dst := int64(0)
	if t.IsDST() {
		dst = 1
	}
	vs := ints(int64(t.Year()), int64(t.Month()), int64(t.Day()), int64(t.Hour()), int64(t.Minute()), int64(t.Second()),
		int64(t.Weekday()+6)%7, int64(t.YearDay()), dst)
	return structTime.of(append(vs, lang.NewStr(zone), lang.Int(int64(off)))...)
}

// timeParts are the nine numbers of a struct_time or tuple.
func timeParts(th *Thread, v Value) ([9]int, error) {
	var p [9]int
	if v.IsUnbound() {
		v = structOf(now(th).In(time.Local))
	}
	t, ok := lang.AsTuple(v)
	if !ok {
		return p, th.TypeErrorf("Tuple or struct_time argument required")
	}
	if t.Len() < 9 {
		return p, th.TypeErrorf("time tuple must have exactly 9 elements")
	}
	for i := range p {
		n, err := intOf(th, t.At(i))
		if err != nil {
			return p, err
		}
		p[i] = n
	}
	return p, nil
}

func dateOf(p [9]int, loc *time.Location) time.Time {
	return time.Date(p[0], time.Month(p[1]), p[2], p[3], p[4], p[5], 0, loc)
}

func timeMktime(th *Thread, a []Value) (Value, error) {
	p, err := timeParts(th, a[0])
	if err != nil {
		return fail(err)
	}
	return lang.Float(float64(dateOf(p, time.Local).Unix())), nil
}

func timeStrftime(th *Thread, a []Value) (Value, error) {
	f, err := strOf(th, a[0], "strftime() argument 1")
	if err != nil {
		return fail(err)
	}
	p, err := timeParts(th, a[1])
	if err != nil {
		return fail(err)
	}
	t := time.Local
	zone := ""
	if tup, ok := lang.AsTuple(a[1]); ok && tup.Len() > 10 {
		zone, _ = lang.StrOf(th, tup.At(9))
	}
	return lang.NewStr(strftime(f, dateOf(p, t), p[6], p[7], zone)), nil
}

var (
	dayNames   = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
)

// strftime formats t in the C locale; weekday counts from Monday.
func strftime(f string, t time.Time, weekday, yearday int, zone string) string {
	var b strings.Builder
	for i := 0; i < len(f); i++ {
		if f[i] != '%' || i+1 == len(f) {
			b.WriteByte(f[i])
			continue
		}
		i++
		pad := true
		if (f[i] == '-' || f[i] == '_') && i+1 < len(f) {
			pad = false
			i++
		}
		b.WriteString(timeField(f[i], pad, t, ((weekday%7)+7)%7, yearday, zone))
	}
	return b.String()
}

func two(n int, pad bool) string {
	if pad {
		return fmt.Sprintf("%02d", n)
	}
	return fmt.Sprint(n)
}

func timeField(c byte, pad bool, t time.Time, wday, yday int, zone string) string {
	hour12 := (t.Hour()+11)%12 + 1
	switch c {
	case 'a':
		return dayNames[wday][:3]
	case 'A':
		return dayNames[wday]
	case 'b', 'h':
		return monthNames[t.Month()-1][:3]
	case 'B':
		return monthNames[t.Month()-1]
	case 'c':
		return strftime("%a %b %e %H:%M:%S %Y", t, wday, yday, zone)
	case 'C':
		return two(t.Year()/100, pad)
	case 'd':
		return two(t.Day(), pad)
	case 'D', 'x':
		return strftime("%m/%d/%y", t, wday, yday, zone)
	case 'e':
		return fmt.Sprintf("%2d", t.Day())
	case 'F':
		return strftime("%Y-%m-%d", t, wday, yday, zone)
	case 'g':
		y, _ := t.ISOWeek()
		return two(y%100, pad)
	case 'G':
		y, _ := t.ISOWeek()
		return fmt.Sprint(y)
	case 'H':
		return two(t.Hour(), pad)
	case 'I':
		return two(hour12, pad)
	case 'j':
		if !pad {
			return fmt.Sprint(yday)
		}
		return fmt.Sprintf("%03d", yday)
	case 'k':
		return fmt.Sprintf("%2d", t.Hour())
	case 'l':
		return fmt.Sprintf("%2d", hour12)
	case 'm':
		return two(int(t.Month()), pad)
	case 'M':
		return two(t.Minute(), pad)
	}
	return timeField2(c, pad, t, wday, yday, zone)
}

func timeField2(c byte, pad bool, t time.Time, wday, yday int, zone string) string {
	switch c {
	case 'n':
		return "\n"
	case 'p':
		if t.Hour() < 12 {
			return "AM"
		}
		return "PM"
	case 'P':
		if t.Hour() < 12 {
			return "am"
		}
		return "pm"
	case 'r':
		return strftime("%I:%M:%S %p", t, wday, yday, zone)
	case 'R':
		return strftime("%H:%M", t, wday, yday, zone)
	case 's':
		return fmt.Sprint(t.Unix())
	case 'S':
		return two(t.Second(), pad)
	case 't':
		return "\t"
	case 'T', 'X':
		return strftime("%H:%M:%S", t, wday, yday, zone)
	case 'u':
		return fmt.Sprint(wday + 1)
	case 'U':
		return two((yday+6-(wday+1)%7)/7, pad)
	case 'V':
		_, w := t.ISOWeek()
		return two(w, pad)
	case 'w':
		return fmt.Sprint((wday + 1) % 7)
	case 'W':
		return two((yday+6-wday)/7, pad)
	case 'y':
		return two(t.Year()%100, pad)
	case 'Y':
		return fmt.Sprint(t.Year())
	case 'z':
		_, off := t.Zone()
		sign := "+"
		if off < 0 {
			sign, off = "-", -off
		}
		return fmt.Sprintf("%s%02d%02d", sign, off/3600, off/60%60)
	case 'Z':
		if zone != "" {
			return zone
		}
		z, _ := t.Zone()
		return z
	case '%':
		return "%"
	}
	return "%" + string(c)
}

func timeAsctime(th *Thread, a []Value) (Value, error) {
	p, err := timeParts(th, a[0])
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(strftime("%a %b %e %H:%M:%S %Y", dateOf(p, time.UTC), p[6], p[7], "")), nil
}

func timeCtime(th *Thread, a []Value) (Value, error) {
	t, err := timeAt(th, a[0])
	if err != nil {
		return fail(err)
	}
	return timeAsctime(th, []Value{structOf(t.In(time.Local))})
}

func timeClockInfo(th *Thread, a []Value) (Value, error) {
	return SimpleNamespace(th, "implementation", lang.NewStr("clock_gettime(CLOCK_MONOTONIC)"), "monotonic", lang.True,
		"adjustable", lang.False, "resolution", lang.Float(1e-9))
}

// timeStrptime leaves the work to the script module _strptime.
func timeStrptime(th *Thread, a []Value) (Value, error) {
	m, err := th.Import("_strptime")
	if err != nil {
		return fail(err)
	}
	r, err := th.CallMethod(m, "parse", a[0], a[1])
	if err != nil {
		return fail(err)
	}
	t, _ := lang.AsTuple(r)
	return structTime.of(append(lang.Values(t.Items()[:9]), t.At(9), t.At(10))...), nil
}

// clockIDs are Linux's numbers of clocks.
var clockIDs = map[string]int64{"CLOCK_REALTIME": 0, "CLOCK_MONOTONIC": 1, "CLOCK_PROCESS_CPUTIME_ID": 2, "CLOCK_THREAD_CPUTIME_ID": 3,
	"CLOCK_MONOTONIC_RAW": 4, "CLOCK_BOOTTIME": 7, "CLOCK_TAI": 11}

// clockOf is the clock of a number.
func clockOf(th *Thread, id Value) (func(th *Thread) time.Duration, error) {
	n, err := intOf(th, id)
	if err != nil {
		return nil, err
	}
	switch n {
	case 0, 11:
		return func(th *Thread) time.Duration { return time.Duration(now(th).UnixNano()) }, nil
	case 1, 4, 7:
		return sinceStart, nil
	case 2, 3:
		return processTime, nil
	}
	return nil, builtin.OSError(th, syscall.EINVAL)
}

func timeClock(ns bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		read, err := clockOf(th, a[0])
		if err != nil {
			return fail(err)
		}
		return clock(read, ns)(th, a)
	}
}
