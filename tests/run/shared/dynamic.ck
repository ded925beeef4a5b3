# Dynamic shared memory: sizes from the launch, two types at once, device functions, other kernels'
# static arrays in the same module.

@kernel
def reverse(x, y):
    s = cuda.shared.array(0, dtype=x.dtype)
    n = cuda.blockDim.x
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * n
    s[t] = x[first + t]
    cuda.syncthreads()
    y[first + t] = s[-1 - t]

#: for dtype, n in ("i1", 33), ("u2", 64), ("f4", 7), ("f8", 96), ("i8", 1), ("?", 50):
#:     globals()["x_" + str(n)] = rng.integers(0, 2 if dtype == "?" else 99, 3 * n).astype(dtype)
#:     globals()["y_" + str(n)] = poison(3 * n, np.dtype(dtype))
#: launch reverse[3, 33, 0, 33](x_33, y_33)
#: launch reverse[3, 64, 0, 128](x_64, y_64)
#: launch reverse[3, 7, 0, 28](x_7, y_7)
#: launch reverse[3, 96, 0, 768](x_96, y_96)
#: launch reverse[3, 1, 0, 8](x_1, y_1)
#: launch reverse[3, 50, 0, 50](x_50, y_50)
#: for n in 33, 64, 7, 96, 1, 50:
#:     x, y = globals()["x_%d" % n], globals()["y_%d" % n]
#:     assert (y.reshape(3, n) == x.reshape(3, n)[:, ::-1]).all(), n
#: expect y_7.reshape(3, 7) == x_7.reshape(3, 7)[:, ::-1]

@kernel
def sizes(o: int64[:, :]):
    static = cuda.shared.array(3, int16)
    bytes = shared.array(0, int8)
    words = shared.array((0,), float32)
    if cuda.threadIdx.x == 0:
        static[0] = 5
        row = o[cuda.blockIdx.x]
        row[0] = bytes.size
        row[1] = words.shape[0]
        row[2] = len(shared.array(shape=0, dtype=float64))
        row[3] = words.nbytes
        row[4] = words.strides[0]
        row[5] = static[0] + words.ndim * 10

#: def want(n):
#:     return [n, n // 4, n // 8, n // 4 * 4, 4, 15]
#: o0, o1, o2, o3, o4, o5, o6 = (poison((2, 6), "i8") for _ in range(7))
#: launch sizes[2, 32](o0)
#: launch sizes[2, 32, 0, 0](o1)
#: launch sizes[2, 1, 0, 1](o2)
#: launch sizes[2, 64, 0, 1023](o3)
#: launch sizes[2, 64, 0, 1024](o4)
#: launch sizes[2, 32, 0, 102400](o5)
#: launch sizes[2, 32, 0, 102399](o6)
#: expect o0 == want(0)
#: expect o1 == want(0)
#: expect o2 == want(1)
#: expect o3 == want(1023)
#: expect o4 == want(1024)
#: expect o5 == want(102400)
#: expect o6 == want(102399)

# 100 KB: more than a launch gets without asking the driver.

def fill(x, begin, step):
    s = cuda.shared.array(0, float32)
    for i in range(begin, len(s), step):
        s[i] = x[i]

def total(begin, step):
    s = cuda.shared.array(0, float32)
    sum = float64(0)
    for i in range(begin, len(s), step):
        sum += s[len(s) - 1 - i]
    return sum

@kernel
def large(x: float32[::1], o: float64[:, :]):
    t = cuda.threadIdx.x
    fill(x, t, cuda.blockDim.x)
    cuda.syncthreads()
    o[cuda.blockIdx.x, t] = total(t, cuda.blockDim.x)

#: big = rng.integers(-1000, 1000, 25600).astype("f4")
#: sums, less = poison((2, 96), "f8"), poison((2, 96), "f8")
#: launch large[2, 96, 0, 102400](big, sums)
#: launch large[2, 96, 0, 4 * 25599 + 3](big, less)
#: def by_thread(x, threads):
#:     x = x[::-1].astype("f8")
#:     return np.array([x[t::threads].sum() for t in range(threads)])
#: expect sums == by_thread(big, 96)
#: expect less == by_thread(big[:-1], 96)

