from numba.cuda.fp8 import saturation_t, fp8_interpretation_t, cvt_float4_to_fp8x4

K = fp8.cvt_float_to_fp8(1.0, fp8.saturation_t.NOSAT, fp8.fp8_interpretation_t.E4M3)

@kernel
def k(x: float64[:], u: uint8[:], n: int32):
    u[0] = fp8.cvt_float_to_fp8(x[0], saturation_t.NOSAT, fp8_interpretation_t.E4M3)
    u[1] = fp8.cvt_double_to_fp8(n, saturation_t.NOSAT, fp8_interpretation_t.E4M3)
    u[2] = fp8.cvt_double_to_fp8(x[0], n, fp8_interpretation_t.E4M3)
    u[3] = fp8.cvt_double_to_fp8(x[0], saturation_t.NOSAT, 2)
    x[0] = fp8.cvt_fp8_to_float(n, fp8_interpretation_t.E4M3)
    x[1] = fp8.cvt_fp8_to_float(256, fp8_interpretation_t.E4M3)
    x[2] = fp8.cvt_fp8_to_float(u[0], x)
    x[3] = cvt_float4_to_fp8x4(x[0])
    u[4] = K
    u[5] = fp8.saturation_t.SAT
    u[6] = __nv_cvt_float_to_fp8(x[0])
