# `"..." % values`, `"...".format(values)`, strings, constants and bools in formats, and `printf`.

W = 7
P = 2
NAME = "größe"
PATTERN = "%s is %d"

@kernel
def show(x: float64[:], i: int32[:], u: uint64[:], b: bool[:]):
    for k in range(len(x)):
        v = x[k]
        n = i[k]
        print("%d|%5d|%-5d|%05d|%+d|% d|%i|%u|%x|%X|%#x|%o|%#o|%%|%8.3s|%-6s|%c" % (n, n, n, n, n, n, n, n, n, n, n, n, n, "abcdef", "ab", 65 + k % 26))
        print("%f|%8.2f|%-9.1f|%+.3e|%g|%G|%010.2f|%s|%12s|%-30s|%#.0f" % (v, v, v, v, v, v, v, v, n, v, v))
        print("{}|{:>6}|{{}}".format(n, n), "{1}-{0:.3f}-{a}".format(v, n, a=k))
        print(PATTERN % (NAME, n), "%d" % n, "%s" % NAME, "plain".format())
        print(f"{v:{W}.{P}f}|{n:{W}}|{NAME:>{W}}|{NAME:.3}|{NAME:*^9}|{'a':3}|", f'{n=} {n = :4d}' f"{{{n}}}" " end {")
        print(f"{b[k]}|{b[k]:d}|{b[k]:5}|{n > 0}|{(n, b[k], v)}|{(n,)}|{threadIdx}|{3:04}|{2.5:.2f}|{7}|{1.5}|{u[k]:%}", rf"\n{n}")

@kernel
def c(x: float64[:], i: int32[:], s: int8[:]):
    for k in range(len(x)):
        printf("%d|%5i|%-5ld|%05d|%+d|% d|%u|%x|%#X|%o|%hhx|%.3d|", i[k], i[k], i[k], i[k], i[k], i[k], i[k], i[k], i[k], i[k], s[k], i[k])
        printf("%f|%8.2f|%-9.1f|%+.3e|%g|%G|%.0e|%c%c|%5s|%-5.1s|%%\n", x[k], x[k], x[k], x[k], x[k], x[k], x[k], 65, 66, "ab", "cd")
    printf("end\n")

#: x = np.concatenate([[0.0, -1.5, 2.25, 1e20, 1e-7], rng.normal(size=5) * 1000])
#: i = np.concatenate([[0, 1, -1, 2 ** 31 - 1, -2 ** 31], rng.integers(-9999, 9999, 5)]).astype("i4")
#: u = rng.integers(0, 1000, 10).astype("u8")
#: b = rng.random(10) < 0.5
#: def old(n, v, k, b, u):
#:     name, w, p = "größe", 7, 2
#:     return [
#:         "%d|%5d|%-5d|%05d|%+d|% d|%i|%u|%x|%X|%#x|%o|%#o|%%|%8.3s|%-6s|%c" % (*[n] * 13, "abcdef", "ab", 65 + k % 26),
#:         "%f|%8.2f|%-9.1f|%+.3e|%g|%G|%010.2f|%s|%12s|%-30s|%#.0f" % (*[v] * 8, n, v, v),
#:         "{}|{:>6}|{{}}".format(n, n) + " " + "{1}-{0:.3f}-{a}".format(v, n, a=k),
#:         " ".join(["%s is %d" % (name, n), "%d" % n, "%s" % name, "plain"]),
#:         f"{v:{w}.{p}f}|{n:{w}}|{name:>{w}}|{name:.3}|{name:*^9}|{'a':3}|" + " " + f'{n=} {n = :4d}' f"{{{n}}}" " end {",
#:         f"{b}|{b:d}|{b:5}|{n > 0}|{(n, b, v)}|{(n,)}|{(0, 0, 0)}|{3:04}|{2.5:.2f}|{7}|{1.5}|{u:%}" + " " + rf"\n{n}",
#:     ]
#: launch show[1, 1](x, i, u, b)
#: prints [line for k in range(10) for line in old(int(i[k]), float(x[k]), k, bool(b[k]), int(u[k]))]

#: s = rng.integers(-128, 128, 10).astype("i1")
#: def in_c(n, v, s):
#:     whole = n & 0xffffffff
#:     return (f"{n}|{n:5}|{n:<5}|{n:05}|{n:+}|{n: }|{whole}|{whole:x}|{'%#X' % whole if whole else 0}|{whole:o}|{s & 0xffffffff:x}|{'-' * (n < 0)}{abs(n):03}|"
#:         f"{v:f}|{v:8.2f}|{v:<9.1f}|{v:+.3e}|{v:g}|{v:G}|{v:.0e}|AB|   ab|c    |%")
#: launch c[1, 1](x, i, s)
#: prints [in_c(int(i[k]), float(x[k]), int(s[k])) for k in range(10)] + ["end"]
