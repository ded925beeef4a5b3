# The edges of a gray image, by Sobel's operator: the length of the gradient at each pixel. Pixels
# of the border take part with the nearest pixel's value.
#
#   ckrun examples/edges.ck 'edges[(8, 16), (32, 16)](image, out)' \
#         'image=(arange(256*256) // 64 % 256).reshape(256, 256).astype(uint8)' 'out=zeros_like(image)'
#
# Images from a file: image=@photo.png, if it is gray; one channel of a colour image is a view,
# 'rgb=@photo.png' 'image=rgb[:, :, 1]'. --save out=edges.png has the edges.

from numba import cuda, float32
import math


@cuda.jit("void(uint8[:, :], uint8[:, ::1])")
def edges(image, out):
    rows, columns = image.shape
    i, j = cuda.grid(2)
    if i < rows and j < columns:
        up, down = max(i - 1, 0), min(i + 1, rows - 1)
        left, right = max(j - 1, 0), min(j + 1, columns - 1)
        across = (image[up, right] + 2 * image[i, right] + image[down, right]
                  - image[up, left] - 2 * image[i, left] - image[down, left])
        along = (image[down, left] + 2 * image[down, j] + image[down, right]
                 - image[up, left] - 2 * image[up, j] - image[up, right])
        length = math.sqrt(float32(across * across + along * along))
        out[i, j] = min(length, float32(255))
