# for with break, continue and else; nested; the target keeps its last value, and assigning to it
# does not change the count.

@kernel
def loops(n, o):
    for i in range(grid(1), n.size, gridsize(1)):
        for d in range(2, 50):
            if n[i] % d == 0:
                o[0, i] = d
                break
        else:
            o[0, i] = -1
        total = 0
        for a in range(n[i] % 7):
            for b in range(a):
                if b == 2:
                    continue
                if b > 3:
                    break
                total += 10 * a + b
            else:
                total += 1000
        o[1, i] = total
        for last in range(3, 20, 5):
            pass
        o[2, i] = last
        trips = 0
        for k in range(4):
            trips += k
            k = 100
        o[3, i] = trips * 1000 + k
        # The bounds are evaluated once.
        top = 3
        trips = 0
        for k in range(top):
            top += 5
            trips += 1
        o[4, i] = trips
        for k in range(0):
            o[5, i] = 1
        else:
            o[5, i] = 2
        for _ in range(2):
            continue
        else:
            o[6, i] = 3

# return out of nested loops
@kernel
def leave(n, o):
    i = grid(1)
    if i < n.size:
        for a in range(10):
            for b in range(10):
                if a * b == n[i]:
                    o[i] = a * 100 + b
                    return
        o[i] = -1

#: repeat grids [4, 33], [1, 128]
#: n = rng.integers(1, 100, 111)
#: o, p = poison((7, 111), "i8"), poison(111, "i8")
#: launch loops[GRID, BLOCK](n, o)
#: launch leave[GRID, BLOCK](n, p)
#: def divisor(n):
#:     return next((d for d in range(2, 50) if n % d == 0), -1)
#: def total(m):
#:     t = 0
#:     for a in range(m):
#:         for b in range(a):
#:             if b == 2:
#:                 continue
#:             if b > 3:
#:                 break
#:             t += 10 * a + b
#:         else:
#:             t += 1000
#:     return t
#: def product(n):
#:     return next((a * 100 + b for a in range(10) for b in range(10) if a * b == n), -1)
#: expect o[0] == [divisor(int(v)) for v in n]
#: expect o[1] == [total(int(v) % 7) for v in n]
#: expect (o[2] == 18) & (o[3] == 6100) & (o[4] == 3) & (o[5] == 2) & (o[6] == 3)
#: expect p == [product(int(v)) for v in n]
