"""Transforms, sorting, dynamic programming and bits."""

import numpy as np

from .common import in_blocks, reference, u32

# --- Transforms -----------------------------------------------------------------------------------


def butterflies(n, distance):
    """The lower elements of the pairs at this distance, a power of two."""
    i = np.arange(n)
    return i[i & distance == 0]


@reference
def fft_step(re, im, p, n, **_):
    z = re + 1j * im
    i = np.arange(n // 2)
    k = i % p
    u, v = z[:n // 2], z[n // 2:] * np.exp(-1j * np.pi * k / p)
    out = np.empty(n, complex)
    out[2 * i - k], out[2 * i - k + p] = u + v, u - v
    return {"out_re": out.real, "out_im": out.imag}


@reference
def fft_block(re, im, **_):
    z = np.fft.fft(re + 1j * im, axis=1)
    return {"re": z.real, "im": z.imag}


@reference
def walsh_step(x, d, n, **_):
    out, i = x.copy(), butterflies(n, d)
    out[i], out[i + d] = x[i] + x[i + d], x[i] - x[i + d]
    return {"x": out}


@reference
def walsh_block(x, **_):
    matrix = np.ones((1, 1))
    while len(matrix) < 512:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return {"x": (x.reshape(-1, 512) @ matrix).ravel()}


@reference
def dct8x8(image, n, m, **_):
    u, k = np.mgrid[:8, :8]
    matrix = np.where(u == 0, np.sqrt(1 / 8), 0.5 * np.cos((2 * k + 1) * u * np.pi / 16))
    tiles = image.reshape(n // 8, 8, m // 8, 8).transpose(0, 2, 1, 3)
    return {"out": (matrix @ tiles @ matrix.T).transpose(0, 2, 1, 3).reshape(n, m)}


@reference
def haar_step(x, **_):
    even, odd = x[::2], x[1::2]
    return {"out": np.concatenate([even + odd, even - odd]) / np.sqrt(2)}


@reference
def wavelet53_rows(x, **_):
    even, odd = x[:, ::2], x[:, 1::2]
    high = odd - (even + np.hstack([even[:, 1:], even[:, -1:]]) >> 1)
    low = even + (np.hstack([high[:, :1], high[:, :-1]]) + high + 2 >> 2)
    return {"out": np.hstack([low, high])}


@reference
def bit_reversal(x, n, bits, **_):
    return {"out": x[[int(f"{i:0{bits}b}"[::-1], 2) for i in range(n)]]}


@reference
def ntt_step(x, roots, half, n, **_):
    prime, out, i = 998244353, x.copy(), butterflies(n, half)
    a, b = x[i].astype(int), x[i + half].astype(int) * roots[i % half].astype(int) % prime
    out[i], out[i + half] = (a + b) % prime, (a - b) % prime
    return {"x": out}


# --- Sorting and scans ----------------------------------------------------------------------------


@reference
def bitonic_step(x, j, k, n, **_):
    out, i = x.copy(), butterflies(n, j)
    pair = np.sort([x[i], x[i + j]], axis=0)
    out[i], out[i + j] = np.where(i & k == 0, pair, pair[::-1])
    return {"x": out}


@reference
def bitonic_block(x, **_):
    # The last merge of 512 ascends in all blocks.
    return {"x": np.sort(x.reshape(-1, 512), axis=1).ravel()}


@reference
def odd_even_merge_step(x, p, k, n, **_):
    out = x.copy()
    for j in range(k % p, n - k, 2 * k):
        for i in range(j, min(j + k, n - k)):
            if i // (2 * p) == (i + k) // (2 * p):
                out[i], out[i + k] = sorted(out[[i, i + k]])
    return {"x": out}


@reference
def block_scan(x, n, **_):
    scanned = in_blocks(x, 256).cumsum(1)
    return {"out": scanned.ravel()[:n], "sums": scanned[:, -1]}


@reference
def scan_blelloch(x, **_):
    blocks = x.reshape(-1, 512)
    return {"out": (blocks.cumsum(1) - blocks).ravel()}


@reference
def scan_warps(x, n, **_):
    return {"out": in_blocks(x, 256).cumsum(1).ravel()[:n]}


@reference
def radix_histogram(keys, counts, shift, **_):
    digits = in_blocks(keys.astype(int) >> shift & 15, 256, 16)
    return {"counts": np.array([(digits == digit).sum(1) for digit in range(16)])}


@reference
def radix_scatter(keys, starts, out, shift, **_):
    out = out.copy()
    for block, first in zip(keys.reshape(-1, 256), starts):
        for digit in range(16):
            some = block[block >> shift & 15 == digit]
            out[first[digit]:first[digit] + len(some)] = some
    return {"out": out}


@reference
def compact(x, out, **_):
    out, blocks = out.copy(), in_blocks(x, 256)
    for i, block in enumerate(blocks):
        out[256 * i:256 * i + (block > 0).sum()] = block[block > 0]
    return {"out": out, "counts": (blocks > 0).sum(1)}


@reference
def merge_by_rank(a, b, **_):
    return {"out": np.sort(np.concatenate([a, b]))}


@reference
def binary_search(keys, queries, **_):
    return {"places": np.searchsorted(keys, queries)}


@reference
def rank_sort(keys, **_):
    return {"out": np.sort(keys)}


# --- Dynamic programming --------------------------------------------------------------------------


@reference
def needleman_wunsch(a, b_letters, b, **_):
    s = np.zeros((b, 65, 65), int)
    s[:, 0] = s[:, :, 0] = -np.arange(65)
    for i in range(64):
        for j in range(64):
            match = np.where(a[:, i] == b_letters[:, j], 1, -1)
            s[:, i + 1, j + 1] = np.max([s[:, i, j] + match, s[:, i, j + 1] - 1, s[:, i + 1, j] - 1], 0)
    return {"scores": s[:, 1:, 1:]}


@reference
def edit_diagonal(a, b, before, last, now, n, **_):
    i = np.arange(1, n)
    now = now.copy()
    now[i] = np.min([last[i - 1] + 1, last[i] + 1, before[i - 1] + (a[i - 1] != b[n - i - 1])], 0)
    return {"now": now}


@reference
def edit_words(a, b, n, **_):
    s = np.zeros((n, 17, 17), int)
    s[:, 0] = s[:, :, 0] = np.arange(17)
    for i in range(16):
        for j in range(16):
            s[:, i + 1, j + 1] = np.min([s[:, i, j + 1] + 1, s[:, i + 1, j] + 1,
                                         s[:, i, j] + (a[:, i] != b[:, j])], 0)
    return {"distances": s[:, 16, 16]}


def cheapest_step(wall, costs):
    edge = np.pad(costs, 1, constant_values=1 << 30)
    return wall + np.min([edge[:-2], edge[1:-1], edge[2:]], 0)


@reference
def pathfinder_row(wall, costs, row, **_):
    return {"out": cheapest_step(wall[row], costs)}


@reference
def pathfinder_tile(wall, costs, **_):
    for row in wall:
        costs = cheapest_step(row, costs)
    return {"out": costs}


@reference
def knapsack_row(best, w, **_):
    return {"out": np.maximum(best, np.append(np.zeros(w, int), best[:-w] + 99))}


@reference
def floyd_warshall(distances, k, **_):
    return {"distances": np.minimum(distances, distances[:, k:k + 1] + distances[k])}


@reference
def viterbi_step(scores, transitions, emissions, **_):
    scores = scores[:, None] + transitions
    return {"out": scores.max(0) + emissions, "before": scores.argmax(0)}


# --- Hashes and bit tricks ------------------------------------------------------------------------


def rotated(x, by):
    bits = 8 * x.itemsize
    return x << x.dtype.type(by) | x >> x.dtype.type(bits - by)


@reference
def fnv1a(records, n, **_):
    h = np.full(n, 2166136261, np.uint32)
    for column in records.T:
        h = (h ^ column) * u32(16777619)
    return {"hashes": h}


@reference
def murmur3(records, n, k, **_):
    h = np.full(n, 42, np.uint32)
    for column in records.T:
        word = rotated(column * u32(0xcc9e2d51), 15) * u32(0x1b873593)
        h = rotated(h ^ word, 13) * u32(5) + u32(0xe6546b64)
    h = h ^ u32(4 * k)
    h = (h ^ h >> u32(16)) * u32(0x85ebca6b)
    h = (h ^ h >> u32(13)) * u32(0xc2b2ae35)
    return {"hashes": h ^ h >> u32(16)}


@reference
def crc32(records, table, n, **_):
    crc = np.full(n, 0xffffffff, np.uint32)
    for column in records.T:
        crc = table[(crc ^ column) & u32(255)] ^ crc >> u32(8)
    return {"sums": ~crc}


def bits_of(words):
    """Along a new last axis, the lowest first."""
    return words[..., None] >> np.arange(32, dtype=np.uint32) & u32(1)


@reference
def popcount_sum(words, **_):
    return {"total": bits_of(words).sum(keepdims=True)[0]}


@reference
def morton3d(points, **_):
    bits = bits_of(points)[:, :, :10].astype(np.int64)
    places = 3 * np.arange(10) + np.arange(3)[:, None]
    return {"codes": (bits << places).sum((1, 2))}


@reference
def gray_code(numbers, **_):
    return {"codes": numbers ^ numbers >> u32(1), "back": numbers}


@reference
def xorshift(seeds, k, **_):
    rows, x = [], seeds
    for _ in range(k):
        x = x ^ x << u32(13)
        x = x ^ x >> u32(17)
        x = x ^ x << u32(5)
        rows.append(x)
    return {"out": np.array(rows)}


@reference
def hamming(a, b, **_):
    return {"distances": bits_of(a[:, None] ^ b[None]).sum((2, 3))}


@reference
def tea(blocks, key, **_):
    v0, v1 = blocks.T
    total = np.zeros_like(v0)
    for _ in range(32):
        total = total + u32(0x9e3779b9)
        v0 = v0 + ((v1 << u32(4)) + key[0] ^ v1 + total ^ (v1 >> u32(5)) + key[1])
        v1 = v1 + ((v0 << u32(4)) + key[2] ^ v0 + total ^ (v0 >> u32(5)) + key[3])
    return {"blocks": np.stack([v0, v1], 1)}


@reference
def bit_transpose(words, **_):
    squares = bits_of(words).reshape(-1, 32, 32).astype(np.int64).transpose(0, 2, 1)
    return {"out": (squares << np.arange(32)).sum(2).ravel()}


@reference
def siphash(records, n, **_):
    a, b, c, d = (np.full(n, value, np.uint64) for value in
                  (0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261, 0x7465646279746573))
    for k in range(11):
        word = records[:, k] if k < 8 else np.zeros(n, np.uint64)
        d = d ^ word
        a = a + b
        b, a = rotated(b, 13) ^ a, rotated(a, 32)
        c = c + d
        d = rotated(d, 16) ^ c
        a = a + d
        d = rotated(d, 21) ^ a
        c = c + b
        b, c = rotated(b, 17) ^ c, rotated(c, 32)
        a = a ^ word
    return {"hashes": a ^ b ^ c ^ d}
