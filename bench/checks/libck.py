"""libck's launches by ctypes: what launches.py needs of include/ck."""

import ctypes
import math
from ctypes import POINTER, Structure, Union, byref, c_char_p, c_double, c_int, c_int64, c_size_t
from ctypes import c_uint, c_uint32, c_uint64, c_void_p

import numpy as np

NUMBERS = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
           "complex64 complex128").split()
DTYPES = {name: number for number, name in enumerate(
    [*NUMBERS, "tuple", "none", "default", "record"], 1)}
MAX_DIMS = 8
CHECK_FAILED = -14


class Error(Exception):
    """A call that failed, with the library's text."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


# --- Its structs ---------------------------------------------------------------------------------

PRINT = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class ContextOptions(Structure):
    _fields_ = [("size", c_size_t), ("print", PRINT), ("user", c_void_p), ("cache_directory", c_char_p),
                ("cache_bytes", c_uint64)]


class DeviceOptions(Structure):
    _fields_ = [("size", c_size_t), ("cuda_context", c_void_p), ("schedule", c_int),
                ("seed", c_uint64), ("checks", c_uint)]


class ParamInfo(Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_int), ("ndim", c_int), ("layout", c_int),
                ("read_only", c_int), ("disjoint", c_int), ("alignment", c_int), ("n_items", c_int),
                ("record", c_void_p), ("type_name", c_char_p), ("lanes", c_int), ("never_written", c_int)]


class KernelDesc(Structure):
    """Its first fields: descriptions are read through pointers only."""

    _fields_ = [("name", c_char_p), ("entry", c_char_p), ("signature", c_char_p), ("n_params", c_int),
                ("params", POINTER(ParamInfo)), ("generic", c_int)]


class GlobalDesc(Structure):
    """Its first fields, likewise."""

    _fields_ = [("name", c_char_p), ("dtype", c_int), ("record", c_void_p), ("ndim", c_int),
                ("shape", c_int64 * MAX_DIMS)]


class Shape(Structure):
    _fields_ = [("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("shared_bytes", c_uint32),
                ("cluster", c_uint32 * 3)]


class Record(Structure):
    pass


class Field(Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_int), ("record", POINTER(Record)), ("offset", c_size_t),
                ("ndim", c_int), ("shape", c_int64 * MAX_DIMS), ("lanes", c_int)]


Record._fields_ = [("size", c_size_t), ("n_fields", c_int), ("fields", POINTER(Field))]


class Array(Structure):
    _fields_ = [("data", c_uint64), ("dtype", c_int), ("ndim", c_int),
                ("shape", c_int64 * MAX_DIMS), ("strides", c_int64 * MAX_DIMS), ("record", POINTER(Record))]


class Complex(Structure):
    _fields_ = [("real", c_double), ("imaginary", c_double)]


class Value(Union):
    _fields_ = [("array", POINTER(Array)), ("i", c_int64), ("u", c_uint64), ("f", c_double), ("c", Complex)]


class Arg(Structure):
    _fields_ = [("scalar", c_int), ("value", Value)]


# --- Arguments -----------------------------------------------------------------------------------


def record_of(dtype):
    """The description of a structured dtype; NULL of others."""
    if not dtype.names:
        return POINTER(Record)()
    fields = [field_of(name, *dtype.fields[name][:2]) for name in dtype.names]
    return ctypes.pointer(Record(dtype.itemsize, len(fields), (Field * len(fields))(*fields)))


def field_of(name, dtype, offset):
    pad = (0,) * (MAX_DIMS - len(dtype.shape))
    return Field(name.encode(), number_of(dtype.base), record_of(dtype.base), offset, len(dtype.shape),
                 (*dtype.shape, *pad))


def number_of(dtype):
    return DTYPES["record" if dtype.names else dtype.name]


def describe(array, address):
    pad = (0,) * (MAX_DIMS - array.ndim)
    return Array(address, number_of(array.dtype), array.ndim, (*array.shape, *pad),
                 (*array.strides, *pad), record_of(array.dtype))


def default_dtype(value):
    """Of a number of Python's, where the kernel declares none."""
    kinds = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
    return DTYPES[kinds[type(value)]]


def is_own_kind(dtype, value):
    """Whether the dtype is of the number's own kind."""
    if isinstance(value, complex) or dtype >= DTYPES["complex64"]:
        return isinstance(value, complex) and dtype >= DTYPES["complex64"]
    return isinstance(value, float) == (dtype >= DTYPES["float16"])


def number_arg(dtype, value):
    arg = Arg(dtype)
    if dtype >= DTYPES["complex64"]:
        arg.value.c = Complex(complex(value).real, complex(value).imag)
    elif dtype >= DTYPES["float16"]:
        arg.value.f = float(value)
    elif dtype >= DTYPES["uint8"]:
        arg.value.u = int(value)
    else:
        arg.value.i = int(value)
    return arg


