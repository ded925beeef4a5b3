# .view(dtype): every pair of item sizes, one to four dimensions, contiguous and strided arrays.

# Of integers, in the order of C.
def fold(v):
    total = v.size
    if v.ndim == 1:
        for x in v:
            total = total * 31 + int64(x)
    elif v.ndim == 2:
        for r in v:
            for x in r:
                total = total * 31 + int64(x)
    elif v.ndim == 3:
        for p in v:
            for r in p:
                for x in r:
                    total = total * 31 + int64(x)
    else:
        for i in range(v.shape[0]):
            for j in range(v.shape[1]):
                for k in range(v.shape[2]):
                    for l in range(v.shape[3]):
                        total = total * 31 + int64(v[i, j, k, l])
    return total

def extents(v):
    total = v.ndim
    for e in v.shape:
        total = total * 101 + e
    for s in v.strides:
        total = total * 1009 + s
    return total * 10 + v.itemsize + v.nbytes * 7

def all_types(a, o):
    o[0] = fold(a.view(int8)) + extents(a.view(int8))
    o[1] = fold(a.view(uint8)) + extents(a.view(uint8))
    o[2] = fold(a.view(np.int16)) + extents(a.view(np.int16))
    o[3] = fold(a.view(dtype=uint16)) + extents(a.view(float16))
    o[4] = fold(a.view(int32)) + extents(a.view(float32))
    o[5] = fold(a.view(uint32)) + extents(a.view(uint32))
    o[6] = fold(a.view(int64)) + extents(a.view(float64))
    o[7] = fold(a.view(int8).view(int32).view(int16)) + extents(a.view(float32).view(int8))
    o[8] = fold(a.view(a.dtype)) + extents(a.view(a.dtype))

@kernel
def generic(a, o):
    for t in range(cuda.grid(1), 1, cuda.gridsize(1)):
        all_types(a, o)

@kernel
def empty(a, b, c, o):
    for t in range(cuda.grid(1), 1, cuda.gridsize(1)):
        o[0] = a.view(int64).size
        o[1] = len(a.view(int8))
        o[2], o[3] = b.view(int32).shape[1], b.view(int16).shape[0]
        o[4], o[5] = fold(c.view(int64)), c.view(int8).shape[2]

# Rows apart: the last axis alone is contiguous, the others have strides of their own.
@kernel
def rows(a, b, c, d, o):
    for t in range(cuda.grid(1), 1, cuda.gridsize(1)):
        all_types(a[8:], o[0])
        all_types(b[1::2, 8:24], o[1])
        all_types(c[::-1, 1:, 16:], o[2])
        all_types(d[1, :, ::2, :16], o[3])

