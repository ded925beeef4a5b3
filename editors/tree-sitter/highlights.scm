; Highlights of ck over Python's grammar (tree-sitter-python), after its own queries.
; tools/editor_files.py writes this file from lang/typed/builtins.def.

; inherits: python

((identifier) @function.builtin
 (#any-of? @function.builtin
  "Array" "CPointer" "NPDatetime" "NPTimedelta" "NestedArray" "Tuple" "UniTuple" "abs" "acos"
  "acosh" "activemask" "add_rd" "add_rn" "add_ru" "add_rz" "all_sync" "any_sync" "arange"
  "array" "asarray" "ascontiguousarray" "asfortranarray" "asin" "asinh" "atan" "atan2" "atanh"
  "ballot_sync" "bartlett" "bit_and" "bit_or" "bit_xor" "bitcast" "blackman" "breakpoint" "brev"
  "carray" "cbrt" "ceil" "clock" "clock64" "clz" "coalesced_threads" "complex" "concatenate"
  "copysign" "cos" "cosh" "cospi" "cyl_bessel_i0" "cyl_bessel_i1" "degrees" "device_array"
  "device_array_like" "div_rd" "div_rn" "div_ru" "div_rz" "divmod" "dtype" "e" "empty"
  "empty_like" "eq_sync" "erf" "erfc" "erfcinv" "erfcx" "erfinv" "exp" "exp10" "exp2" "expm1"
  "eye" "fabs" "farray" "fdim" "ffs" "finfo" "float" "floor" "fma" "fma_rd" "fma_rn" "fma_ru"
  "fma_rz" "fmod" "frexp" "full" "full_like" "gamma" "geomspace" "globaltimer" "greater" "grid"
  "gridsize" "hamming" "hanning" "hstack" "hypot" "identity" "iinfo" "inf" "infj" "int"
  "isfinite" "isinf" "isinstance" "isnan" "j0" "j1" "jn" "laneid" "lanemask_lt" "ldca" "ldcg"
  "ldcs" "ldcv" "ldexp" "ldlu" "len" "less" "lgamma" "linspace" "literal_unroll" "log" "log10"
  "log1p" "log2" "logspace" "match_all_sync" "match_any_sync" "max" "maximum"
  "memory_order_acq_rel" "memory_order_acquire" "memory_order_relaxed" "memory_order_release"
  "memory_order_seq_cst" "min" "minimum" "modf" "mul_rd" "mul_rn" "mul_ru" "mul_rz" "namedtuple"
  "nan" "nanj" "nanosleep" "nextafter" "norm3d" "norm4d" "normcdf" "normcdfinv" "ones"
  "ones_like" "ord" "outer" "pi" "plus" "popc" "pow" "prefetch" "radians" "rcbrt" "rcp_rd"
  "rcp_rn" "rcp_ru" "rcp_rz" "record" "remainder" "repeat" "rhypot" "rint" "rnorm3d" "rnorm4d"
  "round" "rsqrt" "saturate" "selp" "shfl_down_sync" "shfl_sync" "shfl_up_sync" "shfl_xor_sync"
  "sin" "sincos" "sincospi" "sinh" "sinpi" "smid" "sqrt" "sqrt_rd" "sqrt_rn" "sqrt_ru" "sqrt_rz"
  "stack" "stcg" "stcs" "stwb" "stwt" "sub_rd" "sub_rn" "sub_ru" "sub_rz" "sum" "syncthreads"
  "syncthreads_and" "syncthreads_count" "syncthreads_or" "syncwarp" "tan" "tanh" "tau"
  "this_block" "this_cluster" "this_grid" "this_thread" "this_thread_block" "thread_scope_block"
  "thread_scope_cluster" "thread_scope_device" "thread_scope_system" "threadfence"
  "threadfence_block" "threadfence_system" "tile" "to_device" "trunc" "tuple" "vstack"
  "warpsize" "y0" "y1" "yn" "zeros" "zeros_like"))

((identifier) @module
 (#any-of? @module
  "Record" "atomic" "bf16" "blockDim" "blockIdx" "const" "fast" "fp16" "fp8" "gridDim" "local"
  "random" "shared" "threadIdx"))

((identifier) @type.builtin
 (#any-of? @type.builtin
  "bool" "int8" "int16" "int32" "int64" "uint8" "uint16" "uint32" "uint64" "float16" "bfloat16"
  "float32" "float64" "complex64" "complex128" "void"))

(call
  function: (attribute
    attribute: (identifier) @function.method)
  (#any-of? @function.method
   "" "all" "any" "argmax" "argmin" "astype" "ballot" "barrier_arrive" "barrier_wait"
   "binary_partition" "block_index" "block_rank" "cluster_index" "cluster_rank" "copy"
   "data_ptr" "dim_blocks" "dim_clusters" "dim_threads" "exclusive_scan" "flatten" "group_index"
   "inclusive_scan" "invoke_one" "invoke_one_broadcast" "is_valid" "labeled_partition"
   "map_shared_rank" "match_all" "match_any" "max" "mean" "memcpy_async" "meta_group_rank"
   "meta_group_size" "min" "num_blocks" "num_clusters" "num_threads" "prod" "query_shared_rank"
   "ravel" "reduce" "reshape" "shfl" "shfl_down" "shfl_up" "shfl_xor" "stride_partition" "sum"
   "sync" "thread_index" "thread_rank" "tiled_partition" "transpose" "view" "wait" "wait_prior"))
