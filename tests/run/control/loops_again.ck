# Loops that are come to several times while types are looked for: with an `else` that leaves the
# loop around, with names whose types change in an outer iteration, with arrays that change places.
#: n = 37
#: x = rng.integers(-50, 50, n, dtype=np.int32)
#: f = rng.integers(-50, 50, n).astype(np.float32) / 4
#: o = poison((4, n), np.float64)
#: repeat grids [1, 32], [3, 7]
#: launch again[GRID, BLOCK](x, f, o)
@kernel
def again(x, f, o):
    for i in range(grid(1), x.size, gridsize(1)):
        found = 0
        for a in range(3):
            for b in range(4):
                if a * 10 + b > x[i]:
                    found = a * 100 + b
                    break
            else:
                found -= 1
                continue
            break
        o[0, i] = found
        # `total` is a literal at first, an int32 after an iteration, a float32 after another.
        total = 0
        shift = 0
        for a in range(4):
            for b in range(3):
                for c in range(2):
                    total += shift
                    if c > x[i]:
                        continue
                    shift = x[i]
                if b == 1:
                    shift = f[i]
            else:
                if total > 60:
                    break
        o[1, i] = total
        # Of two arrays each is the other after an inner iteration.
        p = local.array(4, float32)
        q = local.array((4, 2), float32)[:, 1]
        for a in range(4):
            p[a] = a
            q[a] = -a
        r = p
        for a in range(5):
            for b in range(3):
                if (a + b + x[i]) % 3 == 0:
                    r, q = q, r
                    break
                r[b] += f[i]
            else:
                q[a % 4] -= 1
        o[2, i] = r[0] + 10 * r[1] + 100 * r[2] + 1000 * r[3]
        # Set in every iteration, used in the next.
        last = 0.25
        for a in range(3):
            for b in range(a):
                last = last * 2 + f[i]
                if last > 100:
                    break
            else:
                if last < -100:
                    break
                last -= 1
                continue
            last = -1
        o[3, i] = last
#: def again(x, f):
#:     found = 0
#:     for a in range(3):
#:         for b in range(4):
#:             if a * 10 + b > x:
#:                 found = a * 100 + b
#:                 break
#:         else:
#:             found -= 1
#:             continue
#:         break
#:     total = shift = 0
#:     for a in range(4):
#:         for b in range(3):
#:             for c in range(2):
#:                 total += shift
#:                 if c > x: continue
#:                 shift = x
#:             if b == 1: shift = f
#:         else:
#:             if total > 60: break
#:     p, q = [float(a) for a in range(4)], [-float(a) for a in range(4)]
#:     r = p
#:     for a in range(5):
#:         for b in range(3):
#:             if (a + b + x) % 3 == 0:
#:                 r, q = q, r
#:                 break
#:             r[b] += f
#:         else:
#:             q[a % 4] -= 1
#:     last = 0.25
#:     for a in range(3):
#:         for b in range(a):
#:             last = last * 2 + f
#:             if last > 100: break
#:         else:
#:             if last < -100: break
#:             last -= 1
#:             continue
#:         last = -1
#:     return [found, total, r[0] + 10 * r[1] + 100 * r[2] + 1000 * r[3], last]
#: expect o == np.array([again(int(a), float(b)) for a, b in zip(x, f)]).T
