"""Cooperative groups: synchronisation of the whole grid."""
import numpy as np
from numba import cuda, float64, int32, void, int64

SIZE = 96

sig = void(int32[:, ::1])


#: M = rng.integers(0, 9, (20, 64), dtype=np.int32)
#: launch sequential_rows[2, 32](M)
#: want = np.zeros((20, 64), int)
#: want[0] = M_in[0]
#: for r in range(1, 20): want[r] = want[r - 1][::-1] + 1
#: expect M == want
@cuda.jit(sig)
def sequential_rows(M):
    col = cuda.grid(1)
    g = cuda.cg.this_grid()

    rows = M.shape[0]
    cols = M.shape[1]

    for row in range(1, rows):
        opposite = cols - col - 1
        M[row, col] = M[row - 1, opposite] + 1
        g.sync()


#: x = rng.normal(size=700)
#: partial = poison(4, np.float64)
#: total = poison(1, np.float64)
#: launch grid_sum[4, 64](x, partial, total)
#: expect close(total, x.sum(), 1e-9, 1e-9)
@cuda.jit
def grid_sum(x, partial, total):
    buf = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    s = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        s += x[i]
    buf[t] = s
    cuda.syncthreads()
    k = 32
    while k > 0:
        if t < k:
            buf[t] += buf[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = buf[0]
    cuda.cg.this_grid().sync()
    if cuda.grid(1) == 0:
        acc = 0.0
        for b in range(cuda.gridDim.x):
            acc += partial[b]
        total[0] = acc


#: u = rng.normal(size=128)
#: v = u.copy()
#: launch heat_in_one_launch[4, 32](u, v, 7)
#: want = u_in.copy()
#: for _ in range(7):
#:   want[1:-1] = want[1:-1] + 0.1 * (want[2:] - 2 * want[1:-1] + want[:-2])
#: expect close(v, want, 1e-10, 1e-12)
@cuda.jit
def heat_in_one_launch(a, b, steps):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    for s in range(steps):
        if i > 0 and i < a.size - 1:
            b[i] = a[i] + 0.1 * (a[i + 1] - 2 * a[i] + a[i - 1])
        grid.sync()
        a, b = b, a


#: w = rng.normal(size=200)
#: stats = np.zeros(2)
#: launch normalise_grid[5, 64](w, stats)
#: expect close(w, (w_in - w_in.mean()) / w_in.std(), 1e-9, 1e-12)
@cuda.jit
def normalise_grid(w, stats):
    g = cuda.cg.this_grid()
    i = cuda.grid(1)
    n = w.size
    if i < n:
        cuda.atomic.add(stats, 0, w[i] / n)
    g.sync()
    mean = stats[0]
    if i < n:
        cuda.atomic.add(stats, 1, (w[i] - mean) ** 2 / n)
    g.sync()
    if i < n:
        w[i] = (w[i] - mean) / stats[1] ** 0.5


#: gsize = 8
#: counter = np.zeros(gsize, np.int64)
#: launch count_phases[3, 32](counter)
#: expect counter == 96
@cuda.jit
def count_phases(counter):
    g = cuda.cg.this_grid()
    for phase in range(counter.size):
        if phase == 0 or counter[phase - 1] == cuda.gridsize(1):
            cuda.atomic.add(counter, phase, 1)
        g.sync()


#: life = rng.integers(0, 2, (16, 16), dtype=np.int32)
#: life2 = life.copy()
#: launch life_cooperative[(2, 2), (8, 8)](life, life2, 4)
#: want = life_in.copy()
#: for _ in range(4):
#:   nb = sum(np.roll(want, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - want
#:   want = ((nb == 3) | ((nb == 2) & (want == 1))).astype(np.int32)
#: expect life == want
@cuda.jit
def life_cooperative(a, b, generations):
    x, y = cuda.grid(2)
    h, w = a.shape
    g = cuda.cg.this_grid()
    for gen in range(generations):
        src = a if gen % 2 == 0 else b
        dst = b if gen % 2 == 0 else a
        n = -src[y, x]
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                n += src[(y + dy) % h, (x + dx) % w]
        dst[y, x] = 1 if n == 3 or (n == 2 and src[y, x] == 1) else 0
        g.sync()


def host():
    A = np.zeros((1024, 1024), dtype=np.int32)
    blockdim = 32
    griddim = A.shape[1] // blockdim
    overload = sequential_rows.overloads[(int32[:, ::1],)]
    max_blocks = overload.max_cooperative_grid_blocks(blockdim)
    print(max_blocks)
    sequential_rows[griddim, blockdim](A)
