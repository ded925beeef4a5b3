# Partitions of a block: one thread of each calls.

#: racecheck no: the warps of a part wait for each other by words in shared memory, which it does not follow, of CUDA C++ either

def count(o, label, n):
    atomic.add(o, label, n)

@cuda.jit
def ones(x, label, o):
    i = this_grid().thread_rank()
    p = this_thread_block().labeled_partition(label[i])
    p.invoke_one(count, o, label[i], p.num_threads())
    p.sync()
    p.invoke_one(count, o, label[i], 1)

# Each part copies what is its own: at[i] is where that begins in the block's piece of x.
@cuda.jit
def copies(x, label, at, o):
    i = this_grid().thread_rank()
    p = this_thread_block().stride_partition(label[0] + 1).labeled_partition(label[i] % 2)
    s = shared.array(1024, int32)
    first = i - this_thread_block().thread_rank() + at[i]
    n = p.num_threads()
    p.memcpy_async(s[at[i]:at[i] + n], x[first:first + n])
    p.wait()
    o[i] = s[at[i] + (p.thread_rank() * 7 + 3) % n]
    p.sync()
    p.memcpy_async(s[at[i]:at[i] + n], x[first:first + n])
    p.wait_prior(0)

#: repeat grids [1, 1], [3, 77], [1, 1024]
#: total = int(np.prod(BLOCK)) * int(np.prod(GRID))
#: label = rng.integers(0, 9, total).astype("u1")
#: o = np.zeros(9, "i8")
#: x = np.zeros(1, "i4")
#: launch ones[GRID, BLOCK](x, label, o)
#: blocks = label.reshape(GRID, -1)
#: expect o == [(label == q).sum() + (blocks == q).any(1).sum() for q in range(9)]
#: threads = int(np.prod(BLOCK))
#: x = rng.integers(-2**31, 2**31, total).astype("i4")
#: at, o, want = np.zeros(total, "i8"), poison(total, "i4"), np.zeros(total, "i4")
#: count = (threads - 1) // min(int(label[0]) + 1, threads) + 1
#: for b in range(0, total, threads):
#:     rank, start = np.arange(threads) % count, 0
#:     for q in range(count):
#:         for k in range(2):
#:             part = b + np.flatnonzero((rank == q) & (label[b:b + threads] % 2 == k))
#:             at[part] = start
#:             if len(part): want[part] = x[b + start + (np.arange(len(part)) * 7 + 3) % len(part)]
#:             start += len(part)
#: launch copies[GRID, BLOCK](x, label, at, o)
#: expect o == want
