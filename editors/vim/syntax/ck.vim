" Vim syntax of ck: that of Python, with the built-ins of kernels.
" tools/editor_files.py writes this file from lang/typed/builtins.def.

if exists("b:current_syntax")
  finish
endif
runtime! syntax/python.vim
unlet! b:current_syntax

syn keyword ckBuiltin Array CPointer NPDatetime NPTimedelta NestedArray Tuple UniTuple abs acos
syn keyword ckBuiltin acosh activemask add_rd add_rn add_ru add_rz all_sync any_sync arange
syn keyword ckBuiltin array asarray ascontiguousarray asfortranarray asin asinh atan atan2 atanh
syn keyword ckBuiltin ballot_sync bartlett bit_and bit_or bit_xor bitcast blackman breakpoint
syn keyword ckBuiltin brev carray cbrt ceil clock clock64 clz coalesced_threads complex
syn keyword ckBuiltin concatenate copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 degrees
syn keyword ckBuiltin device_array device_array_like div_rd div_rn div_ru div_rz divmod dtype e
syn keyword ckBuiltin empty empty_like eq_sync erf erfc erfcinv erfcx erfinv exp exp10 exp2
syn keyword ckBuiltin expm1 eye fabs farray fdim ffs finfo float floor fma fma_rd fma_rn fma_ru
syn keyword ckBuiltin fma_rz fmod frexp full full_like gamma geomspace globaltimer greater grid
syn keyword ckBuiltin gridsize hamming hanning hstack hypot identity iinfo inf infj int isfinite
syn keyword ckBuiltin isinf isinstance isnan j0 j1 jn laneid lanemask_lt ldca ldcg ldcs ldcv
syn keyword ckBuiltin ldexp ldlu len less lgamma linspace literal_unroll log log10 log1p log2
syn keyword ckBuiltin logspace match_all_sync match_any_sync max maximum memory_order_acq_rel
syn keyword ckBuiltin memory_order_acquire memory_order_relaxed memory_order_release
syn keyword ckBuiltin memory_order_seq_cst min minimum modf mul_rd mul_rn mul_ru mul_rz
syn keyword ckBuiltin namedtuple nan nanj nanosleep nextafter norm3d norm4d normcdf normcdfinv
syn keyword ckBuiltin ones ones_like ord outer pi plus popc pow prefetch radians rcbrt rcp_rd
syn keyword ckBuiltin rcp_rn rcp_ru rcp_rz record remainder repeat rhypot rint rnorm3d rnorm4d
syn keyword ckBuiltin round rsqrt saturate selp shfl_down_sync shfl_sync shfl_up_sync
syn keyword ckBuiltin shfl_xor_sync sin sincos sincospi sinh sinpi smid sqrt sqrt_rd sqrt_rn
syn keyword ckBuiltin sqrt_ru sqrt_rz stack stcg stcs stwb stwt sub_rd sub_rn sub_ru sub_rz sum
syn keyword ckBuiltin syncthreads syncthreads_and syncthreads_count syncthreads_or syncwarp tan
syn keyword ckBuiltin tanh tau this_block this_cluster this_grid this_thread this_thread_block
syn keyword ckBuiltin thread_scope_block thread_scope_cluster thread_scope_device
syn keyword ckBuiltin thread_scope_system threadfence threadfence_block threadfence_system tile
syn keyword ckBuiltin to_device trunc tuple vstack warpsize y0 y1 yn zeros zeros_like
syn keyword ckModule Record atomic bf16 blockDim blockIdx const fast fp16 fp8 gridDim local
syn keyword ckModule random shared threadIdx
syn keyword ckType bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16
syn keyword ckType float32 float64 complex64 complex128 void

hi def link ckBuiltin Function
hi def link ckModule Include
hi def link ckType Type

let b:current_syntax = "ck"
