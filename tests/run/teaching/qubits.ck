"""State vectors of qubits: gates, measurements, search."""
import math
import cmath

import numpy as np
from numba import cuda, complex128, complex64, float64

SQRT1_2 = 1 / math.sqrt(2)
H = np.array([[1, 1], [1, -1]], dtype=np.complex128) * SQRT1_2
X = np.array([[0, 1], [1, 0]], dtype=np.complex128)
Y = np.array([[0, -1j], [1j, 0]])


#: def gate_py(psi, u, q):
#:     t = psi.reshape(-1, 2, 2 ** q)
#:     return np.einsum("ab,ibj->iaj", u, t).reshape(-1)
#: psi = rng.normal(size=32) + 1j * rng.normal(size=32)
#: u = np.linalg.qr(rng.normal(size=(2, 2)) + 1j * rng.normal(size=(2, 2)))[0]
#: psi2 = psi.copy()
#: launch apply_gate[1, 16](psi2, u, 3)
#: expect close(psi2, gate_py(psi, u, 3), 1e-12, 1e-12)
@cuda.jit
def apply_gate(psi, u, target):
    k = cuda.grid(1)
    half = psi.size >> 1
    if k < half:
        low = k & ((1 << target) - 1)
        i0 = ((k >> target) << (target + 1)) | low
        i1 = i0 | (1 << target)
        a, b = psi[i0], psi[i1]
        psi[i0] = u[0, 0] * a + u[0, 1] * b
        psi[i1] = u[1, 0] * a + u[1, 1] * b


#: bell = np.zeros(8, np.complex128)
#: launch ghz[1, 8](bell)
#: expect close(bell, np.array([1, 0, 0, 0, 0, 0, 0, 1]) / np.sqrt(2), 1e-12, 1e-12)
@cuda.jit
def ghz(psi):
    i = cuda.threadIdx.x
    psi[i] = 1 if i == 0 else 0
    cuda.syncthreads()
    amp = 0j
    for j in range(2):
        amp += H[i & 1, j] * psi[(i & ~1) | j]
    cuda.syncthreads()
    psi[i] = amp
    for control in range(2):
        cuda.syncthreads()
        source = i ^ (1 << (control + 1)) if (i >> control) & 1 else i
        amp = psi[source]
        cuda.syncthreads()
        psi[i] = amp


#: chances = poison(5, np.float64)
#: launch probabilities[5, 32](psi, chances)
#: bits = np.arange(32)[None, :] >> np.arange(5)[:, None] & 1
#: expect close(chances, (bits * abs(psi) ** 2).sum(1) / (abs(psi) ** 2).sum(), 1e-12, 1e-12)
@cuda.jit
def probabilities(psi, out):
    q = cuda.blockIdx.x
    t = cuda.threadIdx.x
    one = cuda.shared.array(32, float64)
    norm = cuda.shared.array(32, float64)
    p = abs(psi[t]) ** 2
    norm[t] = p
    one[t] = p * bool(t & (1 << q))
    s = 16
    while s >= 1:
        cuda.syncthreads()
        if t < s:
            norm[t] += norm[t + s]
            one[t] += one[t + s]
        s >>= 1
    if t == 0:
        out[q] = one[0] / norm[0]


#: marked = 11
#: grover_out = poison(16, np.float64)
#: launch grover[1, 16](grover_out, 11, 3)
#: amp = np.sin(7 * np.arcsin(0.25)) ** 2
#: expect close(grover_out, np.where(np.arange(16) == 11, amp, (1 - amp) / 15), 1e-9, 1e-9)
@cuda.jit
def grover(prob, marked, rounds):
    s = cuda.shared.array(16, dtype=complex128)
    i = cuda.threadIdx.x
    n = cuda.blockDim.x
    s[i] = complex(1.0, 0.0) / math.sqrt(n)
    cuda.syncthreads()
    for _ in range(rounds):
        if i == marked:
            s[i] = -s[i]
        cuda.syncthreads()
        mean = 0 + 0j
        for k in range(n):
            mean += s[k]
        mean /= n
        cuda.syncthreads()
        s[i] = 2 * mean - s[i]
        cuda.syncthreads()
    prob[i] = (s[i] * s[i].conjugate()).real


#: phases = rng.uniform(-3, 3, 20).astype(np.float32)
#: qft_in = (rng.normal(size=16) + 1j * rng.normal(size=16)).astype(np.complex64)
#: qft_out = poison(16, np.complex64)
#: launch fourier[1, 16](qft_in, qft_out)
#: expect close(qft_out, np.fft.ifft(qft_in) * 4, 1e-4, 1e-5)
@cuda.jit
def fourier(psi, out):
    k = cuda.grid(1)
    n = psi.shape[0]
    if k < n:
        total = complex(0)
        for j in range(n):
            total += psi[j] * cmath.exp(2j * cmath.pi * j * k / n)
        out[k] = total / math.sqrt(n)
