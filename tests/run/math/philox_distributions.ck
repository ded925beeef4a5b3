# Distributions of Philox's numbers: from the bits of random.philox, and what their averages are.

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
#: u = (joined >> np.uint64(11)).astype("f8") * 2**-53
#: radius, angle = np.sqrt(-2 * np.log(u[0] + 2**-53)), 2 * np.pi * u[1]
#: expect close(gauss8, np.array([radius * np.cos(angle), radius * np.sin(angle)]))
#: v = flat4.astype("f8")
#: for k in (0, 2):
#:     r, a = np.sqrt(-2 * np.log(v[k] + 2**-24)), 2 * np.pi * v[k + 1]
#:     assert np.allclose(gauss4[k], r * np.cos(a), 1e-4, 1e-5)
#:     assert np.allclose(gauss4[k + 1], r * np.sin(a), 1e-4, 1e-5)
#: spans = [int(h) - int(l) for l, h in zip(low, high)]
#: want = [[int(l) + (int(b) * s >> 64) for l, b, s in zip(low, row, spans)] for row in joined]
#: expect (whole == np.array(want)).all()
#: expect abs(flat8.mean() - 0.5) < 0.02 and abs(flat4.mean() - 0.5) < 0.02
#: expect abs(gauss4.mean()) < 0.03 and abs(gauss4.std() - 1) < 0.03
