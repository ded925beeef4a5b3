/* What a CUDA device does in the order of a stream beside launches: copies and fills of its memory,
 * and events, which have the times. */
#include "runtime/cuda/cuda_device.h"

static ck_status
copy(struct ck_cuda_device *cuda, uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    CK_CUDA_TRY(cuda, MemcpyDtoDAsync(to, from, bytes, stream));
    return CK_OK;
}

ck_status
ck_cuda_copy(struct ck_device *device, uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, copy(cuda, to, from, bytes, stream));
}

static ck_status
fill(struct ck_cuda_device *cuda, uint64_t to, unsigned char value, size_t bytes, void *stream)
{
    CK_CUDA_TRY(cuda, MemsetD8Async(to, value, bytes, stream));
    return CK_OK;
}

ck_status
ck_cuda_fill(struct ck_device *device, uint64_t to, unsigned char value, size_t bytes, void *stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, fill(cuda, to, value, bytes, stream));
}

/* --- Events ------------------------------------------------------------------------------------
 */

static ck_status
create(struct ck_cuda_device *cuda, void **event)
{
    CUevent made = NULL;
    CK_CUDA_TRY(cuda, EventCreate(&made, 0));
    *event = made;
    return CK_OK;
}

ck_status
ck_cuda_event_new(struct ck_device *device, void **event)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    void *made = NULL;
    ck_status status = ck_cuda_enter(cuda);
    if (!status)
        status = ck_cuda_leave(cuda, create(cuda, &made));
    if (status && made)
        ck_cuda_event_free(device, made); /* the caller does not receive it */
    else if (!status)
        *event = made;
    return status;
}

/* A failure here comes from an earlier launch: ck_device_synchronize reports it. */
void
ck_cuda_event_free(struct ck_device *device, void *event)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    if (ck_cuda_enter(cuda))
        return;
    cuda->api.EventDestroy(event);
    ck_cuda_leave(cuda, CK_OK);
}

static ck_status
record(struct ck_cuda_device *cuda, void *event, void *stream)
{
    CK_CUDA_TRY(cuda, EventRecord(event, stream));
    return CK_OK;
}

ck_status
ck_cuda_event_record(struct ck_device *device, void *event, void *stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, record(cuda, event, stream));
}

static ck_status
elapsed(struct ck_cuda_device *cuda, double *seconds, void *from, void *to)
{
    float milliseconds = 0;
    CK_CUDA_TRY(cuda, EventSynchronize(to));
    CK_CUDA_TRY(cuda, EventElapsedTime(&milliseconds, from, to));
    *seconds = 1e-3 * (double)milliseconds;
    return CK_OK;
}

ck_status
ck_cuda_event_elapsed(struct ck_device *device, double *seconds, void *from, void *to)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    double measured = 0;
    ck_status status = ck_cuda_enter(cuda);
    if (!status)
        status = ck_cuda_leave(cuda, elapsed(cuda, &measured, from, to));
    if (!status)
        *seconds = measured;
    return status;
}
