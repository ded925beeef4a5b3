def largest(a, b):
    return a if a > b else b
def bad(a, b):
    return a > b
def one(a, i):
    a[0] = i + 100
def give(i):
    return i + 7
def waits(a, b):
    return a + syncthreads_count(b)
@kernel
def k(o: int64[:, ::1], n: int64[::1]):
    t = tiled_partition(this_thread_block(), 8)
    i = grid(1)
    o[i, 0] = reduce(t, i, plus)
    o[i, 1] = reduce(t, i, cuda.cg.less())
    o[i, 2] = t.reduce(i, bad)
    o[i, 3] = t.reduce(i % 2 == 0)
    o[i, 4] = t.invoke_one_broadcast(give, i)
    invoke_one(t, give)
    t.invoke_one(3)
    t.reduce(1.5, bit_and)
    t.reduce(i, k)
    t.reduce(i, waits)
