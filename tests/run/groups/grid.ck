# The grid as a group: where threads and blocks are in it, its split barrier, and what all its
# threads find together. Grids of any size and shape; calls one after another, in loops, in device
# functions, of different types.

def where(g, o, i):
    t, b, n = g.thread_index(), g.block_index(), g.dim_threads()
    o[i, 0] = t.x + 1000 * g.thread_index.y + 1000000 * t[2]
    o[i, 1] = b.x + 1000 * g.block_index().y + 1000000 * b.z
    o[i, 2] = n.x + 1000 * n.y + 1000000 * cuda.cg.dim_threads(g).z
    o[i, 3] = g.dim_blocks().x + 1000 * g.dim_blocks.y + 1000000 * cuda.cg.dim_blocks(g).z + g.group_dim().x - gridDim.x
    o[i, 4] = g.block_rank() + 1000 * g.num_blocks()
    o[i, 5] = g.thread_rank() + 1000000 * g.num_threads()
    o[i, 6] = g.size() + cuda.cg.thread_rank(g) + cuda.cg.num_blocks(g) + block_rank(g)

@cuda.jit
def plain(o, v):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    where(g, o, i)
    v[i] = g.is_valid() or cuda.cg.is_valid(g)

@cuda.jit
def cooperative(o, v):
    g = cuda.cg.this_grid()
    i = g.thread_rank()
    where(g, o, i)
    v[i] = g.is_valid() and cuda.cg.is_valid(g)
    g.sync()

#: repeat grids [1, 1], [1, 32], [7, 33], [(3, 2), (5, 4)], [(2, 3, 2), (3, 2, 4)], [(1, 1, 4), (1, 1, 8)], [2, 1], [1, 3], [2, 2], [1, 8], [4, 4], [1, 31], [3, 11], [2, 32], [3, 32], [4, 64], [8, 125], [4, 256]
#: n = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: o, v, p, w = poison((n, 7), "i8"), poison(n, "bool"), poison((n, 7), "i8"), poison(n, "bool")
#: launch plain[GRID, BLOCK](o, v)
#: launch cooperative[GRID, BLOCK](p, w)
#: bx, by, bz = (*np.atleast_1d(BLOCK), 1, 1)[:3]
#: gx, gy, gz = (*np.atleast_1d(GRID), 1, 1)[:3]
#: r = np.arange(n)
#: b, t = r // (bx * by * bz), r % (bx * by * bz)
#: ix, iy, iz = b % gx, b // gx % gy, b // gx // gy
#: tx, ty, tz = t % bx, t // bx % by, t // bx // by
#: expect o[:, 0] == ix * bx + tx + 1000 * (iy * by + ty) + 1000000 * (iz * bz + tz)
#: expect o[:, 1] == ix + 1000 * iy + 1000000 * iz
#: expect o[:, 2] == gx * bx + 1000 * gy * by + 1000000 * gz * bz
#: expect o[:, 3] == gx + 1000 * gy + 1000000 * gz
#: expect o[:, 4] == b + 1000 * gx * gy * gz
#: expect o[:, 5] == r + 1000000 * n
#: expect o[:, 6] == n + r + gx * gy * gz + b
#: expect p == o
#: expect ~v
#: expect w
