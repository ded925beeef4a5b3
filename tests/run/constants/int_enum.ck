# Members of a class of enum.IntEnum are constants of the module.
import enum
from enum import IntEnum, auto

BASE = 10


class Color(IntEnum):
    """Colours."""
    RED = 1
    GREEN = BASE * 2; BLUE = 3
    LAST = auto()

    def describe(self):
        return self.name.lower()


class State(enum.IntEnum):
    IDLE = enum.auto()
    BUSY = enum.auto()
    DONE = -7
    LATER = enum.auto()


def is_primary(color):
    return color in (Color.RED, Color.GREEN, Color.BLUE)


@cuda.jit
def use(x, out):
    i = cuda.grid(1)
    if i < x.size:
        if x[i] == Color.RED:
            out[i] = State.BUSY
        elif is_primary(x[i]):
            out[i] = State.DONE * Color.LAST
        else:
            out[i] = State.LATER
        for color in Color:
            out[i] += color << 8


@cuda.jit
def count(out):
    t = cuda.local.array(Color.GREEN, int32)
    out[0] = t.size + len(State)


#: x = rng.integers(0, 22, 200).astype("i4")
#: out = poison(200, "i4")
#: launch use[4, 64](x, out)
#: primary = (x == 20) | (x == 3)
#: expect out == np.where(x == 1, 2, np.where(primary, -28, -6)) + ((1 + 20 + 3 + 4) << 8)
#: n = poison(1, "i4")
#: launch count[1, 1](n)
#: expect n == 24


#: y = poison(2, np.int64)
#: launch values[1, 1](y)
#: expect y == [20, 21]
@cuda.jit
def values(y):
    y[0] = Color.GREEN.value
    y[1] = Color.RED.value + Color.GREEN.value
