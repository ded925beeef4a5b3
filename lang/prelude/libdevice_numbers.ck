# CUDA's `libdevice` as Numba has it, continued: arithmetic with a direction of rounding, conversions
# and integers. Unsigned integers are passed as signed ones, as in Numba.


def _float_rd(x):
    near = float32(x)
    return nextafter(near, float32(-inf)) if float64(near) > x else near


def _float_ru(x):
    near = float32(x)
    return nextafter(near, float32(inf)) if float64(near) < x else near


def _float_rz(x):
    return _float_ru(x) if x < 0 else _float_rd(x)


# Both parts of the integer are float64 numbers.
def _double_rd(x):
    low = x & _type_of(x)(2047)
    return add_rd(float64(x - low), float64(low))


def _double_ru(x):
    low = x & _type_of(x)(2047)
    return add_ru(float64(x - low), float64(low))


def _double_rz(x):
    low = x & _type_of(x)(2047)
    return add_rz(float64(x - low), float64(low))


def _high_product(x, y):
    a = x >> uint64(32)
    b = x & uint64(0xffffffff)
    c = y >> uint64(32)
    d = y & uint64(0xffffffff)
    middle = a * d + (b * d >> uint64(32))
    other = b * c + (middle & uint64(0xffffffff))
    return a * c + (middle >> uint64(32)) + (other >> uint64(32))


# Arithmetic with a direction of rounding


def libdevice_dadd_rd(x: float64, y: float64):
    return add_rd(x, y)


def libdevice_dadd_rn(x: float64, y: float64):
    return add_rn(x, y)


def libdevice_dadd_ru(x: float64, y: float64):
    return add_ru(x, y)


def libdevice_dadd_rz(x: float64, y: float64):
    return add_rz(x, y)


def libdevice_dmul_rd(x: float64, y: float64):
    return mul_rd(x, y)


def libdevice_dmul_rn(x: float64, y: float64):
    return mul_rn(x, y)


def libdevice_dmul_ru(x: float64, y: float64):
    return mul_ru(x, y)


def libdevice_dmul_rz(x: float64, y: float64):
    return mul_rz(x, y)


def libdevice_ddiv_rd(x: float64, y: float64):
    return div_rd(x, y)


def libdevice_ddiv_rn(x: float64, y: float64):
    return div_rn(x, y)


def libdevice_ddiv_ru(x: float64, y: float64):
    return div_ru(x, y)


def libdevice_ddiv_rz(x: float64, y: float64):
    return div_rz(x, y)


def libdevice_drcp_rd(x: float64):
    return rcp_rd(x)


def libdevice_drcp_rn(x: float64):
    return rcp_rn(x)


def libdevice_drcp_ru(x: float64):
    return rcp_ru(x)


def libdevice_drcp_rz(x: float64):
    return rcp_rz(x)


def libdevice_dsqrt_rd(x: float64):
    return sqrt_rd(x)


def libdevice_dsqrt_rn(x: float64):
    return sqrt_rn(x)


def libdevice_dsqrt_ru(x: float64):
    return sqrt_ru(x)


def libdevice_dsqrt_rz(x: float64):
    return sqrt_rz(x)


def libdevice_fma_rd(x: float64, y: float64, z: float64):
    return fma_rd(x, y, z)


def libdevice_fma_rn(x: float64, y: float64, z: float64):
    return fma_rn(x, y, z)


def libdevice_fma_ru(x: float64, y: float64, z: float64):
    return fma_ru(x, y, z)


def libdevice_fma_rz(x: float64, y: float64, z: float64):
    return fma_rz(x, y, z)


def libdevice_fadd_rd(x: float32, y: float32):
    return add_rd(x, y)


def libdevice_fadd_rn(x: float32, y: float32):
    return add_rn(x, y)


def libdevice_fadd_ru(x: float32, y: float32):
    return add_ru(x, y)


def libdevice_fadd_rz(x: float32, y: float32):
    return add_rz(x, y)


