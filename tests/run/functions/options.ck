# Options of the decorators: bounds and registers do not change results; fastmath stays close.

@kernel(launch_bounds=128)
def bounded(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[i] = x[i] * 2

@cuda.jit(fastmath=True)
def fast(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[i] = math.sqrt(x[i]) / (x[i] + 1) + x[i] ** 0.5

@kernel(launch_bounds=(64, 4), max_registers=32, wraparound=False)
def all_of_them(x, o):
    s = shared.array(64, float32)
    s[threadIdx.x] = x[threadIdx.x]
    syncthreads()
    o[threadIdx.x] = s[blockDim.x - threadIdx.x - 1]

#: x = rng.uniform(0.1, 9, 64).astype("f4")
#: o, p, q = poison(64, "f4"), poison(64, "f4"), poison(64, "f4")
#: launch bounded[2, 128](x, o)
#: launch fast[2, 33](x, p)
#: launch all_of_them[1, 64](x, q)
#: w = x.astype("f8")
#: expect o == x * 2
#: expect close(p, np.sqrt(w) / (w + 1) + np.sqrt(w), 1e-5)
#: expect q == x[::-1]
