# The distribution of random.philox_normal_float32 and _float64: moments, Kolmogorov and Smirnov's test
# against the normal distribution, tails, independence of a pair. The numbers are the same bit for
# bit on every device.

@kernel
def draw(seed, four, two):
    for i in range(grid(1), four.shape[1], gridsize(1)):
        a, b, c, d = random.philox_normal_float32(seed, i)
        four[0, i], four[1, i], four[2, i], four[3, i] = a, b, c, d
        two[0, i], two[1, i] = random.philox_normal_float64(seed, i, 1)

#: import math
#: n, seed = 2**16, np.uint64(20261128)
#: four, two = poison((4, n), "f4"), poison((2, n), "f8")
#: launch draw[8, 128](seed, four, two)
#: def from_uniform(p):
#:     p, n = np.sort(p), p.size
#:     at = np.arange(n)
#:     return max((p - at / n).max(), ((at + 1) / n - p).max()) * n**0.5
#: def is_normal(x):
#:     n = x.size
#:     for power, want, spread in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
#:         assert abs((x**power).mean() - want) < 3.5 * (spread / n) ** 0.5, power
#:     assert from_uniform(np.array([math.erfc(-v / 2**0.5) / 2 for v in x.ravel()])) < 1.63
#:     for least, share in ((2, 0.0227501), (3, 0.0013499), (4, 3.16712e-05)):
#:         for count in ((x > least).sum(), (x < -least).sum()):
#:             assert abs(count - share * n) < 3.5 * (share * n) ** 0.5 + 1, (least, count)
#:     for a, b in zip(x[::2], x[1::2]):
#:         assert abs((a * b).mean()) < 3.5 / a.size**0.5
#:         assert abs((a * a * b * b).mean() - 1) < 3.5 * (8 / a.size) ** 0.5
#:         assert from_uniform(np.exp(-(a * a + b * b) / 2)) < 1.63
#:         assert from_uniform(np.arctan2(b, a) / (2 * np.pi) + 0.5) < 1.63
#: is_normal(four.astype("f8"))
#: is_normal(two)
#: expect (four != 0).all() and (two != 0).all()
#: weights = np.arange(1, 4 * n + 1, dtype="u8")
#: expect int((four.view("u4").ravel() * weights).sum()) == 17761257811656658876
#: expect int((two.view("u8").ravel() * weights[:2 * n]).sum()) == 2468076046334096197
