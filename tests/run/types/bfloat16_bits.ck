# A bfloat16 that is only moved keeps its bits, a NaN's too: across loops, branches, barriers and calls.
# Subnormal numbers are numbers, whatever instructions the processor has for bfloat16.
def second(a, b):
    return b


@kernel
def move(x, o, n):
    v, w = x.view(bfloat16), o.view(bfloat16)
    b = this_thread_block()
    i = b.thread_rank()
    mine = v[i]
    for k in range(n):
        w[0, k, i] = mine
    held = v[0]
    for k in range(i + 1):
        if k % 3 == n % 3:
            held = v[k]
    w[1, 0, i] = held
    w[1, 1, i] = b.shfl(mine, 3)
    w[1, 2, i] = second(held, mine) if i % 2 else v[0]
    kept = local.array(2, bfloat16)
    kept[i % 2] = mine
    b.sync()
    w[1, 3, i] = kept[i % 2]
    pair = (mine, held)
    b.sync()
    w[1, 4, i] = pair[0]


@kernel
def halve(x, f, o):
    v, w = x.view(bfloat16), o.view(bfloat16)
    for i in range(grid(1), v.size, gridsize(1)):
        w[0, i] = v[i] * bfloat16(0.5)
        w[1, i] = v[i] + bfloat16(0)
        w[2, i] = bfloat16(f[i])

#: threads = 96
#: x = rng.integers(0, 1 << 16, threads, dtype=np.uint16)
#: x[:64] = rng.permutation(np.r_[rng.integers(0x7f81, 0x7fff, 20), rng.integers(0xff81, 0xffff, 20), rng.integers(1, 0x80, 24)])
#: o = poison((2, 5, threads), np.uint16)
#: launch move[1, 96](x, o, 5)
#: expect o[0] == x
#: last = [x[max([k for k in range(i + 1) if k % 3 == 2], default=0)] for i in range(threads)]
#: expect o[1] == [last, np.full(threads, x[3]), np.where(np.arange(threads) % 2, x, x[0]), x, x]
#: x = np.r_[np.arange(0x100), np.arange(0x8000, 0x8100), rng.integers(0, 0x7f81, 99)].astype(np.uint16)
#: f = (x.astype("u4") << 16 | rng.integers(0, 1 << 16, x.size, dtype="u4") | rng.choice([0, 0xffff], x.size).astype("u4")).view("f4")
#: f[np.isnan(f)] = 1
#: o = poison((3, x.size), np.uint16)
#: launch halve[2, 64](x, f, o)
#: def value(bits): return (np.asarray(bits, "u4") << 16).view("f4")
#: expect value(o[0]) == to_bfloat16(value(x).astype("f8") * 0.5)
#: expect value(o[1]) == value(x)
#: expect o[2] == to_bfloat16(f).view("u4") >> 16
