# Recursion to the limit of 16 KiB that a thread has for recursive calls, and one call beyond it, on
# every device. A call takes 48 bytes, 8 for each number in its parameters and variables and in the
# results of the calls in its text, and its local arrays; the sum is rounded up to 16.

# 48 + 8 + 8: 256 calls.
def down(n):
    if n == 0:
        return 0
    return down(n - 1) + n

# 48 + 5 * 8 for parameters, 3 * 8 for variables, 2 * 8 for results: 128 bytes, 128 calls of either.
def left(n, a, b, c, d):
    s = a * 3 + b
    t = c - d * 2
    u = s ^ t
    return u if n == 0 else right(n - 1, b, c, d, s) * 3 + right(n - n, a, b, t, u)

def right(n, a, b, c, d):
    s = a * 3 + b
    t = c - d * 2
    u = s ^ t
    return u if n == 0 else left(n - 1, b, c, d, s) * 3 + left(n - n, a, b, t, u)

# 48 + 100 * 8 of the array, 16 for its address and extent, 8 for the parameter, the loop's counter,
# `i`, `s` and the result: 912 bytes, 17 calls.
def framed(n):
    v = local.array(100, int64)
    for i in range(100):
        v[i] = n * i
    s = 0 if n == 0 else framed(n - 1)
    return s + v[(s + n) % 100]

#: n = 300
#: x = np.arange(n) % 256
#: y = poison(n, np.int64)
#: launch linear[5, 64](x, y)
#: expect y == x * (x + 1) // 2
#: most, z = np.full(n, 255), poison(n, np.int64)
#: launch linear[5, 64](most, z)
#: expect z == 255 * 128
#: over = most + (np.arange(n) == 77)
#: launch linear[5, 64](over, z)
#: error assertion
@kernel
def linear(x: int64[:], y: int64[:]):
    i = grid(1)
    if i < len(x):
        y[i] = down(x[i])

#: def of_pair(n, a, b, c, d):
#:     s, t = a * 3 + b, c - d * 2
#:     return s ^ t if n == 0 else of_pair(n - 1, b, c, d, s) * 3 + of_pair(0, a, b, t, s ^ t)
#: m = 40
#: count, p = np.full(m, 127), poison(m, np.int64)
#: a = rng.integers(-9, 9, m)
#: with np.errstate(over="ignore"):
#:     due = of_pair(127, a, a + 1, a + 2, a + 3)
#: launch mutual[2, 32](count, a, p)
#: expect p == due
#: beyond = count + 1
#: launch mutual[2, 32](beyond, a, p)
#: error assertion
@kernel
def mutual(x: int64[:], a: int64[:], y: int64[:]):
    i = grid(1)
    if i < len(x):
        y[i] = left(x[i], a[i], a[i] + 1, a[i] + 2, a[i] + 3)

#: def of_frames(n):
#:     s = 0
#:     for k in range(n + 1): s += k * ((s + k) % 100)
#:     return s
#: depth, q = np.full(m, 16), poison(m, np.int64)
#: launch frames[2, 32](depth, q)
#: expect q == of_frames(16)
#: deeper = depth + 1
#: launch frames[2, 32](deeper, q)
#: error assertion
@kernel
def frames(x: int64[:], y: int64[:]):
    i = grid(1)
    if i < len(x):
        y[i] = framed(x[i])
