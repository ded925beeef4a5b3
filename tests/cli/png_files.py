"""ckrun's images: PNG files in every form of the format, damaged ones, and what is written."""

import struct
import zlib

import numpy as np

from harness import png

KERNEL = """
@kernel
def invert(pixels: uint8[:, :, :]):
    i, j = grid(2)
    if i < pixels.shape[0] and j < pixels.shape[1]:
        for c in range(3):
            pixels[i, j, c] = 255 - pixels[i, j, c]
"""
DEPTHS = {png.GRAY: (1, 2, 4, 8, 16), png.RGB: (8, 16), png.PALETTE: (1, 2, 4, 8), png.GRAY_ALPHA: (8, 16), png.RGB_ALPHA: (8, 16)}
SHAPES = [(1, 1), (3, 5), (9, 17), (2, 33)]


def command(t, *words):
    return [t.ckrun, "--device", "cpu", t.write("k.ck", KERNEL), *words]


def read(t, name):
    return np.load(t.tmp / name)


def squeezed(array):
    return array[:, :, 0] if array.shape[2] == 1 else array


def files(rng):
    """[(name, bytes, the array that it is)] of every colour, depth, filter and interlacing."""
    for color, depths in DEPTHS.items():
        for depth in depths:
            for shape in SHAPES:
                for interlaced in (False, True):
                    samples = rng.integers(0, 2 ** depth, (*shape, png.CHANNELS[color]))
                    want, before = samples, b""
                    if color == png.PALETTE:
                        palette = rng.integers(0, 256, (2 ** depth, 3)).astype(np.uint8)
                        want, before = palette[samples[:, :, 0]], png.chunk(b"PLTE", palette.tobytes())
                    elif depth < 8:
                        want = samples * 255 // (2 ** depth - 1)
                    want = squeezed(want).astype(np.uint16 if depth == 16 else np.uint8)
                    name = f"c{color}_{depth}_{shape[0]}x{shape[1]}{'_adam7' * interlaced}"
                    yield name, png.encode(samples, color, depth, interlaced, before=before), want


def test_every_form_is_read(t):
    known = list(files(np.random.default_rng()))
    words = []
    for name, data, want in known:
        (t.tmp / f"{name}.png").write_bytes(data)
        words += [f"{name}=@{name}.png", "--save", f"{name}=out.npz"]
    t.ok(command(t, *words))
    got = read(t, "out.npz")
    for name, data, want in known:
        assert got[name].dtype == want.dtype and np.array_equal(got[name], want), name


def test_transparent_colours_become_alpha(t):
    samples = np.array([[[0], [1], [2], [1]]])
    palette = np.array([[9, 8, 7], [6, 5, 4], [3, 2, 1]], np.uint8)
    before = png.chunk(b"PLTE", palette.tobytes()) + png.chunk(b"tRNS", bytes([0, 128]))
    (t.tmp / "p.png").write_bytes(png.encode(samples, png.PALETTE, 8, before=before))
    before = png.chunk(b"tRNS", struct.pack(">H", 1))
    (t.tmp / "g.png").write_bytes(png.encode(samples, png.GRAY, 8, before=before))
    t.ok(command(t, "p=@p.png", "g=@g.png", "--save", "p=p.npy", "--save", "g=g.npy"))
    assert read(t, "p.npy").tolist() == [[[9, 8, 7, 0], [6, 5, 4, 128], [3, 2, 1, 255], [6, 5, 4, 128]]]
    assert read(t, "g.npy").tolist() == [[[0, 255], [1, 0], [2, 255], [1, 0]]]


def test_written_images_are_the_arrays(t):
    """Of every shape and dtype that an image can have; in C order too if the array has another."""
    rng, words, known = np.random.default_rng(), [], {}
    for channels in ((), (1,), (2,), (3,), (4,)):
        for dtype in (np.uint8, np.uint16):
            for order in "CF":
                name = f"x{len(channels) and channels[0]}_{np.dtype(dtype).name}_{order}"
                array = rng.integers(0, np.iinfo(dtype).max + 1, (7, 5, *channels)).astype(dtype)
                np.save(t.tmp / f"{name}.npy", np.asarray(array, order=order))
                known[name] = array
                words += [f"{name}=@{name}.npy", "--save", f"{name}={name}.png"]
    t.ok(command(t, *words))
    words = []
    for name, array in known.items():
        want = squeezed(array) if array.ndim == 3 else array
        got = png.decode((t.tmp / f"{name}.png").read_bytes())
        assert got.dtype == want.dtype and np.array_equal(got, want), name
        words += [f"{name}=@{name}.png", "--expect", f"{name}={name}.png"]
        if array.shape[2:] != (1,):
            words += ["--expect", f"{name}={name}.npy"]
    t.ok(command(t, *words))


