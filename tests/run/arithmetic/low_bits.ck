# The low bits of an int64 argument as another integer: of a negative one too, in a launch whose
# integers have 32 bits.

#: values = [-1, -2**31, -2**31 + 1, -7, 0, 5, 2**31 - 1, 2**31, -2**31 - 1, 2**32, 2**63 - 1, -2**63]
#: y = poison((len(values), 8), np.int64)
#: launches [f'low_bits[1, 1]({value}, {row}, y)' for row, value in enumerate(values)]
#: a = np.array(values)
#: low = a.astype(np.uint32).astype(np.int64)
#: expect y[:, 0] == low
#: expect y[:, 1] == low + 1
#: expect y[:, 2] == a + low
#: expect y[:, 3] == (low < 100)
#: expect y[:, 4] == low // 3
#: expect y[:, 5] == a.astype(np.uint16)
#: expect y[:, 6] == np.where(a >= 0, low, a.astype(np.int32))
#: expect y[:, 7] == (a & 0xffffffff)
@kernel
def low_bits(a: int64, row: int64, y: int64[:, ::1]):
    low = uint32(a)
    y[row, 0] = low
    y[row, 1] = int64(low) + 1
    y[row, 2] = a + low
    y[row, 3] = low < 100
    y[row, 4] = low // 3
    y[row, 5] = uint16(a)
    y[row, 6] = int64(low) if a >= 0 else int64(int32(a))
    y[row, 7] = a & 0xffffffff
