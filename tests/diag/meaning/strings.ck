from numba import cuda

MODE = "fast"
MODES = ("fast", "exact")


def named(x, mode):
    if mode == 3:
        return x
    return mode


@cuda.jit("void(float32[::1])")
def compared(x):
    if MODE < "slow":
        x[0] = 1
    if MODE == x[0]:
        x[0] = 1
    if x[0] == "fast":
        x[0] = 1
    if MODE in (1, 2):
        x[0] = 1
    if x[0] in MODES:
        x[0] = 1
    if MODE is "fast":
        x[0] = 1


@cuda.jit("void(float32[::1])")
def used(x):
    x[0] = MODE
    x[1] = "a" + MODE
    if MODE:
        x[2] = MODES[x[1]]
    x[3] = named(x[0], MODE) + MODE.upper()
    MODE == "fast"


@cuda.jit("void(float32[::1])")
def joined(x):
    mode = "exact"
    if x[0] > 0:
        mode = MODE
        other = MODE
    if mode == "fast":
        x[0] = 1
    if other == "fast":
        x[0] = 2
