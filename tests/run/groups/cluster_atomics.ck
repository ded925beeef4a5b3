# Atomics of 64 bits on other blocks' shared memory, many threads on few elements: greatest and least values, sums,
# bits set, cleared and flipped, exch and cas.

@kernel
def extremes(x, first, o):
    most = shared.array(8, x.dtype)
    least = shared.array((2, 8), x.dtype)
    c = this_cluster()
    r = this_thread_block().thread_rank()
    for i in range(r, 8, this_thread_block().num_threads()):
        most[i] = first
        least[1, i] = first
    c.sync()
    for i in range(c.thread_rank(), len(x), c.num_threads()):
        to = i // 8 % c.num_blocks()
        atomic.max(c.map_shared_rank(most, to), i % 8, x[i])
        atomic.min(c.map_shared_rank(least, to), (1, i % 8), x[i])
    c.sync()
    for i in range(r, 8, this_thread_block().num_threads()):
        o[blockIdx.x, 0, i] = most[i]
        o[blockIdx.x, 1, i] = least[1, i]
    c.sync()

@kernel
def bits(x, o, given):
    s = shared.array((5, 8), x.dtype)
    c = this_cluster()
    r = this_thread_block().thread_rank()
    for i in range(r, 40, this_thread_block().num_threads()):
        s[i // 8, i % 8] = -1 if i // 8 == 0 else 0
    c.sync()
    for i in range(c.thread_rank(), len(x), c.num_threads()):
        to = c.map_shared_rank(s, i // 8 % c.num_blocks())
        atomic.and_(to, (0, i % 8), ~x[i])
        atomic.or_(to, (1, i % 8), x[i])
        atomic.xor(to, (2, i % 8), x[i])
        atomic.add(to, (3, i % 8), x[i])
        given[blockIdx.x // c.num_blocks(), i] = atomic.exch(to, (4, i % 8), x[i])
    c.sync()
    for i in range(r, 40, this_thread_block().num_threads()):
        o[blockIdx.x, i // 8, i % 8] = s[i // 8, i % 8]
    c.sync()

#: to, at = lambda c: np.arange(3000) // 8 % c, np.arange(3000) % 8
#: cases = [(c, k) for c in (1, 2, 3, 8) for k in ("i8", "u8", "f8")]
#: for c, k in cases:
#:     x = rng.integers(0, 2**64, 3000, dtype="u8").astype(k) if k != "f8" else rng.standard_normal(3000)
#:     globals().update({f"x{c}{k}": x, f"first{c}{k}": x[1234], f"o{c}{k}": poison((2 * c, 2, 8), k)})
#: launches [f"extremes[{2 * c}, 48, 0, 0, {c}](x{c}{k}, first{c}{k}, o{c}{k})" for c, k in cases]
#: def extreme(x, first, c):
#:     rows = np.full((c, 2, 8), first)
#:     np.maximum.at(rows, (to(c), 0, at), x)
#:     np.minimum.at(rows, (to(c), 1, at), x)
#:     return np.concatenate([rows, rows])
#: expect [t for t in cases if not (globals()["o%d%s" % t] == extreme(globals()["x%d%s" % t], globals()["first%d%s" % t], t[0])).all()] == []
#: cases = [(c, k) for c in (1, 2, 3, 8) for k in ("i8", "u8")]
#: for c, k in cases:
#:     x = np.uint64(1) << rng.integers(0, 64, 3000, dtype="u8")
#:     globals().update({f"x{c}{k}": x.astype(k), f"o{c}{k}": poison((2 * c, 5, 8), k), f"g{c}{k}": poison((2, 3000), k)})
#: launches [f"bits[{2 * c}, 64, 0, 0, {c}](x{c}{k}, o{c}{k}, g{c}{k})" for c, k in cases]
#: def changed(x, c):
#:     rows = np.zeros((c, 4, 8), x.dtype)
#:     rows[:, 0] = ~rows[:, 0]
#:     for k, (op, v) in enumerate(((np.bitwise_and, ~x), (np.bitwise_or, x), (np.bitwise_xor, x), (np.add, x))): op.at(rows, (to(c), k, at), v)
#:     return np.concatenate([rows, rows])
#: expect [t for t in cases if not (globals()["o%d%s" % t][:, :4] == changed(globals()["x%d%s" % t], t[0])).all()] == []
#: # What was put in is what was returned and what is left, but for the zeros at the beginning.
#: def passed_on(x, o, g, c):
#:     left = [np.r_[g[k], o[k * c:][:c, 4].ravel()] for k in range(2)]
#:     return all((np.sort(l) == np.sort(np.r_[x, np.zeros(8 * c, x.dtype)])).all() for l in left)
#: expect [t for t in cases if not passed_on(*(globals()[n + "%d%s" % t] for n in "xog"), t[0])] == []
