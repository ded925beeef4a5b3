// basics.ck in CUDA C++.

#include <cuda_fp16.h>

constexpr int THREADS = 256;

static __device__ int taken(int value)
{
    return value;
}

static __device__ int taken(int2 value)
{
    return value.x + value.y;
}

static __device__ int taken(int value, int other)
{
    return value + other;
}

extern "C" __global__ void overload_int(const int *x, int *out, int a)
{
    __shared__ int tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    out[i] = taken(tile[threadIdx.x]) * a + i;
}

extern "C" __global__ void overload_int2(const int2 *x, int *out, int a)
{
    __shared__ int2 tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    out[i] = taken(tile[threadIdx.x]) * a + i;
}

extern "C" __global__ void overload_two(const int *x, const int *y, int *out, int a)
{
    __shared__ int first[THREADS], second[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    first[threadIdx.x] = x[i];
    second[threadIdx.x] = y[i];
    __syncthreads();
    out[i] = taken(first[threadIdx.x], second[threadIdx.x]) * a + i;
}

extern "C" __global__ void clock_min(const float *x, float *least, long long *times)
{
    __shared__ float values[2 * THREADS];
    int t = threadIdx.x, block = blockIdx.x;
    if (t == 0)
        times[block] = clock64();
    values[t] = x[t];
    values[t + blockDim.x] = x[t + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            values[t] = fminf(values[t], values[t + d]);
    }
    if (t == 0)
        least[block] = values[0];
    __syncthreads();
    if (t == 0)
        times[gridDim.x + block] = clock64();
}

extern "C" __global__ void scalar_product(const __half2 *a, const __half2 *b, float *sums, int n)
{
    __shared__ __half2 values[128];
    int t = threadIdx.x, stride = gridDim.x * blockDim.x;
    __half2 total = __float2half2_rn(0.0f);
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride)
        total = __hfma2(a[i], b[i], total);
    values[t] = total;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            values[t] = __hadd2(values[t], values[t + d]);
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = __low2float(values[0]) + __high2float(values[0]);
}
