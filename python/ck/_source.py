"""The text of a kernel: its Python function, the functions that this calls, and the values of the
names that they use, put together as one source of ck. Each line knows the file it is from."""

import ast
import builtins
import dis
import functools
import inspect
import itertools
import math
import types

from ck import _records, _types

# What ck binds in each source by itself.
_BOUND = {"cuda": "ck.cuda", "math": "math", "np": "numpy", "numpy": "numpy", "numba": "numba"}
_MODULES = {"math": "math", "_operator": "operator", "operator": "operator", "numpy": "numpy",
            "numba": "numba", "numba.cuda": "numba.cuda", "ck": "numba", "ck.cuda": "numba.cuda",
            "ck.types": "numba.types", "numba.core.types": "numba.types"}
_LARGEST_ARRAY = 1 << 16  # elements of a constant


class NoConstant(Exception):
    """A value that no text of ck stands for; its argument says what the value is."""


class KernelOnly:
    """A name of ck.cuda that means something in kernels alone."""

    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return KernelOnly(f"{self._path}.{name}")

    def __call__(self, *args, **keywords):
        raise RuntimeError(f"{self._path} is for kernels and means nothing outside of one")

    def __repr__(self):
        return f"<{self._path}, for kernels>"


# --- Constants ------------------------------------------------------------------------------------


def _float(value):
    if math.isfinite(value):
        return repr(value)
    return "math.nan" if value != value else "math.inf" if value > 0 else "(-math.inf)"


def _number(value):
    if isinstance(value, bool) or isinstance(value, int):
        return repr(value) if value >= 0 else f"({value!r})"
    if isinstance(value, float):
        return _float(value)
    return f"complex({_float(value.real)}, {_float(value.imag)})"


def _nested(items):
    if isinstance(items, list):
        return f"[{', '.join(map(_nested, items))}]"
    return _number(items)


def _of_numpy(value):
    """A scalar, an array or a dtype of NumPy; None if `value` is neither."""
    numpy = _numpy()
    if numpy is None:
        return None
    if isinstance(value, numpy.generic) and value.dtype.kind in "mM":
        return _date(value)
    if isinstance(value, numpy.generic) and value.dtype.kind in "biufc":
        return f"{_types.numpy_name(value.dtype)}({_number(value.item())})"
    if isinstance(value, numpy.ndarray) and value.dtype.kind in "biufc":
        if value.size > _LARGEST_ARRAY:
            raise NoConstant(f"an array of {value.size} elements, more than {_LARGEST_ARRAY}")
        return f"np.array({_nested(value.tolist())}, {_types.numpy_name(value.dtype)})"
    if isinstance(value, numpy.dtype) and value.kind in "biufcmM":
        return _types.numpy_name(value)
    if isinstance(value, numpy.dtype) and value.names:
        return _of_record(value)
    if isinstance(value, type) and issubclass(value, numpy.generic):
        return _types.numpy_name(numpy.dtype(value))
    return None


def _date(value):
    """A date or time of NumPy: its unit, and how many there are since 1970."""
    unit, multiple = _numpy().datetime_data(value.dtype)
    name = "datetime64" if value.dtype.kind == "M" else "timedelta64"
    if multiple != 1:
        raise NoConstant(f"{value.dtype}, a multiple of a unit")
    if unit == "generic":
        return f"np.{name}({repr('NaT') if _numpy().isnat(value) else int(value.view('i8'))})"
    return f"np.{name}({_number(int(value.view('i8')))}, {unit!r})"


def _of_record(dtype):
    try:
        return _records.definition(dtype)
    except ValueError as error:
        raise NoConstant(f"a dtype without a text: {error}") from None


def _numpy():
    import sys

    return sys.modules.get("numpy")


def _constant(value):
    """The text of a value."""
    if value is None or isinstance(value, str):
        return repr(value)
    if type(value) in (bool, int, float, complex):
        return _number(value)
    if isinstance(value, (_types.Type, _types.Void)):
        return str(value)
    if isinstance(value, _types.Element):
        return value.definition()
    if isinstance(value, _types.Pointer):
        of = value.element
        return "voidptr" if of is None else f"types.CPointer({_constant(of)})"
    if isinstance(value, _types.ArrayType):
        return f"{_constant(value.element)}[{', '.join(value.dimensions)}]"
    text = _of_numpy(value)
    if text is not None:
        return text
    if type(value) is tuple:
        return f"({', '.join(map(_constant, value))}{',' * (len(value) == 1)})"
    if isinstance(value, int):  # of an enumeration
        return _number(int(value))
    raise NoConstant(f"a '{type(value).__name__}' of the Python program")


