// sums.ck in CUDA C++.

extern "C" __global__ void sum_blocks(const float *x, float *total, int n)
{
    __shared__ float sums[256];
    int t = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        mine += x[i];
    sums[t] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(total, sums[0]);
}

extern "C" __global__ void dot_warps(const float *x, const float *y, float *total, int n)
{
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += x[i] * y[i];
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, mine);
}

extern "C" __global__ void max_norm(const float *x, float *norms, int n)
{
    __shared__ float values[256];
    int t = threadIdx.x;
    float most = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        most = fmaxf(most, fabsf(x[i]));
    values[t] = most;
    __syncthreads();
    for (int half = 128; half >= 1; half >>= 1) {
        if (t < half)
            values[t] = fmaxf(values[t], values[t + half]);
        __syncthreads();
    }
    if (t == 0)
        norms[blockIdx.x] = values[0];
}

extern "C" __global__ void argmin_rows(const float *x, int *places, int m)
{
    __shared__ float values[256];
    __shared__ int indices[256];
    int t = threadIdx.x, row = blockIdx.x;
    float least = INFINITY;
    int place = 0;
    for (int i = t; i < m; i += 256) {
        if (x[row * m + i] < least) {
            least = x[row * m + i];
            place = i;
        }
    }
    values[t] = least;
    indices[t] = place;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            int other = t + half;
            if (values[other] < values[t] ||
                (values[other] == values[t] && indices[other] < indices[t])) {
                values[t] = values[other];
                indices[t] = indices[other];
            }
        }
        __syncthreads();
    }
    if (t == 0)
        places[row] = indices[0];
}

extern "C" __global__ void moments_rows(const float *x, float *means, float *variances, int n)
{
    __shared__ float sums[2][128];
    int t = threadIdx.x, row = blockIdx.x;
    float total = 0, squares = 0;
    for (int i = t; i < n; i += 128) {
        float v = x[row * n + i];
        total += v;
        squares += v * v;
    }
    sums[0][t] = total;
    sums[1][t] = squares;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) {
            sums[0][t] += sums[0][t + half];
            sums[1][t] += sums[1][t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        float mean = sums[0][0] / n;
        means[row] = mean;
        variances[row] = sums[1][0] / n - mean * mean;
    }
}

extern "C" __global__ void column_sums(const float *x, float *sums, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        float total = 0;
        for (int i = 0; i < n; i++)
            total += x[i * m + j];
        sums[j] = total;
    }
}

extern "C" __global__ void row_norms(const float *x, float *norms, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float total = 0;
        for (int j = 0; j < m; j++)
            total += x[i * m + j] * x[i * m + j];
        norms[i] = sqrtf(total);
    }
}

extern "C" __global__ void count_above(const float *x, float limit, int *counts, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool above = i < n && x[i] > limit;
    int count = __syncthreads_count(above);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

extern "C" __global__ void segment_sums(const float *x, const int *starts, float *sums, int n)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < n) {
        float total = 0;
        for (int i = starts[s]; i < starts[s + 1]; i++)
            total += x[i];
        sums[s] = total;
    }
}
