// neural.ck in CUDA C++.

constexpr int THREADS = 128, WIDTH = 64;

__device__ float sum_of_block(float value, float *scratch)
{
    int t = threadIdx.x;
    scratch[t] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            scratch[t] += scratch[t + half];
        __syncthreads();
    }
    float total = scratch[0];
    __syncthreads();
    return total;
}

__device__ float max_of_block(float value, float *scratch)
{
    int t = threadIdx.x;
    scratch[t] = value;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            scratch[t] = fmaxf(scratch[t], scratch[t + half]);
        __syncthreads();
    }
    float most = scratch[0];
    __syncthreads();
    return most;
}

extern "C" __global__ void softmax(const float *x, float *y, int n)
{
    __shared__ float scratch[THREADS];
    int row = blockIdx.x, t = threadIdx.x;
    float most = -INFINITY;
    for (int i = t; i < n; i += THREADS)
        most = fmaxf(most, x[row * n + i]);
    most = max_of_block(most, scratch);
    float total = 0;
    for (int i = t; i < n; i += THREADS)
        total += expf(x[row * n + i] - most);
    total = sum_of_block(total, scratch);
    for (int i = t; i < n; i += THREADS)
        y[row * n + i] = expf(x[row * n + i] - most) / total;
}

extern "C" __global__ void layer_norm(const float *x, const float *gain, const float *bias, float *y,
                                      int n)
{
    __shared__ float scratch[THREADS];
    int row = blockIdx.x, t = threadIdx.x;
    float total = 0;
    for (int i = t; i < n; i += THREADS)
        total += x[row * n + i];
    float mean = sum_of_block(total, scratch) / n;
    float squares = 0;
    for (int i = t; i < n; i += THREADS) {
        float d = x[row * n + i] - mean;
        squares += d * d;
    }
    float variance = sum_of_block(squares, scratch) / n;
    float scale = 1 / sqrtf(variance + 1e-5f);
    for (int i = t; i < n; i += THREADS)
        y[row * n + i] = (x[row * n + i] - mean) * scale * gain[i] + bias[i];
}

extern "C" __global__ void rms_norm(const float *x, const float *gain, float *y, int rows, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row < rows) {
        float squares = 0;
        for (int i = lane; i < n; i += 32)
            squares += x[row * n + i] * x[row * n + i];
        for (int d = 16; d > 0; d /= 2)
            squares += __shfl_xor_sync(0xffffffff, squares, d);
        float scale = 1 / sqrtf(squares / n + 1e-6f);
        for (int i = lane; i < n; i += 32)
            y[row * n + i] = x[row * n + i] * scale * gain[i];
    }
}

extern "C" __global__ void attention(const float *q, const float *k, const float *v, float *out,
                                     int n)
{
    __shared__ float scratch[THREADS], query[WIDTH], scores[1024];
    int row = blockIdx.x, t = threadIdx.x;
    if (t < WIDTH)
        query[t] = q[row * WIDTH + t];
    __syncthreads();
    float most = -INFINITY;
    for (int j = t; j < n; j += THREADS) {
        float score = 0;
        for (int c = 0; c < WIDTH; c++)
            score += query[c] * k[j * WIDTH + c];
        score *= 0.125f;
        scores[j] = score;
        most = fmaxf(most, score);
    }
    most = max_of_block(most, scratch);
    float total = 0;
    for (int j = t; j < n; j += THREADS) {
        float weight = expf(scores[j] - most);
        scores[j] = weight;
        total += weight;
    }
    total = sum_of_block(total, scratch);
    if (t < WIDTH) {
        float value = 0;
        for (int j = 0; j < n; j++)
            value += scores[j] * v[j * WIDTH + t];
        out[row * WIDTH + t] = value / total;
    }
}

extern "C" __global__ void conv2d(const float *image, const float *weights, float *out, int channels,
                                  int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int c_out = blockIdx.z;
    if (x < w && y < h) {
        float total = 0;
        for (int c = 0; c < channels; c++) {
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    int yy = y + i - 1, xx = x + j - 1;
                    if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                        total += image[(c * h + yy) * w + xx] *
                                 weights[(c_out * channels + c) * 9 + 3 * i + j];
                }
            }
        }
        out[(c_out * h + y) * w + x] = total;
    }
}

extern "C" __global__ void conv2d_depthwise(const float *image, const float *weights, float *out,
                                            int channels, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z * blockDim.z + threadIdx.z;
    if (c < channels && x < w - 2 && y < h - 2) {
        float total = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                total += image[(c * h + y + i) * w + x + j] * weights[(c * 3 + i) * 3 + j];
        out[(c * h + y) * w + x] = total;
    }
}

extern "C" __global__ void gelu(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        float inner = 0.79788456f * (v + 0.044715f * v * v * v);
        y[i] = 0.5f * v * (1 + tanhf(inner));
    }
}

extern "C" __global__ void batch_norm(const float *x, const float *mean, const float *variance,
                                      const float *gain, const float *bias, float *y, int channels,
                                      int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < channels && i < pixels) {
        float scale = gain[c] / sqrtf(variance[c] + 1e-5f);
        int at = (blockIdx.z * channels + c) * pixels + i;
        y[at] = (x[at] - mean[c]) * scale + bias[c];
    }
}

extern "C" __global__ void max_pool(const float *image, float *out, int channels, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < w && y < h && c < channels) {
        const float *corner = image + (c * 2 * h + 2 * y) * 2 * w + 2 * x;
        float most = corner[0];
        most = fmaxf(most, corner[1]);
        most = fmaxf(most, corner[2 * w]);
        most = fmaxf(most, corner[2 * w + 1]);
        out[(c * h + y) * w + x] = most;
    }
}

extern "C" __global__ void embedding(const int *tokens, const float *table, float *out, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m)
        out[i * m + j] = table[tokens[i] * m + j];
}

extern "C" __global__ void cross_entropy(const float *logits, const int *labels, float *losses,
                                         int rows, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        float most = logits[i * n];
        for (int j = 1; j < n; j++)
            most = fmaxf(most, logits[i * n + j]);
        float total = 0;
        for (int j = 0; j < n; j++)
            total += expf(logits[i * n + j] - most);
        losses[i] = logf(total) + most - logits[i * n + labels[i]];
    }
}

extern "C" __global__ void adam(float *weights, const float *gradients, float *m, float *v,
                                float rate, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float g = gradients[i];
        m[i] = 0.9f * m[i] + 0.1f * g;
        v[i] = 0.999f * v[i] + 0.001f * g * g;
        weights[i] -= rate * m[i] / (sqrtf(v[i]) + 1e-8f);
    }
}

extern "C" __global__ void linear_relu(const float *x, const float *W, const float *b, float *y,
                                       int n, int m, int inner)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        float total = b[j];
        for (int k = 0; k < inner; k++)
            total += x[i * inner + k] * W[j * inner + k];
        y[i * m + j] = fmaxf(total, 0.0f);
    }
}

extern "C" __global__ void rotary(float *x, const float *frequencies, int n, int m)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int half = m / 2;
    if (row < n && c < half) {
        float angle = (float)row * frequencies[c];
        float cosine = cosf(angle), sine = sinf(angle);
        float a = x[row * m + c], b = x[row * m + c + half];
        x[row * m + c] = a * cosine - b * sine;
        x[row * m + c + half] = a * sine + b * cosine;
    }
}
