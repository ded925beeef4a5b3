# Loops whose bounds show that they are empty; not for what a caller's constant decides.
N = 0


def trips(n):
    total = 0
    for i in range(n):
        total += i
    return total


@kernel
def loops(a: int32[:], m: int32):
    n = len(a)
    for i in range(10, 0):
        a[i] = 1
    for i in range(n, 0):
        a[i] = 2
    for i in range(0, n, -1):
        a[i] = 3
    for i in range(N):
        a[i] = 4
    for i in range(3, 3):
        a[i] = 5
    for i in range(n - 1, -1, -1):
        a[i] = 6
    for i in range(m, 0):
        a[i] = 7
    for i in range(0, m, -1):
        a[i] = 8
    for j in range(2):
        for i in range(0):
            a[i] = j
    a[0] = trips(0) + trips(3)
