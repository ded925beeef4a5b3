# A thread that ends, or waits elsewhere, while others wait for the cluster; arriving twice.
@kernel
def missing(x: int32[:], o: int32[:]):
    c = this_cluster()
    for trip in range(x[blockIdx.x]):
        c.sync()
    o[blockIdx.x] = 7

@kernel
def twice(x: int32[:]):
    c = this_cluster()
    token = c.barrier_arrive()
    if x[0] > 0:
        c.barrier_wait(token)
    token = c.barrier_arrive()
    c.barrier_wait(token)

@kernel
def between(x: int32[:]):
    c = this_cluster()
    token = c.barrier_arrive()
    if x[0] > 0:
        c.barrier_wait(token)
        token = c.barrier_arrive()
        c.barrier_wait(token)
    c.sync()
    if x[0] == 0:
        c.barrier_wait(token)

@kernel
def never(x: int32[:]):
    c = this_cluster()
    token = c.barrier_arrive()
    for trip in range(2 - x[0]):
        c.barrier_wait(token)

@kernel
def left(x: int32[:]):
    c = this_cluster()
    if x[0] > 0:
        token = c.barrier_arrive()
        c.barrier_wait(token)
    token = c.barrier_arrive()
    if threadIdx.x + blockIdx.x * 3 != x[1]:
        c.barrier_wait(token)

# Tokens that are old on some paths only.
@kernel
def old(x: int32[:]):
    c = this_cluster()
    first = c.barrier_arrive()
    c.barrier_wait(first)
    token = c.barrier_arrive()
    if x[blockIdx.x] == threadIdx.x:
        token = first
    c.barrier_wait(token)

@kernel
def again(x: int32[:]):
    c = this_cluster()
    token = c.barrier_arrive()
    if x[blockIdx.x] != threadIdx.x:
        c.barrier_wait(token)
    c.barrier_wait(token)

# The token of an iteration before.
@kernel
def late(x: int32[:], n: int32):
    c = this_cluster()
    tokens = (c.barrier_arrive(), 0)
    token = tokens[0]
    for trip in range(n):
        c.barrier_wait(token)
        fresh = c.barrier_arrive()
        if trip != x[0]:
            token = fresh
    c.barrier_wait(token)

#: only cpu
#: x = np.array([1, 1, 0, 1], np.int32)
#: o = poison(4, np.int32)
#: launch missing[4, 2, 0, 0, 2](x, o)
#: error cluster_stuck.ck:6:9: error: the barrier `c.sync()` never completes: not every thread of the cluster can reach it [barrier-never-passed]
#: error ^^^^^^^^ 2 threads wait here: block (3, 0, 0) thread (0, 0, 0), block (3, 0, 0) thread (1, 0, 0)
#: error = note: 2 threads ended at the end of the kernel: block (2, 0, 0) thread (0, 0, 0), block (2, 0, 0) thread (1, 0, 0)
#: z = np.zeros(1, np.int32)
#: launch twice[2, 1, 0, 0, 2](z)
#: error `c.barrier_arrive()` comes after an arrival that was not waited for, in block (
#: error ------------------ arrived here
#: launch between[2, 1, 0, 0, 2](z)
#: error `c.sync()` comes after an arrival that was not waited for, in block (
#: error ------------------ arrived here
#: launch never[2, 3, 0, 0, 2](z)
#: error cluster_stuck.ck:35:9: error: `c.barrier_wait(token)` waits with a token that was already waited on, in block (
#: y = np.array([1, 5], np.int32)
#: launch left[2, 3, 0, 0, 2](y)
#: error cluster_stuck.ck:43:13: error: a thread ends without waiting for `c.barrier_arrive()`, in block (1, 0, 0) thread (2, 0, 0) [barrier-misuse]
#: y[1] = 6
#: launch left[2, 3, 0, 0, 2](y)
#: launch old[4, 3, 0, 0, 2](x)
#: error cluster_stuck.ck:56:5: error: `c.barrier_wait(token)` waits with a token that is not of the latest arrival, in block (
#: error ------------------ the latest arrival
#: q = np.array([7, 7, 7, 2], np.int32)
#: launch old[4, 3, 0, 0, 2](q)
#: error is not of the latest arrival, in block (3, 0, 0) thread (2, 0, 0)
#: q = np.array([7, 7, 7, 7], np.int32)
#: launch old[4, 3, 0, 0, 2](q)
#: r = np.array([9, 1], np.int32)
#: launch late[2, 3, 0, 0, 2](r, 5)
#: r = np.array([3, 1], np.int32)
#: launch late[2, 3, 0, 0, 2](r, 5)
#: error cluster_stuck.ck:73:9: error: `c.barrier_wait(token)` waits with a token that is not of the latest arrival
#: launch again[4, 3, 0, 0, 2](x)
#: error cluster_stuck.ck:64:5: error: `c.barrier_wait(token)` waits with a token that was already waited on
