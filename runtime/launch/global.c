/* Arrays of a module in a device's memory. */
#include "runtime/launch/global.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "runtime/launch/elements.h"
#include "runtime/launch/kernel.h"

struct ck_global_set {
    struct ck_global_set *next_in_module, *next_in_device;
    struct ck_module *module;
    struct ck_device *device;
    struct ck_code *code; /* of a prebuilt image; it has the arrays */
    ck_buffer **buffers;  /* as module->globals, of arrays outside images; NULL: not needed yet */
    uint64_t *addresses;  /* likewise, of all; 0: not known yet */
};

/* --- Sets --------------------------------------------------------------------------------------
 */

static struct ck_global_set *
find_set(const struct ck_module *module, const struct ck_device *device)
{
    struct ck_global_set *set = module->global_sets;
    while (set && set->device != device)
        set = set->next_in_module;
    return set;
}

static ck_status
get_set(struct ck_global_set **out, struct ck_module *module, struct ck_device *device)
{
    struct ck_global_set *set = find_set(module, device);
    if (!set) {
        set = calloc(1, sizeof *set);
        ck_buffer **buffers = calloc(module->n_globals + 1, sizeof *buffers);
        uint64_t *addresses = calloc(module->n_globals + 1, sizeof *addresses);
        if (!set || !buffers || !addresses) {
            free(set);
            free(buffers);
            free(addresses);
            return ck_fail_memory(device->ctx);
        }
        *set = (struct ck_global_set){.module = module,
                                      .device = device,
                                      .buffers = buffers,
                                      .addresses = addresses,
                                      .next_in_module = module->global_sets,
                                      .next_in_device = device->global_sets};
        module->global_sets = device->global_sets = set;
    }
    *out = set;
    return CK_OK;
}

static void
free_set(struct ck_global_set *set)
{
    struct ck_global_set **link = &set->module->global_sets;
    while (*link != set)
        link = &(*link)->next_in_module;
    *link = set->next_in_module;
    link = &set->device->global_sets;
    while (*link != set)
        link = &(*link)->next_in_device;
    *link = set->next_in_device;
    ck_code_release(set->device, set->code);
    for (size_t i = 0; i < set->module->n_globals; i++)
        ck_buffer_free(set->buffers[i]);
    free(set->buffers);
    free(set->addresses);
    free(set);
}

void
ck_globals_free_of_module(struct ck_module *module)
{
    while (module->global_sets)
        free_set(module->global_sets);
}

void
ck_globals_free_of_device(struct ck_device *device)
{
    while (device->global_sets)
        free_set(device->global_sets);
}

struct ck_code *
ck_globals_code(const struct ck_module *module, const struct ck_device *device)
{
    const struct ck_global_set *set = find_set(module, device);
    return set ? set->code : NULL;
}

/* --- Arrays outside images ---------------------------------------------------------------------
 */

/* Waits for the copies before: launches may be on streams that do not wait for the default one. */
static ck_status
settle(struct ck_device *device)
{
    return device->ops->stream_synchronize(device, NULL);
}

/* Allocates an array, with its first values, when it is first needed. */
static ck_status
need_buffer(struct ck_global_set *set, size_t i)
{
    const ck_global_desc *global = &set->module->globals[i];
    const size_t bytes = (size_t)ck_global_bytes(global);
    ck_buffer *buffer;
    if (set->buffers[i])
        return CK_OK;
    ck_status status = ck_buffer_new(&buffer, set->device, bytes);
    if (status)
        return status;
    status = global->initial ? ck_buffer_write(buffer, 0, global->initial, bytes)
                             : ck_buffer_fill(buffer, 0, 0, bytes, NULL);
    if (!status)
        status = settle(set->device);
    if (status) {
        ck_buffer_free(buffer);
        return status;
    }
    set->buffers[i] = buffer;
    set->addresses[i] = ck_buffer_address(buffer);
    return CK_OK;
}

