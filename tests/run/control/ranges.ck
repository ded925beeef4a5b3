# range with every sign of step, in every integer type, up to the ends of the type: the count does
# not overflow. A step of zero, known only when running, makes no iteration.

@kernel
def trips(start, stop, step, o):
    for i in range(grid(1), start.size, gridsize(1)):
        count = 0
        last = 0
        mixed = 0
        for k in range(start[i], stop[i], step[i]):
            count += 1
            last = k
            mixed = mixed * 3 + k % 5
        o[0, i] = count
        o[1, i] = last
        o[2, i] = mixed

@kernel
def two_bounds(start, stop, o):
    for i in range(grid(1), start.size, gridsize(1)):
        count = 0
        for k in range(start[i], stop[i]):
            count += 1
        o[0, i] = count
        count = 0
        for k in range(stop[i], start[i], -1):
            count += 1
        o[1, i] = count
        count = 0
        for k in range(start[i], stop[i], 100):
            count += 1
        o[2, i] = count

#: def bounds(t, n, most=300):
#:     i = np.iinfo(t)
#:     start, stop, step = (rng.integers(i.min, i.max, n, dtype=t, endpoint=True) for _ in range(3))
#:     start[:8] = i.max, i.min, i.max - 5, 0, i.max - 1, 10, 10, i.min + 3
#:     stop[:8] = i.min, i.max, i.max, 0, i.max, 10, 5, i.min
#:     step[:8] = i.max, i.max, 2, 1, i.max, 1, 1, 1
#:     if i.min:
#:         step[8:14], start[8:14], stop[8:14] = i.min, i.max - 3, i.min
#:         step[14:18], start[14:18], stop[14:18] = -2, i.min + 7, i.min
#:     step[18] = 0
#:     for k in range(n):
#:         if step[k] and len_of(start[k], stop[k], step[k]) > most:
#:             step[k] = i.max // 3 * (-1 if step[k] < 0 else 1)
#:     return start, stop, step
#: def len_of(a, b, s):
#:     a, b, s = int(a), int(b), int(s)
#:     return max(0, -((a - b) // s))
#: TYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
#: for t in TYPES:
#:     start, stop, step = bounds(t, 60)
#:     globals().update({"a_" + t: start, "b_" + t: stop, "s_" + t: step, "o_" + t: poison((3, 60), "i8")})
#: c_int8, c_uint8 = poison((3, 60), "i8"), poison((3, 60), "i8")
#: launch trips[2, 32](a_int8, b_int8, s_int8, o_int8)
#: launch trips[2, 32](a_int16, b_int16, s_int16, o_int16)
#: launch trips[2, 32](a_int32, b_int32, s_int32, o_int32)
#: launch trips[1, 7](a_int64, b_int64, s_int64, o_int64)
#: launch trips[60, 1](a_uint8, b_uint8, s_uint8, o_uint8)
#: launch trips[2, 32](a_uint16, b_uint16, s_uint16, o_uint16)
#: launch trips[2, 32](a_uint32, b_uint32, s_uint32, o_uint32)
#: launch trips[2, 32](a_uint64, b_uint64, s_uint64, o_uint64)
#: launch two_bounds[2, 32](a_int8, b_int8, c_int8)
#: def wrap(v):
#:     return (v + 2 ** 63) % 2 ** 64 - 2 ** 63
#: def expected(t):
#:     rows = []
#:     for a, b, s in zip(*(globals()[x + t].tolist() for x in ("a_", "b_", "s_"))):
#:         values = list(range(a, b, s)) if s else []
#:         mixed = 0
#:         for v in values:
#:             mixed = mixed * 3 + v % 5
#:         rows.append((len(values), wrap(values[-1] if values else 0), wrap(mixed)))
#:     return np.array(rows, object).T
#: expect o_int8 == expected("int8")
#: expect o_int16 == expected("int16")
#: expect o_int32 == expected("int32")
#: expect o_int64 == expected("int64")
#: expect o_uint8 == expected("uint8")
#: expect o_uint16 == expected("uint16")
#: expect o_uint32 == expected("uint32")
#: expect o_uint64 == expected("uint64")
#: lengths = [(len(range(a, b)), len(range(b, a, -1)), len(range(a, b, 100)))
#:            for a, b in zip(a_int8.tolist(), b_int8.tolist())]
#: expect c_int8 == np.array(lengths).T
