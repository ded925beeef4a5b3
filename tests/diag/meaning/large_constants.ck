ROW = array([1, 2, 3])
LAST = ROW[18446744073709551615]

@kernel
def k(p: int64[:], m: float32[:, :]):
    t = (1, 2, 3)
    p[0] = t[18446744073709551615]
    p[1] = t[9223372036854775808]
    v = m.transpose(18446744073709551615, 0)
    s = local.array(18446744073709551615, float32)


def take(value):
    pass


@kernel
def takes_all():
    take(ROW)
    take(LAST)
