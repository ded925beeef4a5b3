"""Dates and times in ckrun and ckc: literals, printing, expectations, files, JSON, signatures,
manifests, C and C++ sources, checks."""

import json

import numpy as np

SOURCE = """from numba import cuda
import numpy as np

@cuda.jit
def later(d, by, out):
    i = cuda.grid(1)
    if i < d.size:
        out[i] = d[i] + by

@cuda.jit
def races(d):
    d[cuda.grid(1) // 2] = np.datetime64('2020-01-01') + np.timedelta64(cuda.grid(1), 'D')

@cuda.jit
def beyond(d):
    d[cuda.grid(1) + 1] = np.datetime64('NaT')
"""
UNITS = "Y M W D h m s ms us ns ps fs as".split()


def cpu(t, *words):
    return [t.ckrun, "--device", "cpu", t.write("dates.ck", SOURCE), *words]


def printed(t, value):
    return t.ok(cpu(t, f"p={value}", "--print", "p")).out


def test_literals_and_printing(t):
    for value, text in (
            ("datetime64('2020-05-06')", "2020-05-06"), ("np.datetime64('2020')", "2020"),
            ("datetime64('2020-05-06T07:08:09.1234')", "2020-05-06T07:08:09.123400"),
            ("datetime64('2020-05-06T07', 'D')", "2020-05-06"), ("datetime64('NaT', 's')", "NaT"),
            ("datetime64(-1, 'ms')", "1969-12-31T23:59:59.999"), ("timedelta64(5, 'D')", "5 days"),
            ("timedelta64(5)", "5 generic time units"), ("timedelta64('NaT')", "NaT"),
            ("timedelta64(-7, 'as')", "-7 attoseconds"), ("dtype('M8[D]')", "datetime64[D]"),
            ("zeros(2, 'M8[h]')", "['1970-01-01T00' '1970-01-01T00']"),
            ("arange(-1, 3, dtype='datetime64[D]')", "['1969-12-31' '1970-01-01' '1970-01-02' '1970-01-03']"),
            ("full(2, timedelta64('NaT', 's'))", "['NaT' 'NaT']"),
            ("full((1, 2), datetime64('2020-02', 'M'))", "[['2020-02' '2020-02']]"),
            ("array([timedelta64(7, 'm'), timedelta64('NaT', 'm')])", "[    7 'NaT']"),
            ("array([datetime64('NaT', 'Y'), datetime64('2020')])", "[ 'NaT' '2020']"),
            ("zeros(1, record(t='M8[s]', d=('m8[h]', 2)))", "[(1970-01-01T00:00:00, [0 hours, 0 hours])]")):
        assert printed(t, value) == text + "\n", (value, printed(t, value))


def test_texts_against_numpy(t):
    """Dates of every unit that NumPy writes are read as the same counts, and written alike."""
    rng = np.random.default_rng(7)
    texts = ["+2020-01-01", "-0005-01-01", "12020-01-01", "0000-02-29", "1900-02-28", "2000-02-29 23:59"]
    for unit in UNITS:
        far = {"Y": 2000, "M": 30000, "W": 10 ** 5, "D": 10 ** 6}.get(unit, 2 ** 62)
        texts += [str(np.datetime64(int(n), unit)) for n in rng.integers(-far, far, 6)]
    words = cpu(t)
    for i, text in enumerate(texts):
        words += [f"d{i}=full(1, datetime64('{text}'))", "--save", f"d{i}=d{i}.npy", "--print", f"d{i}"]
    lines = t.ok(words).out.splitlines()
    for i, text in enumerate(texts):
        got, want = np.load(t.tmp / f"d{i}.npy"), np.array([np.datetime64(text)])
        assert got.dtype == want.dtype and got == want, (text, got, want)
        assert lines[i] == str(want), (text, lines[i])


