# 4.4.6.3, the example: one thread of the block prints. invoke_one_broadcast, which CUDA 13's headers
# have no overload for a block of: every thread gets what one computed.

from numba import cuda

def hello():
    print("Hello from one thread in the block!")

@cuda.jit("void()")
def greet():
    my_group = cg.this_thread_block()
    # Ensure only one thread in the thread block prints the message
    cg.invoke_one(my_group, hello)
    # Synchronize to make sure all threads wait until the message is printed
    cg.sync(my_group)

#: launch greet[1, 1]()
#: launch greet[2, 33]()
#: launch greet[(1, 2), (5, 4)]()
#: launch greet[(1, 1, 2), (3, 4, 5)]()
#: print Hello from one thread in the block!
#: print Hello from one thread in the block!
#: print Hello from one thread in the block!
#: print Hello from one thread in the block!
#: print Hello from one thread in the block!
#: print Hello from one thread in the block!
#: print Hello from one thread in the block!

# A group's next number, from a counter that others use too.
def take(counter):
    return cuda.atomic.add(counter, 0, 1)

@cuda.jit
def numbers(counters, out):
    my_group = cg.this_thread_block()
    tile = cg.tiled_partition(my_group, 8)
    i = cg.this_grid().thread_rank()
    out[i, 0] = cg.invoke_one_broadcast(my_group, take, counters)
    out[i, 1] = cg.invoke_one_broadcast(tile, take, counters[1:])
    cg.invoke_one(my_group, take, counters[2:])

#: repeat grids [1, 1], [3, 33], [4, 256], [(2, 3), (5, 4)], [(1, 2, 3), (3, 4, 5)]
#: blocks, n = int(np.prod(GRID)), int(np.prod(BLOCK))
#: counters, out = np.zeros(3, np.int64), poison((blocks * n, 2), np.int64)
#: launch numbers[GRID, BLOCK](counters, out)
#: tiles = -(-n // 8)
#: rows = out.reshape(blocks, n, 2)
#: expect counters == [blocks, blocks * tiles, blocks]
#: expect rows[:, :, 0] == rows[:, :1, 0]
#: expect np.sort(rows[:, 0, 0]) == np.arange(blocks)
#: expect rows[:, :, 1] == rows[:, np.arange(n) // 8 * 8, 1]
#: expect np.sort(rows[:, ::8, 1].ravel()) == np.arange(blocks * tiles)
