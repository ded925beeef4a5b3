"""Kernels and device functions of Python functions: what ck.cuda.jit makes."""

import types

from ck import _core, _device, _records, _source, _types

# Options of Numba's that ck does not need: it keeps compiled code, and compiles one way.
_WITHOUT_MEANING = {"cache", "inline", "forceinline", "bind", "opt", "debug", "lto", "chip", "cc",
                    "extensions", "abi", "abi_info", "output", "restype", "argtypes", "nopython"}
_OF_THE_DECORATOR = ("fastmath", "launch_bounds", "max_registers", "cluster", "wraparound")


def signature_texts(given):
    """Signatures as a list of text "void(...)": of text, types, tuples of types, lists of any."""
    if given is None:
        return []
    if isinstance(given, list):
        return [text for one in given for text in signature_texts(one)]
    if isinstance(given, str):
        text = given.strip()
        at = text.index("(")
        return ["void" + text[at:]]
    if isinstance(given, _types.Signature):
        return [str(given)]
    if isinstance(given, tuple):
        return [f"void({', '.join(map(_types.type_text, given))})"]
    if hasattr(given, "args") and hasattr(given, "return_type"):  # Numba's own
        return [f"void({', '.join(map(_types.type_text, given.args))})"]
    raise TypeError(f"{given!r} is no signature")


class DeviceFunction:
    """A function for kernels: compiled along with each that calls it."""

    def __init__(self, function):
        self.py_func = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__

    def __call__(self, *args):
        raise RuntimeError(f"{self.__name__} is a device function: kernels call it")

    def __repr__(self):
        return f"<ck device function {self.__name__}>"

    def __reduce__(self):
        return self.py_func.__qualname__  # pickled by name, as Python's functions


class Program:
    """A kernel's source and what is compiled from it beside the kernel itself. It knows no kernel
    object, so that these are freed with their last reference."""

    def __init__(self, function, options, lineinfo):
        self.function = function
        self.options = dict(options or {})
        self.lineinfo = lineinfo
        self.modules = {}  # of the arguments that are None, and of signatures

    def decorator(self, signatures):
        """The decorator in ck's text."""
        options = [f"{name}={value!r}" for name, value in self.options.items()]
        parts = ([f"[{', '.join(map(repr, signatures))}]"] if signatures else []) + options
        return f"@cuda.jit({', '.join(parts)})" if parts else "@cuda.jit"

    def source(self, signatures):
        source = _source.Source()
        source.add(["from collections import namedtuple"], source_file(self.function), 1)
        source.bind_records(" ".join(signatures))
        source.add_function(self.function, self.decorator(signatures))
        return source

    def compile(self, source, **options):
        return _core.compile(text=source.text, name=source_file(self.function),
                             device=_device.current().spec, lineinfo=self.lineinfo,
                             _parts=source.parts, **options)

    def launch_special(self, shape, args):
        """A launch with arguments that are None or have fields: of a kernel that takes the rest,
        and calls this one with them."""
        key = _device.current(), tuple(map(_special_type, args))
        if key not in self.modules:
            self.modules.setdefault(key, self.compile(self._special_source(args)))
        kernel = self.modules[key][self.function.__name__ + "_special"]
        return kernel[shape](*filter(_is_given, args))

    def _special_source(self, args):
        own = self.function.__name__
        source = self.source([])
        names = [f"a{i}" for i, value in enumerate(args)]
        given = [name for name, value in zip(names, args) if _is_given(value)]
        passed = [_passed(source, name, value) for name, value in zip(names, args)]
        if any(value is _core._left_out for value in args):
            passed = [f"{parameter}={text}" for parameter, text, value
                      in zip(self.function.__code__.co_varnames, passed, args)
                      if value is not _core._left_out]
        source.add([self.decorator([]), f"def {own}_special({', '.join(given)}):",
                    f"    {own}({', '.join(passed)})"],
                   source_file(self.function), self.function.__code__.co_firstlineno)
        return source

    def for_signature(self, signature, cc=None):
        """The module of the kernel with one signature. Its PTX is for a compute capability, by
        default the device's."""
        device = _device.current()
        key = device, signature, cc
        if key not in self.modules:
            if cc is None and device.is_gpu:
                cc = device.driver.attribute(75), device.driver.attribute(76)
            arch = None if cc is None else f"sm_{cc[0]}{cc[1]}"
            text = "void" + _records.with_names(signature[signature.index("("):])
            self.modules.setdefault(key, self.compile(self.source([text]), arch=arch))
        return self.modules[key]


