"""The kernels of the benchmark group `suite` in NumPy."""

from . import algebra, fields, samples, sequences  # noqa: F401
from .common import REFERENCES  # noqa: F401