#: def fold(v):
#:     total = v.size
#:     for x in v.ravel().tolist():
#:         total = (total * 31 + x + 2 ** 63) % 2 ** 64 - 2 ** 63
#:     return total
#: def extents(v):
#:     total = v.ndim
#:     for e in v.shape:
#:         total = total * 101 + e
#:     for s in v.strides:
#:         total = total * 1009 + s
#:     return total * 10 + v.itemsize + v.nbytes * 7
#: def want(a):
#:     types = ["i1 i1", "u1 u1", "i2 i2", "u2 f2", "i4 f4", "u4 u4", "i8 f8"]
#:     w = [fold(a.view(s)) + extents(a.view(t)) for s, t in map(str.split, types)]
#:     w.append(fold(a.view("i4").view("i2")) + extents(a.view("f4").view("i1")))
#:     w.append(fold(a) + extents(a))
#:     return [(x + 2 ** 63) % 2 ** 64 - 2 ** 63 for x in w]
#: def random(shape, dtype):
#:     return np.frombuffer(rng.bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize), dtype).reshape(shape).copy()
#: a1, a2, a3, a4 = random(40, "i1"), random((3, 24), "i2"), random((5, 3, 8), "u4"), random((2, 3, 1, 7), "i8")
#: b1, b2, b3, b4 = random(8, "u8"), random((7, 2), "i4"), random((3, 1, 4), "u2"), random((2, 5, 3, 16), "u1")
#: e1, e2, e3 = random(0, "i2"), random((3, 0), "i1"), random((0, 5, 8), "i4")
#: oa1, oa2, oa3, oa4, ob1, ob2, ob3, ob4 = (poison(9, "i8") for _ in range(8))
#: repeat grids [1, 32], [2, 3]
#: launch generic[GRID, BLOCK](a1, oa1)
#: launch generic[GRID, BLOCK](a2, oa2)
#: launch generic[GRID, BLOCK](a3, oa3)
#: launch generic[GRID, BLOCK](a4, oa4)
#: launch generic[GRID, BLOCK](b1, ob1)
#: launch generic[GRID, BLOCK](b2, ob2)
#: launch generic[GRID, BLOCK](b3, ob3)
#: launch generic[GRID, BLOCK](b4, ob4)
#: oe = poison(6, "i8")
#: launch empty[GRID, BLOCK](e1, e2, e3, oe)
#: expect oa1 == want(a1)
#: expect oa2 == want(a2)
#: expect oa3 == want(a3)
#: expect oa4 == want(a4)
#: expect ob1 == want(b1)
#: expect ob2 == want(b2)
#: expect ob3 == want(b3)
#: expect ob4 == want(b4)
#: expect oe == [0, 0, 0, 3, 0, 32]
#: r1, r2, r3, r4 = random(48, "i1"), random((5, 32), "i2"), random((3, 4, 24), "u4"), random((2, 3, 5, 24), "i8")
#: orows = poison((4, 9), "i8")

#: launch rows[GRID, BLOCK](r1, r2, r3, r4, orows)
#: expect orows[0] == want(r1[8:])
#: expect orows[1] == want(r2[1::2, 8:24])
#: expect orows[2] == want(r3[::-1, 1:, 16:])
#: expect orows[3] == want(r4[1, :, ::2, :16])

# A number of bytes that does not divide is rounded down; with gaps in the last axis nothing is
# left.
@kernel
def odd(a: int8[::1], base: int16[:], step: int64, o: int64[:]):
    for t in range(cuda.grid(1), 1, cuda.gridsize(1)):
        s = base[::step]
        o[0] = len(a.view(int16))
        o[1] = fold(a.view(int32))
        o[2] = len(a[:7].view(int64)) * 100 + len(a[1:1].view(float64))
        o[3] = len(s.view(int8))
        o[4] = len(s.view(int32))
        o[5] = len(s[:1].view(int8))
        o[6] = len(s.view(float16))

#: n1 = random(43, "i1")
#: s1 = random(24, "i2")
#: oo, os = poison(7, "i8"), poison(7, "i8")
#: launch odd[GRID, BLOCK](n1, s1, 1, oo)
#: launch odd[GRID, BLOCK](n1, s1, 3, os)
#: expect oo == [21, fold(n1[:40].view("i4")), 0, 48, 12, 2, 24]
#: expect os == [21, fold(n1[:40].view("i4")), 0, 0, 0, 2, 8]

# Same size: any layout, gaps and negative strides included.
def of_same_size(a, o):
    o[0] = fold(a.view(int32))
    o[1] = fold(a.view(uint32)[::-1])
    o[2] = fold(a[:, ::-2].view(int32)) + extents(a[:, ::-2].view(int32))
    o[3] = fold(a.T.view(int32)) + extents(a.view(int32).T)

@kernel
def same_size(a, o):
    for t in range(cuda.grid(1), 1, cuda.gridsize(1)):
        of_same_size(a, o[0])
        of_same_size(a[1::2, ::3], o[1])

