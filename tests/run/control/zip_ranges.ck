# Ranges inside zip and enumerate count as Python's do, in every type, to the types' ends; floats in heterogeneous tuples.

#: from itertools import product
#: cases = np.array([c for c in product((-128, -7, 0, 3, 127), (-128, -3, 0, 5, 127), (-128, -50, -1, 1, 3, 127))], np.int8)
#: ucases = np.array([c for c in product((0, 3, 255), (0, 5, 254, 255), (1, 7, 255))], np.uint8)
#: wide = [(2**63 - 5, 2**63 - 1, 2), (-2**63, -2**63 + 7, 3), (5, -2**63, -2**61), (-2**63, 2**63 - 1, 2**62), (0, 0, 1)]
#: wcases = np.array(wide, np.int64)
#: uwide = np.array([(2**64 - 7, 2**64 - 1, 2), (1, 2**64 - 1, 2**63), (9, 3, 1)], np.uint64)
#: s = poison((len(cases), 2), np.int64)
#: u = poison((len(ucases), 2), np.int64)
#: w = poison((len(wcases), 2), np.int64)
#: v = poison((len(uwide), 2), np.uint64)
#: repeat grids [1, 32], [5, 33]
#: launch k8[GRID, BLOCK](cases, s)
#: launch u8[GRID, BLOCK](ucases, u)
#: launch k64[GRID, BLOCK](wcases, w)
#: launch u64[GRID, BLOCK](uwide, v)
#: both = lambda cs: [(sum(1 for _ in range(*c)), sum(i * x for i, x in enumerate(range(*c), 1))) for c in cs.tolist()]
#: wrap = lambda v: (v + 2**63) % 2**64 - 2**63
#: expect s == both(cases)
#: expect u == both(ucases)
#: expect w == [(n, wrap(t)) for n, t in both(wcases)]
#: expect v == np.array([(n, t % 2**64) for n, t in both(uwide)], np.uint64)
def count(a, b, c):
    n = 0
    total = 0
    for i, x in enumerate(range(a, b, c), 1):
        n += 1
        total += i * int64(x)
    return n, total

@kernel
def k8(c: int8[:, :], o: int64[:, :]):
    for t in range(grid(1), len(c), gridsize(1)):
        o[t, 0], o[t, 1] = count(c[t, 0], c[t, 1], c[t, 2])

@kernel
def u8(c: uint8[:, :], o: int64[:, :]):
    for t in range(grid(1), len(c), gridsize(1)):
        o[t, 0], o[t, 1] = count(c[t, 0], c[t, 1], c[t, 2])

@kernel
def k64(c: int64[:, :], o: int64[:, :]):
    for t in range(grid(1), len(c), gridsize(1)):
        o[t, 0], o[t, 1] = count(c[t, 0], c[t, 1], c[t, 2])

@kernel
def u64(c: uint64[:, :], o: uint64[:, :]):
    for t in range(grid(1), len(c), gridsize(1)):
        n, total = count(c[t, 0], c[t, 1], c[t, 2])
        o[t, 0] = uint64(n)
        o[t, 1] = uint64(total)
