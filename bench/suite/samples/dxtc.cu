// dxtc.ck in CUDA C++.

constexpr int THREADS = 64;

static __device__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static __device__ float3 operator-(float3 a, float3 b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static __device__ float3 operator*(float3 a, float3 b)
{
    return make_float3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static __device__ float3 operator*(float3 a, float s)
{
    return make_float3(a.x * s, a.y * s, a.z * s);
}

static __device__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ float3 unpacked(unsigned pixel)
{
    return make_float3(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255) * (1.0f / 255);
}

static __device__ float3 principal_axis(const float3 *colours, float3 mean)
{
    float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    for (int k = 0; k < 16; k++) {
        float3 d = colours[k] - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        xz += d.x * d.z;
        yy += d.y * d.y;
        yz += d.y * d.z;
        zz += d.z * d.z;
    }
    float3 axis = {1, 1, 1};
    for (int k = 0; k < 8; k++) {
        axis = make_float3(xx * axis.x + xy * axis.y + xz * axis.z,
                           xy * axis.x + yy * axis.y + yz * axis.z,
                           xz * axis.x + yz * axis.y + zz * axis.z);
        axis = axis * (1 / fmaxf(fmaxf(axis.x, axis.y), fmaxf(axis.z, 1e-20f)));
    }
    return axis;
}

static __device__ float3 rounded(float3 colour)
{
    return make_float3(rintf(__saturatef(colour.x) * 31) * (1.0f / 31),
                       rintf(__saturatef(colour.y) * 63) * (1.0f / 63),
                       rintf(__saturatef(colour.z) * 31) * (1.0f / 31));
}

static __device__ unsigned packed(float3 colour)
{
    return (unsigned)rintf(colour.x * 31) << 11 | (unsigned)rintf(colour.y * 63) << 5 |
           (unsigned)rintf(colour.z * 31);
}

static __device__ float fitted(const float3 *colours, unsigned codes, float3 total, float3 &first,
                               float3 &second)
{
    float aa = 0, bb = 0, ab = 0;
    float3 ax = {0, 0, 0};
    for (int k = 0; k < 16; k++) {
        unsigned bits = codes >> (2 * k);
        float b = bits & 1;
        if (bits & 2)
            b = (1 + b) * (1.0f / 3);
        float a = 1 - b;
        aa += a * a;
        bb += b * b;
        ab += a * b;
        ax = ax + colours[k] * a;
    }
    float3 bx = total - ax;
    float factor = 1 / (aa * bb - ab * ab);
    first = rounded((ax * bb - bx * ab) * factor);
    second = rounded((bx * aa - ax * ab) * factor);
    float3 errors = first * first * aa + second * second * bb +
                    (first * second * ab - first * ax - second * bx) * 2;
    return errors.x + errors.y + errors.z;
}

extern "C" __launch_bounds__(THREADS) __global__
    void dxtc(const unsigned *pixels, const unsigned *partitions, uint2 *result, float *errors, int n)
{
    __shared__ float3 colours[16], ordered[16];
    __shared__ float places[16], least[THREADS];
    __shared__ int ranks[16], winners[THREADS];
    int t = threadIdx.x, block = blockIdx.x;

    if (t < 16)
        colours[t] = unpacked(pixels[16 * block + t]);
    __syncthreads();
    float3 total = {0, 0, 0};
    for (int k = 0; k < 16; k++)
        total = total + colours[k];
    float3 axis = principal_axis(colours, total * (1.0f / 16));
    if (t < 16)
        places[t] = dot(colours[t], axis);
    __syncthreads();
    if (t < 16) {
        int rank = 0;
        for (int k = 0; k < 16; k++) {
            if (places[k] < places[t] || (places[k] == places[t] && k < t))
                rank++;
        }
        ranks[t] = rank;
        ordered[rank] = colours[t];
    }
    __syncthreads();

    float best = 1e30f;
    unsigned codes = 0;
    float3 first = {0, 0, 0}, second = {0, 0, 0};
    for (int p = t; p < n; p += THREADS) {
        float3 a, b;
        float error = fitted(ordered, partitions[p], total, a, b);
        if (error < best) {
            best = error;
            codes = partitions[p];
            first = a;
            second = b;
        }
    }

    least[t] = best;
    winners[t] = t;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d && least[t + d] < least[t]) {
            least[t] = least[t + d];
            winners[t] = winners[t + d];
        }
        __syncthreads();
    }

    if (t == winners[0]) {
        unsigned indices = 0;
        for (int k = 0; k < 16; k++)
            indices |= (codes >> (2 * ranks[k]) & 3) << (2 * k);
        unsigned a = packed(first), b = packed(second);
        if (a < b) {
            unsigned swapped = a;
            a = b;
            b = swapped;
            indices ^= 0x55555555;
        }
        result[block] = make_uint2(b << 16 | a, indices);
        errors[block] = best;
    }
}
