import os
from scipy import linalg
from numba import cuda, sine, float33
import numba.cuda as nc
import numpy as np, math
from math import sqrt
