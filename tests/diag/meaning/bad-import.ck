import os
from scipy import linalg
from numba import cuda, sine, float33
import numba.cuda as nc
import numpy as np, math
from math import sqrt


@kernel
def uses_imports():
    print(os.sep, linalg, sine, float33)
