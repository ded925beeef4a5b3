# Numba's part of Python, each construct with what Python makes of it.
#: n = 50
#: a = rng.integers(-20, 20, n, dtype=np.int64)
#: b = rng.integers(-9, 9, n, dtype=np.int64)
#: b[:3], a[3:5] = 0, 0
#: ops = poison((21, n), np.int64)
#: aug = poison((12, n), np.int64)
#: flow = poison((12, n), np.int64)
#: tup = poison((10, n), np.int64)
#: built = poison((16, n), np.float64)
#: s = 4
#: repeat grids [2, 16], [1, 64]
#: launch operators[GRID, BLOCK](a, b, ops)
#: launch augmented[GRID, BLOCK](a, b, aug)
#: launch statements[GRID, BLOCK](a, b, flow)
#: launch tuples[GRID, BLOCK](a, b, (s, (2.5, True)), tup)
#: launch builtins[GRID, BLOCK](a, b, built)
#: A, B = [int(v) for v in a], [int(v) for v in b]
#: def division(x, y): return (x // y, x % y) if y else (0, 0)
#: def wanted_ops(x, y):
#:     q, r = division(x, y)
#:     return [x + y, x - y, x * y, int(x / 2), q, r, x ** 2, x & y, x | y, x ^ y, ~x, x << 3, x >> 2,
#:             (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * (x >= y) + 32 * (x > y), not x < y,
#:             x and y, x or y, -5 < x <= y < 8, x in (1, 2, y), x not in (1, 2, y), -x if x < 0 else +x]
#: expect ops == np.array([wanted_ops(x, y) for x, y in zip(A, B)]).T
#: def wanted_aug(x, y):
#:     q, r = division(x, y)
#:     return [x + y, x - y, x * y, int(x / 4), q, r, x ** 3, x & y, x | y, x ^ y, x << 2, x >> 1]
#: expect aug == np.array([wanted_aug(x, y) for x, y in zip(A, B)]).T
#: def wanted_flow(x, y):
#:     collatz, steps = abs(x) + 1, 0
#:     while collatz != 1:
#:         collatz, steps = (collatz // 2 if collatz % 2 == 0 else 3 * collatz + 1), steps + 1
#:     return [(x > 0) - (x < 0), steps, sum(k for k in range(12) if k % 3 and k < 9 + (y > 0)),
#:             next((k for k in range(2, 8) if abs(x) % k == 0), -1), 1 + 10 + 100,
#:             sum(range(10, -3, -4)), sum(i * v for i, v in enumerate((x, y, 7))),
#:             sum(p * q for p, q in zip((x, y), (2, 3))), sum(A), 6 if x > y else 7, early(x), 2]
#: def early(x): return 1 if x > 5 else 2 if x < -5 else 3
#: expect flow == np.array([wanted_flow(x, y) for x, y in zip(A, B)]).T
#: def wanted_tup(x, y):
#:     return [y, x, x + y, 2 * x + y, 3, s, 5, 1, x * y, (x, y) < (y, x)]
#: expect tup == np.array([wanted_tup(x, y) for x, y in zip(A, B)]).T
#: def wanted_built(x, y):
#:     q, r = division(x, y)
#:     return [abs(x), bool(y), x, int(x / 3), 3, min(x, y, 2), max(x, y, 2), pow(x, 3), 6, round(x / 4), q, r,
#:             abs(complex(3 * x, 4 * x)), bin(abs(x)).count("1"), 2.5 * x, x]
#: expect built == np.array([wanted_built(x, y) for x, y in zip(A, B)]).T
import math
from numba import cuda, literal_unroll

WIDTH, LIMIT = 2, 9
PRIMES = (2, 3, 5)


