// kernels/matmul.ck in CUDA C++, with ck's parameters.

template <int TILE>
__device__ void matmul(const float *__restrict__ A, long long a_cols, const float *__restrict__ B,
                       long long b_cols, float *__restrict__ C, long long c_cols)
{
    __shared__ float sA[TILE][TILE], sB[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    long long col = (long long)blockIdx.x * blockDim.x + tx;
    long long row = (long long)blockIdx.y * blockDim.y + ty;
    float total = 0;
    for (long long tile = 0; tile < a_cols / TILE; tile++) {
        sA[ty][tx] = A[row * a_cols + tile * TILE + tx];
        sB[ty][tx] = B[(tile * TILE + ty) * b_cols + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            total += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }
    C[row * c_cols + col] = total;
}

extern "C" __global__ void matmul16(const float *__restrict__ A, long long a_rows, long long a_cols,
                                    const float *__restrict__ B, long long b_rows, long long b_cols,
                                    float *__restrict__ C, long long c_rows, long long c_cols)
{
    matmul<16>(A, a_cols, B, b_cols, C, c_cols);
}

extern "C" __global__ void matmul32(const float *__restrict__ A, long long a_rows, long long a_cols,
                                    const float *__restrict__ B, long long b_rows, long long b_cols,
                                    float *__restrict__ C, long long c_rows, long long c_cols)
{
    matmul<32>(A, a_cols, B, b_cols, C, c_cols);
}
