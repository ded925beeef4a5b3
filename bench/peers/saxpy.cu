// kernels/saxpy.ck in CUDA C++, with ck's parameters.

extern "C" __global__ void saxpy(float a, const float *__restrict__ x, long long n_x,
                                 float *__restrict__ y, long long n_y)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n_y)
        y[i] = a * x[i] + y[i];
}
