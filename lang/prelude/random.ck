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


# Normal numbers are Box and Muller's: a radius, sqrt(-2 log(u)) of a uniform u, times the cosine
# and the sine of a uniform angle. Both are in ranges that need no special cases, and all operations
# are correctly rounded, so that every device has the same bits. Polynomials are minimax for the
# relative error, which is given.


# Of u = (bits + 1/2) / 2**32, rounded below 1. u is (1 + f) * 2**e, with 1 + f from 2/3 to 4/3;
# -2 * log(1 + f) with an error of 2**-27 of the result.
def _radius_float32(bits):
    u = fma(float32(bits), float32(2.3283062977608182e-10), float32(1.1641532182693481e-10))
    word = bitcast(u, uint32)
    e = uint32(word - uint32(0x3F2AAAAB)) & uint32(0xFF800000)
    f = bitcast(uint32(word - e), float32) - 1
    p = fma(0.258915246, f, -0.280097783)
    p = fma(p, f, 0.243358299)
    p = fma(p, f, -0.280022621)
    p = fma(p, f, 0.333644956)
    p = fma(p, f, -0.400215)
    p = fma(p, f, 0.499994367)
    p = fma(p, f, -0.666664183)
    p = fma(p, f, 1)
    p = fma(p, f, -2)
    return _sqrt_in_range(fma(float32(int32(e)), float32(-1.65259166e-07), p * f))


# The same of u = (2 * bits + 1) / 2**53, of the low 52 bits; error 2**-56.
def _radius_float64(bits):
    one = uint64(0x3FF0000000000000)
    u = bitcast(bits & uint64(0xFFFFFFFFFFFFF) | one, float64) - 0.9999999999999999
    word = bitcast(u, uint64)
    high = uint32(word >> uint64(32))
    e = uint32(high - uint32(0x3FE55555)) & uint32(0xFFF00000)
    f = bitcast(_joined(uint32(word), uint32(high - e)), float64) - 1
    p = fma(-0.17056574502947028, f, 0.17757681450021634)
    p = fma(p, f, -0.08239945500857487)
    p = fma(p, f, 0.0887839661352082)
    p = fma(p, f, -0.12151917885023326)
    p = fma(p, f, 0.12841584960852404)
    p = fma(p, f, -0.1329146731223138)
    p = fma(p, f, 0.14254321368966769)
    p = fma(p, f, -0.15387655703292752)
    p = fma(p, f, 0.1666846667319104)
    p = fma(p, f, -0.18181668725136127)
    p = fma(p, f, 0.19999936099824112)
    p = fma(p, f, -0.22222227074543266)
    p = fma(p, f, 0.250000013312019)
    p = fma(p, f, -0.2857142847323935)
    p = fma(p, f, 0.3333333331922991)
    p = fma(p, f, -0.4000000000110782)
    p = fma(p, f, 0.500000000000439)
    p = fma(p, f, -0.6666666666666142)
    p = fma(p, f, 1.0000000000000018)
    p = fma(p, f, -2)
    return sqrt(fma(float64(int32(e)), -1.3220733271788507e-06, p * f))


# The cosine and the sine of an angle of at most pi / 4; errors 2**-32 and 2**-28, in float64 2**-63
# and 2**-57.
def _cos_sin(angle):
    z = angle * angle
    if isinstance(angle, float32):
        c = fma(fma(2.44369785e-05, z, -0.00138873549), z, 0.0416666456)
        s = fma(fma(-0.00019515946, z, 0.00833216868), z, -0.166666552)
    else:
        c = fma(-1.1358749240469568e-11, z, 2.0875705396035112e-09)
        c = fma(fma(c, z, -2.7557314217038876e-07), z, 2.480158728900208e-05)
        c = fma(fma(c, z, -0.0013888888888873342), z, 0.041666666666666595)
        s = fma(1.5894743283863398e-10, z, -2.5050722748763147e-08)
        s = fma(fma(s, z, 2.755731346598759e-06), z, -0.00019841269829155159)
        s = fma(fma(s, z, 0.008333333333321594), z, -0.1666666666666663)
    return fma(fma(c, z, -0.5), z, 1), fma(angle * z, s, angle)


# The angle is (low 30 bits + 1/2) * pi/2 / 2**30, from -pi/4 to pi/4 if they are a signed number;
# the next bit swaps cosine and sine, and the last one is the sign of both.
def _normal_pair_float32(a, b):
    radius = bitcast(bitcast(_radius_float32(a), uint32) | b & uint32(0x80000000), float32)
    low = float32(int32(uint32(b << uint32(2))))
    # pi / 2**33 in two parts
    rest = fma(low, float32(-1.01773507e-17), float32(7.3145906e-10))
    c, s = _cos_sin(fma(low, float32(3.6572953e-10), rest))
    swap = b & uint32(0x40000000) != 0
    return radius * (s if swap else c), radius * (c if swap else s)


def random_philox_normal_float32(seed, counter, stream):
    a, b, c, d = random_philox(seed, counter, stream)
    w, x = _normal_pair_float32(a, b)
    y, z = _normal_pair_float32(c, d)
    return w, x, y, z


# Likewise of the low 52 bits, of bit 62 and of bit 63.
def random_philox_normal_float64(seed, counter, stream):
    a, b, c, d = random_philox(seed, counter, stream)
    bits = _joined(c, d)
    sign = bits & uint64(0x8000000000000000)
    radius = bitcast(bitcast(_radius_float64(_joined(a, b)), uint64) | sign, float64)
    one = uint64(0x3FF0000000000000)
    low = bitcast(bits & uint64(0xFFFFFFFFFFFFF) | one, float64) - 1.5
    c, s = _cos_sin(fma(low, 1.5707963267948966, 1.743934249004316e-16))
    swap = bits & uint64(0x4000000000000000) != 0
    return radius * (s if swap else c), radius * (c if swap else s)


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
