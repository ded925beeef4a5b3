# Random numbers without a state: Philox 4x32-10 of Salmon and others, "Parallel random numbers: as
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
