# Kernels whose threads all reach each barrier, in all shapes of control flow: the CPU device runs
# them barrier by barrier in order of rank, and thread by thread in other orders.

def neighbour(s, t, n):
    syncthreads()
    value = s[(t + 1) % n]
    syncthreads()
    return value

def stay(x):
    return x, x * 2

# Values of all sizes that live across barriers; a local array; a tuple; views; a condition.
@kernel
def lives(x: int32[:], y: float64[:, :]):
    s = shared.array(1024, int32)
    t = threadIdx.x
    i = grid(1)
    a = x[i]
    small = int8(a)
    wide = float64(a) / 4
    odd = a % 2 == 1
    z = complex64(a, t)
    own = local.array(3, int16)
    own[0] = a
    own[1] = t
    pair = stay(a)
    row = y[i]
    s[t] = a
    b = neighbour(s, t, blockDim.x)
    own[2] = b
    c = neighbour(s, t, blockDim.x)
    row[0] = small
    row[1] = wide
    row[2] = odd
    row[3] = (z * z).imag
    row[4] = own[0] + own[1] * 2 + own[2] * 3
    row[5] = pair[0] + pair[1]
    row[6] = b + c

# Loops in loops, with a barrier in the inner one, in both, and parts where threads differ between.
@kernel
def nested(x: int64[:], n: int64, m: int64):
    s = shared.array(1024, int64)
    t = threadIdx.x
    i = grid(1)
    total = 0
    product = 1
    for a in range(n):
        s[t] = x[i] + a
        syncthreads()
        for b in range(m):
            if t % 3 == b % 3:
                total += s[(t + b) % blockDim.x]
            elif t > b:
                for c in range(t % 4):
                    total -= c
            syncthreads()
            product = product * 3 + total % 7
            s[t] += b
            syncthreads()
        total, product = product, total
    x[i] = total * 1000 + product % 1000

# Branches that all threads take alike, with barriers on one side, both or none.
@kernel
def branches(x: int64[:], mode: int64):
    s = shared.array(1024, int64)
    t = threadIdx.x
    i = grid(1)
    value = x[i]
    s[t] = value
    if mode == 0:
        syncthreads()
        value = s[blockDim.x - 1 - t]
    elif mode == 1:
        value += 1
    elif mode == 2:
        if blockIdx.x % 2 == 0:
            syncthreads()
            value += s[0]
            syncthreads()
        else:
            value -= 5
            syncthreads()
            value += s[blockDim.x - 1]
    else:
        return
    syncthreads()
    s[t] = value
    syncthreads()
    if t > 0:
        value += s[t - 1]
    else:
        x[i] = -1
        return
    x[i] = value

# Loops left early and gone on with, by conditions that are the same for all threads.
@kernel
def leaves(x: int64[:], n: int64):
    s = shared.array(1024, int64)
    t = threadIdx.x
    i = grid(1)
    k = 0
    s[t] = x[i]
    while True:
        k += 1
        syncthreads()
        if k > n:
            break
        value = s[(t + k) % blockDim.x]
        syncthreads()
        if k % 3 == 0:
            continue
        s[t] = value + k
    x[i] = s[t] * 10 + k

# What a barrier lets others see in a block of several dimensions; arrays bound again.
@kernel
def dims(x: int64[:], y: int64[:]):
    s = shared.array(1024, int64)
    r = shared.array(1024, int64)
    a, b = threadIdx.x, threadIdx.y
    c = threadIdx.z
    t = (c * blockDim.y + b) * blockDim.x + a
    n = blockDim.x * blockDim.y * blockDim.z
    i = blockIdx.x * n + t
    source = s
    target = r
    source[t] = x[i]
    for k in range(5):
        syncthreads()
        target[t] = source[(t + 1) % n] + a * 100 + b * 10 + c
        source, target = target, source
    syncthreads()
    y[i] = source[t]

# Values of an iteration are those of the iteration before, two at once.
@kernel
def swaps(x: int64[:], n: int64):
    i = grid(1)
    a = x[i]
    b = a * 2
    c = threadIdx.x
    for k in range(n):
        a, b, c = b, c, a
        syncthreads()
    x[i] = a * 10000 + b * 100 + c

