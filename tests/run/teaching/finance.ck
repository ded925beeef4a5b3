"""Option pricing and other finance."""
import math

import numpy as np
from numba import cuda, double

RISKFREE = 0.02
VOLATILITY = 0.30

A1 = 0.31938153
A2 = -0.356563782
A3 = 1.781477937
A4 = -1.821255978
A5 = 1.330274429
RSQRT2PI = 0.39894228040143267793994605993438


@cuda.jit((double,), device=True, inline=True)
def cnd_cuda(d):
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret_val = (RSQRT2PI * math.exp(-0.5 * d * d) *
               (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5))))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


#: S = rng.uniform(5, 30, 100)
#: X = rng.uniform(1, 100, 100)
#: T = rng.uniform(0.25, 10, 100)
#: call = poison(100, np.float64)
#: put = poison(100, np.float64)
#: launch black_scholes_cuda[4, 32](call, put, S, X, T, 0.02, 0.3)
#: import math
#: N = np.vectorize(lambda d: 0.5 * math.erfc(-d / math.sqrt(2)))
#: d1 = (np.log(S / X) + (0.02 + 0.045) * T) / (0.3 * np.sqrt(T))
#: want = S * N(d1) - X * np.exp(-0.02 * T) * N(d1 - 0.3 * np.sqrt(T))
#: expect close(call, want, 1e-4, 1e-5)
#: expect close(put, want - S + X * np.exp(-0.02 * T), 1e-4, 1e-5)
@cuda.jit("void(double[:], double[:], double[:], double[:], double[:], double, double)")
def black_scholes_cuda(callResult, putResult, S, X, T, R, V):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i >= S.shape[0]:
        return
    sqrtT = math.sqrt(T[i])
    d1 = (math.log(S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cndd1 = cnd_cuda(d1)
    cndd2 = cnd_cuda(d2)

    expRT = math.exp((-1. * R) * T[i])
    callResult[i] = (S[i] * cndd1 - X[i] * expRT * cndd2)
    putResult[i] = (X[i] * expRT * (1.0 - cndd2) - S[i] * (1.0 - cndd1))


#: strikes = rng.uniform(80, 120, 20)
#: price = poison(20, np.float64)
#: launch binomial_tree[20, 64](strikes, price, 100.0, 0.05, 0.2, 1.0)
#: n = 63
#: dt = 1.0 / n
#: u = np.exp(0.2 * np.sqrt(dt))
#: pr = (np.exp(0.05 * dt) - 1 / u) / (u - 1 / u)
#: vals = np.maximum(100.0 * u ** (2.0 * np.arange(n + 1) - n)[None] - strikes[:, None], 0)
#: for _ in range(n):
#:   vals = np.exp(-0.05 * dt) * (pr * vals[:, 1:] + (1 - pr) * vals[:, :-1])
#: expect close(price, vals[:, 0], 1e-9, 1e-9)
@cuda.jit
def binomial_tree(strikes, price, s0, r, sigma, maturity):
    v = cuda.shared.array(64, dtype=np.float64)
    j = cuda.threadIdx.x
    n = cuda.blockDim.x - 1
    dt = maturity / n
    u = math.exp(sigma * math.sqrt(dt))
    d = 1.0 / u
    p = (math.exp(r * dt) - d) / (u - d)
    disc = math.exp(-r * dt)
    K = strikes[cuda.blockIdx.x]
    v[j] = max(s0 * u ** (2.0 * j - n) - K, 0.0)
    cuda.syncthreads()
    for step in range(n, 0, -1):
        value = 0.0
        if j < step:
            value = disc * (p * v[j + 1] + (1.0 - p) * v[j])
        cuda.syncthreads()
        if j < step:
            v[j] = value
        cuda.syncthreads()
    if j == 0:
        price[cuda.blockIdx.x] = v[0]


#: normals = rng.normal(size=(50, 12))
#: paths = poison((50, 13), np.float64)
#: launch gbm_paths[2, 32](normals, paths, 100.0, 0.03, 0.25, 1 / 12)
#: steps = np.exp((0.03 - 0.25**2 / 2) / 12 + 0.25 * np.sqrt(1 / 12) * normals)
#: expect close(paths, 100 * np.cumprod(np.concatenate([np.ones((50, 1)), steps], 1), 1), 1e-10)
@cuda.jit
def gbm_paths(normals, paths, s0, mu, sigma, dt):
    i = cuda.grid(1)
    if i < paths.shape[0]:
        drift = (mu - 0.5 * sigma ** 2) * dt
        vol = sigma * math.sqrt(dt)
        s = s0
        paths[i, 0] = s
        for t in range(1, paths.shape[1]):
            s *= math.exp(drift + vol * normals[i, t - 1])
            paths[i, t] = s


#: mean_price = np.zeros(1)
#: launch asian_payoff[2, 32](paths, 100.0, mean_price)
#: expect close(mean_price, np.maximum(paths.mean(1) - 100, 0).mean(), 1e-9)
@cuda.jit
def asian_payoff(paths, strike, out):
    i = cuda.grid(1)
    n_paths, n_times = paths.shape
    if i < n_paths:
        avg = 0.0
        for t in range(n_times):
            avg += paths[i, t]
        avg /= n_times
        cuda.atomic.add(out, 0, max(avg - strike, 0.) / n_paths)


#: closes = rng.uniform(90, 110, 120)
#: sma = poison(120, np.float64)
#: launch moving_average[1, 128](closes, sma, 5)
#: cs = np.concatenate([[0], closes.cumsum()])
#: expect close(sma[4:], (cs[5:] - cs[:-5]) / 5, 1e-10)
#: expect np.isnan(sma[:4])
@cuda.jit
def moving_average(prices, sma, window):
    i = cuda.grid(1)
    if i < prices.size:
        if i < window - 1:
            sma[i] = np.nan
        else:
            total = 0.0
            for k in range(window):
                total += prices[i - k]
            sma[i] = total / window


#: ema = poison((4, 120), np.float64)
#: alphas = np.array([0.1, 0.2, 0.5, 0.9])
#: launch exponential_average[1, 4](closes, alphas, ema)
#: want = np.zeros((4, 120))
#: want[:, 0] = closes[0]
#: for t in range(1, 120):
#:   want[:, t] = alphas * closes[t] + (1 - alphas) * want[:, t - 1]
#: expect close(ema, want, 1e-12)
@cuda.jit
def exponential_average(prices, alphas, ema):
    a = alphas[cuda.threadIdx.x]
    out = ema[cuda.threadIdx.x, :]
    out[0] = prices[0]
    for t in range(1, prices.size):
        out[t] = a * prices[t] + (1 - a) * out[t - 1]


#: rates = rng.uniform(0.01, 0.2, 30)
#: flows = rng.uniform(50, 100, 10)
#: npv = poison(30, np.float64)
#: launch net_present_value[1, 32](rates, flows, npv)
#: expect close(npv, (flows[None] / (1 + rates[:, None]) ** np.arange(10)).sum(1), 1e-11)
@cuda.jit
def net_present_value(rates, flows, npv):
    i = cuda.grid(1)
    if i < rates.size:
        s = 0.0
        for t, flow in enumerate(flows):
            s += flow / (1 + rates[i]) ** t
        npv[i] = s


#: targets = rng.uniform(5, 30, 30)
#: vols = poison(30, np.float64)
#: launch implied_volatility[1, 32](targets, vols)
#: d1 = (np.log(100 / 100) + (0.02 + vols**2 / 2)) / vols
#: expect close(100 * N(d1) - 100 * np.exp(-0.02) * N(d1 - vols), targets, 1e-8)
@cuda.jit(device=True)
def norm_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@cuda.jit(device=True)
def bs_call(s, k, t, r, sigma):
    d1 = (math.log(s / k) + (r + 0.5 * sigma**2) * t) / (sigma * math.sqrt(t))
    return s * norm_cdf(d1) - k * math.exp(-r * t) * norm_cdf(d1 - sigma * math.sqrt(t))


@cuda.jit
def implied_volatility(targets, vols):
    i = cuda.grid(1)
    if i < targets.size:
        lo, hi = 1e-4, 2.0
        while hi - lo > 1e-13:
            mid = 0.5 * (lo + hi)
            if bs_call(100.0, 100.0, 1.0, RISKFREE, mid) < targets[i]:
                lo = mid
            else:
                hi = mid
        vols[i] = 0.5 * (lo + hi)


def main():
    OPT_N = 400
    stockPrice = np.random.uniform(5.0, 30.0, OPT_N)
    optionStrike = np.random.uniform(1.0, 100.0, OPT_N)
    optionYears = np.random.uniform(0.25, 10.0, OPT_N)
    callResult = np.zeros(OPT_N)
    putResult = -np.ones(OPT_N)
    blockdim = 32, 1
    griddim = int(math.ceil(float(OPT_N) / blockdim[0])), 1
    stream = cuda.stream()
    with stream.auto_synchronize():
        d_callResult = cuda.to_device(callResult, stream)
        black_scholes_cuda[griddim, blockdim, stream](
            d_callResult, cuda.to_device(putResult, stream), stockPrice, optionStrike,
            optionYears, RISKFREE, VOLATILITY)
        d_callResult.copy_to_host(callResult, stream)


if __name__ == "__main__":
    main()
