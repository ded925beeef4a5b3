// sparse.ck in CUDA C++.

extern "C" __global__ void spmv_csr(const int *starts, const int *cols, const float *values,
                                    const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float total = 0;
        for (int k = starts[row]; k < starts[row + 1]; k++)
            total += values[k] * x[cols[k]];
        y[row] = total;
    }
}

extern "C" __global__ void spmv_csr_warp(const int *starts, const int *cols, const float *values,
                                         const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x & 31;
    if (row < n) {
        float total = 0;
        int end = starts[row + 1];
        for (int k = starts[row] + lane; k < end; k += 32)
            total += values[k] * x[cols[k]];
        for (int offset = 16; offset > 0; offset /= 2)
            total += __shfl_down_sync(0xffffffff, total, offset);
        if (lane == 0)
            y[row] = total;
    }
}

extern "C" __global__ void spmv_ell(const int *cols, const float *values, const float *x, float *y,
                                    int width, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float total = 0;
        for (int k = 0; k < width; k++) {
            int col = cols[k * n + row];
            if (col >= 0)
                total += values[k * n + row] * x[col];
        }
        y[row] = total;
    }
}

extern "C" __global__ void spmv_coo(const int *rows, const int *cols, const float *values,
                                    const float *x, float *y, int nonzeros)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < nonzeros)
        atomicAdd(&y[rows[k]], values[k] * x[cols[k]]);
}

extern "C" __global__ void spmv_dia(const int *offsets, const float *values, const float *x,
                                    float *y, int diagonals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float total = 0;
        for (int d = 0; d < diagonals; d++) {
            int j = i + offsets[d];
            if (0 <= j && j < n)
                total += values[d * n + i] * x[j];
        }
        y[i] = total;
    }
}

extern "C" __global__ void spmm_csr(const int *starts, const int *cols, const float *values,
                                    const float *B, float *C, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && j < m) {
        float total = 0;
        for (int k = starts[row]; k < starts[row + 1]; k++)
            total += values[k] * B[cols[k] * m + j];
        C[row * m + j] = total;
    }
}

extern "C" __global__ void sddmm(const int *rows, const int *cols, const float *A, const float *B,
                                 float *out, int nonzeros, int width)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < nonzeros) {
        int i = rows[k], j = cols[k];
        float total = 0;
        for (int c = 0; c < width; c++)
            total += A[i * width + c] * B[j * width + c];
        out[k] = total;
    }
}
