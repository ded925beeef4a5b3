"""Arguments whose own code runs while a launch reads them, and that lie: exceptions name them, and
nothing is used after it was freed."""

from python.common import fake_gpu, freed, script


def test_types_have_no_constructors(t):
    script(t, '''
from ck import _core
for kind in (ck.Module, ck.Kernel, ck.Launcher, _core.Gpu):
    raises(TypeError, f"cannot create 'ck.{kind.__name__}' instances", kind)
    raises(TypeError, "is not safe", lambda: object.__new__(kind))
import copy, pickle
for one in (mod, mod.race, mod.race[1, 1]):
    raises(TypeError, "cannot pickle", lambda: copy.copy(one))
    raises(TypeError, "cannot pickle", lambda: pickle.dumps(one))
def delete():
    del mod.race
raises(AttributeError, "race", delete)
''', on=["cpu"])


def test_shapes_that_change(t):
    """An extent's __index__ may change the list that has it, and raise what it likes."""
    script(t, '''
class Extent:
    def __init__(self, extents, value):
        self.extents, self.value = extents, value
    def __index__(self):
        self.extents.clear()
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value
def extents(*values):
    made = []
    made.extend(Extent(made, value) for value in values)
    return made
x = np.zeros(1, np.int32)
for at in range(2):
    def launch(extents):
        mod.race[(1, extents) if at else (extents, 1)](x)
    launch(extents(1, 1, 1))
    raises(ValueError, "at least 1", lambda: launch(extents(1, 0, 1)))
    raises(ValueError, "at least 1 and below 2**32", lambda: launch(extents(1, 10**9000)))
    raises(ValueError, "at least 1 and below 2**32", lambda: launch(-10**9000))
    raises(ValueError, "one to three extents, not 4", lambda: launch([1] * 4))
    raises(KeyError, "mine", lambda: launch(extents(KeyError("mine"))))
    raises(KeyboardInterrupt, "", lambda: launch(extents(1, KeyboardInterrupt())))
    raises(TypeError, "is an int or a tuple", lambda: launch(extents("1")))
    raises(TypeError, "is an int or a tuple", lambda: launch(i for i in range(1, 3)))
def shared(value):
    mod.race[1, 1, 0, value](x)
raises(KeyboardInterrupt, "", lambda: shared(Extent([], KeyboardInterrupt())))
raises(TypeError, "are an int", lambda: shared("1"))
for bytes in (-1, 2**32, 10**9000):
    raises(ValueError, "at least 0 and below 2**32", lambda: shared(bytes))
    raises(ValueError, "at least 0 and below 2**32",
           lambda: mod.fixed.max_cooperative_grid_blocks(32, bytes))
''', on=["cpu"], **freed(t))


def test_interfaces_that_change(t):
    """Code of an array's interface changes the interface, or uses the module."""
    script(t, '''
x = np.zeros(8, np.float32)
def parts(**more):
    return dict({"shape": (8,), "typestr": "<f4", "data": (x.ctypes.data, False), "version": 3}, **more)
class Clearing:
    """An extent, or a flag, whose code empties the interface's dict."""
    def __init__(self, owner, value):
        self.owner, self.value = owner, value
    def clear(self):
        self.owner.clear()
        return self.value
    __index__ = __bool__ = clear
class Array:
    def __init__(self, make):
        self.made, self.make = {}, make
    @property
    def __array_interface__(self):
        self.made.update(self.make(self.made))
        return self.made
mod.race[1, 1](Array(lambda made: parts(shape=tuple([Clearing(made, 2), Clearing(made, 2)]))))
mod.race[1, 1](Array(lambda made: parts(strides=tuple([Clearing(made, 4)]))))
mod.race[1, 1](Array(lambda made: parts(data=tuple([x.ctypes.data, Clearing(made, False)]))))
class OfDtype(Array):
    @property
    def dtype(self):
        self.made.clear()
        return type("dtype", (), {"name": "".join(["bfl", "oat16"]), "names": None})
assert mod.race.prepare(OfDtype(lambda made: parts(typestr="".join(["<", "V2"])))) == "(bfloat16[::1])"
def using(made):
    mod.race[1, 1](x)
    return parts()
mod.race[1, 1](Array(using))
def recursive(made):
    mod.race[1, 1](Array(recursive))
raises(RecursionError, "", lambda: mod.race[1, 1](Array(recursive)))
''', on=["cpu"], **freed(t))


