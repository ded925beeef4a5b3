# Operators of dates and times against NumPy's, of random values, NaT and values at the ends of the
# range.
#: n = 2000
#: nat = np.iinfo(np.int64).min
#: def counts(low, high):
#:     x = rng.integers(low, high, n)
#:     x[rng.random(n) < 0.1] = nat
#:     return x
#: day = counts(-800000, 800000)
#: a = day.view('M8[D]')
#: s = counts(-2**36, 2**36)
#: b = s.view('M8[s]')
#: t = counts(-2**40, 2**40).view('m8[ms]')
#: u = counts(-2**30, 2**30)
#: u[:40] = 0
#: u = u.view('m8[s]')
#: k = rng.integers(-50, 50, n)
#: x = rng.normal(size=n) * 100
#: x[:8] = [0, np.inf, -np.inf, np.nan, 1e19, -1e19, 1e-300, 1]
#: diff = poison(n, np.int64).view('m8[s]')
#: moved = poison(n, np.int64).view('M8[ms]')
#: back = poison(n, np.int64).view('M8[s]')
#: sum = poison(n, np.int64).view('m8[ms]')
#: launch arithmetic[7, 33](a, b, t, u, diff, moved, back, sum)
#: expect same(diff.view('i8'), (b - a).view('i8'))
#: expect same(moved.view('i8'), (b + t).view('i8'))
#: expect same(back.view('i8'), (a - u).view('i8'))
#: expect same(sum.view('i8'), (t - u + t).view('i8'))
@kernel
def arithmetic(a: datetime64[D][:], b: datetime64[s][:], t: timedelta64[ms][:],
               u: timedelta64[s][:], diff: timedelta64[s][:], moved: datetime64[ms][:],
               back: datetime64[s][:], sum: timedelta64[ms][:]):
    for i in range(grid(1), len(a), gridsize(1)):
        diff[i] = b[i] - a[i]
        moved[i] = t[i] + b[i]
        back[i] = a[i] - u[i]
        sum[i] = t[i] - u[i]
        sum[i] += t[i]


#: w = poison((9, n), np.int64).view('m8[s]')
#: q = poison(n, np.float64)
#: f = poison(n, np.int64)
#: launch scaling[7, 33](u, t, k, x, w, q, f)
#: quotient = np.array([nat if c == nat or d == 0 else abs(int(c)) // abs(int(d)) * (-1 if (c < 0) != (d < 0) else 1) for c, d in zip(u.view('i8'), k)])
#: product = np.array([nat if c == nat or not abs(float(c) * d) < 2.0**63 else int(float(c) * d) for c, d in zip(u.view('i8'), x)])
#: with np.errstate(all="ignore"): ratio = u.view('i8') / x
#: ratio = np.array([nat if c == nat or not abs(d) < 2.0**63 else int(d) for c, d in zip(u.view('i8'), ratio)])
#: expect same(w[0].view('i8'), (u * k).view('i8'))
#: expect same(w[1].view('i8'), (k * u).view('i8'))
#: expect same(w[2].view('i8'), quotient)
#: expect same(w[3].view('i8'), quotient)
#: expect same(w[4].view('i8'), product)
#: expect same(w[5].view('i8'), ratio)
#: expect same(w[6].view('i8'), (-u).view('i8'))
#: expect same(w[7].view('i8'), np.abs(u).view('i8'))
#: expect same(w[8].view('i8'), (u % (7 * np.sign(u.view('i8')) - 3).astype('m8[s]')).view('i8'))
#: with np.errstate(all="ignore"): want = t / u
#: expect same(q, want)
#: with np.errstate(all="ignore"): want = t // u
#: expect f == want
@kernel
def scaling(u: timedelta64[s][:], t: timedelta64[ms][:], k: int64[:], x: float64[:],
            w: timedelta64[s][:, ::1], q: float64[:], f: int64[:]):
    for i in range(grid(1), len(u), gridsize(1)):
        w[0, i] = u[i] * k[i]
        w[1, i] = k[i] * u[i]
        w[2, i] = u[i] / k[i]
        w[3, i] = u[i] // k[i]
        w[4, i] = x[i] * u[i]
        w[5, i] = u[i] / x[i]
        w[6, i] = -u[i]
        w[7, i] = abs(+u[i])
        w[8, i] = u[i] % (7 * np.sign(u[i]) - np.timedelta64(3, 's'))
        q[i] = t[i] / u[i]
        f[i] = t[i] // u[i]


