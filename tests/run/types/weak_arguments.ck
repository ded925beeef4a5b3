# Plain floats in the launch of a generic kernel take the type of the other floats; a cast does not.
#: n = 8
#: whole = np.full(n, 3, np.int32)
#: half = np.full(n, 0.1, np.float16)
#: single = np.full(n, 0.1, np.float32)
#: double = np.full(n, 0.1)
#: pairs = np.full(n, 0.1 + 0.2j, np.complex64)
#: same = poison(n, np.int32)
#: launch compare[1, 8](0.1, half, same)
#: expect same == 1
#: launch compare[1, 8](0.1, single, same)
#: expect same == 1
#: launch compare[1, 8](0.1, double, same)
#: expect same == 1
#: launch compare[1, 8](0.1 + 0.2j, pairs, same)
#: expect same == 1
#: launch compare[1, 8](float64(0.1), single, same)
#: expect same == 0
#: launch compare[1, 8](0.1, whole, same)
#: expect same == 0
#: launch beside[1, 8](0.1, single, double, same)
#: expect same == 0
#: launch is_infinite[1, 8](1e300, single, same)
#: expect same == 0
#: launch is_infinite[1, 8](1e300 * 1e10, single, same)
#: expect same == 1
#: launch tuples[1, 8]((0.1, 2), single, same)
#: expect same == 1

@kernel
def compare(a, x, same):
    i = grid(1)
    same[i] = int32(a == x[i])

@kernel
def beside(a, x, y, same):
    i = grid(1)
    same[i] = int32(a == x[i] or a != y[i])

@kernel
def is_infinite(a, x, same):
    i = grid(1)
    same[i] = int32(isinf(a + x[i] * 0))

@kernel
def tuples(t, x, same):
    i = grid(1)
    same[i] = int32(t[0] == x[i] and t[1] == 2)
