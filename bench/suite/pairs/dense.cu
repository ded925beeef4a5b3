// dense.ck in CUDA C++.

constexpr int TILE = 16;

extern "C" __global__ void gemm_naive(const float *A, const float *B, float *C, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        float total = 0;
        for (int k = 0; k < n; k++)
            total += A[row * n + k] * B[k * n + col];
        C[row * n + col] = total;
    }
}

extern "C" __global__ void gemm_tiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float sA[TILE][TILE], sB[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * blockDim.x + tx;
    int row = blockIdx.y * blockDim.y + ty;
    float total = 0;
    for (int first = 0; first < n; first += TILE) {
        sA[ty][tx] = 0;
        sB[ty][tx] = 0;
        if (row < n && first + tx < n)
            sA[ty][tx] = A[row * n + first + tx];
        if (first + ty < n && col < n)
            sB[ty][tx] = B[(first + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            total += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = total;
}

extern "C" __global__ void gemm_tn(const float *A, const float *B, float *C, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        float total = 0;
        for (int k = 0; k < n; k++)
            total += A[k * n + row] * B[k * n + col];
        C[row * n + col] = total;
    }
}

extern "C" __global__ void gemm_batched(const float *A, const float *B, float *C)
{
    __shared__ float sA[TILE][TILE], sB[TILE][TILE];
    int b = blockIdx.x, i = threadIdx.y, j = threadIdx.x;
    int at = (b * TILE + i) * TILE + j;
    sA[i][j] = A[at];
    sB[i][j] = B[at];
    __syncthreads();
    float total = 0;
    for (int k = 0; k < TILE; k++)
        total += sA[i][k] * sB[k][j];
    C[at] = total;
}

extern "C" __global__ void syrk(float alpha, float beta, const float *A, float *C, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j <= i) {
        float total = 0;
        for (int k = 0; k < n; k++)
            total += A[i * n + k] * A[j * n + k];
        C[i * n + j] = alpha * total + beta * C[i * n + j];
    }
}

extern "C" __global__ void syr2k(const float *A, const float *B, float *C, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float total = 0;
        for (int k = 0; k < n; k++)
            total += A[i * n + k] * B[j * n + k] + B[i * n + k] * A[j * n + k];
        C[i * n + j] = total;
    }
}

extern "C" __global__ void trmm(const float *L, const float *B, float *out, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float total = B[i * n + j];
        for (int k = i + 1; k < n; k++)
            total += L[k * n + i] * B[k * n + j];
        out[i * n + j] = total;
    }
}

extern "C" __global__ void gemv(const float *A, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float total = 0;
        for (int j = 0; j < n; j++)
            total += A[i * n + j] * x[j];
        y[i] = total;
    }
}

extern "C" __global__ void atax(const float *A, const float *x, float *y, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        float total = 0;
        for (int i = 0; i < n; i++)
            total += A[i * n + j] * x[i];
        y[j] = total;
    }
}

extern "C" __global__ void gemv_warp(const float *A, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row < n) {
        float total = 0;
        for (int j = lane; j < n; j += 32)
            total += A[row * n + j] * x[j];
        for (int distance = 16; distance > 0; distance /= 2)
            total += __shfl_down_sync(0xffffffff, total, distance);
        if (lane == 0)
            y[row] = total;
    }
}

extern "C" __global__ void gemv_block(const float *A, const float *x, float *y, int n)
{
    __shared__ float sums[128];
    int t = threadIdx.x, row = blockIdx.x;
    float total = 0;
    for (int j = t; j < n; j += 128)
        total += A[row * n + j] * x[j];
    sums[t] = total;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0)
        y[row] = sums[0];
}

extern "C" __global__ void bicg(const float *A, const float *p, const float *r, float *q, float *s,
                                int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float total = 0;
        for (int j = 0; j < m; j++)
            total += A[i * m + j] * p[j];
        q[i] = total;
    }
    if (i < m) {
        float total = 0;
        for (int j = 0; j < n; j++)
            total += r[j] * A[j * m + i];
        s[i] = total;
    }
}

extern "C" __global__ void mvt(const float *A, const float *y1, const float *y2, float *x1,
                               float *x2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < n; j++)
            x1[i] += A[i * n + j] * y1[j];
        for (int j = 0; j < n; j++)
            x2[i] += A[j * n + i] * y2[j];
    }
}

extern "C" __global__ void gesummv(float alpha, float beta, const float *A, const float *B,
                                   const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            a += A[i * n + j] * x[j];
            b += B[i * n + j] * x[j];
        }
        y[i] = alpha * a + beta * b;
    }
}

extern "C" __global__ void gemver(float *A, const float *u1, const float *v1, const float *u2,
                                  const float *v2, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

extern "C" __global__ void lu_step(float *A, int k, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
    int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
    if (i < n && j < n)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
}

extern "C" __global__ void cholesky_step(const float *A, float *L, int k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + k;
    if (i < n) {
        float total = A[i * n + k];
        float pivot = A[k * n + k];
        for (int j = 0; j < k; j++) {
            total -= L[i * n + j] * L[k * n + j];
            pivot -= L[k * n + j] * L[k * n + j];
        }
        L[i * n + k] = total / sqrtf(pivot);
    }
}

extern "C" __global__ void triangular_solve(const float *L, float *X, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        for (int i = 0; i < n; i++) {
            float total = X[i * m + j];
            for (int k = 0; k < i; k++)
                total -= L[i * n + k] * X[k * m + j];
            X[i * m + j] = total / L[i * n + i];
        }
    }
}

extern "C" __global__ void transpose(const float *A, float *B, int n, int m)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx;
    int y = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8) {
        if (y + j < n && x < m)
            tile[ty + j][tx] = A[(y + j) * m + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8) {
        if (y + j < m && x < n)
            B[(y + j) * n + x] = tile[tx][ty + j];
    }
}

extern "C" __global__ void covariance(const float *data, float *cov, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < m && i <= j) {
        float total = 0;
        for (int k = 0; k < n; k++)
            total += data[k * m + i] * data[k * m + j];
        total /= n - 1;
        cov[i * m + j] = total;
        cov[j * m + i] = total;
    }
}
