"""Types of the package ck."""

from os import PathLike
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union, final

from ck import _types
from ck.cuda import Guvectorize, Vectorize

__version__: str
__all__: List[str]

Extent = Union[int, Tuple[int, ...], List[int]]

class Error(Exception):
    """What all of ck's own exceptions are."""

    diagnostics: List[dict[str, Any]]

class CompileError(Error):
    """The source is wrong, or a kernel does not take the types of a launch."""

class LaunchError(Error):
    """The shape or the arguments of a launch do not fit, or the device failed."""

class CooperativeLaunchTooLarge(LaunchError):
    """The grid cannot be resident at once."""

    limit: int

class CheckError(Error):
    """A check, a barrier or an assert found a mistake in the kernel."""

class Usage(NamedTuple):
    """What a kernel uses of the device; -1 where the device does not say."""

    registers: int
    local_bytes: int
    shared_bytes: int
    max_threads: int

@final
class Launcher:
    """A kernel with the shape of a launch."""

    def __call__(self, *args: Any, **keywords: Any) -> None: ...

@final
class Kernel:
    """A kernel of a module: kernel[grid, block, stream, shared_bytes, cluster](...)."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> List[str]: ...
    @property
    def signatures(self) -> List[str]: ...
    @property
    def usage(self) -> Usage: ...
    def __getitem__(self, shape: Tuple[Any, ...]) -> Launcher: ...
    def prepare(self, *args: Any, **keywords: Any) -> str: ...
    def max_cooperative_grid_blocks(self, block: Extent, shared_bytes: int = 0) -> int: ...

@final
class Module:
    """A compiled module: its kernels and its arrays are attributes, and items."""

    @property
    def device(self) -> str: ...
    @property
    def kernels(self) -> List[str]: ...
    @property
    def ptx(self) -> str: ...
    @property
    def llvm(self) -> str: ...
    @property
    def arrays(self) -> List[str]: ...
    # A kernel, or a ck._module_array.ModuleArray.
    def __getattr__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any: ...
    def synchronize(self) -> None: ...

max: object

def compile(
    path: Optional[Union[str, bytes, PathLike[str]]] = None,
    *,
    text: Optional[str] = None,
    name: Optional[Union[str, bytes, PathLike[str]]] = None,
    check: Optional[str] = None,
    device: Optional[str] = None,
    schedule: Optional[str] = None,
    arch: Optional[str] = None,
    fmad: bool = True,
    libdevice: Optional[Union[str, bytes, PathLike[str]]] = None,
    lineinfo: bool = False,
    signatures: Optional[Sequence[str]] = None,
    warnings_off: Optional[Sequence[str]] = None,
) -> Module: ...

# What programs for Numba import.
def typeof(value: Any) -> Any: ...
def vectorize(ftylist_or_function: Any, target: str = "cpu",
              **options: Any) -> Callable[[Callable[..., Any]], Vectorize]: ...
def guvectorize(ftylist: Sequence[Any], signature: str, target: str = "cpu",
                **options: Any) -> Callable[[Callable[..., Any]], Guvectorize]: ...

# Types of signatures.
def from_dtype(dtype: Any) -> _types.Element: ...
def record(**fields: Any) -> _types.Element: ...

void: _types.Void
none: _types.Void
boolean: _types.Type
int8: _types.Type
int16: _types.Type
int32: _types.Type
int64: _types.Type
uint8: _types.Type
uint16: _types.Type
uint32: _types.Type
uint64: _types.Type
float16: _types.Type
bfloat16: _types.Type
float32: _types.Type
float64: _types.Type
complex64: _types.Type
complex128: _types.Type
b1: _types.Type
bool_: _types.Type
i1: _types.Type
i2: _types.Type
i4: _types.Type
i8: _types.Type
u1: _types.Type
u2: _types.Type
u4: _types.Type
u8: _types.Type
f2: _types.Type
f4: _types.Type
f8: _types.Type
c8: _types.Type
c16: _types.Type
byte: _types.Type
char: _types.Type
short: _types.Type
ushort: _types.Type
intc: _types.Type
uintc: _types.Type
long_: _types.Type
ulong: _types.Type
longlong: _types.Type
ulonglong: _types.Type
intp: _types.Type
uintp: _types.Type
float_: _types.Type
double: _types.Type
