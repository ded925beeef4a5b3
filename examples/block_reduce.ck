# The sum of an array: each block adds its threads' elements in shared memory, halving the number
# of threads that add, and then adds its sum to the total.
#
#   ckrun examples/block_reduce.ck 'sum_int[16, 128](x, total)' \
#         'x=arange(10000, dtype=int32)' 'total=zeros(1, int32)' --expect total=49995000
#   ckrun examples/block_reduce.ck 'sum_float[16, 128](x, total)' \
#         'x=full(10000, 0.5, float32)' 'total=zeros(1, float32)' --expect total=5000

THREADS = 128

@kernel
def sum_int(x: int32[::1], total: int32[::1]):
    part = shared.array(THREADS, int32)
    t = threadIdx.x
    acc = 0
    for i in range(grid(1), x.size, gridsize(1)):
        acc += x[i]
    part[t] = acc
    syncthreads()
    step = THREADS // 2
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        syncthreads()
        step //= 2
    if t == 0:
        atomic.add(total, 0, part[0])

@kernel
def sum_float(x: float32[::1], total: float32[::1]):
    part = shared.array(THREADS, float32)
    t = threadIdx.x
    acc = 0.0
    for i in range(grid(1), x.size, gridsize(1)):
        acc += x[i]
    part[t] = acc
    syncthreads()
    step = THREADS // 2
    while step > 0:
        if t < step:
            part[t] += part[t + step]
        syncthreads()
        step //= 2
    if t == 0:
        atomic.add(total, 0, part[0])
