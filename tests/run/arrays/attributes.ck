# .shape .strides .ndim .size .dtype and len(), of arrays in each layout and of shared memory.

def facts(a, o, k):
    o[k, 0] = a.ndim
    o[k, 1] = a.size
    o[k, 2] = len(a)
    o[k, 3] = len(a.shape) + len(a.strides)
    o[k, 4] = a.shape[0]
    o[k, 5] = a.shape[-1]
    o[k, 6] = a.strides[0]
    o[k, 7] = a.strides[-1]
    o[k, 8] = a.dtype(3.99) * 2
    total = 0
    for s in a.shape:
        total = total * 100 + s
    o[k, 9] = total

@kernel
def ask(a, b, c, d, o):
    s = shared.array((3, 5), a.dtype)
    t = shared.array(7, b.dtype)
    if grid(1) == 0:
        facts(a, o, 0)
        facts(b, o, 1)
        facts(c, o, 2)
        facts(d, o, 3)
        facts(s, o, 4)
        facts(t, o, 5)

@kernel
def positive_sizes(a, o):
    # Sizes are int64: no product of them wraps in 32 bits.
    o[0] = a.shape[0] * a.size * 4000000
    o[1] = a.shape[0] - 2 ** 40

#: repeat grids [1, 32], [3, 1]
#: a, b = np.zeros(13, "i2"), np.zeros((3, 4), "f8")
#: c, d = np.zeros((2, 3, 4), "u1", order="F"), np.zeros((1, 2, 3, 4, 1, 2, 3, 4), "f2")
#: o, p = poison((6, 10), "f8"), poison(2, "i8")
#: launch ask[GRID, BLOCK](a, b, c, d, o)
#: launch positive_sizes[1, 1](a, p)
#: def facts(x):
#:     total = 0
#:     for s in x.shape:
#:         total = total * 100 + s
#:     return [x.ndim, x.size, len(x), 2 * x.ndim, x.shape[0], x.shape[-1], x.strides[0], x.strides[-1],
#:             float(x.dtype.type(3.99)) * 2, total]
#: arrays = [a, b, c, d, np.zeros((3, 5), "i2"), np.zeros(7, "f8")]
#: expect o == np.array([facts(x) for x in arrays])
#: expect p == [13 * 13 * 4000000, 13 - 2 ** 40]
