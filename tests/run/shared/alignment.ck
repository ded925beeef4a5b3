# The third argument of shared.array and local.array, after arrays of odd sizes.

@kernel
def reverse(x, o):
    odd = cuda.shared.array(3, int8)
    s = cuda.shared.array(32, float32, alignment=16)
    odd[threadIdx.x % 3] = 1
    l = cuda.local.array((2, 3), float32, 8)
    t = threadIdx.x
    i = grid(1)
    s[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    l[1, 2] = s[blockDim.x - 1 - t] + odd[0]
    if i < o.size:
        o[i] = l[1, 2]

#: check no: threads store the same value
#: n = 61
#: x = rng.standard_normal(n).astype("f4")
#: for b in (32, 7, 1):
#:     globals()[f"o{b}"] = poison(n, "f4")
#: launch reverse[2, 32](x, o32)
#: launch reverse[9, 7](x, o7)
#: launch reverse[61, 1](x, o1)
#: def reversed_blocks(b):
#:     p = np.pad(x, (0, -n % b)).reshape(-1, b)[:, ::-1].ravel()[:n]
#:     return p + np.float32(1)
#: expect o32 == reversed_blocks(32)
#: expect o7 == reversed_blocks(7)
#: expect o1 == reversed_blocks(1)
