# x ** n with a constant integer n is multiplied out, its reciprocal for a negative one; other
# powers are pow's.

@kernel
def constant(x, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = x[i] ** 0
        o[1, i] = x[i] ** 1
        o[2, i] = x[i] ** 2
        o[3, i] = x[i] ** 3
        o[4, i] = x[i] ** 10
        o[5, i] = x[i] ** -1
        o[6, i] = x[i] ** -2
        o[7, i] = x[i] ** -5

@kernel
def variable(x, y, n, o):
    for i in range(grid(1), x.size, gridsize(1)):
        o[0, i] = abs(x[i]) ** y[i]
        o[1, i] = pow(abs(x[i]), y[i])
        o[2, i] = x[i] ** n[i]
        o[3, i] = abs(x[i]) ** 0.5
        o[4, i] = 2.0 ** y[i]
        o[5, i] = x[i] ** y[i]

#: x = np.concatenate([[0, 1, -1, 2, 0.5, -0.25], rng.uniform(-5, 5, 500)])
#: y = np.concatenate([[0.5, 1, 2, -1, 0, 3], rng.uniform(-4, 4, 500)])
#: n = rng.integers(-6, 7, x.size, dtype=np.int32)
#: x_f4, y_f4 = x.astype("f4"), y.astype("f4")
#: c_f4, c_f8 = poison((8, x.size), "f4"), poison((8, x.size), "f8")
#: v_f4, v_f8 = poison((6, x.size), "f4"), poison((6, x.size), "f8")
#: launch constant[4, 32](x_f4, c_f4)
#: launch constant[4, 33](x, c_f8)
#: launch variable[4, 32](x_f4, y_f4, n, v_f4)
#: launch variable[4, 33](x, y, n, v_f8)
#: def powers(x, y):
#:     x, y = x.astype("f8"), y.astype("f8")
#:     with np.errstate(all="ignore"):
#:         a = np.abs(x)
#:         return np.array([a ** y, a ** y, x ** n, a ** 0.5, 2 ** y, x ** y])
#: def constants(x):
#:     with np.errstate(all="ignore"):
#:         return np.array([x.astype("f8") ** k for k in (0, 1, 2, 3, 10, -1, -2, -5)])
#: expect close(c_f4, constants(x_f4), 1e-5)
#: expect close(c_f8, constants(x), 1e-14)
#: expect close(v_f4, powers(x_f4, y_f4), 1e-5)
#: expect close(v_f8, powers(x, y), 1e-13)
# x ** 0 is 1 and x ** 1 is x, and a square is rounded once.
#: expect (c_f8[0] == 1) & (c_f8[1] == x) & (c_f8[2] == x * x)

# Constants are raised as values from memory are: `powers` is the same function for both.
def powers(x, o, i):
    o[0, i] = x ** 3
    o[1, i] = x ** -7
    o[2, i] = x ** 40
    o[3, i] = x ** -2.0
    o[4, i] = pow(x, 5.0)

@kernel
def folded(f4, f8):
    powers(float32(1e-7), f4, 0)
    powers(float32(3.1), f4, 1)
    powers(float32(-0.37), f4, 2)
    powers(float64(1e-7), f8, 0)
    powers(float64(3.1), f8, 1)
    powers(float64(-0.37), f8, 2)

@kernel
def loaded(x, f4, f8):
    i = grid(1)
    if i < 3:
        powers(float32(x[i]), f4, i)
        powers(x[i], f8, i)

#: bases = np.array([1e-7, 3.1, -0.37])
#: folded_f4, loaded_f4 = poison((5, 3), "f4"), poison((5, 3), "f4")
#: folded_f8, loaded_f8 = poison((5, 3), "f8"), poison((5, 3), "f8")
#: launch folded[1, 1](folded_f4, folded_f8)
#: launch loaded[1, 32](bases, loaded_f4, loaded_f8)
#: expect (folded_f4 == loaded_f4) & (folded_f8 == loaded_f8)
#: expect close(loaded_f8, np.array([bases ** k for k in (3, -7, 40, -2, 5)]), 1e-13)
