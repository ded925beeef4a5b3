/* The CUDA device, for its own files. */
#ifndef CK_CUDA_DEVICE_H
#define CK_CUDA_DEVICE_H

#include "base/occupancy.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/launch/device.h"

enum { CK_CUDA_NAME_LENGTH = 128 };

struct ck_cuda_device {
    struct ck_device base;
    struct ck_cuda_api api;
    CUdevice handle;
    CUcontext context;
    bool borrowed; /* the context is the caller's */
    struct ck_sm_limits limits;
    unsigned checks; /* CK_CHECK_* */
    char name[CK_CUDA_NAME_LENGTH];
    char arch[16];
};

/* Fails with the driver's error unless the call succeeds. */
#define CK_CUDA_TRY(cuda, call)                                                                    \
    do {                                                                                           \
        CUresult try_result = (cuda)->api.call;                                                    \
        if (try_result)                                                                            \
            return ck_cuda_fail_call((cuda), try_result, #call, "");                               \
    } while (0)

/* `call` is the call as written: its name ends at the parenthesis. */
ck_status ck_cuda_fail_call(struct ck_cuda_device *cuda, CUresult result, const char *call,
                            const char *detail);

static inline struct ck_cuda_device *
ck_cuda_of(struct ck_device *device)
{
    return (struct ck_cuda_device *)device;
}

/* Makes the device's context current; `leave` pops it again and keeps the first failure. */
ck_status ck_cuda_enter(struct ck_cuda_device *cuda);
ck_status ck_cuda_leave(struct ck_cuda_device *cuda, ck_status status);

/* cuda_memory.c: operations of struct ck_device_ops. */
ck_status ck_cuda_alloc(struct ck_device *device, uint64_t *address, size_t bytes);
void ck_cuda_free(struct ck_device *device, uint64_t address);
ck_status ck_cuda_memory(struct ck_device *device, size_t *unused, size_t *total);
ck_status ck_cuda_host_alloc(struct ck_device *device, void **memory, size_t bytes);
void ck_cuda_host_free(struct ck_device *device, void *memory);
ck_status ck_cuda_write(struct ck_device *device, uint64_t to, const void *from, size_t bytes);
ck_status ck_cuda_read(struct ck_device *device, void *to, uint64_t from, size_t bytes);

/* cuda_stream.c: the same. */
ck_status ck_cuda_stream_new(struct ck_device *device, void **stream);
void ck_cuda_stream_free(struct ck_device *device, void *stream);
ck_status ck_cuda_stream_synchronize(struct ck_device *device, void *stream);
ck_status ck_cuda_stream_wait(struct ck_device *device, void *stream, void *event);
ck_status ck_cuda_write_async(struct ck_device *device, uint64_t to, const void *from, size_t bytes,
                              void *stream);
ck_status ck_cuda_read_async(struct ck_device *device, void *to, uint64_t from, size_t bytes,
                             void *stream);
ck_status ck_cuda_copy(struct ck_device *device, uint64_t to, uint64_t from, size_t bytes,
                       void *stream);
ck_status ck_cuda_fill(struct ck_device *device, uint64_t to, unsigned char value, size_t bytes,
                       void *stream);
ck_status ck_cuda_event_new(struct ck_device *device, void **event);
void ck_cuda_event_free(struct ck_device *device, void *event);
ck_status ck_cuda_event_record(struct ck_device *device, void *event, void *stream);
ck_status ck_cuda_event_synchronize(struct ck_device *device, void *event);
ck_status ck_cuda_event_elapsed(struct ck_device *device, double *seconds, void *from, void *to);

#endif
