def f(x):
    for i, v in enumerate(x):
        pass
    return 0

@kernel
def k(a: float32[:], b: int32[:, :], p: uint64, n: int64):
    for i in enumerate():
        pass
    for i in enumerate(a, 1, 2):
        pass
    for i, v in enumerate(a, begin=1):
        pass
    for i, v in enumerate(a, 1.5):
        pass
    for i, v in enumerate(a, a):
        pass
    for i, v in enumerate(5):
        pass
    for i, v, w in enumerate(a):
        pass
    for i, (v, w) in enumerate(a):
        pass
    for v, w in zip():
        pass
    for v, w in zip(a, strict=True):
        pass
    for v, w in zip(a, b, a):
        pass
    for v, w in zip(a, n):
        pass
    for v, w in zip(a, (1, a)):
        pass
    for v, w in zip(a, range(0, 5, 0)):
        pass
    for v, w in zip(a, range(n, p)):
        pass
    for v, w in zip(a, unknown):
        v = undefined
    for v, w in zip(a, ()):
        pass
    for (v, w), x in zip(a, enumerate(a)):
        pass
    for i, a in enumerate(b):
        pass
    e = enumerate(a)
    z = zip(a, a)
    f(n)
    f(b)
    for i, v in enumerate(range(1.5)):
        pass
