/* The CUDA driver's API, declared by ck itself, and loading the driver at run time: no CUDA toolkit
 * is needed to build ck. */
#ifndef CK_CUDA_DRIVER_H
#define CK_CUDA_DRIVER_H

#include <stddef.h>

#include "runtime/context/context.h"

/* A program that includes cuda.h (the test that compares the two) has the types from there. */
#ifndef CUDA_VERSION
typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUfunction_attribute;
typedef int CUjit_option;
typedef int CUlimit;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct ck_cuda_launch_config CUlaunchConfig;
#endif

/* The attributes of a launch, as in cuda.h. */
enum ck_cuda_launch_attribute_id {
    CK_CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
    CK_CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4
};

struct ck_cuda_launch_attribute {
    int id;
    union {
        int cooperative;
        unsigned cluster[3];
        char all[64];
    } value __attribute__((aligned(8)));
};

struct ck_cuda_launch_config {
    unsigned grid[3], block[3], shared_bytes;
    struct CUstream_st *stream;
    struct ck_cuda_launch_attribute *attributes;
    unsigned n_attributes;
};

/* The values that ck uses, named as in cuda.h after CK_. */
enum ck_cuda_attribute {
    CK_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CK_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CK_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CK_CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CK_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CK_CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CK_CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CK_CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CK_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CK_CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CK_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CK_CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CK_CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CK_CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CK_CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CK_CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111
};

enum ck_cuda_function_attribute {
    CK_CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CK_CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CK_CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CK_CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CK_CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CK_CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CK_CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
};

enum ck_cuda_limit { CK_CU_LIMIT_STACK_SIZE = 0 };

enum ck_cuda_jit_option {
    CK_CU_JIT_ERROR_LOG_BUFFER = 5,
    CK_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

enum ck_cuda_result {
    CK_CUDA_SUCCESS = 0,
    CK_CUDA_ERROR_OUT_OF_MEMORY = 2,
    CK_CUDA_ERROR_STUB_LIBRARY = 34,
    CK_CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CK_CUDA_ERROR_NO_DEVICE = 100,
    CK_CUDA_ERROR_INVALID_DEVICE = 101,
    CK_CUDA_ERROR_INVALID_CONTEXT = 201,
    CK_CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CK_CUDA_ERROR_INVALID_PTX = 218,
    CK_CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CK_CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CK_CUDA_ERROR_NOT_FOUND = 500,
    CK_CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CK_CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CK_CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CK_CUDA_ERROR_ASSERT = 710,
    CK_CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CK_CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CK_CUDA_ERROR_LAUNCH_FAILED = 719,
    CK_CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CK_CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    CK_CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
    CK_CUDA_ERROR_UNKNOWN = 999
};

struct ck_cuda_api {
    void *library;
#define CK_CUDA(member, symbol, parameters) CUresult(*member) parameters;
#include "runtime/cuda/cuda_api.def"
#undef CK_CUDA
};

/* Loads and initialises the driver. Errors: CK_ERROR_NO_DEVICE (there is no driver, or it is older
 * than CUDA 11.0, incomplete, or fails to initialise). */
ck_status ck_cuda_load(struct ck_cuda_api *api, ck_context *ctx);
void ck_cuda_unload(struct ck_cuda_api *api);

/* The failure of `call` as a status and a text with the driver's name for it, its explanation, and
 * what can be done. `detail` ("" for none) follows the call's name. */
ck_status ck_cuda_fail(const struct ck_cuda_api *api, ck_context *ctx, CUresult result,
                       const char *call, const char *detail);

#endif
