from numba import cuda


@cuda.jit
def generic(x, n, g):
    a = x.shpe[0] + x.shape[0]
    b = x.smu() + x.sum()
    for i in rnge(3):
        a += i
    for i, v in enumerte(x):
        a += v
    c = g.mas + n.real + g.x + x.T[0].size
    x[0] = a + b + c


@cuda.jit
def of_another(x, y):
    if y is None:
        x = x.T
    x[0] = x.other


@cuda.jit("void(float32[:])")
def typed(x):
    x[0] = x.shpe[0] + x.smu() + x.argmn()


# Records have no operators and no methods: what is computed with has no fields.
@cuda.jit
def computed(a, b, c, d, e):
    i = cuda.grid(1)
    a[i] += a.foobar
    b[i] = 2 * b.size + b.sizes
    if -c[i] > c.shpe[0]:
        d.foobar()
    if e[i] * 2 > 0:
        e[0] = e.colour


# Nothing shows that these have no fields, though names are near those of arrays.
@cuda.jit
def records(a, b, c, d):
    i = cuda.grid(1)
    if i < a.shape[0] and not b:
        a[i].size = b.sizes[i] + a.shapes[i] + c["mass"] * c.strides_of
        a[i] = b[i]
        d.dtypes[i] += d["mass"]
