# A constant argument specialises: a branch on it is decided when compiling, and the side not
# taken is not even checked.

ADD, MUL = 0, 1

def apply(op, a, b):
    if op == ADD:
        return a + b
    elif op == MUL:
        return a * b
    else:
        return a & b

def maybe(flag, x):
    if flag:
        return no_such_function(x)
    return x + 1

def unroll(n, x):
    total = x * 0
    for k in range(n):
        total += x ** k
    return total

def table(size, t):
    s = shared.array(size, int32)
    if t < size:
        s[t] = size
    syncthreads()
    return s[t % size] + len(s)

def first(pair):
    return pair[0] if pair[1] else -pair[0]

@kernel
def use(x, f, o, p):
    i = grid(1)
    o[0, i] = apply(ADD, x[i], 3)
    o[1, i] = apply(MUL, x[i], 3)
    o[2, i] = apply(2, x[i], 3)
    o[3, i] = maybe(False, x[i])
    o[4, i] = unroll(4, x[i])
    o[5, i] = table(8, threadIdx.x) + table(16, threadIdx.x) * 1000
    o[6, i] = first((5, True)) * 10 + first((5, False))
    p[0, i] = apply(ADD, f[i], 0.1)
    p[1, i] = apply(MUL, f[i], 0.1)

#: repeat grids [3, 32], [1, 48]
#: n = int(np.prod(GRID)) * int(np.prod(BLOCK))
#: x, f = rng.integers(-9, 10, n), rng.standard_normal(n, "f4")
#: o, p = poison((7, n), "i8"), poison((2, n), "f4")
#: launch use[GRID, BLOCK](x, f, o, p)
#: expect o == np.array([x + 3, x * 3, x & 3, x + 1, 1 + x + x ** 2 + x ** 3, np.full(n, 16 + 32000), np.full(n, 45)])
#: expect p == np.array([f + np.float32(0.1), f * np.float32(0.1)])
