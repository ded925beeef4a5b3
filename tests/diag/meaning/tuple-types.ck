from numba import cuda, types, float32, int32, int64, void
from numba.types import Tuple, UniTuple

N = 2

@cuda.jit("void(float32[:], UniTuple(int64))")
def one(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], Tuple(int32, int64)))
def two(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], Tuple(int32)))
def three(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], UniTuple(int32, -1)))
def four(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], UniTuple(int32, 1.5)))
def five(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], UniTuple(UniTuple(int32, 100), 100)))
def six(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], (int32, (void, int64))))
def seven(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], (int32, nope)))
def eight(a, t):
    a[0] = t[0]

@cuda.jit(void(float32[:], UniTuple(int32, count=3)))
def nine(a, t):
    a[0] = t[0]

@kernel
def ten(a: float32[:], t: Tuple):
    a[0] = t[0]

@kernel
def eleven(a: float32[:], t: (((((((((((((((((int32,),),),),),),),),),),),),),),),),)):
    a[0] = 1

@cuda.jit(void(float32[:], UniTuple(int32, N)))
def twelve(a, t):
    a[0] = t[2]
    t[0] = 1
    a[1] = t
    x, y, z = t
    t.x = 1

@cuda.jit(void(float32[:], (int32[:], float32[::1])))
def thirteen(a, t):
    t[0][0] = t[1]
    T = UniTuple(int32, 2)
    a[0] = UniTuple(int32, 2)((1, 2))
    a[0] = UniTuple

def f(t: (int32, float32)) -> (float32, int32):
    return t[1], t[0]

@kernel
def fourteen(a: float32[:]):
    a[0] = f((1, 2.5))[0]
    a[0] = f((1, 2, 3))[0]
    a[0] = f((a, 2))[0]
    a[0] = f((1, 2j))[0]
