# Distributions of Philox's numbers, from the bits of random.philox.

@kernel
def from_bits(seed, counter, bits, flat4, flat8, gauss4, gauss8, whole, low, high):
    for i in range(grid(1), counter.size, gridsize(1)):
        s, c = seed[i], counter[i]
        for k in range(4):
            bits[k, i] = random.philox(s, c)[k]
            flat4[k, i] = random.philox_uniform_float32(s, c)[k]
            gauss4[k, i] = cuda.random.philox_normal_float32(s, c, 0)[k]
        for k in range(2):
            flat8[k, i] = random.philox_uniform_float64(s, c, 5)[k]
            gauss8[k, i] = random.philox_normal_float64(s, c)[k]
            whole[k, i] = random.philox_integers(s, c, low[i], high[i])[k]

#: n = 20011
#: seed, counter = rng.integers(0, 2**64 - 1, (2, n), dtype="u8")
#: low = rng.integers(-2**62, 2**62, n)
#: high = low + rng.integers(1, 2**62, n)
#: low[:4], high[:4] = [0, -5, 7, -2**63], [1, 5, 8, 2**63 - 1]
#: bits = poison((4, n), "u4")
#: flat4, gauss4 = poison((4, n), "f4"), poison((4, n), "f4")
#: flat8, gauss8, whole = poison((2, n), "f8"), poison((2, n), "f8"), poison((2, n), "i8")
#: launch from_bits[7, 64](seed, counter, bits, flat4, flat8, gauss4, gauss8, whole, low, high)
#: expect flat4 == (bits >> 8).astype("f4") * np.float32(2**-24)
#: expect (flat8 >= 0).all() and (flat8 < 1).all()
#: x = bits.astype("u8")
#: joined = np.array([x[1] << np.uint64(32) | x[0], x[3] << np.uint64(32) | x[2]])
#: def normal(u, angle, swaps, negative):
#:     c, s, r = np.cos(angle), np.sin(angle), np.sqrt(-2 * np.log(u))
#:     r = np.where(negative, -r, r)
#:     return np.array([np.where(swaps, r * s, r * c), np.where(swaps, r * c, r * s)])
#: part = joined & np.uint64(2**52 - 1)
#: u, angle = (2.0 * part[0] + 1) / 2**53, ((2.0 * part[1] + 1) / 2**53 - 0.5) * np.pi / 2
#: want = normal(u, angle, joined[1] >> np.uint64(62) & np.uint64(1), joined[1] >> np.uint64(63))
#: expect (abs(gauss8 - want) <= 2e-15 * abs(want)).all()
#: for k in (0, 2):
#:     u = (bits[k].astype("f4").astype("f8") * (1 - 2**-24) + 0.5) / 2**32
#:     u = u.astype("f4").astype("f8")
#:     angle = ((bits[k + 1] << 2).view("i4") + 2.0) / 2**31 * np.pi / 4
#:     want = normal(u, angle, bits[k + 1] >> 30 & 1, bits[k + 1] >> 31)
#:     assert (abs(gauss4[k:k + 2] - want) <= 5 * 2.0**-24 * abs(want)).all()
#: spans = [int(h) - int(l) for l, h in zip(low, high)]
#: want = [[int(l) + (int(b) * s >> 64) for l, b, s in zip(low, row, spans)] for row in joined]
#: expect (whole == np.array(want)).all()
#: expect abs(flat8.mean() - 0.5) < 0.02 and abs(flat4.mean() - 0.5) < 0.02
