"""Random kernels' functions of vectors, records, bits, dates, and memory at addresses or seen as
other types: in ck and in Python."""

import numpy as np

WORDS = {"int32": "uint32", "uint32": "int32", "int64": "uint64", "uint64": "int64"}
TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


def width(its):
    """The elements of 16 bytes, at most 4."""
    return min(4, 16 // np.dtype(its).itemsize)


VALUE_HELPERS = "".join(f"""def vector_{its}(a, b):
    v = {its}x3(a, b, a) + {its}x3(b, {its}(3), b)
    w = {its}x3(v.z, v.x, v.y)
    return {its}(w.y), {its}(w.z)
rec_{its} = record(first={its}, two=({its}, 2), small=int16, v={its}x3)
def record_{its}(a, b):
    r = local.array(2, rec_{its})
    r[0] = (a, (b, a), 5, (a, b, b))
    r[1] = r[0]
    r[1].two[0] = a
    r[1].v = {its}x3(r[1].v.y, r[0].v.x, r[0].v.x)
    r[1].v.z = r[0].two[0]
    return r[1].first if r[0] == r[1] else r[1].two[0] if a < b else r[1].v.x if r[1].v.y == a else r[1].v.y
def pair_{its}(a, b):
    p = ((a, b), a)
    (c, d), e = p
    return d if (c, d) < (e, c) else c
""" for its in TYPES) + "".join(f"""def bits_{its}(a):
    return bitcast({other}(a), {its})
""" for its, other in WORDS.items()) + """def dates_of(a, b):
    d = np.datetime64(a, 's')
    s = np.timedelta64(b, 's')
    later = d + s
    day = np.datetime64(later, 'D')
    return (int64(later), int64(day), int64(later - day), int64(s % np.timedelta64(7, 's')), s // (d - later),
            int64(max(d, later)), int64(np.minimum(d, np.datetime64(b, 's'))), int64(d < later), int64(abs(s) / 7))
""" + "".join(f"""def at_{its}(x, i):
    return carray(x.ctypes.data, x.size, {its})[i]
def behind_{its}(x, i):
    return carray(x.ctypes.data + uint64(i * x.itemsize), 1, {its})[0]
def wide_{its}(x, i):
    v = x.view({its}x{width(its)})[i]
    return {", ".join(f"v.{axis}" for axis in "xyzw"[:width(its)])}
def put_wide_{its}(x, i, {", ".join("abcd"[:width(its)])}):
    x.view({its}x{width(its)})[i] = {its}x{width(its)}({", ".join("abcd"[:width(its)])})
""" for its in TYPES) + "".join(f"""def seen_{its}(x, i):
    return x.view({its})[i]
""" for its in TYPES if its[0] != "f")
N_DATES = 9


NAT = -2 ** 63


def date_sum(x, y, sign=1):
    """The sum of two dates or times, as int64: it wraps, and later NumPys raise an error."""
    x, y = int(x), int(y)
    return np.int64(NAT if NAT in (x, y) else (x + sign * y - NAT) % 2 ** 64 + NAT)


def dates(a, b):
    """What NumPy computes."""
    d, s = np.int64(a).view("M8[s]"), np.int64(b).view("m8[s]")
    total = date_sum(a, b)
    later = total.view("M8[s]")
    day = NAT if total == NAT else int(total) // 86400
    of_day = NAT if total == NAT else int(total) % 86400
    values = (total, day, of_day, s % np.timedelta64(7, "s"),
              s // date_sum(a, total, -1).view("m8[s]"), np.fmax(d, later),
              np.minimum(d, np.int64(b).view("M8[s]")), d < later, abs(s) / 7)
    return tuple(np.int64(np.asarray(value).astype("i8")) for value in values)


def put_wide(x, i, *values):
    x.reshape(-1, len(values))[i] = values


def of_type(its, cast):
    """The functions of one type."""
    def record(a, b):
        return a if a == b or a < b else b

    return {f"vector_{its}": lambda a, b: (cast(a + b), cast(b + cast(3))), f"record_{its}": record,
            f"pair_{its}": lambda a, b: b if (a, b) < (a, a) else a,
            f"bits_{its}": lambda a: cast(a)}


def value_functions(caster):
    """By name, for the kernel in Python; `caster` makes functions that wrap."""
    functions = {}
    for its in TYPES:
        functions |= of_type(its, caster(its))
        functions[f"at_{its}"] = functions[f"behind_{its}"] = lambda x, i: x[i]
        functions[f"wide_{its}"] = lambda x, i, n=width(its): tuple(x.reshape(-1, n)[i])
        functions[f"put_wide_{its}"] = put_wide
        functions[f"seen_{its}"] = lambda x, i, its=its: x.view(its)[i]
    return functions | {"dates_of": dates}
