# Loops whose state is in memory alone, or in a clock: they end, though no thread's own variables
# change for millions of iterations.
#: x = np.array([1, 0], np.int64)
#: launch in_array[1, 1](x, 3_000_000)
#: def generator(n):
#:     state = 1
#:     for _ in range(n):
#:         state = (state * 1103515245 + 12345) % 2**31
#:     return np.array([state, n], np.int64)
#: expect x == generator(3_000_000)
@kernel
def in_array(x: int64[:], n: int64):
    while x[1] < n:
        x[0] = (x[0] * 1103515245 + 12345) % 2**31
        x[1] += 1


#: y = np.zeros((3, 5), np.int32, order="F")
#: launch in_column[1, 1](y, 3_000_000)
#: expect y == np.where(np.arange(15).reshape(3, 5) == 14, 3_000_000, 0)
@kernel
def in_column(y: int32[:, :], n: int64):
    while y[2, 4] < n:
        y[2, 4] += 1


#: z = poison(2, np.int64)
#: launch in_shared[2, 1](z, 3_000_000)
#: expect z == 3_000_000
@kernel
def in_shared(z: int64[:], n: int64):
    counter = shared.array(1, int64)
    counter[0] = 0
    while counter[0] < n:
        counter[0] += 1
    z[blockIdx.x] = counter[0]


#: w = poison(1, np.int64)
#: launch in_module[1, 1](w, 3_000_000)
#: expect w == 3_000_000
kept = device_array(1, int64)


@kernel
def in_module(w: int64[:], n: int64):
    kept[0] = 0
    while kept[0] < n:
        kept[0] += 1
    w[0] = kept[0]


#: flag, late = np.zeros(1, np.int32), poison(1, np.int64)
#: launch timeout[1, 1](flag, late, 500_000_000)
#: expect late >= 500_000_000
@kernel
def timeout(flag: int32[:], late: int64[:], limit: int64):
    begin = globaltimer()
    while flag[0] == 0 and globaltimer() - begin < limit:
        nanosleep(10)
    late[0] = globaltimer() - begin