#: fc = random((5, 7), "f4")
#: ff = np.asfortranarray(fc)
#: oc, of = (poison((2, 4), "i8") for _ in range(2))
#: launch same_size[GRID, BLOCK](fc, oc)
#: launch same_size[GRID, BLOCK](ff, of)
#: def same_size(a):
#:     v = a[:, ::-2].view("i4")
#:     w = [fold(a.view("i4")), fold(a.view("u4")[::-1]), fold(v) + extents(v)]
#:     w.append(fold(a.T.view("i4")) + extents(a.view("i4").T))
#:     return [(x + 2 ** 63) % 2 ** 64 - 2 ** 63 for x in w]
#: expect oc == [same_size(fc), same_size(fc[1::2, ::3])]
#: expect of == [same_size(ff), same_size(ff[1::2, ::3])]

# Bits of floats, and stores: to elements, to parts, atomics; what is stored is seen by the array.
@kernel
def negate(x: float32[::1], bits: uint32[::1], bytes: uint8[::1]):
    v = x.view(uint32)
    for i in range(cuda.grid(1), len(x), cuda.gridsize(1)):
        bits[i] = v[i]
        v[i] ^= 0x80000000
        x[i] = x[i] * float32(2)
        b = x.view(uint8)[4 * i:4 * i + 4]
        bytes[4 * i:4 * i + 4] = b
        cuda.atomic.add(v, i, 1)
        cuda.atomic.or_(x[i:i + 1].view(int32), 0, 2)

#: x = rng.normal(size=1001).astype("f4")
#: bits, bytes = poison(1001, "u4"), poison(4004, "u1")
#: launch negate[GRID, BLOCK](x, bits, bytes)
#: expect bits == x_in.view("u4")
#: expect bytes == (x_in * -2).view("u1")
#: expect x.view("u4") == ((x_in * -2).view("u4") + 1 | 2)

# In shared and local memory, from device functions, along control flow.
def as_bytes(v):
    return v.view(uint8)

def sum_bytes(v):
    total = 0
    for b in as_bytes(v):
        total += int64(b)
    return total

@kernel
def memory(x: int64[::1], o: int64[:, :]):
    tile = cuda.shared.array((4, 32), int64)
    mine = cuda.local.array(3, int32)
    flags = cuda.local.array((2, 8), uint8)
    for i in range(cuda.grid(1), len(x), cuda.gridsize(1)):
        t = cuda.threadIdx.x
        tile[2, t] = x[i]
        mine[:] = 0
        mine.view(uint8)[t % 12] = 200
        flags[:] = 3
        flags.view(int64)[1, 0] = x[i]
        if x[i] % 2:
            part = tile[2, t:t + 1].view(int32)
        else:
            part = mine[0:2]
        o[i, 0] = sum_bytes(tile[2, t:t + 1])
        o[i, 1] = mine[t % 12 // 4]
        o[i, 2] = flags[1, 5] + int64(flags.view(int16)[0, 3]) * 1000
        o[i, 3] = tile[2].view(uint16)[4 * t + 1]
        o[i, 4] = part[1]
        o[i, 5] = tile.view(int8).shape[1] + mine.view(int16).size * 1000 + tile.nbytes * 100000

#: w = random(64, "i8")
#: om = poison((64, 6), "i8")
#: launch memory[2, 32](w, om)
#: lane = np.arange(64) % 32
#: expect om[:, 0] == w.view("u1").reshape(64, 8).sum(1)
#: expect om[:, 1] == np.where(lane % 12 % 4 == 3, np.int64(200 - 256) << 24, 200 << 8 * (lane % 12 % 4))
#: expect om[:, 2] == w.view("u1").reshape(64, 8)[:, 5].astype("i8") + 771000
#: expect om[:, 3] == w.view("u2").reshape(64, 4)[:, 1]
#: m1 = np.where(lane % 12 // 4 == 1, om[:, 1], 0)
#: expect om[:, 4] == np.where(w % 2, w.view("i4").reshape(64, 2)[:, 1], m1)
#: expect om[:, 5] == 256 + 6000 + 1024 * 100000
