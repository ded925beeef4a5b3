// kernels/grid_barrier.ck in CUDA C++: the grid barrier of CUDA's own headers.
#include <cooperative_groups.h>

extern "C" __global__ void grid_barrier(long long steps)
{
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    for (long long step = 0; step < steps; step++)
        g.sync();
}

extern "C" __global__ void grid_barrier_stores(long long steps, double2 *a, long long rows,
                                               long long n)
{
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    long long i = g.thread_rank();
    long long peer = (i + 7 * blockDim.x + 1) % g.num_threads();
    double2 total = make_double2(0, 0);
    for (long long step = 0; step < steps; step++) {
        a[(step & 1) * n + i] = make_double2(step, i);
        g.sync();
        double2 value = a[(step & 1) * n + peer];
        total.x += value.x;
        total.y += value.y;
    }
    g.sync();
    a[i] = total;
}
