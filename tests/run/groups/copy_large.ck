# A line of more than 2 ** 26 elements is copied in several, here with an odd beginning and end.
#: n = (1 << 26) + int(rng.integers(100, 1000))
#: x = rng.integers(0, 256, n, dtype=np.uint8)
#: y = poison(n + 20, np.uint8)
#: launch large[1, 256](x, y, 5)
#: expect (y[5:n - 3] == x[5:n - 3]).all() and (y[:5] == y_in[:5]).all()
#: expect (y[n - 3:] == y_in[n - 3:]).all()
@kernel
def large(x: uint8[::1], y: uint8[::1], begin: int64):
    b = this_thread_block()
    b.memcpy_async(y[begin:-23], x[begin:])
    b.wait()
