# Bodies, molecules and points. Positions have four columns: x, y, z and mass or charge.
import math

from numba import cuda, float32, int32

TILE = 128
SOFTENING = 0.01


# Gravity of all on each.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def nbody(bodies, forces):
    i = cuda.grid(1)
    n = bodies.shape[0]
    if i < n:
        x = bodies[i, 0]
        y = bodies[i, 1]
        z = bodies[i, 2]
        fx = float32(0)
        fy = float32(0)
        fz = float32(0)
        for j in range(n):
            dx = bodies[j, 0] - x
            dy = bodies[j, 1] - y
            dz = bodies[j, 2] - z
            r2 = dx * dx + dy * dy + dz * dz + float32(SOFTENING)
            inverse = 1 / math.sqrt(r2)
            s = bodies[j, 3] * inverse * inverse * inverse
            fx += dx * s
            fy += dy * s
            fz += dz * s
        forces[i, 0] = fx
        forces[i, 1] = fy
        forces[i, 2] = fz


# The same by tiles in shared memory.
@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def nbody_tiled(bodies, forces):
    tile = cuda.shared.array((TILE, 4), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    n = bodies.shape[0]
    x = bodies[i, 0]
    y = bodies[i, 1]
    z = bodies[i, 2]
    fx = float32(0)
    fy = float32(0)
    fz = float32(0)
    for first in range(0, n, TILE):
        for c in range(4):
            tile[t, c] = bodies[first + t, c]
        cuda.syncthreads()
        for j in range(TILE):
            dx = tile[j, 0] - x
            dy = tile[j, 1] - y
            dz = tile[j, 2] - z
            r2 = dx * dx + dy * dy + dz * dz + float32(SOFTENING)
            inverse = 1 / math.sqrt(r2)
            s = tile[j, 3] * inverse * inverse * inverse
            fx += dx * s
            fy += dy * s
            fz += dz * s
        cuda.syncthreads()
    forces[i, 0] = fx
    forces[i, 1] = fy
    forces[i, 2] = fz


# Lennard-Jones forces of the atoms in neighbour lists, one a column, within a cutoff.
@cuda.jit("void(float32[:, ::1], int32[:, ::1], float32, float32[:, ::1])")
def lj_force(atoms, lists, cutoff2, forces):
    i = cuda.grid(1)
    if i < atoms.shape[0]:
        x = atoms[i, 0]
        y = atoms[i, 1]
        z = atoms[i, 2]
        fx = float32(0)
        fy = float32(0)
        fz = float32(0)
        for k in range(lists.shape[0]):
            j = lists[k, i]
            dx = x - atoms[j, 0]
            dy = y - atoms[j, 1]
            dz = z - atoms[j, 2]
            r2 = dx * dx + dy * dy + dz * dz
            if r2 < cutoff2 and j != i:
                inverse2 = 1 / (r2 + float32(0.5))
                inverse6 = inverse2 * inverse2 * inverse2
                force = inverse2 * inverse6 * (inverse6 - float32(0.5))
                fx += dx * force
                fy += dy * force
                fz += dz * force
        forces[i, 0] = fx
        forces[i, 1] = fy
        forces[i, 2] = fz


# Lists of the neighbours of each point of a lattice within a distance.
@cuda.jit
def neighbour_list(points, cutoff2, lists, counts):
    i = cuda.grid(1)
    n = points.shape[0]
    if i < n:
        count = 0
        for j in range(n):
            dx = points[i, 0] - points[j, 0]
            dy = points[i, 1] - points[j, 1]
            dz = points[i, 2] - points[j, 2]
            if i != j and dx * dx + dy * dy + dz * dz < int32(cutoff2):
                if count < lists.shape[0]:
                    lists[count, i] = j
                count += 1
        counts[i] = count


# The potential of charges at the points of a plane.
@cuda.jit("void(float32[:, ::1], float32, float32[:, ::1])")
def coulomb_plane(atoms, spacing, energy):
    j, i = cuda.grid(2)
    if i < energy.shape[0] and j < energy.shape[1]:
        x = spacing * float32(j)
        y = spacing * float32(i)
        total = float32(0)
        for a in range(atoms.shape[0]):
            dx = x - atoms[a, 0]
            dy = y - atoms[a, 1]
            dz = atoms[a, 2]
            total += atoms[a, 3] / math.sqrt(dx * dx + dy * dy + dz * dz + float32(0.1))
        energy[i, j] = total


# The Q matrix of magnetic resonance imaging: a sum of phases over the points of k-space.
@cuda.jit
def mri_q(x, y, z, k, real, imaginary):
    i = cuda.grid(1)
    if i < x.size:
        re = float32(0)
        im = float32(0)
        for s in range(k.shape[0]):
            angle = 2 * float32(math.pi) * (k[s, 0] * x[i] + k[s, 1] * y[i] + k[s, 2] * z[i])
            re += k[s, 3] * math.cos(angle)
            im += k[s, 3] * math.sin(angle)
        real[i] = re
        imaginary[i] = im


# The nearest of the centres to each point of 8 bytes: k-means' assignment.
@cuda.jit("void(uint8[:, ::1], uint8[:, ::1], int32[::1])")
def kmeans_assign(points, centres, labels):
    i = cuda.grid(1)
    if i < points.shape[0]:
        best = int32(0)
        least = float32(1e30)
        for c in range(centres.shape[0]):
            distance = float32(0)
            for f in range(points.shape[1]):
                d = float32(points[i, f]) - float32(centres[c, f])
                distance += d * d
            if distance < least:
                least = distance
                best = c
        labels[i] = best


# A step of leapfrog in a box whose walls reflect.
@cuda.jit
def leapfrog(positions, velocities, forces, dt):
    i = cuda.grid(1)
    if i < positions.shape[0]:
        for c in range(3):
            v = velocities[i, c] + dt * forces[i, c]
            x = positions[i, c] + dt * v
            if x < 0:
                x = -x
                v = -v
            elif x > 1:
                x = 2 - x
                v = -v
            positions[i, c] = x
            velocities[i, c] = v
