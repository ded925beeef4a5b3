// layouts.ck in CUDA C++.

struct Particle {
    float x, y, z, mass, u, v, w, charge;
};

extern "C" __global__ void structure_of_arrays(float *x, float *y, float *z, const float *u,
                                               const float *v, const float *w, float step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += u[i] * step;
        y[i] += v[i] * step;
        z[i] += w[i] * step;
    }
}

extern "C" __global__ void array_of_structures(Particle *particles, float step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Particle &p = particles[i];
        p.x += p.u * step;
        p.y += p.v * step;
        p.z += p.w * step;
    }
}

extern "C" __global__ void vectors(float4 *places, const float4 *velocities, float step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 p = places[i], v = velocities[i];
        p.x += v.x * step;
        p.y += v.y * step;
        p.z += v.z * step;
        places[i] = p;
    }
}

extern "C" __global__ void rows(float4 *places, const float4 *velocities, float step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = velocities[i];
        places[i].x += v.x * step;
        places[i].y += v.y * step;
        places[i].z += v.z * step;
    }
}

extern "C" __global__ void vector_axpy(const float4 *x, const float4 *y, float4 *z, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 p = x[i], q = y[i];
        z[i] = make_float4(p.x * a + q.x, p.y * a + q.y, p.z * a + q.z, p.w * a + q.w);
    }
}
