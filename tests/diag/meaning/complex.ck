from numba import cuda

T = array([1j, 2])
U = cuda.const.array_like(1j)


def scale(x: float32):
    return x


def part(z) -> float32:
    return z


@kernel
def wrong(c: complex64[:], d: complex128[:], f: float32[:], n: int32[:], x: complex64):
    z = c[0]
    a = z < c[1]
    b = z >= 1
    b2 = 1 < 2j
    e = z // 2
    g = z % c[1]
    h = z & 1
    i = z << n[0]
    j = ~z
    k = min(z, 1)
    l = max(c[0], c[1])
    m = round(z)
    o = int(z)
    p = float32(z)
    q = float(z + 1)
    f[0] = z
    n[0] = 2j
    f[:] = z
    c[z] = 1
    f[0] += z
    r: float32 = z
    s = scale(z)
    t = part(z)
    u = z.imaginary
    v = z.conj()
    w = z.real()
    y = z.conjugate
    y2 = z.conjugate(1)
    aa = complex64()
    ab = complex64(1, 2, 3)
    ac = complex64(z, 1)
    ad = complex128(real=1)
    ae = complex(z, z)
    af = complex((1, 2))
    ag = complex64(f)
    ah = z * 1e300
    ai = z + 1e39j
    aj = sqrt(z)
    ak = atan2(z, 1.0)
    al = isnan(z)
    an = cuda.atomic.add(c, 0, z)
    ao = cuda.atomic.add(f, 0, z)
    ap = cuda.shfl_sync(0xffffffff, z, 0)
    aq = cuda.any_sync(0xffffffff, z)
    ar = popc(z)
    at = z.real[0]
    au = range(z)
    for av in range(z):
        pass
    aw = f + z
    ax = (1, 2) * z
    ay = n[0].imag.x
    az = selp(z, z, z)
    ba = cuda.shared.array(2j, complex64)
    bb = len(z)
    bc = fma(z, z, z)
    bd = z.astype(complex128)


def take(value):
    pass


@kernel
def takes_all():
    take(T)
    take(U)
