# Hashes and bit tricks.
from numba import cuda, int32, uint32, uint64


# FNV-1a of each record.
@cuda.jit("void(uint8[:, ::1], uint32[::1])")
def fnv1a(records, hashes):
    i = cuda.grid(1)
    if i < records.shape[0]:
        h = uint32(2166136261)
        for k in range(records.shape[1]):
            h = (h ^ records[i, k]) * uint32(16777619)
        hashes[i] = h


def rotate(x, by):
    return (x << by) | (x >> (32 - by))


# MurmurHash3 of each record of whole words.
@cuda.jit("void(uint32[:, ::1], int64, uint32[::1])")
def murmur3(records, seed, hashes):
    i = cuda.grid(1)
    if i < records.shape[0]:
        h = uint32(seed)
        for k in range(records.shape[1]):
            word = records[i, k] * uint32(0xcc9e2d51)
            word = rotate(word, 15) * uint32(0x1b873593)
            h = rotate(h ^ word, 13) * uint32(5) + uint32(0xe6546b64)
        h ^= uint32(4 * records.shape[1])
        h = (h ^ (h >> 16)) * uint32(0x85ebca6b)
        h = (h ^ (h >> 13)) * uint32(0xc2b2ae35)
        hashes[i] = h ^ (h >> 16)


# A cyclic redundancy check by a table of 256 words.
@cuda.jit
def crc32(records, table, sums):
    i = cuda.grid(1)
    if i < records.shape[0]:
        crc = uint32(0xffffffff)
        for k in range(records.shape[1]):
            crc = table[(crc ^ records[i, k]) & 255] ^ (crc >> 8)
        sums[i] = ~crc


# How many bits are set in all words.
@cuda.jit("void(uint32[::1], int32[::1])")
def popcount_sum(words, total):
    sums = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    count = int32(0)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count += int32(cuda.popc(words[i]))
    sums[t] = count
    cuda.syncthreads()
    half = 128
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, sums[0])


def spread(x):
    x = (x | (x << 16)) & uint32(0x030000ff)
    x = (x | (x << 8)) & uint32(0x0300f00f)
    x = (x | (x << 4)) & uint32(0x030c30c3)
    return (x | (x << 2)) & uint32(0x09249249)


# Morton codes of points with 10 bits in each of three dimensions.
@cuda.jit("void(uint32[:, ::1], uint32[::1])")
def morton3d(points, codes):
    i = cuda.grid(1)
    if i < codes.size:
        codes[i] = spread(points[i, 0]) | (spread(points[i, 1]) << 1) | (spread(points[i, 2]) << 2)


# From Gray's code, and back by a loop over the bits.
@cuda.jit
def gray_code(numbers, codes, back):
    i = cuda.grid(1)
    if i < numbers.size:
        code = numbers[i] ^ (numbers[i] >> 1)
        codes[i] = code
        number = code
        shift = 1
        while shift < 32:
            number ^= number >> shift
            shift *= 2
        back[i] = number


# Marsaglia's xorshift: a column of numbers from each seed.
@cuda.jit("void(uint32[::1], uint32[:, ::1])")
def xorshift(seeds, out):
    i = cuda.grid(1)
    if i < seeds.size:
        x = seeds[i]
        for k in range(out.shape[0]):
            x ^= x << 13
            x ^= x >> 17
            x ^= x << 5
            out[k, i] = x


# Hamming distances of all pairs of signatures of 256 bits.
@cuda.jit("void(uint32[:, ::1], uint32[:, ::1], int32[:, ::1])")
def hamming(a, b, distances):
    j, i = cuda.grid(2)
    if i < distances.shape[0] and j < distances.shape[1]:
        count = int32(0)
        for k in range(8):
            count += int32(cuda.popc(a[i, k] ^ b[j, k]))
        distances[i, j] = count


# The Tiny Encryption Algorithm: 32 rounds on each block of two words.
@cuda.jit("void(uint32[:, ::1], uint32[::1])")
def tea(blocks, key):
    i = cuda.grid(1)
    if i < blocks.shape[0]:
        v0 = blocks[i, 0]
        v1 = blocks[i, 1]
        total = uint32(0)
        for k in range(32):
            total += uint32(0x9e3779b9)
            v0 += ((v1 << 4) + key[0]) ^ (v1 + total) ^ ((v1 >> 5) + key[1])
            v1 += ((v0 << 4) + key[2]) ^ (v0 + total) ^ ((v0 >> 5) + key[3])
        blocks[i, 0] = v0
        blocks[i, 1] = v1


# Transposes squares of 32 x 32 bits by votes, a warp each.
@cuda.jit
def bit_transpose(words, out):
    i = cuda.grid(1)
    lane = cuda.laneid
    word = words[i]
    mine = uint32(0)
    for b in range(32):
        column = cuda.ballot_sync(0xffffffff, (word >> b) & 1)
        if lane == b:
            mine = column
    out[i] = mine


def rotate64(x, by):
    return (x << by) | (x >> (64 - by))


# SipHash-1-3's rounds over records of eight words of 64 bits.
@cuda.jit("void(uint64[:, ::1], uint64[::1])")
def siphash(records, hashes):
    i = cuda.grid(1)
    if i < hashes.size:
        a = uint64(0x736f6d6570736575)
        b = uint64(0x646f72616e646f6d)
        c = uint64(0x6c7967656e657261)
        d = uint64(0x7465646279746573)
        for k in range(11):
            word = uint64(0)
            if k < 8:
                word = records[i, k]
            d ^= word
            a += b
            b = rotate64(b, 13) ^ a
            a = rotate64(a, 32)
            c += d
            d = rotate64(d, 16) ^ c
            a += d
            d = rotate64(d, 21) ^ a
            c += b
            b = rotate64(b, 17) ^ c
            c = rotate64(c, 32)
            a ^= word
        hashes[i] = a ^ b ^ c ^ d
