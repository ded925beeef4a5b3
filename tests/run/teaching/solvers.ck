"""Linear algebra: factorisations and solvers."""
import math
import numpy as np
from numba import cuda, float64


#: A = rng.normal(size=(20, 20)) + 20 * np.eye(20)
#: b = rng.normal(size=20)
#: x0 = np.zeros(20)
#: x1 = poison(20, np.float64)
#: launch jacobi_iteration[1, 32](A, b, x0, x1)
#: expect close(x1, b / np.diag(A), 1e-12)
@cuda.jit
def jacobi_iteration(A, b, x_old, x_new):
    i = cuda.grid(1)
    if i < A.shape[0]:
        s = b[i]
        for j in range(A.shape[1]):
            if j != i:
                s -= A[i, j] * x_old[j]
        x_new[i] = s / A[i, i]


#: lu = A.copy()
#: launch lu_in_place[1, (16, 16)](lu)
#: L = np.tril(lu, -1) + np.eye(20)
#: expect close(L @ np.triu(lu), A, 1e-9, 1e-9)
@cuda.jit
def lu_in_place(a):
    n = a.shape[0]
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    for k in range(n - 1):
        if ty == 0:
            for i in range(k + 1 + tx, n, cuda.blockDim.x):
                a[i, k] /= a[k, k]
        cuda.syncthreads()
        for i in range(k + 1 + ty, n, cuda.blockDim.y):
            for j in range(k + 1 + tx, n, cuda.blockDim.x):
                a[i, j] -= a[i, k] * a[k, j]
        cuda.syncthreads()


#: spd = A @ A.T
#: ch = spd.copy()
#: launch cholesky[1, 32](ch)
#: expect close(np.tril(ch), np.linalg.cholesky(spd), 1e-9, 1e-9)
@cuda.jit
def cholesky(a):
    n = a.shape[0]
    i = cuda.threadIdx.x
    for k in range(n):
        if i == k:
            a[k, k] = math.sqrt(a[k, k])
        cuda.syncthreads()
        if k < i < n:
            a[i, k] = a[i, k] / a[k, k]
        cuda.syncthreads()
        if k < i and i < n:
            for j in range(k + 1, i + 1):
                a[i, j] -= a[i, k] * a[j, k]
        cuda.syncthreads()


#: dl = rng.uniform(-1, 0, (15, 12))
#: dm = rng.uniform(3, 4, (15, 12))
#: du = rng.uniform(-1, 0, (15, 12))
#: rhs = rng.normal(size=(15, 12))
#: sol = poison((15, 12), np.float64)
#: launch thomas[1, 32](dl, dm, du, rhs, sol)
#: mats = [np.diag(dm[i]) + np.diag(dl[i, 1:], -1) + np.diag(du[i, :-1], 1) for i in range(15)]
#: expect close(sol, np.stack([np.linalg.solve(m, r) for m, r in zip(mats, rhs)]), 1e-9, 1e-11)
@cuda.jit
def thomas(a, b, c, d, x):
    s = cuda.grid(1)
    if s >= b.shape[0]:
        return
    cp = cuda.local.array(shape=12, dtype=float64)
    dp = cuda.local.array(shape=12, dtype=float64)
    n = b.shape[1]
    cp[0] = c[s, 0] / b[s, 0]
    dp[0] = d[s, 0] / b[s, 0]
    for i in range(1, n):
        m = b[s, i] - a[s, i] * cp[i - 1]
        cp[i] = c[s, i] / m
        dp[i] = (d[s, i] - a[s, i] * dp[i - 1]) / m
    x[s, n - 1] = dp[n - 1]
    for i in range(n - 2, -1, -1):
        x[s, i] = dp[i] - cp[i] * x[s, i + 1]


#: cg_x = np.zeros(20)
#: launch conjugate_gradient[1, 32](spd, b, cg_x, 60)
#: expect close(cg_x, np.linalg.solve(spd, b), 1e-6, 1e-9)
@cuda.jit(device=True)
def block_dot(u, v, buf):
    t = cuda.threadIdx.x
    buf[t] = u * v
    cuda.syncthreads()
    k = cuda.blockDim.x // 2
    while k > 0:
        if t < k:
            buf[t] += buf[t + k]
        cuda.syncthreads()
        k //= 2
    total = buf[0]
    cuda.syncthreads()
    return total


@cuda.jit
def conjugate_gradient(A, b, x, max_iter):
    buf = cuda.shared.array(32, float64)
    ps = cuda.shared.array(32, float64)
    t = cuda.threadIdx.x
    n = b.size
    active = t < n
    xi = 0.0
    r = b[t] if active else 0.0
    p = r
    rr = block_dot(r, r, buf)
    for it in range(max_iter):
        if rr < 1e-24:
            break
        ps[t] = p
        cuda.syncthreads()
        ap = 0.0
        if active:
            for j in range(n):
                ap += A[t, j] * ps[j]
        alpha = rr / block_dot(p, ap, buf)
        xi += alpha * p
        r -= alpha * ap
        new_rr = block_dot(r, r, buf)
        p = r + (new_rr / rr) * p
        rr = new_rr
    if active:
        x[t] = xi


#: m33 = rng.normal(size=(40, 3, 3))
#: inv = poison((40, 3, 3), np.float64)
#: launch invert_3x3[2, 32](m33, inv)
#: expect close(inv @ m33, np.broadcast_to(np.eye(3), (40, 3, 3)), 1e-7, 1e-7)
@cuda.jit(device=True)
def det3(m):
    return (m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
            - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
            + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0]))


@cuda.jit
def invert_3x3(ms, invs):
    k = cuda.grid(1)
    if k < ms.shape[0]:
        m = ms[k]
        d = det3(m)
        for i in range(3):
            for j in range(3):
                a, b = (i + 1) % 3, (i + 2) % 3
                c, e = (j + 1) % 3, (j + 2) % 3
                invs[k, j, i] = (m[a, c] * m[b, e] - m[a, e] * m[b, c]) / d


#: pw = np.diag([9.0, 4, 3, 2, 1]) + rng.uniform(0, 0.01, (5, 5))
#: vec = np.ones(5)
#: eig = poison(1, np.float64)
#: launch power_iteration[1, 5](pw, vec, eig, 100)
#: expect close(eig, np.abs(np.linalg.eigvals(pw)).max(), 1e-8)
@cuda.jit
def power_iteration(A, v, eig, steps):
    i = cuda.threadIdx.x
    n = v.size
    for s in range(steps):
        w = 0.0
        for j in range(n):
            w += A[i, j] * v[j]
        cuda.syncthreads()
        v[i] = w
        cuda.syncthreads()
        norm = 0.0
        for j in range(n):
            norm += v[j] * v[j]
        norm = math.sqrt(norm)
        cuda.syncthreads()
        v[i] = v[i] / norm
        cuda.syncthreads()
        if i == 0:
            eig[0] = norm


#: gs = rng.normal(size=(6, 30))
#: launch gram_schmidt[1, 32](gs)
#: expect close(gs @ gs.T, np.eye(6), 1e-9, 1e-9)
@cuda.jit
def gram_schmidt(q):
    buf = cuda.shared.array(32, float64)
    t = cuda.threadIdx.x
    inside = t < q.shape[1]
    for i in range(q.shape[0]):
        mine = q[i, t] if inside else 0.0
        for j in range(i):
            other = q[j, t] if inside else 0.0
            mine -= block_dot(mine, other, buf) * other
        length = math.sqrt(block_dot(mine, mine, buf))
        if inside:
            q[i, t] = mine / length
        cuda.syncthreads()
