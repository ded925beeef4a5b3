/* ck's own declarations of the CUDA driver against the toolkit's cuda.h, when compiling: a function
 * or value that differs does not compile. Without a toolkit there is nothing to compare. */
#include <stdio.h>

#if defined(__has_include)
#if __has_include(<cuda.h>)
#include <cuda.h>
#elif __has_include("/usr/local/cuda/include/cuda.h")
#include "/usr/local/cuda/include/cuda.h"
#endif
#endif

#ifdef CUDA_VERSION

#include "runtime/cuda/cuda_driver.h"

#define SAME(name) _Static_assert((int)CK_##name == (int)name, #name)

SAME(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
SAME(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
SAME(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
SAME(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
SAME(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
SAME(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
SAME(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME(CU_JIT_ERROR_LOG_BUFFER);
SAME(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(CUDA_SUCCESS);
SAME(CUDA_ERROR_OUT_OF_MEMORY);
SAME(CUDA_ERROR_STUB_LIBRARY);
SAME(CUDA_ERROR_DEVICE_UNAVAILABLE);
SAME(CUDA_ERROR_NO_DEVICE);
SAME(CUDA_ERROR_INVALID_DEVICE);
SAME(CUDA_ERROR_INVALID_CONTEXT);
SAME(CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(CUDA_ERROR_INVALID_PTX);
SAME(CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
SAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(CUDA_ERROR_NOT_FOUND);
SAME(CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(CUDA_ERROR_LAUNCH_TIMEOUT);
SAME(CUDA_ERROR_ASSERT);
SAME(CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME(CUDA_ERROR_MISALIGNED_ADDRESS);
SAME(CUDA_ERROR_LAUNCH_FAILED);
SAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
SAME(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
SAME(CUDA_ERROR_INVALID_CLUSTER_SIZE);
SAME(CUDA_ERROR_UNKNOWN);

/* ck's handles are those of cuda.h, its enums plain ints: the same size passed the same way. */
_Static_assert(sizeof(CUresult) == sizeof(int), "CUresult");
_Static_assert(sizeof(CUdevice_attribute) == sizeof(int), "CUdevice_attribute");
_Static_assert(sizeof(CUfunction_attribute) == sizeof(int), "CUfunction_attribute");
_Static_assert(sizeof(CUjit_option) == sizeof(int), "CUjit_option");
_Static_assert(sizeof(CUdeviceptr) == sizeof(unsigned long long), "CUdeviceptr");

/* ck's structs are laid out as cuda.h's. */
#define PLACE(ck_member, member)                                                                   \
    _Static_assert(offsetof(struct ck_cuda_launch_config, ck_member) ==                            \
                       offsetof(CUlaunchConfig, member),                                           \
                   #member)
PLACE(grid, gridDimX);
PLACE(block, blockDimX);
PLACE(shared_bytes, sharedMemBytes);
PLACE(stream, hStream);
PLACE(attributes, attrs);
PLACE(n_attributes, numAttrs);
_Static_assert(sizeof(struct ck_cuda_launch_config) == sizeof(CUlaunchConfig), "CUlaunchConfig");
_Static_assert(sizeof(struct ck_cuda_launch_attribute) == sizeof(CUlaunchAttribute),
               "CUlaunchAttribute");
_Static_assert(offsetof(struct ck_cuda_launch_attribute, value) ==
                   offsetof(CUlaunchAttribute, value),
               "CUlaunchAttribute.value");
_Static_assert(offsetof(CUlaunchAttributeValue, clusterDim) == 0 &&
                   offsetof(CUlaunchAttributeValue, cooperative) == 0,
               "CUlaunchAttributeValue");

/* The member's type, and the symbol's as cuda.h declares it: the macros of cuda.h map the name
 * without a version into the symbol, so the symbol itself is declared there. */
#define CK_CUDA(member, symbol, parameters)                                                        \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((struct ck_cuda_api *)0)->member),     \
                                                __typeof__(&symbol)),                              \
                   #symbol);
#include "runtime/cuda/cuda_api.def"
#undef CK_CUDA

/* And the symbol is the one that the current name stands for. CUDA 13 uses one name for a function
 * that older drivers lack; what the name stood for before is exported still. */
#undef cuEventElapsedTime
#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define CK_CUDA(member, symbol, parameters)                                                        \
    _Static_assert(!__builtin_strcmp(TEXT(cu##member), #symbol), #symbol);
#include "runtime/cuda/cuda_api.def"
#undef CK_CUDA

int
main(void)
{
    puts("1..1\nok 1 - cuda.h and runtime/cuda/cuda_api.def agree");
    return 0;
}

#else

int
main(void)
{
    puts("1..1\nok 1 # SKIP no cuda.h was found when compiling");
    return 0;
}

#endif
