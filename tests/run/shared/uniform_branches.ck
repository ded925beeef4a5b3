# A barrier on each side of a uniform branch.

@kernel
def k(x):
    s = shared.array(32, int32)
    t = threadIdx.x
    side = x[0] > 0
    s[t] = x[t]
    if side:
        syncthreads()
        x[t] = s[31 - t]
    else:
        syncthreads()
        x[t] = s[(t + 1) % 32]

#: x = rng.integers(1, 99, 32, dtype="i4")
#: y = -x
#: launch k[1, 32](x)
#: launch k[1, 32](y)
#: expect x == x_in[::-1]
#: expect y == np.roll(y_in, -1)