#: c = poison((12, n), np.bool_)
#: b[:200] = a[:200]
#: launch comparisons[7, 33](a, b, t, u, c)
#: expect same(c, np.array([a == b, a != b, a < b, a <= b, a > b, a >= b, t == u, t != u, t < u, t <= u, t > u, t >= u]))
@kernel
def comparisons(a: datetime64[D][:], b: datetime64[s][:], t: timedelta64[ms][:],
                u: timedelta64[s][:], c: bool[:, ::1]):
    for i in range(grid(1), len(a), gridsize(1)):
        c[0, i] = a[i] == b[i]
        c[1, i] = a[i] != b[i]
        c[2, i] = a[i] < b[i]
        c[3, i] = a[i] <= b[i]
        c[4, i] = a[i] > b[i]
        c[5, i] = a[i] >= b[i]
        c[6, i] = t[i] == u[i]
        c[7, i] = np.not_equal(t[i], u[i])
        c[8, i] = np.less(t[i], u[i])
        c[9, i] = t[i] <= u[i]
        c[10, i] = t[i] > u[i]
        c[11, i] = t[i] >= u[i]


#: e = poison((8, n), np.int64).view('M8[s]')
#: g = poison((6, n), np.bool_)
#: launch extremes[7, 33](a, b, u, e, g)
#: z = b[::-1]
#: expect same(e[0], np.minimum(b, z))
#: expect same(e[1], np.maximum(b, z))
#: expect same(e[2], np.fmin(b, z))
#: expect same(e[3], np.fmax(b, z))
#: expect same(e[4], np.fmin(b, a))
#: expect same(e[5], np.fmax(b, a))
#: expect same(e[6], np.where(b < z, a, b))
#: expect same(e[7], np.minimum(np.maximum(b, np.datetime64('1950', 's')), np.datetime64('2020-05', 's')))
#: expect same(g, np.array([np.isnat(a), np.isnat(u), np.isnat(b), ~np.isnat(u), np.zeros(n, bool), np.isnat(a)]))
@kernel
def extremes(a: datetime64[D][:], b: datetime64[s][:], u: timedelta64[s][:],
             e: datetime64[s][:, ::1], g: bool[:, ::1]):
    for i in range(grid(1), len(a), gridsize(1)):
        z = b[len(b) - 1 - i]
        e[0, i] = np.minimum(b[i], z)
        e[1, i] = np.maximum(b[i], z)
        e[2, i] = min(b[i], z)
        e[3, i] = max(b[i], z)
        e[4, i] = np.fmin(b[i], a[i])
        e[5, i] = np.fmax(b[i], a[i])
        e[6, i] = np.where(b[i] < z, np.datetime64(a[i], 's'), b[i])
        e[7, i] = np.clip(b[i], np.datetime64('1950', 's'), np.datetime64('2020-05', 's'))
        g[0, i] = np.isnat(a[i])
        g[1, i] = np.isnat(u[i])
        g[2, i] = np.isnan(b[i])
        g[3, i] = np.isfinite(u[i])
        g[4, i] = np.isinf(a[i])
        g[5, i] = a[i] != a[i]


#: ends = np.array([nat, nat + 1, -1, 0, 1, np.iinfo(np.int64).max])
#: m, l = (v.copy() for v in np.meshgrid(ends, ends))
#: m, l = m.ravel().view('m8[ns]'), l.ravel().view('m8[ns]')
#: r = poison((6, 36), np.int64).view('m8[ns]')
#: launch ends_of_range[1, 32](m, l, r)
#: mi, li = m.view('i8'), l.view('i8')
#: none = (mi == nat) | (li == nat)
#: expect same(r[0].view('i8'), np.where(none, nat, mi + li))
#: expect same(r[1].view('i8'), np.where(none, nat, mi - li))
#: expect same(r[2], np.maximum(m, l))
#: expect same(r[3], np.minimum(m, l))
#: expect same(r[4].view('i8'), np.where(mi == nat, nat, -mi))
#: with np.errstate(all="ignore"): want = m % l
#: expect same(r[5], want)
@kernel
def ends_of_range(m: timedelta64[ns][:], l: timedelta64[ns][:], r: timedelta64[ns][:, ::1]):
    for i in range(grid(1), len(m), gridsize(1)):
        r[0, i] = m[i] + l[i]
        r[1, i] = m[i] - l[i]
        r[2, i] = np.maximum(m[i], l[i])
        r[3, i] = np.minimum(m[i], l[i])
        r[4, i] = np.negative(m[i])
        r[5, i] = np.remainder(m[i], l[i])
