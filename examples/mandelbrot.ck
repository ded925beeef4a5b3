# The Mandelbrot set as an image: the colour of the pixel of c is how many steps of z = z*z + c stay
# within a circle. Points of the set are black.
#
#   ckrun examples/mandelbrot.ck 'mandelbrot[(32, 64), (16, 8)](image, -0.6, 0.0, 3.0, 200)' \
#         'image=zeros((512, 512, 3), uint8)'
#
# --save image=mandelbrot.png has the image.

from numba import cuda, float32
import math


@cuda.jit("void(uint8[:, :, ::1], float32, float32, float32, int32)")
def mandelbrot(image, x, y, width, most):
    row, column = cuda.grid(2)
    if row < image.shape[0] and column < image.shape[1]:
        pixel = width / image.shape[1]
        re = x + (column - image.shape[1] // 2) * pixel
        im = y - (row - image.shape[0] // 2) * pixel
        a = b = float32(0)
        n = 0
        while n < most and a * a + b * b <= 4:
            a, b = a * a - b * b + re, 2 * a * b + im
            n += 1
        shade = math.sqrt(float32(n) / most) if n < most else float32(0)
        image[row, column, 0] = 255 * shade
        image[row, column, 1] = 255 * shade * shade
        image[row, column, 2] = 255 * math.sqrt(shade)
