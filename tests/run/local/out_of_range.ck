# An access out of an array's range reads any value, or writes where nothing else is: the code around it runs as it
# would without it. What is written past `s` is in `t`, which is unused, or nowhere.

@kernel
def read_local(x: int32[::1], o: int32[::1], n: int32):
    s = local.array(4, int32)
    for j in range(4):
        s[j] = x[j]
    total, large, trips = 0, 0, 0
    for j in range(8):
        if s[j] > 1000000:
            large += 1
        trips += 1
        total += x[j]
    o[0], o[1] = total, trips
    o[2] = 1 if large <= 8 else 0
    if n > 5:
        o[3] = n

#: options --check=none
#: x = rng.integers(-100, 100, 8, dtype="i4")
#: o, o7 = poison(4, "i4"), poison(4, "i4")
#: launch read_local[1, 1](x, o, 2)
#: launch read_local[1, 1](x, o7, 7)
#: expect o == np.array([np.sum(x_in), 8, 1, o_in[3]])
#: expect o7 == np.array([np.sum(x_in), 8, 1, 7])

# Legal: the guard is false where the index would be out of range, and only the launch knows.
@kernel
def guarded(x: int32[::1], o: int32[::1], n: int32):
    s = local.array(4, int32)
    for j in range(4):
        s[j] = 0
    trips = 0
    for j in range(8):
        if j < n:
            s[j] += x[j]
        trips += 1
    o[0], o[1], o[2], o[3], o[4] = s[0], s[1], s[2], s[3], trips

#: x = rng.integers(-100, 100, 8, dtype="i4")
#: o, o3 = poison(5, "i4"), poison(5, "i4")
#: launch guarded[1, 1](x, o, 4)
#: launch guarded[1, 1](x, o3, 3)
#: expect o == np.array([*x_in[:4], 8])
#: expect o3 == np.array([*x_in[:3], 0, 8])

@kernel
def never_stored(x: int32[::1], o: int32[::1]):
    s, l = shared.array(4, int32), local.array(4, int32)
    count, trips = 0, 0
    for j in range(8):
        if s[j % 4] > 3:
            count += 1
        if l[j % 4] > 3:
            count += 1
        trips += x[j]
    o[0], o[1] = trips, 1 if count <= 16 else 0

#: x = rng.integers(-100, 100, 8, dtype="i4")
#: o = poison(2, "i4")
#: launch never_stored[1, 1](x, o)
#: expect o == np.array([np.sum(x_in), 1])

# The same memory as two arrays: an index beyond a view is in its array.
@kernel
def beyond_view(x: int32[::1], o: int32[::1]):
    a = local.array(16, int32)
    for j in range(16):
        a[j] = -1
    v = a[2:6]
    for j in range(8):
        v[j] = x[j]
    for j in range(16):
        o[j] = a[j]

#: x = rng.integers(0, 100, 8, dtype="i4")
#: o = poison(16, "i4")
#: launch beyond_view[1, 1](x, o)
#: expect o == np.array([-1, -1, *x_in, *([-1] * 6)])

TABLE = array([5, 6, 7, 8], int32)

@kernel
def read_constant(x: int32[::1], o: int32[::1]):
    total, trips, odd = 0, 0, 0
    for j in range(8):
        if TABLE[j] % 2 != 0:
            odd += 1
        trips += 1
        total += x[j]
    o[0], o[1], o[2] = total, trips, 1 if 2 <= odd and odd <= 6 else 0

#: x = rng.integers(-100, 100, 8, dtype="i4")
#: o = poison(3, "i4")
#: launch read_constant[1, 1](x, o)
#: expect o == np.array([np.sum(x_in), 8, 1])

# Indices beyond an array by whole multiples of 2**64 bytes are at its beginning: addresses wrap
# around.
@kernel
def far(x: int32[::1], o: int32[::1], n: int64):
    for j in range(4):
        o[j + ((j & 1) << 62)] = x[j]
    o[n * 2] = 7 if n > 2 else 8
    if n + 1 > n:
        o[5] = 9

#: x = rng.integers(-100, 100, 4, dtype="i4")
#: o = poison(6, "i4")
#: n = 2**61
#: launch far[1, 1](x, o, n)
#: expect o == np.array([7, *x_in[1:], o_in[4], 9])
