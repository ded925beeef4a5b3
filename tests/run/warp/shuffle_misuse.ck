# Shuffles from lanes that are not in the mask, or whose threads have ended: reports. What a GPU
# returns there is undefined.

@cuda.jit
def outside(x):
    x[threadIdx.x] = cuda.shfl_sync(0x00ff if threadIdx.x < 8 else 0xffffff00, x[threadIdx.x], 9)

@cuda.jit
def outside_up(x):
    if threadIdx.x >= 4:
        x[threadIdx.x] = cuda.shfl_up_sync(0xfffffff0, x[threadIdx.x], 1)

@cuda.jit
def outside_down(x):
    if threadIdx.x < 8:
        x[threadIdx.x] = cuda.shfl_down_sync(0xff, x[threadIdx.x], 4)

@cuda.jit
def outside_xor(x):
    if threadIdx.x < 8:
        x[threadIdx.x] = cuda.shfl_xor_sync(0xff, x[threadIdx.x], 8)

@cuda.jit
def returned(x):
    if threadIdx.x == 37:
        return
    x[threadIdx.x] = cuda.shfl_sync(0xffffffff, x[threadIdx.x], 5)

@cuda.jit
def passed_by(x):
    if threadIdx.x < 20:
        x[threadIdx.x] = cuda.shfl_down_sync(0xffffffff, x[threadIdx.x], 16)

# Which is an error of the group's users: not all of its threads come.
@cuda.jit
def tile_passed_by(x):
    t = tiled_partition(this_thread_block(), 8)
    if threadIdx.x != 9:
        x[threadIdx.x] = t.reduce(x[threadIdx.x])

# In a block of fewer threads than a warp its operations wait for nobody.
@cuda.jit
def of_small_block(x):
    if x[threadIdx.x] == 0:
        return
    x[threadIdx.x] = this_thread_block().reduce(x[threadIdx.x])

@cuda.jit
def of_small_tile(x):
    t = tiled_partition(this_thread_block(), 64)
    if threadIdx.x == 3:
        return
    x[threadIdx.x] = t.inclusive_scan(x[threadIdx.x])

# A lane's own value, and from beyond the warp and from lanes that the block lacks the own value.
@cuda.jit
def right(x, y):
    i = threadIdx.x
    y[i, 0] = cuda.shfl_sync(1 << (i % 32), x[i], i)
    y[i, 1] = cuda.shfl_up_sync(0xffffffff, x[i], 30)
    y[i, 2] = cuda.shfl_down_sync(0xffffffff, x[i], 7)
    y[i, 3] = cuda.shfl_xor_sync(0xffffffff, x[i], 16)

#: only cpu
#: x = np.ones(64, "i4")
#: launch outside[1, 64](x)
#: error shuffle_misuse.ck:6:22: error: `cuda.shfl_sync(0x00ff if threadIdx.x < 8 else 0xffffff00, x[threadIdx.x], 9)` reads the value of lane 9, which is not in its mask, in block (0, 0, 0) thread (0, 0, 0) [barrier-misuse]
#: launch outside_up[1, 32](x)
#: error shuffle_misuse.ck:11:26: error: `cuda.shfl_up_sync(0xfffffff0, x[threadIdx.x], 1)` reads the value of lane 3, which is not in its mask, in block (0, 0, 0) thread (4, 0, 0) [barrier-misuse]
#: launch outside_down[1, 32](x)
#: error reads the value of lane 8, which is not in its mask, in block (0, 0, 0) thread (4, 0, 0) [barrier-misuse]
#: launch outside_xor[1, 32](x)
#: error reads the value of lane 8, which is not in its mask, in block (0, 0, 0) thread (0, 0, 0) [barrier-misuse]
#: launch returned[1, 64](x)
#: error shuffle_misuse.ck:27:22: error: `cuda.shfl_sync(0xffffffff, x[threadIdx.x], 5)` reads the value of lane 5, whose thread has ended, in block (0, 0, 0) thread (32, 0, 0) [barrier-misuse]
#: launch passed_by[1, 32](x)
#: error reads the value of lane 20, whose thread has ended, in block (0, 0, 0) thread (4, 0, 0) [barrier-misuse]
#: launch tile_passed_by[1, 32](x)
#: error shuffle_misuse.ck:39:26: error: `t.reduce(x[threadIdx.x])` reads the value of lane 9, whose thread has ended, in block (0, 0, 0) thread (8, 0, 0) [barrier-misuse]
#: x[4] = 0
#: launch of_small_block[1, 20](x)
#: error whose thread has ended
#: launch of_small_tile[1, 20](x)
#: error whose thread has ended
#: n = int(rng.integers(1, 100))
#: x, y = rng.integers(0, 1000, n, dtype="i4"), poison((n, 4), "i4")
#: launch right[1, n](x, y)
#: lane, there = np.arange(n) % 32, lambda at, other: np.where((other >= 0) & (other < 32) & (at - lane + other < n), at - lane + other, at)
#: at = np.arange(n)
#: expect y == np.stack([x, x[there(at, lane - 30)], x[there(at, lane + 7)], x[there(at, lane ^ 16)]], 1)
