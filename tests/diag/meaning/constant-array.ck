import numpy as np
T = array([1.0, 2.0], float32)
R = array([[1, 2], [3]], int32)
R2 = array([[1, 2], 3], int32)
R3 = array([1, [2, 3]])
E = array([])
S = array(5)
L = array([300], uint8)
D = array([1, 2], "x")
D2 = array([1, 2], 3)
Kw = array([1], copy=True)
W = array([1, 2j, 3], float32)
X = np.zeros((100, 100, 100))
X2 = np.zeros(0)
X3 = np.arange(5, 1)
X4 = np.arange(0, 5, 0)
X5 = np.full(3, (1, 2))
X6 = np.array([T, T])
X9 = np.array([int64(1), uint64(2)])
Y1 = np.zeros(65536, uint8)
Y2 = np.zeros(16, uint8)
Y3 = np.arange()
Y4 = np.full(dtype=float32)
Y5 = T[5]
Y9 = array(2, 3, 4)
Z1 = array([T[0], M])
Z2 = array([T[0], Y8[0:1]])
Z3 = np.array([[[[[[[[[1]]]]]]]]])
Z4 = np.array([1, 1e39, 2], float32)
Z5 = np.array([70000], np.float16)
Y6 = np.zeros(2.5)
Y7 = np.zeros((2**40, 2**40))
Y8 = np.array(T, float64)
def f(t):
    t[0] = 1
@kernel
def k(a: float32[:], p: bool):
    T[0] = 1
    T[0] += 1
    T[:] = 0
    T[0:1] += 2
    v = T[1:]
    v[0] = 4
    atomic.add(T, 0, 1.0)
    f(T)
    b = a
    if p:
        b = T
    b[0] = 2
    c = T if p else a
    q = zeros(4, float32)
    a[0] = Y1[3] + Y2[1] + R[0]
    cuda.const.array_like(a)
    const.array_like((1, 2))
@kernel
def k2(a: float32[:]):
    array_like(a)
    a[0] = T
    a[:] = T
    a[1] = T + 1
    X6[0, 0] = 1
    x = -T
    a[0] = Y8[0]
    if T:
        a[0] = 1
    cuda.const.array_like
    T.shape[0] = 1
def g(t, i):
    t[i] += 1
    return t
@kernel
def k3(a: float32[:], p: bool, i: int64):
    X9[0] = 1
    v = Y8[::2]
    v[0] = 1
    w = g(Y8, i)
    for row in Y8:
        row = 1
    for row in T[0:1]:
        atomic.cas(T, 0, 1.0, 2.0)
    if p:
        b = T[1:]
    else:
        b = local.array(1, float32)
    a[0] = b[0]
    a[0] = T[2]
    a[0] = T[-3]
    a[0] = T[0, 0]
    T[i] = 1
    T.x = 1
    T.foo


def take(value):
    pass


@kernel
def takes_all():
    take(T)
    take(R)
    take(R2)
    take(R3)
    take(E)
    take(S)
    take(L)
    take(D)
    take(D2)
    take(Kw)
    take(W)
    take(X)
    take(X2)
    take(X3)
    take(X4)
    take(X5)
    take(X6)
    take(X9)
    take(Y1)
    take(Y2)
    take(Y3)
    take(Y4)
    take(Y5)
    take(Y9)
    take(Z1)
    take(Z2)
    take(Z3)
    take(Z4)
    take(Z5)
    take(Y6)
    take(Y7)
    take(Y8)
