"""Slices, strided views, Fortran order and structs of arrays."""
import numpy as np
from numba import cuda, float64, int32


#: a = rng.normal(size=100)
#: launch negate_evens[1, 50](a)
#: expect a == np.where(np.arange(100) % 2 == 0, -a_in, a_in)
@cuda.jit
def negate_evens(a):
    evens = a[::2]
    i = cuda.threadIdx.x
    evens[i] = -evens[i]


#: b = rng.normal(size=64)
#: launch reverse_halves[1, 32](b)
#: expect b == np.concatenate([b_in[31::-1], b_in[:31:-1]])
@cuda.jit
def reverse_halves(b):
    t = cuda.threadIdx.x
    half = len(b) // 2
    first = b[:half]
    second = b[half:]
    x, y = first[half - 1 - t], second[half - 1 - t]
    cuda.syncthreads()
    first[t] = x
    second[t] = y


#: m = np.asfortranarray(rng.normal(size=(9, 14)))
#: colsum = poison(14, np.float64)
#: launch fortran_column_sums[1, 16](m, colsum)
#: expect close(colsum, m.sum(0), 1e-12, 1e-13)
@cuda.jit
def fortran_column_sums(m, colsum):
    j = cuda.grid(1)
    if j < m.shape[1]:
        column = m[:, j]
        s = 0.0
        for v in column:
            s += v
        colsum[j] = s


#: src = rng.integers(0, 99, (8, 10), dtype=np.int32)
#: dst = np.asfortranarray(poison((8, 10), np.int32))
#: launch c_to_f_order[(1, 1), (8, 10)](src, dst)
#: expect dst == src
@cuda.jit
def c_to_f_order(src, dst):
    i, j = cuda.grid(2)
    dst[i, j] = src[i, j]


#: t = rng.normal(size=(6, 11))
#: tt = poison((11, 6), np.float64)
#: launch copy_transposed_view[1, (11, 6)](t, tt)
#: expect tt == t.T
@cuda.jit
def copy_transposed_view(t, out):
    v = t.T
    i, j = cuda.grid(2)
    out[i, j] = v[i, j]


#: flat = rng.integers(-9, 9, 24)
#: sums = poison(4, np.int64)
#: launch row_sums_of_reshaped[1, 4](flat, sums)
#: expect sums == flat.reshape(4, 6).sum(1)
@cuda.jit
def row_sums_of_reshaped(flat, sums):
    r = cuda.threadIdx.x
    grid = flat.reshape((4, 6))
    s = 0
    for c in range(grid.shape[1]):
        s += grid[r, c]
    sums[r] = s


#: xs = rng.normal(size=50)
#: ys = rng.normal(size=50)
#: zs = rng.normal(size=50)
#: ws = rng.uniform(0.1, 1, 50)
#: cm = np.zeros(4)
#: launch centre_of_mass[1, 64](xs, ys, zs, ws, cm)
#: expect close(cm, np.array([(xs * ws).sum(), (ys * ws).sum(), (zs * ws).sum(), ws.sum()]), 1e-10, 1e-12)
@cuda.jit
def centre_of_mass(xs, ys, zs, ws, cm):
    i = cuda.grid(1)
    if i < xs.size:
        w = ws[i]
        for k, component in enumerate((xs, ys, zs)):
            cuda.atomic.add(cm, k, component[i] * w)
        cuda.atomic.add(cm, 3, w)


#: image = rng.normal(size=(12, 12))
#: means = poison((3, 3), np.float64)
#: launch block_means[(3, 3), 1](image, means)
#: expect close(means, image.reshape(3, 4, 3, 4).mean((1, 3)), 1e-12, 1e-13)
@cuda.jit
def block_means(image, means):
    bi, bj = cuda.blockIdx.x, cuda.blockIdx.y
    patch = image[bi * 4:(bi + 1) * 4, bj * 4:(bj + 1) * 4]
    total = 0.0
    for row in patch:
        for value in row:
            total += value
    means[bi, bj] = total / patch.size


#: u = rng.normal(size=40)
#: v = rng.normal(size=40)
#: zipped = poison(40, np.float64)
#: launch zip_last_wins[1, 1](u, v, zipped)
#: expect zipped == u * v
@cuda.jit
def zip_last_wins(u, v, out):
    k = 0
    for p, q in zip(u, v):
        out[k] = p * q
        k += 1


#: buf = rng.integers(0, 100, 32, dtype=np.int32)
#: launch rotate_shared_row[1, 16](buf)
#: expect buf == np.concatenate([np.roll(buf_in[:16], 1), np.roll(buf_in[16:], -1)])
@cuda.jit
def rotate_shared_row(buf):
    tile = cuda.shared.array((2, 16), int32)
    t = cuda.threadIdx.x
    tile[0, t] = buf[t]
    tile[1, t] = buf[16 + t]
    cuda.syncthreads()
    upper = tile[0]
    lower = tile[1]
    buf[t] = upper[t - 1]
    buf[16 + t] = lower[(t + 1) % 16]
