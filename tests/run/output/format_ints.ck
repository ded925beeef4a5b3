# Integers in formats: the text is what Python prints.

@kernel
def show(x: int64[:], s: int8[:]):
    for v in x:
        print(f"{v}|{v:d}|{v:8d}|{v:<8}|{v:>8}|{v:^8}|{v:08d}|{v:+d}|{v: d}|{v:x}|{v:X}|{v:#x}|{v:o}|{v:#o}|{v:b}|{v:#b}")
        print(f"{v:,}|{v:_}|{v:_x}|{v:_b}|{v:#010x}|{v:*^20,}|{v:=+12}|{v:012,}|{v:013,}|{v:0=9}|{v:n}|{v:.>6}|{v:-5}|{v:0<5}")
        print(f"{v:e}|{v:.1f}|{v:%}|{v:g}|{v:#_x}|{v:030_b}")
    for w in s:
        print(f"{w:4}|{w:b}|{w:#06x}|{w:+}")

@kernel
def show_unsigned(x: uint64[:], s: uint16[:]):
    for v in x:
        print(f"{v}|{v:22}|{v:<22}|{v:+d}|{v:x}|{v:20X}|{v:016x}|{v:#x}|{v:o}|{v:b}|{v:,}|{v:^30_}")
    for w in s:
        print(f"{w:c}|{w:5c}|{w:<4c}|{w:x}")

#: shapes = ["{0}|{0:d}|{0:8d}|{0:<8}|{0:>8}|{0:^8}|{0:08d}|{0:+d}|{0: d}|{0:x}|{0:X}|{0:#x}|{0:o}|{0:#o}|{0:b}|{0:#b}",
#:     "{0:,}|{0:_}|{0:_x}|{0:_b}|{0:#010x}|{0:*^20,}|{0:=+12}|{0:012,}|{0:013,}|{0:0=9}|{0:n}|{0:.>6}|{0:-5}|{0:0<5}",
#:     "{0:e}|{0:.1f}|{0:%}|{0:g}|{0:#_x}|{0:030_b}"]
#: x = np.concatenate([[0, 1, -1, 999, 1000, -1000, 2 ** 63 - 1, -2 ** 63], rng.integers(-2 ** 63, 2 ** 63, 8), rng.integers(-9999, 9999, 8)])
#: s = rng.integers(-128, 128, 9).astype("i1")
#: launch show[1, 1](x, s)
#: prints ([shape.format(int(v)) for v in x for shape in shapes]
#:     + ["{0:4}|{0:b}|{0:#06x}|{0:+}".format(int(w)) for w in s])
#: u = np.concatenate([np.array([0, 9, 2 ** 64 - 1], "u8"), rng.integers(0, 2 ** 64, 8, "u8")])
#: c = np.array([65, 126, 33, 0xe9, 0x7ff, 0x800, 0x4e2d, 0xffee], "u2")
#: launch show_unsigned[1, 1](u, c)
#: prints (["{0}|{0:22}|{0:<22}|{0:+d}|{0:x}|{0:20X}|{0:016x}|{0:#x}|{0:o}|{0:b}|{0:,}|{0:^30_}".format(int(v)) for v in u]
#:     + ["{0:c}|{0:5c}|{0:<4c}|{0:x}".format(int(w)) for w in c])
