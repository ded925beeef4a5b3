import numpy as np
from numba import cuda

A = np.arange(4)
B = np.arange(4)
C = np.arange(4)
D = np.arange(6).reshape(2, 3)
E = np.arange(4)
F = np.arange(4)
G = np.arange(4)
H = np.arange(4)
I = np.arange(4)
J = np.arange(4)
K = np.arange(4)
L = np.arange(4)
M = np.arange(6).reshape(2, 3)
N = np.arange(4)
O = np.arange(4)
P = np.arange(4)
Q = np.arange(4)
R = np.arange(4)
S = N[1:]
T = np.arange(4)
U = np.arange(4)
V = np.arange(4)


class Table:
    def __init__(self, values):
        values[0] = 1


def fill(values):
    values[:] = 0


def view(values):
    return values[1:]


def by_name():
    global_table = E
    global_table[0] = 1


def clear(values):
    values[0] = 0


def deeper(values):
    clear(values=values)


def clear_row(values):
    values[0] = 0


def nothing(values):
    return len(values)


@cuda.jit
def writes(x):
    x[cuda.grid(1)] = 1


@cuda.jit
def k(x):
    x[0] = A[0] + B[0] + C[0] + D[0, 0] + E[0] + F[0] + G[0] + H[0] + I[0] + J[0] + K[0] + L[0]
    x[1] = M[0, 0] + S[0] + O[0] + P[0] + Q[0] + R[0] + T[0] + U[0] + V[0]


other = A
other[0] = 9
fill(B)
C.sort()
row = D[0]
row[1] = 2
np.put(F, [0], [1])
np.add(G, 1, out=G)
for array in (H, [1, 2]):
    array.fill(1)
part = view(I)
part += 1
pair = [J, 3]
pair[0][1] = 3
deeper(K)
Table(L)
clear_row(M[0])
N[2] = 1
unknown.update(O)
T.reshape(2, 2)[0] = 1
writes[1, 4](U)
nothing(V)
first = second = P

if __name__ == "__main__":
    second[0] = 1
    Q.T.put(0, 1)
    if (held := R) is not None:
        held[0] = 1
