# Atomic operations on dates and times. A sum with NaT is NaT; max and min leave an element that is
# NaT, and let none in; nanmax and nanmin replace it by a date. The value given is the old one.
import numpy as np
from numba import cuda


#: some = np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).min + 1, -5, 0, 7, np.iinfo(np.int64).max], np.int64)
#: pairs = [np.array(p, np.int64) for p in zip(*[(a, b) for a in some for b in some])]
#: d, v = [p.view("M8[s]") for p in pairs]
#: t = v.view("i8").view("m8[s]")
#: n = len(d)
#: a, e = np.tile(d, (6, 1)), poison((6, n), np.int64).view("M8[s]")
#: s, f = np.tile(d.view("i8").view("m8[s]"), (2, 1)), poison((2, n), np.int64).view("m8[s]")
#: launch each[2, 32](a, s, v, t, e, f)
#: nat = np.isnat(d) | np.isnat(v)
#: def chosen(test):
#:     return np.where(test, v, d)
#: late, early = v > d, v < d
#: missing = np.isnat(d) & ~np.isnat(v)
#: NAT = np.iinfo(np.int64).min
#: def moved(x, by):
#:     return np.where((x.view("i8") == NAT) | (t.view("i8") == NAT), NAT, x.view("i8") + by)
#: sums = [moved(d, t.view("i8")), moved(d, -t.view("i8"))]
#: picks = [chosen(late), chosen(early), chosen(late | missing), chosen(early | missing)]
#: expect same(a.view("i8"), sums + [w.view("i8") for w in picks])
#: expect e.view("i8") == a_in.view("i8")
#: expect s.view("i8") == [moved(s_in[0], t.view("i8")), moved(s_in[0], -t.view("i8"))]
#: expect f.view("i8") == s_in.view("i8")
@cuda.jit
def each(a, s, v, t, e, f):
    i = cuda.grid(1)
    if i < v.size:
        e[0, i] = cuda.atomic.add(a, (0, i), t[i])
        e[1, i] = cuda.atomic.sub(a, (1, i), t[i])
        e[2, i] = cuda.atomic.max(a, (2, i), v[i])
        e[3, i] = cuda.atomic.min(a, (3, i), v[i])
        e[4, i] = cuda.atomic.nanmax(a, (4, i), v[i])
        e[5, i] = cuda.atomic.nanmin(a, (5, i), v[i])
        f[0, i] = cuda.atomic.add(s, (0, i), t[i])
        f[1, i] = cuda.atomic.sub(s, (1, i), t[i])


#: w = rng.integers(-10**9, 10**9, 500).view("M8[m]")
#: ends = np.array(["NaT", "NaT", "2020-01-01", "2020-01-01"], "M8[m]")
#: total = np.zeros(2, "m8[m]")
#: last = np.full(3, "NaT", "M8[m]")
#: swapped = poison(3, np.int64).view("M8[m]")
#: launch all[3, 64](w, ends, total, last, swapped)
#: expect ends[:2] == [w.min(), w.max()]
#: expect ends[2:] == [min(w.min(), ends_in[2]), max(w.max(), ends_in[3])]
#: expect total == [(w - w.min()).sum(), np.timedelta64(2 * 500, "h")]
#: expect np.isnat(swapped[0]) and swapped[1] == w[7] and np.isnat(swapped[2])
#: expect last[0] in w and last[1] == w[7] and last[2] == w[9]
@cuda.jit
def all(w, ends, total, last, swapped):
    first = cuda.shared.array(1, np.dtype("M8[m]"))
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        first[0] = np.datetime64("NaT")
    cuda.syncthreads()
    for k in range(i, w.size, cuda.gridsize(1)):
        cuda.atomic.nanmin(ends, 0, w[k])
        cuda.atomic.nanmax(ends, 1, w[k])
        cuda.atomic.min(ends, 2, w[k])
        cuda.atomic.max(ends, 3, w[k])
        cuda.atomic.nanmin(first, 0, w[k])
        cuda.atomic.add(total, 0, w[k] - w.min())
        cuda.atomic.add(total, 1, np.timedelta64(120, "m"))
        cuda.atomic.exch(last, 0, w[k])
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        assert first[0] >= w.min()
    if i == 0:
        swapped[0] = cuda.atomic.cas(last, 1, np.datetime64("NaT"), w[7])
        swapped[1] = cuda.atomic.cas(last, 1, np.datetime64("NaT"), w[8])
        swapped[2] = cuda.atomic.compare_and_swap(last[2:], np.datetime64("NaT"), w[9])
        atomic.store(last, 2, atomic.load(last, 2, memory_order_relaxed))
