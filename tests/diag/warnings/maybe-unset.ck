@kernel
def guarded(x: float32[::1], y: float32[::1], n: int64, flag: bool):
    i = grid(1)
    if i < n and not flag:
        v = x[i]
    if n > 3 or flag:
        w = 1
    else:
        u = 2
    syncthreads()
    if not flag and i < n:
        y[i] = v
    y[0] = v if i < n and not flag else 0.0
    if n > 3 or flag:
        y[1] = w
    if n <= 3 and not flag:
        y[2] = u
    if i < x.shape[0]:
        if threadIdx.x == 0:
            q = 1
    if threadIdx.x == 0 and i < x.shape[0] and q > 0:
        y[3] = q
    if i >= n or flag:
        return
    y[4] = v


@kernel
def not_guarded(x: float32[::1], y: float32[::1], n: int64):
    i = grid(1)
    if i < n:
        v = x[i]
    n -= 1
    if i < n:
        y[i] = v
    if x[0] > 1:
        w = 1
    y[0] = 2
    if x[0] > 1:
        y[1] = w
    if i > 3:
        u = 1
    elif i > 2:
        u = 2
    if i > 3:
        y[2] = u
    if i < 3 and n > 2:
        q = 1
    if i < 3 or n > 2:
        y[3] = q
    for k in range(n):
        if k == i:
            r = k
        y[4] = r