def _is_given(value):
    """Whether the kernel of a special launch has a parameter for it."""
    return value is not None and value is not _core._left_out


def _special_type(value):
    """What makes the source of a special launch another: None, default values before other
    arguments, and the types of tuples."""
    if isinstance(value, tuple):
        return type(value), tuple(map(_special_type, value))
    return value if not _is_given(value) else 0


def _passed(source, name, value):
    """The text of an argument that the kernel `name` was given for `value`."""
    if value is None:
        return "None"
    if not isinstance(value, tuple) or type(value) is tuple and all(
            type(item) is not tuple and not hasattr(item, "_fields") for item in value):
        return name
    items = [_passed(source, f"{name}[{i}]", item) for i, item in enumerate(value)]
    if hasattr(value, "_fields"):
        return f"{source.bind_type(type(value))}({', '.join(items)})"
    return f"({', '.join(items)}{',' * (len(items) == 1)})"


class Overloads(dict):
    """{signature: kernel}, in which a signature may be text, types or ck's own text."""

    def __missing__(self, key):
        wanted = signature_texts(key)
        for text, kernel in self.items():
            if len(wanted) == 1 and _bare(text) == _bare(wanted[0]):
                return kernel
        raise KeyError(key)

    def __contains__(self, key):
        try:
            self[key]
        except (KeyError, TypeError, ValueError):
            return False
        return True


def _bare(signature):
    """A signature's parameters without spaces."""
    return "".join(signature[signature.index("("):].split())


