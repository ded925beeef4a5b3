# First values: those of a constant array, of lists and of expressions, in every type; zeros.
#: y = poison((4, 3), np.float64)
#: launch read[1, 12](y)
#: expect y == np.arange(12).reshape(4, 3) * 0.5
#: z = poison(8, np.int64)
#: launch types[1, 1](z)
#: expect z == [1, 255, -3, 65535, -2147483648, 2**63 - 1, 1, 0]
#: f = poison(6, np.float64)
#: launch floats[1, 1](f)
#: expect f == [np.float16(0.1), 1.5, 2.5, np.float32(-0.1), 3.0, 4.0]
import numpy as np

STEPS = cuda.to_device(np.arange(12).reshape(4, 3) / 2)
BYTES = to_device(np.array([1, 255], np.uint8))
SHORTS = to_device(obj=np.array([-3, 4], np.int16))
USHORTS = to_device(np.array([65535], np.uint16))
INTS = to_device(np.array([-2**31, 5], np.int32))
LONGS = to_device([7, 9223372036854775807])
FLAGS = to_device([True, False])
HALF = to_device(np.array([0.1], np.float16))
BFLOAT = to_device(array([1.5, 2.5], bfloat16))
SINGLE = to_device(np.array([-0.1], np.float32))
COMPLEX = to_device(np.array([1 + 2j, 3 + 4j], np.complex64))
LIKE = cuda.device_array_like(STEPS)
DEFAULT = cuda.device_array((2, 2))

@kernel
def read(y: float64[:, :]):
    i = grid(1)
    y[i // 3, i % 3] = STEPS[i // 3, i % 3] + LIKE[i // 3, i % 3] + DEFAULT[1, 1]
    assert STEPS.shape == (4, 3) and LIKE.shape == (4, 3) and DEFAULT.dtype == float64

@kernel
def types(z: int64[:]):
    z[0] = BYTES[0]
    z[1] = BYTES[1]
    z[2] = SHORTS[0]
    z[3] = USHORTS[0]
    z[4] = INTS[0]
    z[5] = LONGS[1]
    z[6] = FLAGS[0]
    z[7] = FLAGS[1]

@kernel
def floats(f: float64[:]):
    f[0] = HALF[0]
    f[1] = BFLOAT[0]
    f[2] = BFLOAT[1]
    f[3] = SINGLE[0]
    f[4] = COMPLEX[1].real
    f[5] = COMPLEX[1].imag
