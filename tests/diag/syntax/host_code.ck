from numba import cuda


@cuda.jit
def add(x, y):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += y[i]


cuda.synchronize()
add[8, 128](x, y)
add[8, 64](x, y)
print(x)
if __name__ == "__main__":
    main()
