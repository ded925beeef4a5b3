// particles.ck in CUDA C++.

constexpr int TILE = 128;
constexpr float SOFTENING = 0.01f;
constexpr float PI = 3.14159265358979f;

extern "C" __global__ void nbody(const float *bodies, float *forces, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = bodies[4 * i], y = bodies[4 * i + 1], z = bodies[4 * i + 2];
        float fx = 0, fy = 0, fz = 0;
        for (int j = 0; j < n; j++) {
            float dx = bodies[4 * j] - x;
            float dy = bodies[4 * j + 1] - y;
            float dz = bodies[4 * j + 2] - z;
            float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
            float inverse = 1 / sqrtf(r2);
            float s = bodies[4 * j + 3] * inverse * inverse * inverse;
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        forces[3 * i] = fx;
        forces[3 * i + 1] = fy;
        forces[3 * i + 2] = fz;
    }
}

extern "C" __global__ void nbody_tiled(const float *bodies, float *forces, int n)
{
    __shared__ float tile[TILE][4];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float x = bodies[4 * i], y = bodies[4 * i + 1], z = bodies[4 * i + 2];
    float fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < n; first += TILE) {
        for (int c = 0; c < 4; c++)
            tile[t][c] = bodies[4 * (first + t) + c];
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float dx = tile[j][0] - x;
            float dy = tile[j][1] - y;
            float dz = tile[j][2] - z;
            float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
            float inverse = 1 / sqrtf(r2);
            float s = tile[j][3] * inverse * inverse * inverse;
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        __syncthreads();
    }
    forces[3 * i] = fx;
    forces[3 * i + 1] = fy;
    forces[3 * i + 2] = fz;
}

extern "C" __global__ void lj_force(const float *atoms, const int *lists, float cutoff2,
                                    float *forces, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = atoms[4 * i], y = atoms[4 * i + 1], z = atoms[4 * i + 2];
        float fx = 0, fy = 0, fz = 0;
        for (int k = 0; k < length; k++) {
            int j = lists[k * n + i];
            float dx = x - atoms[4 * j];
            float dy = y - atoms[4 * j + 1];
            float dz = z - atoms[4 * j + 2];
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cutoff2 && j != i) {
                float inverse2 = 1 / (r2 + 0.5f);
                float inverse6 = inverse2 * inverse2 * inverse2;
                float force = inverse2 * inverse6 * (inverse6 - 0.5f);
                fx += dx * force;
                fy += dy * force;
                fz += dz * force;
            }
        }
        forces[3 * i] = fx;
        forces[3 * i + 1] = fy;
        forces[3 * i + 2] = fz;
    }
}

extern "C" __global__ void neighbour_list(const int *points, int cutoff2, int *lists, int *counts,
                                          int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int count = 0;
        for (int j = 0; j < n; j++) {
            int dx = points[3 * i] - points[3 * j];
            int dy = points[3 * i + 1] - points[3 * j + 1];
            int dz = points[3 * i + 2] - points[3 * j + 2];
            if (i != j && dx * dx + dy * dy + dz * dz < cutoff2) {
                if (count < length)
                    lists[count * n + i] = j;
                count++;
            }
        }
        counts[i] = count;
    }
}

extern "C" __global__ void coulomb_plane(const float *atoms, float spacing, float *energy,
                                         int n_atoms, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        float x = spacing * j, y = spacing * i;
        float total = 0;
        for (int a = 0; a < n_atoms; a++) {
            float dx = x - atoms[4 * a];
            float dy = y - atoms[4 * a + 1];
            float dz = atoms[4 * a + 2];
            total += atoms[4 * a + 3] / sqrtf(dx * dx + dy * dy + dz * dz + 0.1f);
        }
        energy[i * m + j] = total;
    }
}

extern "C" __global__ void mri_q(const float *x, const float *y, const float *z, const float *k,
                                 float *real, float *imaginary, int n, int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float re = 0, im = 0;
        for (int s = 0; s < samples; s++) {
            float angle =
                2 * PI * (k[4 * s] * x[i] + k[4 * s + 1] * y[i] + k[4 * s + 2] * z[i]);
            re += k[4 * s + 3] * cosf(angle);
            im += k[4 * s + 3] * sinf(angle);
        }
        real[i] = re;
        imaginary[i] = im;
    }
}

extern "C" __global__ void kmeans_assign(const unsigned char *points, const unsigned char *centres,
                                         int *labels, int n, int n_centres, int features)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best = 0;
        float least = 1e30f;
        for (int c = 0; c < n_centres; c++) {
            float distance = 0;
            for (int f = 0; f < features; f++) {
                float d = (float)points[i * features + f] - (float)centres[c * features + f];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        labels[i] = best;
    }
}

extern "C" __global__ void leapfrog(float *positions, float *velocities, const float *forces,
                                    float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int c = 0; c < 3; c++) {
            float v = velocities[3 * i + c] + dt * forces[3 * i + c];
            float x = positions[3 * i + c] + dt * v;
            if (x < 0) {
                x = -x;
                v = -v;
            } else if (x > 1) {
                x = 2 - x;
                v = -v;
            }
            positions[3 * i + c] = x;
            velocities[3 * i + c] = v;
        }
    }
}
