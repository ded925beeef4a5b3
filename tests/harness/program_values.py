"""Random kernels' functions of vectors, records, bits, dates, memory at addresses and random
numbers: in ck and in Python."""

import numpy as np

WORDS = {"int32": "uint32", "uint32": "int32", "int64": "uint64", "uint64": "int64"}
TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]

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
""" for its, other in WORDS.items()) + """def bits_of_float(a):
    return bitcast(float32(a), int32), bitcast(float64(a), int64)
def philox_of(a, b):
    return random.philox(uint64(a), uint64(b))
xoroshiro_state = record(s0=uint64, s1=uint64)
def xoroshiro_of(a, b):
    s = local.array(2, xoroshiro_state)
    s[1] = (uint64(a), uint64(b) + 1)
    x = random.xoroshiro128p_next(s, 1)
    return x, random.xoroshiro128p_next(s, 1)
def dates_of(a, b):
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
""" for its in TYPES)
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


def philox(seed, counter):
    m = 2 ** 32 - 1
    key, x = [seed & m, seed >> 32], [counter & m, counter >> 32, 0, 0]
    for _ in range(10):
        a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [b >> 32 ^ x[1] ^ key[0], b & m, a >> 32 ^ x[3] ^ key[1], a & m]
        key = [key[0] + 0x9E3779B9 & m, key[1] + 0xBB67AE85 & m]
    return tuple(np.uint32(word) for word in x)


def xoroshiro(s0, s1):
    """Numba's xoroshiro128p_next, twice."""
    m, results = 2 ** 64 - 1, []
    for _ in range(2):
        results.append(np.uint64(s0 + s1 & m))
        s1 ^= s0
        s0 = (s0 << 55 | s0 >> 9) & m ^ s1 ^ s1 << 14 & m
        s1 = (s1 << 36 | s1 >> 28) & m
    return tuple(results)


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
    wide = caster("uint64")
    for its in TYPES:
        functions[f"at_{its}"] = functions[f"behind_{its}"] = lambda x, i: x[i]
    return functions | {
        "dates_of": dates,
        "bits_of_float": lambda a: (np.float32(a).view("i4"), np.float64(a).view("i8")),
        "philox_of": lambda a, b: philox(int(wide(a)), int(wide(b))),
        "xoroshiro_of": lambda a, b: xoroshiro(int(wide(a)), int(wide(b)) + 1 & 2 ** 64 - 1)}
