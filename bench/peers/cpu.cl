/* The kernels of cpu_bench in OpenCL C: kernels/saxpy.ck, matmul16 of kernels/matmul.ck and
 * batched_v1 of examples/reductions.ck, each with the same barriers and shared memory. */

kernel void saxpy(float a, global const float *restrict x, global float *restrict y, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

#define TILE 16

kernel void matmul16(global const float *restrict a, global const float *restrict b,
                     global float *restrict c, int rows, int depth)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int tx = get_local_id(0), ty = get_local_id(1);
    int col = get_global_id(0), row = get_global_id(1), cols = get_global_size(0);
    float total = 0;
    for (int tile = 0; tile < depth / TILE; tile++) {
        tile_a[ty][tx] = a[row * depth + tile * TILE + tx];
        tile_b[ty][tx] = b[(tile * TILE + ty) * cols + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            total += tile_a[ty][k] * tile_b[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * cols + col] = total;
}

#define THREADS 256

kernel void batched_v1(global const float *restrict x, global float *restrict sums, int rows, int cols)
{
    local float part[THREADS];
    int rank = get_local_id(0), row = get_group_id(0);
    float total = 0;
    for (int i = rank; i < cols; i += THREADS)
        total += x[row * cols + i];
    part[rank] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (rank < stride)
            part[rank] += part[rank + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (rank == 0)
        sums[row] = part[0];
}
