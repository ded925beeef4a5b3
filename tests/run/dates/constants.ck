# Constants of the module computed from dates and times, and constant arrays of them, against
# NumPy's.
import numpy as np

START = np.datetime64("2019-12-30")
D = START + np.timedelta64(3, "D")
MORE = D + np.timedelta64(90, "m") - np.timedelta64(2, "W")
SPAN = MORE - START
HALF = SPAN / 2
SCALED = SPAN * 0.75
TIMES = -3 * SPAN // 7
RATIO = SPAN / np.timedelta64(1, "D")
WHOLE = SPAN // np.timedelta64(1, "D")
REST = SPAN % np.timedelta64(1, "D")
MONTH = np.datetime64(D, "M") - np.timedelta64(13, "M")
FIRST = np.datetime64(MONTH, "s")
YEAR = np.datetime64(MORE, "Y")
WEEK = np.datetime64(np.datetime64("2020-02", "M"), "W")
OLD = np.datetime64(np.datetime64("-0004-02-29"), "M")
NEVER = D + np.timedelta64("NaT")
LATER = max(D, MORE, START) if D > START else START
EARLIER = np.minimum(D, NEVER)
LIMIT = np.clip(SPAN, np.timedelta64(-1, "D"), np.timedelta64(1, "D"))
SIZE = abs(-SPAN)
COUNT = int64(D)
TESTS = (D > START, D == np.datetime64("2020-01-02"), NEVER == NEVER, NEVER != NEVER,
         np.isnat(NEVER), np.isnat(D), np.isfinite(D), START <= D < MORE, D >= D, NEVER < D)


#: c = constants()
#: h = poison(6, np.int64).view("M8[m]")
#: t = poison(8, np.int64).view("m8[m]")
#: n, f, b = poison(12, np.int64), poison(1, "f8"), poison(10, np.bool_)
#: launch scalars[1, 1](h, t, n, f, b)
#: expect same(h, [c["D"], c["MORE"], c["NEVER"], c["LATER"], c["EARLIER"], c["START"]])
#: expect same(t, [c["SPAN"], c["HALF"], c["SCALED"], c["TIMES"], c["REST"], c["LIMIT"], c["SIZE"], -c["SPAN"]])
#: expect n[:6] == [c[k].astype("i8") for k in ("MONTH", "FIRST", "YEAR", "WEEK", "OLD", "D")]
#: expect n[6:8] == [c["COUNT"], c["WHOLE"]]
#: expect n[8:] == [c["MONTH"].astype("i8"), (c["D"] - c["FIRST"]).astype("i8"), 3, 12]
#: expect f == c["RATIO"]
#: expect b == c["TESTS"]
@kernel
def scalars(h, t, n, f, b):
    h[0] = np.datetime64(D, "m")
    h[1] = MORE
    h[2] = np.datetime64(NEVER, "m")
    h[3] = np.datetime64(LATER, "m")
    h[4] = np.datetime64(EARLIER, "m")
    h[5] = np.datetime64(START, "m")
    t[0] = SPAN
    t[1] = HALF
    t[2] = SCALED
    t[3] = TIMES
    t[4] = REST
    t[5] = LIMIT
    t[6] = SIZE
    t[7] = -SIZE if SPAN > np.timedelta64(0, "s") else SIZE
    n[0] = int64(MONTH)
    n[1] = int64(FIRST)
    n[2] = int64(YEAR)
    n[3] = int64(WEEK)
    n[4] = int64(OLD)
    n[5] = int64(D)
    n[6] = COUNT
    n[7] = WHOLE
    n[8] = int64(np.datetime64(FIRST, "M"))
    n[9] = int64(D - FIRST)
    n[10] = 3 if WEEK < D + np.timedelta64(99, "D") else 4
    n[11] = len(EVENTS) + len(TABLE)
    f[0] = RATIO
    for i in range(10):
        b[i] = TESTS[i]


