A = [i * j for i in range(4) if i if i < 3 for j in f(i)]
B = g((x, [y for y in x]) for x, (y, z) in A)
C = (k if k else 1 for k in (k, 2))
