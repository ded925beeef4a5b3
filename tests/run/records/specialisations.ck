# A kernel is specialised for each type of records, and the device functions that it calls.
#: first = np.dtype([("key", np.int32), ("value", np.float32)])
#: second = np.dtype([("value", np.float64), ("key", np.int8)], align=True)
#: a, b, c = np.zeros(20, first), np.zeros(9, second), np.zeros((9, 2), second)
#: a["value"] = rng.random(20)
#: b["value"] = rng.random(9)
#: c["value"] = rng.random((9, 2))
#: launch halve[2, 16](a)
#: launch halve[1, 9](b)
#: launch rows[1, 32](c)
#: expect (a["value"] == a_in["value"] / 2).all() and (a["key"] == 3).all()
#: expect (b["value"] == b_in["value"] / 2).all() and (b["key"] == 3).all()
#: expect (c["value"][:, 1] == c_in["value"][:, 1] / 2).all() and (c[:, 0] == c_in[:, 0]).all()

@cuda.jit(device=True)
def half_of(a, i):
    return a[i].value / 2

@kernel
def halve(a):
    i = grid(1)
    if i < a.size:
        a[i].value = half_of(a, i)
        a[i].key = 3

@kernel
def rows(c):
    halve(c[:, 1])
