// image.ck in CUDA C++.

constexpr int RADIUS = 8;

__constant__ float mask[5][5] = {{1, 4, 6, 4, 1},
                                 {4, 16, 24, 16, 4},
                                 {6, 24, 36, 24, 6},
                                 {4, 16, 24, 16, 4},
                                 {1, 4, 6, 4, 1}};
__constant__ float gauss[17] = {0.003f, 0.007f, 0.014f, 0.027f, 0.047f, 0.074f, 0.104f, 0.13f, 0.188f,
                                0.13f, 0.104f, 0.074f, 0.047f, 0.027f, 0.014f, 0.007f, 0.003f};

extern "C" __global__ void convolve_5x5(const float *image, float *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float total = 0;
        for (int dy = -2; dy <= 2; dy++) {
            for (int dx = -2; dx <= 2; dx++) {
                int yy = min(max(y + dy, 0), h - 1);
                int xx = min(max(x + dx, 0), w - 1);
                total += mask[dy + 2][dx + 2] * image[yy * w + xx];
            }
        }
        out[y * w + x] = total / 256;
    }
}

extern "C" __global__ void convolve_rows(const float *image, float *out, int w)
{
    __shared__ float line[256 + 2 * RADIUS];
    int t = threadIdx.x, y = blockIdx.y;
    int x = blockIdx.x * blockDim.x + t;
    line[t + RADIUS] = x < w ? image[y * w + x] : 0.0f;
    if (t < RADIUS) {
        line[t] = x >= RADIUS ? image[y * w + x - RADIUS] : 0.0f;
        line[t + 256 + RADIUS] = x + 256 < w ? image[y * w + x + 256] : 0.0f;
    }
    __syncthreads();
    if (x < w) {
        float total = 0;
        for (int k = 0; k < 2 * RADIUS + 1; k++)
            total += gauss[k] * line[t + k];
        out[y * w + x] = total;
    }
}

extern "C" __global__ void convolve_columns(const float *image, float *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float total = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) {
            if (y + k >= 0 && y + k < h)
                total += gauss[k + RADIUS] * image[(y + k) * w + x];
        }
        out[y * w + x] = total;
    }
}

extern "C" __global__ void sobel(const unsigned char *image, unsigned char *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
        int gx = image[(y - 1) * w + x + 1] + 2 * image[y * w + x + 1] + image[(y + 1) * w + x + 1] -
                 image[(y - 1) * w + x - 1] - 2 * image[y * w + x - 1] - image[(y + 1) * w + x - 1];
        int gy = image[(y + 1) * w + x - 1] + 2 * image[(y + 1) * w + x] +
                 image[(y + 1) * w + x + 1] - image[(y - 1) * w + x - 1] -
                 2 * image[(y - 1) * w + x] - image[(y - 1) * w + x + 1];
        out[y * w + x] = min((int)sqrtf((float)(gx * gx + gy * gy)), 255);
    }
}

extern "C" __global__ void median_3x3(const unsigned char *image, unsigned char *out, int h, int w)
{
    unsigned char window[9];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++)
                window[3 * dy + dx] = image[(y + dy - 1) * w + x + dx - 1];
        for (int i = 0; i < 5; i++) {
            int least = i;
            for (int k = i + 1; k < 9; k++) {
                if (window[k] < window[least])
                    least = k;
            }
            unsigned char other = window[least];
            window[least] = window[i];
            window[i] = other;
        }
        out[y * w + x] = window[4];
    }
}

extern "C" __global__ void bilateral(const float *image, float *out, float space, float tone, int h,
                                     int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float centre = image[y * w + x];
        float total = 0, weights = 0;
        for (int dy = -3; dy <= 3; dy++) {
            for (int dx = -3; dx <= 3; dx++) {
                int yy = min(max(y + dy, 0), h - 1);
                int xx = min(max(x + dx, 0), w - 1);
                float value = image[yy * w + xx];
                float d = value - centre;
                float weight = expf(-(float)(dx * dx + dy * dy) * space - d * d * tone);
                total += weight * value;
                weights += weight;
            }
        }
        out[y * w + x] = total / weights;
    }
}

extern "C" __global__ void equalise(const unsigned char *image, const int *cumulative,
                                    unsigned char *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int first = cumulative[0];
        out[y * w + x] = (cumulative[image[y * w + x]] - first) * 255 / (cumulative[255] - first);
    }
}

extern "C" __global__ void histogram_rows(const unsigned char *image, int *counts, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < h && x < w)
        atomicAdd(&counts[blockIdx.y * 256 + image[y * w + x]], 1);
}

extern "C" __global__ void gray(const unsigned char *image, unsigned char *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int r = image[3 * (y * w + x)];
        int g = image[3 * (y * w + x) + 1];
        int b = image[3 * (y * w + x) + 2];
        out[y * w + x] = (77 * r + 150 * g + 29 * b) >> 8;
    }
}

extern "C" __global__ void box_filter(const float *image, float *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float total = 0;
        int count = 0;
        for (int yy = max(y - 4, 0); yy < min(y + 5, h); yy++) {
            for (int xx = max(x - 4, 0); xx < min(x + 5, w); xx++) {
                total += image[yy * w + xx];
                count++;
            }
        }
        out[y * w + x] = total / (float)count;
    }
}

extern "C" __global__ void resize(const float *image, float *out, float scale, int h, int w,
                                  int out_h, int out_w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < out_w && y < out_h) {
        float fx = (float)x * scale;
        float fy = (float)y * scale;
        int x0 = (int)fx, y0 = (int)fy;
        float ax = fx - (float)x0, ay = fy - (float)y0;
        int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
        float top = image[y0 * w + x0] * (1 - ax) + image[y0 * w + x1] * ax;
        float bottom = image[y1 * w + x0] * (1 - ax) + image[y1 * w + x1] * ax;
        out[y * out_w + x] = top * (1 - ay) + bottom * ay;
    }
}

extern "C" __global__ void dilate(const unsigned char *image, unsigned char *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        unsigned char brightest = 0;
        for (int dy = -2; dy <= 2; dy++) {
            for (int dx = -2; dx <= 2; dx++) {
                int yy = y + dy, xx = x + dx;
                if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                    brightest = max(brightest, image[yy * w + xx]);
            }
        }
        out[y * w + x] = brightest;
    }
}

extern "C" __global__ void integral_columns(const int *image, int *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w) {
        int total = 0;
        for (int y = 0; y < h; y++) {
            total += image[y * w + x];
            out[y * w + x] = total;
        }
    }
}
