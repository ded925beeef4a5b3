"""Random numbers of generators with states, xoroshiro128+ as Numba has it: one state a thread.

The functions with a state are for kernels. `cuda.random.philox(seed, counter)` of kernels needs no
states and is faster."""

import math

from ck import _core, _device_array, _dispatcher, _source, _types

float32, float64, uint64 = (_types.TYPES[name] for name in ("float32", "float64", "uint64"))


def xoroshiro128p_next(states, index):
    """64 random bits; advances the state."""
    s0 = states[index, 0]
    s1 = states[index, 1]
    result = s0 + s1
    s1 ^= s0
    states[index, 0] = (s0 << uint64(55) | s0 >> uint64(9)) ^ s1 ^ (s1 << uint64(14))
    states[index, 1] = s1 << uint64(36) | s1 >> uint64(28)
    return result


def xoroshiro128p_uniform_float64(states, index):
    """A float64 in [0, 1)."""
    return float64(xoroshiro128p_next(states, index) >> uint64(11)) * (1.0 / 9007199254740992.0)


def xoroshiro128p_uniform_float32(states, index):
    """A float32 in [0, 1]."""
    return float32(xoroshiro128p_uniform_float64(states, index))


def xoroshiro128p_normal_float64(states, index):
    """A float64 of the normal distribution with mean 0 and deviation 1."""
    u1 = xoroshiro128p_uniform_float64(states, index)
    u2 = xoroshiro128p_uniform_float64(states, index)
    return math.sqrt(-2.0 * math.log(u1)) * math.cos(2.0 * math.pi * u2)


def xoroshiro128p_normal_float32(states, index):
    """A float32 of the normal distribution with mean 0 and deviation 1."""
    return float32(xoroshiro128p_normal_float64(states, index))


def _fill(states, seed, start):
    """The first state is of the seed; each other is 2**64 steps after the one before."""
    z = seed + uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    z = z ^ (z >> uint64(31))
    states[0, 0] = z
    states[0, 1] = z
    for _ in range(start):
        _jump(states, 0)
    for i in range(1, states.shape[0]):
        states[i, 0] = states[i - 1, 0]
        states[i, 1] = states[i - 1, 1]
        _jump(states, i)


def _jump(states, index):
    """Advances a state by 2**64 steps."""
    s0 = uint64(0)
    s1 = uint64(0)
    for word in (uint64(0xBEAC0467EBA5FACB), uint64(0xD86B048B86AA9922)):
        for bit in range(64):
            if word >> uint64(bit) & uint64(1) != uint64(0):
                s0 ^= states[index, 0]
                s1 ^= states[index, 1]
            xoroshiro128p_next(states, index)
    states[index, 0] = s0
    states[index, 1] = s1


_fill_on_cpu = []


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """A device array of `n` states. Their sequences, of 2**64 numbers each, do not overlap; the
    first is number `subsequence_start` of the seed."""
    import numpy as np

    if not _fill_on_cpu:
        source = _source.Source()
        source.add_function(_fill, "@cuda.jit")
        _fill_on_cpu.append(_core.compile(text=source.text, device="cpu", check="",
                                          name=_dispatcher.source_file(_fill),
                                          _parts=source.parts)["_fill"])
    states = np.empty((n, 2), np.uint64)
    if n:
        _fill_on_cpu[0][1, 1](states, np.uint64(seed % 2**64), subsequence_start)
    return _device_array.to_device(states, stream)


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    """Fills a device array of states."""
    states.copy_to_device(
        create_xoroshiro128p_states(states.shape[0], seed, subsequence_start, stream), stream)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _source.KernelOnly(f"cuda.random.{name}")
