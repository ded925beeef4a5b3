"""Ciphers, hashes and checksums."""
import numpy as np
from numba import cuda, uint8, uint32, uint64, int32, types

ROUNDS = 32
DELTA = 0x9E3779B9
MASK = 0xFFFFFFFF
BASE = 65521


#: def xtea_py(v0, v1, key):
#:     s = 0
#:     for _ in range(32):
#:         v0 = (v0 + (((v1 << 4 ^ v1 >> 5) + v1) ^ (s + key[s & 3]))) & 0xffffffff
#:         s = (s + 0x9E3779B9) & 0xffffffff
#:         v1 = (v1 + (((v0 << 4 ^ v0 >> 5) + v0) ^ (s + key[s >> 11 & 3]))) & 0xffffffff
#:     return v0, v1
#: plain = rng.integers(0, 2**32, (40, 2), dtype=np.uint32)
#: xkey = rng.integers(0, 2**32, 4, dtype=np.uint32)
#: code = poison((40, 2), np.uint32)
#: back = poison((40, 2), np.uint32)
#: launch xtea_encrypt[2, 32](plain, xkey, code)
#: launch xtea_decrypt[2, 32](code, xkey, back)
#: expect code == np.array([xtea_py(int(a), int(b), [int(k) for k in xkey]) for a, b in plain], np.uint32)
#: expect back == plain
@cuda.jit
def xtea_encrypt(plain, key, out):
    i = cuda.grid(1)
    if i >= plain.shape[0]:
        return
    v0, v1 = plain[i, 0], plain[i, 1]
    total = uint32(0)
    for _ in range(ROUNDS):
        v0 += (((v1 << 4) ^ (v1 >> 5)) + v1) ^ (total + key[total & 3])
        total += uint32(DELTA)
        v1 += (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (total + key[(total >> 11) & 3])
    out[i, 0], out[i, 1] = v0, v1


@cuda.jit
def xtea_decrypt(code, key, out):
    i = cuda.grid(1)
    if i >= code.shape[0]:
        return
    v0 = code[i, 0]
    v1 = code[i, 1]
    total = uint32((DELTA * ROUNDS) & MASK)
    while total != 0:
        v1 -= (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (total + key[(total >> 11) & 3])
        total -= uint32(DELTA)
        v0 -= (((v1 << 4) ^ (v1 >> 5)) + v1) ^ (total + key[total & 3])
    out[i, 0] = v0
    out[i, 1] = v1


@cuda.jit(device=True, inline=True)
def rotl32(x, n):
    return ((x << n) | (x >> (32 - n))) & 0xFFFFFFFF


@cuda.jit(device=True)
def quarter_round(s, a, b, c, d):
    s[a] = (s[a] + s[b]) & MASK
    s[d] = rotl32(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = rotl32(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b]) & MASK
    s[d] = rotl32(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = rotl32(s[b] ^ s[c], 7)


#: def chacha_py(key, counter, nonce):
#:     def qr(x, a, b, c, d):
#:         for p, q, r, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
#:             x[p] = (x[p] + x[q]) % 2**32
#:             v = x[r] ^ x[p]
#:             x[r] = (v << n | v >> 32 - n) % 2**32
#:     s = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, *map(int, key), counter, *map(int, nonce)]
#:     x = list(s)
#:     for _ in range(10):
#:         for q in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
#:             qr(x, *q)
#:     return [(a + b) % 2**32 for a, b in zip(x, s)]
#: ckey = rng.integers(0, 2**32, 8, dtype=np.uint32)
#: nonce = rng.integers(0, 2**32, 3, dtype=np.uint32)
#: stream = poison((9, 16), np.uint32)
#: launch chacha20[1, 32](ckey, nonce, stream)
#: expect stream == np.array([chacha_py(ckey, i + 1, nonce) for i in range(9)], np.uint32)
@cuda.jit
def chacha20(key, nonce, stream):
    block = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if block < stream.shape[0]:
        start = cuda.local.array(16, dtype=uint64)
        state = cuda.local.array(16, dtype=uint64)
        for k, word in enumerate((0x61707865, 0x3320646e, 0x79622d32, 0x6b206574)):
            start[k] = word
        for k in range(8):
            start[4 + k] = key[k]
        start[12] = block + 1
        for k in range(3):
            start[13 + k] = nonce[k]
        for k in range(16):
            state[k] = start[k]
        for _ in range(10):
            quarter_round(state, 0, 4, 8, 12)
            quarter_round(state, 1, 5, 9, 13)
            quarter_round(state, 2, 6, 10, 14)
            quarter_round(state, 3, 7, 11, 15)
            quarter_round(state, 0, 5, 10, 15)
            quarter_round(state, 1, 6, 11, 12)
            quarter_round(state, 2, 7, 8, 13)
            quarter_round(state, 3, 4, 9, 14)
        for k in range(16):
            stream[block, k] = (state[k] + start[k]) & MASK


#: import zlib
#: msg = rng.integers(0, 256, (30, 70), dtype=np.uint8)
#: length = rng.integers(0, 71, 30).astype(np.int32)
#: sums = poison((30, 2), np.uint32)
#: launch checksums[1, 32](msg, length, sums)
#: expect sums == np.array([[zlib.adler32(m[:k].tobytes()), zlib.crc32(m[:k].tobytes())] for m, k in zip(msg, length)], np.uint32)
@cuda.jit
def checksums(msg, length, sums):
    i = cuda.grid(1)
    if i < len(length):
        a, b = 1, 0
        crc = np.uint32(0xFFFFFFFF)
        for byte in msg[i, :length[i]]:
            a = (a + byte) % BASE
            b = (b + a) % BASE
            crc ^= byte
            for _ in range(8):
                crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
        sums[i, 0] = (b << 16) | a
        sums[i, 1] = ~crc


#: def rc4_py(key, n):
#:     s, j, out = list(range(256)), 0, []
#:     for i in range(256):
#:         j = (j + s[i] + key[i % len(key)]) % 256
#:         s[i], s[j] = s[j], s[i]
#:     i = j = 0
#:     for _ in range(n):
#:         i = (i + 1) % 256
#:         j = (j + s[i]) % 256
#:         s[i], s[j] = s[j], s[i]
#:         out.append(s[(s[i] + s[j]) % 256])
#:     return out
#: rkeys = rng.integers(0, 256, (6, 5), dtype=np.uint8)
#: keystream = poison((6, 20), np.uint8)
#: launch rc4[1, 8](rkeys, keystream)
#: expect keystream == np.array([rc4_py([int(k) for k in key], 20) for key in rkeys], np.uint8)
@cuda.jit
def rc4(keys, out):
    t = cuda.grid(1)
    if t >= keys.shape[0]:
        return
    key = keys[t]
    s = cuda.local.array(256, uint8)
    for i in range(256):
        s[i] = i
    j = 0
    for i in range(256):
        j = (j + s[i] + key[i % key.size]) & 0xFF
        s[i], s[j] = s[j], s[i]
    i = j = 0
    for n in range(out.shape[1]):
        i = (i + 1) & 255
        j = (j + s[i]) & 255
        s[i], s[j] = s[j], s[i]
        out[t, n] = s[(s[i] + s[j]) & 255]
