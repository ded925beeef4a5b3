# Dates and times in `print`, as NumPy writes them; in formats, as strings.
import numpy as np

START = np.datetime64("2019-12-30")


#: units = "Y M W D h m s ms us ns ps fs as".split()
#: n = 12
#: limits = np.array([np.iinfo(np.int64).min, -1, 0, 1, 1970, -1971], np.int64)
#: a, t = {}, {}
#: for u in units:
#:     reach = 5000 if u == "Y" else 2**62 if u in "s ms us ns ps fs as".split() else 40000
#:     counts = np.concatenate([limits, rng.integers(-reach, reach, n - 6)])
#:     a[u], t[u] = counts.view(f"M8[{u}]"), counts.view(f"m8[{u}]")
#: Y, M, W, D, h, m, s, ms, us, ns, ps, fs, As = [a[u] for u in units]
#: launch long[1, 1](Y, M, W, D, h)
#: prints [str(i) + " " + " ".join(str(x[i]) for x in (Y, M, W, D, h)) for i in range(n)]
@kernel
def long(Y, M, W, D, h):
    for i in range(len(Y)):
        print(i, Y[i], M[i], W[i], D[i], h[i])


#: launch short[1, 1](m, s, ms, us)
#: prints [str(i) + " " + " ".join(str(x[i]) for x in (m, s, ms, us)) for i in range(n)]
#: launch short[1, 1](ns, ps, fs, As)
#: prints [str(i) + " " + " ".join(str(x[i]) for x in (ns, ps, fs, As)) for i in range(n)]
@kernel
def short(m, s, ms, us):
    for i in range(len(m)):
        print(i, m[i], s[i], ms[i], us[i])


#: tY, tM, tD, th, tus, tas = [t[u] for u in "Y M D h us as".split()]
#: launch times[1, 1](tY, tM, tD, th, tus, tas)
#: prints [" ".join(str(x[i]) for x in (tY, tM, tD, th, tus, tas)) for i in range(n)]
@kernel
def times(Y, M, D, h, us, As):
    for i in range(len(Y)):
        print(Y[i], M[i], D[i], h[i], us[i], As[i])


#: launch formats[1, 1](D, tas)
#: prints [f"[{d}] [{d:>20}] [{d:*^21}] [{d:.4}] [{d:12}] {x} " + "%s|%12s|%-12s|%s" % (d, d, d, x) + " {0:>14}{1:.7}|".format(d, x) for d, x in zip(D, tas)]
@kernel
def formats(D, t):
    for i in range(len(D)):
        print(f"[{D[i]}] [{D[i]:>20}] [{D[i]:*^21}] [{D[i]:.4}] [{D[i]:12}] {t[i]}",
              "%s|%12s|%-12s|%s" % (D[i], D[i], D[i], t[i]), "{0:>14}{1:.7}|".format(D[i], t[i]))


#: launch others[1, 2](D)
#: print-any 1 (2019-12-30, 3 days) (2019-12-30,) NaT 5 generic time units 3.500000
#: print-any 0 (2019-12-30, 3 days) (2019-12-30,) NaT 5 generic time units 3.500000
@kernel
def others(D):
    pair = (START, np.timedelta64(3, "D"))
    print(threadIdx.x, pair, (START,), np.datetime64("NaT"), np.timedelta64(5), 3.5)