static ck_status
find_global(const struct ck_module *module, const char *name, size_t *out)
{
    for (size_t i = 0; i < module->n_globals; i++) {
        if (strcmp(module->globals[i].name, name) == 0) {
            *out = i;
            return CK_OK;
        }
    }
    if (!module->n_globals)
        return ck_fail(module->ctx, CK_ERROR_NOT_FOUND,
                       "there is no array `%s`: the module has no arrays that kernels use", name);
    const char **names = calloc(module->n_globals, sizeof *names);
    if (!names)
        return ck_fail_memory(module->ctx);
    for (size_t i = 0; i < module->n_globals; i++)
        names[i] = module->globals[i].name;
    const char *nearest = ck_nearest_name(name, names, (int)module->n_globals);
    free(names);
    return nearest ? ck_fail(module->ctx, CK_ERROR_NOT_FOUND,
                             "there is no array `%s`; did you mean `%s`?", name, nearest)
                   : ck_fail(module->ctx, CK_ERROR_NOT_FOUND,
                             "there is no array `%s`; the first is `%s`", name,
                             module->globals[0].name);
}

/* --- Code --------------------------------------------------------------------------------------
 */

/* Copies an array in constant memory into an image. */
static ck_status
copy_into(struct ck_global_set *set, size_t i, uint64_t variable)
{
    const size_t bytes = (size_t)ck_global_bytes(&set->module->globals[i]);
    return set->device->ops->copy(set->device, variable, set->addresses[i], bytes, NULL);
}

static ck_status
bind_variable(struct ck_global_set *set, const struct ck_code *code, size_t index)
{
    const struct ck_image_global *global = &code->image->manifest.globals[index];
    struct ck_device *device = set->device;
    uint64_t variable;
    size_t i;
    ck_status status = find_global(set->module, global->desc.name, &i);
    if (!status)
        status = need_buffer(set, i);
    if (!status)
        status = device->ops->variable(device, &variable, code->handle, code->image, index);
    if (status)
        return status;
    return global->by_address
               ? device->ops->write(device, variable, &set->addresses[i], sizeof set->addresses[i])
               : copy_into(set, i, variable);
}

ck_status
ck_globals_bind(struct ck_module *module, struct ck_device *device, const struct ck_code *code)
{
    struct ck_global_set *set;
    if (!module->compiler || !code->image->manifest.n_globals)
        return CK_OK;
    ck_status status = get_set(&set, module, device);
    for (size_t i = 0; !status && i < code->image->manifest.n_globals; i++)
        status = bind_variable(set, code, i);
    return status ? status : settle(device);
}

/* Copies an array in constant memory into all images that have it. */
static ck_status
copy_into_images(struct ck_global_set *set, size_t i)
{
    const char *name = set->module->globals[i].name;
    struct ck_device *device = set->device;
    ck_status status = CK_OK;
    for (struct ck_kernel *kernel = set->module->loaded; kernel; kernel = kernel->next_in_module) {
        if (kernel->device != device)
            continue;
        for (struct ck_variant *v = kernel->variants; v; v = v->next) {
            const struct ck_manifest *manifest = &v->code->image->manifest;
            for (size_t k = 0; !status && k < manifest->n_globals; k++) {
                uint64_t variable;
                if (manifest->globals[k].by_address ||
                    strcmp(manifest->globals[k].desc.name, name) != 0)
                    continue;
                status =
                    device->ops->variable(device, &variable, v->code->handle, v->code->image, k);
                if (!status)
                    status = copy_into(set, i, variable);
            }
        }
    }
    return status ? status : settle(device);
}

/* --- Access ------------------------------------------------------------------------------------
 */

/* Loads a prebuilt image, and finds the arrays in it. */
static ck_status
need_image(struct ck_global_set *set)
{
    struct ck_device *device = set->device;
    const struct ck_image *image = set->module->prebuilt;
    if (set->code)
        return CK_OK;
    struct ck_code *code;
    ck_status status = ck_code_get_prebuilt(&code, set->module, device);
    if (status)
        return status;
    for (size_t i = 0; !status && i < set->module->n_globals; i++)
        status = device->ops->variable(device, &set->addresses[i], code->handle, image, i);
    if (status)
        ck_code_release(device, code);
    else
        set->code = code;
    return status;
}

/* An array's place on a device. */
struct place {
    struct ck_global_set *set;
    size_t index;
};

