# Random numbers. Without a state: Philox 4x32-10 of Salmon and others, "Parallel random numbers: as
# easy as 1, 2, 3" (2011).


# The key is `seed`; the counter's low half is `counter` and its high half `stream`.
def random_philox(seed, counter, stream):
    k0 = uint32(seed)
    k1 = uint32(seed >> uint64(32))
    x0 = uint32(counter)
    x1 = uint32(counter >> uint64(32))
    x2 = uint32(stream)
    x3 = uint32(stream >> uint64(32))
    for _ in range(10):
        a = uint64(0xD2511F53) * uint64(x0)
        b = uint64(0xCD9E8D57) * uint64(x2)
        x0 = uint32(uint32(b >> uint64(32)) ^ x1 ^ k0)
        x1 = uint32(b)
        x2 = uint32(uint32(a >> uint64(32)) ^ x3 ^ k1)
        x3 = uint32(a)
        k0 = uint32(k0 + uint32(0x9E3779B9))
        k1 = uint32(k1 + uint32(0xBB67AE85))
    return x0, x1, x2, x3


# --- Numbers of a distribution: tuples of as many as the bits are enough for ----------------------


# In [0, 1): 24 bits each.
def random_philox_uniform_float32(seed, counter, stream):
    a, b, c, d = random_philox(seed, counter, stream)
    scale = float32(5.9604644775390625e-08)
    return (float32(a >> uint32(8)) * scale, float32(b >> uint32(8)) * scale,
            float32(c >> uint32(8)) * scale, float32(d >> uint32(8)) * scale)


def _joined(low, high):
    return uint64(high) << uint64(32) | uint64(low)


# In [0, 1): 53 bits each.
def random_philox_uniform_float64(seed, counter, stream):
    a, b, c, d = random_philox(seed, counter, stream)
    scale = 1.1102230246251565e-16
    return (float64(_joined(a, b) >> uint64(11)) * scale,
            float64(_joined(c, d) >> uint64(11)) * scale)


# Box-Muller: two normal numbers of two uniform ones, the first not zero.
def _normal_pair(u, v):
    radius = sqrt(-2 * log(u))
    s, c = sincospi(2 * v)
    return radius * c, radius * s


def random_philox_normal_float32(seed, counter, stream):
    a, b, c, d = random_philox_uniform_float32(seed, counter, stream)
    least = float32(5.9604644775390625e-08)
    w, x = _normal_pair(a + least, b)
    y, z = _normal_pair(c + least, d)
    return w, x, y, z


def random_philox_normal_float64(seed, counter, stream):
    a, b = random_philox_uniform_float64(seed, counter, stream)
    return _normal_pair(a + 1.1102230246251565e-16, b)


# From `low` to before `low + n`: the high half of the product with 64 random bits.
def random_philox_integers(seed, counter, stream, low, n):
    a, b, c, d = random_philox(seed, counter, stream)
    return (int64(uint64(low) + _high_product(_joined(a, b), n)),
            int64(uint64(low) + _high_product(_joined(c, d), n)))


# --- Numba's generator ----------------------------------------------------------------------------
# xoroshiro128+ of Blackman and Vigna with the constants 55, 14 and 36. `state` is the place of a
# record of two uint64, `s0` and `s1`.


@checked
def random_xoroshiro128p_next(state):
    a = state.s0
    b = state.s1
    mixed = a ^ b
    state.s0 = uint64((a << uint64(55) | a >> uint64(9)) ^ mixed ^ (mixed << uint64(14)))
    state.s1 = uint64(mixed << uint64(36) | mixed >> uint64(28))
    return uint64(a + b)


# As if 2**64 numbers had been drawn.
def random_xoroshiro128p_jump(state):
    a = uint64(0)
    b = uint64(0)
    for word in (uint64(0xBEAC0467EBA5FACB), uint64(0xD86B048B86AA9922)):
        for bit in range(64):
            if word >> uint64(bit) & uint64(1) != 0:
                a ^= state.s0
                b ^= state.s1
            random_xoroshiro128p_next(state)
    _set_state(state, a, b)


@checked
def _set_state(state, a, b):
    state.s0 = a
    state.s1 = b


def random_xoroshiro128p_uniform_float64(state):
    return float64(random_xoroshiro128p_next(state) >> uint64(11)) * 1.1102230246251565e-16


# As if rounded from float64: it may be 1. The factor is a power of two, so that only the conversion
# rounds.
def random_xoroshiro128p_uniform_float32(state):
    return float32(random_xoroshiro128p_next(state) >> uint64(11)) * float32(1.1102230246251565e-16)


# The first number of Box-Muller's two, as Numba's.
def random_xoroshiro128p_normal_float32(state):
    u = random_xoroshiro128p_uniform_float32(state)
    v = random_xoroshiro128p_uniform_float32(state)
    return sqrt(float32(-2) * log(u)) * cos(float32(6.2831853071795865) * v)


def random_xoroshiro128p_normal_float64(state):
    u = random_xoroshiro128p_uniform_float64(state)
    v = random_xoroshiro128p_uniform_float64(state)
    return sqrt(-2.0 * log(u)) * cos(6.2831853071795865 * v)