def test_launches(t):
    d = np.array(["2020-02-28T12:00", "NaT", "1969-12-31T23:59"], "M8[m]")
    np.save(t.tmp / "d.npy", d)
    launch = ["later[1, 32](d, timedelta64(36, 'h'), out)", "d=@d.npy", "out=zeros(3, 'M8[m]')"]
    t.ok(cpu(t, *launch, "--save", "out=out.npy"))
    out = np.load(t.tmp / "out.npy")
    want = d + np.timedelta64(36, "h")
    assert out.dtype == want.dtype and np.array_equal(out, want, equal_nan=True), out
    np.save(t.tmp / "want.npy", want)
    t.ok(cpu(t, *launch, "--expect", "out=want.npy"))
    np.save(t.tmp / "want.npy", want + np.timedelta64(1, "m"))
    t.fails(cpu(t, *launch, "--expect", "out=want.npy"), 1,
            "out[0]: got 2020-03-01T00:00, want 2020-03-01T00:01", "differs from `want.npy` in 2 of 3 elements")
    np.save(t.tmp / "want.npy", want.astype("M8[s]"))
    t.fails(cpu(t, *launch, "--expect", "out=want.npy"), 1, "datetime64[s]")
    answer = json.loads(t.ok(cpu(t, *launch, "--print", "out", "--json")).out)
    assert '"2020-03-01T00:00"' in json.dumps(answer) and '"NaT"' in json.dumps(answer), answer


def test_wrong_values(t):
    for value, text in (
            ("datetime64('2020-13-01')", "a date is written 2020-05-06, 2020-05-06T07:08:09.125 or NaT"),
            ("datetime64('99999999999999-01-01', 'ns')", "the date is out of the range of its unit"),
            ("datetime64(5)", "a date of an integer needs a unit, as datetime64(5, 'D')"),
            ("datetime64(2.5, 'D')", "this is a text or an integer of 64 bits"),
            ("datetime64(2 ** 64, 'D')", "this is a text or an integer of 64 bits"),
            ("datetime64(5, 'days')", "a unit is one of 'Y' 'M'"), ("datetime64(5, 3)", "a unit is one of 'Y' 'M'"),
            ("timedelta64('5')", "a time is a count of units, as timedelta64(5, 'D'), or 'NaT'"),
            ("zeros(2, 'M8[10ms]')", "not a dtype; there are bool"),
            ("datetime64('2020') + 1", "ckrun does not compute with datetime64[Y]"),
            ("zeros(2, 'm8[s]') * 2", "ckrun does not compute with timedelta64[s]"),
            ("sqrt(timedelta64(4, 's'))", "ckrun does not compute with timedelta64[s]"),
            ("abs(zeros(2, 'm8[s]'))", "ckrun does not compute with timedelta64[s]"),
            ("sum(zeros(2, 'm8[s]'))", "ckrun does not compute with timedelta64[s]"),
            ("uniform(3, 'M8[D]')", "M8[D]")):
        t.fails(cpu(t, f"p={value}", "--print", "p"), 2, text)


def test_arguments_are_checked(t):
    path = t.write("typed.ck", "@kernel\ndef k(d: datetime64[D][:], t: timedelta64[s]):\n    d[0] = d[0] + np.timedelta64(t, 'D')\n")
    run = [t.ckrun, "--device", "cpu", path]
    t.ok([*run, "k[1, 1](d, timedelta64(5, 's'))", "d=zeros(1, 'M8[D]')"])
    t.fails([*run, "k[1, 1](d, 5)", "d=zeros(1, 'M8[D]')"], 1, "`t` of `k` is 5, which timedelta64[s] cannot hold")
    t.fails([*run, "k[1, 1](d, timedelta64(5, 'ms'))", "d=zeros(1, 'M8[D]')"], 1, "timedelta64[s]", "timedelta64[ms]")
    t.fails([*run, "k[1, 1](d, timedelta64(5, 's'))", "d=zeros(1, 'M8[s]')"], 1, "datetime64[D][:]", "datetime64[s]")
    t.fails([*run, "k[1, 1](d, timedelta64(5, 's'))", "d=zeros(1, int64)"], 1, "datetime64[D][:]", "int64")


