// examples/sequential_rows.ck in CUDA C++, with ck's parameters: data, then shape.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void sequential_rows(int *M, long long rows, long long cols)
{
    long long col = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    cg::grid_group g = cg::this_grid();

    for (long long row = 1; row < rows; row++) {
        long long opposite = cols - col - 1;
        M[row * cols + col] = M[(row - 1) * cols + opposite] + 1;
        g.sync();
    }
}