def test_a_kernel_on_an_image(t):
    pixels = np.random.default_rng().integers(0, 256, (33, 20, 3)).astype(np.uint8)
    (t.tmp / "in.png").write_bytes(png.encode(pixels, png.RGB, 8))
    run = command(t, "invert[(3, 2), (16, 16)](x)", "x=@in.png")
    t.ok([*run, "--save", "x=out.png", "--expect", "x=255 - x"])
    first = (t.tmp / "out.png").read_bytes()
    assert np.array_equal(png.decode(first), 255 - pixels)
    t.ok([*run, "--save", "x=out.png"])
    assert (t.tmp / "out.png").read_bytes() == first  # no time in it
    t.fails([*run, "--save", "x=in.png"], 2, "--save would overwrite the input `in.png`")


def test_arrays_that_are_no_images(t):
    shape = "has the shape (height, width), or (height, width, channels) with 1 to 4 channels: the array has shape "
    for value, fault in (("zeros((2, 2))", "has pixels of uint8 or uint16: the array has shape (2, 2) and dtype float64"),
                         ("zeros((2, 2), bool)", "has pixels of uint8 or uint16: the array has shape (2, 2) and dtype bool"),
                         ("zeros(2, uint8)", shape + "(2,) and dtype uint8"), ("zeros((2, 2, 5), uint8)", shape + "(2, 2, 5)"),
                         ("zeros((2, 2, 0), uint8)", shape + "(2, 2, 0)"), ("zeros((1, 1, 1, 1), uint8)", shape + "(1, 1, 1, 1)"),
                         ("zeros((0, 3), uint8)", "has one pixel or more"), ("zeros((3, 0, 3), uint16)", "has one pixel or more")):
        t.fails(command(t, f"x={value}", "y=zeros((2, 2), uint8)", "--save", "x=a.png", "--save", "y=b.png"), 2, f"`a.png`: a .png file {fault}")
        assert not list(t.tmp.glob("*.png")), value
    t.fails(command(t, "x=a.png", "--print", "x"), 2, "a file is written with @: 'x=@a.png'")


def is_refused_or(t, data, want):
    """Reads a damaged file: a message about it, or the whole array."""
    (t.tmp / "bad.png").write_bytes(data)
    (t.tmp / "x.npy").unlink(missing_ok=True)
    result = t.run(command(t, "x=@bad.png", "--save", "x=x.npy"))
    if result.rc == 0:
        return not result.err and np.array_equal(read(t, "x.npy"), want)
    return result.rc == 1 and result.err.startswith("ckrun: error: cannot read `bad.png` as a .png file: ")


