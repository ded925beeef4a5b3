"""Boards, curves, codes and floats, bit by bit."""
import numpy as np
from numba import cuda, float32, int32, int64, uint8, uint32, uint64

QUEENS = 6
MAGIC = np.int32(0x5F3759DF)


#: nq = np.zeros(1, np.int32)
#: launch count_queens[1, 6](nq)
#: expect nq == 4
@cuda.jit
def count_queens(total):
    """One thread for each square of the first row; a stack of masks instead of recursion."""
    full = (1 << QUEENS) - 1
    first = 1 << cuda.threadIdx.x
    cols = cuda.local.array(QUEENS + 1, int32)
    left = cuda.local.array(QUEENS + 1, int32)
    right = cuda.local.array(QUEENS + 1, int32)
    todo = cuda.local.array(QUEENS + 1, int32)
    depth = 1
    cols[1], left[1], right[1] = first, first << 1, first >> 1
    todo[1] = full & ~(cols[1] | left[1] | right[1])
    solutions = 0
    while depth >= 1:
        if todo[depth] == 0:
            depth -= 1
            continue
        bit = todo[depth] & -todo[depth]
        todo[depth] ^= bit
        if depth + 1 == QUEENS:
            solutions += 1
            continue
        cols[depth + 1] = cols[depth] | bit
        left[depth + 1] = (left[depth] | bit) << 1
        right[depth + 1] = (right[depth] | bit) >> 1
        depth += 1
        todo[depth] = full & ~(cols[depth] | left[depth] | right[depth])
    cuda.atomic.add(total, 0, solutions)


#: xy = poison((64, 2), np.int32)
#: launch hilbert[1, 64](xy, 8)
#: step = np.abs(np.diff(np.array(xy), axis=0)).sum(1)
#: expect step == 1
#: expect len({tuple(p) for p in np.array(xy).tolist()}) == 64
#: expect xy[0] == [0, 0]
@cuda.jit
def hilbert(xy, n):
    d = cuda.grid(1)
    if d < n * n:
        t = d
        x = y = 0
        s = 1
        while s < n:
            rx = 1 & (t // 2)
            ry = 1 & (t ^ rx)
            if ry == 0:
                if rx == 1:
                    x, y = s - 1 - x, s - 1 - y
                x, y = y, x
            x += s * rx
            y += s * ry
            t //= 4
            s *= 2
        xy[d, 0] = x
        xy[d, 1] = y


#: m8 = rng.integers(0, 2**63, 20, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
#: m8t = poison(20, np.uint64)
#: launch transpose_bits[1, 32](m8, m8t)
#: bits = np.unpackbits(m8.view(np.uint8).reshape(20, 8), axis=1, bitorder="little").reshape(20, 8, 8)
#: expect m8t == np.packbits(bits.transpose(0, 2, 1).reshape(20, 64), axis=1, bitorder="little").view(np.uint64)[:, 0]
@cuda.jit
def transpose_bits(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        t = (x ^ (x >> uint64(7))) & uint64(0x00AA00AA00AA00AA)
        x = x ^ t ^ (t << uint64(7))
        t = (x ^ (x >> uint64(14))) & uint64(0x0000CCCC0000CCCC)
        x = x ^ t ^ (t << uint64(14))
        t = (x ^ (x >> uint64(28))) & uint64(0x00000000F0F0F0F0)
        x = x ^ t ^ (t << uint64(28))
        dst[i] = x


#: pos = rng.uniform(0.01, 100, 50).astype(np.float32)
#: inv = poison(50, np.float32)
#: launch quick_rsqrt[1, 64](pos, inv)
#: expect close(inv, 1 / np.sqrt(pos), 2e-3)
@cuda.jit
def quick_rsqrt(x, y):
    i = cuda.grid(1)
    if i < x.size:
        word = cuda.local.array(1, int32)
        number = word.view(np.float32)
        number[0] = x[i]
        word[0] = MAGIC - (word[0] >> 1)
        r = number[0]
        r *= 1.5 - 0.5 * x[i] * r * r
        y[i] = r


#: keys = rng.integers(0, 2**32, 30, dtype=np.uint32)
#: probe = np.concatenate([keys, rng.integers(0, 2**32, 30, dtype=np.uint32)])
#: bloom = np.zeros(32, np.uint32)
#: maybe = poison(60, np.uint8)
#: launch bloom_insert[1, 32](keys, bloom)
#: launch bloom_query[1, 64](probe, bloom, maybe)
#: def hashes(k, j):
#:  return ((k.astype(np.uint64) * np.uint64(0x9E3779B1 + 2 * j)) % np.uint64(2**32) >> np.uint64(22)).astype(int)
#: bits1024 = np.zeros(1024, bool)
#: for j in range(3): bits1024[hashes(keys, j)] = True
#: expect maybe == np.logical_and.reduce([bits1024[hashes(probe, j)] for j in range(3)])
@cuda.jit(device=True)
def bloom_hash(key, j):
    h = key * uint32(0x9E3779B1 + 2 * j)
    return uint32(h) >> 22


@cuda.jit
def bloom_insert(keys, bloom):
    i = cuda.grid(1)
    if i < keys.size:
        for j in range(3):
            h = bloom_hash(keys[i], j)
            cuda.atomic.or_(bloom, h >> 5, uint32(1) << (h & 31))


@cuda.jit
def bloom_query(keys, bloom, maybe):
    i = cuda.grid(1)
    if i < keys.size:
        here = True
        for j in range(3):
            h = bloom_hash(keys[i], j)
            here = here and (bloom[h >> 5] >> (h & 31)) & 1
        maybe[i] = here


#: items = rng.integers(1, 30, 8, dtype=np.int32)
#: counts = np.zeros(9, np.int32)
#: best = np.zeros(1, np.int32)
#: launch all_subsets[4, 64](items, 60, counts, best)
#: sums = [sum(int(v) for k, v in enumerate(items) if m >> k & 1) for m in range(256)]
#: expect best == max(t for t in sums if t <= 60)
#: expect counts == [sum(bin(m).count("1") == k and sums[m] <= 60 for m in range(256)) for k in range(9)]
@cuda.jit
def all_subsets(items, capacity, counts, best):
    mask = cuda.grid(1)
    if mask < 1 << items.size:
        weight = 0
        for k in range(items.size):
            if mask >> k & 1:
                weight += items[k]
        if weight <= capacity:
            cuda.atomic.add(counts, cuda.popc(mask), 1)
            cuda.atomic.max(best, 0, weight)


#: halfs = rng.integers(0, 65536, 40, dtype=np.uint16)
#: floats = poison(40, np.float32)
#: launch decode_half[1, 64](halfs, floats)
#: expect same(floats, halfs.view(np.float16).astype(np.float32))
@cuda.jit
def decode_half(h, out):
    i = cuda.grid(1)
    if i < h.size:
        sign = -1.0 if h[i] >> 15 else 1.0
        exponent = (h[i] >> 10) & 0x1F
        fraction = h[i] & 0x3FF
        if exponent == 31:
            value = np.inf if fraction == 0 else np.nan
        elif exponent == 0:
            value = fraction / 1024 * 2 ** -14
        else:
            value = (1 + fraction / 1024) * 2.0 ** (exponent - 15)
        out[i] = sign * value