def libdevice_fsub_rd(x: float32, y: float32):
    return sub_rd(x, y)


def libdevice_fsub_rn(x: float32, y: float32):
    return sub_rn(x, y)


def libdevice_fsub_ru(x: float32, y: float32):
    return sub_ru(x, y)


def libdevice_fsub_rz(x: float32, y: float32):
    return sub_rz(x, y)


def libdevice_fmul_rd(x: float32, y: float32):
    return mul_rd(x, y)


def libdevice_fmul_rn(x: float32, y: float32):
    return mul_rn(x, y)


def libdevice_fmul_ru(x: float32, y: float32):
    return mul_ru(x, y)


def libdevice_fmul_rz(x: float32, y: float32):
    return mul_rz(x, y)


def libdevice_fdiv_rd(x: float32, y: float32):
    return div_rd(x, y)


def libdevice_fdiv_rn(x: float32, y: float32):
    return div_rn(x, y)


def libdevice_fdiv_ru(x: float32, y: float32):
    return div_ru(x, y)


def libdevice_fdiv_rz(x: float32, y: float32):
    return div_rz(x, y)


def libdevice_frcp_rd(x: float32):
    return rcp_rd(x)


def libdevice_frcp_rn(x: float32):
    return rcp_rn(x)


def libdevice_frcp_ru(x: float32):
    return rcp_ru(x)


def libdevice_frcp_rz(x: float32):
    return rcp_rz(x)


def libdevice_fsqrt_rd(x: float32):
    return sqrt_rd(x)


def libdevice_fsqrt_rn(x: float32):
    return sqrt_rn(x)


def libdevice_fsqrt_ru(x: float32):
    return sqrt_ru(x)


def libdevice_fsqrt_rz(x: float32):
    return sqrt_rz(x)


def libdevice_fmaf_rd(x: float32, y: float32, z: float32):
    return fma_rd(x, y, z)


def libdevice_fmaf_rn(x: float32, y: float32, z: float32):
    return fma_rn(x, y, z)


def libdevice_fmaf_ru(x: float32, y: float32, z: float32):
    return fma_ru(x, y, z)


def libdevice_fmaf_rz(x: float32, y: float32, z: float32):
    return fma_rz(x, y, z)


def libdevice_frsqrt_rn(x: float32):
    return float32(1 / sqrt(float64(x)))


# Conversions


def libdevice_double2int_rd(x: float64):
    return int32(floor(x))


def libdevice_double2int_rn(x: float64):
    return int32(rint(x))


def libdevice_double2int_ru(x: float64):
    return int32(ceil(x))


def libdevice_double2int_rz(x: float64):
    return int32(trunc(x))


def libdevice_double2uint_rd(x: float64):
    return int32(uint32(floor(x)))


def libdevice_double2uint_rn(x: float64):
    return int32(uint32(rint(x)))


def libdevice_double2uint_ru(x: float64):
    return int32(uint32(ceil(x)))


def libdevice_double2uint_rz(x: float64):
    return int32(uint32(trunc(x)))


def libdevice_double2ll_rd(x: float64):
    return int64(floor(x))


def libdevice_double2ll_rn(x: float64):
    return int64(rint(x))


def libdevice_double2ll_ru(x: float64):
    return int64(ceil(x))


def libdevice_double2ll_rz(x: float64):
    return int64(trunc(x))


def libdevice_double2ull_rd(x: float64):
    return int64(uint64(floor(x)))


def libdevice_double2ull_rn(x: float64):
    return int64(uint64(rint(x)))


def libdevice_double2ull_ru(x: float64):
    return int64(uint64(ceil(x)))


def libdevice_double2ull_rz(x: float64):
    return int64(uint64(trunc(x)))


def libdevice_float2int_rd(x: float32):
    return int32(floor(x))


def libdevice_float2int_rn(x: float32):
    return int32(rint(x))


def libdevice_float2int_ru(x: float32):
    return int32(ceil(x))


