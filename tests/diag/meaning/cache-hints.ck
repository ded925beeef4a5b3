# Loads and stores with cache hints: what they do not take.
from numba import cuda

TABLE = array([1.0, 2.0], float32)

@kernel
def k(x: float32[:, :], z: complex64[:], n: int32[:]):
    n[0] = ldca(x, 0)
    n[1] = ldcg(z, 0)
    n[2] = ldcs(n)
    n[3] = ldcv(n[0], 0)
    stcg(n, 0, z[0])
    stwt(TABLE, 0, 1)
    stwb(n, 0.5, 1)
    stcs(n, 0, n)
    prefetch(x, (0, 1, 2))
    prefetch(3, 0)
    n[4] = ldca(n, 0, 1)
    stcg(n, 0, 3000000000)
    n[5] = stcg(n, 0, 1)