def _same(one, other):
    if one is other:
        return True
    try:
        return type(one) is type(other) and _constant(one) == _constant(other)
    except NoConstant:
        return False


def _compiles_to(node, code):
    """Whether a lambda's code is `code`."""
    made = compile(ast.Expression(node), code.co_filename, "eval")
    (made,) = [value for value in made.co_consts if isinstance(value, types.CodeType)]
    return made.co_varnames == code.co_varnames and _instructions(made) == _instructions(code)


def _instructions(code):
    """What a function does, without how it gets its names: those of the lambda's function are
    global ones when the lambda is compiled alone."""
    names = {"LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME"}
    left_out = {"COPY_FREE_VARS", "PUSH_NULL", "RESUME", "PRECALL"}
    return [("name", one.argval) if one.opname in names else (one.opname, one.argrepr)
            for one in dis.get_instructions(code) if one.opname not in left_out]


# --- Functions ------------------------------------------------------------------------------------


class Function:
    """A Python function as text: its lines without decorators and indentation, and its tree."""

    def __init__(self, python):
        self.python = python
        self.file = inspect.getsourcefile(python) or python.__code__.co_filename
        try:
            lines, first = inspect.getsourcelines(python)
        except OSError as error:
            raise OSError(f"the source of {python.__qualname__} cannot be read ({error}): a kernel "
                          "is compiled from its text, in a file or in a notebook's cell; "
                          "ck.compile(text=...) takes text") from None
        first = first or 1
        if python.__name__ == "<lambda>":
            self._take_lambda(lines, first)
            return
        self.column = len(lines[0]) - len(lines[0].lstrip())
        lines = [_dedent(line, self.column) for line in lines]
        self.tree = ast.parse("".join(lines)).body[0]
        start = self.tree.lineno - 1
        self.decorator_line = first if start else max(first - 1, 1)
        self.line = first + start
        self.lines = [line.rstrip("\n") for line in lines[start:self.tree.end_lineno]]
        ast.increment_lineno(self.tree, -start)

    def _take_lambda(self, lines, first):
        text = "".join(lines)
        for end in range(len(text), 0, -1):  # the statement may be cut out of a longer one
            try:
                tree = ast.parse(text[:end].strip())
                break
            except SyntaxError:
                continue
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
        if len(found) > 1:  # the one that Python compiles to the same
            found = [node for node in found if _compiles_to(node, self.python.__code__)]
        if len({ast.unparse(node) for node in found}) != 1:
            raise OSError(f"{self.file}:{first}: it is not clear which lambda of this statement is "
                          "meant: make it a function")
        name = f"lambda_{first}"
        self.lines = [f"def {name}({ast.unparse(found[0].args)}):",
                      f"    return {ast.unparse(found[0].body)}"]
        self.tree = ast.parse("\n".join(self.lines)).body[0]
        self.column, self.line, self.decorator_line = 0, first, first

    @property
    def name(self):
        return self.tree.name

    @functools.cached_property
    def outer_names(self):
        """{name: value} of the globals and the closure that the function and its lambdas use."""
        values = dict(self.python.__globals__)
        for name, cell in zip(self.python.__code__.co_freevars, self.python.__closure__ or ()):
            try:
                values[name] = cell.cell_contents
            except ValueError:
                raise NameError(f"{name} has no value yet where {self.name} is compiled") from None
        used = {node.id for node in self.outer_uses}
        return {name: values[name] for name in sorted(used) if name in values}

    def parts(self):
        """Of the function, what ck reads: not its decorators."""
        return [self.tree.args, *self.tree.body, *filter(None, [self.tree.returns])]

    @functools.cached_property
    def outer_uses(self):
        """The places of names that neither the function binds nor one in it around the place."""
        bound = _bound_names(self.tree)
        return [node for part in self.parts() for node in _uses(part, bound)]

    def all_names(self):
        """Each name in the text, whatever it is."""
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)} | {
            node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg)}


