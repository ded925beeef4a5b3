// grids.ck in CUDA C++.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void jacobi_grid(float *a, float *b, int steps, int n, int m)
{
    cg::grid_group g = cg::this_grid();
    for (int step = 0; step < steps; step++) {
        for (int i = blockIdx.x + 1; i < n - 1; i += gridDim.x)
            for (int j = threadIdx.x + 1; j < m - 1; j += blockDim.x)
                b[i * m + j] = 0.25f * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                        a[i * m + j - 1] + a[i * m + j + 1]);
        g.sync();
        for (int i = blockIdx.x + 1; i < n - 1; i += gridDim.x)
            for (int j = threadIdx.x + 1; j < m - 1; j += blockDim.x)
                a[i * m + j] = 0.25f * (b[(i - 1) * m + j] + b[(i + 1) * m + j] +
                                        b[i * m + j - 1] + b[i * m + j + 1]);
        g.sync();
    }
}

extern "C" __global__ void heat_grid(float *now, float *next, int steps, float c, int n)
{
    cg::grid_group g = cg::this_grid();
    int start = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (int step = 0; step < steps; step++) {
        for (int i = start; i < n; i += stride) {
            if (i > 0 && i < n - 1)
                next[i] = now[i] + c * (now[i - 1] - 2 * now[i] + now[i + 1]);
        }
        g.sync();
        for (int i = start; i < n; i += stride) {
            if (i > 0 && i < n - 1)
                now[i] = next[i];
        }
        g.sync();
    }
}

__device__ float block_sum(float value, float *sums)
{
    int t = threadIdx.x;
    sums[t] = value;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    return sums[0];
}

extern "C" __global__ void conjugate_gradients(float *x, float *r, float *p, float *q,
                                               float *partial, int steps, int n)
{
    __shared__ float sums[256];
    cg::grid_group g = cg::this_grid();
    int t = threadIdx.x, b = blockIdx.x, blocks = gridDim.x;
    int start = b * blockDim.x + t;
    int stride = blocks * blockDim.x;
    for (int step = 0; step < steps; step++) {
        float pq = 0, rr = 0;
        for (int i = start; i < n; i += stride) {
            float value = 4 * p[i];
            if (i > 0)
                value -= p[i - 1];
            if (i < n - 1)
                value -= p[i + 1];
            q[i] = value;
            pq += p[i] * value;
            rr += r[i] * r[i];
        }
        pq = block_sum(pq, sums);
        __syncthreads();
        rr = block_sum(rr, sums);
        if (t == 0) {
            partial[b] = pq;
            partial[blocks + b] = rr;
        }
        g.sync();
        pq = 0;
        rr = 0;
        for (int k = 0; k < blocks; k++) {
            pq += partial[k];
            rr += partial[blocks + k];
        }
        float alpha = rr / pq, after = 0;
        for (int i = start; i < n; i += stride) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            after += r[i] * r[i];
        }
        after = block_sum(after, sums);
        g.sync();
        if (t == 0)
            partial[b] = after;
        g.sync();
        after = 0;
        for (int k = 0; k < blocks; k++)
            after += partial[k];
        float beta = after / rr;
        for (int i = start; i < n; i += stride)
            p[i] = r[i] + beta * p[i];
        g.sync();
    }
}

extern "C" __global__ void power_iteration(const float *A, float *x, float *y, float *norms,
                                           int steps, int n)
{
    cg::grid_group g = cg::this_grid();
    int start = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    int lane = threadIdx.x % 32;
    int warp = start / 32, warps = stride / 32;
    for (int step = 0; step < steps; step++) {
        for (int row = warp; row < n; row += warps) {
            float total = 0;
            for (int j = lane; j < n; j += 32)
                total += A[row * n + j] * x[j];
            for (int d = 16; d > 0; d /= 2)
                total += __shfl_down_sync(0xffffffff, total, d);
            if (lane == 0) {
                y[row] = total;
                atomicAdd(&norms[step], total * total);
            }
        }
        g.sync();
        float scale = 1 / sqrtf(norms[step]);
        for (int i = start; i < n; i += stride)
            x[i] = y[i] * scale;
        g.sync();
    }
}

extern "C" __global__ void shares(const float *x, float *partial, float *out, int n)
{
    __shared__ float sums[256];
    cg::grid_group g = cg::this_grid();
    int start = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    float total = 0;
    for (int i = start; i < n; i += stride)
        total += x[i];
    total = block_sum(total, sums);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = total;
    g.sync();
    total = 0;
    for (int k = 0; k < gridDim.x; k++)
        total += partial[k];
    for (int i = start; i < n; i += stride)
        out[i] = x[i] / total;
}

extern "C" __global__ void scan_grid(const int *x, int *out, int *partial, int n)
{
    __shared__ int sums[256];
    cg::grid_group g = cg::this_grid();
    int t = threadIdx.x, b = blockIdx.x;
    int piece = n / gridDim.x;
    int carry = 0;
    for (int first = b * piece; first < (b + 1) * piece; first += 256) {
        int value = x[first + t];
        sums[t] = value;
        __syncthreads();
        for (int distance = 1; distance < 256; distance *= 2) {
            int other = t >= distance ? sums[t - distance] : 0;
            __syncthreads();
            sums[t] += other;
            __syncthreads();
        }
        out[first + t] = sums[t] + carry;
        carry += sums[255];
        __syncthreads();
    }
    if (t == 0)
        partial[b] = carry;
    g.sync();
    int before = 0;
    for (int k = 0; k < b; k++)
        before += partial[k];
    for (int i = b * piece + t; i < (b + 1) * piece; i += 256)
        out[i] += before;
}

extern "C" __global__ void bfs_grid(const int *starts, const int *neighbours, int *levels,
                                    int *counts, int n, int n_counts)
{
    cg::grid_group g = cg::this_grid();
    int level = 0, found = 1;
    while (found > 0 && level + 1 < n_counts) {
        for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
            if (levels[v] == level) {
                for (int e = starts[v]; e < starts[v + 1]; e++) {
                    int w = neighbours[e];
                    if (atomicCAS(&levels[w], -1, level + 1) == -1)
                        atomicAdd(&counts[level + 1], 1);
                }
            }
        }
        g.sync();
        level++;
        found = counts[level];
    }
}

extern "C" __global__ void red_black(float *u, const float *f, int steps, int n, int m)
{
    cg::grid_group g = cg::this_grid();
    for (int step = 0; step < 2 * steps; step++) {
        for (int i = blockIdx.x + 1; i < n - 1; i += gridDim.x) {
            int first = 1 + (i + step) % 2;
            for (int j = first + 2 * threadIdx.x; j < m - 1; j += 2 * blockDim.x)
                u[i * m + j] = 0.25f * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                                        u[i * m + j + 1] - f[i * m + j]);
        }
        g.sync();
    }
}
