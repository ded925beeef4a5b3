# Loops over windows that the edges of an array clamp: inside, at the edges, and of arrays that are
# shorter than the window.
#: repeat grids [1, 32], [3, 96]
#: n = np.random.choice([1, 2, 4, 7, 64, 101])
#: def sums(v, i, low, high, step=1): return sum(int(v[j]) for j in range(max(i + low, 0), min(i + high, len(v)), step))
#: threads = np.arange(GRID * BLOCK)
#: x = np.random.randint(-1000, 1000, n, np.int32)
#: y = poison((6, GRID * BLOCK), np.int64)
#: launch sums[GRID, BLOCK](x, y)
#: expect y[0] == [sums(x, i, -4, 5) for i in threads]
#: expect y[1] == [sums(x, i, -1, 2) for i in threads]
#: expect y[2] == [sums(x, i, -6, 6, 3) for i in threads]
#: expect y[3] == [sums(x, i, 0, 3) for i in threads]
#: expect y[4] == [sums(x, i - 3, -2, 2) for i in threads]
#: expect y[5] == [len(range(max(i - 2, 0), min(i + 3, n))) for i in threads]
@kernel
def sums(x: int32[:], y: int64[:, :]):
    i = grid(1)
    n = len(x)
    s = int64(0)
    for j in range(max(i - 4, 0), min(i + 5, n)):
        s += x[j]
    y[0, i] = s
    s = 0
    for j in range(max(0, i - 1), min(n, i + 2)):
        s += x[j]
    y[1, i] = s
    s = 0
    for j in range(max(i - 6, 0), min(i + 6, n), 3):
        s += x[j]
    y[2, i] = s
    s = 0
    for j in range(max(i, 0), min(i + 3, n)):
        s += x[j]
    y[3, i] = s
    s = 0
    k = int32(i) - int32(3)
    for j in range(max(k - 2, 0), min(k + 2, int32(n))):
        s += x[j]
    y[4, i] = s
    count = 0
    for j in range(max(i - 2, 0), min(i + 3, n)):
        count += 1
    y[5, i] = count


#: image = np.random.randint(0, 256, (n, n + 3), np.uint8)
#: out = poison((n, n + 3), np.float64)
#: def mean(a, y, x, r): return a[max(y - r, 0):y + r + 1, max(x - r, 0):x + r + 1].astype(np.float64).mean()
#: launch box[(n // 16 + 1, n // 2 + 2), (32, 2)](image, out, n)
#: expect abs(out - [[mean(image, y, x, 2) for x in range(n + 3)] for y in range(n)]) < 1e-9
@kernel
def box(image: uint8[:, ::1], out: float64[:, ::1], n: int64):
    x, y = grid(2)
    h, w = image.shape
    if x < w and y < h:
        total = 0
        count = 0
        for yy in range(max(y - 2, 0), min(y + 3, h)):
            for xx in range(max(x - 2, 0), min(x + 3, w)):
                total += image[yy, xx]
                count += 1
        out[y, x] = total / count
