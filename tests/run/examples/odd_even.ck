#: source ../../../examples/odd_even.ck
#: repeat grids [1, 1], [3, 33], [4, 256], [2, 100], [1, 1000]
#: x = rng.integers(-2**31, 2**31, int(rng.choice([1, 31, 1000, 5003])), dtype=np.int32)
#: if rng.integers(4) == 0: x |= 1
#: counts, sums = rng.integers(-9, 9, 2), rng.integers(-9, 9, 2)
#: launch odd_even[GRID, BLOCK](x, counts, sums)
#: odd, wide = x % 2 != 0, x.astype(np.int64)
#: expect counts - counts_in == [(~odd).sum(), odd.sum()]
#: expect sums - sums_in == [wide[~odd].sum(), wide[odd].sum()]
