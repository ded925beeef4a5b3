"""ckrun's files of arrays: .npz, .csv and raw bytes, in and out, against NumPy's."""

import struct
import zipfile

import numpy as np

KERNEL = "@kernel\ndef one(x: int32[::1]):\n    x[0] = 1\n"
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]


def command(t, *words):
    return [t.ckrun, "--device", "cpu", t.write("k.ck", KERNEL), *words]


def arrays(seed):
    rng = np.random.default_rng(seed)
    yield "e", np.zeros((0, 3), np.float32)
    yield "s", np.array(7, np.int16)
    yield "f", np.asfortranarray(rng.normal(size=(5, 7)))
    for dtype in [*DTYPES, "complex64", "complex128"]:
        yield dtype, (rng.normal(size=(3, 5)) * 50).astype(dtype)


def test_npz_in(t):
    for save in (np.savez, np.savez_compressed):
        known = dict(arrays(5))
        save(t.tmp / "in.npz", **known)
        words = [f"{name}_=@in.npz:{name}" for name in known]
        saves = [word for name in known for word in ("--save", f"{name}_={name}.npy")]
        t.ok(command(t, *words, *saves))
        for name, array in known.items():
            got = np.load(t.tmp / f"{name}.npy")
            assert got.dtype == array.dtype and np.array_equal(got, array), name


def test_large_and_compressed(t):
    array = np.arange(10 ** 6) // 1000
    np.savez_compressed(t.tmp / "in.npz", array)
    t.ok(command(t, "x=@in.npz:arr_0", "--expect", "x=arange(10**6) // 1000"))
    t.ok(command(t, "x=@in.npz", "--expect", "x=@in.npz"))  # the only array needs no name


def test_npz_out(t):
    known = dict(arrays(6))
    for name, array in known.items():
        np.save(t.tmp / f"{name}.npy", array)
    words = [f"{name}_=@{name}.npy" for name in known]
    saves = [word for name in known for word in ("--save", f"{name}_=out.npz:{name}")]
    t.ok(command(t, *words, *saves, "n=ones(3)", "--save", "n=out.npz", "--save", "n=other.npz"))
    assert zipfile.ZipFile(t.tmp / "out.npz").testzip() is None
    got = np.load(t.tmp / "out.npz")
    assert sorted(got.files) == sorted([*known, "n"]) and np.array_equal(got["n"], np.ones(3))
    for name, array in known.items():
        assert got[name].dtype == array.dtype and np.array_equal(got[name], array), name
    assert np.load(t.tmp / "other.npz").files == ["n"]
    first = (t.tmp / "out.npz").read_bytes()
    t.ok(command(t, *words, *saves, "n=ones(3)", "--save", "n=out.npz"))
    assert (t.tmp / "out.npz").read_bytes() == first  # no time in it
    t.ok(command(t, "x=@out.npz:float32", "--expect", "x=@float32.npy", "--expect", "x=out.npz:float32"))


def test_zip64(t):
    """Sizes and offsets in 64 bits, as NumPy writes them for large arrays."""
    array = np.arange(5, dtype=np.int32)
    np.save(t.tmp / "a.npy", array)
    content = (t.tmp / "a.npy").read_bytes()
    crc = zipfile.crc32(content)
    name, n = b"a.npy", len(content)
    big = 0xFFFFFFFF
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0, 0, 0, 33, crc, big, big, len(name), 20) + name
    local += struct.pack("<HHQQ", 1, 16, n, n) + content
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0, 0, 0, 33, crc, big, big, len(name), 32, 0, 0, 0, 0, big)
    entry += name + struct.pack("<HHI", 7, 0, 0x00180001) + struct.pack("<QQQ", n, n, 0)
    end64 = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 1, 1, len(entry), len(local))
    locator = struct.pack("<IIQI", 0x07064B50, 0, len(local) + len(entry), 1)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, big, big, 3) + b"abc"
    (t.tmp / "big.npz").write_bytes(local + entry + end64 + locator + end)
    t.ok(command(t, "x=@big.npz:a", "--expect", "x=arange(5, int32)"))


