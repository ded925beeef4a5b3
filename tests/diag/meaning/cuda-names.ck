# Names of CUDA C++: what ck calls them. All rows of the table are held by project/cuda_names.
@kernel
def names(x: int32[:], y: float32[:], n: int32):
    i = threadIdx.x
    __syncthreads()
    y[i] = fminf(y[i], 1.0) + __ldg(x, i)
    y[i] = make_float4(1, 2, 3, 4)
    y[i] = tex2D(x, 1, 2)
    y[i] = __globaltimer()
    y[i] = curand_uniform(x)
    x[i] = __reduce_add_sync(1, 2)
    printf("%d", i)
    cudaMalloc(x, 3)
    y[i] = __fmaf_rn(y[i], y[i], y[i])
    y[i] = __shfl_down_sync(1, y[i], 4)
    cuda.atomicAdd(x, 1)
    asm("nop")
    x[i] = volatile
    tile = cg.tiled_partition<32>(this_thread_block())
    y[i] = static_cast<float>(n)
    y[i] = n < 32 > (i)

# A name of the program, or of the language, is not CUDA's.
def clz32(unsigned):
    return clz(unsigned)

@kernel
def own(x, n):
    clock = grid(1)
    x[clock] = clz32(n)
