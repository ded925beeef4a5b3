"""Reductions and ufuncs of Python functions: ck.cuda.reduce, vectorize and guvectorize. Each is a
kernel whose text is made for the function, the types and the shape."""

import re

import numpy as np

from ck import _core, _device, _device_array, _dispatcher, _source, _types

_BLOCK = 256
_MOST_BLOCKS = 256


class _Template:
    """Modules made of one Python function and text around it, kept by that text."""

    def __init__(self, function):
        self.function = getattr(function, "py_func", function)
        self._modules = {}

    def kernel(self, text, name):
        key = _device.current(), text
        if key not in self._modules:
            source = _source.Source()
            own = source.add_function(self.function)
            file = _dispatcher.source_file(self.function)
            line = self.function.__code__.co_firstlineno
            source.add([f"_function = {own}"], file, line)
            source.add(text.splitlines(), file, line)
            source.parts[-1:] = [(source.parts[-1][0], "<ck.cuda>", 1, 0)]
            self._modules[key] = _core.compile(
                text=source.text, name=file, device=_device.current().spec, _parts=source.parts)
        return self._modules[key][name]


# --- Reductions -----------------------------------------------------------------------------------

# Each block reduces its threads' elements to one; `live` threads have any.
_REDUCE = """
@cuda.jit
def reduce_blocks(x, out):
    s = cuda.shared.array({block}, {dtype})
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    n = x.size
    live = min({block}, max(0, n - cuda.blockIdx.x * {block}))
    if i < n:
        acc = x[i]
        for j in range(i + cuda.gridsize(1), n, cuda.gridsize(1)):
            acc = {dtype}(_function(acc, x[j]))
        s[t] = acc
    cuda.syncthreads()
    step = {block} // 2
    while step > 0:
        if t < step and t + step < live:
            s[t] = _function(s[t], s[t + step])
        cuda.syncthreads()
        step //= 2
    if t == 0 and live > 0:
        out[cuda.blockIdx.x] = s[0]

@cuda.jit
def finish(x, n, init, out):
    if n > 0:
        out[0] = _function({dtype}(init), x[0])
    else:
        out[0] = init
"""


