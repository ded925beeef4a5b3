// examples/reductions.ck in CUDA C++ with cooperative_groups, with ck's parameters: data, then
// shape.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 256, WARPS = THREADS / 32 };

// Index is what counts elements: long long, as in ck, or size_t, as in the article.
template <typename Index> __device__ float thread_sum(const float *x, Index n, Index first)
{
    float total = 0;
    for (Index i = first; i < n; i += THREADS)
        total += x[i];
    return total;
}

template <typename Index> __device__ float block_sum(cg::thread_block block, const float *x, Index n)
{
    __shared__ float shared[THREADS];
    unsigned rank = block.thread_rank();
    shared[rank] = thread_sum<Index>(x, n, rank);
    block.sync();
    for (unsigned stride = THREADS / 2; stride > 0; stride /= 2) {
        if (rank < stride)
            shared[rank] += shared[rank + stride];
        block.sync();
    }
    float total = shared[0];
    block.sync();
    return total;
}

__device__ float warp_sum(cg::thread_block_tile<32> warp, float value)
{
    for (unsigned distance = warp.size() / 2; distance > 0; distance /= 2)
        value += warp.shfl_down(value, distance);
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    batched_v1(const float *__restrict__ x, long long rows, long long cols, float *__restrict__ sums,
               long long n_sums)
{
    unsigned long long row = cg::this_grid().block_rank();
    cg::thread_block block = cg::this_thread_block();
    float total = block_sum<size_t>(block, x + row * cols, cols);
    if (block.thread_rank() == 0)
        sums[row] = total;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    batched_v2(const float *__restrict__ x, long long rows, long long cols, float *__restrict__ sums,
               long long n_sums)
{
    unsigned long long row = cg::this_grid().block_rank();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    __shared__ float shared[WARPS];
    float total = warp_sum(warp, thread_sum<size_t>(x + row * cols, cols, block.thread_rank()));
    if (warp.thread_rank() == 0)
        shared[warp.meta_group_rank()] = total;
    block.sync();
    if (block.thread_rank() == 0) {
        total = 0;
        for (int i = 0; i < WARPS; i++)
            total += shared[i];
        sums[row] = total;
    }
}

template <typename Index>
__device__ Index sum_pieces(cg::grid_group grid, const float *x, Index n, float *y, Index length)
{
    cg::thread_block block = cg::this_thread_block();
    Index pieces = (n + length - 1) / length;
    for (Index piece = grid.block_rank(); piece < pieces; piece += grid.num_blocks()) {
        float total = block_sum<Index>(block, x + piece * length, min(length, n - piece * length));
        if (block.thread_rank() == 0)
            y[piece] = total;
    }
    grid.sync();
    return pieces;
}

template <typename Index>
__device__ void sum_all(const float *__restrict__ x, Index n, float *work, Index n_work, float *total,
                        Index length)
{
    cg::grid_group grid = cg::this_grid();
    float *here = work, *there = work + n_work / 2;
    Index left = sum_pieces<Index>(grid, x, n, here, length);
    while (left > 1) {
        left = sum_pieces<Index>(grid, here, left, there, length);
        float *next = here;
        here = there;
        there = next;
    }
    if (grid.thread_rank() == 0)
        total[0] = n > 0 ? here[0] : 0;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    full(const float *__restrict__ x, long long n, float *work, long long n_work, float *total,
         long long n_total, long long length)
{
    sum_all<long long>(x, n, work, n_work, total, length);
}

// With pieces of a length that is known when compiling, as the article has them.
extern "C" __global__ void __launch_bounds__(THREADS)
    full_known(const float *__restrict__ x, long long n, float *work, long long n_work, float *total,
               long long n_total, long long length)
{
    if (length == THREADS * 1024)
        sum_all<size_t>(x, n, work, n_work, total, THREADS * 1024);
}
