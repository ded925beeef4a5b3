# Orders and counts: a bitonic sort, odd-even sort, histograms, counting by class, a search.
#: a = rng.integers(-1000, 1000, 256, dtype=np.int32)
#: launch bitonic[1, 256](a)
#: expect a == np.sort(a_in)
#: b = rng.random(100).astype(np.float32)
#: launch odd_even[1, 64](b)
#: expect b == np.sort(b_in)
#: x = rng.random(3000).astype(np.float32)
#: bins = np.zeros(10, np.int32)
#: launch histogram[8, 64](x, float32(0), float32(1), bins)
#: expect bins == np.bincount((x * np.float32(10)).astype(int).clip(0, 9), minlength=10)
#: data = rng.integers(0, 256, 5000, dtype=np.uint8)
#: counts = np.zeros(256, np.int32)
#: launch histogram_shared[4, 128](data, counts)
#: expect counts == np.bincount(data, minlength=256)
#: table = np.sort(rng.integers(0, 10000, 500, dtype=np.int64))
#: keys = rng.integers(-5, 10005, 321, dtype=np.int64)
#: found = poison(321, np.int64)
#: launch search_sorted[3, 128](table, keys, found)
#: expect found == np.searchsorted(table, keys)
from numba import cuda, int32


@cuda.jit
def bitonic(values):
    s = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    s[t] = values[t]
    cuda.syncthreads()
    k = 2
    while k <= 256:
        j = k // 2
        while j > 0:
            other = t ^ j
            if other > t:
                up = (t & k) == 0
                if (s[t] > s[other]) == up:
                    s[t], s[other] = s[other], s[t]
            cuda.syncthreads()
            j //= 2
        k *= 2
    values[t] = s[t]


@cuda.jit
def odd_even(a):
    t = cuda.threadIdx.x
    n = a.shape[0]
    for phase in range(n):
        i = 2 * t + phase % 2
        if i + 1 < n and a[i] > a[i + 1]:
            tmp = a[i]
            a[i] = a[i + 1]
            a[i + 1] = tmp
        cuda.syncthreads()


@cuda.jit
def histogram(x, low, high, counts):
    """Equal bins from low to high; what lies outside is not counted."""
    bins = counts.size
    per_unit = bins / (high - low)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        if low <= x[i] < high:
            slot = int32((x[i] - low) * per_unit)
            cuda.atomic.add(counts, min(slot, bins - 1), 1)


@cuda.jit
def histogram_shared(data, out):
    local = cuda.shared.array(256, dtype=int32)
    for b in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        local[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(local, data[i], 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        cuda.atomic.add(out, b, local[b])


@cuda.jit
def search_sorted(table, keys, found):
    i = cuda.grid(1)
    if i < keys.size:
        low = 0
        high = table.size
        while low < high:
            mid = (low + high) // 2
            if table[mid] < keys[i]:
                low = mid + 1
            else:
                high = mid
        found[i] = low
