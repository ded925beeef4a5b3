# A loop's target after the loop: the last value, the one at a break, or, after no iteration, what the name
# was before, in the type that both have.

@kernel
def last(start, stop, o):
    for i in range(grid(1), start.size, gridsize(1)):
        k = -7
        for k in range(start[i], stop[i]):
            pass
        o[0, i] = k
        for k in range(stop[i], start[i], -2):
            if k % 5 == 0:
                break
        else:
            k = k + 1000
        o[1, i] = k
        # The same name in a loop within the loop.
        j = -1
        for j in range(3):
            for j in range(start[i] % 4):
                pass
        o[2, i] = j
        # Continue leaves the value too; the names that an iteration sets stay.
        trips = 0
        square = 0
        for n in range(1, 100):
            square = n * n
            if square < start[i]:
                continue
            trips += 1
            if trips == 2:
                break
        o[3, i] = n * 10000 + square
        while trips:
            trips -= 1
            n = trips
        else:
            n -= 1
        o[4, i] = n

@kernel
def items(x, stop, o):
    for i in range(grid(1), stop.size, gridsize(1)):
        value = 0.5
        for value in x:
            if value > stop[i]:
                break
        else:
            value = -value
        o[0, i] = value
        side = 100
        for side in (3, 4, stop[i]):
            if side >= stop[i]:
                break
        o[1, i] = side
        for a in (1, 2):
            for b in (10, 20, 30):
                if a * b > stop[i]:
                    break
            else:
                continue
            break
        o[2, i] = a * 1000 + b

#: repeat grids [2, 32], [1, 7], [70, 1]
#: n = 61
#: start, stop = rng.integers(-9, 30, n), rng.integers(-9, 30, n)
#: start32, stop32, none = start.astype("i4"), stop.astype("i4"), np.zeros(0, "f4")
#: x = rng.integers(-9, 30, 11).astype("f4")
#: o, p = poison((5, n), "i8"), poison((5, n), "i8")
#: s, t = poison((3, n), "f8"), poison((3, n), "f8")
#: launch last[GRID, BLOCK](start, stop, o)
#: launch last[GRID, BLOCK](start32, stop32, p)
#: launch items[GRID, BLOCK](x, stop, s)
#: launch items[GRID, BLOCK](none, stop, t)
#: def last(start, stop):
#:     k = -7
#:     for k in range(start, stop): pass
#:     first = k
#:     for k in range(stop, start, -2):
#:         if k % 5 == 0: break
#:     else: k = k + 1000
#:     j = -1
#:     for j in range(3):
#:         for j in range(start % 4): pass
#:     trips = square = 0
#:     for n in range(1, 100):
#:         square = n * n
#:         if square < start: continue
#:         trips += 1
#:         if trips == 2: break
#:     return [first, k, j, n * 10000 + square, -1]
#: def items(x, stop):
#:     value = 0.5
#:     for value in x:
#:         if value > stop: break
#:     else: value = -value
#:     for side in (3, 4, stop):
#:         if side >= stop: break
#:     for a in (1, 2):
#:         for b in (10, 20, 30):
#:             if a * b > stop: break
#:         else: continue
#:         break
#:     return [value, side, a * 1000 + b]
#: want = np.array([last(int(a), int(b)) for a, b in zip(start, stop)]).T
#: expect o == want
#: expect p == want
#: expect s == np.array([items(x.tolist(), int(b)) for b in stop]).T
#: expect t == np.array([items([], int(b)) for b in stop]).T
