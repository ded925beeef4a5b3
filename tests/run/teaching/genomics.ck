"""Sequences of bases as bytes: counting, complementing, aligning."""
import numpy as np
from numba import cuda, int8, int16, int32, uint8, uint64

A, C, G, T = ord("A"), ord("C"), ord("G"), ord("T")
BASES = np.array([65, 67, 71, 84], dtype=np.uint8)
MATCH, MISMATCH, GAP = 2, -1, -2
MAXLEN = 32


@cuda.jit(device=True)
def base_code(b):
    if b == A:
        return 0
    elif b == C:
        return 1
    elif b == G:
        return 2
    elif b == T:
        return 3
    return -1


#: acgt = np.frombuffer(b"ACGT", np.uint8)
#: dna = acgt[rng.integers(0, 4, 500)]
#: dna[rng.integers(0, 500, 20)] = ord("N")
#: counts = np.zeros(5, np.int32)
#: launch base_counts[3, 128](dna, counts)
#: expect counts == [(dna == b).sum() for b in b"ACGTN"]
@cuda.jit
def base_counts(dna, counts):
    local = cuda.shared.array(5, int32)
    if cuda.threadIdx.x < 5:
        local[cuda.threadIdx.x] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), dna.size, cuda.gridsize(1)):
        cuda.atomic.add(local, base_code(dna[i]), 1)
    cuda.syncthreads()
    if cuda.threadIdx.x < 5:
        cuda.atomic.add(counts, cuda.threadIdx.x, local[cuda.threadIdx.x])


#: rc = poison(500, np.uint8)
#: launch reverse_complement[2, 256](dna, rc)
#: expect rc == np.frombuffer(dna.tobytes().translate(bytes.maketrans(b"ACGT", b"TGCA")), np.uint8)[::-1]
@cuda.jit
def reverse_complement(dna, out):
    i = cuda.grid(1)
    if i < dna.size:
        code = base_code(dna[-1 - i])
        out[i] = BASES[3 - code] if code >= 0 else dna[-1 - i]


#: kmers = np.zeros(4 ** 3, np.uint32)
#: launch count_kmers[4, 64](dna, kmers, 3)
#: error uint64 and int64 have no common type
@cuda.jit
def count_kmers(dna, table, k):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, dna.size - k + 1, stride):
        word = uint64(0)
        for b in dna[i:i + k]:
            code = base_code(b)
            if code < 0:
                break
            word = (word << 2) | code
        else:
            cuda.atomic.add(table, word, 1)


#: def nw_py(a, b):
#:     f = [[-2 * (i + j) for j in range(len(b) + 1)] if not i else [-2 * i] + [0] * len(b) for i in range(len(a) + 1)]
#:     for i in range(1, len(a) + 1):
#:         for j in range(1, len(b) + 1):
#:             f[i][j] = max(f[i-1][j-1] + (2 if a[i-1] == b[j-1] else -1), f[i-1][j] - 2, f[i][j-1] - 2)
#:     return f[-1][-1]
#: sa, sb = acgt[rng.integers(0, 4, (25, 24))], acgt[rng.integers(0, 4, (25, 28))]
#: la, lb = rng.integers(1, 25, 25).astype(np.int16), rng.integers(1, 29, 25).astype(np.int16)
#: score = poison(25, np.int16)
#: launch needleman_wunsch[1, 32](sa, la, sb, lb, score)
#: expect score == [nw_py(a[:m], b[:n]) for a, m, b, n in zip(sa, la, sb, lb)]
@cuda.jit
def needleman_wunsch(a, la, b, lb, score):
    pair = cuda.grid(1)
    if pair >= score.shape[0]:
        return
    row = cuda.local.array(MAXLEN + 1, dtype=int16)
    m, n = la[pair], lb[pair]
    for j in range(n + 1):
        row[j] = j * GAP
    for i in range(1, m + 1):
        diagonal = row[0]
        row[0] = i * GAP
        for j in range(1, n + 1):
            s = MATCH if a[pair, i - 1] == b[pair, j - 1] else MISMATCH
            best = max(diagonal + s, row[j] + GAP, row[j - 1] + GAP)
            diagonal = row[j]
            row[j] = best
    score[pair] = row[n]


#: reads = acgt[rng.integers(0, 4, (10, 16))]
#: ref = acgt[rng.integers(0, 4, 100)]
#: where = poison((10, 2), np.int32)
#: launch best_placement[10, 32](reads, ref, where)
#: dd = np.array([[(r != ref[k:k + 16]).sum() for k in range(85)] for r in reads])
#: expect where == np.stack([dd.min(1), dd.argmin(1)], 1)
@cuda.jit
def best_placement(reads, ref, where):
    r = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    length = reads.shape[1]
    best = np.int32(0x7fffffff)
    for k in range(lane, ref.size - length + 1, 32):
        distance = 0
        for j in range(length):
            distance += reads[r, j] != ref[k + j]
        best = min(best, (distance << 16) | k)
    for offset in (16, 8, 4, 2, 1):
        best = min(best, cuda.shfl_down_sync(0xffffffff, best, offset))
    if lane == 0:
        where[r, 0] = best >> 16
        where[r, 1] = best & 0xffff


#: hap = rng.integers(0, 2, (64, 9)).astype(np.int8)
#: freq = poison(9, np.float32)
#: ld = poison((9, 9), np.float32)
#: launch allele_frequency[9, 64](hap, freq)
#: launch linkage[(1, 1), (9, 9)](hap, freq, ld)
#: fr = hap.mean(0)
#: expect close(freq, fr, 1e-6)
#: expect close(ld, (hap.T.astype(float) @ hap) / 64 - np.outer(fr, fr), 1e-4, 1e-5)
@cuda.jit
def allele_frequency(hap, freq):
    votes = cuda.syncthreads_count(hap[cuda.threadIdx.x, cuda.blockIdx.x])
    if not cuda.threadIdx.x:
        freq[cuda.blockIdx.x] = votes / cuda.blockDim.x


@cuda.jit
def linkage(hap, freq, ld):
    i, j = cuda.threadIdx.x, cuda.threadIdx.y
    both = 0
    for row in hap:
        both += row[i] & row[j]
    ld[i, j] = both / hap.shape[0] - freq[i] * freq[j]