def libdevice_float2int_rz(x: float32):
    return int32(trunc(x))


def libdevice_float2uint_rd(x: float32):
    return int32(uint32(floor(x)))


def libdevice_float2uint_rn(x: float32):
    return int32(uint32(rint(x)))


def libdevice_float2uint_ru(x: float32):
    return int32(uint32(ceil(x)))


def libdevice_float2uint_rz(x: float32):
    return int32(uint32(trunc(x)))


def libdevice_float2ll_rd(x: float32):
    return int64(floor(x))


def libdevice_float2ll_rn(x: float32):
    return int64(rint(x))


def libdevice_float2ll_ru(x: float32):
    return int64(ceil(x))


def libdevice_float2ll_rz(x: float32):
    return int64(trunc(x))


def libdevice_float2ull_rd(x: float32):
    return int64(uint64(floor(x)))


def libdevice_float2ull_rn(x: float32):
    return int64(uint64(rint(x)))


def libdevice_float2ull_ru(x: float32):
    return int64(uint64(ceil(x)))


def libdevice_float2ull_rz(x: float32):
    return int64(uint64(trunc(x)))


def libdevice_double2float_rn(x: float64):
    return float32(x)


def libdevice_double2float_rd(x: float64):
    return _float_rd(x)


def libdevice_double2float_ru(x: float64):
    return _float_ru(x)


def libdevice_double2float_rz(x: float64):
    return _float_rz(x)


def libdevice_int2double_rn(x: int32):
    return float64(x)


def libdevice_int2float_rn(x: int32):
    return float32(x)


def libdevice_int2float_rd(x: int32):
    return _float_rd(float64(x))


def libdevice_int2float_ru(x: int32):
    return _float_ru(float64(x))


def libdevice_int2float_rz(x: int32):
    return _float_rz(float64(x))


def libdevice_uint2double_rn(x: int32):
    return float64(uint32(x))


def libdevice_uint2float_rn(x: int32):
    return float32(uint32(x))


def libdevice_uint2float_rd(x: int32):
    return _float_rd(float64(uint32(x)))


def libdevice_uint2float_ru(x: int32):
    return _float_ru(float64(uint32(x)))


def libdevice_uint2float_rz(x: int32):
    return _float_rz(float64(uint32(x)))


def libdevice_ll2double_rn(x: int64):
    return float64(x)


def libdevice_ll2float_rn(x: int64):
    return float32(x)


def libdevice_ll2double_rd(x: int64):
    return _double_rd(x)


def libdevice_ll2float_rd(x: int64):
    return _float_rd(_double_rd(x))


def libdevice_ll2double_ru(x: int64):
    return _double_ru(x)


def libdevice_ll2float_ru(x: int64):
    return _float_ru(_double_ru(x))


def libdevice_ll2double_rz(x: int64):
    return _double_rz(x)


def libdevice_ll2float_rz(x: int64):
    return _float_rz(_double_rz(x))


def libdevice_ull2double_rn(x: int64):
    return float64(uint64(x))


def libdevice_ull2float_rn(x: int64):
    return float32(uint64(x))


def libdevice_ull2double_rd(x: int64):
    return _double_rd(uint64(x))


def libdevice_ull2float_rd(x: int64):
    return _float_rd(_double_rd(uint64(x)))


def libdevice_ull2double_ru(x: int64):
    return _double_ru(uint64(x))


def libdevice_ull2float_ru(x: int64):
    return _float_ru(_double_ru(uint64(x)))


def libdevice_ull2double_rz(x: int64):
    return _double_rz(uint64(x))


def libdevice_ull2float_rz(x: int64):
    return _float_rz(_double_rz(uint64(x)))


def libdevice_float2half_rn(x: float32):
    return bitcast(float16(x), int16)


def libdevice_half2float(x: int16):
    return float32(bitcast(x, float16))


def libdevice_float_as_int(x: float32):
    return bitcast(x, int32)