def test_damaged_archives(t):
    """Whatever byte is damaged, ckrun ends with a message or reads what was there."""
    array = np.arange(100, dtype=np.int32)
    np.savez_compressed(t.tmp / "in.npz", x=array, y=array)
    good = (t.tmp / "in.npz").read_bytes()
    rng = np.random.default_rng()
    places = [*range(40), *range(len(good) - 180, len(good)), *rng.integers(0, len(good), 60)]
    for place in places:
        bad = bytearray(good)
        bad[place] ^= 1 << int(rng.integers(8))
        (t.tmp / "bad.npz").write_bytes(bad)
        result = t.run(command(t, "z=@bad.npz:x", "--save", "z=z.npy"))
        assert result.rc in (0, 1) and (result.rc == 0) == (not result.err), (place, result)
        if result.rc == 0:
            assert np.array_equal(np.load(t.tmp / "z.npy"), array), place
    for length in (0, 10, 21, 22, len(good) // 2, len(good) - 1):
        (t.tmp / "bad.npz").write_bytes(good[:length])
        t.fails(command(t, "z=@bad.npz:x", "--print", "z"), 1, "cannot read `bad.npz`: ")


def test_npz_messages(t):
    np.savez(t.tmp / "in.npz", alpha=np.zeros(2), beta=np.zeros(3))
    t.fails(command(t, "x=@in.npz", "--print", "x"), 1,
            "in.npz has several arrays: write @in.npz:alpha, or another of: alpha beta")
    t.fails(command(t, "x=@in.npz:alpa", "--print", "x"), 1, "in.npz has no array `alpa`; did you mean `alpha`?")
    t.fails(command(t, "x=@in.npz:zzzzzz", "--print", "x"), 1, "in.npz has no array `zzzzzz`; there are: alpha beta")
    t.fails(command(t, "x=@none.npz", "--print", "x"), 1, "cannot read `none.npz`: No such file or directory")
    t.fails(command(t, "x=@.:a", "--print", "x"), 1)
    t.write("text.npz", "no archive at all, but long enough")
    t.fails(command(t, "x=@text.npz", "--print", "x"), 1, "cannot read `text.npz`: no .npz file")
    t.fails(command(t, "x=zeros(2)", "y=zeros(2)", "--save", "x=o.npz:a", "--save", "y=o.npz:a"), 2,
            "two arrays would be saved to `o.npz:a` as `a`")
    t.fails(command(t, "x=zeros(2)", "--save", "x=o.npz", "--save", "x=o.npz"), 2, "two arrays would be saved to `o.npz` as `x`")
    t.fails(command(t, "x=@in.npz:alpha", "--save", "x=in.npz"), 2, "--save would overwrite the input `in.npz`")
    t.fails(command(t, "x=zeros(2)", "--save", "x=o.npz:"), 2, "the name of an array follows the colon")
    t.fails(command(t, "x=in.npz:alpha", "--print", "x"), 2, "a file is written with @: 'x=@in.npz:alpha'")


def test_csv(t):
    rng = np.random.default_rng()
    known = {d: (rng.normal(size=shape) * 50).astype(d) for d, shape in zip(DTYPES, [(3, 4), (5,)] * 6)}
    for name, array in known.items():
        np.save(t.tmp / f"{name}.npy", array)
    words = [f"{name}_=@{name}.npy" for name in known]
    t.ok(command(t, *words, *[w for name in known for w in ("--save", f"{name}_={name}.csv")]))
    for name, array in known.items():
        if name != "bool":
            got = np.loadtxt(t.tmp / f"{name}.csv", dtype=array.dtype, delimiter=",")
            assert np.array_equal(got, array), name
        t.ok(command(t, f"x=loadtxt('{name}.csv', {name}, ',')", "--expect", f"x=@{name}.npy"))
    t.ok(command(t, "x=@float64.csv", "--expect", "x=@float64.npy"))
    t.ok(command(t, "x=@float64.npy", "--expect", "x=float64.csv"))


def test_loadtxt(t):
    t.write("t.txt", "# a comment\nname other\n1 2.5  3\n\n 4 nan -inf # more\n")
    t.ok(command(t, "x=np.loadtxt('t.txt', skiprows=2)", "--expect", "x=array([[1, 2.5, 3], [4, nan, -inf]])"))
    t.write("row.csv", "1, 2,3")
    t.ok(command(t, "x=@row.csv", "--expect", "x=array([1., 2, 3])"))
    t.write("empty.csv", "\n# nothing\n")
    t.ok(command(t, "x=@empty.csv", "--expect", "x=zeros(0)"))
    for text, dtype, message in (
            ("1,2\n3\n", "float64", "`bad.csv`, line 2: 1 numbers, and 2 in the rows before"),
            ("1,x\n", "float64", "`bad.csv`, line 1: `x` is not a number of the dtype"),
            ("1,\n", "float64", "`bad.csv`, line 1: `` is not a number of the dtype"),
            ("1,,2\n", "float64", "`bad.csv`, line 1: `` is not a number of the dtype"),
            ("1.5\n", "int32", "`bad.csv`, line 1: `1.5` is not a number of the dtype"),
            ("300\n", "uint8", "`bad.csv`, line 1: `300` does not fit in the dtype"),
            ("9" * 60 + "\n", "int64", "is not a number of the dtype")):
        t.write("bad.csv", text)
        result = t.fails(command(t, f"x=loadtxt('bad.csv', {dtype}, ',')", "--print", "x"), 1, message)
        assert result.err.count("error:") == 1, result
    t.fails(command(t, "x=loadtxt('none.csv')", "--print", "x"), 1, "cannot read `none.csv`: No such file or directory")
    t.fails(command(t, "x=loadtxt(3)", "--print", "x"), 2, "`loadtxt` takes the name of a file in quotes: this is an integer")
    t.fails(command(t, "x=loadtxt('a', delimiter='ab')", "--print", "x"), 2, "`delimiter` is one character in quotes")
    t.fails(command(t, "x=loadtxt('a', complex64)", "--print", "x"), 2, "`loadtxt` reads real numbers")


def test_raw(t):
    array = np.random.default_rng().normal(size=(4, 5)).astype(np.float32)
    np.save(t.tmp / "a.npy", np.asfortranarray(array))
    t.ok(command(t, "x=@a.npy", "--save", "x=a.bin", "--save", "x=a.raw"))
    assert (t.tmp / "a.bin").read_bytes() == (t.tmp / "a.raw").read_bytes() == array.tobytes()
    t.ok(command(t, "x=fromfile('a.bin', float32).reshape(4, 5)", "--expect", "x=@a.npy"))
    t.ok(command(t, "x=np.fromfile('a.bin', float32, count=3, offset=8)", "a=@a.npy", "--expect", "x=a[0, 2:]"))
    t.fails(command(t, "x=fromfile('a.bin')[:0]", "y=fromfile('a.bin', float64, offset=4)", "--print", "x"), 1,
            "`a.bin` has 76 bytes after the offset, which are not all elements of float64")
    t.fails(command(t, "x=fromfile('a.bin', int8, 81)", "--print", "x"), 1,
            "`a.bin` has 80 bytes after the offset, fewer than 81 elements of int8 need")
    t.fails(command(t, "x=fromfile('a.bin', offset=-1)", "--print", "x"), 2, "`offset` is an integer, 0 or more")
    t.fails(command(t, "x=@a.bin", "--print", "x"), 2, "`a.bin` does not say what its elements are: write fromfile('a.bin', float32)")
    t.fails(command(t, "x=fromfile('a.bin', float32)", "--save", "x=a.bin"), 2, "--save would overwrite the input `a.bin`")


def test_suffixes(t):
    for name in ("a.txt", "a.jpg", "a.tar.gz", "a.NPY"):
        t.fails(command(t, "x=zeros(2)", "--save", f"x={name}"), 2, "--save writes .npy, .npz, .csv, .png, .bin and .raw files, not ",
                f"{name.rsplit('.', 1)[0]}.npy is such a file")
    t.fails(command(t, "x=zeros((2, 2, 2))", "--save", "x=a.csv"), 2, "a .csv file has one or two dimensions, and the array has 3")
    t.fails(command(t, "x=array([1j])", "--save", "x=a.csv"), 2, "a .csv file has no complex numbers")
    t.ok(command(t, "x=zeros(2)", "--save", "x=plain", "--save", "x=.hidden"))
    assert np.array_equal(np.load(t.tmp / "plain"), np.zeros(2))


def test_nothing_is_left_if_one_fails(t):
    (t.tmp / "full").mkdir()
    words = ["x=zeros(2)", "--save", "x=a.npz", "--save", "x=b.csv", "--save", "x=c.bin", "--save", "x=full/d.npy"]
    (t.tmp / "full").rmdir()
    t.fails(command(t, *words), 1)
    assert not list(t.tmp.glob("[abc].*")) and not list(t.tmp.glob(".ck-*"))
