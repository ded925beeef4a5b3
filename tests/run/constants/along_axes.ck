# Functions of constant arrays along axes, as NumPy computes them, to the bit.
import numpy as np

A = np.arange(24).reshape(2, 3, 4) * 7 % 11
U = (A + 250).astype(np.uint8)
X = ((np.arange(7 * 150) * 911 % 997).astype(np.float32) / 7).reshape(7, 150)
F = np.asfortranarray(X)
H = (((np.arange(5 * 40) * 17 % 101) - 50).astype(np.float16) / 3).reshape(5, 40)
THIN = X.reshape(7, 1, 150)
Z = (A[0] + 1j * A[1]) / 3
NAN = np.array([[1.0, float("nan"), 3.0], [4.0, 0.5, -2.0]])

I0 = (A.sum(axis=0), A.sum(1), A.sum(axis=-1), A.sum(axis=(0, 2)), A.sum((-1, 0)), U.sum(axis=(1, 2)))
I1 = (H.argmin(axis=0), np.argmax(A, 1), A.argmax(axis=-1, keepdims=True), A.min(axis=(0, 1)), np.max(A, axis=2, keepdims=True))
I2 = (A.prod(axis=1), np.any(A, axis=0), np.all(A, (0, 1)), A.any(-1), A.sum(axis=None, keepdims=True), U.prod(axis=0))
F0 = (X.sum(axis=0), X.sum(axis=1), F.sum(axis=0), F.sum(axis=1), np.sum(X, (0, 1), keepdims=True), THIN.sum(axis=(1, 2)))
F1 = (X.mean(axis=0), X.mean(axis=1), A.mean(axis=(0, 2)), F.mean(axis=0), (X / 50).prod(axis=1), THIN.sum(axis=0))
F2 = (H.sum(axis=0), H.sum(axis=1), H.mean(axis=0), H.max(1), np.min(NAN, axis=0), NAN.max(1))
Z0 = (Z.sum(axis=0), Z.sum(axis=1))
TOTALS = (X.sum(axis=None), np.sum(A, None), A.sum(keepdims=False), X.sum((0, 1)), A.sum(axis=()).sum())
SHARES = X / X.sum(axis=1, keepdims=True)


def put(x, at, a):
    if a.ndim == 1:
        for v in a:
            x[at] = v
            at += 1
    else:
        for row in a:
            at = put(x, at, row)
    return at


def put_all(x, arrays):
    at = put(x, 0, arrays[0])
    at = put(x, at, arrays[1])
    if len(arrays) > 2:
        at = put(x, at, arrays[2])
        at = put(x, at, arrays[3])
        at = put(x, at, arrays[4])
    if len(arrays) > 5:
        at = put(x, at, arrays[5])


@kernel
def wholes(x: int64[::1]):
    if grid(1) < 1:
        put_all(x[:200], I0)
        put_all(x[200:400], I1)
        put_all(x[400:], I2)


@kernel
def floats(x: float64[:, ::1], z: complex128[::1], t: float64[::1]):
    if grid(1) < 1:
        put_all(x[0], F0)
        put_all(x[1], F1)
        put_all(x[2], F2)
        put(x[3], 0, SHARES)
        put_all(z, Z0)
        i = 0
        for v in TOTALS:
            t[i] = v
            i += 1


#: A = np.arange(24).reshape(2, 3, 4) * 7 % 11
#: U = (A + 250).astype(np.uint8)
#: X = ((np.arange(7 * 150) * 911 % 997).astype(np.float32) / np.float32(7)).reshape(7, 150)
#: F = np.asfortranarray(X)
#: H = (((np.arange(5 * 40) * 17 % 101) - 50).astype(np.float16) / np.float16(3)).reshape(5, 40)
#: THIN = X.reshape(7, 1, 150)
#: Z = (A[0] + 1j * A[1]) / 3
#: NAN = np.array([[1.0, float("nan"), 3.0], [4.0, 0.5, -2.0]])
#: I0 = [A.sum(axis=0), A.sum(1), A.sum(axis=-1), A.sum(axis=(0, 2)), A.sum((-1, 0)), U.sum(axis=(1, 2))]
#: I1 = [H.argmin(axis=0), np.argmax(A, 1), A.argmax(axis=-1), A.min(axis=(0, 1)), np.max(A, axis=2, keepdims=True)]
#: I2 = [A.prod(axis=1), np.any(A, axis=0), np.all(A, (0, 1)), A.any(-1), A.sum(axis=None, keepdims=True), U.prod(axis=0)]
#: F0 = [X.sum(axis=0), X.sum(axis=1), F.sum(axis=0), F.sum(axis=1), np.sum(X, (0, 1), keepdims=True), THIN.sum(axis=(1, 2))]
#: F1 = [X.mean(axis=0), X.mean(axis=1), A.mean(axis=(0, 2)), F.mean(axis=0), (X / np.float32(50)).prod(axis=1), THIN.sum(axis=0)]
#: F2 = [H.sum(axis=0), H.sum(axis=1), H.mean(axis=0), H.max(1), np.min(NAN, axis=0), NAN.max(1)]
#: def flat(arrays):
#:     return np.concatenate([np.asarray(a).astype(np.complex128 if np.iscomplexobj(a) else np.float64).ravel() for a in arrays])
#: x = poison(600, np.int64)
#: y, z, t = poison((4, 1050), np.float64), poison(7, np.complex128), poison(5, np.float64)
#: repeat grids [1, 1], [2, 64]
#: launch wholes[GRID, BLOCK](x)
#: launch floats[GRID, BLOCK](y, z, t)
#: for k, wanted in enumerate([I0, I1, I2]):
#:     assert (x[200 * k:][:len(flat(wanted))] == flat(wanted)).all(), k
#: for k, wanted in enumerate([F0, F1, F2]):
#:     assert same(y[k, :len(flat(wanted))], flat(wanted)).all(), k
#: expect (y[3] == (X / X.sum(axis=1, keepdims=True)).ravel()).all()
#: expect close(z, flat([Z.sum(axis=0), Z.sum(axis=1)]))
#: expect same(t, [X.sum(), A.sum(), A.sum(), X.sum((0, 1)), A.sum()])
