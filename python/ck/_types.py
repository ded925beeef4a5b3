"""Types as Numba has them: `float32`, `float32[:, ::1]`, `void(float32[:], int32)`."""

import sys

_SCALARS = ("boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
            "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
ALIASES = {"b1": "boolean", "bool_": "boolean", "i1": "int8", "i2": "int16", "i4": "int32",
            "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
            "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64",
            "c16": "complex128", "byte": "uint8", "char": "int8", "short": "int16",
            "ushort": "uint16", "intc": "int32", "uintc": "uint32", "long_": "int64",
            "ulong": "uint64", "longlong": "int64", "ulonglong": "uint64", "intp": "int64",
            "uintp": "uint64", "float_": "float32", "double": "float64"}


class Signature:
    """A signature: the text that ck reads in a decorator."""

    def __init__(self, parameters):
        self.parameters = tuple(parameters)

    def __str__(self):
        return f"void({', '.join(map(type_text, self.parameters))})"

    __repr__ = __str__


class ArrayType:
    """The type of an array: elements and layout."""

    def __init__(self, element, dimensions):
        self.element = element
        self.dimensions = dimensions

    @property
    def ndim(self):
        return len(self.dimensions)

    def __str__(self):
        return f"{self.element}[{', '.join(self.dimensions)}]"

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, ArrayType) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


def _dimension(part):
    if part == slice(None):
        return ":"
    if part == slice(None, None, 1):
        return "::1"
    raise TypeError(f"a dimension of an array type is `:` or `::1`, not {part!r}")


class Element:
    """A type of elements. An index makes an array type of it."""

    def __getitem__(self, key):
        if key == ():
            return ArrayType(self, ("()",))
        parts = key if isinstance(key, tuple) else (key,)
        return ArrayType(self, tuple(map(_dimension, parts)))


class Type(Element):
    """A scalar type. An index makes an array type of it; a call a signature, or a cast."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *values):
        if all(isinstance(value, (Element, ArrayType)) for value in values):
            return Result(self, values)
        (value,) = values
        return self.dtype.type(value)

    @property
    def dtype(self):
        """NumPy's dtype, by which NumPy takes a type as one."""
        import numpy

        return numpy.dtype("bool" if self.name == "boolean" else self.name)

    def __str__(self):
        return self.name

    __repr__ = __str__


class DateType(Type):
    """A type of NumPy's dates or times, "datetime64[D]"."""

    def __call__(self, *values):
        if all(isinstance(value, (Element, ArrayType)) for value in values):
            return Result(self, values)
        import numpy

        return self.dtype.type(*values, numpy.datetime_data(self.dtype)[0])


class VectorType(Element):
    """A type of vectors, as `cuda.float32x4`: of elements in signatures, and of fields of records."""

    def __init__(self, element, n):
        self.element = element
        self.n = n
        self.name = f"{element}x{n}"

    def __call__(self, *values):
        raise RuntimeError(f"cuda.{self.name} is for kernels and makes no vectors outside of one")

    @property
    def dtype(self):
        """NumPy's dtype of its numbers."""
        import numpy

        return numpy.dtype((self.element.dtype, (self.n,)))

    @property
    def alignment(self):
        each = self.element.dtype.itemsize
        return each if self.n == 3 else min(each * self.n, 16)

    def definition(self):
        """The text by which ck has the type."""
        return f"cuda.{self.name}"

    def __str__(self):
        return self.name

    __repr__ = __str__


class Pointer:
    """The type of an address in global memory, for signatures; a launch passes an int."""

    def __init__(self, element):
        self.element = element

    def __str__(self):
        return "voidptr" if self.element is None else f"CPointer({_element_text(self.element)})"

    __repr__ = __str__


class Result(Signature):
    """A signature with a result: of device functions and of ufuncs."""

    def __init__(self, result, parameters):
        super().__init__(parameters)
        self.result = result


class Void:
    """No result: of kernels."""

    def __call__(self, *parameters):
        return Signature(parameters)

    def __str__(self):
        return "void"

    __repr__ = __str__


