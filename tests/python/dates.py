"""Dates and times from Python: NumPy's datetime64 and timedelta64 as elements, as arguments, in
signatures, as constants and in records; numba-cuda's tests of them."""

from python.common import script


def test_numba_cuda_test_datetime(t):
    """The kernels of numba-cuda's test_datetime.py, whose results are NumPy's."""
    script(t, '''
from ck import cuda, from_dtype
from ck.cuda import vectorize, guvectorize

arr1 = np.arange("2005-02", "2006-02", dtype="datetime64[D]")
arr2 = arr1 + np.random.randint(0, 10000, arr1.size)

@cuda.jit
def foo(start, end, delta):
    for i in range(cuda.grid(1), delta.size, cuda.gridsize(1)):
        delta[i] = end[i] - start[i]

delta = np.zeros_like(arr1, dtype="timedelta64[D]")
foo[1, 32](arr1, arr2, delta)
assert delta.dtype == "m8[D]" and (delta == arr2 - arr1).all()

@cuda.jit
def bar(dates, target, delta, matches, outdelta):
    for i in range(cuda.grid(1), matches.size, cuda.gridsize(1)):
        matches[i] = dates[i] == target
        outdelta[i] = dates[i] - delta

target, step = arr1[5], arr1[6] - arr1[5]
matches = np.zeros_like(arr1, dtype=np.bool_)
outdelta = np.zeros_like(arr1, dtype="datetime64[D]")
bar[1, 32](arr1, target, step, matches, outdelta)
assert list(matches.nonzero()[0]) == [5] and (outdelta == arr1 - step).all()

datetime_t = from_dtype(np.dtype("datetime64[D]"))
timedelta_t = from_dtype(np.dtype("timedelta64[D]"))

@vectorize([timedelta_t(datetime_t, datetime_t)], target="cuda")
def timediff(start, end):
    return end - start

got = timediff(arr1, arr2)
assert got.dtype == "m8[D]" and (got == arr2 - arr1).all()

@guvectorize([(datetime_t, datetime_t, timedelta_t[:])], "(),()->()", target="cuda")
def timediff2(start, end, out):
    out[0] = end - start

got = timediff2(arr1, arr2)
assert (got == arr2 - arr1).all(), got

darr = cuda.to_device(arr1)
viewed = darr.view(np.int64)
assert (viewed.copy_to_host() == arr1.view(np.int64)).all()
assert darr.dtype == "M8[D]" and (darr.copy_to_host() == arr1).all()
''')


def test_arguments(t):
    """Every unit; NaT; signatures, which take a time without a unit; device arrays; records."""
    script(t, '''
from ck import cuda, types, void
UNITS = "Y M W D h m s ms us ns ps fs as".split()

@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < a.size:
        c[i] = a[i] + b

for unit in UNITS:
    a = np.array([5, -7, "NaT", 0], f"M8[{unit}]")
    c = np.zeros_like(a)
    add[1, 32](a, np.timedelta64(3, unit), c)
    same = np.isnat(c) & np.isnat(a) | (c == a + np.timedelta64(3, unit))
    assert same.all(), (unit, c)
    add[1, 32](a, np.timedelta64("NaT", unit), c)
    assert np.isnat(c).all()

@cuda.jit("void(datetime64[s][:], timedelta64[s], datetime64[s][::1])")
def typed(a, b, c):
    i = cuda.grid(1)
    if i < a.size:
        c[i] = a[i] + b

@cuda.jit(void(types.NPDatetime("s")[:], types.NPTimedelta("s"), types.NPDatetime("s")[::1]))
def typed_too(a, b, c):
    i = cuda.grid(1)
    if i < a.size:
        c[i] = a[i] + b

a = np.array(["2020-05-06T07:08:09", "NaT"], "M8[s]")
for kernel in (typed, typed_too):
    c = np.zeros_like(a)
    kernel[1, 32](a, np.timedelta64(3, "s"), c)
    assert c[0] == a[0] + np.timedelta64(3, "s") and np.isnat(c[1])
    kernel[1, 32](a, np.timedelta64("NaT"), c)
    assert np.isnat(c).all()
    for wrong in (np.timedelta64(3, "ms"), 3, np.datetime64(3, "s"), 2.5):
        try:
            kernel[1, 32](a, wrong, c)
        except (TypeError, ValueError, ck.Error) as error:
            assert "timedelta64[s]" in str(error), error
        else:
            assert False, wrong

try:
    add[1, 1](np.zeros(2, "M8[10ms]"), np.timedelta64(3, "ms"), c)
except TypeError as error:
    assert "multiples of units, dtype '<M8[10ms]': pass x.astype('M8[s]')" in str(error), error
else:
    assert False

records = np.zeros(4, [("id", "i4"), ("at", "M8[ms]"), ("held", "m8[h]", (2,))])
records["at"] = np.array(["2020-01-01", "NaT", "1969-01-01", "2100-12-31"], "M8[ms]")

@cuda.jit
def of_records(r):
    i = cuda.grid(1)
    if i < r.size:
        r[i].held[1] = np.timedelta64(r[i].at - np.datetime64("2020-01-01"), "h")
        r[i].at = r[i].at + np.timedelta64(1, "D")

before = records.copy()
of_records[1, 32](records)
assert np.array_equal(records["at"], before["at"] + np.timedelta64(1, "D"), equal_nan=True)
want = (before["at"] - np.datetime64("2020-01-01", "ms")).astype("m8[h]")
assert np.array_equal(records["held"][:, 1], want, equal_nan=True)
on_device = cuda.to_device(before)
of_records[1, 32](on_device)
assert np.array_equal(on_device.copy_to_host()["at"], records["at"], equal_nan=True)
''')


def test_constants(t):
    """Globals and closure values, also types, without a loss."""
    script(t, '''
from ck import cuda, types
EPOCH = np.datetime64("2020-02-28T12:30", "m")
NEVER = np.datetime64("NaT")
WEEK = np.timedelta64(1, "W")
PLAIN = np.timedelta64(5)
DAY_T = types.NPDatetime("D")

def make(step):
    @cuda.jit
    def k(x, y):
        i = cuda.grid(1)
        mine = cuda.shared.array(32, DAY_T)
        if i < x.size:
            mine[i] = x[i]
            y[i] = np.datetime64(mine[i] + step, 'm') if mine[i] > EPOCH else NEVER
            if i == 0:
                y[i] = EPOCH + WEEK + PLAIN
    return k

x = np.array(["2021-01-01", "2021-05-06", "2020-02-28", "NaT"], "M8[D]")
for step in (np.timedelta64(36, "h"), np.timedelta64(-1, "m")):
    y = np.zeros(4, "M8[m]")
    make(step)[1, 32](x, y)
    want = np.where(x > EPOCH, x + step, np.datetime64("NaT", "m"))
    want[0] = EPOCH + WEEK + PLAIN
    assert np.array_equal(y, want, equal_nan=True), (y, want)

MANY = np.timedelta64(5, "10ms")

@cuda.jit
def wrong(y):
    y[0] = y[0] + MANY

try:
    wrong[1, 1](np.zeros(1, "M8[ms]"))
except ck.CompileError as error:
    assert "a multiple of a unit" in str(error), error
else:
    assert False
''')
