def f(x, n):
    if x: pass
    if x < 1:
        a = 1
    elif x < 2:
        a = 2
    elif x < 3:
        a = 3
    else:
        a = 4
    while True:
        if a: break
        continue
    else:
        a = 5
    for i in range(n): x[i] = 1; x[i] += 2
    for i, (j, k) in pairs:
        for v in 1, 2, 3:
            pass
        else:
            continue
    for (a, b) in c,: pass
    return
