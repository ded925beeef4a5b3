# Functions of Python's `operator` that are misused, or that kernels do not have.
import operator
from operator import itemgetter


@cuda.jit
def k(x: float32[:], n: int32):
    x[0] = operator.addd(x[0], 1)
    x[1] = operator.add(x[0])
    x[2] = operator.neg(x[0], 1)
    x[3] = operator.xor(x[0], 1)
    x[4] = operator.add(a=x[0], b=1)
    x[5] = operator.add
    x[6] = operator.sin(x[0])
    x[7] = itemgetter(1)
