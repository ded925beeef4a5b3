"""Robots: quaternions, arms, filters, maps of obstacles."""
import math
from collections import namedtuple

import numpy as np
from numba import cuda, float32, float64, boolean

Gains = namedtuple("Gains", "kp ki kd")
DH = np.array([[0.0, 0.3, math.pi / 2],
               [0.5, 0.0, 0.0],
               [0.4, 0.1, -math.pi / 2]])
EYE4 = np.eye(4)


@cuda.jit(device=True)
def qmul(a, b):
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw)


@cuda.jit(device=True)
def qconj(q):
    return q[0], -q[1], -q[2], -q[3]


#: quat = rng.normal(size=(40, 4))
#: quat /= np.linalg.norm(quat, axis=1, keepdims=True)
#: vec = rng.normal(size=(40, 3))
#: turned = poison((40, 3), np.float64)
#: launch rotate[2, 32](quat, vec, turned)
#: w, u = quat[:, :1], quat[:, 1:]
#: expect close(turned, vec + 2 * np.cross(u, np.cross(u, vec) + w * vec), 1e-10, 1e-12)
@cuda.jit
def rotate(quat, vec, out):
    i = cuda.grid(1)
    if i < quat.shape[0]:
        q = (quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3])
        p = (0.0, vec[i, 0], vec[i, 1], vec[i, 2])
        _, out[i, 0], out[i, 1], out[i, 2] = qmul(qmul(q, p), qconj(q))


@cuda.jit(device=True)
def matmul4(a, b, c):
    for i in range(4):
        for j in range(4):
            s = 0.0
            for k in range(4):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@cuda.jit(device=True)
def dh_matrix(theta, a, d, alpha, m):
    ct, st = math.cos(theta), math.sin(theta)
    ca, sa = math.cos(alpha), math.sin(alpha)
    m[0, 0], m[0, 1], m[0, 2], m[0, 3] = ct, -st * ca, st * sa, a * ct
    m[1, 0], m[1, 1], m[1, 2], m[1, 3] = st, ct * ca, -ct * sa, a * st
    m[2, 0], m[2, 1], m[2, 2], m[2, 3] = 0, sa, ca, d
    m[3, 0] = m[3, 1] = m[3, 2] = 0
    m[3, 3] = 1


#: def arm(th):
#:     m = np.eye(4)
#:     for t, (a, d, al) in zip(th, [(0, 0.3, np.pi / 2), (0.5, 0, 0), (0.4, 0.1, -np.pi / 2)]):
#:         c, s, ca, sa = np.cos(t), np.sin(t), np.cos(al), np.sin(al)
#:         m = m @ np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])
#:     return m[:3, 3]
#: joints = rng.uniform(-3, 3, (30, 3))
#: tip = poison((30, 3), np.float64)
#: launch forward_kinematics[1, 32](joints, tip)
#: expect close(tip, np.array([arm(t) for t in joints]), 1e-9, 1e-9)
@cuda.jit
def forward_kinematics(joints, tip):
    i = cuda.grid(1)
    if i >= joints.shape[0]:
        return
    pose = cuda.local.array((4, 4), float64)
    link = cuda.local.array((4, 4), float64)
    new = cuda.local.array((4, 4), float64)
    for r in range(4):
        for c in range(4):
            pose[r, c] = EYE4[r, c]
    for j in range(DH.shape[0]):
        a, d, alpha = DH[j]
        dh_matrix(joints[i, j], a, d, alpha, link)
        matmul4(pose, link, new)
        pose[:, :] = new
    tip[i, 0:3] = pose[:3, 3]


#: def pid_py(target, kp, ki, kd, n):
#:     x = v = integral = last = 0.0
#:     out = []
#:     for k in range(n):
#:         e = target - x
#:         integral = min(max(integral + e * 0.05, -2), 2)
#:         u = kp * e + ki * integral + kd * ((e - last) / 0.05 if k else 0)
#:         last = e
#:         v += (u - 0.4 * v) * 0.05
#:         x += v * 0.05
#:         out.append(x)
#:     return out
#: targets = rng.uniform(-1, 1, 10)
#: path = poison((10, 50), np.float64)
#: launch pid[1, 16](targets, (4.0, 0.5, 1.5), path)
#: expect close(path, np.array([pid_py(t, 4.0, 0.5, 1.5, 50) for t in targets]))
@cuda.jit
def pid(targets, gains, path):
    i = cuda.grid(1)
    if i < targets.size:
        g = Gains(*gains)
        dt = .05
        x = v = integral = 0.0
        last = None
        for k in range(path.shape[1]):
            error = targets[i] - x
            integral += error * dt
            if integral > 2:
                integral = 2
            elif integral < -2:
                integral = -2
            derivative = (error - last) / dt if k > 0 else 0.0
            last = error
            u = g.kp * error + g.ki * integral + g.kd * derivative
            v += (u - 0.4 * v) * dt
            x += v * dt
            path[i, k] = x


#: def kalman_py(z):
#:     x, p, out = z[0], 1.0, []
#:     for v in z:
#:         p += 0.01
#:         k = p / (p + 0.25)
#:         x, p = x + k * (v - x), (1 - k) * p
#:         out.append(x)
#:     return out
#: noisy = rng.normal(size=(60, 7))
#: smooth = poison((60, 7), np.float64)
#: launch kalman[1, 8](noisy, smooth)
#: expect close(smooth, np.array([kalman_py(c) for c in noisy.T]).T, 1e-10, 1e-12)
@cuda.jit
def kalman(z, out, q=0.01, r=0.25):
    c = cuda.grid(1)
    if c < z.shape[1]:
        x, p = z[0, c], 1.
        for k in range(len(z)):
            p = p + q
            gain = p / (p + r)
            x, p = x + gain * (z[k, c] - x), (1 - gain) * p
            out[k, c] = x


#: def ray_py(grid, x0, y0, x1, y1):
#:     dx, dy = abs(x1 - x0), -abs(y1 - y0)
#:     sx, sy = (1 if x0 < x1 else -1), (1 if y0 < y1 else -1)
#:     err, n = dx + dy, 0
#:     while True:
#:         if grid[y0, x0]:
#:             return n
#:         if (x0, y0) == (x1, y1):
#:             return -1
#:         e2 = 2 * err
#:         if e2 >= dy:
#:             err, x0 = err + dy, x0 + sx
#:         if e2 <= dx:
#:             err, y0 = err + dx, y0 + sy
#:         n += 1
#: occ = rng.random((24, 24)) < 0.06
#: ends = rng.integers(0, 24, (80, 4)).astype(np.int32)
#: hits = poison(80, np.int32)
#: launch bresenham[2, 64](occ, ends, hits)
#: expect hits == [ray_py(occ, *map(int, e)) for e in ends]
@cuda.jit
def bresenham(grid, ends, hits):
    i = cuda.grid(1)
    if i >= ends.shape[0]:
        return
    x0, y0, x1, y1 = ends[i, 0], ends[i, 1], ends[i, 2], ends[i, 3]
    dx = abs(x1 - x0)
    dy = -abs(y1 - y0)
    sx = 1 if x0 < x1 else -1
    sy = 1 if y0 < y1 else -1
    err = dx + dy
    steps = 0
    hits[i] = -1
    while not grid[y0, x0]:
        if x0 == x1 and y0 == y1:
            break
        e2 = 2 * err
        if e2 >= dy:
            err += dy
            x0 += sx
        if e2 <= dx:
            err += dx
            y0 += sy
        steps += 1
    else:
        hits[i] = steps
