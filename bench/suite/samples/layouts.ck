# A step in time of particles: as a structure of arrays, as an array of structures, and as vectors.
from numba import cuda, float32

Particle = record(x=float32, y=float32, z=float32, mass=float32, u=float32, v=float32, w=float32,
                  charge=float32)


@cuda.jit("void(float32[::1], float32[::1], float32[::1], float32[::1], float32[::1], float32[::1], float32)")
def structure_of_arrays(x, y, z, u, v, w, step):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += u[i] * step
        y[i] += v[i] * step
        z[i] += w[i] * step


# Each particle's eight numbers, one behind the other.
@cuda.jit("void(float32[::1], float32)")
def array_of_structures(numbers, step):
    particles = numbers.view(Particle)
    i = cuda.grid(1)
    if i < particles.size:
        p = particles[i]
        p.x += p.u * step
        p.y += p.v * step
        p.z += p.w * step


@cuda.jit("void(float4[::1], float4[::1], float32)")
def vectors(places, velocities, step):
    i = cuda.grid(1)
    if i < places.size:
        p = places[i]
        v = velocities[i]
        places[i] = float4(p.x + v.x * step, p.y + v.y * step, p.z + v.z * step, p.w)


# `vectors` with one more dimension instead.
@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32)")
def rows(places, velocities, step):
    assert places.shape[1] == 4 and velocities.shape[1] == 4
    i = cuda.grid(1)
    if i < places.shape[0]:
        for k in range(3):
            places[i, k] += velocities[i, k] * step


@cuda.jit("void(float4[::1], float4[::1], float4[::1], float32)")
def vector_axpy(x, y, z, a):
    i = cuda.grid(1)
    if i < x.size:
        z[i] = x[i] * a + y[i]
