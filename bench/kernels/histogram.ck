from numba import cuda, int32

@cuda.jit("void(uint8[::1], int32[::1])")
def histogram(data, bins):
    counts = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    for b in range(t, 256, cuda.blockDim.x):
        counts[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, data[i], 1)
    cuda.syncthreads()
    for b in range(t, 256, cuda.blockDim.x):
        cuda.atomic.add(bins, b, counts[b])
