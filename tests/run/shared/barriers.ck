# Barriers in loops of uniform but unknown length, under uniform conditions, two device functions
# deep, after break and continue; a barrier that a constant removes is not there.

def wait():
    syncthreads()

def step(s, t, n):
    v = s[(t + 1) % n]
    wait()
    s[t] = v
    wait()

def maybe_wait(on):
    if on:
        syncthreads()

@kernel
def rotate(x, trips):
    s = shared.array(128, int32)
    t = threadIdx.x
    n = blockDim.x
    s[t] = x[grid(1)]
    syncthreads()
    k = 0
    while True:
        if k == trips[blockIdx.x]:
            break
        k += 1
        if k % 3 == 0:
            s[t] += 1
            syncthreads()
            continue
        step(s, t, n)
    if trips[blockIdx.x] > 2:
        syncthreads()
    # Only some threads come here: nothing waits.
    if t % 2 == 0:
        maybe_wait(False)
    x[grid(1)] = s[t]

# A prefix sum: every step doubles the distance.
@kernel
def scan(x):
    a = shared.array(128, int64)
    b = shared.array(128, int64)
    t = threadIdx.x
    n = blockDim.x
    source = a
    target = b
    source[t] = x[grid(1)]
    syncthreads()
    distance = 1
    while distance < n:
        target[t] = source[t] + (source[t - distance] if t >= distance else 0)
        syncthreads()
        source, target = target, source
        distance *= 2
    x[grid(1)] = source[t]

#: repeat grids [1, 128], [4, 33], [3, 1], [5, 7]
#: n = GRID * BLOCK
#: x, y = rng.integers(-99, 99, n, dtype="i4"), rng.integers(-99, 99, n)
#: trips = rng.integers(0, 9, GRID, dtype="i4")
#: launch rotate[GRID, BLOCK](x, trips)
#: launch scan[GRID, BLOCK](y)
#: def rotated(v, k):
#:     for j in range(1, k + 1):
#:         v = v + 1 if j % 3 == 0 else np.roll(v, -1)
#:     return v
#: parts = x_in.reshape(GRID, BLOCK)
#: expect x == np.concatenate([rotated(p, k) for p, k in zip(parts, trips)])
#: expect y == np.cumsum(y_in.reshape(GRID, BLOCK), axis=1).ravel()
