/* Events: points in the order of a stream, with their times. */
#include <stdlib.h>

#include "runtime/launch/device.h"

struct ck_event {
    struct ck_device *device;
    void *handle; /* the device's own */
    bool is_recorded;
};

ck_status
ck_event_new(ck_event **out, ck_device *device)
{
    struct ck_event *event = calloc(1, sizeof *event);
    if (!event)
        return ck_fail_memory(device->ctx);
    event->device = device;
    ck_status status = device->ops->event_new(device, &event->handle);
    if (status)
        free(event);
    else
        *out = event;
    return status;
}

void
ck_event_free(ck_event *event)
{
    if (event)
        event->device->ops->event_free(event->device, event->handle);
    free(event);
}

ck_status
ck_event_record(ck_event *event, void *stream)
{
    struct ck_device *device = event->device;
    ck_status status = device->ops->event_record(device, event->handle, stream);
    event->is_recorded = event->is_recorded || !status;
    return status;
}

ck_status
ck_event_synchronize(const ck_event *event)
{
    struct ck_device *device = event->device;
    if (!event->is_recorded)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the event was not recorded");
    return device->ops->event_synchronize(device, event->handle);
}

ck_status
ck_event_make_wait(const struct ck_event *event, struct ck_device *device, void *stream)
{
    if (device != event->device)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the event is of another device");
    if (!event->is_recorded)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the event was not recorded");
    return device->ops->stream_wait(device, stream, event->handle);
}

ck_status
ck_event_elapsed(double *seconds, const ck_event *from, const ck_event *to)
{
    struct ck_device *device = from->device;
    if (device != to->device)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "the events are of two devices");
    if (!from->is_recorded || !to->is_recorded)
        return ck_fail(device->ctx, CK_ERROR_ARGUMENT, "an event was not recorded");
    return device->ops->event_elapsed(device, seconds, from->handle, to->handle);
}
