# Black-Scholes prices of options, and a softmax of rows, with functions of math.
#: n = 300
#: S, K, T = rng.uniform(5, 30, n), rng.uniform(1, 100, n), rng.uniform(0.25, 10, n)
#: call, put = poison(n, np.float64), poison(n, np.float64)
#: launch black_scholes[3, 64](S, K, T, 0.02, 0.3, call, put)
#: expect close(call - put, S - K * np.exp(-0.02 * T), 1e-5, 1e-5)
#: expect (call > -1e-4) & (call < S) & (put > -1e-4) & (put < K)
#: rows = rng.standard_normal((13, 21))
#: out = poison((13, 21), np.float64)
#: launch softmax[1, 32](rows, out)
#: e = np.exp(rows - rows.max(1, keepdims=True))
#: expect close(out, e / e.sum(1, keepdims=True), 1e-12)
import math

from numba import cuda

@cuda.jit(device=True)
def normal(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@cuda.jit
def black_scholes(spot, strike, years, rate, sigma, calls, puts):
    for i in range(cuda.grid(1), spot.size, cuda.gridsize(1)):
        spread = sigma * math.sqrt(years[i])
        up = math.log(spot[i] / strike[i]) / spread + (rate / sigma ** 2 + 0.5) * spread
        due = strike[i] * math.exp(-rate * years[i])
        calls[i] = spot[i] * normal(up) - due * normal(up - spread)
        puts[i] = due * normal(spread - up) - spot[i] * normal(-up)


@cuda.jit
def softmax(x, out):
    row = cuda.grid(1)
    if row < x.shape[0]:
        top = -math.inf
        for value in x[row]:
            top = max(top, value)
        total = 0.0
        for j in range(x.shape[1]):
            out[row, j] = math.exp(x[row, j] - top)
            total += out[row, j]
        out[row, :] /= total
