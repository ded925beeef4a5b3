# Positions in two and three dimensions, and the ranks and sizes of the grid's and block's groups.

@kernel
def use(o):
    g = this_grid()
    b = cuda.cg.this_thread_block()
    x, y, z = grid(3)
    sx, sy, sz = gridsize(3)
    k = g.thread_rank()
    o[k, 0] = x
    o[k, 1] = y
    o[k, 2] = z
    o[k, 3] = (sx * 1000 + sy) * 1000 + sz
    p, q = cuda.grid(2)
    t, u = gridsize(2)
    o[k, 4] = (p * 1000 + q) * 1000 + t * 100 + u
    o[k, 5] = grid(1) * 1000 + gridsize(1)
    o[k, 6] = (threadIdx.x * 100 + threadIdx.y) * 100 + threadIdx.z
    o[k, 7] = (blockIdx.x * 100 + blockIdx.y) * 100 + blockIdx.z
    o[k, 8] = (blockDim.x * 100 + blockDim.y) * 100 + blockDim.z
    o[k, 9] = (gridDim.x * 100 + gridDim.y) * 100 + gridDim.z
    o[k, 10] = b.thread_rank()
    o[k, 11] = b.num_threads() * 10000 + b.size()
    o[k, 12] = g.block_rank()
    o[k, 13] = g.num_blocks()
    o[k, 14] = g.num_threads() * 10000 + g.size()
    o[k, 15] = this_block().thread_rank() + this_grid().thread_rank()

#: repeat grids [1, 1], [3, 33], [(2, 3), (4, 5)], [(2, 1, 3), (3, 2, 2)], [(1, 5), (1, 1, 7)], [4, (1, 9)], [(3, 2, 2), 8]
#: G, B = (np.append(np.atleast_1d(v), [1, 1])[:3].tolist() for v in (GRID, BLOCK))
#: threads = [(bx, by, bz, tx, ty, tz)
#:            for bz in range(G[2]) for by in range(G[1]) for bx in range(G[0])
#:            for tz in range(B[2]) for ty in range(B[1]) for tx in range(B[0])]
#: bx, by, bz, tx, ty, tz = np.array(threads).T
#: n, size = len(threads), int(np.prod(B))
#: k = np.arange(n)
#: o = poison((n, 16), "i8")
#: launch use[GRID, BLOCK](o)
#: x, y, z = bx * B[0] + tx, by * B[1] + ty, bz * B[2] + tz
#: sx, sy, sz = (g * b for g, b in zip(G, B))
#: c = k * 0
#: rows = [x, y, z, c + (sx * 1000 + sy) * 1000 + sz, (x * 1000 + y) * 1000 + sx * 100 + sy, x * 1000 + sx]
#: rows += [(tx * 100 + ty) * 100 + tz, (bx * 100 + by) * 100 + bz, c + (B[0] * 100 + B[1]) * 100 + B[2]]
#: rows += [c + (G[0] * 100 + G[1]) * 100 + G[2], k % size, c + size * 10001, k // size, c + n // size]
#: rows += [c + n * 10001, k % size + k]
#: expect o == np.array(rows).T
