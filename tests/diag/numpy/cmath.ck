# Functions of cmath: what they do not take.
import cmath
from cmath import sqrt, cbrt

ROOT = cmath.sqrt(-1)

@kernel
def k(z: complex64[:], x: float32[:], o: float32[:]):
    o[0] = cmath.exp(z[0])
    z[0] = cmath.exp(z)
    z[1] = sqrt(z[0], 2)
    z[2] = cmath.rect(z[0], 1)
    z[3] = cmath.sine(z[0])
    z[4] = cmath.log(z[0], bas=2)
    o[1] = cmath.isclose(z[0], z[1], rel_tol=z[2])
    o[2] = cmath.polar(z[0])
    z[5] = cbrt(z[0])
    z[6] = math.exp(z[0])
    z[7] = ROOT
