# A 64-bit integer becomes a bfloat16 by one rounding, not by way of a float64.
#: def nearest(v):
#:     v, sign = abs(int(v)), -1 if v < 0 else 1
#:     shift = max(v.bit_length() - 8, 0)
#:     half, rest = (1 << shift) >> 1, v & ((1 << shift) - 1)
#:     kept = v >> shift
#:     kept += rest > half or (rest == half and shift > 0 and kept & 1)
#:     return sign * float(kept << shift)
#: x = rng.integers(-2**63, 2**63, 1000, dtype=np.int64) >> rng.integers(0, 63, 1000)
#: x[:6] = [2**63 - 1, -2**63, 2**62 + 2**54 + 1, -(2**62 + 2**54 + 1), 2**62 + 2**54, 2**53 + 1]
#: u = rng.integers(0, 2**64, 1000, dtype=np.uint64) >> rng.integers(0, 63, 1000, dtype=np.uint64)
#: u[:3] = [2**64 - 1, 2**63 + 2**55 + 1, 2**63 + 2**55]
#: y = poison(1000, np.float32)
#: z = poison(1000, np.float32)
#: launch convert[3, 37](x, u, y, z)
#: expect y == [nearest(v) for v in x]
#: expect z == [nearest(v) for v in u]


@kernel
def convert(x: int64[::1], u: uint64[::1], y: float32[::1], z: float32[::1]):
    for i in range(grid(1), x.size, gridsize(1)):
        y[i] = bfloat16(x[i])
        z[i] = bfloat16(u[i])