def test_signatures_and_manifests(t):
    """Every unit in --sig, `as` too, in a record and in an image that is loaded again."""
    for unit in UNITS:
        sig = f"later(datetime64[{unit}][::1], timedelta64[{unit}], datetime64[{unit}][::1])"
        image = t.ok([t.ckc, t.write("dates.ck", SOURCE), "--sig", sig, "--emit=manifest", "-o", "-"]).out
        for text in (f"d datetime64[{unit}][::1]\n", f"by timedelta64[{unit}]\n", f"out datetime64[{unit}][::1]"):
            assert text in image, (unit, text, image)
    source = t.write("records.ck", "Event = record(id=int32, at=datetime64[s], held=(timedelta64[as], 2), last=datetime64)\n"
                     "@kernel\ndef k(e: Event[:], t: datetime64):\n    e[grid(1)].at = np.datetime64('NaT')\n")
    out = t.ok([t.ckc, source, "--emit=manifest", "-o", "-"]).out
    assert "e {id:int32,at:datetime64[s]@8,held:timedelta64[as](2),last:datetime64}[:]" in out, out
    t.ok([t.ckc, source, "-arch=sm_75", "-o", "records.ptx"])
    out = t.ok([t.ckrun, "--list", "records.ptx"], env=t.fake_cuda_env()).out
    assert "held:timedelta64[as](2),last:datetime64}[:], t: datetime64)" in out, out


def test_checks(t):
    t.fails(cpu(t, "races[1, 4](d)", "d=zeros(4, 'M8[D]')", "--check"), 1, "[data-race]", "d[0]")
    t.fails(cpu(t, "beyond[1, 4](d)", "d=zeros(4, 'M8[D]')", "--check"), 1, "[out-of-bounds]", "index 4")


def test_c_source(t):
    """Scalars are int64_t, with the dtype of their unit."""
    source = t.write("typed.ck", "@kernel\ndef k(d: datetime64[D][:], t: timedelta64[as], u: datetime64):\n    d[0] = d[0]\n")
    t.ok([t.ckc, "-arch=sm_75", source, "--emit=c", "-o", "k.c"])
    header, body = (t.tmp / "k.h").read_text(), (t.tmp / "k.c").read_text()
    assert "const ck_array *d, int64_t t, int64_t u" in header, header
    for text in ("args[1].scalar = CK_TIMEDELTA64_as;", "args[1].value.i = t;", "args[2].scalar = CK_DATETIME64;"):
        assert text in body, body
    assert "const ck_array &d, std::int64_t t, std::int64_t u" in (t.tmp / "k.hpp").read_text()


OVERFLOW = """from numba import cuda
import numpy as np

@cuda.jit
def sums(d, t, n):
    d[0] = d[1] + t[0]
    t[1] = t[0] * 4
    n[0] = np.timedelta64(t[0], 'ns') - np.timedelta64(1, 'ns')
    cuda.atomic.sub(t, 2, t[0])

@cuda.jit
def fitting(d, t, n):
    d[0] = d[2] + t[0]
    t[1] = t[3] * 4 - t[3] + t[0]
    t[4] = -t[3]
    cuda.atomic.add(t, 3, t[0])
    cuda.atomic.add(t, 2, t[3])
"""


def test_overflow(t):
    """Counts that do not fit are found; NaT, the least of them, is none of their operands."""
    most = 2**63 - 8
    values = [f"d=array([datetime64(0, 's'), datetime64({most}, 's'), datetime64('NaT', 's')])",
              f"t=array([timedelta64({most}, 's'), timedelta64(0, 's'), timedelta64(-9, 's'), timedelta64('NaT', 's'), "
              "timedelta64(0, 's')])", "n=array([timedelta64(0, 'ns')])"]
    path = t.write("overflow.ck", OVERFLOW)
    check = [t.ckrun, "--device", "cpu", "--check=overflow", path]
    t.fails([*check, "sums[1, 1](d, t, n)", *values], 1, f"`d[1] + t[0]` wraps: {most} + {most} does not fit in int64",
            f"`t[0] * 4` wraps: {most} * 4 does not fit", f"wraps: {most} * 1000000000 does not fit in int64",
            f"`cuda.atomic.sub(t, 2, t[0])` wraps: (-9) - {most} does not fit", "4 errors generated")
    t.ok([*check, "fitting[1, 1](d, t, n)", *values])
