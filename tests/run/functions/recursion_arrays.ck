# Recursion over arrays: sorting in local memory, and walks of a tree in an array.

def quicksort(v, low, high):
    if low >= high:
        return
    pivot = v[(low + high) // 2]
    i = low
    j = high
    while i <= j:
        while v[i] < pivot:
            i += 1
        while v[j] > pivot:
            j -= 1
        if i <= j:
            v[i], v[j] = v[j], v[i]
            i += 1
            j -= 1
    quicksort(v, low, j)
    quicksort(v, i, high)

#: n = 70
#: x = rng.integers(-1000, 1000, (n, 40), dtype=np.int32)
#: y = poison((n, 40), np.int32)
#: repeat grids [3, 32], [1, 96]
#: launch sort_rows[GRID, BLOCK](x, y)
#: expect y == np.sort(x, axis=1)
@kernel
def sort_rows(x: int32[:, ::1], y: int32[:, ::1]):
    i = grid(1)
    v = local.array(40, int32)
    if i < x.shape[0]:
        for k in range(40):
            v[k] = x[i, k]
        quicksort(v, 0, 39)
        for k in range(40):
            y[i, k] = v[k]

# A frame with an array of its own, and one with an assertion.
def reversed_digits(n, base):
    digits = local.array(4, int32)
    assert n >= 0, "negative"
    if n == 0:
        return 0, 1
    for k in range(4):
        digits[k] = n + k
    value, scale = reversed_digits(n // base, base)
    return value + (digits[3] - 3) % base * scale, scale * base

def height(left, right, node):
    if node < 0:
        return 0
    return 1 + max(height(left, right, left[node]), height(left, right, right[node]))

def in_order(left, right, node, out, at):
    if node < 0:
        return at
    at = in_order(left, right, left[node], out, at)
    out[at] = node
    return in_order(left, right, right[node], out, at + 1)

#: left = np.array([1, 3, -1, -1, 5, -1, -1], np.int32)
#: right = np.array([2, 4, 6, -1, -1, -1, -1], np.int32)
#: out = poison(7, np.int32)
#: r = poison(3, np.int64)
#: launch trees[1, 1](left, right, out, r)
#: expect out == np.array([3, 1, 5, 4, 0, 2, 6])
#: expect r == np.array([4, 7, 54321])
@kernel
def trees(left: int32[:], right: int32[:], out: int32[:], r: int64[:]):
    r[0] = height(left, right, 0)
    r[1] = in_order(left, right, 0, out, 0)
    r[2] = reversed_digits(12345, 10)[0]

# In a kernel with barriers, and through a function that is an argument.
def apply(f, n):
    return f(n)

def countdown(n):
    return 0 if n == 0 else 1 + apply(countdown, n - 1)

#: y = poison(64, np.int64)
#: launch around_barriers[2, 32](y)
#: expect y == np.tile(31 - np.arange(32), 2)
@kernel
def around_barriers(y: int64[:]):
    s = shared.array(32, int64)
    t = threadIdx.x
    s[t] = countdown(t)
    syncthreads()
    y[grid(1)] = countdown(s[31 - t])
