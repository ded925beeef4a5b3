// sorting.ck in CUDA C++.

extern "C" __global__ void bitonic_step(int *x, int j, int k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = i ^ j;
    if (other > i && other < n) {
        int a = x[i], b = x[other];
        if ((i & k) == 0) {
            if (a > b) {
                x[i] = b;
                x[other] = a;
            }
        } else {
            if (a < b) {
                x[i] = b;
                x[other] = a;
            }
        }
    }
}

extern "C" __global__ void bitonic_block(float *x)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    int first = blockIdx.x * 512;
    s[t] = x[first + t];
    s[t + 256] = x[first + t + 256];
    for (int k = 2; k <= 512; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (j - 1));
            float a = s[i], b = s[i + j];
            if ((a > b) == ((i & k) == 0)) {
                s[i] = b;
                s[i + j] = a;
            }
        }
    }
    __syncthreads();
    x[first + t] = s[t];
    x[first + t + 256] = s[t + 256];
}

extern "C" __global__ void odd_even_merge_step(int *x, int p, int k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = k % p;
    if (i >= first && i + k < n && (i - first) / k % 2 == 0) {
        if (i / (2 * p) == (i + k) / (2 * p)) {
            int a = x[i], b = x[i + k];
            if (a > b) {
                x[i] = b;
                x[i + k] = a;
            }
        }
    }
}

extern "C" __global__ void block_scan(const float *x, float *out, float *sums, int n)
{
    __shared__ float s[2][256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[0][t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    int now = 0;
    for (int distance = 1; distance < 256; distance *= 2) {
        s[1 - now][t] = t >= distance ? s[now][t] + s[now][t - distance] : s[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (i < n)
        out[i] = s[now][t];
    if (t == 255)
        sums[blockIdx.x] = s[now][t];
}

extern "C" __global__ void scan_blelloch(const int *x, int *out)
{
    __shared__ int s[512];
    int t = threadIdx.x;
    int first = blockIdx.x * 512;
    s[2 * t] = x[first + 2 * t];
    s[2 * t + 1] = x[first + 2 * t + 1];
    int offset = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        offset *= 2;
    }
    if (t == 0)
        s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            int c = s[a];
            s[a] = s[b];
            s[b] += c;
        }
    }
    __syncthreads();
    out[first + 2 * t] = s[2 * t];
    out[first + 2 * t + 1] = s[2 * t + 1];
}

extern "C" __global__ void scan_warps(const int *x, int *out, int n)
{
    __shared__ int sums[8];
    int t = threadIdx.x;
    int lane = t % 32, warp = t / 32;
    int i = blockIdx.x * blockDim.x + t;
    int value = i < n ? x[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d)
            value += other;
    }
    if (lane == 31)
        sums[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        value += sums[w];
    if (i < n)
        out[i] = value;
}

extern "C" __global__ void radix_histogram(const unsigned *keys, int *counts, int shift, int n)
{
    __shared__ int local[16];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (t < 16)
        local[t] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&local[(keys[i] >> shift) & 15], 1);
    __syncthreads();
    if (t < 16)
        counts[t * gridDim.x + blockIdx.x] = local[t];
}

extern "C" __global__ void radix_scatter(const unsigned *keys, const int *starts, unsigned *out,
                                         int shift)
{
    __shared__ int digits[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int digit = (keys[i] >> shift) & 15;
    digits[t] = digit;
    __syncthreads();
    int rank = 0;
    for (int k = 0; k < t; k++) {
        if (digits[k] == digit)
            rank++;
    }
    out[starts[blockIdx.x * 16 + digit] + rank] = keys[i];
}

extern "C" __global__ void compact(const float *x, float *out, int *counts, int n)
{
    __shared__ int sums[8];
    int t = threadIdx.x;
    int lane = t & 31, warp = t >> 5;
    int i = blockIdx.x * blockDim.x + t;
    bool keep = i < n && x[i] > 0;
    unsigned votes = __ballot_sync(0xffffffff, keep);
    int before = __popc(votes & ((1u << lane) - 1));
    if (lane == 0)
        sums[warp] = __popc(votes);
    __syncthreads();
    int first = 0, total = 0;
    for (int w = 0; w < 8; w++) {
        if (w < warp)
            first += sums[w];
        total += sums[w];
    }
    if (keep)
        out[blockIdx.x * 256 + first + before] = x[i];
    if (t == 0)
        counts[blockIdx.x] = total;
}

extern "C" __global__ void merge_by_rank(const int *a, const int *b, int *out, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int low = 0, high = m;
        while (low < high) {
            int middle = (low + high) / 2;
            if (b[middle] < a[i])
                low = middle + 1;
            else
                high = middle;
        }
        out[i + low] = a[i];
    } else if (i < n + m) {
        int j = i - n;
        int low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (a[middle] <= b[j])
                low = middle + 1;
            else
                high = middle;
        }
        out[j + low] = b[j];
    }
}

extern "C" __global__ void binary_search(const int *keys, const int *queries, int *places, int n,
                                         int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        int low = 0, high = n;
        while (low < high) {
            int middle = (low + high) >> 1;
            if (keys[middle] < queries[i])
                low = middle + 1;
            else
                high = middle;
        }
        places[i] = low;
    }
}

extern "C" __global__ void rank_sort(const int *keys, int *out, int n)
{
    __shared__ int tile[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int key = i < n ? keys[i] : 0;
    int rank = 0;
    for (int first = 0; first < n; first += 256) {
        if (first + t < n)
            tile[t] = keys[first + t];
        __syncthreads();
        int end = min(256, n - first);
        for (int k = 0; k < end; k++) {
            if (tile[k] < key || (tile[k] == key && first + k < i))
                rank++;
        }
        __syncthreads();
    }
    if (i < n)
        out[rank] = key;
}
