# min and max of one tuple: of its items, as in Python, in kernels and in constants of the module.

SHAPE = (7, 3, 12)
WIDEST = max(SHAPE)

def pair(a, b):
    return a, b

@kernel
def extremes(x: float32[:, ::1], n: int32[:], out: float64[:, :], whole: int64[:, :]):
    i = grid(1)
    if i < x.shape[0]:
        t = (x[i, 0], x[i, 1], x[i, 2])
        out[i, 0] = max(t)
        out[i, 1] = min(t)
        out[i, 2] = max((x[i, 0], 0.5))
        out[i, 3] = min(pair(x[i, 1], n[i]))
        out[i, 4] = max((x[i, 2],))
        whole[i, 0] = max(x.shape) * 100 + WIDEST + min(SHAPE)
        whole[i, 1] = max((n[i], i, 3))
        whole[i, 2] = min(pair(n[i], n[i] + 1))

#: m = 50
#: x, n = rng.normal(0, 2, (m, 3)).astype(np.float32), rng.integers(-9, 40, m, dtype=np.int32)
#: out, whole = poison((m, 5), np.float64), poison((m, 3), np.int64)
#: launch extremes[2, 32](x, n, out, whole)
#: i = np.arange(m)
#: expect out[:, 0] == x.max(1)
#: expect out[:, 1] == x.min(1)
#: expect out[:, 2] == np.maximum(x[:, 0], np.float32(0.5))
#: expect out[:, 3] == np.minimum(x[:, 1], n.astype(np.float32))
#: expect out[:, 4] == x[:, 2]
#: expect whole[:, 0] == 5000 + 12 + 3
#: expect whole[:, 1] == np.maximum(np.maximum(n, i), 3)
#: expect whole[:, 2] == n