def _bound_names(function):
    """What a function or a lambda binds: parameters, and what it assigns, not those in it."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs,
             *filter(None, [arguments.vararg, arguments.kwarg])]
    bound = {argument.arg for argument in every}
    todo = list(function.body) if isinstance(function.body, list) else []
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef):
            bound.add(node.name)
        elif not isinstance(node, ast.Lambda):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound.add(node.id)
            todo.extend(ast.iter_child_nodes(node))
    return bound


def _uses(node, bound):
    """The names in a tree that are not bound there."""
    if isinstance(node, ast.Name):
        return [] if node.id in bound else [node]
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        bound = bound | _bound_names(node)
    return [use for child in ast.iter_child_nodes(node) for use in _uses(child, bound)]


def _dedent(line, column):
    return line[column:] if not line[:column].strip() else line


class Edits:
    """Changes of a function's lines: places of its tree, by other text."""

    def __init__(self, function):
        self.function = function
        self.edits = []

    def replace(self, node, text):
        self.edits.append((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, text))

    def lines(self):
        """The changed lines, as many as before: a place of several lines is inside of brackets."""
        lines = [line.encode() for line in self.function.lines]
        for line, column, end_line, end_column, text in sorted(self.edits, reverse=True):
            rest = lines[end_line - 1][end_column:]
            for emptied in range(line, end_line - 1):
                lines[emptied] = b""
            if line < end_line:
                lines[end_line - 1] = rest
                rest = b""
            lines[line - 1] = lines[line - 1][:column] + text.encode() + rest
        return [line.decode() for line in lines]


