" Vim syntax of ck: that of Python, with the built-ins of kernels.
" tools/editor_files.py writes this file from lang/typed/builtins.def.

if exists("b:current_syntax")
  finish
endif
runtime! syntax/python.vim
unlet! b:current_syntax

syn keyword ckBuiltin Tuple UniTuple abs acos acosh activemask add_rd add_rn add_ru add_rz
syn keyword ckBuiltin all_sync any_sync arange array asarray ascontiguousarray asfortranarray
syn keyword ckBuiltin asin asinh atan atan2 atanh ballot_sync bartlett bit_and bit_or bit_xor
syn keyword ckBuiltin bitcast blackman breakpoint brev cbrt ceil clock clock64 clz
syn keyword ckBuiltin coalesced_threads complex concatenate copysign cos cosh cospi
syn keyword ckBuiltin cyl_bessel_i0 cyl_bessel_i1 degrees device_array device_array_like div_rd
syn keyword ckBuiltin div_rn div_ru div_rz divmod dtype e empty empty_like eq_sync erf erfc
syn keyword ckBuiltin erfcinv erfcx erfinv exp exp10 exp2 expm1 eye fabs fdim ffs finfo float
syn keyword ckBuiltin floor fma fma_rd fma_rn fma_ru fma_rz fmod frexp full full_like gamma
syn keyword ckBuiltin geomspace globaltimer greater grid gridsize hamming hanning hstack hypot
syn keyword ckBuiltin identity iinfo inf infj int isfinite isinf isinstance isnan j0 j1 jn
syn keyword ckBuiltin laneid lanemask_lt ldca ldcg ldcs ldcv ldexp ldlu len less lgamma linspace
syn keyword ckBuiltin literal_unroll log log10 log1p log2 logspace match_all_sync match_any_sync
syn keyword ckBuiltin max maximum memory_order_acq_rel memory_order_acquire memory_order_relaxed
syn keyword ckBuiltin memory_order_release memory_order_seq_cst min minimum modf mul_rd mul_rn
syn keyword ckBuiltin mul_ru mul_rz namedtuple nan nanj nanosleep nextafter norm3d norm4d
syn keyword ckBuiltin normcdf normcdfinv ones ones_like ord outer pi plus popc pow prefetch
syn keyword ckBuiltin radians rcbrt rcp_rd rcp_rn rcp_ru rcp_rz record remainder repeat rhypot
syn keyword ckBuiltin rint rnorm3d rnorm4d round rsqrt saturate selp shfl_down_sync shfl_sync
syn keyword ckBuiltin shfl_up_sync shfl_xor_sync sin sincos sincospi sinh sinpi smid sqrt
syn keyword ckBuiltin sqrt_rd sqrt_rn sqrt_ru sqrt_rz stack stcg stcs stwb stwt sub_rd sub_rn
syn keyword ckBuiltin sub_ru sub_rz syncthreads syncthreads_and syncthreads_count syncthreads_or
syn keyword ckBuiltin syncwarp tan tanh tau this_block this_cluster this_grid this_thread
syn keyword ckBuiltin this_thread_block thread_scope_block thread_scope_cluster
syn keyword ckBuiltin thread_scope_device thread_scope_system threadfence threadfence_block
syn keyword ckBuiltin threadfence_system tile to_device trunc tuple vstack warpsize y0 y1 yn
syn keyword ckBuiltin zeros zeros_like
syn keyword ckModule atomic bf16 blockDim blockIdx const fast fp16 fp8 gridDim local random
syn keyword ckModule shared threadIdx
syn keyword ckType bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16
syn keyword ckType float32 float64 complex64 complex128 void

hi def link ckBuiltin Function
hi def link ckModule Include
hi def link ckType Type

let b:current_syntax = "ck"
