# atomic.add on the 16-bit floats, in global and shared memory; a device function is handed shared
# memory too.

def put(a, i, v):
    return atomic.add(a, i, v)

@kernel
def sums(x: float16[:], total: float16[:], old: float16[:], b: float32[:]):
    s = shared.array(3, float16)
    t = shared.array(3, bfloat16)
    for k in range(threadIdx.x, 3, blockDim.x):
        s[k] = 0
        t[k] = 0
    syncthreads()
    for i in range(threadIdx.x, len(x), blockDim.x):
        old[i] = put(total, i % 3, x[i])
        put(s, i % 3, x[i])
        put(t, 2, x[i])
    syncthreads()
    for k in range(threadIdx.x, 3, blockDim.x):
        b[k] = s[k]
        b[3 + k] = t[k]

#: repeat grids [1, 32], [1, 61], [1, 1]
#: n = 60
#: x, total, old, b = rng.integers(0, 4, n).astype("f2"), np.zeros(4, "f2"), poison(n, "f2"), poison(6, "f4")
#: launch sums[GRID, BLOCK](x, total, old, b)
#: want = [x[k::3].astype("f4").sum() for k in range(3)]
#: expect total == want + [0]
#: expect b[:3] == want
#: expect b[3:] == [0, 0, x.astype("f4").sum()]
#: expect [0 <= old, old <= max(want)]