class Reduce:
    """A reduction by an associative function of two elements: `total = Reduce(f)(array)`."""

    def __init__(self, functor):
        self._template = _Template(functor)
        self.__name__ = self._template.function.__name__
        self.__doc__ = self._template.function.__doc__

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """The reduction of `arr`, of one dimension, or of its first `size` elements; `init` joins
        it. With `res`, a device array, it is stored in res[0] and not copied to the host."""
        if arr.ndim != 1:
            raise TypeError(f"a reduction takes an array of one dimension, not of {arr.ndim}")
        array = arr if _device_array._lies_on(arr, _device.current()) \
            else _device_array.to_device(arr, stream)
        array = _device_array.as_device(array)
        array = array[:size] if size is not None and size < array.size else array
        text = _REDUCE.format(block=_BLOCK, dtype=_types.numpy_name(array.dtype))
        partial = self._reduce(text, array, stream)
        out = _device_array.as_device(res) if res is not None \
            else _device_array.empty(1, array.dtype)
        finish = self._template.kernel(text, "finish")
        finish[1, 1, stream](partial, array.size, array.dtype.type(init), out)
        if res is not None:
            return None
        _device.current().synchronize(_device.handle_of(stream))
        return out.copy_to_host()[0]

    def _reduce(self, text, array, stream):
        """An array whose first element is the reduction."""
        kernel = self._template.kernel(text, "reduce_blocks")
        while array.size > 1:
            blocks = min(_MOST_BLOCKS, (array.size + _BLOCK - 1) // _BLOCK)
            partial = _device_array.empty(blocks, array.dtype)
            kernel[blocks, _BLOCK, stream](array, partial)
            array = partial
        return array if array.size else _device_array.empty(1, array.dtype)


# --- Ufuncs ---------------------------------------------------------------------------------------


class _UfuncSignature:
    def __init__(self, given):
        text = given if isinstance(given, str) else None
        if text is not None:
            result, _, rest = text.partition("(")
            names = [part.strip() for part in rest.rstrip(") ").split(",") if part.strip()]
            self.result, self.inputs = _dtype(result.strip()), [_dtype(name) for name in names]
        else:
            if not hasattr(given, "result"):
                raise TypeError(f"a signature of vectorize has its result, as float32(float32), "
                                f"not {given!r}")
            self.result = _dtype(str(given.result))
            self.inputs = [_dtype(str(part)) for part in given.parameters]


def _dtype(name):
    found = _types.TYPES.get(name)
    return np.dtype(name) if found is None else found.dtype


class Vectorize:
    """A ufunc: a function of scalars, applied to the elements of arrays that are broadcast."""

    def __init__(self, function, signatures):
        self._template = _Template(function)
        self._signatures = [_UfuncSignature(signature) for signature in signatures]
        if not self._signatures:
            raise TypeError("vectorize needs signatures, as [\"float32(float32, float32)\"]")
        self.__name__ = self._template.function.__name__
        self.__doc__ = self._template.function.__doc__
        self.max_blocksize = _BLOCK
        self._reduction = None

    def __call__(self, *args, out=None, stream=0):
        """The results as an array of the shape that the arguments broadcast to: on the device if an
        argument or `out` is, else in the host's memory."""
        arrays = [_operand(arg) for arg in args]
        signature = _choose(self, lambda one: one.inputs, args, arrays)
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
        on_device = any(_device_array._lies_on(a, _device.current()) for a in (*args, out))
        if out is not None and out.shape != shape:
            raise ValueError(f"the results have the shape {shape}, and out {out.shape}")
        inputs = [_broadcast(array, dtype, shape, stream)
                  for array, dtype in zip(arrays, signature.inputs)]
        result = _result_array(out, shape, signature.result)
        self._launch(inputs, result, signature, stream)
        if on_device and (out is None or _lies_on_device(out)):
            return result if out is None else out
        host = result.copy_to_host(out)
        _device.current().synchronize()
        return host if host.ndim else host[()]

    def _launch(self, inputs, result, signature, stream):
        if not result.size:
            return
        flat = all(array.is_c_contiguous() or array.size == 1 for array in (*inputs, result))
        if flat:
            inputs = [array.ravel() for array in inputs]
            result = result.ravel()
        text = _elementwise_text([array.ndim for array in inputs],
                                 [array.size == 1 and result.size > 1 for array in inputs],
                                 result.ndim, signature.inputs)
        block = _block_size(self)
        blocks = min((result.size + block - 1) // block, 1 << 20)
        self._template.kernel(text, "apply")[blocks, block, stream](*inputs, result)

    def reduce(self, arg, stream=0):
        """The reduction of an array of one dimension by a function of two elements."""
        if self._reduction is None:
            self._reduction = Reduce(self._template.function)
        array = arg if len(arg) else None
        if array is None:
            raise ValueError("an empty array has no reduction")
        first, rest = array[0], array[1:]
        return self._reduction(rest, init=first, stream=stream)


def _lies_on_device(arg):
    return _device_array._lies_on(arg, _device.current())


def _operand(arg):
    return _device_array.as_device(arg) if _lies_on_device(arg) else np.asarray(arg)


def _result_array(out, shape, dtype):
    """The device array that the kernel stores to: `out`, or a new one."""
    if out is not None and _lies_on_device(out):
        return _device_array.as_device(out)
    return _device_array.empty(shape, dtype)


def _block_size(ufunc):
    """The threads of a block, which the program may limit."""
    if not 1 <= ufunc.max_blocksize <= 1024:
        raise ValueError(f"max_blocksize is 1 to 1024, not {ufunc.max_blocksize}")
    return min(ufunc.max_blocksize, _BLOCK)


def _is_weak(arg):
    return type(arg) in (int, float, complex, bool)


def _choose(ufunc, inputs_of, args, arrays):
    """The signature with the arguments' types; else with those of the arguments that are no numbers
    of Python's; else the first that takes the arguments without a loss."""
    dtypes = [array.dtype for array in arrays]
    for matches in (_is_same, _is_same_but_for_numbers, _fits):
        for signature in ufunc._signatures:
            wanted = inputs_of(signature)
            if len(wanted) == len(dtypes) and all(map(matches, args, dtypes, wanted)):
                return signature
    raise TypeError(f"{ufunc.__name__} has no signature for {[str(d) for d in dtypes]}")


def _is_same(arg, dtype, wanted):
    return dtype == wanted


def _is_same_but_for_numbers(arg, dtype, wanted):
    return _fits(arg, dtype, wanted) if _is_weak(arg) else dtype == wanted


def _fits(arg, dtype, wanted):
    if _is_weak(arg):
        return np.can_cast(dtype, wanted, "same_kind") or wanted.kind in "fc" and dtype.kind in "iu"
    return np.can_cast(dtype, wanted)


def _broadcast(array, dtype, shape, stream):
    """A device array with `dtype`, broadcast to `shape`; one element is not repeated."""
    if not isinstance(array, _device_array.DeviceNDArray):
        array = _device_array.to_device(np.ascontiguousarray(array.astype(dtype)), stream) \
            if array.ndim else _device_array.to_device(array.astype(dtype).reshape(1), stream)
    elif array.dtype != dtype:
        raise TypeError(f"an array on the device has elements of {array.dtype}, not {dtype}")
    if array.size == 1:
        return array.reshape(1) if array.is_c_contiguous() else array
    return array if array.shape == shape else array._view(np.broadcast_to(array._ghost, shape))


def _elementwise_text(ndims, single, ndim, dtypes):
    """The kernel for inputs of these numbers of dimensions, some of them of one element."""
    names = [f"a{k}" for k in range(len(ndims))]
    lines = ["@cuda.jit", f"def apply({', '.join([*names, 'out'])}):",
             "    for flat in range(cuda.grid(1), out.size, cuda.gridsize(1)):"]
    index = [f"i{axis}" for axis in range(ndim)]
    if ndim == 1:
        lines.append("        i0 = flat")
    else:
        lines.append("        rest = flat")
        for axis in reversed(range(ndim)):
            lines.append(f"        i{axis} = rest % out.shape[{axis}]")
            lines.append(f"        rest //= out.shape[{axis}]")
    values = [f"{name}[{', '.join(['0'] * n if one else index)}]"
              for name, one, n in zip(names, single, ndims)]
    lines.append(f"        out[{', '.join(index)}] = _function({', '.join(values)})")
    return "\n".join(lines)


# --- Generalised ufuncs ---------------------------------------------------------------------------

_NAME = re.compile(r"\w+(?:\[[a-zA-Z]+\])?")  # float32, datetime64[D]
_LAYOUT = re.compile(r"\(([^()]*)\)")


class Guvectorize:
    """A generalised ufunc: a function of arrays whose last parameters are results, for each item of
    the arrays' first dimensions. The layout says which dimensions it sees: "(m,n),(n)->(m)"."""

    def __init__(self, function, signatures, layout):
        self._template = _Template(function)
        self.__name__ = self._template.function.__name__
        self.__doc__ = self._template.function.__doc__
        left, arrow, right = layout.partition("->")
        if not arrow:
            raise ValueError(f"a layout is \"(n),(n)->()\", not {layout!r}")
        self._inputs = [_core_names(part) for part in _LAYOUT.findall(left)]
        self._outputs = [_core_names(part) for part in _LAYOUT.findall(right)]
        self.max_blocksize = _BLOCK
        given = signatures if isinstance(signatures, (list, tuple)) else [signatures]
        self._signatures = [self._read(signature) for signature in
                            _dispatcher.signature_texts(list(given))]
        if not self._signatures:
            raise TypeError("guvectorize needs signatures, as [\"void(float32[:], float32[:])\"]")

    def _read(self, text):
        """[(dtype, whether it is an array)] of the parameters."""
        inner = text[text.index("(") + 1:text.rindex(")")]
        parts = [part.strip() for part in re.split(r",\s*(?![^\[]*\])", inner) if part.strip()]
        if len(parts) != len(self._inputs) + len(self._outputs):
            raise ValueError(f"{text} and the layout differ in the number of parameters")
        names = [_NAME.match(part) for part in parts]
        return [(_dtype(name[0]), name.end() < len(part)) for name, part in zip(names, parts)]

    def __call__(self, *args, out=None, stream=0):
        """The results: on the device if an argument is, else in the host's memory."""
        n_in, n_out = len(self._inputs), len(self._outputs)
        if len(args) not in (n_in, n_in + n_out):
            raise TypeError(f"{self.__name__} takes {n_in} arrays, not {len(args)}")
        given = args[n_in:] if len(args) > n_in else (
            out if isinstance(out, tuple) else (out,) * (out is not None))
        arrays = [_operand(arg) for arg in args[:n_in]]
        signature = _choose(self, lambda one: [dtype for dtype, _ in one[:len(args)]], args, arrays)
        loop, sizes = self._shapes(arrays)
        on_device = any(map(_lies_on_device, (*args, *given)))
        inputs = [_on_device(array, dtype, stream) for array, (dtype, _) in zip(arrays, signature)]
        results = self._results(given, signature, loop, sizes)
        if 0 not in loop:
            self._launch([*inputs, *results], signature, loop, stream)
        results = [_take_back(result, out, on_device)
                   for result, out in zip(results, given or [None] * n_out)]
        if not on_device or not all(map(_lies_on_device, given)):
            _device.current().synchronize()  # what is copied to the host is there
        return results[0] if n_out == 1 else tuple(results)

    def _launch(self, arrays, signature, loop, stream):
        loop = loop or (1,)
        views = [_for_items(array, core, loop)
                 for array, core in zip(arrays, self._inputs + self._outputs)]
        items = int(np.prod(loop, dtype=np.int64))
        if all(view.is_c_contiguous() for view in views):
            views = [view.reshape((items, *view.shape[len(loop):])) for view in views]
            loop = (items,)
        block = _block_size(self)
        kernel = self._template.kernel(self._text(signature, len(loop)), "apply")
        kernel[(items + block - 1) // block, block, stream](items, *views)

    def _shapes(self, arrays):
        """The shape of the loop, and the extents that the layout's names stand for."""
        sizes, loops = {}, []
        for array, core in zip(arrays, self._inputs):
            if array.ndim < len(core):
                raise ValueError(f"an array of {array.ndim} dimensions has no {core}")
            at = array.ndim - len(core)
            loops.append(array.shape[:at])
            for name, extent in zip(core, array.shape[at:]):
                if sizes.setdefault(name, extent) != extent:
                    raise ValueError(f"{name} is {sizes[name]} in one array and {extent} in another")
        return np.broadcast_shapes(*loops), sizes

    def _results(self, given, signature, loop, sizes):
        results = []
        for k, core in enumerate(self._outputs):
            unknown = [name for name in core if name not in sizes]
            if unknown:
                raise ValueError(f"no input has the extent {unknown[0]} of a result")
            shape = loop + tuple(sizes[name] for name in core)
            dtype = signature[len(self._inputs) + k][0]
            if given and given[k].shape != shape:
                raise ValueError(f"a result has the shape {shape}, and its array {given[k].shape}")
            results.append(_result_array(given[k] if given else None, shape, dtype))
        return results

    def _text(self, signature, ndim):
        """The kernel for so many dimensions of items."""
        n_in = len(self._inputs)
        names = [f"p{k}" for k in range(len(signature))]
        index = [f"i{axis}" for axis in range(ndim)]
        values = []
        for k, (name, core) in enumerate(zip(names, self._inputs + self._outputs)):
            is_array = signature[k][1] or k >= n_in
            if core or not is_array:
                values.append(f"{name}[{', '.join(index + [':'] * len(core))}]")
            else:  # one element as an array
                values.append(f"{name}[{', '.join(index)}:{index[-1]} + 1]")
        lines = ["@cuda.jit", f"def apply(n, {', '.join(names)}):", "    i0 = cuda.grid(1)",
                 "    if i0 < n:"]
        for axis in reversed(range(1, ndim)):
            lines.append(f"        i{axis} = i0 % {names[-1]}.shape[{axis}]")
            lines.append(f"        i0 //= {names[-1]}.shape[{axis}]")
        return "\n".join([*lines, f"        _function({', '.join(values)})"])


def _on_device(array, dtype, stream):
    """The array on the device. One that lies there has the dtype, and others are converted."""
    if not isinstance(array, _device_array.DeviceNDArray):
        return _device_array.to_device(np.asarray(array, dtype, order="C"), stream)
    if array.dtype != dtype:
        raise TypeError(f"an array on the device has elements of {array.dtype}, not {dtype}")
    return array


def _for_items(array, core, loop):
    """A view of the array with the dimensions of all items, and those of the layout."""
    shape = loop + array.shape[array.ndim - len(core):]
    return array if array.shape == shape else array._view(np.broadcast_to(array._ghost, shape))


def _take_back(result, out, on_device):
    """What the caller gets of a result on the device."""
    if out is None:
        return result if on_device else result.copy_to_host()[()]  # a scalar of no dimensions
    return out if _lies_on_device(out) else result.copy_to_host(out)


def _core_names(part):
    return tuple(name.strip() for name in part.split(",") if name.strip())


def vectorize(ftylist_or_function, target=None, **options):
    """Makes a ufunc of a function of scalars: @vectorize(["float32(float32, float32)"])."""
    given = ftylist_or_function
    signatures = given if isinstance(given, (list, tuple)) else [given]
    if callable(given) and not isinstance(given, _types.Signature):
        raise TypeError("vectorize needs signatures, as [\"float32(float32, float32)\"]")
    return lambda function: Vectorize(function, signatures)


def guvectorize(ftylist, signature, target=None, **options):
    """Makes a generalised ufunc: @guvectorize(["void(float32[:], float32[:])"], "(n)->()")."""
    return lambda function: Guvectorize(function, ftylist, signature)


def _check_target(name, target):
    if target != "cuda":
        raise NotImplementedError(f"ck.{name} is for target=\"cuda\", not {target!r}: keep Numba's for "
                                  f"other targets, `from numba import {name}`")


def vectorize_for_target(ftylist_or_function, target="cpu", **options):
    """vectorize as the package numba has it, for which the device is a target."""
    _check_target("vectorize", target)
    return vectorize(ftylist_or_function, target, **options)


def guvectorize_for_target(ftylist, signature, target="cpu", **options):
    """guvectorize as the package numba has it."""
    _check_target("guvectorize", target)
    return guvectorize(ftylist, signature, target, **options)