def test_typestr_that_is_no_utf8(t):
    """The value's own code, asked for the dtype next, must not run with an exception set."""
    script(t, '''
x = np.zeros(8, np.float32)
class Array:
    __array_interface__ = {"shape": (8,), "typestr": "<\\udc80", "data": (x.ctypes.data, False), "version": 3}
    dtype = property(lambda self: np.dtype(np.float32))
raises(TypeError, r"argument 1: kernels have no elements of dtype '<\\udc80'", lambda: mod.race[1, 1](Array()))
''', on=["cpu"], **freed(t))


def test_exceptions_of_an_argument(t):
    """An exception that an argument's code raises is the launch's."""
    script(t, '''
x = np.zeros(8, np.float32)
parts = {"shape": (8,), "typestr": "<V2", "data": (x.ctypes.data, False), "version": 3}
def stop(self):
    raise KeyboardInterrupt
def planted(name, **more):
    return type("Array", (), {"__array_interface__": parts, name: property(stop), **more})()
for name in ("dtype", "__array_interface__", "__cuda_array_interface__"):
    one = planted(name)
    if name == "__cuda_array_interface__":
        del type(one).__array_interface__
    raises(KeyboardInterrupt, "", lambda: mod.race[1, 1](one))
for name in ("name", "names"):
    one = planted("unused", dtype=planted(name))
    raises(KeyboardInterrupt, "", lambda: mod.race[1, 1](one))
class Device:
    def __dlpack__(self, **options):
        raise KeyboardInterrupt
    def __dlpack_device__(self):
        return 1, 0
raises(KeyboardInterrupt, "", lambda: mod.race[1, 1](Device()))
Device.__dlpack_device__ = stop
raises(KeyboardInterrupt, "", lambda: mod.race[1, 1](Device()))
''', on=["cpu"])


def test_values_that_lie(t):
    script(t, '''
x, y = np.ones(8, np.float32), np.zeros(8, np.float32)
raises(OverflowError, "argument 1: the int does not fit in 64 bits", lambda: mod.axpy[1, 8](10**9000, x, y))
for value in ("text", 3, 1j, None):
    class Scalar(np.float32):
        def item(self):
            return value
    raises(TypeError, "its item() is no value of its dtype", lambda: mod.axpy[1, 8](Scalar(2), x, y))
class Void(np.void):
    dtype = type("dtype", (), {"names": "ab"})
raises(TypeError, "kernels take numbers", lambda: mod.race[1, 1](Void(4)))
class Capsule:
    def __init__(self, made, device):
        self.made, self.device = made, device
    def __dlpack__(self, **options):
        return self.made
    def __dlpack_device__(self):
        return self.device
raises(TypeError, "made no capsule of a tensor", lambda: mod.race[1, 1](Capsule(3, (1, 0))))
raises(TypeError, "made no capsule of a tensor", lambda: mod.race[1, 1](Capsule(x.__array_struct__, (1, 0))))
for device in ((), (1,), 3, None, (7, 0), (10**9, 0)):
    raises(TypeError, "neither a CUDA GPU nor the host", lambda: mod.race[1, 1](Capsule(3, device)))
if hasattr(x, "__dlpack__"):
    used = x.__dlpack__()
    np.from_dlpack(Capsule(used, (1, 0)))  # renames the capsule
    raises(TypeError, "made no capsule of a tensor", lambda: mod.race[1, 1](Capsule(used, (1, 0))))
class OfFields:
    __array_interface__ = {"shape": (2,), "typestr": "|V4", "data": (x.ctypes.data, False)}
    def __init__(self, names, fields):
        self.dtype = type("dtype", (), {"names": names, "fields": fields, "itemsize": 4})
float32 = np.dtype(np.float32)
raises(TypeError, "is no pair", lambda: mod.race[1, 1](OfFields(("a",), {"a": 3})))
raises(TypeError, "is no pair", lambda: mod.race[1, 1](OfFields(("a",), {"a": (float32,)})))
raises(TypeError, "no identifier", lambda: mod.race[1, 1](OfFields((3,), {3: (float32, 0)})))
raises(TypeError, "have no fields", lambda: mod.race[1, 1](OfFields("a", {})))
raises(KeyError, "a", lambda: mod.race[1, 1](OfFields(("a",), {})))
raises(ck.LaunchError, "record type is not valid", lambda: mod.race[1, 1](OfFields(("a",), {"a": (float32, 100)})))
''', on=["cpu"])