class Dispatcher:
    """A kernel: `kernel[grid, block, stream, shared_bytes](...)` compiles it for the types of the
    arguments when these are new, and launches it."""

    def __init__(self, function, signatures=(), options=None, lineinfo=False):
        self.py_func = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._declared = list(signatures)
        self._program = Program(function, options, lineinfo)
        self._kernels = {}  # by device
        self._text = None

    def __repr__(self):
        return f"<ck kernel {self.__name__}>"

    def __reduce__(self):
        return self.py_func.__qualname__  # pickled by name, as Python's functions

    def decorator(self):
        """The decorator in ck's text, for a kernel that calls this one."""
        return self._program.decorator(self._declared)

    def _kernel(self):
        """ck's kernel on this thread's device."""
        device = _device.current()
        kernel = self._kernels.get(device)
        if kernel is None:
            if self._text is None:
                # Constants are those of the first compilation.
                self._text = self._program.source(self._declared)
            kernel = self._program.compile(self._text)[self.__name__]
            kernel._set_special(self._program.launch_special, not self._declared)
            kernel = self._kernels.setdefault(device, kernel)  # another thread's, if it was first
        return kernel

    # --- Launches ---

    def __getitem__(self, shape):
        kernel = self._kernels.get(getattr(_device._local, "device", None))
        return (kernel or self._kernel())[shape]

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        """The same as an index."""
        return self[griddim, blockdim, stream, sharedmem]

    def __call__(self, *args, **keywords):
        raise ValueError(f"{self.__name__} is launched as {self.__name__}[grid, block](...)")

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        """A launch with at least `ntasks` threads, in blocks of `tpb`."""
        if ntasks < 0:
            raise ValueError(f"a launch cannot have {ntasks} threads")
        if ntasks == 0:
            return lambda *args: None
        tpb = tpb or min(256, (ntasks + 31) // 32 * 32)
        return self[(ntasks + tpb - 1) // tpb, tpb, stream, sharedmem]

    # --- What was compiled ---

    def compile(self, sig):
        """Compiles for a signature, so that a launch does not need to."""
        (text,) = signature_texts(sig)
        self._program.for_signature(text)
        return self

    def specialize(self, *args):
        """A kernel for the types of these arguments alone."""
        signature = _records.with_names(self._kernel().prepare(*args))
        return Dispatcher(self.py_func, ["void" + signature], self._program.options,
                          self._program.lineinfo)

    @property
    def signatures(self):
        """The signatures that were compiled, as text."""
        return self._kernel().signatures

    @property
    def overloads(self):
        """{signature: kernel} of what was compiled."""
        return Overloads({text: self for text in self.signatures})

    def _of_signatures(self, signature, query):
        """What `query` says of one signature, or {signature: that} of all that were compiled."""
        if signature is not None:
            (text,) = signature_texts(signature)
            return query(self._program.for_signature(text))
        return {text: query(self._program.for_signature(text)) for text in self.signatures}

    def inspect_asm(self, signature=None):
        """PTX of a signature; of all that were compiled, by signature."""
        return self._of_signatures(signature, lambda module: module.ptx)

    def inspect_llvm(self, signature=None):
        """LLVM IR, as inspect_asm."""
        return self._of_signatures(signature, lambda module: module.llvm)

    def inspect_sass(self, signature=None):
        """SASS, as inspect_asm, by ptxas and nvdisasm or cuobjdump of CUDA's toolkit."""
        from ck import _sass

        return self._of_signatures(signature, lambda module: _sass.sass_of(module.ptx))

    def inspect_types(self, file=None):
        raise NotImplementedError("ck-lsp shows the types of a kernel's names in editors; "
                                  "inspect_llvm() has the code")

    def ptx_for(self, signature, cc=None):
        """PTX of a signature for a compute capability, as (9, 0); None: that of the device."""
        (text,) = signature_texts(signature)
        return self._program.for_signature(text, cc).ptx

    def _usage(self, signature, member):
        return self._of_signatures(
            signature, lambda module: getattr(module[self.__name__].usage, member))

    def get_regs_per_thread(self, signature=None):
        """Registers of a thread, as inspect_asm; -1 on the CPU device."""
        return self._usage(signature, "registers")

    def get_shared_mem_per_block(self, signature=None):
        """Bytes of static shared memory of a block."""
        return self._usage(signature, "shared_bytes")

    def get_local_mem_per_thread(self, signature=None):
        """Bytes of local memory of a thread, spills included; -1 on the CPU device."""
        return self._usage(signature, "local_bytes")

    def get_const_mem_size(self, signature=None):
        raise NotImplementedError("ptxas tells the constant memory of inspect_asm()")

    def get_max_threads_per_block(self, signature=None):
        """The most threads of a block."""
        return self._usage(signature, "max_threads")

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """The largest grid of a cooperative launch; the kernel must have been launched."""
        return self._kernel().max_cooperative_grid_blocks(blockdim, dynsmemsize)


def source_file(function):
    return function.__code__.co_filename


def jit(func_or_sig=None, device=False, *, link=(), lineinfo=False, **options):
    """Makes a kernel, or with device=True a device function, of a Python function.

    `func_or_sig` is the function, or a signature or a list of them: text "void(float32[:], int32)",
    types, tuples of types. Without, the kernel is compiled for the types of each launch. Options:
    fastmath, launch_bounds, max_registers, cluster, wraparound, lineinfo; Numba's others are
    accepted and have no meaning."""
    if link:
        raise NotImplementedError("external code cannot be linked: write the function in Python")
    unknown = [name for name in options
               if name not in _WITHOUT_MEANING and name not in _OF_THE_DECORATOR]
    if unknown:
        raise TypeError(f"cuda.jit has no option {unknown[0]}")
    chosen = {name: options[name] for name in _OF_THE_DECORATOR
              if options.get(name) not in (None, False) or name == "wraparound" and name in options}
    if isinstance(func_or_sig, (types.FunctionType, DeviceFunction, Dispatcher)):
        return _make(func_or_sig, [], device, chosen, lineinfo)
    returns = isinstance(func_or_sig, _types.Result)
    signatures = [] if device or returns else signature_texts(func_or_sig)
    return lambda function: _make(function, signatures, device or returns, chosen, lineinfo)


def _make(function, signatures, device, options, lineinfo):
    function = getattr(function, "py_func", function)
    if device:
        return DeviceFunction(function)
    return Dispatcher(function, signatures, options, lineinfo)
