"""Every .npy file that NumPy writes and ck has a type for comes back the same; any other file is
refused with a text that names the file and the fault. NumPy makes them here."""

import io
import struct

import numpy as np

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def npy(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version, allow_pickle=True)
    return out.getvalue()


def raw(header, data=b"", version=(1, 0)):
    """A file with any header at all."""
    header = header if isinstance(header, bytes) else header.encode() + b"\n"
    length = struct.pack("<H" if version == (1, 0) else "<I", len(header))
    return b"\x93NUMPY" + bytes(version) + length + header + data


def header(descr="'<i4'", order="False", shape="(0,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


def ckrun(t, *words):
    return [t.ckrun, "--device", "cpu", t.examples / "saxpy.ck", *words]


def round_trip(t, content):
    """What ckrun --save writes after reading `content`."""
    before = t.write("in.npy", content)
    t.ok(ckrun(t, "x=@in.npy", "--save", "x=out.npy"))
    assert before.read_bytes() == content, "the input has changed"
    got = np.load(t.tmp / "out.npy")
    (t.tmp / "out.npy").unlink()
    return got


def same(t, array, content=None):
    got = round_trip(t, content or npy(array))
    native = array.dtype.newbyteorder("=")
    assert got.dtype == native and got.shape == array.shape, (got.dtype, got.shape)
    assert got.tobytes() == np.ascontiguousarray(array).astype(native).tobytes(), got
    return got


def refused(t, content, *texts):
    before = t.write("in.npy", content)
    result = t.fails(ckrun(t, "x=@in.npy", "--save", "x=out.npy"), 1, "ckrun: error: in.npy: ", *texts)
    assert result.err.count("\n") == 1, result
    assert not (t.tmp / "out.npy").exists() and before.read_bytes() == content
    t.ok([t.ckrun, "--list", t.examples / "saxpy.ck"])
    t.fails(ckrun(t, "x=zeros(2, int32)", "--expect", "x=in.npy"), 1, "in.npy: ")


def sample(dtype):
    bits = np.random.default_rng(7).integers(0, 256, 4 * 6 * np.dtype(dtype).itemsize, np.uint8)
    return (bits % 2 if dtype == "?" else bits).view(np.dtype(dtype).newbyteorder("<")).reshape(2, 3, 4)


def test_every_dtype(t):
    for dtype in DTYPES:
        same(t, sample(dtype))


def test_big_endian(t):
    for dtype in DTYPES:
        array = sample(dtype)
        same(t, array.astype(array.dtype.newbyteorder(">")))


def test_fortran(t):
    for dtype in ("i4", "f8"):
        got = same(t, np.asfortranarray(sample(dtype)))
        assert got.flags.f_contiguous


def test_big_endian_fortran(t):
    same(t, np.asfortranarray(sample("i4")).astype(">i4", order="F"))


def test_versions(t):
    for version in ((1, 0), (2, 0), (3, 0)):
        same(t, sample("i4"), npy(sample("i4"), version))


def test_dimensions(t):
    for ndim in range(9):
        same(t, np.arange(2 ** ndim, dtype=np.int16).reshape((2,) * ndim))
    refused(t, npy(np.zeros((1,) * 9)), "the array has more than 8 dimensions")
    refused(t, npy(np.zeros((1,) * 32)), "the array has more than 8 dimensions")


def test_empty(t):
    for shape in ((0,), (3, 0), (0, 5, 2)):
        same(t, np.zeros(shape, np.float32))


def test_bools_other_than_0_and_1(t):
    assert round_trip(t, raw(header("'|b1'", shape="(3,)"), b"\2\0\xff")).tolist() == [True, False, True]


def test_other_spellings(t):
    for descr in ("'i4'", "'=i4'", '"<i4"', "'<i4'"):
        for shape in ("(2,)", "(2, )", "(2L,)", "(1, 2)"):
            assert round_trip(t, raw(header(descr, shape=shape), struct.pack("<ii", 3, -4))).size == 2


def test_truncated(t):
    content = npy(sample("i4"))
    for length in (0, 1, 6, 7, 8, 9, 10, 11, 60, 127, 128, len(content) - 1):
        refused(t, content[:length])
    refused(t, content[:-1], "truncated: the elements take more than the 95 bytes left in the file")
    refused(t, content[:40], "the file ends too early")
    refused(t, b"", "not a .npy file: it is too short")


def test_trailing(t):
    refused(t, npy(sample("i4")) + b"xy", "2 bytes follow the last element")


def test_unsupported_types(t):
    for array, text in (
            (np.array([None, 1], object), "elements of type '|O' (Python objects) have no ck type"),
            (np.array(["a", "bc"]), "elements of type '<U2' (strings) have no ck type"),
            (np.array([b"a", b"bc"]), "elements of type '|S2' (byte strings) have no ck type"),
            (np.zeros(2, [("x", "i4"), ("y", object)]), "(Python objects) have no ck type"),
            (np.zeros(2, "M8[10s]"), "elements of type '<M8[10s]' (dates of this unit; save x.astype('M8[s]')) have no ck type"),
            (np.zeros(2, "m8[7D]"), "elements of type '<m8[7D]' (times of this unit; save x.astype('m8[s]')) have no ck type"),
            (np.zeros(2, "V5"), "elements of type '|V5' (raw records) have no ck type"),
            (np.zeros(2, np.longdouble), "have no ck type")):
        refused(t, npy(array), text)


def test_object_array_is_not_unpickled(t):
    """The pickle would make a file."""
    class Evil:
        def __reduce__(self):
            return (open, (str(t.tmp / "evil"), "w"))
    array = np.empty(1, object)
    array[0] = Evil()
    refused(t, npy(array), "Python objects")
    assert not (t.tmp / "evil").exists()


def test_no_npy(t):
    refused(t, b"hello world, this is no array\n", "not a .npy file")
    refused(t, b"PK\3\4" + bytes(100), "not a .npy file (an .npz archive?)")
    refused(t, b"\x93NUMPY\4\0" + npy(sample("i4"))[8:], "version 4.0 of .npy is not known")
    refused(t, b"\x93NUMPY\1\5" + npy(sample("i4"))[8:], "version 1.5 of .npy is not known")


def test_damaged_headers(t):
    for text, fault in (
            ("garbage", "it is not a dictionary"), ("", "it is not a dictionary"),
            ("{}", "'descr', 'fortran_order' or 'shape' is missing"),
            ("{'descr': '<i4', 'shape': (0,)}", "is missing"),
            ("{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (0,)}", "there twice"),
            ("{'descr': '<i4', 'fortran_order': False, 'shape': (0,), 'x': 1}", "a key is unknown"),
            (header() + " {}", "something follows the dictionary"),
            (header(order="0"), "'fortran_order' is neither True nor False"),
            (header(order="Falsey"), ""), (header(shape="3"), "'shape' is not a tuple of sizes"),
            (header(shape="(-1,)"), "'shape' is not a tuple of sizes"),
            (header(shape="(1.5,)"), "'shape' is not a tuple of sizes"),
            (header(shape="(3)"), "'shape' is not a tuple of sizes"),
            (header(shape="(1 2)"), ""), (header(shape=f"({10 ** 30},)"), "a size beyond 64 bits"),
            (header("'<i3'"), "the type is not one of NumPy's"), (header("'?4'"), ""),
            (header("''"), ""), (header("'<i4"), ""), (header("'<i\\x34'"), ""),
            (header("'<i4\0'"), ""), (header("[" * 10_000), "a field is not a tuple of its name and its type"), ("{" * 60_000, "")):
        refused(t, raw(text), fault)


def test_header_lengths(t):
    refused(t, b"\x93NUMPY\2\0\xff\xff\xff\xff{}", "its length of 4294967295 bytes is above the limit")
    refused(t, b"\x93NUMPY\1\0\xff\xff{}", "the file ends too early")
    refused(t, b"\x93NUMPY\1\0\0\0", "it is not a dictionary")


def test_sizes_that_lie(t):
    for shape in ("(9999999999,)", "(99999999999, 99999999999)", "(4294967296, 4294967296)",
                  "(9223372036854775807,)", "(2, 9223372036854775807)"):
        refused(t, raw(header(shape=shape)), "truncated: the elements take more than")
    assert round_trip(t, raw(header(shape="(0, 99999999999)"))).size == 0


def test_every_byte_of_the_header(t):
    """Any byte changed: read or refused, never a crash."""
    content = npy(np.arange(3, dtype="<i4"))
    end = content.index(b"}")
    for i in range(0, end + 1, 3):
        changed = bytearray(content)
        changed[i] ^= 0x15
        t.write("in.npy", bytes(changed))
        result = t.run(ckrun(t, "x=@in.npy", "--save", "x=out.npy"))
        assert result.rc in (0, 1), result


def test_missing(t):
    t.fails(ckrun(t, "x=@nope.npy", "--print", "x"), 1,
            "ckrun: error: nope.npy: cannot open: No such file or directory")
    t.fails(ckrun(t, "x=zeros(2)", "--expect", "x=nope.npy"), 1,
            "ckrun: error: nope.npy: cannot open: No such file or directory")
    t.fails(ckrun(t, "x=@", "--print", "x"), 1, "cannot open")


def test_no_regular_file(t):
    t.fails(ckrun(t, "x=@/", "--print", "x"), 1, "cannot read: a directory, not a regular file")
    t.fails(ckrun(t, "x=@/dev/zero", "--print", "x"), 1, "cannot read: a pipe or device")


def test_what_kernels_see(t):
    """Elements of big-endian and of Fortran-ordered files are where the kernel looks."""
    source = t.write("k.ck", "@kernel\ndef k(x: int32[:, :], y: int32[:, ::1]):\n"
                             "    for i in range(x.shape[0]):\n"
                             "        for j in range(x.shape[1]):\n"
                             "            y[i, j] = x[i, j] * 2\n")
    array = np.arange(12, dtype=np.int32).reshape(3, 4)
    np.save(t.tmp / "want.npy", array * 2)
    for content in (array, np.asfortranarray(array), array.astype(">i4")):
        t.write("in.npy", npy(content))
        t.ok([t.ckrun, "--device", "cpu", source, "x=@in.npy", "y=zeros(x.shape, int32)",
              "k[1, 1](x, y)", "--expect", "y=want.npy"])