def libdevice_int_as_float(x: int32):
    return bitcast(x, float32)


def libdevice_double_as_longlong(x: float64):
    return bitcast(x, int64)


def libdevice_longlong_as_double(x: int64):
    return bitcast(x, float64)


def libdevice_double2hiint(x: float64):
    return int32(bitcast(x, int64) >> 32)


def libdevice_double2loint(x: float64):
    return int32(bitcast(x, int64))


def libdevice_hiloint2double(x: int32, y: int32):
    return bitcast(int64(x) << 32 | int64(uint32(y)), float64)


# Integers


def libdevice_abs(x: int32):
    return abs(x)


def libdevice_llabs(x: int64):
    return abs(x)


def libdevice_brev(x: int32):
    return brev(x)


def libdevice_brevll(x: int64):
    return brev(x)


def libdevice_clz(x: int32):
    return int32(clz(x))


def libdevice_clzll(x: int64):
    return int32(clz(x))


def libdevice_ffs(x: int32):
    return int32(ffs(x))


def libdevice_ffsll(x: int64):
    return int32(ffs(x))


def libdevice_popc(x: int32):
    return int32(popc(x))


def libdevice_popcll(x: int64):
    return int32(popc(x))


def libdevice_max(x: int32, y: int32):
    return max(x, y)


def libdevice_llmax(x: int64, y: int64):
    return max(x, y)


def libdevice_umax(x: int32, y: int32):
    return int32(max(uint32(x), uint32(y)))


def libdevice_ullmax(x: int64, y: int64):
    return int64(max(uint64(x), uint64(y)))


def libdevice_min(x: int32, y: int32):
    return min(x, y)


def libdevice_llmin(x: int64, y: int64):
    return min(x, y)


def libdevice_umin(x: int32, y: int32):
    return int32(min(uint32(x), uint32(y)))


def libdevice_ullmin(x: int64, y: int64):
    return int64(min(uint64(x), uint64(y)))


def libdevice_hadd(x: int32, y: int32):
    return (x & y) + ((x ^ y) >> 1)


def libdevice_rhadd(x: int32, y: int32):
    return (x | y) - ((x ^ y) >> 1)


def libdevice_uhadd(x: int32, y: int32):
    return int32((uint32(x) & uint32(y)) + ((uint32(x) ^ uint32(y)) >> 1))


def libdevice_urhadd(x: int32, y: int32):
    return int32((uint32(x) | uint32(y)) - ((uint32(x) ^ uint32(y)) >> 1))


def libdevice_mul24(x: int32, y: int32):
    return ((x << 8) >> 8) * ((y << 8) >> 8)


def libdevice_umul24(x: int32, y: int32):
    return (x & 0xffffff) * (y & 0xffffff)


def libdevice_mulhi(x: int32, y: int32):
    return int32(int64(x) * int64(y) >> 32)


def libdevice_umulhi(x: int32, y: int32):
    return int32(uint64(uint32(x)) * uint64(uint32(y)) >> 32)


def libdevice_umul64hi(x: int64, y: int64):
    return int64(_high_product(uint64(x), uint64(y)))


def libdevice_mul64hi(x: int64, y: int64):
    return int64(_high_product(uint64(x), uint64(y))) - (y if x < 0 else int64(0)) - (x if y < 0 else int64(0))


def libdevice_sad(x: int32, y: int32, z: int32):
    return int32(abs(int64(x) - int64(y)) + z)


def libdevice_usad(x: int32, y: int32, z: int32):
    return int32(abs(int64(uint32(x)) - int64(uint32(y))) + z)


def libdevice_byte_perm(x: int32, y: int32, z: int32):
    both = uint64(uint32(y)) << 32 | uint64(uint32(x))
    result = uint32(0)
    for k in range(4):
        byte = uint32(z) >> uint32(4 * k) & 7
        result |= (uint32(both >> uint64(byte * 8)) & 255) << uint32(8 * k)
    return int32(result)
