def late():
    x = y
    y = 1
    return x


@kernel
def k(a: int32[::1], n: int64):
    if n > 3:
        z = 1
    a[0] = z
    for i in range(n):
        w = i
    a[1] = i
    a[2] = w
    a[3] = late()
    for j in range(3):
        v = j
    a[4] = v + j
    while n > 0:
        if n == 2:
            u = 1
            break
        n -= 1
    a[5] = u
    del_me = a[6]
    a[7] = q
    q = 1
