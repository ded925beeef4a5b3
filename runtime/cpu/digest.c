/* Digests of the memory of a launch, which show whether anything has changed. Memory that only an
 * address leads to is not seen. */
#include "runtime/cpu/digest.h"

#include <string.h>

#include "runtime/image/manifest.h"
#include "runtime/launch/args.h"

static uint64_t
digest_bytes(uint64_t key, const char *bytes, size_t size)
{
    uint64_t word;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        key = ck_mix(key, word);
    }
    word = 0;
    memcpy(&word, bytes, size);
    return ck_mix(key, word);
}

uint64_t
ck_cpu_digest_block(const struct ck_cpu_launch *launch, const struct ck_cpu_resident *block,
                    uint64_t key)
{
    const struct ck_cpu_layout *layout = &launch->layout;
    const char *region = (const char *)block;
    key = digest_bytes(key, region + layout->shared_offset,
                       layout->frames_offset - layout->shared_offset);
    return digest_bytes(key, block->frames, layout->frame_stride * launch->threads);
}

/* The bytes from the first element of an array to its last; false: it has none. */
static bool
bytes_of(const ck_param_info *info, const uint64_t *slots, const char **begin, size_t *size)
{
    const int ndim = info->ndim == CK_ZERO_DIM ? 0 : info->ndim;
    const bool is_strided = info->layout == CK_STRIDED;
    int64_t lowest = 0, highest = 0, stride = 1;
    for (int i = 0; i < ndim; i++) {
        const int axis = info->layout == CK_FORTRAN ? i : ndim - 1 - i;
        const int64_t extent = (int64_t)slots[1 + axis];
        if (!extent)
            return false;
        const int64_t last = (extent - 1) * (is_strided ? (int64_t)slots[1 + ndim + axis] : stride);
        *(last < 0 ? &lowest : &highest) += last;
        stride *= extent;
    }
    const size_t element =
        info->record ? info->record->size
                     : ck_dtype_size(info->dtype) * (info->lanes ? (size_t)info->lanes : 1);
    *begin = (const char *)(uintptr_t)slots[0] + lowest * (int64_t)element;
    *size = (size_t)(highest - lowest + 1) * element;
    return true;
}

/* A function of bytes that the kernel can write, and of what came before. */
typedef uint64_t visit_bytes(uint64_t result, const char *begin, size_t size);

/* Visits the array arguments that the kernel can write, and the arrays of the module. */
static uint64_t
visit_arrays(const struct ck_cpu_launch *launch, uint64_t result, visit_bytes *visit)
{
    const uint64_t *slots = launch->params;
    for (int i = 0; i < launch->desc->n_params; i++) {
        const ck_param_info *info = &launch->desc->params[i];
        const char *begin;
        size_t size;
        if (info->ndim && !info->never_written && bytes_of(info, slots, &begin, &size))
            result = visit(result, begin, size);
        slots += ck_args_param_slots(info);
    }
    for (size_t i = 0; i < launch->image->manifest.n_globals; i++) {
        const ck_global_desc *desc = &launch->image->manifest.globals[i].desc;
        const char *const *address = (const char *const *)(uintptr_t)launch->image->variables[i];
        if (launch->image->manifest.globals[i].by_address)
            result = visit(result, *address, (size_t)ck_global_bytes(desc));
    }
    return result;
}

uint64_t
ck_cpu_digest_arrays(const struct ck_cpu_launch *launch, uint64_t key)
{
    return visit_arrays(launch, key, digest_bytes);
}

static uint64_t
add_size(uint64_t sum, const char *begin, size_t size)
{
    return sum + size;
}

uint64_t
ck_cpu_digest_size(const struct ck_cpu_launch *launch)
{
    return visit_arrays(launch, 0, add_size);
}
