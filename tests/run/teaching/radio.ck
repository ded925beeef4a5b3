"""Software radio: mixing, filters, demodulation."""
import cmath
import math

import numpy as np
from numba import cuda, complex64, float32, int32, void

FS = 48000.0
TAPS = np.hamming(9) / np.hamming(9).sum()
NTAPS = len(TAPS)
BLOCK = 64

iq = np.dtype([("i", np.int16), ("q", np.int16)])


#: raw = np.zeros(100, dtype=[("i", np.int16), ("q", np.int16)])
#: raw["i"] = rng.integers(-2048, 2048, 100)
#: raw["q"] = rng.integers(-2048, 2048, 100)
#: base = poison(100, np.complex64)
#: launch unpack_iq[2, 64](raw, base)
#: expect close(base, (raw["i"] + 1j * raw["q"]) / 2048)
@cuda.jit
def unpack_iq(raw, out):
    n = cuda.grid(1)
    if n >= raw.shape[0]:
        return
    s = raw[n]
    out[n] = complex(s.i, s['q']) / 2048


#: rf = (rng.normal(size=200) + 1j * rng.normal(size=200)).astype(np.complex64)
#: down = poison(200, np.complex64)
#: launch mix_down[4, 64](rf, down, 1000.0)
#: expect close(down, rf * np.exp(-2j * np.pi * 1000 * np.arange(200) / 48000), 1e-4, 1e-4)
@cuda.jit
def mix_down(x, y, f0):
    for n in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        w = -2j * math.pi * f0 * n / FS
        y[n] = x[n] * cmath.exp(w)


#: sig = rng.normal(size=256)
#: dec = poison(64, np.float64)
#: launch decimate[1, 64](sig, dec, 4)
#: taps = np.hamming(9) / np.hamming(9).sum()
#: expect close(dec, np.convolve(sig, taps)[:256][::4], 1e-9, 1e-9)
@cuda.jit
def decimate(x, y, factor):
    m = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if m < y.size:
        n = m * factor
        acc = 0.
        for k in range(NTAPS):
            if n - k >= 0:
                acc += TAPS[k] * x[n - k]
        y[m] = acc


#: fm = np.exp(1j * np.cumsum(rng.uniform(-1, 1, 150))).astype(np.complex64)
#: freq = poison(150, np.float32)
#: launch fm_demodulate[3, 50](fm, freq)
#: expect close(freq[1:], np.angle(fm[1:] * np.conj(fm[:-1])), 1e-3, 1e-5) & (freq[0] == 0)
@cuda.jit(void(complex64[:], float32[:]))
def fm_demodulate(z, out):
    n = cuda.grid(1)
    if n == 0:
        out[n] = 0
    elif n < len(z):
        d = z[n] * z[n - 1].conjugate()
        out[n] = math.atan2(d.imag, d.real)


@cuda.jit(device=True)
def goertzel(x, k):
    N = x.shape[0]
    w = 2 * math.pi * k / N
    coeff = 2 * math.cos(w)
    s1 = s2 = 0.0
    for v in x:
        s0 = v + coeff * s1 - s2
        s2, s1 = s1, s0
    return s1 * s1 + s2 * s2 - coeff * s1 * s2


#: frame = rng.normal(size=(3, 40))
#: tones = poison((3, 8), np.float64)
#: launch tone_power[(1, 1), (4, 8)](frame, tones)
#: expect close(tones, np.abs(np.fft.fft(frame))[:, :8] ** 2, 1e-7, 1e-7)
@cuda.jit
def tone_power(frames, power):
    f, k = cuda.grid(2)
    if f < power.shape[0] and k < power.shape[1]:
        power[f, k] = goertzel(frames[f], k)


#: ac = rng.integers(-20, 20, 64).astype(np.float32)
#: lags = poison(16, np.float32)
#: launch autocorrelate[16, 64](ac, lags)
#: expect lags == np.correlate(ac, ac, "full")[63:79]
@cuda.jit
def autocorrelate(x, r):
    s = cuda.shared.array(BLOCK, dtype=float32)
    lag = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = x[t] * x[t + lag] if t + lag < x.size else 0.
    cuda.syncthreads()
    half = BLOCK >> 1
    while half:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half >>= 1
    if not t:
        r[lag] = s[0]


#: zc = rng.normal(size=300)
#: crossings = np.zeros(1, np.int32)
#: launch zero_crossings[2, 160](zc, crossings)
#: expect crossings == np.sum((zc[1:] < 0) != (zc[:-1] < 0))
@cuda.jit
def zero_crossings(x, count):
    here = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        here[0] = 0
    cuda.syncthreads()
    if 0 < i < x.size and (x[i] < 0) != (x[i - 1] < 0):
        cuda.atomic.add(here, 0, 1)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(count, 0, here[0])
