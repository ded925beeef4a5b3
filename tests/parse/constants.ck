TPB = 16
SHAPE = (TPB, TPB + 2)
A = B = 1; C = 2.5;
N: int32 = 4
ONE, TWO = 1, 2
EMPTY = ()
SINGLE = 1,
pass


def f():
    table = array([1.0, 2.0,
                   4.0], float32)
