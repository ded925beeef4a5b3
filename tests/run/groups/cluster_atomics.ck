# Greatest and least values by atomics on other blocks' shared memory, of 64-bit integers and floats.

#: racecheck no: it takes the loop of loads and swaps that these atomics become for a race, as of CUDA C++'s atomicMax

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

#: cases = [(c, k) for c in (1, 2, 3, 8) for k in ("i8", "u8", "f8")]
#: for c, k in cases:
#:     x = rng.integers(0, 2**64, 3000, dtype="u8").astype(k) if k != "f8" else rng.standard_normal(3000)
#:     first = x[1234]
#:     globals().update({f"x{c}{k}": x, f"first{c}{k}": first, f"o{c}{k}": poison((2 * c, 2, 8), k)})
#: launches [f"extremes[{2 * c}, 48, 0, 0, {c}](x{c}{k}, first{c}{k}, o{c}{k})" for c, k in cases]
#: def want(x, first, c):
#:     rows = np.full((c, 2, 8), first)
#:     to, at = np.arange(3000) // 8 % c, np.arange(3000) % 8
#:     np.maximum.at(rows, (to, 0, at), x)
#:     np.minimum.at(rows, (to, 1, at), x)
#:     return np.concatenate([rows, rows])
#: expect all((globals()[f"o{c}{k}"] == want(globals()[f"x{c}{k}"], globals()[f"first{c}{k}"], c)).all() for c, k in cases)
