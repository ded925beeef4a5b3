# Complex scalar parameters between others, shared and local arrays, views, strided arrays.

@kernel
def scalars(a: int8, z: complex64, b: bool, w: complex128, c: float32, v: complex64, x: complex128[:], f: float32):
    for i in range(grid(1), len(x), gridsize(1)):
        x[i] = (x[i] + z) * w + v * c + a + (f if b else 0)

@kernel
def memory(x: complex64[:, :], y: complex128[::1], o: complex128[:]):
    s = cuda.shared.array((2, 64), complex64)
    p = cuda.local.array(3, complex128)
    t = cuda.threadIdx.x
    for first in range(blockIdx.x * blockDim.x, len(o), gridsize(1)):
        i = first + t
        if i < len(o):
            s[0, t] = x[i, 0]
            s[1, t] = x[i, 1]
        cuda.syncthreads()
        if i < len(o):
            p[0] = s[1, t]
            p[1] = s[0, t] * y[i]
            p[2] = 1j
            p[:2] *= 2
            total = 0j
            for k in range(3):
                total += p[k]
            row = x[i, :]
            row[:] = row[1]
            o[i] = total + len(row)
        cuda.syncthreads()

@kernel
def generic(z, c):
    for i in range(grid(1), z.size, gridsize(1)):
        z[i] *= c

#: repeat grids [1, 64], [3, 64]
#: n = 177
#: x = rng.normal(size=n) + 1j * rng.normal(size=n)
#: z, w, v = np.complex64(1.5 - 2j), np.complex128(-0.25 + 3j), np.complex64(0.5 + 8j)
#: launch scalars[GRID, BLOCK](-5, z, True, w, 0.5, v, x, 7)
#: expect close(x, (x_in + z) * w + v * 0.5 - 5 + 7, 1e-12)
#: x = rng.normal(size=n) + 1j * rng.normal(size=n)
#: launch scalars[GRID, BLOCK](3, 2, False, 1 - 1j, 4, 1j, x, 7)
#: expect close(x, (x_in + 2) * (1 - 1j) + 4j + 3, 1e-12)
#: x = (rng.normal(size=(n, 2)) + 1j * rng.normal(size=(n, 2))).astype("c8")
#: y, o = rng.normal(size=n) + 1j * rng.normal(size=n), poison(n, "c16")
#: launch memory[GRID, BLOCK](x, y, o)
#: expect close(o, 2 * x_in[:, 1] + 2 * x_in[:, 0] * y + 1j + 2, 1e-12)
#: expect x == x_in[:, 1:]
#: z, c = (rng.normal(size=n) + 1j).astype("c8"), np.complex64(2j)
#: launch generic[GRID, BLOCK](z, c)
#: expect close(z, z_in * 2j)
#: z = rng.normal(size=n) + 1j
#: launch generic[GRID, BLOCK](z, 1 + 2j)
#: expect close(z, z_in * (1 + 2j), 1e-14)
#: z = (rng.normal(size=n) + 1j).astype("c8")
#: launch generic[GRID, BLOCK](z, 3)
#: expect z == z_in * 3
