# Shuffles of every type: all lanes, distances and bits, those past 31 included; the last warp of a
# block may be partial, where a lane that is not there is not asked for.

@kernel
def shuffle(x, lanes, idx, up, down, flip):
    i = grid(1)
    full = 0xffffffff
    for k in range(lanes.shape[0]):
        src = lanes[k, i]
        idx[k, i] = cuda.shfl_sync(full, x[i], src)
        up[k, i] = cuda.shfl_up_sync(full, x[i], k)
        down[k, i] = cuda.shfl_down_sync(full, x[i], k)
        flip[k, i] = cuda.shfl_xor_sync(full, x[i], k)

#: repeat grids [1, 1], [2, 31], [3, 32], [2, 33], [1, 96], [2, 100]
#: TYPES = "bool int8 uint8 int16 uint16 float16 int32 uint32 float32 int64 uint64 float64".split()
#: n = GRID * BLOCK
#: rank = np.arange(n) % BLOCK
#: base, lane = rank // 32 * 32 + np.arange(n) // BLOCK * BLOCK, rank % 32
#: there = np.minimum(32, BLOCK - rank // 32 * 32)
#: lanes = (rng.integers(0, 1 << 30, (32, n)) % there + rng.integers(-3, 3, (32, n)) * 32).astype("i4")
#: def random(t):
#:     bits = rng.integers(0, 256, n * np.dtype(t).itemsize, dtype="u1")
#:     return (bits & 1).astype(bool) if t == "bool" else np.nan_to_num(bits.view(t), posinf=1, neginf=2)
#: for t in TYPES:
#:     globals()["x_" + t] = random(t)
#:     globals().update({a + t: np.zeros((32, n), t) for a in "IUDF"})
#: launch shuffle[GRID, BLOCK](x_bool, lanes, Ibool, Ubool, Dbool, Fbool)
#: launch shuffle[GRID, BLOCK](x_int8, lanes, Iint8, Uint8, Dint8, Fint8)
#: launch shuffle[GRID, BLOCK](x_uint8, lanes, Iuint8, Uuint8, Duint8, Fuint8)
#: launch shuffle[GRID, BLOCK](x_int16, lanes, Iint16, Uint16, Dint16, Fint16)
#: launch shuffle[GRID, BLOCK](x_uint16, lanes, Iuint16, Uuint16, Duint16, Fuint16)
#: launch shuffle[GRID, BLOCK](x_float16, lanes, Ifloat16, Ufloat16, Dfloat16, Ffloat16)
#: launch shuffle[GRID, BLOCK](x_int32, lanes, Iint32, Uint32, Dint32, Fint32)
#: launch shuffle[GRID, BLOCK](x_uint32, lanes, Iuint32, Uuint32, Duint32, Fuint32)
#: launch shuffle[GRID, BLOCK](x_float32, lanes, Ifloat32, Ufloat32, Dfloat32, Ffloat32)
#: launch shuffle[GRID, BLOCK](x_int64, lanes, Iint64, Uint64, Dint64, Fint64)
#: launch shuffle[GRID, BLOCK](x_uint64, lanes, Iuint64, Uuint64, Duint64, Fuint64)
#: launch shuffle[GRID, BLOCK](x_float64, lanes, Ifloat64, Ufloat64, Dfloat64, Ffloat64)
#: g = globals()
#: k = np.arange(32)[:, None]
#: def moved(x, to):
#:     ok = (to >= 0) & (to < there)
#:     return x[base + np.where(ok, to, lane)], ok | (to < 0) | (to > 31)
#: def right(y, x, to):
#:     want, defined = moved(x, to)
#:     return np.array_equal(y[defined], want[defined])
#: def all_right(t):
#:     x = g["x_" + t]
#:     return (right(g["I" + t], x, lanes % 32) and right(g["U" + t], x, lane - k)
#:             and right(g["D" + t], x, lane + k) and right(g["F" + t], x, lane ^ k))
#: expect [all_right(t) for t in TYPES]
