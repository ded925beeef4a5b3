# Vectors: what they are made of, and where they cannot be.
@kernel
def k(a: UniTuple(float32, 4)[:], z: complex64[:]):
    pass

@kernel
def values(x: float32[:], z: complex64[:]):
    u = float3(1, 2)
    v = float4(float3(1, 2, 3), float2(1, 2))
    w = float2(x[0], z[0])
    t = float2((1, 2))
    k = float2(x=1, y=2)
    a = float2(1, 2)
    c = a.z
    o = int8x2(300, 1)

@kernel
def operators(x: float32[:], z: complex64[:]):
    a = float2(1, 2)
    b = a + float3(1, 2, 3)
    b = a * (1, 2)
    b = z[0] - a
    b = a + x
    b = a & 1
    b = ~a
    b = a @ a
    if a:
        pass

@kernel
def elements(x: float32[:], s: float16[:]):
    v = x.view(float4)
    v[0] = 1
    v[0] = float3(1, 2, 3)
    v[0] = (1, 2, 3, 4)
    v[0].r = 1
    v[0].x = float2(1, 2)
    a = v[0]
    a.x = 1
    b = v.sum()
    b = cuda.atomic.add(v, 0, 1)
    b = ldcs(v, 0)
    b = x[:6].view(float4)
    t = shared.array(7, float32)
    b = t.view(float2)
    t = local.array(100000, float4)
    n = np.zeros(3, float4)
    v[0].y += float4(1, 2, 3, 4)
    r = v[0].r