def array_type(element, ndim, layout):
    """The type of arrays whose layout is "C", "F" or "A", any."""
    if ndim == 0:
        return ArrayType(element, ("()",))
    dimensions = [":"] * ndim
    if layout in ("C", "F"):
        dimensions[-1 if layout == "C" else 0] = "::1"
    elif layout != "A":
        raise ValueError(f'the layout of an array is "C", "F" or "A", not {layout!r}')
    return ArrayType(element, tuple(dimensions))


def typeof(value):
    """The type that a kernel has an argument as, for signatures."""
    if isinstance(value, tuple):
        return tuple(map(typeof, value))
    number = {bool: "boolean", int: "int64", float: "float64", complex: "complex128"}.get(type(value))
    if number:
        return TYPES[number]
    from ck import _records

    if not hasattr(value, "dtype"):
        raise TypeError(f"kernels have no type for a {type(value).__name__!r}")
    element = _records.from_dtype(value.dtype)
    if isinstance(value, sys.modules["numpy"].generic):
        return element
    flags = getattr(value, "_ghost", value).flags
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return array_type(element, value.ndim, layout)


def numpy_name(dtype):
    """The text of a scalar dtype in ck."""
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def type_text(given):
    """The text of a type, of ck's or of Numba's own. A record by itself is a place, as in Numba:
    the kernel may write its fields."""
    if isinstance(given, (Type, VectorType, ArrayType, Pointer, str)):
        return str(given)
    if isinstance(given, Element) or _is_numba_record(given):
        return f"{_element_text(given)}[()]"
    if type(given).__name__ == "CPointer" and hasattr(given, "dtype"):  # numba.types.CPointer
        return f"CPointer({_element_text(given.dtype)})"
    layout = getattr(given, "layout", None)
    if layout is not None and hasattr(given, "ndim"):  # numba.types.Array
        return str(array_type(_element_text(given.dtype), given.ndim, layout))
    if hasattr(given, "types") and hasattr(given, "count"):  # numba.types.Tuple
        return f"({', '.join(map(type_text, given.types))},)"
    if isinstance(given, tuple):
        return f"({', '.join(map(type_text, given))},)"
    return str(given)


def _is_numba_record(given):
    return type(given).__name__ == "Record" and hasattr(given, "dtype")


def _element_text(given):
    if not _is_numba_record(given):
        return str(given)
    from ck import _records

    return str(_records.from_dtype(given.dtype))


def date_type(name):
    """The type of dates or times of this name; KeyError: there is none."""
    kind, bracket, rest = name.partition("[")
    unit = rest[:-1]
    if kind not in ("datetime64", "timedelta64") or (bracket and rest not in _UNITS):
        raise KeyError(name)
    return _dates.setdefault(name, DateType(f"{kind}[{unit}]" if unit else kind))


def scalar_type(name):
    """The type of a number, date or time of this name; KeyError: there is none."""
    return TYPES[name] if name in TYPES else date_type(name)


# How names of dates end. A regular expression would cost `import ck` that of `re`, 4 of its 10 ms.
_UNITS = ("]", "Y]", "M]", "W]", "D]", "h]", "m]", "s]", "ms]", "us]", "ns]", "ps]", "fs]", "as]")
_dates = {}  # the types so far
TYPES = {name: Type(name) for name in _SCALARS}
TYPES.update({alias: TYPES[name] for alias, name in ALIASES.items()})
TYPES["void"] = TYPES["none"] = Void()
VECTORS = {f"{name}x{n}": VectorType(TYPES[name], n) for name in _SCALARS[1:13]
           for n in range(1, 5)}
VECTORS.update({f"{alias}{n}": VECTORS[f"{name}x{n}"] for n in range(1, 5) for alias, name in (
    ("char", "int8"), ("short", "int16"), ("int", "int32"), ("long", "int64"),
    ("longlong", "int64"), ("uchar", "uint8"), ("ushort", "uint16"), ("uint", "uint32"),
    ("ulong", "uint64"), ("ulonglong", "uint64"), ("float", "float32"), ("double", "float64"),
    ("half", "float16"))})
