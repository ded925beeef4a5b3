// CUB's sum of an array, as a library for gpu_bench: arguments begin as those of examples/sum.ck
// do.
#include <cub/device/device_reduce.cuh>

static void *workspace;
static size_t workspace_bytes;
static int prepared; // for so many elements

static cudaError_t prepare(const float *x, float *total, int n)
{
    size_t bytes = 0;
    cudaError_t error = cub::DeviceReduce::Sum(nullptr, bytes, x, total, n);
    cudaFree(workspace);
    workspace = nullptr;
    if (!error)
        error = cudaMalloc(&workspace, bytes);
    workspace_bytes = bytes;
    prepared = error ? 0 : n;
    return error;
}

// Only the first call of a size asks for memory.
extern "C" int cub_sum(void **arguments, void *stream)
{
    const float *x = *(const float **)arguments[0];
    const int n = (int)*(const long long *)arguments[1]; // with which CUB counts in 32 bits
    float *total = *(float **)arguments[2];
    cudaError_t error = n == prepared ? cudaSuccess : prepare(x, total, n);
    if (!error)
        error = cub::DeviceReduce::Sum(workspace, workspace_bytes, x, total, n, (cudaStream_t)stream);
    return error;
}
