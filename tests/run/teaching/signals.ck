"""Signal processing, complex numbers and transforms."""
import cmath
import math

import numpy as np
from numba import cuda, complex64, complex128, float32

N = 64


#: x = rng.normal(size=200)
#: taps = rng.normal(size=7)
#: y = poison(200, np.float64)
#: launch fir[2, 128](x, taps, y)
#: expect close(y, np.convolve(x, taps)[:200], 1e-10, 1e-10)
@cuda.jit
def fir(x, taps, y):
    n = cuda.grid(1)
    if n < x.size:
        acc = 0.0
        for k in range(min(taps.size, n + 1)):
            acc += taps[k] * x[n - k]
        y[n] = acc


#: sig = (rng.normal(size=48) + 1j * rng.normal(size=48))
#: spec = poison(48, np.complex128)
#: launch dft[2, 32](sig, spec)
#: expect close(spec, np.fft.fft(sig), 1e-9, 1e-9)
@cuda.jit
def dft(sig, spec):
    k = cuda.grid(1)
    n = sig.shape[0]
    if k < n:
        acc = 0j
        for t in range(n):
            angle = -2.0 * math.pi * k * t / n
            acc += sig[t] * complex(math.cos(angle), math.sin(angle))
        spec[k] = acc


#: f = (rng.normal(size=64) + 1j * rng.normal(size=64)).astype(np.complex64)
#: ff = f.copy()
#: launch fft_shared[1, 32](ff)
#: expect close(ff, np.fft.fft(f.astype(np.complex128)), 1e-3, 1e-4)
@cuda.jit
def fft_shared(data):
    s = cuda.shared.array(N, complex64)
    t = cuda.threadIdx.x
    for i in range(t, N, cuda.blockDim.x):
        rev = 0
        v = i
        for b in range(6):
            rev = (rev << 1) | (v & 1)
            v >>= 1
        s[rev] = data[i]
    cuda.syncthreads()
    half = 1
    while half < N:
        pos = t % half
        base = (t // half) * half * 2 + pos
        angle = -math.pi * pos / half
        w = complex64(complex(math.cos(angle), math.sin(angle)))
        a = s[base]
        b = s[base + half] * w
        s[base] = a + b
        s[base + half] = a - b
        cuda.syncthreads()
        half *= 2
    for i in range(t, N, cuda.blockDim.x):
        data[i] = s[i]


#: spec2 = (rng.normal(size=90) + 1j * rng.normal(size=90)).astype(np.complex64)
#: power = poison(90, np.float32)
#: phase = poison(90, np.float32)
#: launch power_and_phase[1, 96](spec2, power, phase)
#: expect close(power, np.abs(spec2.astype(np.complex128)) ** 2, 1e-5)
#: expect close(phase, np.angle(spec2.astype(np.complex128)), 1e-5, 1e-6)
@cuda.jit
def power_and_phase(z, power, phase):
    i = cuda.grid(1)
    if i < z.size:
        c = z[i]
        power[i] = c.real ** 2 + c.imag ** 2
        phase[i] = math.atan2(c.imag, c.real)


#: za = rng.normal(size=50) + 1j * rng.normal(size=50)
#: zb = rng.normal(size=50) + 1j * rng.normal(size=50)
#: zc = poison((4, 50), np.complex128)
#: launch complex_arithmetic[1, 64](za, zb, zc)
#: expect close(zc, np.stack([za + zb, za * zb, za / zb, za - zb.conj()]), 1e-12, 1e-12)
@cuda.jit
def complex_arithmetic(a, b, c):
    i = cuda.threadIdx.x
    if i < a.size:
        c[0, i] = a[i] + b[i]
        c[1, i] = a[i] * b[i]
        c[2, i] = a[i] / b[i]
        c[3, i] = a[i] - b[i].conjugate()


#: lens = poison(50, np.float64)
#: launch complex_abs[1, 64](za, lens)
#: expect close(lens, np.abs(za), 1e-13)
@cuda.jit
def complex_abs(a, lens):
    i = cuda.threadIdx.x
    if i < a.size:
        lens[i] = abs(a[i])


#: julia = poison((20, 30), np.int32)
#: launch julia_set[(4, 3), (8, 8)](julia, complex(-0.4, 0.6), 50)
#: zj = (np.linspace(-1.5, 1.5, 30)[None] + 1j * np.linspace(-1, 1, 20)[:, None])
#: want = np.zeros((20, 30), int)
#: for _ in range(50):
#:   live = np.abs(zj) <= 2.0
#:   want += live
#:   zj = np.where(live, zj * zj + (-0.4 + 0.6j), zj)
#: expect np.count_nonzero(julia != want) <= 3
@cuda.jit
def julia_set(out, c, limit):
    x, y = cuda.grid(2)
    h, w = out.shape
    if x < w and y < h:
        z = complex(-1.5 + 3.0 * x / (w - 1), -1.0 + 2.0 * y / (h - 1))
        n = 0
        while abs(z) <= 2.0 and n < limit:
            z = z ** 2 + c
            n += 1
        out[y, x] = n


#: noisy = rng.normal(size=100).astype(np.float32)
#: win = poison(100, np.float32)
#: launch hann_window[1, 128](noisy, win)
#: expect close(win, noisy * np.hanning(100), 1e-5, 1e-6)
@cuda.jit
def hann_window(x, out):
    i = cuda.grid(1)
    n = x.shape[0]
    if i < n:
        out[i] = x[i] * 0.5 * (1 - math.cos(2 * np.pi * i / (n - 1)))


#: haar = rng.normal(size=64)
#: tmp = poison(64, np.float64)
#: launch haar_step[1, 32](haar, tmp)
#: expect close(tmp[:32], (haar[::2] + haar[1::2]) / np.sqrt(2), 1e-12, 1e-12)
#: expect close(tmp[32:], (haar[::2] - haar[1::2]) / np.sqrt(2), 1e-12, 1e-12)
@cuda.jit
def haar_step(x, out):
    i = cuda.threadIdx.x
    half = x.size // 2
    even = x[::2]
    odd = x[1::2]
    low = out[:half]
    high = out[half:]
    low[i] = (even[i] + odd[i]) / math.sqrt(2)
    high[i] = (even[i] - odd[i]) / math.sqrt(2)


#: stereo = rng.integers(-2000, 2000, (120, 2), dtype=np.int16)
#: mono = poison(120, np.int16)
#: launch stereo_to_mono[1, 128](stereo, mono)
#: expect mono == (stereo.astype(np.int32).sum(1)) // 2
@cuda.jit
def stereo_to_mono(stereo, mono):
    i = cuda.grid(1)
    if i < stereo.shape[0]:
        mono[i] = (stereo[i, 0] + stereo[i, 1]) // 2