# Two types, partitioned by slices; static arrays of this kernel and of others are apart.

@kernel
def histogram(keys: uint8[::1], weights: float64[::1], bins: int64, counts: int32[:, :], sums: float64[:, :]):
    guard = cuda.shared.array(33, int32)
    memory = cuda.shared.array(0, float64)
    sum = memory[:bins]
    count = memory[bins:].view(int32)[:bins]
    t = cuda.threadIdx.x
    for i in range(t, 33, cuda.blockDim.x):
        guard[i] = 77 + i
    for i in range(t, bins, cuda.blockDim.x):
        sum[i] = 0
        count[i] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), len(keys), cuda.gridsize(1)):
        cuda.atomic.add(count, keys[i], 1)
        cuda.atomic.add(sum, keys[i], weights[i])
    cuda.syncthreads()
    for i in range(t, bins, cuda.blockDim.x):
        counts[cuda.blockIdx.x, i] = count[i] + (guard[i % 33] - 77 - i % 33)
        sums[cuda.blockIdx.x, i] = sum[i]

@kernel
def static_only(o: int32[::1]):
    block = cuda.shared.array((60, 100), int64)
    block[59, cuda.threadIdx.x] = cuda.threadIdx.x
    cuda.syncthreads()
    o[cuda.threadIdx.x] = block[59, cuda.blockDim.x - 1 - cuda.threadIdx.x]

#: keys = rng.integers(0, 91, 5003).astype("u1")
#: weights = rng.integers(-50, 50, 5003).astype("f8")
#: c1, c2 = poison((1, 91), "i4"), poison((5, 91), "i4")
#: s1, s2 = poison((1, 91), "f8"), poison((5, 91), "f8")
#: st = poison(100, "i4")
#: launch histogram[1, 64, 0, 92 * 12](keys, weights, 91, c1, s1)
#: launch static_only[1, 100](st)
#: launch histogram[5, 33, 0, 92 * 12 + 5](keys, weights, 91, c2, s2)
#: expect c1.sum(0) == np.bincount(keys, minlength=91)
#: expect c2.sum(0) == np.bincount(keys, minlength=91)
#: expect s1.sum(0) == np.bincount(keys, weights, 91)
#: expect s2.sum(0) == np.bincount(keys, weights, 91)
#: expect st == np.arange(100)[::-1]

# Across grid barriers, and in a kernel that waits for nothing.

@kernel
def kept(o: int32[:, :]):
    s = cuda.shared.array(0, int32)
    g = cuda.cg.this_grid()
    t = cuda.threadIdx.x
    s[t] = cuda.grid(1)
    g.sync()
    o[cuda.blockIdx.x, t] = s[t ^ 1] * 3
    g.sync()
    s[t] += o[(cuda.blockIdx.x + 1) % cuda.gridDim.x, t]
    g.sync()
    o[cuda.blockIdx.x, t] = s[(t + 1) % cuda.blockDim.x]

@kernel
def own(o: int32[::1]):
    s = cuda.shared.array(0, int32)
    s[cuda.threadIdx.x] = cuda.grid(1)
    s[cuda.threadIdx.x] += 5
    o[cuda.grid(1)] = s[cuda.threadIdx.x]

#: k, w = poison((3, 32), "i4"), poison(4 * 48, "i4")
#: launch kept[3, 32, 0, 128](k)
#: launch own[4, 48, 0, 192](w)
#: rank = np.arange(96).reshape(3, 32)
#: swapped = rank.reshape(3, 16, 2)[:, :, ::-1].reshape(3, 32)
#: expect k == np.roll(rank + 3 * np.roll(swapped, -1, 0), -1, 1)
#: expect w == np.arange(192) + 5

# More than a block can have.
#: e = np.zeros(32, "i4")
#: launch own[1, 32, 0, 300000](e)
#: error needs 300000 bytes of shared memory (0 static, 300000 dynamic)
#: launch static_only[1, 32, 0, 200000](e)
#: error needs 248000 bytes of shared memory (48000 static, 200000 dynamic)
