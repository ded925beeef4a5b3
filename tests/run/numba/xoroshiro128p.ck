# Numba's random numbers: the states that it makes of seeds, each number and the state after it.
from numba.cuda.random import xoroshiro128p_uniform_float32

@cuda.jit
def draw(states, bits, single, double, gauss4, gauss8):
    i = cuda.grid(1)
    if i < states.size:
        bits[i] = cuda.random.xoroshiro128p_next(states, i)
        if i % 2:
            single[i] = xoroshiro128p_uniform_float32(states, i)
        else:
            single[i] = cuda.random.xoroshiro128p_uniform_float32(states, i)
        double[i] = cuda.random.xoroshiro128p_uniform_float64(states, i)
        gauss4[i] = cuda.random.xoroshiro128p_normal_float32(states, i)
        gauss8[i] = cuda.random.xoroshiro128p_normal_float64(states, i - states.size)

@cuda.jit
def jump(states):
    i = cuda.grid(1)
    if 0 < i < states.size:
        states[i] = states[0]
        for _ in range(i):
            cuda.random.xoroshiro128p_jump(states, i)

#: def mixed(a, b):
#:     m = 2**64 - 1
#:     x = a ^ b
#:     return (a << 55 & m | a >> 9) ^ x ^ x << 14 & m, x << 36 & m | x >> 28
#: def first(seed):
#:     m = 2**64 - 1
#:     z = seed + 0x9E3779B97F4A7C15 & m
#:     z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & m
#:     z = (z ^ z >> 27) * 0x94D049BB133111EB & m
#:     return z ^ z >> 31, z ^ z >> 31
#: def after_jump(a, b):
#:     x = y = 0
#:     for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
#:         for bit in range(64):
#:             if word >> bit & 1:
#:                 x, y = x ^ a, y ^ b
#:             a, b = mixed(a, b)
#:     return x, y
#: n, seed = 97, int(rng.integers(0, 2**63))
#: start = [first(seed)]
#: while len(start) < n:
#:     start.append(after_jump(*start[-1]))
#: states = np.array(start, [("s0", "u8"), ("s1", "u8")])
#: bits = poison(n, "u8")
#: single, gauss4 = poison(n, "f4"), poison(n, "f4")
#: double, gauss8 = poison(n, "f8"), poison(n, "f8")
#: launch draw[4, 32](states, bits, single, double, gauss4, gauss8)
#: numbers = []
#: state = start
#: for _ in range(7):
#:     numbers.append([a + b & 2**64 - 1 for a, b in state])
#:     state = [mixed(a, b) for a, b in state]
#: expect (bits == np.array(numbers[0], "u8")).all()
#: u = (np.array(numbers, "u8") >> np.uint64(11)).astype("f8") * 2**-53
#: expect (single == u[1].astype("f4")).all()
#: expect (double == u[2]).all()
#: f = u[3:5].astype("f4").astype("f8")
#: expect np.allclose(gauss4, np.sqrt(-2 * np.log(f[0])) * np.cos(2 * np.pi * f[1]), 1e-4, 1e-5)
#: expect close(gauss8, np.sqrt(-2 * np.log(u[5])) * np.cos(2 * np.pi * u[6]))
#: expect (states["s0"] == np.array([a for a, b in state], "u8")).all()
#: expect (states["s1"] == np.array([b for a, b in state], "u8")).all()
#: J = np.zeros(5, [("s0", "u8"), ("s1", "u8")])
#: J[0] = start[0]
#: launch jump[1, 32](J)
#: expect (J["s0"] == np.array([a for a, b in start[:5]], "u8")).all()
#: expect (J["s1"] == np.array([b for a, b in start[:5]], "u8")).all()
