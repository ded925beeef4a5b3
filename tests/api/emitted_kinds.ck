# Every kind of parameter, for tests/api/emitted_kinds.c.
Pair = record(x=int32, y=float32)
Star = record(at=float2, n=int32)


@kernel
def scalars(b: boolean, a: int8, c: int16, d: int32, e: int64, f: uint8, g: uint16, h: uint32,
            i: uint64, j: float16, k: bfloat16, l: float32, m: float64, n: complex64,
            o: complex128, out: float64[::1]):
    out[0] = (float64(b) + float64(a) + float64(c) + float64(d) + float64(e) + float64(f) +
              float64(g) + float64(h) + float64(i) + float64(j) + float64(k) + float64(l) + m +
              float64(n.real) + o.imag)


@kernel
def tuples(t: (int32, (float64, complex64), int32[::1])):
    t[2][0] = t[0] + int32(t[1][0]) + int32(t[1][1].real)


@kernel
def records(p: Pair[::1], one: Pair):
    i = grid(1)
    if i < len(p):
        p[i].x = one.x + i
        p[i].y = one.y


@kernel
def vectors(v: float32x4[::1], w: float32x2, out: float32[::1]):
    i = grid(1)
    if i < len(v):
        out[i] = v[i].w + w.y


@kernel
def stars(s: Star[::1], one: Star):
    i = grid(1)
    if i < len(s):
        s[i].at = one.at * i
        s[i].n = one.n


@kernel
def defaults(x: float32[::1], a: float32 = 2.5, n: int32 = 3):
    x[0] = a * n


@kernel(["void(float32[::1], float32)", "void(int32[::1], int32)", "void(float64[:, ::1], float64)"])
def many(x, a):
    pass


@kernel
def zero(r: int32[()], s: float32[:, :], f: float64[::1, :]):
    r[()] = s.shape[0] + f.shape[1]


@kernel
def rows(M: int32[:, ::1]):
    g = this_grid()
    M[0, grid(1)] = 1
    g.sync()
    M[1, grid(1)] = M[0, grid(1)]


@kernel
def dynamic(x: float32[::1]):
    s = cuda.shared.array(0, float32)
    s[threadIdx.x] = x[threadIdx.x]
    syncthreads()
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]


@kernel
def shift(x: float32[::1], y: float32[::1], by: int32):
    i = grid(1)
    if i < 4 and i + by >= 0:
        y[i] = x[i + by]


@kernel
def odd(α: int32, β: int64, CK_INT32: int32, unix: float32, int32_t: int8, t: (int32, uint8),
        t_0_: int32, t_0__: int8, INT8_MAX: int16, ck_stream_launch: int32, co_await: float64,
        out: int64[::1]):
    out[0] = (α + β + CK_INT32 + int64(unix) + int32_t + t[0] + t[1] + t_0_ + t_0__ + INT8_MAX +
              ck_stream_launch + int64(co_await))


@kernel
def ck_stream(x: int64[::1]):
    x[0] = 1


@kernel
def generic(x):
    x[0] = 2
