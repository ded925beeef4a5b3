# Loops around a block's barrier, of every trip count up to more than twice an unrolled body.
#: n = 96
#: trips = rng.integers(0, 11)
#: x = rng.integers(-100, 100, (11, n), dtype=np.int32)
#: y = poison(n, np.int32)
#: launch rotate[1, n](x, trips, y)
#: expect y == sum((np.roll(x[k], -k - 1) * (k + 1) for k in range(trips)), start=np.zeros(n, np.int32))
#: launches [f"rotate[1, n](x, {k}, y)" for k in range(12 - 1)]
#: expect y == sum((np.roll(x[k], -k - 1) * (k + 1) for k in range(10)), start=np.zeros(n, np.int32))
#: z = poison(n, np.int32)
#: launch shifted[1, n](x, trips, z)
#: expect z == np.roll(np.arange(n), -int(trips))

@kernel
def rotate(x: int32[:, ::1], trips: int64, y: int32[::1]):
    s = shared.array(96, int32)
    t = threadIdx.x
    total = int32(0)
    for k in range(trips):
        s[t] = x[k, t]
        syncthreads()
        total += s[(t + k + 1) % 96] * (k + 1)
        syncthreads()
    y[t] = total

# Each thread takes its neighbour's value, under a condition that differs from thread to thread.
@kernel
def shifted(x: int32[:, ::1], trips: int64, z: int32[::1]):
    s = shared.array(96, int32)
    t = threadIdx.x
    s[t] = t
    syncthreads()
    for k in range(trips):
        if t == 95:
            v = s[0]
        elif x[k, t] > 0:
            v = s[t + 1]
        else:
            v = s[t + 1]
        syncthreads()
        s[t] = v
        syncthreads()
    z[t] = s[t]
