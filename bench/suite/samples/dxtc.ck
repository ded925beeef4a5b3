# dxtc: blocks of 4 x 4 pixels as two colours of 16 bits and, for each pixel, which of these and of
# two between them it is. A block of threads tries all partitions of the pixels, sorted along the
# principal axis of their colours, into the four; for each the best two colours are a least squares
# fit.
from numba import cuda, float32, int32, uint32

THREADS = 64


@cuda.jit(device=True)
def dot(a, b):
    return a.x * b.x + a.y * b.y + a.z * b.z


@cuda.jit(device=True)
def unpacked(pixel):
    return float3(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255) * float32(1 / 255)


# Of the covariance of the colours, by powers.
@cuda.jit(device=True)
def principal_axis(colours, mean):
    xx = float32(0)
    xy = float32(0)
    xz = float32(0)
    yy = float32(0)
    yz = float32(0)
    zz = float32(0)
    for k in range(16):
        d = colours[k] - mean
        xx += d.x * d.x
        xy += d.x * d.y
        xz += d.x * d.z
        yy += d.y * d.y
        yz += d.y * d.z
        zz += d.z * d.z
    axis = float3(1, 1, 1)
    for k in range(8):
        axis = float3(xx * axis.x + xy * axis.y + xz * axis.z, xy * axis.x + yy * axis.y + yz * axis.z,
                      xz * axis.x + yz * axis.y + zz * axis.z)
        axis = axis * (1 / max(max(axis.x, axis.y), max(axis.z, float32(1e-20))))
    return axis


# The nearest colour of 5, 6 and 5 bits.
@cuda.jit(device=True)
def rounded(colour):
    return float3(rint(saturate(colour.x) * 31) * float32(1 / 31),
                  rint(saturate(colour.y) * 63) * float32(1 / 63),
                  rint(saturate(colour.z) * 31) * float32(1 / 31))


@cuda.jit(device=True)
def packed(colour):
    return (uint32(rint(colour.x * 31)) << 11 | uint32(rint(colour.y * 63)) << 5
            | uint32(rint(colour.z * 31)))


# The error, but for the squares of the pixels, and the two colours. Code 0 is the first colour, 1
# the second, 2 and 3 are between.
@cuda.jit(device=True)
def fitted(colours, codes, total):
    aa = float32(0)
    bb = float32(0)
    ab = float32(0)
    ax = float3(0, 0, 0)
    for k in range(16):
        bits = codes >> uint32(2 * k)
        b = float32(bits & uint32(1))
        if bits & uint32(2) != 0:
            b = (1 + b) * float32(1 / 3)
        a = 1 - b
        aa += a * a
        bb += b * b
        ab += a * b
        ax = ax + colours[k] * a
    bx = total - ax
    factor = 1 / (aa * bb - ab * ab)
    first = rounded((ax * bb - bx * ab) * factor)
    second = rounded((bx * aa - ax * ab) * factor)
    errors = first * first * aa + second * second * bb + (first * second * ab - first * ax - second * bx) * 2
    return errors.x + errors.y + errors.z, first, second


@cuda.jit("void(uint32[::1], uint32[::1], uint2[::1], float32[::1])", launch_bounds=THREADS)
def dxtc(pixels, partitions, result, errors):
    colours = cuda.shared.array(16, float3)
    ordered = cuda.shared.array(16, float3)
    places = cuda.shared.array(16, float32)
    ranks = cuda.shared.array(16, int32)
    least = cuda.shared.array(THREADS, float32)
    winners = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    block = cuda.blockIdx.x

    if t < 16:
        colours[t] = unpacked(pixels[16 * block + t])
    cuda.syncthreads()
    total = float3(0, 0, 0)
    for k in range(16):
        total = total + colours[k]
    axis = principal_axis(colours, total * float32(1 / 16))
    if t < 16:
        places[t] = dot(colours[t], axis)
    cuda.syncthreads()
    if t < 16:
        rank = int32(0)
        for k in range(16):
            if places[k] < places[t] or (places[k] == places[t] and k < t):
                rank += 1
        ranks[t] = rank
        ordered[rank] = colours[t]
    cuda.syncthreads()

    best = float32(1e30)
    codes = uint32(0)
    first = float3(0, 0, 0)
    second = float3(0, 0, 0)
    for p in range(t, partitions.size, THREADS):
        error, a, b = fitted(ordered, partitions[p], total)
        if error < best:
            best = error
            codes = partitions[p]
            first = a
            second = b

    least[t] = best
    winners[t] = int32(t)
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d and least[t + d] < least[t]:
            least[t] = least[t + d]
            winners[t] = winners[t + d]
        cuda.syncthreads()
        d //= 2

    if t == winners[0]:
        indices = uint32(0)
        for k in range(16):
            indices |= (codes >> uint32(2 * ranks[k]) & uint32(3)) << uint32(2 * k)
        a = packed(first)
        b = packed(second)
        if a < b:
            a, b = b, a
            indices ^= uint32(0x55555555)
        result[block] = uint2(b << 16 | a, indices)
        errors[block] = best
