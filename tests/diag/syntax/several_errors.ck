import
from cuda import
X = 3 4


def f(a b):
    x = 1
    y = = 2
    if x:
        z = (1, 2
        )  3
    return x y


def g(a, c.d):
    return ]


def 3(a):
    return 1 +


@
def h():
    pass


@kernel
X = 1
