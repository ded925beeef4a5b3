// stencil.ck in CUDA C++.

constexpr int TILE = 16, RADIUS = 4;

__constant__ float weights8[17] = {0.01f, 0.02f, 0.03f, 0.05f, 0.06f, 0.07f, 0.08f, 0.09f, 0.18f,
                                   0.09f, 0.08f, 0.07f, 0.06f, 0.05f, 0.03f, 0.02f, 0.01f};
__constant__ float star[5] = {-2.847222f, 1.6f, -0.2f, 0.025397f, -0.001786f};

extern "C" __global__ void jacobi1d(const float *old, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = (old[i - 1] + old[i] + old[i + 1]) * 0.33333f;
}

extern "C" __global__ void stencil1d_r8(const float *old, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 8 && i < n - 8) {
        float total = 0;
        for (int k = -8; k <= 8; k++)
            total += weights8[k + 8] * old[i + k];
        out[i] = total;
    }
}

extern "C" __global__ void stencil1d_tile(const float *old, float *out, int n)
{
    __shared__ float tile[256 + 2 * RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t + RADIUS] = i < n ? old[i] : 0.0f;
    if (t < RADIUS) {
        tile[t] = i >= RADIUS ? old[i - RADIUS] : 0.0f;
        int right = i + blockDim.x;
        tile[t + RADIUS + blockDim.x] = right < n ? old[right] : 0.0f;
    }
    __syncthreads();
    if (i < n) {
        float total = 0;
        for (int k = -RADIUS; k <= RADIUS; k++)
            total += tile[t + RADIUS + k];
        out[i] = total;
    }
}

extern "C" __global__ void jacobi2d(const float *old, float *out, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (0 < i && i < n - 1 && 0 < j && j < m - 1)
        out[i * m + j] = 0.2f * (old[i * m + j] + old[i * m + j - 1] + old[i * m + j + 1] +
                                 old[(i - 1) * m + j] + old[(i + 1) * m + j]);
}

extern "C" __global__ void stencil2d_9(const float *old, const float *weights, float *out, int n,
                                       int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (0 < i && i < n - 1 && 0 < j && j < m - 1) {
        float total = 0;
        for (int di = 0; di < 3; di++)
            for (int dj = 0; dj < 3; dj++)
                total += weights[di * 3 + dj] * old[(i + di - 1) * m + j + dj - 1];
        out[i * m + j] = total;
    }
}

extern "C" __global__ void stencil2d_star4(const float *old, float *out, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= 4 && i < n - 4 && j >= 4 && j < m - 4) {
        float total = 2 * star[0] * old[i * m + j];
        for (int k = 1; k < 5; k++)
            total += star[k] * (old[(i - k) * m + j] + old[(i + k) * m + j] + old[i * m + j - k] +
                                old[i * m + j + k]);
        out[i * m + j] = total;
    }
}

extern "C" __global__ void stencil2d_tile(const float *old, float *out, int n, int m)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    bool inside = i < n && j < m;
    tile[ty][tx] = inside ? old[i * m + j] : 0.0f;
    if (tx == 1)
        tile[ty][0] = inside && j > 0 ? old[i * m + j - 1] : 0.0f;
    if (tx == TILE)
        tile[ty][TILE + 1] = i < n && j + 1 < m ? old[i * m + j + 1] : 0.0f;
    if (ty == 1)
        tile[0][tx] = inside && i > 0 ? old[(i - 1) * m + j] : 0.0f;
    if (ty == TILE)
        tile[TILE + 1][tx] = i + 1 < n && j < m ? old[(i + 1) * m + j] : 0.0f;
    __syncthreads();
    if (inside)
        out[i * m + j] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] +
                                 tile[ty - 1][tx] + tile[ty + 1][tx]);
}

extern "C" __global__ void stencil2d_box3(const float *old, float *out, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= 3 && i < n - 3 && j >= 3 && j < m - 3) {
        float total = 0;
        for (int y = i - 3; y <= i + 3; y++)
            for (int x = j - 3; x <= j + 3; x++)
                total += old[y * m + x];
        out[i * m + j] = total / 49;
    }
}

extern "C" __global__ void stencil3d_7(float c0, float c1, const float *old, float *out, int nz,
                                       int ny, int nx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (0 < i && i < nx - 1 && 0 < j && j < ny - 1) {
        for (int k = 1; k < nz - 1; k++)
            out[(k * ny + j) * nx + i] =
                c1 * (old[((k + 1) * ny + j) * nx + i] + old[((k - 1) * ny + j) * nx + i] +
                      old[(k * ny + j + 1) * nx + i] + old[(k * ny + j - 1) * nx + i] +
                      old[(k * ny + j) * nx + i + 1] + old[(k * ny + j) * nx + i - 1]) -
                c0 * old[(k * ny + j) * nx + i];
    }
}

extern "C" __global__ void stencil3d_27(const float *old, float *out, int nz, int ny, int nx)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (0 < x && x < nx - 1 && 0 < y && y < ny - 1 && 0 < z && z < nz - 1) {
        float total = 0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    total += old[((z + dz) * ny + y + dy) * nx + x + dx];
        out[(z * ny + y) * nx + x] = total / 27;
    }
}