EVENTS = np.array(["2020-03-01T12:30", "NaT", "1969-12-31T23", "2020-02-29"], dtype="M8[m]")
MIXED = np.array([START, np.datetime64("2020-01-05T06"), NEVER])
DAYS = EVENTS.astype("M8[D]")
TABLE = np.array([["2020", "2021-05"], ["1999-12-31", "2000"], ["1970", "1971"]] + [["2020", "NaT"]] * 5, np.datetime64)
STEPS = np.array([1, -2, 3], dtype="m8[h]")
WEEKLY = np.arange("2020-01-01", "2020-03-01", np.timedelta64(1, "W"), dtype="M8[D]")
DAILY = np.arange(np.datetime64("2020-02-27"), np.datetime64("2020-03-03T05"))
ODD = np.arange(np.datetime64("2020-01"), 7, 2)
QUARTERS = np.arange(np.timedelta64(0, "h"), np.timedelta64(1, "D"), np.timedelta64(15, "m"))
FILLED = np.full(3, np.datetime64("2020-05-06"))
BLANK = np.full((2, 2), "NaT", "M8[s]")
ZEROS = np.zeros(3, np.dtype("m8[us]"))
COUNTS = EVENTS.astype(np.int64)
OPEN = EVENTS + np.timedelta64(2, "h")
GAPS = EVENTS[1:] - EVENTS[:-1]
LATE = EVENTS > START
KNOWN = np.where(np.isnat(EVENTS), np.datetime64("2000-01-01T00:00"), EVENTS)
BOTH = np.concatenate([DAYS, MIXED])
DOUBLE = np.abs(STEPS * 2)
PARTS = STEPS / np.timedelta64(1, "D")
TURNED = TABLE.T
FIRST_KNOWN = KNOWN.min()
LAST = np.argmax(KNOWN)
UNKNOWN = EVENTS.argmin()


#: names = "EVENTS MIXED DAYS TABLE STEPS WEEKLY DAILY ODD QUARTERS FILLED BLANK ZEROS COUNTS OPEN GAPS KNOWN BOTH DOUBLE TURNED".split()
#: units = poison((len(names), 128), np.int64)
#: late, parts, x = poison(4, np.bool_), poison(3, "f8"), poison(6, np.int64)
#: launch arrays[2, 64](units, late, parts, x)
#: def expected(v):
#:     v = v.astype("i8").ravel()
#:     return np.concatenate([v, np.full(128 - v.size, v.size)])
#: expect units == [expected(c[k]) for k in names]
#: expect late == c["LATE"]
#: expect parts == c["PARTS"]
#: expect x == [c["FIRST_KNOWN"].astype("i8"), c["LAST"], c["UNKNOWN"], 3, c["EVENTS"][2].astype("i8"), 2]
def copy(row, values):
    counts = values.view(np.int64)
    for i in range(grid(1), 128, gridsize(1)):
        row[i] = counts[i] if i < counts.size else counts.size


def copy_all(row, values):
    columns = values.shape[1]
    for i in range(grid(1), 128, gridsize(1)):
        row[i] = int64(values[i // columns, i % columns]) if i < values.size else values.size


@kernel
def arrays(units, late, parts, x):
    copy(units[0], EVENTS)
    copy(units[1], MIXED)
    copy(units[2], DAYS)
    copy_all(units[3], TABLE)
    copy(units[4], STEPS)
    copy(units[5], WEEKLY)
    copy(units[6], DAILY)
    copy(units[7], ODD)
    copy(units[8], QUARTERS)
    copy(units[9], FILLED)
    copy_all(units[10], BLANK)
    copy(units[11], ZEROS)
    copy(units[12], COUNTS)
    copy(units[13], OPEN)
    copy(units[14], GAPS)
    copy(units[15], KNOWN)
    copy(units[16], BOTH)
    copy(units[17], DOUBLE)
    copy_all(units[18], TURNED)
    i = grid(1)
    if i < 4:
        late[i] = LATE[i]
    if i < 3:
        parts[i] = PARTS[i]
    if i == 0:
        x[0] = int64(FIRST_KNOWN)
        x[1] = LAST
        x[2] = UNKNOWN
        x[3] = 0
        for d in EVENTS:
            x[3] += not np.isnat(d)
        x[4] = int64(EVENTS[2])
        x[5] = 2 if EVENTS[0] == np.datetime64("2020-03-01T12:30") else 1
