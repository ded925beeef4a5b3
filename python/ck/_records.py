"""Types of records: NumPy's structured dtypes, as text of ck and from it, and records that have
vectors as fields."""

import re

from ck import _types

_known = {}  # the type of each dtype
_by_name = {}
_by_text = {}  # of records with vectors, by what signatures show of them
_NAME = re.compile(r"\bck_record_\d+\b")
_TOKEN = re.compile(r"[{}(),:@/]|\w+(?:\[\w+\])?")


class RecordType(_types.Element):
    """The type of a structured dtype in signatures: `from_dtype(dtype)[:]`."""

    def __init__(self, dtype):
        self.dtype = dtype
        self.name = f"ck_record_{len(_by_name) + 1}"
        self.definition()  # an error is one of the definition
        _by_name[self.name] = self

    def definition(self):
        """The dtype's text in ck."""
        return definition(self.dtype)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"from_dtype({self.dtype!r})"


class DeclaredRecord(RecordType):
    """The type that `record` makes. NumPy takes it as the dtype of its memory."""

    def __init__(self, fields):
        import numpy

        self.fields = fields
        end, text, offsets = 0, [], []
        for field in fields:
            offsets.append(-(-end // field.alignment) * field.alignment)
            text.append(f"{field.name}:{field.text}{f'@{offsets[-1]}' * (offsets[-1] != end)}")
            end = offsets[-1] + field.dtype.itemsize
        self.alignment = max(field.alignment for field in fields)
        size = -(-end // self.alignment) * self.alignment
        self.text = f"{{{','.join(text)}}}{f'/{size}' * (size != end)}"
        super().__init__(numpy.dtype({
            "names": [field.name for field in fields], "offsets": offsets, "itemsize": size,
            "formats": [field.dtype for field in fields]}))
        _by_text[self.text] = self

    def definition(self):
        """The type's text in ck."""
        return f"record({', '.join(f'{field.name}={field.definition}' for field in self.fields)})"

    def __repr__(self):
        return self.definition()


class _Field:
    """A field of `record`: a type, or a tuple of one and the shape of an array."""

    def __init__(self, name, given):
        import numpy

        self.name = name
        given, shape = given if isinstance(given, tuple) else (given, ())
        shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        if not isinstance(given, _types.Element):
            given = from_dtype(given)
        base, own = given.dtype.subdtype or (given.dtype, ())  # of a vector: its numbers
        self.dtype = numpy.dtype((base, shape + own)) if shape else given.dtype
        self.text = f"{_text_of(given)}{_in_parentheses(shape, ',')}"
        self.alignment = _alignment(given)
        text = given.definition() if hasattr(given, "definition") else \
            _types.numpy_name(given.dtype)
        self.definition = f"({text}, {shape!r})" if shape else text


def _in_parentheses(shape, separator):
    return f"({separator.join(map(str, shape))})" if shape else ""


def _alignment(element):
    """As ck places it: of a record, what one of its fields needs most."""
    if hasattr(element, "alignment"):
        return element.alignment
    dtype = element.dtype
    if dtype.names is None:
        return dtype.itemsize // (2 if dtype.kind == "c" else 1)
    return max(_alignment(from_dtype(one)) for _, one, _ in _fields(dtype))


def _text_of(element):
    """The type of an element as signatures of ck show it."""
    if not isinstance(element, RecordType):
        return "bool" if str(element) == "boolean" else str(element)
    if hasattr(element, "text"):
        return element.text
    dtype, end, text = element.dtype, 0, []
    for name, one, shape in _fields(dtype):
        field, offset = dtype.fields[name]
        text.append(f"{name}:{_text_of(from_dtype(one))}{_in_parentheses(shape, ',')}"
                    f"{f'@{offset}' * (offset != end)}")
        end = offset + field.itemsize
    return f"{{{','.join(text)}}}{f'/{dtype.itemsize}' * (dtype.itemsize != end)}"


def record(**fields):
    """The type of records with these fields, placed as those of a struct in CUDA C++:
    `record(at=ck.float4, id=ck.int32, v=(ck.float64, 3))`. A field has a type of ck, a dtype of
    NumPy, another record, or is an array of these."""
    if not fields:
        raise ValueError("a record has at least one field")
    return DeclaredRecord([_Field(name, given) for name, given in fields.items()])


def from_dtype(dtype):
    """The type of elements that have a dtype of NumPy."""
    import numpy

    dtype = numpy.dtype(dtype)
    if dtype.names is None:
        return _types.scalar_type("boolean" if dtype.kind == "b" else dtype.name)
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
        dtype = _read(tokens)
        declared = _by_text.get(signature[start:start + tokens.at])
        name = (declared or from_dtype(dtype)).name
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
            _read_element(tokens.next())
        shape = _read_shape(tokens)
        formats.append((element, shape) if shape else element)
        offsets.append(int(tokens.next()) if tokens.take("@") else end)
        end = offsets[-1] + numpy.dtype(formats[-1]).itemsize
    size = int(tokens.next()) if tokens.take("/") else end
    return numpy.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def _read_element(name):
    if name in _types.VECTORS:
        return _types.VECTORS[name].dtype
    return _types.scalar_type("boolean" if name == "bool" else name).dtype


def _read_shape(tokens):
    shape = []
    if tokens.take("("):
        shape.append(int(tokens.next()))
        while tokens.next() == ",":
            shape.append(int(tokens.next()))
    return tuple(shape)
