"""Maps: distances on the earth, projections, polygons, terrain."""
from math import radians, degrees, sin, cos, tan, asin, atan2, sqrt, log, pi, floor, fmod, hypot
import math

import numpy as np
from numba import cuda
import numba as nb

EARTH_RADIUS_KM = 6371.0088


@cuda.jit(device=True)
def haversine(lat1, lon1, lat2, lon2):
    """Great-circle distance in km."""
    lat1, lon1, lat2, lon2 = radians(lat1), radians(lon1), radians(lat2), radians(lon2)
    dlat = lat2 - lat1
    dlon = lon2 - lon1
    a = sin(dlat / 2) ** 2 + cos(lat1) * cos(lat2) * sin(dlon / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(a))


#: def hav(a, b):
#:     a, b = np.radians(a), np.radians(b)
#:     d = b - a
#:     return 2 * 6371.0088 * np.arcsin(np.sqrt(np.sin(d[..., 0] / 2) ** 2 + np.cos(a[..., 0]) * np.cos(b[..., 0]) * np.sin(d[..., 1] / 2) ** 2))
#: p = np.stack([rng.uniform(-90, 90, 21), rng.uniform(-180, 180, 21)], 1)
#: q = np.stack([rng.uniform(-90, 90, 13), rng.uniform(-180, 180, 13)], 1)
#: dist = poison((21, 13), np.float64)
#: launch distance_matrix[(3, 2), (8, 8)](p, q, dist)
#: near = poison(21, np.int64)
#: launch nearest_place[1, 32](p, q, near)
#: expect close(dist, hav(p[:, None], q[None]), 1e-9, 1e-9)
#: expect near == hav(p[:, None], q[None]).argmin(1)
@cuda.jit
def distance_matrix(p, q, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = haversine(p[i, 0], p[i, 1], q[j, 0], q[j, 1])


@cuda.jit
def nearest_place(p, q, out):
    i = cuda.grid(1)
    if i >= p.shape[0]:
        return
    best, where = math.inf, -1
    for j in range(q.shape[0]):
        d = haversine(p[i][0], p[i][1], q[j][0], q[j][1])
        if d < best:
            best, where = d, j
    out[i] = where


#: ll = np.stack([rng.uniform(-80, 80, 50), rng.uniform(-180, 179, 50)], 1)
#: tiles = poison((50, 2), np.int32)
#: launch slippy_tile[1, 64](ll, tiles, 7)
#: expect tiles[:, 0] == np.floor((ll[:, 1] + 180) / 360 * 128)
#: expect tiles[:, 1] == np.floor((1 - np.log(np.tan(np.radians(ll[:, 0])) + 1 / np.cos(np.radians(ll[:, 0]))) / np.pi) / 2 * 128)
@cuda.jit
def slippy_tile(ll, tiles, zoom):
    i = cuda.grid(1)
    if i < ll.shape[0]:
        lat, lon = ll[i]
        n = 2 ** zoom
        phi = lat * pi / 180
        tiles[i, 0] = int((lon + 180) / 360 * n)
        tiles[i, 1] = int(floor((1 - log(tan(phi) + 1 / cos(phi)) / pi) / 2 * n))


#: def inside_py(x, y, poly):
#:     inside, j = False, len(poly) - 1
#:     for i in range(len(poly)):
#:         if (poly[i, 1] > y) != (poly[j, 1] > y) and x < (poly[j, 0] - poly[i, 0]) * (y - poly[i, 1]) / (poly[j, 1] - poly[i, 1]) + poly[i, 0]:
#:             inside = not inside
#:         j = i
#:     return inside
#: ang = np.sort(rng.uniform(0, 2 * np.pi, 11))
#: poly = np.stack([np.cos(ang), np.sin(ang)], 1) * rng.uniform(0.3, 1, (11, 1))
#: pts = rng.uniform(-1, 1, (200, 2))
#: inside = poison(200, np.bool_)
#: launch in_polygon[4, 64](pts, poly, inside)
#: expect inside == np.array([inside_py(*p, poly) for p in pts])
@cuda.jit
def in_polygon(points, polygon, out):
    i = cuda.grid(1)
    if i >= points.shape[0]:
        return
    x, y = points[i, 0], points[i, 1]
    inside = False
    for k in range(len(polygon)):
        xi, yi = polygon[k, 0], polygon[k, 1]
        xj, yj = polygon[k - 1, 0], polygon[k - 1, 1]
        if ((yi > y) != (yj > y)) and (x < (xj - xi) * (y - yi) / (yj - yi) + xi):
            inside ^= True
    out[i] = inside


#: dem = rng.uniform(0, 100, (20, 30)).astype(np.float32)
#: shade = poison((20, 30), np.uint8)
#: launch hillshade[(4, 3), (8, 8)](dem, shade, 30.0, 315.0, 45.0)
#: pad = np.pad(dem.astype(np.float64), 1, "edge")
#: gx, gy = (pad[1:-1, 2:] - pad[1:-1, :-2]) / 60, (pad[2:, 1:-1] - pad[:-2, 1:-1]) / 60
#: sl, asp = np.arctan(np.hypot(gx, gy)), np.arctan2(gy, -gx)
#: zen, azi = np.radians(45), np.radians((360 - 315 + 90) % 360)
#: ref = 255 * (np.cos(zen) * np.cos(sl) + np.sin(zen) * np.sin(sl) * np.cos(azi - asp))
#: expect abs(shade - np.clip(ref, 0, 255)) < 1.01
@cuda.jit
def hillshade(dem, out, cell, azimuth, altitude):
    col, row = cuda.grid(2)
    rows, cols = dem.shape
    if row >= rows or col >= cols:
        return
    left, right = max(col - 1, 0), min(col + 1, cols - 1)
    up, down = max(row - 1, 0), min(row + 1, rows - 1)
    gx = (dem[row, right] - dem[row, left]) / (2 * cell)
    gy = (dem[down, col] - dem[up, col]) / (2 * cell)
    slope = math.atan(hypot(gx, gy))
    aspect = atan2(gy, -gx)
    zenith = radians(90.0 - altitude)
    az = radians(fmod(360.0 - azimuth + 90.0, 360.0))
    v = 255.0 * (cos(zenith) * cos(slope) + sin(zenith) * sin(slope) * cos(az - aspect))
    out[row, col] = 0 if v < 0 else 255 if v > 255 else nb.uint8(v)


#: line = rng.uniform(0, 50, (12, 40))
#: visible = poison((12, 40), np.int8)
#: launch line_of_sight[1, 16](line, visible, 1.7)
#: slope = (line[:, 1:] - line[:, :1] - 1.7) / np.arange(1, 40)
#: expect visible[:, 0] == 1
#: expect visible[:, 1:] == (slope >= np.maximum.accumulate(slope, 1))
@cuda.jit
def line_of_sight(terrain, visible, eye):
    ray = cuda.grid(1)
    if ray < terrain.shape[0]:
        height = terrain[ray, 0] + eye
        horizon = -np.inf
        visible[ray, 0] = True
        for step, h in enumerate(terrain[ray, 1:], 1):
            s = (h - height) / step
            visible[ray, step] = s >= horizon
            horizon = max(horizon, s)
