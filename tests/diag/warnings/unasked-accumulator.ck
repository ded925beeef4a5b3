# A float literal to which a loop adds integers is float64; each name is reported once.
@cuda.jit("void(int32[:], float32[:])")
def total(x, y):
    i = cuda.grid(1)
    s = 0.0
    for v in x:
        s = s + v
    y[i] = s / x.size + s * 2


@cuda.jit("void(int32[:], float32[:])")
def augmented(x, y):
    acc = 0.0
    for i in range(x.size):
        for j in range(2):
            acc += x[i]
    y[0] = acc


@cuda.jit("void(int32[:], float32[:])")
def said_elsewhere(x, y):
    acc = 0.0
    for v in x:
        acc += v * 0.5
    y[0] = acc
    mean = 0.0
    if acc > 1:
        mean = x[0] / 3
    y[1] = mean + 1


@cuda.jit("void(int32[:], float32[:])")
def literals(x, y):
    s = 0.0
    for j in range(10):
        s += 0.5
    y[0] = s


@cuda.jit("void(int32[:], float32[:])")
def chosen(x, y):
    s = 0.0
    if x[0] > 1:
        s = x[1]
    y[0] = s * y[1]
    t = 0.5
    while t < 8:
        t = t + x[0]
        if t > 4:
            t = 1.5
    y[1] = t


@cuda.jit("void(int32[:], float32[:])")
def fine(x, y):
    s = 0.0
    n = 0
    p = 1.0
    for i in range(x.size):
        s += y[i]
        n += x[i]
        p *= float32(x[i])
    q: float32 = 0
    for v in x:
        q = q + v
    r = 0.0
    for v in y:
        r = max(r, v)
        if v < 0:
            r = 0.0
    u = 0.0
    for v in x:
        u = 1.0
    y[0] = s + n + p + q + r + u


@cuda.jit("void(int32[:], float64[:])")
def asked(x, y):
    s = 0.0
    for v in x:
        s += v
    y[0] = s


def sum_of(x):
    s = 0.0
    for v in x:
        s += v
    return s


@cuda.jit("void(int32[:], float32[:])")
def calls(x, y):
    y[0] = sum_of(x)
    y[1] = sum_of(y)
