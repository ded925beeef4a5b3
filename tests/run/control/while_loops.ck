# while with break, continue and else; nested; a condition that is constant.

@kernel
def collatz(n, steps):
    for i in range(grid(1), n.size, gridsize(1)):
        v = n[i]
        count = 0
        while v != 1:
            if v % 2 == 0:
                v //= 2
            else:
                v = 3 * v + 1
            count += 1
        steps[i] = count

@kernel
def search(n, limit, o):
    for i in range(grid(1), n.size, gridsize(1)):
        # The smallest divisor up to the limit, or the else branch.
        d = 1
        while d < limit:
            d += 1
            if d % 3 == 0 and d != 3:
                continue
            if n[i] % d == 0:
                o[0, i] = d
                break
        else:
            o[0, i] = -1
        # A loop left by break only.
        k = 0
        while True:
            k += 1
            if k * k > n[i]:
                break
        o[1, i] = k
        # Never entered, else taken.
        while False:
            o[2, i] = 1
        else:
            o[2, i] = 2
        # Nested: break and continue belong to the inner loop.
        total = 0
        r = 0
        while r < 5:
            r += 1
            c = 0
            while c < 10:
                c += 1
                if c == r:
                    continue
                if c > r + 3:
                    break
                total += c
            else:
                total += 1000
            if r == 4:
                break
        o[3, i] = total

#: repeat grids [3, 33], [1, 7]
#: n = rng.integers(1, 5000, 100)
#: steps, o = poison(100, "i4"), poison((4, 100), "i8")
#: launch collatz[GRID, BLOCK](n, steps)
#: launch search[GRID, BLOCK](n, 40, o)
#: def collatz(v):
#:     count = 0
#:     while v != 1:
#:         v, count = (v // 2 if v % 2 == 0 else 3 * v + 1), count + 1
#:     return count
#: def divisor(n):
#:     return next((d for d in range(2, 41) if (d % 3 or d == 3) and n % d == 0), -1)
#: total = sum(c for r in range(1, 5) for c in range(1, min(10, r + 3) + 1) if c != r)
#: expect steps == [collatz(int(v)) for v in n]
#: expect o[0] == [divisor(int(v)) for v in n]
#: expect o[1] == np.floor(np.sqrt(n)) + 1
#: expect o[2] == 2
#: expect o[3] == total
