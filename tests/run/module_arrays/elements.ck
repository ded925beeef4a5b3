# Views, rows, records, vectors, whole rows stored, device functions, names bound to arrays.
#: y = poison(8, np.float32)
#: launch fill[1, 8]()
#: launch read[1, 1](y)
#: expect y == [7, 28, 10, 20, 30, 40, 3, 1]
Point = record(x=float32, n=int32)

GRID = device_array((4, 8), float32)
POINTS = device_array(8, Point)
QUADS = device_array(8, float4)
PAIR = (device_array(2, float32), device_array(2, float32))

def total(a):
    s = float32(0)
    for v in a:
        s += v
    return s

def put(a, i, value):
    a[i] = value

@kernel
def fill():
    i = grid(1)
    for row in range(4):
        GRID[row, i] = i * (row + 1)
    POINTS[i].x = i
    POINTS[i].n = i * 2
    QUADS[i] = float4(i, 2 * i, 3 * i, 4 * i)
    if i < 2:
        put(PAIR[0], i, 1)
        put(PAIR[1], i, 2)

@kernel
def read(y: float32[:]):
    row = GRID[0]
    y[0] = row[7]
    y[1] = total(GRID[0, :])
    q = QUADS[5] + QUADS[5]
    y[2] = q.x
    y[3] = q.y
    y[4] = q.z
    y[5] = q.w
    y[6] = PAIR[0][1] + PAIR[1][0]
    y[7] = POINTS[7].n - 2 * POINTS[7].x + 1
