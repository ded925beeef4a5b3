# Parts of a block: one thread of each calls.

def count(o, label, n):
    atomic.add(o, label, n)

@cuda.jit
def ones(x, label, o):
    i = this_grid().thread_rank()
    p = this_thread_block().labeled_partition(label[i])
    p.invoke_one(count, o, label[i], p.num_threads())
    p.sync()
    p.invoke_one(count, o, label[i], 1)

#: repeat grids [1, 1], [3, 77], [1, 1024]
#: total = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: label = rng.integers(0, 9, total).astype("u1")
#: o = np.zeros(9, "i8")
#: x = np.zeros(1, "i4")
#: launch ones[GRID, BLOCK](x, label, o)
#: blocks = label.reshape(GRID, -1)
#: expect o == [(label == q).sum() + (blocks == q).any(1).sum() for q in range(9)]
