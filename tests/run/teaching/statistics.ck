"""Statistics."""
import math
import numpy as np
from numba import cuda, float64, int32
from math import sqrt, exp, lgamma


#: x = rng.normal(3, 2, 400)
#: moments = poison(2, np.float64)
#: launch mean_and_variance[1, 128](x, moments)
#: expect close(moments, np.array([x.mean(), x.var(ddof=1)]), 1e-9)
@cuda.jit
def mean_and_variance(x, moments):
    s_mean = cuda.shared.array(128, float64)
    s_m2 = cuda.shared.array(128, float64)
    s_n = cuda.shared.array(128, int32)
    t = cuda.threadIdx.x
    n = 0
    mean = 0.0
    m2 = 0.0
    for i in range(t, x.size, 128):
        n += 1
        delta = x[i] - mean
        mean += delta / n
        m2 += delta * (x[i] - mean)
    s_n[t], s_mean[t], s_m2[t] = n, mean, m2
    cuda.syncthreads()
    step = 64
    while step >= 1:
        if t < step:
            na, nb = s_n[t], s_n[t + step]
            total = na + nb
            delta = s_mean[t + step] - s_mean[t]
            s_mean[t] += delta * nb / total
            s_m2[t] += s_m2[t + step] + delta * delta * na * nb / total
            s_n[t] = total
        cuda.syncthreads()
        step //= 2
    if t == 0:
        moments[0] = s_mean[0]
        moments[1] = s_m2[0] / (s_n[0] - 1)


#: data = rng.normal(size=(80, 6))
#: cov = poison((6, 6), np.float64)
#: launch covariance[1, (8, 8)](data, cov)
#: expect close(cov, np.cov(data.T), 1e-9, 1e-12)
@cuda.jit
def covariance(data, cov):
    i, j = cuda.grid(2)
    d = data.shape[1]
    if i >= d or j >= d:
        return
    n = data.shape[0]
    mi = mj = 0.0
    for k in range(n):
        mi += data[k, i]
        mj += data[k, j]
    mi /= n
    mj /= n
    c = 0.0
    for k in range(n):
        c += (data[k, i] - mi) * (data[k, j] - mj)
    cov[i, j] = c / (n - 1)


#: v = rng.normal(size=200)
#: zs = poison(200, np.float64)
#: mu, sd = v.mean(), v.std()
#: launch z_scores[2, 128](v, zs, mu, sd)
#: expect close(zs, (v - v.mean()) / v.std(), 1e-12)
@cuda.jit
def z_scores(v, zs, mu, sd):
    i = cuda.grid(1)
    if i < v.size:
        zs[i] = (v[i] - mu) / sd


#: bars = rng.poisson(4, 30)
#: lp = poison(30, np.float64)
#: launch poisson_logpmf[1, 32](bars, lp, 4.5)
#: import math
#: expect close(lp, np.array([k * np.log(4.5) - 4.5 - math.lgamma(k + 1) for k in bars]), 1e-10)
@cuda.jit
def poisson_logpmf(k, lp, lam):
    i = cuda.grid(1)
    if i < k.size:
        lp[i] = k[i] * math.log(lam) - lam - lgamma(k[i] + 1)


#: sample = rng.normal(size=50)
#: at = np.linspace(-3, 3, 61)
#: dens = poison(61, np.float64)
#: launch kernel_density[2, 32](sample, at, dens, 0.3)
#: u = (at[:, None] - sample[None]) / 0.3
#: expect close(dens, np.exp(-0.5 * u * u).sum(1) / (50 * 0.3 * np.sqrt(2 * np.pi)), 1e-10)
@cuda.jit
def kernel_density(sample, at, dens, bandwidth):
    i = cuda.grid(1)
    if i < at.size:
        total = 0.0
        for s in sample:
            u = (at[i] - s) / bandwidth
            total += exp(-0.5 * u * u)
        dens[i] = total / (sample.size * bandwidth * sqrt(2 * math.pi))


#: obs = rng.normal(size=30)
#: pick = rng.integers(0, 30, (40, 30))
#: boot = poison(40, np.float64)
#: launch bootstrap_means[40, 32](obs, pick, boot)
#: expect close(boot, obs[pick].mean(1), 1e-12, 1e-14)
@cuda.jit
def bootstrap_means(obs, pick, boot):
    acc = cuda.shared.array(1, float64)
    if cuda.threadIdx.x == 0:
        acc[0] = 0
    cuda.syncthreads()
    b = cuda.blockIdx.x
    for i in range(cuda.threadIdx.x, pick.shape[1], cuda.blockDim.x):
        cuda.atomic.add(acc, 0, obs[pick[b, i]])
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        boot[b] = acc[0] / obs.size


#: nanny = rng.normal(size=(9, 31))
#: nanny[rng.random((9, 31)) < 0.2] = np.nan
#: nm = poison(9, np.float64)
#: launch nan_mean_rows[1, 16](nanny, nm)
#: expect close(nm, np.nanmean(nanny, 1), 1e-12, 1e-14)
@cuda.jit
def nan_mean_rows(a, nm):
    i = cuda.grid(1)
    if i < a.shape[0]:
        count = 0
        total = 0.0
        for val in a[i, :]:
            if not math.isnan(val):
                total += val
                count += 1
        nm[i] = total / count if count > 0 else math.nan


#: sorted_x = np.sort(rng.normal(size=101))
#: qs = np.array([0.0, 0.25, 0.5, 0.9, 1.0])
#: quant = poison(5, np.float64)
#: launch quantiles[1, 8](sorted_x, qs, quant)
#: expect close(quant, np.quantile(sorted_x, qs), 1e-10, 1e-12)
@cuda.jit
def quantiles(xs, qs, out):
    i = cuda.threadIdx.x
    if i < qs.size:
        pos = qs[i] * (xs.size - 1)
        lo = int(math.floor(pos))
        hi = int(math.ceil(pos))
        frac = pos - lo
        out[i] = xs[lo] * (1 - frac) + xs[hi] * frac
