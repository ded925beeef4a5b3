# Vectors: what they are made of, and where they cannot be.
@kernel
def k(a: float4[:], z: complex64[:]):
    pass

@kernel
def values(x: float32[:], z: complex64[:]):
    u = float3(1, 2)
    v = float4(float3(1, 2, 3), float2(1, 2))
    w = float2(x[0], z[0])
    t = float2((1, 2))
    k = float2(x=1, y=2)
    a = float2(1, 2)
    b = a + a
    b = a * 2
    c = a.z
    s = shared.array(4, float4)
    s = local.array(4, dtype=cuda.int32x2)
    o = int8x2(300, 1)
