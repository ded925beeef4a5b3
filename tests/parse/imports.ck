"""The module's docstring is not in the tree."""
import numba
import math, numpy as np
import numba.cuda
from numba import cuda
from numba import int32, float32 as f4
from numba.cuda import (grid,
                        gridsize,)
from math import *
import math; import numba as nb; TPB = 32
