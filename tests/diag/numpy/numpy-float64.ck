# NumPy's types of int32 with float32, and of a quotient of integers, are float64: reported, as of operators.
import numpy as np


@kernel
def k(x: float32[:], i: int32[:]):
    x[0] = np.add(i[0], x[1])
    x[1] = np.divide(i[0], i[1])
    x[2] = np.arctan2(x[0], i[0])
    x[3] = np.power(x[0], i[0])
    x[4] = np.logaddexp(x[0], i[0])
    x[5] = math.pow(x[0], i[0]) + np.add(x[0], 1) + np.sqrt(2.0) * x[2]
