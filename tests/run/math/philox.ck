# Philox 4x32-10: Random123's known answers, and random arguments against integers of Python.

@kernel
def numbers(seed, counter, stream, o, low):
    for i in range(grid(1), seed.size, gridsize(1)):
        o[0, i], o[1, i], o[2, i], o[3, i] = random.philox(seed[i], counter[i], stream[i])
        low[0, i], low[1, i], low[2, i], low[3, i] = cuda.random.philox(seed[i], counter[i])

#: repeat grids [4, 32], [3, 7]
#: def philox(seed, counter, stream):
#:     m = 2**32 - 1
#:     k, x = [seed & m, seed >> 32], [counter & m, counter >> 32, stream & m, stream >> 32]
#:     for _ in range(10):
#:         a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
#:         x = [b >> 32 ^ x[1] ^ k[0], b & m, a >> 32 ^ x[3] ^ k[1], a & m]
#:         k = [k[0] + 0x9E3779B9 & m, k[1] + 0xBB67AE85 & m]
#:     return x
#: seed, counter, stream = rng.integers(0, 2**64 - 1, (3, 101), dtype="u8", endpoint=True)
#: seed[:3] = 0, 2**64 - 1, 0x299f31d0a4093822
#: counter[:3] = 0, 2**64 - 1, 0x85a308d3243f6a88
#: stream[:3] = 0, 2**64 - 1, 0x0370734413198a2e
#: rows = [seed.tolist(), counter.tolist(), stream.tolist()]
#: want = np.array([philox(*row) for row in zip(*rows)], "u4").T
#: want[:, 0] = 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8
#: want[:, 1] = 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd
#: want[:, 2] = 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1
#: want_low = np.array([philox(s, c, 0) for s, c in zip(*rows[:2])], "u4").T
#: o, low = poison((4, 101), "u4"), poison((4, 101), "u4")
#: launch numbers[GRID, BLOCK](seed, counter, stream, o, low)
#: expect o == want
#: expect low == want_low
