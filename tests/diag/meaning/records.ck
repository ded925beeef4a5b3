# Records: what they are made of, and what kernels cannot do with them.
Point = record(x=float32, y=float32)
Packed = np.dtype([("k", np.int8), ("v", np.float64)])
Empty = record()
Twice = np.dtype([("a", "i4"), ("a", "f4")])
Bad = np.dtype([("a b", "i4")])
Nothing = record(x=float16x5, y=3)
Vector = record(v=(float4, (1, 1, 1, 1, 1, 1, 1, 1)))
Large = record(v=(float32, (100, 100)))
Shape = record(v=(float32, 0))
Unnamed = record(float32)
Aligned = np.dtype([("x", "i4")], align=3)
Listed = np.dtype([("x",)])

@kernel
def definitions():
    a = local.array(1, Empty)
    a = local.array(1, Twice)
    a = local.array(1, Bad)
    a = local.array(1, Nothing)
    a = local.array(1, Vector)
    a = local.array(1, Large)
    a = local.array(1, Shape)
    a = local.array(1, Unnamed)
    a = local.array(1, Aligned)
    a = local.array(1, Listed)

@cuda.jit(device=True)
def first(a: float64[:]):
    return a[0]

@kernel
def uses(A: Point[:], P: Packed[:], p: Point, x: float32[:]):
    a = A[0].z
    A[0].z = 1
    a = A["w"]
    a = A["x", 0]
    a = x["y"]
    A[0] = 1
    A[0] = (1, 2, 3)
    A[0] = P[0]
    A[0].x = A[1]
    p.x = 1
    p["y"] = 2
    a = A[0] + A[1]
    a = A.sum()
    a = cuda.atomic.add(A, 0, 1)
    a = cuda.atomic.add(P["v"], 0, 1.0)
    a = ldcs(P["v"], 0)
    a = P["v"].view(int64)
    a = Point(1)
    a = Point(1, 2, 3)
    a = Point(1, z=2)
    a = Point(1, (2, 3))
    A[:] = x
    a = first(P["v"])
    a = np.zeros(3, Point)
