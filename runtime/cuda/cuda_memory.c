/* The memory of a CUDA device, host memory that it reads and writes by itself, and the synchronous
 * copies between them. */
#include <stdio.h>

#include "runtime/cuda/cuda_device.h"

/* --- Device memory -----------------------------------------------------------------------------
 */

/* A failure here comes from an earlier launch: ck_device_synchronize reports it. */
void
ck_cuda_free(struct ck_device *device, uint64_t address)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    if (ck_cuda_enter(cuda))
        return;
    cuda->api.MemFree(address);
    ck_cuda_leave(cuda, CK_OK);
}

ck_status
ck_cuda_alloc(struct ck_device *device, uint64_t *address, size_t bytes)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    if (status)
        return status;
    CUdeviceptr got = 0;
    CUresult result = cuda->api.MemAlloc(&got, bytes);
    if (result) {
        char detail[64];
        snprintf(detail, sizeof detail, "%zu bytes were asked for", bytes);
        return ck_cuda_leave(cuda, ck_cuda_fail_call(cuda, result, "MemAlloc", detail));
    }
    status = ck_cuda_leave(cuda, CK_OK);
    if (status)
        ck_cuda_free(device, got); /* the caller does not receive it */
    else
        *address = got;
    return status;
}

static ck_status
get_memory(struct ck_cuda_device *cuda, size_t *unused, size_t *total)
{
    CK_CUDA_TRY(cuda, MemGetInfo(unused, total));
    return CK_OK;
}

ck_status
ck_cuda_memory(struct ck_device *device, size_t *unused, size_t *total)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, get_memory(cuda, unused, total));
}

/* --- Host memory -------------------------------------------------------------------------------
 */

static ck_status
pin(struct ck_cuda_device *cuda, void **memory, size_t bytes)
{
    enum { PORTABLE = 1 }; /* CU_MEMHOSTALLOC_PORTABLE: page-locked for every context */
    char detail[80];
    CUresult result = cuda->api.MemHostAlloc(memory, bytes, PORTABLE);
    snprintf(detail, sizeof detail, "%zu bytes of page-locked host memory were asked for", bytes);
    if (result == CK_CUDA_ERROR_OUT_OF_MEMORY) /* of the host's: the usual advice is of the GPU's */
        return ck_fail(cuda->base.ctx, CK_ERROR_MEMORY,
                       "CUDA_ERROR_OUT_OF_MEMORY from cuMemHostAlloc: %s", detail);
    return result ? ck_cuda_fail_call(cuda, result, "MemHostAlloc", detail) : CK_OK;
}

ck_status
ck_cuda_host_alloc(struct ck_device *device, void **memory, size_t bytes)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    void *got = NULL;
    ck_status status = ck_cuda_enter(cuda);
    if (!status)
        status = ck_cuda_leave(cuda, pin(cuda, &got, bytes));
    if (status && got)
        ck_cuda_host_free(device, got); /* the caller does not receive it */
    else if (!status)
        *memory = got;
    return status;
}

/* Failures: as in ck_cuda_free. */
void
ck_cuda_host_free(struct ck_device *device, void *memory)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    if (ck_cuda_enter(cuda))
        return;
    cuda->api.MemFreeHost(memory);
    ck_cuda_leave(cuda, CK_OK);
}

/* --- Copies ------------------------------------------------------------------------------------
 */

ck_status
ck_cuda_write(struct ck_device *device, uint64_t to, const void *from, size_t bytes)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    if (status)
        return status;
    CUresult result = cuda->api.MemcpyHtoD(to, from, bytes);
    return ck_cuda_leave(cuda, result ? ck_cuda_fail_call(cuda, result, "MemcpyHtoD", "") : CK_OK);
}

ck_status
ck_cuda_read(struct ck_device *device, void *to, uint64_t from, size_t bytes)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    if (status)
        return status;
    CUresult result = cuda->api.MemcpyDtoH(to, from, bytes);
    return ck_cuda_leave(cuda, result ? ck_cuda_fail_call(cuda, result, "MemcpyDtoH", "") : CK_OK);
}