def without_record(value):
    """A record by itself is a tuple of its fields."""
    if isinstance(value, np.ndarray) and not value.ndim:
        value = value[()]
    return tuple(value) if isinstance(value, np.void) else value


def flat(values):
    """Each argument and each item of a tuple, which follows it."""
    for value in map(without_record, values):
        yield value
        if isinstance(value, tuple):
            yield from flat(value)


def is_array(value):
    return isinstance(value, np.ndarray) and value.ndim > 0


def score(params, values):
    """How well a signature fits: -1 not at all, else how many numbers are of their parameter's
    kind."""
    points = 0
    for param, value in zip(params, values):
        if isinstance(value, tuple) or param.dtype == DTYPES["tuple"]:
            if not isinstance(value, tuple) or param.n_items != len(value):
                return -1
        elif is_array(value):
            if (param.ndim, param.dtype) != (value.ndim, number_of(value.dtype)):
                return -1
        elif param.ndim:
            return -1
        elif isinstance(value, (np.generic, np.ndarray)):
            if param.dtype != DTYPES[value.dtype.name]:
                return -1
        else:
            points += is_own_kind(param.dtype, value)
    return points


# --- Launches ------------------------------------------------------------------------------------


def dimensions(extents):
    extents = extents if isinstance(extents, tuple) else (extents,)
    return tuple(map(int, extents)) + (1,) * (3 - len(extents))


class Buffer:
    """Device memory with what an array has."""

    def __init__(self, session, array):
        self.session, self.array, self.handle = session, array, c_void_p()
        lib = session.lib
        session.check(lib.ck_buffer_new(byref(self.handle), session.devices[0], array.nbytes))
        self.address = lib.ck_buffer_address(self.handle)

    def write(self):
        self.session.check(self.session.lib.ck_buffer_write(
            self.handle, 0, self.array.ctypes.data, self.array.nbytes))

    def read(self):
        self.session.check(self.session.lib.ck_buffer_read(
            self.handle, 0, self.array.ctypes.data, self.array.nbytes))

    def free(self):
        self.session.lib.ck_buffer_free(self.handle)


class Session:
    """A file's kernels on devices that differ in their checks."""

    def __init__(self, path, source, device, checks):
        self.name = device
        self.lib = ctypes.CDLL(path)
        self.lib.ck_context_error.restype = c_char_p
        self.lib.ck_context_error.argtypes = [c_void_p]
        self.lib.ck_module_n_kernels.restype = c_size_t
        self.lib.ck_module_kernel.restype = POINTER(KernelDesc)
        self.lib.ck_module_kernel.argtypes = [c_void_p, c_size_t]
        self.lib.ck_buffer_new.argtypes = [c_void_p, c_void_p, c_size_t]
        self.lib.ck_buffer_free.argtypes = [c_void_p]
        self.lib.ck_buffer_address.argtypes = [c_void_p]
        self.lib.ck_buffer_address.restype = c_uint64
        for copy in (self.lib.ck_buffer_write, self.lib.ck_buffer_read):
            copy.argtypes = [c_void_p, c_size_t, c_void_p, c_size_t]
        self.lib.ck_device_synchronize.argtypes = [c_void_p]
        self.lib.ck_launch.argtypes = [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p]
        self.lib.ck_kernel_prepare.argtypes = [c_void_p, c_void_p, c_size_t, c_void_p]
        self.silent = PRINT(lambda user, text, length: None)
        options = ContextOptions(ctypes.sizeof(ContextOptions), self.silent)
        self.ctx, self.module = c_void_p(), c_void_p()
        self.check(self.lib.ck_context_new(byref(self.ctx), byref(options)))
        self.check(self.lib.ck_compile(byref(self.module), self.ctx, source, c_size_t(len(source)), None))
        self.devices = [self.open(kinds) for kinds in checks]
        kernels = [self.lib.ck_module_kernel(self.module, i).contents
                   for i in range(self.lib.ck_module_n_kernels(self.module))]
        self.lib.ck_module_n_globals.restype = c_size_t
        self.lib.ck_module_global.restype = POINTER(GlobalDesc)
        self.lib.ck_module_global.argtypes = [c_void_p, c_size_t]
        self.lib.ck_dtype_size.restype = c_size_t
        for copy in (self.lib.ck_module_read_global, self.lib.ck_module_write_global):
            copy.argtypes = [c_void_p, c_void_p, c_char_p, c_size_t, c_void_p, c_size_t]
        self.globals = [self.lib.ck_module_global(self.module, i).contents
                        for i in range(self.lib.ck_module_n_globals(self.module))]
        self.descs = [(desc.name.decode(), desc.params[:desc.n_params]) for desc in kernels
                      if not desc.generic]

    def read_globals(self):
        """The values of the module's arrays, the same on all devices."""
        values = []
        for desc in self.globals:
            size = (ctypes.cast(desc.record, POINTER(Record)).contents.size if desc.record
                    else self.lib.ck_dtype_size(desc.dtype))
            values.append(ctypes.create_string_buffer(size * math.prod(desc.shape[:desc.ndim])))
            self.check(self.lib.ck_module_read_global(self.module, self.devices[0], desc.name, 0,
                                                      values[-1], len(values[-1])))
        return values

    def write_globals(self, number, values):
        for desc, value in zip(self.globals, values):
            self.check(self.lib.ck_module_write_global(self.module, self.devices[number], desc.name,
                                                       0, value, len(value)))

    def is_on_gpu(self):
        return not self.name.startswith("cpu")

    def open(self, checks):
        device = c_void_p()
        options = DeviceOptions(ctypes.sizeof(DeviceOptions), checks=checks)
        self.check(self.lib.ck_device_open(byref(device), self.ctx, self.name.encode(),
                                           byref(options)))
        return device

    def check(self, status):
        if status:
            text = self.lib.ck_context_error(self.ctx) if self.ctx else b"no context"
            raise Error(status, text.decode(errors="replace"))

    def numbers_dtypes(self, name, values):
        """The parameters' dtypes of the signature that fits best; for a generic kernel None."""
        fitting = [(score(params, values), [param.dtype for param in params])
                   for of, params in self.descs if of == name and len(params) == len(values)]
        best = max(fitting, key=lambda pair: pair[0], default=(-1, None))
        return best[1] if best[0] >= 0 else [None] * len(values)

    def launch(self, name, configuration, arguments):
        return Launch(self, name, configuration, list(flat(arguments)))


