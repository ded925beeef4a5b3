// kernels/histogram.ck in CUDA C++, with ck's parameters.

extern "C" __global__ void histogram(const unsigned char *__restrict__ data, long long n,
                                     int *__restrict__ bins, long long n_bins)
{
    __shared__ int counts[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        counts[b] = 0;
    __syncthreads();
    long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&counts[data[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        atomicAdd(&bins[b], counts[b]);
}
