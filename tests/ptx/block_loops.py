"""The CPU device's code for kernels with barriers. Where threads run by rank and every thread is
known to reach each barrier, it is a loop over the block's threads from one barrier to the next,
which is vectorised. Otherwise, and in other orders, it is a coroutine."""

import re

# The first word says which it is to be.
KERNELS = """
@kernel
def vectors_reverse(x: int32[::1]):
    s = shared.array(256, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    syncthreads()
    x[grid(1)] = s[t] + s[t ^ 1]

@kernel
def vectors_kept(x: float32[::1], n: int64):
    s = shared.array(256, float32)
    t = threadIdx.x
    total = float32(0)
    for k in range(n):
        s[t] = x[grid(1)] + k
        syncthreads()
        total += s[t] * s[0]
        syncthreads()
    x[grid(1)] = total

@kernel
def loops_halving(x: int32[::1]):
    s = shared.array(256, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    syncthreads()
    d = blockDim.x // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        syncthreads()
        d //= 2
    x[grid(1)] = s[0]

def wait_twice(times):
    for k in range(times):
        syncthreads()
        if k == 1:
            return
        syncthreads()

@kernel
def loops_calls(x: int32[::1], n: int64):
    x[grid(1)] = n
    wait_twice(n)
    if threadIdx.x == 0:
        return
    x[grid(1)] += 1

@kernel
def loops_uniform_end(x: int32[::1], n: int64):
    if n > 5:
        return
    syncthreads()
    x[grid(1)] = n
    assert x[grid(1)] >= 0

@kernel
def loops_counted_before(x: int32[::1], n: int64):
    iterations = 0
    while n > 1:
        n //= 2
        iterations += 1
    for k in range(iterations):
        x[grid(1)] += k
        syncthreads()

@kernel
def loops_local(x: int32[::1], k: int64):
    own = local.array(16, int32)
    for j in range(16):
        own[j] = x[grid(1)] * j
    syncthreads()
    x[grid(1)] = own[(threadIdx.x + k) % 16]

@kernel
def coroutines_memory(x: int32[::1]):
    if x[blockIdx.x]:
        syncthreads()
    x[grid(1)] = 1

@kernel
def coroutines_assert(x: int32[::1]):
    assert x[grid(1)] > 0
    syncthreads()
    x[grid(1)] = 1

@kernel
def coroutines_grid(x: int32[::1]):
    x[grid(1)] = 1
    this_grid().sync()

@kernel
def loops_shuffle(x: int32[::1]):
    x[grid(1)] = shfl_sync(0xffffffff, x[grid(1)], 3)

@kernel
def loops_shuffles_in_loop(x: int32[::1], n: int64):
    value = x[grid(1)]
    for k in range(n):
        value += shfl_xor_sync(0xffffffff, value, k)
        syncwarp()
    x[grid(1)] = value

@kernel
def loops_reduce(x: float32[::1]):
    x[grid(1)] = this_thread_block().reduce(x[grid(1)])

@kernel
def loops_tile(x: int32[::1]):
    t = tiled_partition(this_thread_block(), 8)
    x[grid(1)] = t.shfl_down(x[grid(1)], 3)
    t.sync()
    tiled_partition(this_thread_block(), 64).sync()
    x[grid(1)] += 1

@kernel
def loops_count(x: int32[::1]):
    x[grid(1)] = syncthreads_count(x[grid(1)] > 0)

@kernel
def loops_until(x: int32[::1]):
    i = grid(1)
    while syncthreads_or(x[i] > 0):
        x[i] -= 1

@kernel
def coroutines_mask(x: int32[::1], mask: uint32):
    x[grid(1)] = shfl_sync(mask, x[grid(1)], 3)

@kernel
def coroutines_vote(x: int32[::1]):
    x[grid(1)] = ballot_sync(0xffffffff, x[grid(1)] > 0)

@kernel
def coroutines_some_threads(x: int32[::1]):
    if threadIdx.x < 32:
        x[grid(1)] = shfl_sync(0xffffffff, x[grid(1)], 3)

@kernel
def coroutines_group(x: int32[::1]):
    x[grid(1)] = coalesced_threads().num_threads()

@kernel
def coroutines_split(x: int32[::1]):
    token = this_thread_block().barrier_arrive()
    x[grid(1)] = 1
    this_thread_block().barrier_wait(token)
"""

NAMES = re.findall(r"^def ((?:vectors|loops|coroutines)_\w+)", KERNELS, re.M)


def entries(t, *options):
    text = t.ok([t.ckc, "-arch=host", "--emit=llvm", *options, "-o", "-", t.write("k.ck", KERNELS)]).out
    found = {}
    for name, entry, code in re.findall(r"^define [^\n]*@(\w+)\.(start|block_loops)\((.*?)^}", text, re.M | re.S):
        assert name not in found, name
        found[name] = entry, code
    assert sorted(found) == sorted(NAMES), sorted(found)
    return found


def test_loops_where_every_thread_reaches_the_barriers(t):
    found = entries(t, "--schedule=seq")
    for name, (entry, code) in found.items():
        assert entry == ("start" if name.startswith("coroutines") else "block_loops"), name
        assert "@ck." not in code.replace("@ck.print.", ""), name
        if name.startswith("vectors"):
            stores = re.findall(r"store <\d+ x (?:i32|float)>", code)
            assert len(stores) >= 2, name


def test_threads_of_other_orders_are_coroutines(t):
    for options in [(), ("--schedule=any",), ("--schedule=seq", "-O1"), ("--schedule=seq", "-O0")]:
        found = entries(t, *options)
        assert all(entry == "start" for entry, _ in found.values()), options


def test_line_tables_go_with_them(t):
    found = entries(t, "--schedule=seq", "-lineinfo")
    assert re.search(r"store [^\n]*!dbg", found["vectors_reverse"][1])