@cuda.jit
def operators(a, b, out):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        x = a[i]
        y = b[i]
        out[0, i] = x + y
        out[1, i] = x - y
        out[2, i] = x * y
        out[3, i] = x / 2
        out[4, i] = x // y
        out[5, i] = x % y
        out[6, i] = x ** 2
        out[7, i] = x & y
        out[8, i] = x | y
        out[9, i] = x ^ y
        out[10, i] = ~x
        out[11, i] = x << 3
        out[12, i] = x >> 2
        out[13, i] = (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * (x >= y) + 32 * (x > y)
        out[14, i] = not x < y
        out[15, i] = x and y
        out[16, i] = x or y
        out[17, i] = -5 < x <= y < 8
        out[18, i] = x in (1, 2, y)
        out[19, i] = x not in (1, 2, y)
        out[20, i] = -x if x < 0 else +x


@cuda.jit
def augmented(a, b, out):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        for k in range(12):
            out[k, i] = a[i]
        out[0, i] += b[i]
        out[1, i] -= b[i]
        out[2, i] *= b[i]
        out[3, i] /= 4
        out[4, i] //= b[i]
        out[5, i] %= b[i]
        out[6, i] **= 3
        out[7, i] &= b[i]
        out[8, i] |= b[i]
        out[9, i] ^= b[i]
        out[10, i] <<= 2
        out[11, i] >>= 1


@cuda.jit(device=True)
def early(x):
    if x > 5:
        return 1
    elif x < -5:
        return 2
    return 3


@cuda.jit(device=True)
def nothing(out, i):
    if out[11, i] == 2:
        return
    out[11, i] = 2


@cuda.jit
def statements(a, b, out):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, a.size, stride):
        x = a[i]
        y = b[i]
        if x > 0:
            out[0, i] = 1
        elif x == 0:
            out[0, i] = 0
        else:
            out[0, i] = -1
        number, steps = abs(x) + 1, 0
        while number != 1:
            if number % 2 == 0:
                number //= 2
            else:
                number = 3 * number + 1
            steps += 1
        out[1, i] = steps
        total = 0
        for k in range(12):
            if k % 3 == 0:
                continue
            if k >= LIMIT + (y > 0):
                break
            total += k
        out[2, i] = total
        for k in range(2, 8):
            if abs(x) % k == 0:
                out[3, i] = k
                break
        else:
            out[3, i] = -1
        total = 0
        for k in (1, 10, 100):
            total += k
        out[4, i] = total
        total = 0
        for k in range(10, -3, -4):
            total += k
        out[5, i] = total
        total = 0
        for k, v in enumerate((x, y, 7)):
            total += k * v
        out[6, i] = total
        total = 0
        for p, q in zip((x, y), PRIMES):
            total += p * q
        out[7, i] = total
        total = 0
        for v in a:
            total += v
        out[8, i] = total
        out[9, i] = 6 if x > y else 7
        out[10, i] = early(x)
        nothing(out, i)
        pass


@cuda.jit(device=True)
def swap(pair):
    first, second = pair
    return second, first


@cuda.jit
def tuples(a, b, given, out):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        pair = (a[i], b[i])
        out[0, i], out[1, i] = swap(pair)
        (p, q), r = pair, 2.0
        out[2, i] = p + q
        out[3, i] = pair[0] * r + pair[-1]
        out[4, i] = len((1, (2, 3), False))
        out[5, i] = given[0]
        out[6, i] = given[1][0] * WIDTH
        out[7, i] = given[1][1]
        product = 1
        for v in literal_unroll((a[i], 1.0, b[i])):
            product *= v
        out[8, i] = product
        out[9, i] = (a[i], b[i]) < (b[i], a[i])


@cuda.jit
def builtins(a, b, out):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        x, y = a[i], b[i]
        out[0, i] = abs(x)
        out[1, i] = bool(y)
        out[2, i] = float(x)
        out[3, i] = int(x / 3)
        out[4, i] = len(PRIMES)
        out[5, i] = min(x, y, 2)
        out[6, i] = max(x, y, 2)
        out[7, i] = pow(x, 3)
        total = 0
        for k in range(4):
            total += k
        out[8, i] = total
        out[9, i] = round(x / 4)
        out[10, i], out[11, i] = divmod(x, y)
        out[12, i] = abs(complex(3 * x, 4 * x))
        out[13, i] = cuda.popc(abs(x))
        out[14, i] = 2.5 * x
        out[15, i] = tuple((x, y))[0]