def test_masked_arrays(t):
    """A masked array's interface is that of its data."""
    script(t, '''
for masked in (np.ma.array([1.0, 2.0], mask=[True, False]), np.ma.array([1.0]), np.ma.masked):
    raises(TypeError, "no arrays with a mask: pass x.data", lambda: mod.race[1, 1](masked))
''', on=["cpu"])


def test_modules_called_numpy_and_torch(t):
    """Other modules of these names, and those that are being imported, have no types for ck."""
    script(t, '''
import sys, types
for members in ({}, {"Tensor": 3, "ndarray": 4, "void": 5, "generic": 6}):
    for name in ("numpy", "torch"):
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__dict__.update(members)
    import array, ck
    mod = ck.compile(text="@kernel\\ndef k(x: int32[:], n: int32):\\n    x[0] = n\\n")
    data = array.array("i", [1, 2])
    class Array:
        __array_interface__ = {"shape": (2,), "typestr": "<i4", "data": (data.buffer_info()[0], False)}
    mod.k[1, 1](Array(), 7)
    assert data[0] == 7
''', head="", on=["cpu"])


def test_names_that_are_not_utf8(t):
    """File names of any bytes, in messages, warnings and a module for another GPU; names of kernels
    that no text can have."""
    script(t, '''
import warnings
folder = os.fsencode(os.getcwd())
path = os.fsdecode(os.path.join(folder, b"wrong\\xff.ck"))
with open(path, "w") as file:
    file.write("@kernel\\ndef k(x: int32[:]):\\n    x[0] = y\\n")
error = raises(ck.CompileError, "wrong\\\\xff.ck:3", lambda: ck.compile(path))
assert error.diagnostics[0]["file"] == path
raises(ck.CompileError, "wrong\\\\xff.ck:3", lambda: ck.compile(text=open(path).read(), name=path))
with open(path, "w") as file:
    file.write("@kernel\\ndef k(x: int32[:]):\\n    unused = 1\\n    x[0] = 2\\n")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    made = ck.compile(path)
assert caught[0].filename == path and "unused" in str(caught[0].message), caught
x = np.zeros(1, np.int32)
made.k[1, 1](x)
assert x[0] == 2
raises(FileNotFoundError, "", lambda: ck.compile(path + "x"))
raises(ValueError, "", lambda: ck.compile(path, libdevice=path + "\\0"))
assert not hasattr(mod, "\\udc80")
raises(KeyError, "no kernel is called", lambda: mod["\\udc80"])
''', on=["cpu"])


def test_read_only_memory(t):
    """Read-only views of memory that another argument writes are no error, whatever is checked; and
    nothing is copied into what Python may not write."""
    script(t, '''
from ck import cuda
y = np.ones(8, np.float32)
for check in ("", "all" if device == "cpu" else "bounds"):
    made = ck.compile(text=KERNELS, check=check, device=device)
    made.axpy[1, 8](1.0, np.broadcast_to(y, 8), y)
    raises(ValueError, "argument 3: the kernel writes this array, which is read-only",
           lambda: made.axpy[1, 8](1.0, y, np.broadcast_to(y, 8)))
assert (y == 4).all()
frozen = np.frombuffer(bytes(4), np.uint8)
raises(ValueError, "read-only", lambda: cuda.to_device(np.ones(4, np.uint8)).copy_to_host(frozen))
assert not frozen.any()
''')


def test_read_only_memory_on_a_gpu(t):
    """An array that another argument changes is not taken for one that the kernel wrote."""
    fake_gpu(t, '''
y = np.ones(8, np.float32)
checked = ck.compile(text=KERNELS, check="bounds")
checked.axpy[1, 8](1.0, np.broadcast_to(y, 8), y)
''')
