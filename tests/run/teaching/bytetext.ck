"""Text and codes in arrays of bytes."""
import numpy as np
from numba import cuda, int32, uint8, uint32

ALPHABET = np.array([ord(c) for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"], dtype=np.uint8)
NEWLINE = ord("\n")
DIGIT0 = ord("0")
MAXLEN = 24


#: raw = rng.integers(0, 256, 60, dtype=np.uint8)
#: b64 = poison(80, np.uint8)
#: alphabet = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", np.uint8)
#: launch base64_with_table[1, 32](raw, alphabet, b64)
#: import base64
#: expect b64 == np.frombuffer(base64.b64encode(raw.tobytes()), np.uint8)
@cuda.jit
def base64_with_table(raw, table, out):
    g = cuda.grid(1)
    if 3 * g < raw.size:
        word = (raw[3 * g] << 16) | (raw[3 * g + 1] << 8) | raw[3 * g + 2]
        for k in range(4):
            out[4 * g + k] = table[(word >> (18 - 6 * k)) & 63]


#: b64 = poison(80, np.uint8)
#: launch base64_encode[1, 32](raw, b64)
#: expect b64 == np.frombuffer(base64.b64encode(raw.tobytes()), np.uint8)
@cuda.jit
def base64_encode(raw, out):
    g = cuda.grid(1)
    if 3 * g < raw.size:
        a, b, c = raw[3 * g], raw[3 * g + 1], raw[3 * g + 2]
        out[4 * g] = ALPHABET[a >> 2]
        out[4 * g + 1] = ALPHABET[(a & 3) << 4 | b >> 4]
        out[4 * g + 2] = ALPHABET[(b & 15) << 2 | c >> 6]
        out[4 * g + 3] = ALPHABET[c & 63]


#: text = np.frombuffer("naïve façade – 東京 𝄞 ok\n".encode() * 3, np.uint8)
#: chars = np.zeros(2, np.int32)
#: launch utf8_length[2, 64](text, chars)
#: expect chars == [len(text.tobytes().decode()), 3]
@cuda.jit
def utf8_length(text, counts):
    i = cuda.grid(1)
    if i < text.size:
        byte = text[i]
        if byte & 0xC0 != 0x80:
            cuda.atomic.add(counts, 0, 1)
        if byte == NEWLINE:
            cuda.atomic.add(counts, 1, 1)


#: numbers = rng.integers(-10**6, 10**6, 30, dtype=np.int32)
#: rows = poison((30, 12), np.uint8)
#: lens = poison(30, np.int32)
#: launch to_decimal[1, 32](numbers, rows, lens)
#: expect all(bytes(r[:n]).decode() == str(v) for r, n, v in zip(np.array(rows), np.array(lens), numbers))
@cuda.jit
def to_decimal(values, rows, lens):
    i = cuda.grid(1)
    if i < values.shape[0]:
        digits = cuda.local.array(12, uint8)
        v = values[i]
        negative = v < 0
        if negative:
            v = -v
        n = 0
        while True:
            digits[n] = DIGIT0 + v % 10
            n += 1
            v //= 10
            if v == 0:
                break
        pos = 0
        if negative:
            rows[i, 0] = ord('-')
            pos = 1
        while n > 0:
            n -= 1
            rows[i, pos] = digits[n]
            pos += 1
        lens[i] = pos


@cuda.jit(device=True)
def levenshtein(a, b):
    row = cuda.local.array(MAXLEN + 1, int32)
    for j in range(len(b) + 1):
        row[j] = j
    for i, ca in enumerate(a):
        diagonal = row[0]
        row[0] = i + 1
        for j, cb in enumerate(b):
            cost = diagonal + (ca != cb)
            diagonal = row[j + 1]
            row[j + 1] = min(cost, diagonal + 1, row[j] + 1)
    return row[len(b)]


#: words = rng.integers(97, 100, (10, 8), dtype=np.uint8)
#: wlen = rng.integers(1, 9, 10)
#: far = poison((10, 10), np.int32)
#: launch all_distances[(2, 2), (8, 8)](words, wlen, far)
#: def lev(a, b):
#:  d = list(range(len(b) + 1))
#:  for i, x in enumerate(a, 1):
#:   p, d[0] = d[0], i
#:   for j, y in enumerate(b, 1): p, d[j] = d[j], min(p + (x != y), d[j] + 1, d[j - 1] + 1)
#:  return d[-1]
#: expect far == [[lev(words[i][:wlen[i]], words[j][:wlen[j]]) for j in range(10)] for i in range(10)]
@cuda.jit
def all_distances(words, lengths, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = levenshtein(words[i, :lengths[i]], words[j, :lengths[j]])


#: runs = np.repeat(rng.integers(65, 70, 40, dtype=np.uint8), rng.integers(1, 6, 40))
#: flags = poison(len(runs), np.int32)
#: launch run_heads[2, 128](runs, flags)
#: expect flags == np.concatenate([[1], runs[1:] != runs[:-1]])
@cuda.jit
def run_heads(data, flags):
    i = cuda.grid(1)
    if i < data.size:
        flags[i] = 1 if i == 0 else int(data[i] != data[i - 1])


#: doc = rng.choice(np.frombuffer(b"abc", np.uint8), 200)
#: needle = np.frombuffer(b"abcab", np.uint8)
#: first = np.full(1, 2**31 - 1, np.int32)
#: launch first_occurrence[4, 64](doc, needle, first)
#: at = doc.tobytes().find(b"abcab")
#: expect first == (at if at >= 0 else 2**31 - 1)
@cuda.jit
def first_occurrence(doc, needle, first):
    i = cuda.grid(1)
    m = len(needle)
    if i + m > len(doc):
        return
    window = doc[i:i + m]
    same = True
    for a, b in zip(window, needle):
        if a != b:
            same = False
            break
    if same:
        cuda.atomic.min(first, 0, i)


#: chunks = rng.integers(0, 256, (7, 50), dtype=np.uint8)
#: sums = poison(7, np.uint32)
#: launch adler32[1, 32](chunks, sums)
#: import zlib
#: expect sums == [zlib.adler32(c.tobytes()) for c in chunks]
@cuda.jit
def adler32(chunks, sums):
    MOD = 65521
    r = cuda.grid(1)
    if r < chunks.shape[0]:
        a, b = 1, 0
        for byte in chunks[r]:
            a = (a + byte) % MOD
            b = (b + a) % MOD
        sums[r] = (b << 16) | a
