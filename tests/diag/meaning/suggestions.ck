# What is suggested for a name that is not defined, and what is not.
from numba import cuda

LIMIT = 4

def helper(x):
    return x

@kernel
def launched(a: float32[:]):
    a[0] = 1

@kernel
def suggested(a: float32[:], number: int64):
    value = helpr(a[0])
    a[0] = valeu
    a[1] = nubmer
    a[2] = LIMT
    a[3] = sqr(value)
    a[4] = cuda.threadIdx_x
    a[5] = cuda.atomicAdd(a, 0, 1)
    a[6] = flaot32(1)
    a[7] = Number

@kernel
def not_suggested(a: float32[:], flag: bool):
    a[0] = foo
    a[1] = fooo
    a[2] = later_nam
    if flag:
        somewhere = 1
    a[3] = somewher
    launche(a)
    a[4] = row + col + mix + int62
    later_name = 1
    a[5] = later_name
    a[6] = cuda.later_nam

@kernel
def other_words(a: float32[:]):
    printf("%d", 3)
    a[0] = cuda.ldg(a, 0)
    a[1] = ldg(a, 0)
    a[2] = dist(a[0], a[1])
    a[3] = np.max(a)
    a[4] = np.min(a, axis=0)
    a[5] = np.dtype(np.float32)
    a[6] = numba.from_dtype(a)
    a[7] = cuda.intrin.shuffle(a)
    cuda.event_elapsed_time(a, a)
