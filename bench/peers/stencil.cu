// kernels/stencil.ck in CUDA C++, with ck's parameters.

extern "C" __global__ void stencil(const float *__restrict__ old, long long n, long long m,
                                   float *__restrict__ out, long long out_n, long long out_m)
{
    long long j = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long i = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        float total = old[i * m + j];
        if (i >= 1)
            total += old[(i - 1) * m + j];
        if (i + 1 < n)
            total += old[(i + 1) * m + j];
        if (j >= 1)
            total += old[i * m + j - 1];
        if (j + 1 < m)
            total += old[i * m + j + 1];
        out[i * out_m + j] = total * 0.2f;
    }
}
