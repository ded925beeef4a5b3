// bits.ck in CUDA C++.

typedef unsigned long long word64;

extern "C" __global__ void fnv1a(const unsigned char *records, unsigned *hashes, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned h = 2166136261u;
        for (int k = 0; k < length; k++)
            h = (h ^ records[i * length + k]) * 16777619u;
        hashes[i] = h;
    }
}

__device__ unsigned rotate(unsigned x, int by)
{
    return (x << by) | (x >> (32 - by));
}

extern "C" __global__ void murmur3(const unsigned *records, int seed, unsigned *hashes, int n,
                                   int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned h = seed;
        for (int k = 0; k < length; k++) {
            unsigned word = records[i * length + k] * 0xcc9e2d51u;
            word = rotate(word, 15) * 0x1b873593u;
            h = rotate(h ^ word, 13) * 5 + 0xe6546b64u;
        }
        h ^= 4 * length;
        h = (h ^ (h >> 16)) * 0x85ebca6bu;
        h = (h ^ (h >> 13)) * 0xc2b2ae35u;
        hashes[i] = h ^ (h >> 16);
    }
}

extern "C" __global__ void crc32(const unsigned char *records, const unsigned *table, unsigned *sums,
                                 int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned crc = 0xffffffffu;
        for (int k = 0; k < length; k++)
            crc = table[(crc ^ records[i * length + k]) & 255] ^ (crc >> 8);
        sums[i] = ~crc;
    }
}

extern "C" __global__ void popcount_sum(const unsigned *words, int *total, int n)
{
    __shared__ int sums[256];
    int t = threadIdx.x;
    int count = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        count += __popc(words[i]);
    sums[t] = count;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(total, sums[0]);
}

__device__ unsigned spread(unsigned x)
{
    x = (x | (x << 16)) & 0x030000ffu;
    x = (x | (x << 8)) & 0x0300f00fu;
    x = (x | (x << 4)) & 0x030c30c3u;
    return (x | (x << 2)) & 0x09249249u;
}

extern "C" __global__ void morton3d(const unsigned *points, unsigned *codes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        codes[i] = spread(points[3 * i]) | (spread(points[3 * i + 1]) << 1) |
                   (spread(points[3 * i + 2]) << 2);
}

extern "C" __global__ void gray_code(const unsigned *numbers, unsigned *codes, unsigned *back, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned code = numbers[i] ^ (numbers[i] >> 1);
        codes[i] = code;
        unsigned number = code;
        for (int shift = 1; shift < 32; shift *= 2)
            number ^= number >> shift;
        back[i] = number;
    }
}

extern "C" __global__ void xorshift(const unsigned *seeds, unsigned *out, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned x = seeds[i];
        for (int k = 0; k < length; k++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            out[k * n + i] = x;
        }
    }
}

extern "C" __global__ void hamming(const unsigned *a, const unsigned *b, int *distances, int n,
                                   int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        int count = 0;
        for (int k = 0; k < 8; k++)
            count += __popc(a[8 * i + k] ^ b[8 * j + k]);
        distances[i * m + j] = count;
    }
}

extern "C" __global__ void tea(unsigned *blocks, const unsigned *key, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned v0 = blocks[2 * i], v1 = blocks[2 * i + 1];
        unsigned total = 0;
        for (int k = 0; k < 32; k++) {
            total += 0x9e3779b9u;
            v0 += ((v1 << 4) + key[0]) ^ (v1 + total) ^ ((v1 >> 5) + key[1]);
            v1 += ((v0 << 4) + key[2]) ^ (v0 + total) ^ ((v0 >> 5) + key[3]);
        }
        blocks[2 * i] = v0;
        blocks[2 * i + 1] = v1;
    }
}

extern "C" __global__ void bit_transpose(const unsigned *words, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    unsigned word = words[i];
    unsigned mine = 0;
    for (int b = 0; b < 32; b++) {
        unsigned column = __ballot_sync(0xffffffff, (word >> b) & 1);
        if (lane == b)
            mine = column;
    }
    out[i] = mine;
}

__device__ word64 rotate64(word64 x, int by)
{
    return (x << by) | (x >> (64 - by));
}

extern "C" __global__ void siphash(const word64 *records, word64 *hashes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        word64 a = 0x736f6d6570736575u, b = 0x646f72616e646f6du;
        word64 c = 0x6c7967656e657261u, d = 0x7465646279746573u;
        for (int k = 0; k < 11; k++) {
            word64 word = k < 8 ? records[8 * i + k] : 0;
            d ^= word;
            a += b;
            b = rotate64(b, 13) ^ a;
            a = rotate64(a, 32);
            c += d;
            d = rotate64(d, 16) ^ c;
            a += d;
            d = rotate64(d, 21) ^ a;
            c += b;
            b = rotate64(b, 17) ^ c;
            c = rotate64(c, 32);
            a ^= word;
        }
        hashes[i] = a ^ b ^ c ^ d;
    }
}
