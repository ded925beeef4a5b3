// transform.ck in CUDA C++.

constexpr unsigned PRIME = 998244353;

__constant__ float cosines[8][8] = {
    {0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f,
     0.35355339f},
    {0.49039264f, 0.41573481f, 0.27778512f, 0.09754516f, -0.09754516f, -0.27778512f, -0.41573481f,
     -0.49039264f},
    {0.46193977f, 0.19134172f, -0.19134172f, -0.46193977f, -0.46193977f, -0.19134172f, 0.19134172f,
     0.46193977f},
    {0.41573481f, -0.09754516f, -0.49039264f, -0.27778512f, 0.27778512f, 0.49039264f, 0.09754516f,
     -0.41573481f},
    {0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f, 0.35355339f, -0.35355339f, -0.35355339f,
     0.35355339f},
    {0.27778512f, -0.49039264f, 0.09754516f, 0.41573481f, -0.41573481f, -0.09754516f, 0.49039264f,
     -0.27778512f},
    {0.19134172f, -0.46193977f, 0.46193977f, -0.19134172f, -0.19134172f, 0.46193977f, -0.46193977f,
     0.19134172f},
    {0.09754516f, -0.27778512f, 0.41573481f, -0.49039264f, 0.49039264f, -0.41573481f, 0.27778512f,
     -0.09754516f}};

extern "C" __global__ void fft_step(const float *re, const float *im, float *out_re, float *out_im,
                                    int p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int half = n / 2;
    if (i < half) {
        int k = i & (p - 1);
        float angle = -3.14159265f * (float)k / (float)p;
        float c = cosf(angle), s = sinf(angle);
        float ur = re[i], ui = im[i];
        float vr = re[i + half] * c - im[i + half] * s;
        float vi = re[i + half] * s + im[i + half] * c;
        int j = ((i - k) << 1) + k;
        out_re[j] = ur + vr;
        out_im[j] = ui + vi;
        out_re[j + p] = ur - vr;
        out_im[j + p] = ui - vi;
    }
}

extern "C" __global__ void fft_block(float *re, float *im)
{
    __shared__ float sr[256], si[256];
    int b = blockIdx.x, t = threadIdx.x;
    for (int i = t; i < 256; i += 128) {
        int j = __brev(i) >> 24;
        sr[j] = re[b * 256 + i];
        si[j] = im[b * 256 + i];
    }
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        int k = t % half;
        int i = 2 * t - k;
        float angle = -3.14159265f * (float)k / (float)half;
        float c = cosf(angle), s = sinf(angle);
        float vr = sr[i + half] * c - si[i + half] * s;
        float vi = sr[i + half] * s + si[i + half] * c;
        sr[i + half] = sr[i] - vr;
        si[i + half] = si[i] - vi;
        sr[i] += vr;
        si[i] += vi;
        __syncthreads();
    }
    for (int i = t; i < 256; i += 128) {
        re[b * 256 + i] = sr[i];
        im[b * 256 + i] = si[i];
    }
}

extern "C" __global__ void walsh_step(float *x, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n / 2) {
        int i = 2 * t - (t & (distance - 1));
        float a = x[i], b = x[i + distance];
        x[i] = a + b;
        x[i + distance] = a - b;
    }
}

extern "C" __global__ void walsh_block(float *x)
{
    __shared__ float s[512];
    int t = threadIdx.x;
    int first = blockIdx.x * 512;
    s[t] = x[first + t];
    s[t + 256] = x[first + t + 256];
    for (int distance = 1; distance < 512; distance <<= 1) {
        __syncthreads();
        int i = 2 * t - (t & (distance - 1));
        float a = s[i], b = s[i + distance];
        s[i] = a + b;
        s[i + distance] = a - b;
    }
    __syncthreads();
    x[first + t] = s[t];
    x[first + t + 256] = s[t + 256];
}

extern "C" __global__ void dct8x8(const float *image, float *out, int m)
{
    __shared__ float tile[8][8], rows[8][8];
    int u = threadIdx.x, v = threadIdx.y;
    int x = blockIdx.x * blockDim.x + u;
    int y = blockIdx.y * blockDim.y + v;
    tile[v][u] = image[y * m + x];
    __syncthreads();
    float total = 0;
    for (int k = 0; k < 8; k++)
        total += cosines[u][k] * tile[v][k];
    rows[v][u] = total;
    __syncthreads();
    total = 0;
    for (int k = 0; k < 8; k++)
        total += cosines[v][k] * rows[k][u];
    out[y * m + x] = total;
}

extern "C" __global__ void haar_step(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int half = n / 2;
    if (i < half) {
        out[i] = (x[2 * i] + x[2 * i + 1]) * 0.70710678f;
        out[half + i] = (x[2 * i] - x[2 * i + 1]) * 0.70710678f;
    }
}

extern "C" __global__ void wavelet53_rows(const int *x, int *out, int n, int m)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int half = m / 2;
    if (row < n && k < half) {
        const int *line = x + row * m;
        int right = 2 * k + 2 < m ? line[2 * k + 2] : line[m - 2];
        int high = line[2 * k + 1] - ((line[2 * k] + right) >> 1);
        int before = high;
        if (k > 0)
            before = line[2 * k - 1] - ((line[2 * k - 2] + line[2 * k]) >> 1);
        out[row * m + half + k] = high;
        out[row * m + k] = line[2 * k] + ((before + high + 2) >> 2);
    }
}

extern "C" __global__ void bit_reversal(const float *x, float *out, int bits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int j = __brev(i) >> (32 - bits);
        out[j] = x[i];
    }
}

extern "C" __global__ void ntt_step(unsigned *x, const unsigned *roots, int half, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n / 2) {
        int k = t & (half - 1);
        int i = 2 * t - k;
        unsigned a = x[i];
        unsigned b = (unsigned long long)x[i + half] * roots[k] % PRIME;
        unsigned total = a + b;
        x[i] = total >= PRIME ? total - PRIME : total;
        x[i + half] = a >= b ? a - b : a + PRIME - b;
    }
}
