TABLE = array([1, 2, 3], int16)


def f(x):
    cuda.atomic.add(x, 0, 1)
    return x


@kernel
def views(a: float32[:, ::1], f_order: float32[::1, :], v: int32[:], n: int64):
    a.view()
    a.view(int32, 1)
    a.view(type=int32)
    a.view(n)
    a.view("f4")
    a.view((int32, 1))
    a.view(float32[:])
    a.view = 3
    x = a.view
    y = a.view.shape
    b = f_order.view(float64)
    c = v[::2].view(uint8)
    d = v[1:].view(uint8)[0].view(int8)
    e = shared.array(7, int16).view(int32)
    tile = cuda.local.array((4, 3), uint8)
    g = tile.view(int16)
    (a, v).view(int32)
    n.view(int32)
    ndarray.view(a, int32)
    how = v.view
    how(int32)
    TABLE.view(uint16)[0] = 3
    TABLE.T[1] += 3
    TABLE.view(int64)
    a.reshape(3, 4)
    v.viw(int32)


@kernel
def axes(a: float32[:, ::1], v: int32[:], n: int64):
    a.transpose(0)
    a.transpose(0, 0)
    a.transpose(0, 2)
    a.transpose((0, 1), 1)
    a.transpose(0, n)
    a.transpose((n, 0))
    a.transpose(0.5, 1)
    a.transpose(axes=(0, 1))
    a.transpose(0, 1, 2, 3, 4, 5, 6, 7, 8)
    a.T()
    a.T = a
    a.T[0, 0, 0] = 1
    a.itemsize[0]
    a.nbytes = 3
    (a, v).T
    (a, v).shape
    n.T
    f(v).dtype(3)
    if n > 0:
        w = a
    else:
        w = a.view(int32)
    w[0, 0] = 1
    if n > 0:
        u = cuda.local.array(3, uint8)
    else:
        u = cuda.local.array(4, uint8)
    u.view(int16)


@kernel
def dynamic(v: int32[:]):
    a = cuda.shared.array((0, 4), int32)
    b = cuda.shared.array((4, 0), int32)
    c = cuda.shared.array(-1, int32)
    d = cuda.local.array(0, int32)
    e = cuda.shared.array(0, (int32, 1))
    g = cuda.shared.array(0)
    h = cuda.shared.array(0, int32)
    h.shape = 3
    h[0, 0] = 1
    h[0] = h


L = array([1, 2], float32).T
M = array([1, 2], float32).view(int32)
N = array([1, 2], float32).nbytes


def take(value):
    pass


@kernel
def takes_all():
    take(TABLE)
    take(L)
    take(M)
    take(N)
