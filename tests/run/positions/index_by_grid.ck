# An array indexed by the position itself: a[grid(2)], a[grid(3)], and guards in each dimension.

@kernel
def two(a, o):
    i, j = grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        o[i, j] = a[grid(2)] + 1

@kernel
def three(a):
    i, j, k = grid(3)
    if i < a.shape[0] and j < a.shape[1] and k < a.shape[2]:
        a[grid(3)] = a[i, j, k] * 2

@kernel
def strided(a, o):
    x, y = grid(2)
    sx, sy = gridsize(2)
    for i in range(x, a.shape[0], sx):
        for j in range(y, a.shape[1], sy):
            o[i, j] = a[i, j] * 3

#: a, b = rng.integers(-99, 99, (13, 9)), rng.integers(-99, 99, (5, 6, 7))
#: o, p = poison((13, 9), "i8"), poison((13, 9), "i8")
#: launch two[(4, 3), (4, 4)](a, o)
#: launch three[(3, 2, 1), (2, 3, 8)](b)
#: launch strided[(2, 2), (3, 2)](a, p)
#: expect o == a + 1
#: expect b == b_in * 2
#: expect p == a * 3
