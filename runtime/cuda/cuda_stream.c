/* What a CUDA device does in the order of a stream beside launches: copies and fills of its memory,
 * and events, which have the times. And streams themselves. */
#include "runtime/cuda/cuda_device.h"

/* --- Streams -----------------------------------------------------------------------------------
 */

/* It waits for the default stream and is waited for: the synchronous copies are in order with it.
 */
static ck_status
create_stream(struct ck_cuda_device *cuda, void **stream)
{
    CUstream made = NULL;
    CK_CUDA_TRY(cuda, StreamCreate(&made, 0));
    *stream = made;
    return CK_OK;
}

ck_status
ck_cuda_stream_new(struct ck_device *device, void **stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    void *made = NULL;
    ck_status status = ck_cuda_enter(cuda);
    if (!status)
        status = ck_cuda_leave(cuda, create_stream(cuda, &made));
    if (status && made)
        ck_cuda_stream_free(device, made); /* the caller does not receive it */
    else if (!status)
        *stream = made;
    return status;
}

/* A failure here comes from an earlier launch: ck_device_synchronize reports it. */
void
ck_cuda_stream_free(struct ck_device *device, void *stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    if (ck_cuda_enter(cuda))
        return;
    cuda->api.StreamDestroy(stream);
    ck_cuda_leave(cuda, CK_OK);
}

static ck_status
synchronize(struct ck_cuda_device *cuda, void *stream)
{
    CK_CUDA_TRY(cuda, StreamSynchronize(stream));
    return CK_OK;
}

ck_status
ck_cuda_stream_synchronize(struct ck_device *device, void *stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, synchronize(cuda, stream));
}

static ck_status
wait(struct ck_cuda_device *cuda, void *stream, void *event)
{
    CK_CUDA_TRY(cuda, StreamWaitEvent(stream, event, 0));
    return CK_OK;
}

ck_status
ck_cuda_stream_wait(struct ck_device *device, void *stream, void *event)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, wait(cuda, stream, event));
}

/* --- Copies and fills --------------------------------------------------------------------------
 */

static ck_status
write_async(struct ck_cuda_device *cuda, uint64_t to, const void *from, size_t bytes, void *stream)
{
    CK_CUDA_TRY(cuda, MemcpyHtoDAsync(to, from, bytes, stream));
    return CK_OK;
}

ck_status
ck_cuda_write_async(struct ck_device *device, uint64_t to, const void *from, size_t bytes,
                    void *stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, write_async(cuda, to, from, bytes, stream));
}

static ck_status
read_async(struct ck_cuda_device *cuda, void *to, uint64_t from, size_t bytes, void *stream)
{
    CK_CUDA_TRY(cuda, MemcpyDtoHAsync(to, from, bytes, stream));
    return CK_OK;
}

ck_status
ck_cuda_read_async(struct ck_device *device, void *to, uint64_t from, size_t bytes, void *stream)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, read_async(cuda, to, from, bytes, stream));
}

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
wait_for(struct ck_cuda_device *cuda, void *event)
{
    CK_CUDA_TRY(cuda, EventSynchronize(event));
    return CK_OK;
}

ck_status
ck_cuda_event_synchronize(struct ck_device *device, void *event)
{
    struct ck_cuda_device *cuda = ck_cuda_of(device);
    ck_status status = ck_cuda_enter(cuda);
    return status ? status : ck_cuda_leave(cuda, wait_for(cuda, event));
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
