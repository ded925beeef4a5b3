W = 8
SPEC = "d"

@kernel
def k(x: float32[:], i: int32[:], u: uint64[:], z: complex64[:], n: int64):
    print(f"{x[0]:d}", f"{i[0]:.3}", f"{i[0]:s}", f"{'a':d}", f"{'a':+}", f"{'a':=5}")
    print(f"{i[0]:,x}", f"{i[0]:zd}", f"{x[0]:,n}", f"{i[0]:+c}", f"{i[0]:#c}", f"{i[0]:,c}")
    print(f"{x[0]:1000}", f"{x[0]:.1000f}", f"{x[0]:.f}", f"{x[0]:é>5}", f"{x[0]:8.3q}", f"{x[0]:{n}}")
    print(f"{z[0]:.3f}", f"{x}", f"{(1, 2):>5}", f"{missing}", f"{i[0]:{W}{SPEC}}")
    print("%d %d" % i[0], "%d" % (i[0], 1), "%d" % x[0], "%s" % x, "%y" % 1, "%*d" % 1, "%.3d" % 1)
    print("{} {}".format(1), "{}".format(1, 2), "{x}".format(y=1), "{3}".format(1), "{!r}".format(1))
    print("a } b".format(1), "%d%" % 1, "%.3s" % 1, "%5s" % (1 > 0), "%1000d" % 1, "%f" % "a", "%s" % z[0])
    text = f"{n}"
    "%d" % n

@kernel
def c(x: float32[:], i: int32[:], u: uint64[:]):
    printf()
    printf(x)
    printf("%d", x[0])
    printf("%f", i[0])
    printf("%d", u[0])
    printf("%s", i[0])
    printf("%d", "a")
    printf("%d")
    printf("%d\n", i[0], 1)
    printf("%*d", i[0])
    printf("%.*f", x[0])
    printf("%1000d", i[0])
    printf("%p", x)
    printf("%d", n=1)
    y = printf("a")
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32)
    print(f"{(i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0])} {(i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0], i[0])}")
