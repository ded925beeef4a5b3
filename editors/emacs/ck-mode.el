;;; ck-mode.el --- Major mode for GPU kernels written in ck  -*- lexical-binding: t -*-

;;; Commentary:
;; Python's mode, with the built-ins of kernels.  tools/editor_files.py writes this file from lang/typed/builtins.def.

;;; Code:

(require 'python)

(defconst ck-mode-builtins
  '("Array" "CPointer" "NPDatetime" "NPTimedelta" "NestedArray" "Tuple" "UniTuple" "abs" "acos"
    "acosh" "activemask" "add_rd" "add_rn" "add_ru" "add_rz" "all_sync" "any_sync" "arange"
    "array" "asarray" "ascontiguousarray" "asfortranarray" "asin" "asinh" "atan" "atan2" "atanh"
    "ballot_sync" "bartlett" "bit_and" "bit_or" "bit_xor" "bitcast" "blackman" "breakpoint"
    "brev" "carray" "cbrt" "ceil" "clock" "clock64" "clz" "coalesced_threads" "complex"
    "concatenate" "copysign" "cos" "cosh" "cospi" "cyl_bessel_i0" "cyl_bessel_i1" "degrees"
    "device_array" "device_array_like" "div_rd" "div_rn" "div_ru" "div_rz" "divmod" "dtype" "e"
    "empty" "empty_like" "eq_sync" "erf" "erfc" "erfcinv" "erfcx" "erfinv" "exp" "exp10" "exp2"
    "expm1" "eye" "fabs" "farray" "fdim" "ffs" "finfo" "float" "floor" "fma" "fma_rd" "fma_rn"
    "fma_ru" "fma_rz" "fmod" "frexp" "full" "full_like" "gamma" "geomspace" "globaltimer"
    "greater" "grid" "gridsize" "hamming" "hanning" "hstack" "hypot" "identity" "iinfo" "inf"
    "infj" "int" "isfinite" "isinf" "isinstance" "isnan" "j0" "j1" "jn" "laneid" "lanemask_lt"
    "ldca" "ldcg" "ldcs" "ldcv" "ldexp" "ldlu" "len" "less" "lgamma" "linspace" "literal_unroll"
    "log" "log10" "log1p" "log2" "logspace" "match_all_sync" "match_any_sync" "max" "maximum"
    "memory_order_acq_rel" "memory_order_acquire" "memory_order_relaxed" "memory_order_release"
    "memory_order_seq_cst" "min" "minimum" "modf" "mul_rd" "mul_rn" "mul_ru" "mul_rz"
    "namedtuple" "nan" "nanj" "nanosleep" "nextafter" "norm3d" "norm4d" "normcdf" "normcdfinv"
    "ones" "ones_like" "ord" "outer" "pi" "plus" "popc" "pow" "prefetch" "radians" "rcbrt"
    "rcp_rd" "rcp_rn" "rcp_ru" "rcp_rz" "record" "remainder" "repeat" "rhypot" "rint" "rnorm3d"
    "rnorm4d" "round" "rsqrt" "saturate" "selp" "shfl_down_sync" "shfl_sync" "shfl_up_sync"
    "shfl_xor_sync" "sin" "sincos" "sincospi" "sinh" "sinpi" "smid" "sqrt" "sqrt_rd" "sqrt_rn"
    "sqrt_ru" "sqrt_rz" "stack" "stcg" "stcs" "stwb" "stwt" "sub_rd" "sub_rn" "sub_ru" "sub_rz"
    "sum" "syncthreads" "syncthreads_and" "syncthreads_count" "syncthreads_or" "syncwarp" "tan"
    "tanh" "tau" "this_block" "this_cluster" "this_grid" "this_thread" "this_thread_block"
    "thread_scope_block" "thread_scope_cluster" "thread_scope_device" "thread_scope_system"
    "threadfence" "threadfence_block" "threadfence_system" "tile" "to_device" "trunc" "tuple"
    "vstack" "warpsize" "y0" "y1" "yn" "zeros" "zeros_like")
  "Functions and values of the language.")

(defconst ck-mode-modules
  '("Record" "atomic" "bf16" "blockDim" "blockIdx" "const" "fast" "fp16" "fp8" "gridDim" "local"
    "random" "shared" "threadIdx")
  "Names before a dot.")

(defconst ck-mode-types
  '("bool" "int8" "int16" "int32" "int64" "uint8" "uint16" "uint32" "uint64" "float16"
    "bfloat16" "float32" "float64" "complex64" "complex128" "void")
  "Types of numbers.")

(defvar ck-mode-font-lock-keywords
  (list (cons (regexp-opt ck-mode-builtins 'symbols) 'font-lock-builtin-face)
        (cons (regexp-opt ck-mode-modules 'symbols) 'font-lock-constant-face)
        (cons (regexp-opt ck-mode-types 'symbols) 'font-lock-type-face))
  "What `ck-mode' highlights beside `python-mode'.")

;;;###autoload
(define-derived-mode ck-mode python-mode "ck"
  "Major mode for GPU kernels written in ck."
  (font-lock-add-keywords nil ck-mode-font-lock-keywords))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ck\\'" . ck-mode))

(provide 'ck-mode)
;;; ck-mode.el ends here
