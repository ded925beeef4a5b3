# NumPy's functions of dates and times, by their names.
#: n = 1000
#: nat = np.iinfo(np.int64).min
#: def counts(low, high):
#:     x = rng.integers(low, high, n)
#:     x[rng.random(n) < 0.1] = nat
#:     return x
#: a = counts(-800000, 800000).view('M8[D]')
#: b = counts(-2**36, 2**36).view('M8[s]')
#: b[:100] = a[:100]
#: t = counts(-2**40, 2**40).view('m8[s]')
#: u = counts(-2**30, 2**30).view('m8[s]')
#: u[:50] = 0
#: k = rng.integers(1, 50, n)
#: dates = poison((9, n), np.int64).view('M8[s]')
#: times = poison((12, n), np.int64).view('m8[s]')
#: tests = poison((12, n), np.bool_)
#: launch functions[7, 33](a, b, t, u, k, dates, times, tests)
#: s = a.astype('M8[s]')
#: want = [s + u, s - u, np.minimum(b, s), np.maximum(b, s), np.fmin(b, s), np.fmax(b, s), np.where(b < s, b, s), np.minimum(np.maximum(b, s[::-1]), b[::-1]), b + t]
#: expect same(dates.view('i8'), np.array(want).view('i8'))
#: with np.errstate(all="ignore"): rest = t % u
#: want = [b - a, t + u, t - u, u * k, t / k, t // k, rest, -t, abs(t), np.sign(t), np.where(np.isnat(t), u, t), t]
#: want[9] = np.sign(t.view('i8')).view('m8[s]')
#: expect same(times.view('i8'), np.array(want).view('i8'))
#: want = [a == b, a != b, a < b, a <= b, a > b, a >= b, np.isnat(a), np.isnat(t), np.isnat(b), ~np.isnat(u), np.zeros(n, bool), t == u]
#: expect tests == np.array(want)
@kernel
def functions(a: datetime64[D][:], b: datetime64[s][:], t: timedelta64[s][:], u: timedelta64[s][:],
              k: int64[:], dates: datetime64[s][:, ::1], times: timedelta64[s][:, ::1],
              tests: bool[:, ::1]):
    for i in range(grid(1), len(a), gridsize(1)):
        last = len(a) - 1 - i
        s = np.datetime64(a[i], 's')
        dates[0, i] = np.add(a[i], u[i])
        dates[1, i] = np.subtract(a[i], u[i])
        dates[2, i] = np.minimum(b[i], a[i])
        dates[3, i] = np.maximum(a[i], b[i])
        dates[4, i] = np.fmin(a[i], b[i])
        dates[5, i] = np.fmax(a[i], b[i])
        dates[6, i] = np.where(np.less(b[i], a[i]), b[i], s)
        dates[7, i] = np.clip(b[i], a[last], b[last])
        dates[8, i] = np.add(t[i], b[i])
        times[0, i] = np.subtract(b[i], a[i])
        times[1, i] = np.add(t[i], u[i])
        times[2, i] = np.subtract(t[i], u[i])
        times[3, i] = np.multiply(u[i], k[i])
        times[4, i] = np.divide(t[i], k[i])
        times[5, i] = np.floor_divide(t[i], k[i])
        times[6, i] = np.remainder(t[i], u[i])
        times[7, i] = np.negative(t[i])
        times[8, i] = np.absolute(t[i])
        times[9, i] = np.sign(t[i])
        times[10, i] = np.where(np.isnat(t[i]), u[i], t[i])
        times[11, i] = np.positive(t[i])
        tests[0, i] = np.equal(a[i], b[i])
        tests[1, i] = np.not_equal(a[i], b[i])
        tests[2, i] = np.less(a[i], b[i])
        tests[3, i] = np.less_equal(a[i], b[i])
        tests[4, i] = np.greater(a[i], b[i])
        tests[5, i] = np.greater_equal(a[i], b[i])
        tests[6, i] = np.isnat(a[i])
        tests[7, i] = np.isnat(t[i])
        tests[8, i] = np.isnan(b[i])
        tests[9, i] = np.isfinite(u[i])
        tests[10, i] = np.isinf(b[i])
        tests[11, i] = np.equal(t[i], u[i])
