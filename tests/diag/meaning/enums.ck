from enum import Enum, IntEnum, IntFlag


class Color(IntEnum):
    RED = 1
    HALF = 1.5


class Level(IntEnum):
    LOW = 1
    HIGH = LOW + 1


class Plain(Enum):
    A = 1


class Size(IntEnum):
    SMALL = 1
    BIG = 2


@kernel
def k(x: int32[:]):
    x[0] = Color.RED
    x[1] = Level.HIGH
    x[2] = Plain.A
    x[3] = Size.MEDIUM
    x[4] = Size.BIG.value
    x[5] = Size(1)
    Size.BIG = 3
