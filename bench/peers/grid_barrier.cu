// kernels/grid_barrier.ck in CUDA C++: the grid barrier of CUDA's own headers.
#include <cooperative_groups.h>

extern "C" __global__ void grid_barrier(long long steps)
{
    cooperative_groups::grid_group g = cooperative_groups::this_grid();
    for (long long step = 0; step < steps; step++)
        g.sync();
}
