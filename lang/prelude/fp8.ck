# Conversions of 8-bit floats: E4M3, which has no infinities and one NaN of each sign, and E5M2,
# whose bits are the upper half of a float16.


# Rounds to the nearest, ties to even: to a multiple of 2**(exponent - digits), where the numbers
# below 2**least have its exponent. The rounded multiple carries into the exponent by itself.
def fp8_encode(x, saturates, is_e5m2):
    digits = int32(2 if is_e5m2 else 3)
    least = int32(-14 if is_e5m2 else -6)
    largest = 0x7B if is_e5m2 else 0x7E
    size = abs(x)
    if x != x:
        return uint8(0x7F)
    if isinstance(x, float32):
        bits = bitcast(size, int32)
        exponent = max((bits >> 23) - 127, least)
        sign = int32(bitcast(x, uint32) >> 31 << 7)
    else:
        bits = bitcast(size, int64)
        exponent = max(int32(bits >> 52) - 1023, least)
        sign = int32(bitcast(x, uint64) >> 63 << 7)
    if size >= 61440 if is_e5m2 else size > 464:
        return uint8(sign | (largest if saturates else (0x7C if is_e5m2 else 0x7F)))
    scale = bitcast((127 + digits - exponent) << 23, float32)
    multiple = int32(rint(size * _type_of(x)(scale)))
    return uint8(sign | ((exponent - least) << digits) + multiple)


def fp8_decode(bits, is_e5m2):
    code = int32(bits)
    if is_e5m2:
        return float32(nan) if code & 127 > 0x7C else float32(bitcast(uint16(code << 8), float16))
    exponent = code >> 3 & 15
    digits = code & 7
    if code & 127 == 127:
        return float32(nan)
    size = float32(digits) / 512
    if exponent > 0:
        size = bitcast((exponent + 120) << 23 | digits << 20, float32)
    return -size if code >= 128 else size
