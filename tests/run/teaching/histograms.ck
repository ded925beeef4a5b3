"""Counting with atomics."""
import numpy as np
from numba import cuda
import math

BINS = 32
NUM_LETTERS = 26


#: values = rng.integers(0, 32, 1000, dtype=np.uint8)
#: hist = np.zeros(32, np.int32)
#: launch histogram_global[4, 256](values, hist)
#: expect hist == np.bincount(values, minlength=32)
@cuda.jit
def histogram_global(values, hist):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(hist, values[i], 1)


#: hist2 = np.zeros(32, np.uint32)
#: launch histogram_shared[3, 64](values, hist2)
#: expect hist2 == np.bincount(values, minlength=32)
@cuda.jit
def histogram_shared(values, hist):
    local_hist = cuda.shared.array(BINS, np.uint32)
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        local_hist[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(local_hist, values[i], 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        cuda.atomic.add(hist, b, local_hist[b])


#: x = rng.normal(size=800)
#: bins = np.zeros(20, np.int64)
#: launch histogram_range[3, 128](x, -2.0, 2.0, bins)
#: want, edges = np.histogram(x, 20, (-2, 2))
#: expect np.abs(bins - want).sum() <= 2
@cuda.jit
def histogram_range(x, xmin, xmax, histogram_out):
    nbins = histogram_out.shape[0]
    bin_width = (xmax - xmin) / nbins
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, x.shape[0], stride):
        bin_number = np.int32((x[i] - xmin) / bin_width)
        if x[i] >= xmin and bin_number >= 0 and bin_number < histogram_out.shape[0]:
            cuda.atomic.add(histogram_out, bin_number, 1)


#: px = rng.uniform(0, 1, 500)
#: py = rng.uniform(0, 1, 500)
#: h2d = np.zeros((8, 12), np.int32)
#: launch histogram_2d[4, 128](px, py, h2d)
#: expect h2d == np.histogram2d(px, py, (8, 12), ((0, 1), (0, 1)))[0]
@cuda.jit
def histogram_2d(px, py, h):
    i = cuda.grid(1)
    if i < px.size:
        r = int(px[i] * h.shape[0])
        c = int(py[i] * h.shape[1])
        cuda.atomic.add(h, (r, c), 1)


#: text = rng.integers(32, 127, 777, dtype=np.uint8)
#: letters = np.zeros(26, np.uint32)
#: launch count_letters[2, 128](text, letters)
#: low = np.where((text >= 65) & (text <= 90), text + 32, text)
#: expect letters == np.array([(low == 97 + k).sum() for k in range(26)])
@cuda.jit
def count_letters(text, letters):
    for i in range(cuda.grid(1), len(text), cuda.gridsize(1)):
        ch = text[i]
        if ch >= ord('a') and ch <= ord('z'):
            cuda.atomic.inc(letters, ch - ord('a'), 1 << 30)
        elif ord('A') <= ch <= ord('Z'):
            cuda.atomic.inc(letters, ch - ord('A'), 1 << 30)


#: wts = rng.uniform(0, 1, 300).astype(np.float32)
#: keys = rng.integers(0, 7, 300)
#: sums = np.zeros(7, np.float32)
#: cnts = np.zeros(7, np.int32)
#: launch group_by_sum[3, 128](keys, wts, sums, cnts)
#: expect close(sums, np.bincount(keys, wts), 1e-4)
#: expect cnts == np.bincount(keys)
@cuda.jit
def group_by_sum(keys, wts, sums, cnts):
    i = cuda.grid(1)
    if i < keys.shape[0]:
        k = keys[i]
        cuda.atomic.add(sums, k, wts[i])
        cuda.atomic.add(cnts, k, 1)


#: lens = rng.integers(0, 2**20, 300, dtype=np.uint32)
#: lens[:3] = 0
#: logbins = np.zeros(24, np.int32)
#: launch log2_histogram[3, 128](lens, logbins)
#: expect logbins == np.bincount([int(v).bit_length() for v in lens], minlength=24)
@cuda.jit
def log2_histogram(lens, logbins):
    i = cuda.grid(1)
    if i < lens.size:
        cuda.atomic.add(logbins, 32 - cuda.clz(lens[i]), 1)


#: hist3 = np.zeros(32, np.int32)
#: launch histogram_private[4, 16](values, hist3)
#: expect hist3 == np.bincount(values, minlength=32)
@cuda.jit
def histogram_private(values, hist):
    mine = cuda.local.array(BINS, dtype=np.int32)
    mine[:] = 0
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        mine[values[i]] += 1
    for b in range(BINS):
        if mine[b]:
            cuda.atomic.add(hist, b, mine[b])


#: mode = np.zeros(2, np.int32)
#: hist3[values[0]] += 400  # no other bin has as many: their threads would race
#: launch most_frequent[1, 32](hist3, mode)
#: expect mode[0] == hist3.max()
#: expect hist3[mode[1]] == hist3.max()
@cuda.jit
def most_frequent(hist, mode):
    b = cuda.threadIdx.x
    cuda.atomic.max(mode, 0, hist[b])
    cuda.syncthreads()
    if hist[b] == mode[0]:
        mode[1] = b
