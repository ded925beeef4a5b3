# Conversions between units, longer and shorter, against NumPy's: of years of both signs, of leap
# years, centuries, and the ends of months.
#: years = np.concatenate([rng.integers(-3000, 3000, 300), [-1970, -1871, -370, -71, -70, 0, 2, 130, 30]]).view('M8[Y]')
#: months = np.concatenate([rng.integers(-30000, 30000, 400), np.arange(-30, 30)]).view('M8[M]')
#: months[5] = 'NaT'
#: s = np.concatenate([rng.integers(-2**36, 2**36, 1500), np.arange(-3, 3) * 86400, np.arange(-40, 40) * 86400 * 365]).view('M8[s]')
#: s[7] = 'NaT'
#: y = [poison(len(years), np.int64).view(f'M8[{unit}]') for unit in ('M', 'W', 'D', 's')]
#: ym, yw, yd, ys = y
#: launch of_years[3, 32](years, ym, yw, yd, ys)
#: expect same(ym, years.astype('M8[M]'))
#: expect same(yw, years.astype('M8[W]'))
#: expect same(yd, years.astype('M8[D]'))
#: expect same(ys, years.astype('M8[s]'))
@kernel
def of_years(y, m, w, d, s):
    for i in range(grid(1), len(y), gridsize(1)):
        m[i] = np.datetime64(y[i], 'M')
        w[i] = np.datetime64(y[i], 'W')
        d[i] = np.datetime64(y[i], 'D')
        s[i] = np.datetime64(y[i], 's')


#: my, mw, md, mh = [poison(len(months), np.int64).view(f'M8[{unit}]') for unit in ('Y', 'W', 'D', 'h')]
#: launch of_months[3, 32](months, my, mw, md, mh)
#: expect same(my, months.astype('M8[Y]'))
#: expect same(mw, months.astype('M8[W]'))
#: expect same(md, months.astype('M8[D]'))
#: expect same(mh, months.astype('M8[h]'))
@kernel
def of_months(m, y, w, d, h):
    for i in range(grid(1), len(m), gridsize(1)):
        y[i] = np.datetime64(m[i], 'Y')
        w[i] = np.datetime64(m[i], 'W')
        d[i] = np.datetime64(m[i], 'D')
        h[i] = np.datetime64(m[i], 'h')


#: sy, sm, sw, sd, sh, sn = [poison(len(s), np.int64).view(f'M8[{unit}]') for unit in ('Y', 'M', 'W', 'D', 'h', 'ms')]
#: launch of_seconds[3, 32](s, sy, sm, sw, sd, sh, sn)
#: expect same(sy, s.astype('M8[Y]'))
#: expect same(sm, s.astype('M8[M]'))
#: expect same(sw, s.astype('M8[W]'))
#: expect same(sd, s.astype('M8[D]'))
#: expect same(sh, s.astype('M8[h]'))
#: expect same(sn, s.astype('M8[ms]'))
@kernel
def of_seconds(s, y, m, w, d, h, n):
    for i in range(grid(1), len(s), gridsize(1)):
        y[i] = np.datetime64(s[i], 'Y')
        m[i] = np.datetime64(s[i], 'M')
        w[i] = np.datetime64(s[i], 'W')
        d[i] = np.datetime64(s[i], 'D')
        h[i] = np.datetime64(s[i], 'h')
        n[i] = np.datetime64(s[i], 'ms')


#: t = rng.integers(-2**40, 2**40, 500).view('m8[s]')
#: t[3] = 'NaT'
#: tw, td, tm, tu = [poison(len(t), np.int64).view(f'm8[{unit}]') for unit in ('W', 'D', 'm', 'us')]
#: launch of_times[3, 32](t, tw, td, tm, tu)
#: expect same(tw, t.astype('m8[W]'))
#: expect same(td, t.astype('m8[D]'))
#: expect same(tm, t.astype('m8[m]'))
#: expect same(tu, t.astype('m8[us]'))
@kernel
def of_times(t, w, d, m, u):
    for i in range(grid(1), len(t), gridsize(1)):
        w[i] = np.timedelta64(t[i], 'W')
        d[i] = np.timedelta64(t[i], 'D')
        m[i] = np.timedelta64(t[i], 'm')
        u[i] = np.timedelta64(t[i], 'us')


# The shorter unit of two operands, and the calendar's units with days.
#: day = years[:50].astype('M8[D]') + rng.integers(0, 400, 50)
#: span = rng.integers(-500, 500, 50).view('m8[M]')
#: later = poison(50, np.int64).view('M8[M]')
#: weeks = poison(50, np.int64).view('M8[D]')
#: apart = poison(50, np.int64).view('m8[D]')
#: same_day = poison(50, np.bool_)
#: launch mixed[1, 64](years, months, day, span, later, weeks, apart, same_day)
#: expect same(later, months[:50] + span)
#: expect same(weeks, years[:50] + np.timedelta64(3, 'D'))
#: expect same(apart.view('i8'), (months[:50] - day).view('i8'))
#: expect same(same_day, months[:50] <= day)
@kernel
def mixed(y, m, d, span, later, weeks, apart, same_day):
    i = grid(1)
    if i < len(d):
        later[i] = m[i] + span[i]
        weeks[i] = y[i] + np.timedelta64(3, 'D')
        apart[i] = m[i] - d[i]
        same_day[i] = m[i] <= d[i]
