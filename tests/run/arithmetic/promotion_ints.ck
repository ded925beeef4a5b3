# The promotion table, integers: products wrap in the common type, which shows which it is. Below 32
# bits it is int32.

@kernel
def with_signed(a, i1, i2, i4, i8, u1, u2, u4, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] * i1[i]
        o[1, i] = a[i] * i2[i]
        o[2, i] = a[i] * i4[i]
        o[3, i] = a[i] * i8[i]
        o[4, i] = a[i] * u1[i]
        o[5, i] = a[i] * u2[i]
        o[6, i] = a[i] * u4[i]

@kernel
def with_unsigned(a, u1, u2, u4, u8, o):
    for i in range(grid(1), a.size, gridsize(1)):
        o[0, i] = a[i] - u1[i]
        o[1, i] = a[i] - u2[i]
        o[2, i] = a[i] - u4[i]
        o[3, i] = a[i] - u8[i]

#: n = 200
#: def data(t):
#:     i = np.iinfo(t)
#:     x = rng.integers(i.min, i.max, n, dtype=t, endpoint=True)
#:     x[:3] = i.min, i.max, 1
#:     return rng.permutation(x)
#: i1, i2, i4, i8 = (data(t) for t in ("i1", "i2", "i4", "i8"))
#: u1, u2, u4, u8 = (data(t) for t in ("u1", "u2", "u4", "u8"))
#: o_i1, o_i2, o_i4, o_i8, o_u1, o_u2, o_u4 = (poison((7, n), "i8") for _ in range(7))
#: m_u1, m_u2, m_u4, m_u8 = (poison((4, n), "u8") for _ in range(4))
#: launch with_signed[3, 33](i1, i1, i2, i4, i8, u1, u2, u4, o_i1)
#: launch with_signed[3, 33](i2, i1, i2, i4, i8, u1, u2, u4, o_i2)
#: launch with_signed[3, 33](i4, i1, i2, i4, i8, u1, u2, u4, o_i4)
#: launch with_signed[3, 33](i8, i1, i2, i4, i8, u1, u2, u4, o_i8)
#: launch with_signed[3, 33](u1, i1, i2, i4, i8, u1, u2, u4, o_u1)
#: launch with_signed[3, 33](u2, i1, i2, i4, i8, u1, u2, u4, o_u2)
#: launch with_signed[3, 33](u4, i1, i2, i4, i8, u1, u2, u4, o_u4)
#: launch with_unsigned[3, 33](u1, u1, u2, u4, u8, m_u1)
#: launch with_unsigned[3, 33](u2, u1, u2, u4, u8, m_u2)
#: launch with_unsigned[3, 33](u4, u1, u2, u4, u8, m_u4)
#: launch with_unsigned[3, 33](u8, u1, u2, u4, u8, m_u8)
# NumPy has the same table for these, but for the types below 32 bits.
#: def common(a, b):
#:     t = np.promote_types(a.dtype, b.dtype)
#:     return np.dtype("i4") if t.itemsize < 4 else t
#: def products(a):
#:     return np.array([(a.astype(common(a, b)) * b).astype("i8") for b in (i1, i2, i4, i8, u1, u2, u4)])
#: def differences(a):
#:     return np.array([(a.astype(common(a, b)) - b).astype("u8") for b in (u1, u2, u4, u8)])
#: expect o_i1 == products(i1)
#: expect o_i2 == products(i2)
#: expect o_i4 == products(i4)
#: expect o_i8 == products(i8)
#: expect o_u1 == products(u1)
#: expect o_u2 == products(u2)
#: expect o_u4 == products(u4)
#: expect m_u1 == differences(u1)
#: expect m_u2 == differences(u2)
#: expect m_u4 == differences(u4)
#: expect m_u8 == differences(u8)
