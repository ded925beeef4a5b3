/* Opening and closing devices. */
#include "runtime/launch/device.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/launch/global.h"
#include "runtime/launch/kernel.h"

static const struct ck_device_ops *const kinds[] = {&ck_cuda_ops, &ck_cpu_ops};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* --- Devices -----------------------------------------------------------------------------------
 */

bool
ck_device_parse_number(const char *text, uint32_t min, uint32_t max, uint32_t *out)
{
    uint64_t value = 0;
    size_t length = strlen(text);
    if (!length || length > 9 || strspn(text, "0123456789") != length)
        return false;
    for (; *text; text++)
        value = value * 10 + (uint64_t)(*text - '0');
    *out = (uint32_t)value;
    return value >= min && value <= max;
}

/* libckrt has no compiler, which the CPU device needs. */
static ck_status
fail_no_gpu(ck_context *ctx)
{
    char *reason = strdup(ck_context_error(ctx));
    if (!reason)
        return ck_fail_memory(ctx);
    ck_status status =
        ck_fail(ctx, CK_ERROR_NO_DEVICE,
                "%s (libckrt runs PTX only; libck can run kernels on the CPU)", reason);
    free(reason);
    return status;
}

static ck_status
open_auto(ck_device **out, ck_context *ctx, const ck_device_options *options)
{
    ck_status status = ck_cuda_ops.open(out, ctx, NULL, options);
    if (status != CK_ERROR_NO_DEVICE)
        return status;
    return ck_has_compiler ? ck_cpu_ops.open(out, ctx, NULL, options) : fail_no_gpu(ctx);
}

static ck_status
read_options(ck_device_options *known, ck_context *ctx, const ck_device_options *given)
{
    if (!ck_options_size_fits(given->size))
        return ck_fail(ctx, CK_ERROR_ARGUMENT,
                       "ck_device_options.size is %zu: set it to sizeof(ck_device_options)",
                       given->size);
    if (!ck_options_read(known, sizeof *known, given, given->size))
        return ck_fail(ctx, CK_ERROR_ARGUMENT,
                       "ck_device_options holds an option that ck %s does not know", ck_version());
    return CK_OK;
}

ck_status
ck_device_count(size_t *out, ck_context *ctx, const char *kind)
{
    for (int i = 0; i < N_KINDS; i++) {
        if (strcmp(kinds[i]->kind, kind) == 0)
            return kinds[i]->count(out, ctx);
    }
    return ck_fail(ctx, CK_ERROR_ARGUMENT, "unknown kind of device \"%s\": \"cuda\" or \"cpu\"",
                   kind);
}

ck_status
ck_device_open(ck_device **out, ck_context *ctx, const char *name, const ck_device_options *options)
{
    ck_device_options known = {0};
    if (options) {
        ck_status status = read_options(&known, ctx, options);
        if (status)
            return status;
        options = &known;
    }
    if (!name || !strcmp(name, "auto"))
        return open_auto(out, ctx, options);
    for (int i = 0; i < N_KINDS; i++) {
        size_t length = strlen(kinds[i]->kind);
        if (strncmp(name, kinds[i]->kind, length) != 0)
            continue;
        if (!name[length])
            return kinds[i]->open(out, ctx, NULL, options);
        if (name[length] == ':')
            return kinds[i]->open(out, ctx, name + length + 1, options);
    }
    return ck_fail(ctx, CK_ERROR_ARGUMENT,
                   "unknown device \"%s\"; the devices are \"auto\", \"cuda\", \"cuda:N\", "
                   "\"cpu\" and \"cpu:THREADS\"",
                   name);
}

const ck_device_info *
ck_device_get_info(const ck_device *device)
{
    return &device->info;
}

ck_status
ck_device_get_memory(size_t *free_bytes, size_t *total_bytes, ck_device *device)
{
    size_t unused = 0, total = 0;
    ck_status status = device->ops->memory(device, &unused, &total);
    if (status)
        return status;
    if (free_bytes)
        *free_bytes = unused;
    if (total_bytes)
        *total_bytes = total;
    return CK_OK;
}

ck_status
ck_device_synchronize(ck_device *device)
{
    return device->ops->synchronize(device);
}

/* Buffers that outlive their device keep only their handle. */
void
ck_device_free(ck_device *device)
{
    if (!device)
        return;
    while (device->kernels)
        ck_kernel_free(device->kernels);
    ck_globals_free_of_device(device);
    ck_buffers_release(device);
    ck_findings_clear(&device->findings);
    device->ops->close(device);
}