class Source:
    """A source of ck that grows by functions, with the places its lines are from."""

    def __init__(self):
        self.lines = []
        self.parts = []
        self.values = {}  # names of the source: what they stand for
        self.functions = {}  # id of a Python function: its name in the source
        self.kept = []  # the functions, so that an id stays theirs
        self._taken = set()  # names that are something else in the function that is added

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    def add(self, lines, file, line, column=0):
        self.parts.append((len(self.lines) + 1, file, line, column))
        self.lines += lines

    def add_function(self, python, decorator=None):
        """Adds a function and all that it uses; its name in the source."""
        if id(python) in self.functions:
            return self.functions[id(python)]
        function = Function(python)
        name = self._free_name(function.name, python)
        self.functions[id(python)] = name
        self.values[name] = python
        self.kept.append(python)
        edits = Edits(function)
        if name != function.name:
            self._rename(function, name)
        outer, self._taken = self._taken, self._taken | function.all_names()
        self._bind_names(function, edits)
        self._taken = outer
        self._take_defaults(function, edits)
        self._drop_annotations(function, edits)
        if decorator:
            self.add([decorator], function.file, function.decorator_line, function.column)
        self.add(edits.lines(), function.file, function.line, function.column)
        return name

    def _rename(self, function, name):
        """Gives the function another name, also where it calls itself."""
        head = function.lines[0]
        at = head.index(function.name, head.index("def") + 3)
        function.lines[0] = head[:at] + name + head[at + len(function.name):]
        shift = len(name.encode()) - len(function.name.encode())
        for node in ast.walk(function.tree):  # what is behind the name on its line
            for line, column in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
                if getattr(node, line, 0) == 1 and getattr(node, column) > at:
                    setattr(node, column, getattr(node, column) + shift)

    def _free_name(self, name, value):
        if name not in self.values or _same(self.values[name], value):
            return name
        others = (f"{name}_{i}" for i in itertools.count(2))
        return next(other for other in others if other not in self._taken and (
            other not in self.values or _same(self.values[other], value)))

    def _bind_names(self, function, edits):
        """Binds what the function's names stand for, some of them by another name."""
        names = function.outer_names
        uses = {id(node) for node in function.outer_uses}
        for node in (n for part in function.parts() for n in ast.walk(part)):
            if isinstance(node, ast.Attribute):
                root = _root(node)
                path, value = self._member(node, names) if id(root) in uses else (None, None)
                if path:
                    edits.replace(node, self.bind(path, value, function))
                    uses.discard(id(root))
        for node in function.outer_uses:
            if node.id in names and id(node) in uses:
                new = self.bind(node.id, names[node.id], function)
                if new != node.id:
                    edits.replace(node, new)

    def _member(self, node, names):
        """The name and the value of a member of a module of the program, as `helpers.SIZE`."""
        path = []
        while isinstance(node, ast.Attribute):
            path.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in names:
            return None, None
        value, done, is_known = names[node.id], [node.id], False
        for name in path:
            if not isinstance(value, types.ModuleType):
                return None, None
            is_known = is_known or value.__name__ in _MODULES
            value = getattr(value, name, None)
            done.append(name)
        if is_known and not _is_of_random(value) or len(done) == 1:
            return None, None
        return "_".join(done), value

    def bind(self, name, value, function):
        """The name by which the source has the value."""
        if isinstance(value, types.ModuleType) and _BOUND.get(name) == value.__name__:
            return name
        python = getattr(value, "py_func", value)
        if isinstance(python, types.FunctionType):
            return self._bind_function(name, value, python)
        if hasattr(builtins, name) and getattr(builtins, name) is value:
            return name
        if str(value) == name and isinstance(value, (_types.Type, _types.Void)):
            return name
        return self._bind_value(self._free_name(name, value), value)

    def bind_type(self, value):
        """The name by which the source has a namedtuple's type."""
        known = [name for name, one in self.values.items() if one is value]
        return known[0] if known else self._bind_value(
            self._free_name(value.__name__, value), value)

    def bind_records(self, signatures):
        """Binds the types of records that signatures name."""
        for name, value in _records.types_in(signatures).items():
            self._bind_value(name, value)

    def _bind_value(self, name, value):
        if name not in self.values:
            self.values[name] = value
            self.kept.append(value)
            self.add([self._definition(name, value)], "<globals>", len(self.values))
        return name

    def _bind_function(self, name, value, python):
        decorator = value.decorator() if hasattr(value, "decorator") else None
        own = self.add_function(python, decorator)
        if own == name or python.__name__ == "<lambda>":
            return own
        new = self._free_name(name, python)
        if new not in self.values:
            self.values[new] = python
            self.add([f"{new} = {own}"], "<globals>", len(self.values))
        return new

    def _definition(self, name, value):
        """The statement that gives the name its value."""
        if isinstance(value, types.ModuleType) and value.__name__ in _MODULES:
            return f"import {_MODULES[value.__name__]} as {name}"
        if isinstance(value, KernelOnly):
            return _import(value._path, name)
        module = getattr(value, "__module__", None) or (
            "numpy" if type(value).__module__ == "numpy" and callable(value) else "")
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            return f"{name} = namedtuple({name!r}, {' '.join(value._fields)!r})"
        if callable(value) and _MODULES.get(module) in ("math", "operator", "numpy"):
            numpy = _of_numpy(value)
            return f"{name} = {numpy}" if numpy else _import(
                f"{_MODULES[module]}.{value.__name__}", name)
        try:
            return f"{name} = {_constant(value)}"
        except NoConstant as error:
            return f"{name} = no_constant({str(error)!r})"

    def _take_defaults(self, function, edits):
        """Default values are those of the definition, whatever their names stand for by now."""
        values = function.python.__defaults__ or ()
        for node, value in zip(function.tree.args.defaults, values):
            if isinstance(node, ast.Constant):
                continue
            try:
                text = _constant(value)
            except NoConstant:
                continue
            edits.edits = [e for e in edits.edits if not _inside(e, node)]
            edits.replace(node, text)

    def _drop_annotations(self, function, edits):
        """Annotations that are no types of ck's mean nothing to a kernel."""
        names = function.outer_names
        arguments = function.tree.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for argument in every:
            if argument.annotation is not None and not _is_type(argument.annotation, names):
                edits.edits = [e for e in edits.edits if not _inside(e, argument)]
                edits.replace(argument, argument.arg)


def _root(node):
    """The first name of a path, as `a` of `a.b.c`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _inside(edit, node):
    return (node.lineno, node.col_offset) <= edit[:2] and \
        edit[2:4] <= (node.end_lineno, node.end_col_offset)


def _is_of_random(value):
    """Whether it is a function of ck.cuda.random, which is Python."""
    return isinstance(value, types.FunctionType) and value.__module__ == "ck.cuda.random"


def _import(path, name):
    module, _, member = path.rpartition(".")
    if module.startswith("cuda"):
        module = "numba." + module
    return f"from {module} import {member} as {name}"


def _is_type(annotation, names):
    """Whether an annotation is one of ck's types, or the name of a namedtuple."""
    if isinstance(annotation, ast.Constant):
        return False
    while isinstance(annotation, (ast.Subscript, ast.Attribute)):
        annotation = annotation.value
    value = names.get(annotation.id) if isinstance(annotation, ast.Name) else None
    if isinstance(value, types.ModuleType):
        return value.__name__ in ("ck", "ck.cuda", "numba")
    return isinstance(value, (_types.Element, _types.ArrayType, _types.Pointer)) or hasattr(value, "_fields") or \
        bool(getattr(value, "names", None)) and type(value).__module__.startswith("numpy")