extern "C" __global__ void wave3d_r4(const float *old, const float *now, float *out, int nz, int ny,
                                     int nx)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int plane = ny * nx;
    if (x >= RADIUS && x < nx - RADIUS && y >= RADIUS && y < ny - RADIUS) {
        for (int z = RADIUS; z < nz - RADIUS; z++) {
            int at = (z * ny + y) * nx + x;
            float total = 3 * star[0] * now[at];
            for (int r = 1; r <= RADIUS; r++)
                total += star[r] * (now[at - r] + now[at + r] + now[at - r * nx] +
                                    now[at + r * nx] + now[at - r * plane] + now[at + r * plane]);
            out[at] = 2 * now[at] - old[at] + 0.1f * total;
        }
    }
}

extern "C" __global__ void stencil3d_tile(const float *old, float *out, int nz, int ny, int nx)
{
    __shared__ float plane[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * (TILE - 2) + tx;
    int y = blockIdx.y * (TILE - 2) + ty;
    bool loads = x < nx && y < ny;
    bool stores = tx > 0 && tx < TILE - 1 && ty > 0 && ty < TILE - 1 && x < nx - 1 && y < ny - 1;
    float below, now = 0, above = 0;
    if (loads) {
        now = old[y * nx + x];
        above = old[(ny + y) * nx + x];
    }
    for (int z = 1; z < nz - 1; z++) {
        below = now;
        now = above;
        if (loads)
            above = old[((z + 1) * ny + y) * nx + x];
        plane[ty][tx] = now;
        __syncthreads();
        if (stores)
            out[(z * ny + y) * nx + x] = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                                         plane[ty + 1][tx] + below + above - 6 * now;
        __syncthreads();
    }
}

extern "C" __global__ void fdtd2d_e(float source, float *ex, float *ey, const float *hz, int n,
                                    int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        if (i == 0)
            ey[i * m + j] = source;
        else
            ey[i * m + j] -= 0.5f * (hz[i * m + j] - hz[(i - 1) * m + j]);
        if (j > 0)
            ex[i * m + j] -= 0.5f * (hz[i * m + j] - hz[i * m + j - 1]);
    }
}

extern "C" __global__ void fdtd2d_h(const float *ex, const float *ey, float *hz, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n - 1 && j < m - 1)
        hz[i * m + j] -=
            0.7f * (ex[i * m + j + 1] - ex[i * m + j] + ey[(i + 1) * m + j] - ey[i * m + j]);
}

extern "C" __global__ void hotspot(const float *temperature, const float *power, float *out, int n,
                                   int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        int up = max(i - 1, 0), down = min(i + 1, n - 1);
        int left = max(j - 1, 0), right = min(j + 1, m - 1);
        float t = temperature[i * m + j];
        out[i * m + j] =
            t + 0.05f * (power[i * m + j] +
                         (temperature[up * m + j] + temperature[down * m + j] - 2 * t) * 0.8f +
                         (temperature[i * m + left] + temperature[i * m + right] - 2 * t) * 1.2f +
                         (80 - t) * 0.3f);
    }
}

extern "C" __global__ void srad(float q0, const float *image, float *c, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        float here = image[i * m + j];
        float north = image[(i > 0 ? i - 1 : 0) * m + j] - here;
        float south = image[(i < n - 1 ? i + 1 : n - 1) * m + j] - here;
        float west = image[i * m + (j > 0 ? j - 1 : 0)] - here;
        float east = image[i * m + (j < m - 1 ? j + 1 : m - 1)] - here;
        float g2 = (north * north + south * south + west * west + east * east) / (here * here);
        float l = (north + south + west + east) / here;
        float num = 0.5f * g2 - 0.0625f * (l * l);
        float den = 1 + 0.25f * l;
        float q = num / (den * den);
        float value = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
        c[i * m + j] = fminf(fmaxf(value, 0.0f), 1.0f);
    }
}

extern "C" __global__ void life(const int *old, int *out, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        int up = (i + n - 1) % n, down = (i + 1) % n;
        int left = (j + m - 1) % m, right = (j + 1) % m;
        int count = old[up * m + left] + old[up * m + j] + old[up * m + right] + old[i * m + left] +
                    old[i * m + right] + old[down * m + left] + old[down * m + j] +
                    old[down * m + right];
        out[i * m + j] = count == 3 || (count == 2 && old[i * m + j] == 1);
    }
}

extern "C" __global__ void upwind(const float *q, const float *u, const float *v, float *out, int n,
                                  int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (0 < i && i < n - 1 && 0 < j && j < m - 1) {
        int at = i * m + j;
        float dx = u[at] > 0 ? q[at] - q[at - 1] : q[at + 1] - q[at];
        float dy = v[at] > 0 ? q[at] - q[at - m] : q[at + m] - q[at];
        out[at] = q[at] - 0.1f * (u[at] * dx + v[at] * dy);
    }
}
