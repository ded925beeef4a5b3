# The thread block as a group: where its threads are, and what they find together. Blocks of any
# size and shape; calls one after another, in loops, in device functions, of different types.

def compose(a, b):
    """Affine maps modulo 2**16 as (factor, offset) in 32 bits: associative, not commutative."""
    m = uint32(0xffff)
    fa, oa, fb, ob = a >> 16, a & m, b >> 16, b & m
    return ((fa * fb & m) << 16) | (oa * fb + ob & m)

def give(i):
    return i * 3 + 1

def where(g, o, i):
    t, b, n = g.thread_index(), g.group_index(), g.dim_threads()
    o[i, 0] = t.x + 100 * g.thread_index.y + 10000 * t[2]
    o[i, 1] = b.x + 100 * g.group_index.y + 10000 * b.z
    o[i, 2] = n.x + 10000 * g.group_dim.y + 100000000 * cuda.cg.dim_threads(g).z

@cuda.jit
def of_block(x, f, o, r, s, b):
    g = cuda.cg.this_thread_block()
    i = cuda.cg.this_grid().thread_rank()
    where(g, o, i)
    v = x[i]
    r[i, 0] = g.reduce(v)
    r[i, 1] = cuda.cg.reduce(g, v, less)
    r[i, 2] = reduce(g, v, cuda.cg.greater())
    r[i, 3] = g.reduce(v, bit_and)
    r[i, 4] = g.reduce(v, bit_or)
    r[i, 5] = g.reduce(v, bit_xor)
    r[i, 6] = g.reduce(uint32(v), compose)
    r[i, 7] = g.reduce(v % 3 == 0)
    r[i, 8] = g.reduce(int8(v))
    s[i, 0] = g.reduce(f[i])
    s[i, 1] = g.reduce(float32(f[i]), greater)
    b[i, 0] = g.any(v % 50 == 0)
    b[i, 1] = g.all(v % 50 > 0)
    b[i, 2] = g.shfl(v, 5)
    b[i, 3] = g.shfl(int16(v), g.thread_rank() + 3)
    b[i, 4] = g.invoke_one_broadcast(give, i)

@cuda.jit
def in_loop(x, o, n):
    g = cuda.cg.this_thread_block()
    i = cuda.cg.this_grid().thread_rank()
    total = x[i]
    for trip in range(n):
        total = x[i] + g.reduce(total) % 1000
        if trip % 2 == 1:
            total = g.shfl(total, trip) ^ g.reduce(int32(total), greater) + g.thread_rank()
    o[i] = total

#: repeat grids [1, 1], [1, 2], [2, 3], [1, 4], [1, 8], [2, 16], [1, 31], [2, 32], [1, 33], [1, 64], [(2, 2), 96], [1, 256], [1, 1000], [2, 1024], [(2, 1, 3), (5, 4, 3)], [1, (33, 2, 2)], [1, (9, 7)]
#: threads, blocks = int(np.prod(BLOCK)), int(np.prod(GRID))
#: n = threads * blocks
#: x = rng.integers(0, 2**31, n)
#: f = rng.standard_normal(n)
#: o, r, s, b = poison((n, 3), "i8"), poison((n, 9), "i8"), poison((n, 2), "f8"), poison((n, 5), "i8")
#: launch of_block[GRID, BLOCK](x, f, o, r, s, b)
#: bx, by, bz = (*np.atleast_1d(BLOCK), 1, 1)[:3]
#: gx, gy, gz = (*np.atleast_1d(GRID), 1, 1)[:3]
#: t, k = np.arange(n) % threads, np.arange(n) // threads
#: expect o[:, 0] == t % bx + 100 * (t // bx % by) + 10000 * (t // bx // by)
#: expect o[:, 1] == k % gx + 100 * (k // gx % gy) + 10000 * (k // gx // gy)
#: expect o[:, 2] == bx + 10000 * by + 100000000 * bz
#: rows = x.reshape(blocks, threads)
#: many = [u.reduce(rows, axis=1) for u in (np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)]
#: affine = []
#: for row in rows:
#:     F, O = int(row[0]) >> 16, int(row[0]) & 0xffff
#:     for v in row[1:].tolist(): F, O = F * (v >> 16) & 0xffff, O * (v >> 16) + (v & 0xffff) & 0xffff
#:     affine.append(F << 16 | O)
#: many += [np.array(affine), (rows % 3 == 0).sum(1), rows.astype("i1").sum(1, dtype="i8")]
#: expect r == np.repeat(np.stack(many, 1), threads, axis=0)
#: F = f.reshape(blocks, threads)
#: expect close(s[:, 0], np.repeat(F.sum(1), threads), 1e-12, 1e-11)
#: expect s[:, 1] == np.repeat(F.astype("f4").max(1), threads)
#: expect b[:, 0] == np.repeat((rows % 50 == 0).any(1), threads)
#: expect b[:, 1] == np.repeat((rows % 50 > 0).all(1), threads)
#: expect b[:, 2] == np.repeat(rows[:, 5 % threads], threads)
#: expect b[:, 3] == np.roll(rows, -3, 1).astype("i2").ravel()
#: expect b[:, 4] == np.repeat(np.arange(0, n, threads) * 3 + 1, threads)
#: x = rng.integers(-1000, 1000, n)
#: o = poison(n, "i8")
#: launch in_loop[GRID, BLOCK](x, o, 5)
#: rows = x.reshape(blocks, threads)
#: total = rows
#: for trip in range(5):
#:     total = rows + total.sum(1, keepdims=True) % 1000
#:     if trip % 2: total = total[:, [trip % threads]] ^ total.max(1, keepdims=True) + np.arange(threads)
#: expect o == total.ravel()
