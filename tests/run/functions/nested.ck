# Functions that call functions, with loops inside, called from loops; defined in any order;
# functions as arguments.

def outer(a, n):
    total = 0
    for k in range(n):
        total += middle(a, k)
    return total

def middle(a, k):
    best = inner(a, 0, k)
    j = 1
    while j < 3:
        best = max(best, inner(a, j, k))
        j += 1
    return best

def inner(a, j, k):
    s = 0
    for i in range(j, a.size, 3):
        s += a[i] * (k + 1)
    return s

def square(x):
    return x * x

def call(f, x):
    return f(x)

def fold(f, a, start):
    for v in a:
        start = f(start, v)
    return start

def plus(a, b):
    return a + b

@kernel
def use(a, o):
    for i in range(grid(1), o.size, gridsize(1)):
        for trip in range(2):
            if trip:
                o[i] = outer(a, i % 4 + 1) + call(square, i) + fold(plus, a, 0) + fold(max, a, -1000)

#: repeat grids [2, 32], [1, 5]
#: a, o = rng.integers(-50, 51, 20), poison(60, "i8")
#: launch use[GRID, BLOCK](a, o)
#: def outer(n):
#:     return sum(max((a[j::3] * (k + 1)).sum() for j in range(3)) for k in range(n))
#: expect o == [outer(i % 4 + 1) + i * i + a.sum() + a.max() for i in range(60)]