def test_damaged_files(t):
    """Whatever is cut off or changed: a message, and no crash. Pixels are guarded by checksums."""
    rng = np.random.default_rng()
    for color, depth, interlaced in ((png.GRAY, 8, False), (png.PALETTE, 4, True), (png.RGB_ALPHA, 16, True)):
        samples = rng.integers(0, 2 ** depth, (6, 9, png.CHANNELS[color]))
        palette = rng.integers(0, 256, (16, 3)).astype(np.uint8)
        before = png.chunk(b"PLTE", palette.tobytes()) if color == png.PALETTE else b""
        data = png.encode(samples, color, depth, interlaced, before=before)
        want = palette[samples[:, :, 0]] if color == png.PALETTE else squeezed(samples)
        for length in range(0, len(data), max(1, len(data) // 20)):
            assert is_refused_or(t, data[:length], None), (color, length)
        assert not is_refused_or(t, data, None) and is_refused_or(t, data, want)
        for place in [*range(8, 45), *rng.integers(0, len(data), 30)]:
            bad = bytearray(data)
            bad[place] ^= 1 << int(rng.integers(8))
            assert is_refused_or(t, bytes(bad), want), (color, place)


def test_false_contents(t):
    """Chunks with right checksums and wrong content."""
    gray = np.zeros((4, 4, 1), int)
    head = lambda *values: png.SIGNATURE + png.chunk(b"IHDR", struct.pack(">IIBBBBB", *values))
    end = png.chunk(b"IEND", b"")
    pixels = lambda data: png.chunk(b"IDAT", zlib.compress(data))
    for name, data in {
            "no pixels": head(4, 4, 8, 0, 0, 0, 0) + end,
            "few pixels": head(4, 4, 8, 0, 0, 0, 0) + pixels(bytes(7)) + end,
            "no stream": head(4, 4, 8, 0, 0, 0, 0) + png.chunk(b"IDAT", b"no zlib") + end,
            "unknown filter": head(4, 1, 8, 0, 0, 0, 0) + pixels(b"\x09\0\0\0\0") + end,
            "no palette": head(4, 1, 8, 3, 0, 0, 0) + pixels(bytes(5)) + end,
            "depth": head(4, 4, 3, 0, 0, 0, 0) + pixels(bytes(20)) + end,
            "colour": head(4, 4, 8, 5, 0, 0, 0) + pixels(bytes(20)) + end,
            "interlacing": head(4, 4, 8, 0, 0, 0, 2) + pixels(bytes(20)) + end,
            "zero width": head(0, 4, 8, 0, 0, 0, 0) + pixels(bytes(20)) + end,
            "another format": b"GIF89a" + bytes(50),
            "unknown critical chunk": head(4, 4, 8, 0, 0, 0, 0) + png.chunk(b"CRIT", b"x") + pixels(bytes(20)) + end,
            "two heads": head(4, 4, 8, 0, 0, 0, 0) + head(4, 4, 8, 0, 0, 0, 0)[8:] + pixels(bytes(20)) + end}.items():
        assert is_refused_or(t, data, gray[:, :, 0]), name
        assert name == "two heads" or not (t.tmp / "x.npy").exists(), name
    palette = png.chunk(b"PLTE", bytes([1, 2, 3]))
    (t.tmp / "i.png").write_bytes(png.encode(gray + 9, png.PALETTE, 8, before=palette))
    result = t.run(command(t, "x=@i.png", "--print", "x"))  # an index without a colour
    assert result.rc in (0, 1), result


def test_sizes_that_no_machine_has(t):
    """A short file that says it is huge asks for no memory, and ends soon."""
    one = np.zeros((1, 1, 4), int)
    for size in ((2 ** 31 - 1, 2 ** 31 - 1), (2 ** 31 - 1, 1), (1, 2 ** 31 - 1), (100000, 100000), (2 ** 32 - 1, 1), (20000, 20000)):
        for depth, interlaced in ((8, False), (16, True)):
            (t.tmp / "huge.png").write_bytes(png.encode(one, png.RGB_ALPHA, depth, interlaced, size=size))
            t.fails(command(t, "x=@huge.png", "--print", "x"), 1, "cannot read `huge.png` as a .png file: ")
    # As many pixels as a file of its length can have, each a bit that becomes three bytes.
    body = zlib.compress(bytes((1 + 1250) * 10000), 9)
    head = struct.pack(">IIBBBBB", 10000, 10000, 1, 3, 0, 0, 0)
    data = png.SIGNATURE + png.chunk(b"IHDR", head) + png.chunk(b"PLTE", bytes(6)) + png.chunk(b"IDAT", body)
    (t.tmp / "bomb.png").write_bytes(data + png.chunk(b"IEND", b""))
    result = t.run(command(t, "x=@bomb.png", "--save", "x=x.npy"))
    assert result.rc == 1 and "does not fit in memory" in result.err or result.rc == 0 and read(t, "x.npy").shape == (10000, 10000, 3)


def test_files_that_are_none(t):
    t.fails(command(t, "x=@none.png", "--print", "x"), 1, "cannot read `none.png`: No such file or directory")
    (t.tmp / "folder.png").mkdir()
    t.fails(command(t, "x=@folder.png", "--print", "x"), 1, "cannot read `folder.png`: Is a directory")
    t.fails(command(t, "x=zeros((2, 2), uint8)", "--expect", "x=none.png"), 1, "cannot read `none.png`")
    t.fails(command(t, "x=zeros((2, 2), uint8)", "--save", "x=no/such/folder.png"), 1, "cannot write `no/such/folder.png`")
