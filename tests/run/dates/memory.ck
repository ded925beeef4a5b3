# Dates as arguments, in shared and local arrays, records, tuples, views, shuffles, constants, and
# as what device functions take and return.
import numpy as np
from numba import cuda, types
from numba.cuda.np.numpy_support import from_dtype
from numpy import timedelta64

EPOCH = np.datetime64('2020-02-28')
STEP = timedelta64(36, 'h')
NEVER = np.datetime64('NaT')
date_t = from_dtype(np.dtype('datetime64[D]'))
Trade = record(at=datetime64[s], cost=float32, held=(timedelta64[ms], 2))
Event = np.dtype([("id", np.int32), ("day", "M8[D]")])


#: n = 100
#: d = (np.datetime64('1999-12-01') + rng.integers(0, 9999, n)).astype('M8[D]')
#: d[3] = 'NaT'
#: first = d.copy()
#: out = poison(n, np.int64).view('M8[h]')
#: hits = poison(n, np.bool_)
#: last = poison(1, np.int64).view('M8[D]')
#: launch arguments[4, 32](d, datetime64('2010-06-01'), timedelta64(30, 'h'), out, hits)
#: expect same(out, d + np.timedelta64(30, 'h'))
#: expect same(hits, d < np.datetime64('2010-06-01'))
@cuda.jit
def arguments(dates, target, delta, outdelta, matches):
    for i in range(cuda.grid(1), matches.size, cuda.gridsize(1)):
        matches[i] = dates[i] < target
        outdelta[i] = dates[i] + delta


def latest(dates, fallback):
    best = NEVER
    for day in dates:
        if np.isnat(best) or day > best:
            best = day
    return best, fallback if np.isnat(best) else best


#: launch reversed_in_shared[1, 128](d, last)
#: expect same(d, first[::-1])
#: expect last[0] == np.fmax.reduce(first)
@cuda.jit
def reversed_in_shared(d: types.NPDatetime('D')[:], last: 'datetime64[D][:]'):
    shared_dates = cuda.shared.array(128, dtype=types.NPDatetime('D'))
    mine = cuda.local.array(2, np.dtype('M8[D]'))
    i = cuda.threadIdx.x
    if i < d.size:
        shared_dates[i] = d[i]
    cuda.syncthreads()
    if i < d.size:
        mine[0] = shared_dates[d.size - 1 - i]
        mine[1] = EPOCH
        pair = (mine[0], i)
        d[i] = pair[0]
    if i == 0:
        best, other = latest(shared_dates[:d.size], EPOCH)
        last[0] = max(best, other)


#: r = np.zeros(n, np.dtype([('at', 'M8[s]'), ('cost', 'f4'), ('held', 'm8[ms]', (2,))], align=True))
#: r['at'] = first
#: e = np.zeros(n, [("id", "i4"), ("day", "M8[D]")])
#: e["id"] = rng.integers(-9, 9, n)
#: e["day"] = first
#: launch records[1, 128](r, e)
#: expect same(r['at'], first + np.timedelta64(36, 'h'))
#: expect same(r['held'][:, 1].view('i8'), (first - np.datetime64('2020-02-28')).astype('m8[ms]').view('i8'))
#: expect same(e['day'], np.where(e_in['id'] < 0, np.datetime64('NaT'), first[::-1]))
@cuda.jit
def records(r: Trade[:], e: Event[:]):
    i = cuda.grid(1)
    if i < r.size:
        r[i].held[1] = np.timedelta64(r[i].at - EPOCH, 'ms')
        r[i].at += STEP
        day = e[e.size - 1 - i].day
        cuda.syncthreads()
        e[i].day = NEVER if e[i].id < 0 else day


#: x = poison(n, np.int64)
#: sums = poison(4, np.int64)
#: w = first[:64].copy()
#: launch views[1, 128](d, x)
#: expect x == d.view('i8')
#: launch lanes[2, 32](w)
#: expect same(w, np.concatenate([w_in[31::-1], w_in[63:31:-1]]))
@cuda.jit
def views(d, x):
    i = cuda.grid(1)
    counts = d.view(np.int64)
    if i < d.size:
        x[i] = counts[i] if i % 2 else np.int64(d[i])


@cuda.jit
def lanes(w):
    i = cuda.grid(1)
    w[i] = cuda.shfl_xor_sync(0xFFFFFFFF, w[i], 31)


#: spans = rng.integers(-1000, 1000, n).view('m8[us]')
#: ends = poison(2, np.int64).view('M8[D]')
#: places = poison(4, np.int64)
#: good = first.copy()
#: good[3] = good[4]
#: launch whole_arrays[1, 1](good, d, spans, ends, places)
#: expect same(ends, [good.min(), good.max()])
#: expect places == [good.argmin(), d.argmax(), spans.argmax(), spans.min().view('i8')]
@cuda.jit
def whole_arrays(good, d, spans, ends, places):
    ends[0] = good.min()
    ends[1] = good.max()
    if np.isnat(d.max()):
        places[0] = good.argmin()
        places[1] = d.argmax()
        places[2] = spans.argmax()
        places[3] = int(spans.min())


#: grid_of_dates = np.arange('2000-01', '2010-01', dtype='M8[M]').reshape(10, 12)
#: rows = poison((10, 12), np.int64).view('M8[M]')
#: launch copies[1, 1](grid_of_dates, rows)
#: expect rows[:, :6] == grid_of_dates[:, 6:]
#: expect np.isnat(rows[:, 6:])
@cuda.jit
def copies(grid_of_dates, rows):
    rows[:, :6] = grid_of_dates[:, 6:]
    rows[:, 6:] = np.datetime64('NaT')


#: kinds = poison(6, np.bool_)
#: launch kinds_of[1, 1](d, spans, kinds)
#: expect kinds == [True, False, True, False, False, True]
@cuda.jit
def kinds_of(d: date_t[:], spans: types.NPTimedelta('us')[:], kinds: bool[:]):
    kinds[0] = isinstance(d[0], np.datetime64)
    kinds[1] = isinstance(d[0], np.timedelta64)
    kinds[2] = isinstance(spans[0], np.timedelta64)
    kinds[3] = isinstance(spans[0], np.int64)
    mine = cuda.local.array(1, types.NPTimedelta('us'))
    mine[0] = spans[0]
    kinds[2] = kinds[2] and mine[0] == spans[0]
    kinds[4] = (d[0], 1) == (d[0] + STEP, 1)
    kinds[5] = d[1] in (d[0], d[1])