class Launch:
    """A launch on every device of its session, on the same arrays."""

    def __init__(self, session, name, configuration, values):
        self.session = session
        self.arrays = []   # as the library has them
        self.buffers = {}  # on a GPU, by their array's identity
        dtypes = session.numbers_dtypes(name, values)
        self.args = (Arg * len(values))(*map(self.arg, values, dtypes))
        self.kernels = [self.kernel(name, device) for device in session.devices]
        grid, block, _, shared, cluster = configuration + (0, 0, None)[len(configuration) - 2:]
        self.shape = Shape((1, 1, 1), dimensions(block), int(shared), dimensions(cluster or (0, 0, 0)))
        if grid is not max:
            self.shape.grid = dimensions(grid)
        self.is_largest = grid is max

    def arg(self, value, dtype):
        if isinstance(value, tuple):
            return Arg(DTYPES["tuple"], Value(u=len(value)))
        if is_array(value):
            self.arrays.append(describe(value, self.address_of(value)))
            return Arg(0, Value(array=ctypes.pointer(self.arrays[-1])))
        if isinstance(value, (np.generic, np.ndarray)):
            return number_arg(DTYPES[value.dtype.name], value.item())
        return number_arg(default_dtype(value) if dtype is None else dtype, value)

    def address_of(self, array):
        if not self.session.is_on_gpu():
            return array.ctypes.data
        if id(array) not in self.buffers:
            self.buffers[id(array)] = Buffer(self.session, array)
        return self.buffers[id(array)].address

    def kernel(self, name, device):
        kernel = c_void_p()
        lib = self.session.lib
        self.session.check(lib.ck_kernel_get(byref(kernel), self.session.module, device, name.encode()))
        return kernel

    def prepare(self, number):
        """Compiles what device `number` needs."""
        lib, kernel = self.session.lib, self.kernels[number]
        self.session.check(lib.ck_kernel_prepare(kernel, self.args, len(self.args), None))
        if self.is_largest:
            blocks = c_uint32()
            self.session.check(
                lib.ck_kernel_max_resident_blocks(byref(blocks), kernel, byref(self.shape)))
            self.shape.grid = (blocks.value, 1, 1)

    def write(self):
        """What the arrays have, to the device."""
        for buffer in self.buffers.values():
            buffer.write()

    def read(self):
        for buffer in self.buffers.values():
            buffer.read()

    def free(self):
        for buffer in self.buffers.values():
            buffer.free()

    def run(self, number):
        """Its status, on device `number`, at its end."""
        lib = self.session.lib
        status = lib.ck_launch(self.kernels[number], byref(self.shape), self.args, len(self.args), None)
        return status or lib.ck_device_synchronize(self.session.devices[number])