static ck_status
find_place(struct place *out, ck_module *module, ck_device *device, const char *name)
{
    struct place place = {0};
    if (module->ctx != device->ctx)
        return ck_fail(module->ctx, CK_ERROR_ARGUMENT,
                       "the module and the device belong to different contexts");
    ck_status status = find_global(module, name, &place.index);
    if (!status)
        status = get_set(&place.set, module, device);
    if (!status)
        status = module->compiler ? need_buffer(place.set, place.index) : need_image(place.set);
    if (!status)
        *out = place;
    return status;
}

/* The same for a copy of some of its bytes. */
static ck_status
find_part(struct place *out, ck_module *module, ck_device *device, const char *name, size_t offset,
          size_t bytes)
{
    struct place place = {0};
    ck_status status = find_place(&place, module, device, name);
    if (status)
        return status;
    const size_t size = (size_t)ck_global_bytes(&module->globals[place.index]);
    if (offset > size || bytes > size - offset)
        return ck_fail(module->ctx, CK_ERROR_ARGUMENT,
                       "a copy of %zu bytes at offset %zu is outside of the %zu bytes of `%s`",
                       bytes, offset, size, name);
    *out = place;
    return CK_OK;
}

ck_status
ck_module_get_global(ck_array *out, ck_module *module, ck_device *device, const char *name)
{
    struct place place = {0};
    ck_status status = find_place(&place, module, device, name);
    if (status)
        return status;
    const ck_global_desc *desc = &module->globals[place.index];
    if (desc->constant)
        return ck_fail(module->ctx, CK_ERROR_UNSUPPORTED,
                       "`%s` is in constant memory, of which each image has a part: read and write "
                       "it by ck_module_read_global and ck_module_write_global",
                       name);
    const uint64_t address = place.set->addresses[place.index];
    *out = desc->record ? ck_array_of_records(address, desc->record, desc->ndim, desc->shape)
                        : ck_array_nd(address, desc->dtype, desc->ndim, desc->shape);
    return CK_OK;
}

ck_status
ck_module_write_global(ck_module *module, ck_device *device, const char *name, size_t offset,
                       const void *host, size_t bytes)
{
    struct place place = {0};
    ck_status status = find_part(&place, module, device, name, offset, bytes);
    if (status || !bytes)
        return status;
    const uint64_t address = place.set->addresses[place.index];
    status = device->ops->write(device, address + offset, host, bytes);
    if (!status && module->compiler && module->globals[place.index].constant)
        status = copy_into_images(place.set, place.index);
    return status;
}

ck_status
ck_module_read_global(ck_module *module, ck_device *device, const char *name, size_t offset,
                      void *host, size_t bytes)
{
    struct place place = {0};
    ck_status status = find_part(&place, module, device, name, offset, bytes);
    if (status || !bytes)
        return status;
    return device->ops->read(device, host, place.set->addresses[place.index] + offset, bytes);
}

size_t
ck_module_n_globals(const ck_module *module)
{
    return module->n_globals;
}

const ck_global_desc *
ck_module_global(const ck_module *module, size_t i)
{
    return i < module->n_globals ? &module->globals[i] : NULL;
}

/* --- Overlaps ----------------------------------------------------------------------------------
 */

static bool
shares_memory(const ck_arg *arg, uint64_t begin, uint64_t bytes)
{
    struct ck_extent extent;
    if (arg->scalar || ck_array_is_empty(arg->value.array) ||
        !ck_args_find_extent(&extent, arg->value.array))
        return false;
    return extent.begin < begin + bytes && begin < extent.end;
}

int
ck_globals_find_overlap(const struct ck_module *module, const struct ck_device *device,
                        const ck_arg *args, size_t n_args, const ck_global_desc **global)
{
    const struct ck_global_set *set = module->n_globals ? find_set(module, device) : NULL;
    for (size_t i = 0; set && i < module->n_globals; i++) {
        const ck_global_desc *desc = &module->globals[i];
        for (size_t k = 0; set->addresses[i] && k < n_args; k++) {
            if (!shares_memory(&args[k], set->addresses[i], ck_global_bytes(desc)))
                continue;
            *global = desc;
            return (int)k;
        }
    }
    return -1;
}
