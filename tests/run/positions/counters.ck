# Clocks go forward; the multiprocessor is one number for a block's thread. Their values are the
# machine's, so that only what holds on every machine is compared.

@kernel
def read(o: int64[:, :], t: bool[:, :], low: uint32[:, :]):
    i = grid(1)
    before = clock64()
    start = globaltimer()
    first = clock()
    for k in range(50):
        o[i, 4] += k * k
    last = clock()
    end = globaltimer()
    after = clock64()
    o[i, 0] = after - before
    o[i, 1] = end - start
    o[i, 2] = smid()
    o[i, 3] = start
    low[i, 0] = last - first
    t[i, 0] = isinstance(clock(), uint32)
    t[i, 1] = isinstance(clock64(), int64) and isinstance(globaltimer(), int64)
    t[i, 2] = isinstance(smid(), int64)

# A clock in a loop is read in each iteration.
@kernel
def wait(o: int64[:]):
    i = grid(1)
    start = globaltimer()
    n = 0
    while globaltimer() < start + 20000:
        n += 1
    o[i] = n

#: import time
#: n = 64
#: o, t, low = np.zeros((n, 5), np.int64), poison((n, 3), np.bool_), poison((n, 1), np.uint32)
#: w = poison(4, np.int64)
#: now = time.time_ns()
#: launch read[2, 32](o, t, low)
#: launch wait[2, 2](w)
#: expect (o[:, 0] >= 0) & (o[:, 1] >= 0) & (o[:, 2] >= 0) & (o[:, 2] < 4096)
#: expect (low[:, 0].astype("i8") < 2 ** 31) & (o[:, 4] == sum(k * k for k in range(50)))
#: expect t
#: expect w > 0
