// bodies.ck in CUDA C++.

constexpr int TILE = 256;
constexpr float SOFTENING = 0.00125f;

static __device__ float3 attracted(float3 acceleration, float4 body, float4 other)
{
    float x = other.x - body.x;
    float y = other.y - body.y;
    float z = other.z - body.z;
    float inverse = rsqrtf(x * x + y * y + z * z + SOFTENING);
    float s = other.w * (inverse * inverse * inverse);
    acceleration.x += x * s;
    acceleration.y += y * s;
    acceleration.z += z * s;
    return acceleration;
}

extern "C" __global__ void nbody(float4 *__restrict__ moved, const float4 *__restrict__ bodies,
                                 float4 *velocities, float step, float damping, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;
    float4 body = bodies[i];
    float3 acceleration = {0, 0, 0};
    for (int first = 0; first < n; first += TILE) {
        tile[t] = bodies[first + t];
        __syncthreads();
#pragma unroll 128
        for (int k = 0; k < TILE; k++)
            acceleration = attracted(acceleration, body, tile[k]);
        __syncthreads();
    }
    float4 v = velocities[i];
    v.x = (v.x + acceleration.x * step) * damping;
    v.y = (v.y + acceleration.y * step) * damping;
    v.z = (v.z + acceleration.z * step) * damping;
    velocities[i] = v;
    body.x += v.x * step;
    body.y += v.y * step;
    body.z += v.z * step;
    moved[i] = body;
}
