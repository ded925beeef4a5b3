"""Types, under the name that Numba's module of them has: `from ck import types`."""

from ck import _types


def Tuple(types):
    """The type of a tuple, in signatures."""
    return tuple(types)


def UniTuple(dtype, count):
    """The type of a tuple of `count` items of one type."""
    return (dtype,) * count


def Array(dtype, ndim, layout, readonly=False, name=None, aligned=True):
    """The type of an array: the layout is "C", "F" or "A", any."""
    return _types.array_type(dtype, ndim, layout)


def CPointer(dtype):
    """The type of the address of elements of this type."""
    return _types.Pointer(dtype)


def NPDatetime(unit):
    """The type of NumPy's dates of this unit: datetime64[D]."""
    return _types.date_type(f"datetime64[{unit}]")


def NPTimedelta(unit):
    """The type of NumPy's times of this unit: timedelta64[D]."""
    return _types.date_type(f"timedelta64[{unit}]")


voidptr = _types.Pointer(None)


def __getattr__(name):
    if name in _types.TYPES:
        return _types.TYPES[name]
    raise AttributeError(f"module 'ck.types' has no attribute {name!r}")