#: repeat grids [1, 32], [3, 33], [2, 1], [2, 7], [1, 1024], [5, 96]
#: u = np.arange(int(GRID) * int(BLOCK))
#: t = u % int(BLOCK)
#: b = u // int(BLOCK)
#: first = b * int(BLOCK)
#: n = int(BLOCK)
#: x = rng.integers(-60, 60, u.size).astype("i4")
#: y = poison((u.size, 7), np.float64)
#: nest = rng.integers(-60, 60, u.size)
#: modes = [rng.integers(-60, 60, u.size) for mode in range(4)]
#: m0, m1, m2, m3 = modes
#: left = rng.integers(-60, 60, u.size)
#: swap = rng.integers(0, 90, u.size)
#: launch lives[GRID, BLOCK](x, y)
#: launch nested[GRID, BLOCK](nest, 3, 4)
#: launch branches[GRID, BLOCK](m0, 0)
#: launch branches[GRID, BLOCK](m1, 1)
#: launch branches[GRID, BLOCK](m2, 2)
#: launch branches[GRID, BLOCK](m3, 3)
#: launch leaves[GRID, BLOCK](left, 7)
#: launch swaps[GRID, BLOCK](swap, 4)
#: right = x[first + (t + 1) % n].astype("i8")
#: w = x.astype("i8")
#: own = w + 2 * t + 3 * right
#: expect y == np.array([w, w / 4, w % 2 == 1, 2 * w * t, own, 3 * w, 2 * right]).T
#: def nested(x):
#:     total, product, s = np.zeros_like(x), np.ones_like(x), None
#:     for a in range(3):
#:         s = x + a
#:         for k in range(4):
#:             differ = np.where(t > k, -(t % 4 * (t % 4 - 1) // 2), 0)
#:             total = total + np.where(t % 3 == k % 3, s[first + (t + k) % n], differ)
#:             product = product * 3 + total % 7
#:             s = s + k
#:         total, product = product, total
#:     return total * 1000 + product % 1000
#: expect nest == nested(nest_in)
#: def wanted(x, mode):
#:     if mode == 3:
#:         return x
#:     even = b % 2 == 0
#:     v = [x[first + n - 1 - t], x + 1, np.where(even, x + x[first], x - 5 + x[first + n - 1])][mode]
#:     return np.where(t > 0, v + v[np.maximum(u - 1, 0)], -1)
#: expect m0 == wanted(m0_in, 0)
#: expect m1 == wanted(m1_in, 1)
#: expect m2 == wanted(m2_in, 2)
#: expect m3 == m3_in
#: def leaves(s):
#:     for k in range(1, 8):
#:         if k % 3:
#:             s = s[first + (t + k) % n] + k
#:     return s * 10 + 8
#: expect left == leaves(left_in)
#: def swaps(a):
#:     b, c = a * 2, t
#:     for k in range(4):
#:         a, b, c = b, c, a
#:     return a * 10000 + b * 100 + c
#: expect swap == swaps(swap_in)

#: shapes = [(4, 2, 3), (33, 1, 2), (1, 5, 7), (8, 8, 8), (16, 1, 1), (1, 1, 64)]
#: from itertools import product
#: wide = [rng.integers(-99, 99, 2 * sx * sy * sz) for sx, sy, sz in shapes]
#: p0, p1, p2, p3, p4, p5 = wide
#: q0, q1, q2, q3, q4, q5 = [poison(p.size, np.int64) for p in wide]
#: launches [f"dims[2, ({sx}, {sy}, {sz})](p{k}, q{k})" for k, (sx, sy, sz) in enumerate(shapes)]
#: def dims(p, shape):
#:     sx, sy, sz = shape
#:     size = sx * sy * sz
#:     r = np.arange(size)
#:     s = p.reshape(2, size)
#:     for k in range(5):
#:         s = np.roll(s, -1, 1) + r % sx * 100 + r // sx % sy * 10 + r // (sx * sy)
#:     return s.reshape(-1)
#: expect [bool((q == dims(p, shape)).all()) for p, q, shape in zip(wide, [q0, q1, q2, q3, q4, q5], shapes)]
