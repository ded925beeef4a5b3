# Whole arrays: each function is the serial work of the thread that calls it. Rows are arrays of one
# dimension less, so that the functions call themselves down to elements. The accesses are the
# program's own, which `--check` checks.


def _first(x):
    if x.ndim == 1:
        return x[0]
    return _first(x[0])


# NumPy's order: complex numbers by their real parts, then by their imaginary parts, and none with a
# NaN in either.
def _below(a, b):
    if isinstance(a, complex):
        ordered = a == a and b == b
        return ordered and (a.real < b.real or a.real == b.real and a.imag < b.imag)
    return a < b


@checked
def array_sum(x, total):
    if x.ndim == 1:
        for value in x:
            total += value
        return total
    for row in x:
        total = array_sum(row, total)
    return total


@checked
def array_prod(x, product):
    if x.ndim == 1:
        for value in x:
            product *= value
        return product
    for row in x:
        product = array_prod(row, product)
    return product


def array_mean(x, total):
    return array_sum(x, total) / x.size


@checked
def _least(x, least):
    if x.ndim == 1:
        for value in x:
            if _below(value, least) or value != value:
                least = value
        return least
    for row in x:
        least = _least(row, least)
    return least


@checked
def _greatest(x, greatest):
    if x.ndim == 1:
        for value in x:
            if _below(greatest, value) or value != value:
                greatest = value
        return greatest
    for row in x:
        greatest = _greatest(row, greatest)
    return greatest


def array_min(x):
    assert x.size > 0, "an empty array has no minimum"
    return _least(x, _first(x))


def array_max(x):
    assert x.size > 0, "an empty array has no maximum"
    return _greatest(x, _first(x))


# The extreme, its position in C order, and the number of elements read. A NaN stays.
@checked
def _position_of_least(x, least, position, n):
    if x.ndim == 1:
        for value in x:
            if least == least and (_below(value, least) or value != value):
                least = value
                position = n
            n += 1
        return least, position, n
    for row in x:
        least, position, n = _position_of_least(row, least, position, n)
    return least, position, n


@checked
def _position_of_greatest(x, greatest, position, n):
    if x.ndim == 1:
        for value in x:
            if greatest == greatest and (_below(greatest, value) or value != value):
                greatest = value
                position = n
            n += 1
        return greatest, position, n
    for row in x:
        greatest, position, n = _position_of_greatest(row, greatest, position, n)
    return greatest, position, n


def array_argmin(x):
    assert x.size > 0, "an empty array has no minimum"
    return _position_of_least(x, _first(x), int64(0), int64(0))[1]


def array_argmax(x):
    assert x.size > 0, "an empty array has no maximum"
    return _position_of_greatest(x, _first(x), int64(0), int64(0))[1]


@checked
def array_any(x):
    if x.ndim == 1:
        for value in x:
            if value:
                return True
        return False
    for row in x:
        if array_any(row):
            return True
    return False


@checked
def array_all(x):
    if x.ndim == 1:
        for value in x:
            if not value:
                return False
        return True
    for row in x:
        if not array_all(row):
            return False
    return True


# Of arrays of one dimension, in the type of `total`.
@checked
def array_dot(x, y, total):
    assert x.size == y.size, "`np.dot` takes arrays of one length"
    for i in range(x.size):
        product = _type_of(total)(x[i]) * _type_of(total)(y[i])
        total = _type_of(total)(total + product)
    return total


@checked
def array_copy(target, x):
    target[...] = x
    return target


# The extent that -1 stands for in a new shape of as many elements.
def array_open_extent(shape, size):
    known = int64(1)
    n_open = int64(0)
    for extent in shape:
        assert extent >= -1, "an extent of the new shape is below zero"
        if extent == -1:
            n_open += 1
        else:
            known *= extent
    assert n_open < 2, "only one extent of the new shape can be -1"
    if n_open == 0:
        assert known == size, "the array does not have as many elements as the new shape"
        return int64(0)
    assert known > 0 and size % known == 0, "the array's elements cannot fill the new shape"
    return size // known


# The lowest and the highest offset of an array's elements.
def _reach(shape, strides):
    low = int64(0)
    high = int64(0)
    for extent, stride in zip(shape, strides):
        if stride < 0:
            low += (extent - 1) * stride
        else:
            high += (extent - 1) * stride
    return low, high


# Whether a store to `view`, which begins at the address `to`, reads each element of `value`, at
# `source`, before it changes it. The store goes through the view from its start (direction 1), its
# end (-1), the better one of the two (2) or neither (0). Where that is hard to find out, the answer
# is no if it has to be `certain`.
def store_is_in_time(view, value, to, source, direction, certain):
    if view.size == 0 or value.size == 0:
        return True
    low, high = _reach(view.shape, view.strides)
    value_low, value_high = _reach(value.shape, value.strides)
    if to + high + view.itemsize <= source + value_low:
        return True
    if source + value_high + value.itemsize <= to + low:
        return True
    if view.ndim == value.ndim and view.itemsize == value.itemsize:
        if view.strides == value.strides:
            if to == source:
                return True
            if view.ndim == 1:
                step = view.strides[0]
                ahead = (source - to) // step
                if (source - to) % step != 0 or abs(ahead) >= view.size or direction == 2:
                    return True
                return ahead > 0 if direction == 1 else ahead < 0 and direction == -1
        elif view.ndim == 1 and direction == 1:
            step = view.strides[0]
            for i in range(value.size):
                offset = source + i * value.strides[0] - to
                if offset % step == 0 and 0 <= offset // step < i:
                    return False
            return True
    return not certain


# The value of a name that may be None.
def some_value(value, is_none):
    assert not is_none, "None is used as a value"
    return value
