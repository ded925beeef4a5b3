"""Bit tricks and integers of all widths."""
#: check no: several threads of `sieve` store the same value in one element
import numpy as np
from numba import cuda, int32, uint8, uint32, uint64, int64


#: a = rng.integers(0, 2**32, 100, dtype=np.uint32)
#: pc = poison(100, np.int32)
#: launch population_count[1, 128](a, pc)
#: expect pc == np.array([bin(v).count("1") for v in a.tolist()])
@cuda.jit
def population_count(a, pc):
    i = cuda.grid(1)
    if i < a.size:
        pc[i] = cuda.popc(a[i])


#: kern = poison(100, np.int32)
#: launch kernighan_count[1, 128](a, kern)
#: expect kern == pc
@cuda.jit
def kernighan_count(a, out):
    i = cuda.grid(1)
    if i >= a.size:
        return
    v = a[i]
    n = 0
    while v:
        v &= v - 1
        n += 1
    out[i] = n


#: rev = poison(100, np.uint32)
#: launch reverse_bits[1, 128](a, rev)
#: expect rev == np.array([int(f"{v:032b}"[::-1], 2) for v in a.tolist()])
@cuda.jit
def reverse_bits(a, rev):
    i = cuda.grid(1)
    if i < a.size:
        x = a[i]
        y = uint32(0)
        for k in range(32):
            y = (y << 1) | (x & 1)
            x = x >> 1
        if y == cuda.brev(a[i]):
            rev[i] = y


#: gray = poison(100, np.uint32)
#: back = poison(100, np.uint32)
#: launch gray_code[1, 128](a, gray, back)
#: expect gray == a ^ (a >> np.uint32(1))
#: expect back == a
@cuda.jit
def gray_code(a, gray, back):
    i = cuda.grid(1)
    if i < a.size:
        g = a[i] ^ (a[i] >> 1)
        gray[i] = g
        b = g
        shift = 1
        while shift < 32:
            b ^= b >> shift
            shift <<= 1
        back[i] = b


#: mx = rng.integers(0, 2**16, 60, dtype=np.uint16)
#: my = rng.integers(0, 2**16, 60, dtype=np.uint16)
#: code = poison(60, np.uint32)
#: launch morton_encode[1, 64](mx, my, code)
#: spread = lambda v: sum(((v.astype(np.int64) >> k) & 1) << (2 * k) for k in range(16))
#: expect code == spread(mx) | (spread(my) << 1)
@cuda.jit(device=True)
def part1by1(n):
    n &= 0x0000ffff
    n = (n | (n << 8)) & 0x00FF00FF
    n = (n | (n << 4)) & 0x0F0F0F0F
    n = (n | (n << 2)) & 0x33333333
    n = (n | (n << 1)) & 0x55555555
    return n


@cuda.jit
def morton_encode(x, y, code):
    i = cuda.grid(1)
    if i < x.size:
        code[i] = part1by1(x[i]) | (part1by1(y[i]) << 1)


#: bools = rng.integers(0, 2, 250).astype(np.bool_)
#: packed = poison(32, np.uint8)
#: launch pack_bits[1, 32](bools, packed)
#: expect packed == np.packbits(bools)
@cuda.jit
def pack_bits(bools, packed):
    i = cuda.grid(1)
    if i < packed.size:
        byte = 0
        for b in range(8):
            k = 8 * i + b
            if k < bools.size and bools[k]:
                byte |= 1 << (7 - b)
        packed[i] = byte


#: unpacked = poison(250, np.bool_)
#: launch unpack_bits[2, 128](packed, unpacked)
#: expect unpacked == bools
@cuda.jit
def unpack_bits(packed, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = (packed[i // 8] >> (7 - i % 8)) & 1 != 0


#: ga = rng.integers(1, 5000, 80)
#: gb = rng.integers(1, 5000, 80)
#: g = poison(80, np.int64)
#: launch gcd_all[1, 96](ga, gb, g)
#: expect g == np.gcd(ga, gb)
@cuda.jit(device=True)
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@cuda.jit
def gcd_all(a, b, g):
    i = cuda.grid(1)
    if i < a.size:
        g[i] = gcd(a[i], b[i])


#: prime = np.ones(200, np.bool_)
#: launch sieve[1, 32](prime)
#: expect np.flatnonzero(prime)[2:] == np.array([p for p in range(2, 200) if all(p % d for d in range(2, p))])
@cuda.jit
def sieve(prime):
    n = prime.size
    p = cuda.threadIdx.x + 2
    while p * p < n:
        k = p * p
        while k < n:
            prime[k] = False
            k += p
        p += cuda.blockDim.x


#: base = rng.integers(1, 1000, 40)
#: pw = poison(40, np.int64)
#: launch mod_pow[1, 64](base, pw, 65537, 1000003)
#: expect pw == np.array([pow(int(v), 65537, 1000003) for v in base])
@cuda.jit
def mod_pow(base, out, exponent, modulus):
    i = cuda.threadIdx.x
    if i < base.size:
        result = 1
        b = base[i] % modulus
        e = exponent
        while e > 0:
            if e & 1:
                result = result * b % modulus
            b = b * b % modulus
            e >>= 1
        out[i] = result


#: rows = rng.integers(0, 256, (20, 11), dtype=np.uint8)
#: crc = poison(20, np.uint32)
#: launch crc32_rows[1, 32](rows, crc)
#: import zlib
#: expect crc == np.array([zlib.crc32(r.tobytes()) for r in rows])
@cuda.jit
def crc32_rows(data, crc):
    i = cuda.grid(1)
    if i < data.shape[0]:
        c = uint32(0xFFFFFFFF)
        for j in range(data.shape[1]):
            c ^= data[i, j]
            for k in range(8):
                if c & 1:
                    c = uint32(c >> 1) ^ uint32(0xEDB88320)
                else:
                    c = uint32(c >> 1)
        crc[i] = c ^ uint32(0xFFFFFFFF)


#: coll = rng.integers(1, 3000, 70)
#: lengths = poison(70, np.int32)
#: launch collatz[1, 96](coll, lengths)
#: def steps_of(v):
#:   k = 0
#:   while v != 1: v, k = (v // 2 if v % 2 == 0 else 3 * v + 1), k + 1
#:   return k
#: expect lengths == np.array([steps_of(int(v)) for v in coll])
@cuda.jit
def collatz(start, lengths):
    i = cuda.grid(1)
    if i < start.size:
        n = start[i]
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        lengths[i] = steps
