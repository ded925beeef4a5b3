# Powers of float16 by constants: what the multiplications pass through may be larger than float16
# holds.
#: x = rng.uniform(1.5, 3.0, 64).astype(np.float16)
#: y = poison((64, 4), np.float16)
#: launch k[1, 64](x, y)
#: expect np.allclose(y[:, 0].astype(np.float64), x.astype(np.float64) ** -16, rtol=2e-3, atol=6.1e-8)
#: expect np.allclose(y[:, 1].astype(np.float64), x.astype(np.float64) ** -20, rtol=2e-3, atol=6.1e-8)
#: expect np.allclose(y[:, 2].astype(np.float64), x.astype(np.float64) ** 9, rtol=1e-3)
#: expect np.allclose(y[:, 3].astype(np.float64), 2.5 ** -16, rtol=2e-3, atol=6.1e-8)
@kernel
def k(x: float16[:], y: float16[:, :]):
    i = grid(1)
    y[i, 0] = x[i] ** int16(-16)
    y[i, 1] = x[i] ** -20
    y[i, 2] = x[i] ** 9
    y[i, 3] = float16(2.5) ** int16(-16)
