# Misuse of the functions that make constant arrays of others; the same functions in a kernel.
import numpy as np

A = np.arange(6).reshape(2, 3)
B1 = np.zeros_like(3)
B2 = np.full_like(A)
B3 = np.full_like(A, (1, 2))
B4 = np.concatenate(3)
B5 = np.concatenate([A, A[0]])
B6 = np.concatenate([A, A], axis=2)
B7 = np.stack([A, A.T])
B8 = np.tile(A, -1)
B9 = np.tile(A, 1.5)
C1 = np.repeat(A, [1, 2], axis=1)
C2 = np.repeat(A, 0)
C3 = np.outer(A)
C4 = np.geomspace(-1, 1)
C5 = np.logspace(0, 1, base="e")
C6 = np.linspace(0, 1, 5, True, True)
C7 = np.array([1], order="F")
C8 = np.tile(A, 2**40)
C9 = A.sum(axis=0)
D1 = np.full(3, 1j).max()
D2 = np.concatenate([])
D3 = np.stack([A], axis="x")


def take(value):
    pass


@kernel
def k(x: float32[:]):
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
    y = np.zeros_like(x)
    z = np.empty(3, np.float32)
    w = np.concatenate([x, x])
