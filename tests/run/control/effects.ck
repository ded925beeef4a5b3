# Calls with effects happen once each, in order, wherever they stand: conditions, indices, unused
# results, chained assignments, arguments, bounds of ranges.

def note(log, k):
    log[0] = log[0] * 8 + k
    return k

@kernel
def use(log, a, o):
    log[0] = 0
    note(log, 1) or note(log, 2)
    o[0] = log[0]
    log[0] = 0
    a[note(log, 1)] = note(log, 2) + note(log, 3) * note(log, 4)
    o[1] = log[0]
    log[0] = 0
    for k in range(note(log, 1), note(log, 5), note(log, 2)):
        log[0] = log[0] * 8 + 7
    o[2] = log[0]
    log[0] = 0
    while note(log, 1) and log[0] < 500:
        pass
    o[3] = log[0]
    log[0] = 0
    x = y = a[0] = note(log, 6)
    o[4] = log[0] * 100 + x + y + a[0]
    log[0] = 0
    x, y = note(log, 1), note(log, 2)
    o[5] = log[0]
    log[0] = 0
    a[note(log, 2)] += note(log, 3) if note(log, 1) else note(log, 4)
    o[6] = log[0]
    log[0] = 0
    if note(log, 1) == 2:
        pass
    elif note(log, 2) == 2 and not note(log, 3) == 0:
        note(log, 4)
    o[7] = log[0]
    log[0] = 0
    t = (note(log, 1), note(log, 2))
    t[0]
    (note(log, 3), note(log, 4))[1]
    min(note(log, 5), note(log, 6), note(log, 7))
    o[8] = log[0]
    log[0] = 0
    o[9] = note(log, note(log, note(log, 1) + 1) + 1) * 100
    o[10] = log[0]
    log[0] = 0
    o[11] = note(log, 3) ** 2 + note(log, 2) ** note(log, 1)
    o[12] = log[0]
    log[0] = 0
    assert note(log, 1) < note(log, 2) < note(log, 3)
    -note(log, 4)
    not note(log, 5)
    float(note(log, 6))
    o[13] = log[0]

#: log, a, o = np.zeros(1, "i8"), np.zeros(8, "i8"), poison(14, "i8")
#: launch use[1, 1](log, a, o)
#: digits = lambda *ks: int("".join(map(str, ks)), 8)
#: want = [digits(1), None, digits(1, 5, 2, 7, 7), digits(1, 1, 1, 1), 618, digits(1, 2), digits(2, 1, 3)]
#: want += [digits(1, 2, 3, 4), digits(*range(1, 8)), 300, digits(1, 2, 3), 11, digits(3, 2, 1), digits(*range(1, 7))]
# The right side comes before the target's index, as in Python.
#: want[1] = digits(2, 3, 4, 1)
#: expect o == want
#: expect (a[1] == 14) & (a[2] == 3)
