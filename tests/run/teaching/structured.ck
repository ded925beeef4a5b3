"""Arrays of records, as NumPy's structured dtypes have them."""
import math

import numpy as np
from numba import cuda, from_dtype, float64, int32

particle = np.dtype([
    ("pos", np.float64, (3,)),
    ("vel", np.float64, (3,)),
    ("mass", np.float64),
    ("alive", np.bool_),
], align=True)

sphere_t = np.dtype([("cx", "f4"), ("cy", "f4"), ("cz", "f4"), ("radius", "f4"), ("id", "i4")])
pair_t = np.dtype([("key", np.int32), ("value", np.float32)])
pair = from_dtype(pair_t)
BINS = 4


#: ptype = np.dtype([("pos", "f8", 3), ("vel", "f8", 3), ("mass", "f8"), ("alive", "?")], align=True)
#: ps = np.zeros(40, ptype)
#: ps["pos"] = rng.normal(size=(40, 3))
#: ps["vel"] = rng.normal(size=(40, 3))
#: ps["mass"] = rng.uniform(1, 2, 40)
#: ps["alive"] = rng.random(40) < 0.7
#: before = ps.copy()
#: launch drift[2, 32](ps, 0.1, 1.5)
#: moved = before["pos"] + 0.1 * before["vel"]
#: inside = (np.abs(moved) <= 1.5).all(1)
#: expect close(ps["pos"], np.where(before["alive"][:, None], moved, before["pos"]))
#: expect ps["alive"] == (before["alive"] & inside)
@cuda.jit
def drift(ps, dt, box):
    i = cuda.grid(1)
    if i < ps.size and ps[i].alive:
        outside = False
        for d in range(3):
            ps[i].pos[d] += dt * ps[i].vel[d]
            outside = outside or abs(ps[i]["pos"][d]) > box
        if outside:
            ps[i].alive = False


#: energy = np.zeros(2)
#: launch kinetic_energy[2, 32](ps, energy)
#: ke = 0.5 * ps["mass"] * (ps["vel"] ** 2).sum(1)
#: expect close(energy[0], ke[ps["alive"]].sum(), 1e-10)
#: expect energy[1] == ps["alive"].sum()
@cuda.jit
def kinetic_energy(ps, out):
    i = cuda.grid(1)
    if i >= ps.shape[0]:
        return
    p = ps[i]
    if not p.alive:
        return
    v2 = 0.0
    for v in p.vel:
        v2 += v * v
    cuda.atomic.add(out, 0, 0.5 * p.mass * v2)
    cuda.atomic.add(out, 1, 1)


@cuda.jit(device=True)
def hit(s, ox, oy, oz, dx, dy, dz):
    lx, ly, lz = s.cx - ox, s.cy - oy, s.cz - oz
    along = lx * dx + ly * dy + lz * dz
    d2 = lx * lx + ly * ly + lz * lz - along * along
    r2 = s.radius * s.radius
    if d2 > r2:
        return False, np.float32(math.inf)
    return True, along - math.sqrt(r2 - d2)


#: stype = np.dtype([("cx", "f4"), ("cy", "f4"), ("cz", "f4"), ("radius", "f4"), ("id", "i4")])
#: balls = np.zeros(5, stype)
#: balls["cx"], balls["cy"], balls["cz"] = rng.uniform(-1, 1, 5), rng.uniform(-1, 1, 5), rng.uniform(3, 6, 5)
#: balls["radius"], balls["id"] = 0.6, rng.permutation(5) + 10
#: image = poison((16, 16), np.int32)
#: launch trace_rays[(2, 2), (8, 8)](balls, image)
#: def rays():
#:  img = np.full((16, 16), -1)
#:  for y in range(16):
#:   for x in range(16):
#:    o = np.array([(x - 7.5) / 5, (y - 7.5) / 5, 0])
#:    best = np.inf
#:    for b in balls:
#:     l = np.array([b["cx"], b["cy"], b["cz"]], float) - o
#:     d2 = l[0] ** 2 + l[1] ** 2
#:     if d2 <= b["radius"] ** 2 and l[2] - np.sqrt(b["radius"] ** 2 - d2) < best:
#:      best = l[2] - np.sqrt(b["radius"] ** 2 - d2); img[y, x] = b["id"]
#:  return img
#: expect np.mean(np.array(image) != rays()) < 0.02
@cuda.jit
def trace_rays(spheres, image):
    x, y = cuda.grid(2)
    h, w = image.shape
    if x < w and y < h:
        ox = np.float32((x - 7.5) / 5)
        oy = np.float32((y - 7.5) / 5)
        nearest = np.float32(1e30)
        found = -1
        for k in range(spheres.size):
            ok, t = hit(spheres[k], ox, oy, np.float32(0), np.float32(0), np.float32(0), np.float32(1))
            if ok and t < nearest:
                nearest = t
                found = spheres[k].id
        image[y, x] = found


#: kv = np.zeros((6, 8), [("key", "i4"), ("value", "f4")])
#: kv["key"] = rng.permuted(np.tile(np.arange(8), (6, 1)), axis=1)
#: kv["value"] = rng.normal(size=(6, 8))
#: kv0 = kv.copy()
#: launch sort_pairs[1, 8](kv)
#: expect np.array_equal(np.array(kv), np.take_along_axis(kv0, np.argsort(kv0["key"], axis=1), 1))
@cuda.jit
def sort_pairs(rows):
    r = cuda.grid(1)
    if r < rows.shape[0]:
        mine = cuda.local.array(8, dtype=pair)
        n = rows.shape[1]
        for j in range(n):
            k = j
            while k > 0 and mine[k - 1].key > rows[r, j].key:
                mine[k] = mine[k - 1]
                k -= 1
            mine[k] = rows[r, j]
        for j in range(n):
            rows[r, j] = mine[j]


#: htype = np.dtype([("count", "i4", (4,)), ("total", "f8")])
#: hist = np.zeros(3, htype)
#: which = rng.integers(0, 3, 90, dtype=np.int32)
#: vals = rng.integers(0, 40, 90).astype(np.float64)
#: launch histograms[3, 32](which, vals, hist)
#: expect np.array(hist["count"]) == [np.bincount((vals[which == g] // 10).astype(int), minlength=4) for g in range(3)]
#: expect np.array(hist["total"]) == [vals[which == g].sum() for g in range(3)]
@cuda.jit
def histograms(which, vals, hist):
    i = cuda.grid(1)
    if i < which.size:
        g = which[i]
        b = min(BINS - 1, int(vals[i] // 10))
        cuda.atomic.add(hist[g].count, b, 1)
        cuda.atomic.add(hist['total'], g, vals[i])


#: boxes = np.zeros(12, [("lo", "f4", 2), ("hi", "f4", 2)])
#: boxes["lo"] = rng.uniform(0, 8, (12, 2))
#: boxes["hi"] = boxes["lo"] + rng.uniform(0.5, 3, (12, 2))
#: overlaps = poison((12, 12), np.bool_)
#: launch overlapping[(3, 3), (4, 4)](boxes, overlaps)
#: lo, hi = boxes["lo"], boxes["hi"]
#: expect overlaps == ((lo[:, None] <= hi[None]) & (hi[:, None] >= lo[None])).all(2)
@cuda.jit
def overlapping(boxes, out):
    i, j = cuda.grid(2)
    if i < boxes.size and j < boxes.size:
        a, b = boxes[i], boxes[j]
        out[i, j] = (a.lo[0] <= b.hi[0] and a.hi[0] >= b.lo[0] and
                     a.lo[1] <= b.hi[1] and a.hi[1] >= b.lo[1])
