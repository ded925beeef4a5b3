# nbody: gravity of all bodies on each, by tiles in shared memory, and a step in time. A body is
# (x, y, z, mass).
from numba import cuda, float32

TILE = 256
SOFTENING = 0.00125


@cuda.jit(device=True)
def attracted(acceleration, body, other):
    x = other.x - body.x
    y = other.y - body.y
    z = other.z - body.z
    inverse = rsqrt(x * x + y * y + z * z + float32(SOFTENING))
    s = other.w * (inverse * inverse * inverse)
    return float3(acceleration.x + x * s, acceleration.y + y * s, acceleration.z + z * s)


@cuda.jit("void(float4[::1], float4[::1], float4[::1], float32, float32)")
def nbody(moved, bodies, velocities, step, damping):
    tile = cuda.shared.array(TILE, float4)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    body = bodies[i]
    acceleration = float3(0, 0, 0)
    for first in range(0, bodies.size, TILE):
        tile[t] = bodies[first + t]
        cuda.syncthreads()
        for k in range(TILE):
            acceleration = attracted(acceleration, body, tile[k])
        cuda.syncthreads()
    v = velocities[i]
    velocity = (float3(v.x, v.y, v.z) + acceleration * step) * damping
    velocities[i] = float4(velocity, v.w)
    moved[i] = float4(float3(body.x, body.y, body.z) + velocity * step, body.w)
