from typing import Any, Dict, Tuple, Union

import numpy

class Signature:
    parameters: Tuple[Any, ...]

class Result(Signature):
    result: Any

class ArrayType:
    element: Element
    dimensions: Tuple[str, ...]
    @property
    def ndim(self) -> int: ...

class Element:
    """A type of elements. An index makes an array type of it."""

    def __getitem__(self, key: Any) -> ArrayType: ...

class Type(Element):
    """A scalar type. An index makes an array type of it; a call a signature, or a cast."""

    name: str
    def __call__(self, *values: Any) -> Any: ...
    @property
    def dtype(self) -> "numpy.dtype[Any]": ...

class VectorType(Element):
    """A type of vectors, as `cuda.float32x4`: of elements in signatures, and of fields of records."""

    name: str
    element: Type
    n: int
    @property
    def dtype(self) -> "numpy.dtype[Any]": ...

class Pointer:
    """The type of an address in global memory, for signatures; a launch passes an int."""

    element: Any

class Void:
    def __call__(self, *parameters: Union[Element, ArrayType]) -> Signature: ...

TYPES: Dict[str, Any]
VECTORS: Dict[str, VectorType]

def type_text(given: Any) -> str: ...
