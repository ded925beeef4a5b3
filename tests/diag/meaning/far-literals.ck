# Float literals that are not constant where they are used: each must fit, whichever it is.
@kernel
def pairs(x: float32[:], c: complex64[:], i: int32):
    beside = (1e300, x[0])
    x[0] = beside[i]
    both = (1e300, 2.0)
    x[1] = x[1] + both[i]
    nested = ((2.0, -1e300), (1.0, 3.0))
    a, b = nested[i]
    x[2] = x[2] + b
    joined = (1.0, 2.0) + (3e38, 4e38)
    x[3] = joined[1:][i] + x[1]
    parts = (1e300j, 2j)
    c[0] = c[1] + parts[i]
    x[4] = both[i]
    x[5] = x[5] * (1e38, 2.0)[i] + (inf, 1.0)[i]
    x[6] = x[6] + float32(both[i])


@kernel
def paths(x: float32[:], c: complex64[:], i: int32):
    chosen = 1e300 if i else 2.0
    x[0] = x[1] + chosen
    if i:
        late = 2.0
    else:
        late = -1e300
    x[1] = x[1] + late
    turned = 2.0
    for j in range(i):
        turned = 1e300
    x[2] = x[1] + turned
    for each in (1e300, 2.0):
        x[3] = x[3] + each
    total = 1e300
    for j in range(i):
        total += x[j]
    c[0] = complex(x[0], 1e300)
