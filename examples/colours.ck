# An array of floats as an image: from black over red and yellow to white as values go from `low` to
# `high`; values beyond are the nearest of these, and NaNs gray.
#
#   ckrun examples/colours.ck 'colours[(8, 16), (32, 16)](x, 0.0, 1.0, image)' \
#         'x=linspace(0, 1, 256*256).reshape(256, 256).astype(float32)' \
#         'image=zeros((256, 256, 3), uint8)'
#
# --save image=colours.png has the image; x=@result.npy shows another program's array.

from numba import cuda, float32
import math


def channel(shade):
    return 255 * min(max(shade, float32(0)), float32(1))


@cuda.jit("void(float32[:, :], float32, float32, uint8[:, :, ::1])")
def colours(x, low, high, image):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        shade = 3 * (x[i, j] - low) / (high - low)
        for c in range(3):
            image[i, j, c] = 128 if math.isnan(shade) else channel(shade - c)
