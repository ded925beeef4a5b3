"""Strings as arrays of bytes."""
import numpy as np
from numba import cuda, uint8, int32, uint32, uint64

SPACE = 32
CASE_BIT = 0x20


#: s = rng.integers(32, 127, 300, dtype=np.uint8)
#: up = poison(300, np.uint8)
#: launch to_upper[3, 128](s, up)
#: expect up == np.frombuffer(s.tobytes().upper(), np.uint8)
@cuda.jit
def to_upper(s, up):
    i = cuda.grid(1)
    if i < s.size:
        c = s[i]
        if 97 <= c <= 122:
            c = c & ~CASE_BIT
        up[i] = c


#: shift = 3
#: enc = poison(300, np.uint8)
#: launch caesar[3, 128](s, enc, shift)
#: isl = ((s | 32) >= 97) & ((s | 32) <= 122) & (s >= 65)
#: expect enc == np.where(isl, (((s | 32).astype(int) - 97 + 3) % 26 + 97 - 32 * ((s & 32) == 0)), s)
@cuda.jit
def caesar(s, enc, shift):
    i = cuda.grid(1)
    if i < s.size:
        c = s[i]
        if c >= 65 and c <= 90:
            enc[i] = (c - 65 + shift) % 26 + 65
        elif c >= 97 and c <= 122:
            enc[i] = (c - 97 + shift) % 26 + 97
        else:
            enc[i] = c


#: dna = rng.choice(np.frombuffer(b"ACGT", np.uint8), 500)
#: pat = np.frombuffer(b"ACG", np.uint8)
#: hits = np.zeros(1, np.int32)
#: launch count_matches[4, 128](dna, pat, hits)
#: expect hits == sum(dna.tobytes()[i:i+3] == b"ACG" for i in range(498))
@cuda.jit
def count_matches(text, pattern, hits):
    i = cuda.grid(1)
    if i <= text.size - pattern.size:
        for k in range(pattern.size):
            if text[i + k] != pattern[k]:
                break
        else:
            cuda.atomic.add(hits, 0, 1)


#: rc = poison(500, np.uint8)
#: launch reverse_complement[4, 128](dna, rc)
#: expect rc == np.frombuffer(dna.tobytes()[::-1].translate(bytes.maketrans(b"ACGT", b"TGCA")), np.uint8)
@cuda.jit(device=True)
def complement(base):
    if base == 65:
        return 84
    if base == 67:
        return 71
    if base == 71:
        return 67
    return 65


@cuda.jit
def reverse_complement(dna, rc):
    i = cuda.grid(1)
    n = len(dna)
    if i < n:
        rc[n - 1 - i] = complement(dna[i])


#: words = rng.integers(97, 123, (50, 9), dtype=np.uint8)
#: pal = poison(50, np.bool_)
#: words[::3] = words[::3, ::-1] // 2 + words[::3] // 2
#: launch is_palindrome[2, 32](words, pal)
#: expect pal == (words == words[:, ::-1]).all(1)
@cuda.jit
def is_palindrome(words, pal):
    i = cuda.grid(1)
    if i < words.shape[0]:
        ok = True
        n = words.shape[1]
        for k in range(n // 2):
            ok = ok and words[i, k] == words[i, n - 1 - k]
        pal[i] = ok


#: fnv = poison(50, np.uint32)
#: launch fnv1a[2, 32](words, fnv)
#: hv = np.full(50, 2166136261, np.uint64)
#: for k in range(9):
#:   hv = ((hv ^ words[:, k].astype(np.uint64)) * np.uint64(16777619)) & np.uint64(0xFFFFFFFF)
#: expect fnv == hv
@cuda.jit
def fnv1a(words, fnv):
    i = cuda.grid(1)
    if i < words.shape[0]:
        h = uint32(2166136261)
        for byte in words[i]:
            h = uint32(uint32(h ^ byte) * uint32(16777619))
        fnv[i] = h


#: spaced = rng.choice(np.frombuffer(b"ab  ", np.uint8), 200)
#: nwords = np.zeros(1, np.int32)
#: launch count_words[2, 128](spaced, nwords)
#: expect nwords == len(spaced.tobytes().split())
@cuda.jit
def count_words(text, nwords):
    i = cuda.grid(1)
    if i < len(text):
        if text[i] != SPACE and (i == 0 or text[i - 1] == SPACE):
            cuda.atomic.add(nwords, 0, 1)


#: digits = rng.integers(48, 58, (33, 6), dtype=np.uint8)
#: parsed = poison(33, np.int64)
#: launch parse_int[2, 32](digits, parsed)
#: expect parsed == np.array([int(d.tobytes()) for d in digits])
@cuda.jit
def parse_int(digits, parsed):
    i = cuda.grid(1)
    if i < digits.shape[0]:
        value = 0
        for k in range(digits.shape[1]):
            value = value * 10 + (digits[i, k] - 48)
        parsed[i] = value
