"""Small matrices and small problems, one a thread, in local arrays."""
import math

import numpy as np
from numba import cuda, float32, float64, int32

N = 4
EYE = np.eye(4)
NETWORK = ((0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (0, 3), (3, 6),
           (0, 3), (1, 4), (4, 7), (1, 4), (2, 5), (5, 8), (2, 5), (1, 3), (5, 7), (2, 6), (4, 6),
           (2, 4), (2, 3), (5, 6))


#: mats = rng.normal(size=(12, 4, 4)) + 3 * np.eye(4)
#: invs = poison((12, 4, 4), np.float64)
#: launch invert_4x4[1, 16](mats, invs)
#: expect close(invs, np.linalg.inv(mats), 1e-6, 1e-8)
@cuda.jit
def invert_4x4(mats, invs):
    k = cuda.grid(1)
    if k >= mats.shape[0]:
        return
    a = cuda.local.array((N, 2 * N), float64)
    for i in range(N):
        for j in range(N):
            a[i, j] = mats[k, i, j]
            a[i, j + N] = EYE[i, j]
    for c in range(N):
        pivot = c
        for r in range(c + 1, N):
            if abs(a[r, c]) > abs(a[pivot, c]):
                pivot = r
        if pivot != c:
            for j in range(2 * N):
                a[c, j], a[pivot, j] = a[pivot, j], a[c, j]
        p = a[c, c]
        for j in range(2 * N):
            a[c, j] /= p
        for r in range(N):
            if r != c:
                m = a[r, c]
                for j in range(2 * N):
                    a[r, j] -= m * a[c, j]
    for i in range(N):
        invs[k, i] = a[i, N:]


#: sym = rng.normal(size=(15, 3, 3)); sym = sym + sym.transpose(0, 2, 1)
#: eig = poison((15, 3), np.float64)
#: launch eigenvalues_3x3[1, 16](sym, eig)
#: expect close(eig, np.linalg.eigvalsh(sym), 1e-7, 1e-7)
@cuda.jit
def eigenvalues_3x3(mats, eig):
    k = cuda.grid(1)
    if k < mats.shape[0]:
        a = cuda.local.array((3, 3), dtype=np.float64)
        a[:, :] = mats[k]
        for sweep in range(12):
            for p in range(2):
                for q in range(p + 1, 3):
                    if abs(a[p, q]) < 1e-15:
                        continue
                    theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
                    t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
                    c = 1 / math.sqrt(t * t + 1)
                    s = t * c
                    for r in range(3):
                        x, y = a[r, p], a[r, q]
                        a[r, p], a[r, q] = c * x - s * y, s * x + c * y
                    for r in range(3):
                        x, y = a[p, r], a[q, r]
                        a[p, r], a[q, r] = c * x - s * y, s * x + c * y
        lo = min(a[0, 0], a[1, 1], a[2, 2])
        hi = max(a[0, 0], a[1, 1], a[2, 2])
        eig[k, 0] = lo
        eig[k, 1] = a[0, 0] + a[1, 1] + a[2, 2] - lo - hi
        eig[k, 2] = hi


@cuda.jit(device=True)
def qmul(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return (a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e)


@cuda.jit(device=True)
def rotate_by(q, v):
    w, x, y, z = q
    r = qmul(qmul(q, (0.0, v[0], v[1], v[2])), (w, -x, -y, -z))
    return r[1:]


#: axis = rng.normal(size=(20, 3)); axis /= np.linalg.norm(axis, axis=1)[:, None]
#: ang = rng.uniform(-3, 3, 20)
#: vec = rng.normal(size=(20, 3))
#: rot = poison((20, 3), np.float64)
#: launch rotate_vectors[1, 32](axis, ang, vec, rot)
#: cosa, sina = np.cos(ang)[:, None], np.sin(ang)[:, None]
#: expect close(rot, vec * cosa + np.cross(axis, vec) * sina + axis * (axis * vec).sum(1)[:, None] * (1 - cosa), 1e-9, 1e-9)
@cuda.jit
def rotate_vectors(axis, angle, v, out):
    i = cuda.grid(1)
    if i < angle.size:
        s = math.sin(angle[i] / 2)
        q = (math.cos(angle[i] / 2), axis[i, 0] * s, axis[i, 1] * s, axis[i, 2] * s)
        out[i, 0], out[i, 1], out[i, 2] = rotate_by(q, v[i])


#: noisy = rng.normal(size=(6, 30)).cumsum(1)
#: smooth = poison((6, 30), np.float64)
#: launch kalman[1, 8](noisy, smooth, 0.1, 0.5)
#: def kalman_ref():
#:  out = np.empty((6, 30))
#:  for r in range(6):
#:   x, P = np.zeros(2), np.eye(2)
#:   F, H = np.array([[1, 1], [0, 1.]]), np.array([[1, 0.]])
#:   for t in range(30):
#:    x, P = F @ x, F @ P @ F.T + 0.1 * np.eye(2)
#:    K = P @ H.T / (P[0, 0] + 0.5)
#:    x = x + K[:, 0] * (noisy[r, t] - x[0])
#:    P = (np.eye(2) - K @ H) @ P
#:    out[r, t] = x[0]
#:  return out
#: expect close(smooth, kalman_ref(), 1e-9, 1e-9)
@cuda.jit
def kalman(z, out, q, r):
    row = cuda.grid(1)
    if row >= z.shape[0]:
        return
    x = v = 0.0
    p00, p01, p11 = 1.0, 0.0, 1.0
    for t, measured in enumerate(z[row]):
        x += v
        p00 += 2 * p01 + p11 + q
        p01 += p11
        p11 += q
        gain = p00 + r
        k0, k1 = p00 / gain, p01 / gain
        innovation = measured - x
        x, v = x + k0 * innovation, v + k1 * innovation
        p00, p01, p11 = (1 - k0) * p00, (1 - k0) * p01, p11 - k1 * p01
        out[row, t] = x


#: nine = rng.normal(size=(40, 9)).astype(np.float32)
#: med = poison(40, np.float32)
#: launch median_of_nine[1, 64](nine, med)
#: expect med == np.median(nine, axis=1)
@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        v = cuda.local.array(9, float32)
        for k in range(9):
            v[k] = x[i, k]
        for a, b in NETWORK:
            if v[a] > v[b]:
                v[a], v[b] = v[b], v[a]
        out[i] = v[4]


@cuda.jit(device=True)
def adaptive(a0, b0, eps):
    """Adaptive Simpson of 1 / (1 + 25 x^2), with its own stack of intervals."""
    lo = cuda.local.array(64, float64)
    hi = cuda.local.array(64, float64)
    top = 0
    lo[top], hi[top] = a0, b0
    total = 0.0
    while top >= 0:
        a, b = lo[top], hi[top]
        top -= 1
        m = (a + b) / 2
        f = lambda x: 1.0 / (1.0 + 25.0 * x * x)
        whole = (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
        finer = (b - a) / 12 * (f(a) + 4 * f((a + m) / 2) + 2 * f(m) + 4 * f((m + b) / 2) + f(b))
        if abs(finer - whole) < 15 * eps or top >= 61:
            total += finer
        else:
            lo[top + 1], hi[top + 1] = a, m
            lo[top + 2], hi[top + 2] = m, b
            top += 2
    return total


#: ends = rng.uniform(0.2, 1, 10)
#: quad = poison(10, np.float64)
#: launch integrate_adaptively[1, 16](ends, quad)
#: expect close(quad, 2 * np.arctan(5 * ends) / 5, 1e-6)
@cuda.jit
def integrate_adaptively(ends, out):
    i = cuda.grid(1)
    if i < ends.size:
        out[i] = adaptive(-ends[i], ends[i], 1e-10)


#: xs = np.tile(np.linspace(0, 1, 12), (9, 1)); ys = rng.normal(size=(9, 12))
#: fit = poison((9, 3), np.float64)
#: launch fit_parabola[1, 16](xs, ys, fit)
#: expect close(fit, [np.polyfit(a, b, 2)[::-1] for a, b in zip(xs, ys)], 1e-7, 1e-8)
@cuda.jit
def fit_parabola(xs, ys, fit):
    k = cuda.grid(1)
    if k >= xs.shape[0]:
        return
    a = cuda.local.array((3, 4), float64)
    for r in range(3):
        for c in range(4):
            a[r, c] = 0
    for x, y in zip(xs[k], ys[k]):
        for r in range(3):
            for c in range(3):
                a[r, c] += x ** (r + c)
            a[r, 3] += y * x ** r
    for c in range(3):
        for r in range(c + 1, 3):
            f = a[r, c] / a[c, c]
            for j in range(c, 4):
                a[r, j] -= f * a[c, j]
    for r in range(2, -1, -1):
        acc = a[r, 3]
        for c in range(r + 1, 3):
            acc -= a[r, c] * fit[k, c]
        fit[k, r] = acc / a[r, r]
