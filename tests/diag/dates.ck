# What dates and times cannot do: what Numba refuses too, and what their units do not allow.
from numba import cuda, types
import numpy as np


@kernel
def operators(d: datetime64[D][:], s: datetime64[as][:], m: timedelta64[M][:], t: timedelta64[s][:],
              n: int64, x: float32[:]):
    d[0] = d[0] + d[1]
    d[0] = d[0] + 1
    d[0] = n - d[0]
    d[0] = d[0] * 2
    d[0] = d[0] + m[0]
    x[0] = d[0] - s[0]
    t[0] = t[0] + m[0]
    t[0] = t[0] * t[1]
    t[0] = 3 / t[1]
    t[0] = t[0] % 3
    t[0] = t[0] ** 2
    t[0] = ~t[0]
    d[0] = -d[0]
    if t[0]:
        t[0] = not t[0]


@kernel
def comparisons(d: datetime64[D][:], m: timedelta64[M][:], t: timedelta64[s][:], x: bool[:]):
    x[0] = d[0] == t[0]
    x[1] = d[0] > 5
    x[2] = m[0] < t[0]
    x[3] = t[0] == 0
    x[4] = d[0] in (1, 2)


@kernel
def stores(d: datetime64[D][:], t: timedelta64[s][:], i: int64[:]):
    d[0] = 5
    d[0] = t[0]
    d[0] = np.datetime64(d[0], 's')
    t[0] = 2.5
    i[0] = d[0]
    i[0] = int(d[0])
    i[1] = int64(t[0])
    i[2] = int32(t[0])
    i[3] = float(t[0])
    t[0] = np.timedelta64(i[0], 's')
    day: datetime64[D] = i[0]
    x = d[0] if i[0] else t[0]


@kernel
def functions(d: datetime64[D][:], t: timedelta64[s][:], x: float32[:]):
    d[0] = abs(d[0])
    x[0] = sqrt(t[0])
    x[0] = np.sqrt(d[0])
    x[0] = np.isnat(x[0])
    d[0] = max(d[0], t[0])
    d[0] = np.clip(d[0], d[1], t[0])
    d[0] = np.where(x[0] > 0, d[0], t[0])
    cuda.atomic.max(d, 0, t[1])
    cuda.atomic.add(d, 0, d[1])
    cuda.atomic.add(t, 0, 5)
    cuda.atomic.or_(d, 0, d[1])
    cuda.atomic.inc(d, 0, d[1])
    x[0] = t.mean()
    print(d)
    print(f"{t[0]:5d}")
    print("%d" % d[0])
    printf("%s", d[0])
    x[0] = d[0].year


@kernel
def made(d: datetime64[D][:], t: timedelta64[s][:], n: int32):
    d[0] = np.datetime64("2020-13-01")
    d[0] = np.datetime64("yesterday", 'D')
    d[0] = np.datetime64(n)
    d[0] = np.datetime64(n, 'days')
    d[0] = np.datetime64(n, '10ms')
    d[0] = np.datetime64(n, n)
    d[0] = np.datetime64(2.5, 'D')
    d[0] = np.datetime64(unit='D')
    d[0] = np.datetime64()
    d[0] = np.datetime64(t[0], 'D')
    t[0] = np.timedelta64("5", 's')
    t[0] = np.timedelta64(np.timedelta64(n, 'Y'), 's')
    t[0] = np.timedelta64(t[0], 'as')
    d[0] = np.datetime64("99999999999999-01-01", 'ns')


@kernel
def types_of(a: datetime64[10ms][:], b: types.NPDatetime('x'), c: types.NPTimedelta(3),
             d: types.NPDatetime, e: timedelta64[5]):
    pass


DIFFERENT = np.array([np.datetime64("2020"), np.timedelta64(1, "D")])
NO_DATE = np.array(["2020-01-01", "soon"], "M8[D]")
NO_SUM = np.array(["2020", "2021"], "M8[D]").sum()
NO_AXIS = np.zeros((2, 2), "M8[D]").sum(axis=0)
NO_START = np.arange(np.datetime64("2020-01-01"))
NO_END = np.arange(np.datetime64("2020"), np.datetime64("NaT"))
NO_UNIT = np.arange(np.timedelta64(1, "M"), np.timedelta64(1, "D"))
NO_DTYPE = np.arange(np.timedelta64(9, "s"), dtype=np.int32)
NO_NUMBER = np.zeros(3, "m8[D]").astype(np.float32)
NO_MONTHS = np.array([np.timedelta64(3, "M")], dtype="m8[D]")
NO_PARTS = np.concatenate([np.zeros(3, "M8[D]"), np.zeros(3)])
NO_FUNCTION = np.sqrt(np.zeros(3, "m8[D]"))
NO_PRODUCT = np.datetime64("2020") * 2


@kernel
def constants(n: int64[:]):
    n[0] = int64(DIFFERENT[0]) + int64(NO_DATE[0]) + NO_SUM + NO_AXIS + NO_START[0] + NO_END[0]
    n[1] = NO_UNIT[0] + NO_DTYPE[0] + NO_NUMBER[0] + NO_MONTHS[0] + NO_PARTS[0] + NO_FUNCTION[0]
    n[2] = NO_PRODUCT
