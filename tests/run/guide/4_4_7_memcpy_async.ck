# 4.4.7, the example: a prefetch to the block's dynamic shared memory. The guide passes each
# thread's own addresses to a copy by the whole block, whose threads then divide those four bytes
# among themselves; here each thread copies its element (`prefetch`), or the block all of them
# (`of_block`).

from numba import cuda

@cuda.jit
def prefetch(input, out):
    my_group = cg.this_thread_block()
    shared_data = cuda.shared.array(0, input.dtype)
    input = input[cuda.cg.this_grid().block_rank() * my_group.size():]
    # Perform an asynchronous copy from global memory to shared memory
    cg.memcpy_async(cg.this_thread(), shared_data[my_group.rank():my_group.rank() + 1], input[my_group.rank():])
    # Hide latency by doing work here. Cannot use shared_data
    own = input[my_group.rank()] * 2
    # Wait for the asynchronous copy to complete
    cg.wait(my_group)
    # Prefetched data is now available
    i = cg.this_grid().thread_rank()
    out[i] = own + shared_data[my_group.num_threads() - 1 - my_group.rank()]

@cuda.jit
def of_block(input, out):
    my_group = cg.this_thread_block()
    n = my_group.num_threads()
    shared_data = cuda.shared.array(0, input.dtype)
    first = cuda.cg.this_grid().block_rank() * n
    cg.memcpy_async(my_group, shared_data, input[first:first + n])
    own = input[first + cg.rank(my_group)] * 2
    cg.wait(my_group)
    out[first + my_group.rank()] = own + shared_data[n - 1 - my_group.rank()]

#: repeat grids [1, 1], [3, 33], [4, 256], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)], [2, 1000]
#: blocks, n = int(np.prod(GRID)), int(np.prod(BLOCK))
#: dtype = rng.choice(["i4", "i8", "f4", "i2"])
#: input = rng.integers(-1000, 1000, blocks * n).astype(dtype)
#: a, b = poison(blocks * n, dtype), poison(blocks * n, dtype)
#: launches [f"prefetch[GRID, BLOCK, 0, {n * input.itemsize}](input, a)", f"of_block[GRID, BLOCK, 0, {n * input.itemsize}](input, b)"]
#: want = 2 * input + input.reshape(blocks, n)[:, ::-1].ravel()
#: expect a == want
#: expect b == want
