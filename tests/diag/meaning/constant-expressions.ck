# Expressions of constant arrays that are not NumPy's, or not supported.
import numpy as np

A = np.arange(6).reshape(2, 3)
B1 = A + np.arange(4)
B2 = A.reshape(4, 2)
B3 = A.reshape(-1, -1)
B4 = A[2:]
B5 = A[5]
B6 = A.astype(str)
B7 = np.linspace(0, 1, 0)
B8 = np.linspace(np.float32(0), 1)
B9 = np.linspace(0)
C1 = A + "x"
C2 = A[A > 2]
C3 = np.sort(A)
C4 = A.sum()
C5 = np.finfo(np.int32).eps
C6 = np.finfo(np.float32).digits
C7 = np.iinfo(np.float64).max
C8 = np.finfo(np.float32)
C9 = float("1.5")
D1 = np.array([1, 2], np.uint8) + 300
D2 = A if A else 0
D3 = np.sign(A)
D4 = A @ A.T
D5 = np.asfortranarray(3)
D6 = (1, 2) + A
D7 = np.arange(40000) * 2.0
D8 = np.linspace(0, 1, 5, retstep=True)
D9 = -(A > 2)


def take(a):
    return 0


@kernel
def k(y: float32[:]):
    take(B1)
    take(B2)
    take(B3)
    take(B4)
    take(B5)
    take(B6)
    take(B7)
    take(B8)
    take(B9)
    take(C1)
    take(C2)
    take(C3)
    take(C4)
    take(C5)
    take(C6)
    take(C7)
    take(C8)
    take(C9)
    take(D1)
    take(D2)
    take(D3)
    take(D4)
    take(D5)
    take(D6)
    take(D7)
    take(D8)
    take(D9)
    y[0] = y.astype(np.int32)[0] + y.reshape(2, 2)[0, 0] + y.ravel()[0] + y.flatten()[0] + y.copy()[0]
    y[1] = np.asfortranarray(A)[0, 0] + float("1.5")
    y[2] = np.finfo(y.dtype).huge + np.iinfo(int).max
