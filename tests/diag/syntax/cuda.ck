# Syntax of CUDA C++: one error a construct, which says what to write.
@kernel
def syntax(x: int32[:], y: float32[:], n: int32):
    i = threadIdx.x
    atomicAdd(&x[i], 1);
    p = &x[0]
    f = (float)n
    u = (unsigned char)n
    v = (float *)x
    float s = 0;
    s += 1
    int k;
    __shared__ float tile[32][33];
    __shared__ int total;
    extern __shared__ float dyn[];
    const unsigned long long big = 1;
    float *q = x;
    float4 w = y;
    size_t bytes = 4;
    g = cg::this_grid()
    cg::this_grid().sync()
    asm volatile("nop");
    if (n > 3) {
        y[i] = 1;
    } else {
        y[i] = 2;
    }
    for (int j = 0; j < n; j++) {
        y[j] = 1;
    }
    for (int j = 0; j < n; j++)
        y[j] = 1
    n->x = 1
    const float pi = 3.14f
    unsigned int bits = 0xFFu + 2ul * offset
    int both = n && s
    int *where = &x[0]
    r = curand_uniform(&state)
    asm volatile("exit;")
    i++;
    // a comment
    y[i] = 1 // a comment of words
    /* another */
    y[i] = 1 /* one more */
    *q = 1
    if (n) y[i] = 1;
    do {
        y[i] = 1;
    }
    switch (n) {
    }
    y[i] = s + bytes + total + tile[0] + q
    names<<<1, 32>>>(x)
    return;

__global__ void saxpy(float *x, int n) {
    int i = threadIdx.x;
    x[i] = 1;
}

__device__ float half_of(float x)
{
    return x / 2;
}
