# The normalised dot product of two vectors, u . v / (|u| |v|), and both scaled to length 1, in one
# launch. Threads arrive at a barrier, do what needs nobody else, and only then wait: at the
# block's, while other warps still add, and at the grid's, while other blocks do.
#
#   ckrun examples/normalised_dot.ck 'normalised_dot[max, 256](u, v, parts, cosine)' \
#         'u=full(10000, 3.0, float32)' 'v=full(10000, -0.5, float32)' 'parts=zeros((10000, 3))' \
#         'cosine=zeros(1)' --expect cosine=-1 --expect u=0.01 --expect v=-0.01
#
# `parts` has a row for each block. A vector of zeros has the dot product 0 and stays as it is.

from numba import cuda, float64


# x's elements from this thread's first one on, which it has read already, times `scale`.
def rescale(x, mine, scale, first, step):
    if first < x.size:
        x[first] = mine * scale
    for i in range(first + step, x.size, step):
        x[i] *= scale


@cuda.jit("void(float32[::1], float32[::1], float64[:, ::1], float64[::1])")
def normalised_dot(u, v, parts, cosine):
    g = cuda.cg.this_grid()
    block = cuda.cg.this_thread_block()
    warp = cuda.cg.tiled_partition(block, 32)
    left = cuda.shared.array((32, 3), float64)
    first, step = g.thread_rank(), g.num_threads()
    uv, uu, vv = float64(0), float64(0), float64(0)
    for i in range(first, u.size, step):
        uv += float64(u[i]) * v[i]
        uu += float64(u[i]) * u[i]
        vv += float64(v[i]) * v[i]
    uv, uu, vv = warp.reduce(uv), warp.reduce(uu), warp.reduce(vv)
    if warp.thread_rank() == 0:
        left[warp.meta_group_rank(), 0] = uv
        left[warp.meta_group_rank(), 1] = uu
        left[warp.meta_group_rank(), 2] = vv
    token = block.barrier_arrive()
    mine_u = u[first] if first < u.size else 0.0
    block.barrier_wait(token)

    for k in range(block.thread_rank(), 3, block.num_threads()):
        total = float64(0)
        for w in range(warp.meta_group_size()):
            total += left[w, k]
        parts[g.block_rank(), k] = total
    token = g.barrier_arrive()
    mine_v = v[first] if first < v.size else 0.0
    g.barrier_wait(token)

    uv, uu, vv = float64(0), float64(0), float64(0)
    for b in range(block.thread_rank(), g.num_blocks(), block.num_threads()):
        uv += parts[b, 0]
        uu += parts[b, 1]
        vv += parts[b, 2]
    uv, uu, vv = block.reduce(uv), block.reduce(uu), block.reduce(vv)
    rescale(u, mine_u, 1 / math.sqrt(uu) if uu > 0 else 1.0, first, step)
    rescale(v, mine_v, 1 / math.sqrt(vv) if vv > 0 else 1.0, first, step)
    if g.thread_rank() == 0:
        cosine[0] = uv / math.sqrt(uu * vv) if uu > 0 and vv > 0 else 0.0
