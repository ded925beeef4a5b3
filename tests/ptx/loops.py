"""Loops with barriers keep their form: one header, to which all back edges lead. Where an optimiser
makes two nested loops of one, a warp whose threads diverge no longer reconverges at the barrier,
and its threads wait for each other for ever."""

import re

from ptx.content import body, count

# By the number of loops around the barriers.
KERNELS = """
def halving(s, t, n):
    d = n // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        syncthreads()
        d //= 2
    return s[0]

@kernel
def one_halving(x: int32[::1], n: int64):
    s = shared.array(256, int32)
    s[threadIdx.x] = x[grid(1)]
    x[grid(1)] = halving(s, threadIdx.x, n)

@kernel
def one_barrier_at_the_head(x: int32[::1], n: int64):
    s = shared.array(256, int32)
    t = threadIdx.x
    s[t] = x[grid(1)]
    d = n
    while True:
        syncthreads()
        d //= 2
        if d == 0:
            break
        adds = 0
        if t < d:
            adds = 1
        if adds:
            s[t] += s[t + d]
    x[grid(1)] = s[0]

@kernel
def one_early_ends(x: int32[::1], n: int64):
    s = shared.array(256, int32)
    t = threadIdx.x
    for k in range(n):
        syncthreads()
        if t < k:
            s[t] = k
            continue
        if t > 2 * k:
            s[t] -= s[k]
            continue
        s[t] += x[k]
    x[grid(1)] = s[t]

@kernel
def one_three_edges(x: int32[::1], n: int64):
    s = shared.array(256, int32)
    t = threadIdx.x
    k = 0
    while k < n:
        if x[t] > k:
            s[t] += x[k]
        elif x[t] < -k:
            s[t] -= x[k]
        else:
            s[t] = k
        k += 1
        syncthreads()
        x[t] = s[255 - t]
        syncthreads()

@kernel
def one_own_trips(x: int32[::1], n: int64):
    s = shared.array(256, int32)
    t = threadIdx.x
    for k in range(n):
        i = t
        while i < x.size:
            s[t] += x[i]
            if s[t] > 99:
                break
            i += k + 1
        syncthreads()
        x[t] = s[(t + 1) % 256]
        syncthreads()

@kernel
def two_strides(x: int32[::1], n: int64):
    s = shared.array(256, int32)
    t = threadIdx.x
    for first in range(blockIdx.x * n, x.size, gridDim.x * n):
        s[t] = x[first + t] if first + t < x.size else 0
        d = n
        while True:
            syncthreads()
            d //= 2
            if d == 0:
                break
            if t < d:
                s[t] += s[t + d]
        if t == 0:
            x[first] = s[0]

@kernel
def one_of_the_grid(x: int32[::1], n: int64):
    g = this_grid()
    i = g.thread_rank()
    k = 0
    while True:
        g.sync()
        k += 1
        if k == n:
            break
        here = x[i]
        adds = here > x[n - 1]
        if adds:
            x[i] = here + 1
"""


def blocks_of(code):
    """The basic blocks: their instructions, and those that follow each, by number."""
    starts, blocks = {}, [[]]
    for line in code.partition("{")[2].split("\n"):
        line = line.strip()
        if label := re.match(r"(\$\w+):", line):
            if blocks[-1]:
                blocks.append([])
            starts[label[1]] = len(blocks) - 1
        elif line and not line.startswith((".", "}")):
            blocks[-1].append(line)
            if re.match(r"(@!?%p\d+ +)?bra|ret|exit|trap", line):
                blocks.append([])
    follow = []
    for i, lines in enumerate(blocks):
        last = lines[-1] if lines else ""
        targets = [starts[name] for name in re.findall(r"(?<!\w)bra(?:\.uni)?\s+(\$\w+)", last)]
        falls = not re.match(r"bra|ret|exit", last) and i + 1 < len(blocks)
        follow.append(targets + [i + 1] * falls)
    return blocks, follow


def dominators(follow):
    everything = set(range(len(follow)))
    out = [{0}] + [everything for _ in follow[1:]]
    changed = True
    while changed:
        changed = False
        for i in range(1, len(follow)):
            before = [out[k] for k, targets in enumerate(follow) if i in targets]
            now = {i} | (set.intersection(*before) if before else everything)
            changed = changed or now != out[i]
            out[i] = now
    return out


def heads_around(follow, block):
    """The heads of the loops that the block is in."""
    over = dominators(follow)
    found = set()
    for end, targets in enumerate(follow):
        for head in targets:
            if head not in over[end]:
                continue
            inside, left = {head}, [end]
            while left:
                i = left.pop()
                if i not in inside:
                    inside.add(i)
                    left += [k for k, t in enumerate(follow) if i in t]
            if block in inside:
                found.add(head)
    return found


def test_one_head(t):
    source = t.write("k.ck", KERNELS)
    for arch in "sm_75", "sm_90", "sm_120":
        for level in "-O1", "-O2", "-O3":
            text = t.ok([t.ckc, f"-arch={arch}", level, "-o", "-", source]).out
            for name in re.findall(r"^def (\w+)\(x", KERNELS, re.M):
                code = body(text, name)
                blocks, follow = blocks_of(code)
                at = [i for i, lines in enumerate(blocks) if any("bar.sync" in line for line in lines)]
                assert at, code
                loops = [len(heads_around(follow, block)) for block in at]
                wanted = 2 if name.startswith("two") else 1
                # A remainder is no loop.
                assert set(loops) in ({wanted}, {wanted, wanted - 1}), (arch, level, name, loops, code)


def test_barriers_stand_once(t):
    """None is put under a condition of its own. Only unrolling duplicates them: four copies, and
    three of the remainder."""
    text = t.ok([t.ckc, "-arch=sm_90", "-o", "-", t.write("k.ck", KERNELS)]).out
    for name, n in {"one_halving": 1, "one_barrier_at_the_head": 1, "one_early_ends": 7, "one_three_edges": 14,
                    "one_own_trips": 2, "two_strides": 1, "one_of_the_grid": 2}.items():
        code = body(text, name)
        assert count(code, "bar.sync") == n and not re.search(r"@!?%p\d+ +bar", code), (name, code)
