"""Types of records: NumPy's structured dtypes, as text of ck and from it."""

import re

from ck import _types

_known = {}  # the type of each dtype
_by_name = {}
_NAME = re.compile(r"\bck_record_\d+\b")
_TOKEN = re.compile(r"[{}(),:@/]|\w+")


class RecordType(_types.Element):
    """The type of a structured dtype in signatures: `from_dtype(dtype)[:]`."""

    def __init__(self, dtype):
        self.dtype = dtype
        self.name = f"ck_record_{len(_known) + 1}"
        self.definition()  # an error is one of the definition
        _by_name[self.name] = self

    def definition(self):
        """The dtype's text in ck."""
        return definition(self.dtype)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"from_dtype({self.dtype!r})"


def from_dtype(dtype):
    """The type of elements that have a dtype of NumPy."""
    import numpy

    dtype = numpy.dtype(dtype)
    if dtype.names is None:
        return _types.TYPES["boolean" if dtype.kind == "b" else dtype.name]
    if dtype not in _known:
        _known[dtype] = RecordType(dtype)
    return _known[dtype]


def _fields(dtype):
    for name in dtype.names:
        field = dtype.fields[name][0]
        yield name, *(field.subdtype or (field, ()))


def definition(dtype):
    """The text by which ck has a structured dtype; ValueError: none places the fields so."""
    import numpy

    for align in (False, True):
        fields = list(_fields(dtype))
        if numpy.dtype(fields, align=align) == dtype:
            items = [f"({name!r}, {_element(element)}{f', {shape!r}' if shape else ''})"
                     for name, element, shape in fields]
            return f"np.dtype([{', '.join(items)}]{', align=True' if align else ''})"
    raise ValueError(f"{dtype} has its fields where numpy.dtype does not place them, neither with "
                     "align=True nor without: no signature and no constant can have it")


def _element(dtype):
    if dtype.names is not None:
        return definition(dtype)
    return _types.numpy_name(dtype)


def types_in(text):
    """{name: type} of the records in a text of signatures."""
    return {name: _by_name[name] for name in _NAME.findall(text) if name in _by_name}


def with_names(signature):
    """The text of a signature in which records are written as ck shows them,
    "{key:int32,value:float32}[::1]", with names for them."""
    start = signature.find("{")
    while start >= 0:
        tokens = _Tokens(signature[start:])
        name = from_dtype(_read(tokens)).name
        signature = signature[:start] + name + signature[start + tokens.at:]
        start = signature.find("{")
    return signature


class _Tokens:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def next(self):
        match = _TOKEN.match(self.text, self.at)
        self.at = match.end()
        return match.group()

    def take(self, token):
        """Whether this token is next; then goes behind it."""
        is_next = self.text.startswith(token, self.at)
        self.at += len(token) * is_next
        return is_next


def _read(tokens):
    """The dtype of a record's text: `@` and the offset of a field that does not follow the one
    before, `/` and a size that is not the last field's end."""
    import numpy

    names, formats, offsets, end = [], [], [], 0
    while tokens.next() in "{,":
        names.append(tokens.next())
        tokens.next()
        element = _read(tokens) if tokens.text.startswith("{", tokens.at) else \
            _types.TYPES[_types.ALIASES.get(name := tokens.next(), name)].dtype
        shape = _read_shape(tokens)
        formats.append((element, shape) if shape else element)
        offsets.append(int(tokens.next()) if tokens.take("@") else end)
        end = offsets[-1] + numpy.dtype(formats[-1]).itemsize
    size = int(tokens.next()) if tokens.take("/") else end
    return numpy.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def _read_shape(tokens):
    shape = []
    if tokens.take("("):
        shape.append(int(tokens.next()))
        while tokens.next() == ",":
            shape.append(int(tokens.next()))
    return tuple(shape)
