# Recursive functions: the type of the result comes from the returns that do not depend on it.

def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))

def gcd(a: int64, b: int64) -> int64:
    return a if b == 0 else gcd(b, a % b)

# Mutually recursive.
def even(n):
    if n == 0:
        return True
    return odd(n - 1)

def odd(n):
    if n == 0:
        return False
    return even(n - 1)

# Three functions in a cycle, of which one alone has a return of a known type.
def first(n):
    return second(n) + 1

def second(n):
    return third(n) + 10

def third(n):
    if n <= 0:
        return 0
    return first(n - 1) + 100

#: n = 200
#: x = np.arange(n, dtype=np.int32) % 12
#: numbers = [poison(n, np.int64) for _ in range(4)]
#: f, g, a, d = numbers
#: c = poison(n, np.int64)
#: p = poison(n, np.bool_)
#: fibs = np.array([0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
#: facts = np.cumprod([1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
#: repeat grids [7, 32], [2, 128]
#: launch numbers_of[GRID, BLOCK](x, f, g, a, d, c, p)
#: expect f == fibs[x]
#: expect g == facts[x]
#: expect a == 2 * (x % 3) + 3
#: expect d == np.gcd(x, 18)
#: expect c == 111 * (x % 5) + 11
#: expect p == (x % 2 == 0)
@kernel
def numbers_of(x: int32[:], f: int64[:], g: int64[:], a: int64[:], d: int64[:], c: int64[:],
               p: boolean[:]):
    i = grid(1)
    if i < len(x):
        f[i] = fib(x[i])
        g[i] = factorial(int64(x[i]))
        a[i] = ackermann(2, x[i] % 3)
        d[i] = gcd(x[i], 18)
        c[i] = first(x[i] % 5)
        p[i] = even(x[i])

# A float literal alone does not determine the type, as in a loop.
def total(v, i):
    if i == len(v):
        return 0.0
    return v[i] + total(v, i + 1)

def steps(n):
    return 0.0 if n == 0 else 0.5 + steps(n - 1)

# Tuples, and a result that widens.
def smallest_and_largest(v, begin, end):
    if end - begin == 1:
        return v[begin], v[begin]
    middle = (begin + end) // 2
    a, b = smallest_and_largest(v, begin, middle)
    c, d = smallest_and_largest(v, middle, end)
    return min(a, c), max(b, d)

def widens(n, x):
    if n == 0:
        return 0
    return widens(n - 1, x) + x

#: v = rng.integers(-50, 50, 21).astype(np.float32)
#: r = poison(5, np.float32)
#: launch floats[1, 1](v, r)
#: expect r == np.array([v.sum(), 3.5, v.min(), v.max(), v[:1].item() * 4])
@kernel
def floats(v: float32[:], r: float32[:]):
    r[0] = total(v, 0)
    r[1] = steps(7)
    low, high = smallest_and_largest(v, 0, len(v))
    r[2] = low
    r[3] = high
    r[4] = widens(4, v[0])

# Functions as arguments, a lambda, loops, keywords, complex numbers and views.
def inside(n):
    inner = lambda k: inside(k - 1)
    return 0 if n <= 0 else inner(n) + 1

def two(f, n):
    return 0 if n == 0 else f(n - 1) + two(f, n - 1)

def one(n):
    return 1 if n == 0 else two(one, n - 1)

def thrice(n):
    s = 0
    for i in range(3):
        if n > 0:
            s += thrice(n - 1)
        s += 1
    return s

def shrinks(n):
    x = n
    while x > 0:
        x = shrinks(x - 1) - 1
    if n < 0:
        return -1.5
    return x

def fills(a, n):
    if n > 0:
        a[n] = n
        fills(a, n - 1)

def power(n):
    return 1j if n == 0 else power(n - 1) * (1 + 1j)

def rest(x, n):
    if n == 0:
        return x
    return rest(x[1:], n - 1)

def steps_of(n, step=1):
    return 0 if n <= 0 else 1 + steps_of(step=step, n=n - step)

#: a = poison(5, np.int64)
#: filled = np.full(4, 7)
#: b = np.arange(10.0)
#: launch others[1, 1](a, b, filled)
#: expect a == np.array([3, 2, 120, 5, 9])
#: expect filled == np.array([7, 1, 2, 3])
#: expect b == np.array([-4.0, 8.0 ** 0.5, 5.0, 3, 4, 5, 6, 7, 8, 9])
@kernel
def others(a: int64[:], b: float64[:], filled: int64[:]):
    a[0] = inside(3)
    a[1] = one(4)
    a[2] = thrice(3)
    a[3] = steps_of(9, 2)
    a[4] = steps_of(9)
    fills(filled, 3)
    b[0] = shrinks(4)
    b[1] = abs(power(3))
    b[2] = rest(b, 5)[0]

# A kernel that another function calls is a device function there, and may call itself.
#: c = np.zeros(8, np.int64)
#: launch itself[1, 1](c, 5)
#: expect c == np.array([0, 1, 2, 3, 4, 5, 0, 0])
@kernel
def itself(a: int64[:], n: int64):
    if n > 0:
        a[n] = n
        itself(a, n - 1)
