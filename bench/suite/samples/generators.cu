// generators.ck in CUDA C++, by cuRAND's device functions.

#include <curand_kernel.h>

extern "C" __global__ void philox_uniform(float *means, int n, int seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        curandStatePhilox4_32_10_t state;
        curand_init(seed, i, 0, &state);
        float total = 0;
        for (int k = 0; k < 256; k++) {
            float4 v = curand_uniform4(&state);
            total += v.x + v.y + v.z + v.w;
        }
        means[i] = total / 1024;
    }
}

extern "C" __global__ void philox_normal(float *means, int n, int seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        curandStatePhilox4_32_10_t state;
        curand_init(seed, i, 0, &state);
        float total = 0;
        for (int k = 0; k < 256; k++) {
            float4 v = curand_normal4(&state);
            total += v.x + v.y + v.z + v.w;
        }
        means[i] = total / 1024;
    }
}

extern "C" __global__ void state_uniform(curandState *states, float *means, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        curandState state = states[i];
        float total = 0;
        for (int k = 0; k < 1024; k++)
            total += curand_uniform(&state);
        states[i] = state;
        means[i] = total / 1024;
    }
}
