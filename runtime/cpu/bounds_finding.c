/* Findings of indices outside their array, and how a thread stops at a finding. */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/cpu/cpu.h"
#include "runtime/launch/finding.h"

static struct ck_cpu_resident *
resident_of(struct ck_cpu_block *block)
{
    return (struct ck_cpu_resident *)((char *)block - offsetof(struct ck_cpu_resident, block));
}

static void
write_message(struct ck_strbuf *out, const struct ck_access_site *site, uint32_t axis,
              int64_t index, int64_t extent)
{
    if (site->wraps && index < 0)
        index -= extent; /* as it was before the extent was added */
    ck_strbuf_printf(out,
                     "index %" PRId64 " is out of bounds for axis %u of `%s`, which has %" PRId64
                     " element%s",
                     index, axis, site->array, extent, extent == 1 ? "" : "s");
}

static void
write_help(struct ck_strbuf *out, const struct ck_access_site *site, uint32_t axis, int64_t index)
{
    if (!*site->index)
        return;
    if (index < 0)
        ck_strbuf_printf(out, "guard the access: `if %s >= 0:`", site->index);
    else if (axis)
        ck_strbuf_printf(out, "guard the access: `if %s < %s.shape[%u]:`", site->index, site->array,
                         axis);
    else
        ck_strbuf_printf(out, "guard the access: `if %s < len(%s):`", site->index, site->array);
}

static char *
thread_text(const struct ck_cpu_block *block, uint64_t thread)
{
    struct ck_strbuf text;
    const uint32_t *b = block->block_idx;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "block (%u, %u, %u) thread (%u, %u, %u)", b[0], b[1], b[2],
                     (unsigned)(thread & 0xffff), (unsigned)(thread >> 16 & 0xffff),
                     (unsigned)(thread >> 32));
    return ck_strbuf_take(&text);
}

/* The finding's own place, then the inlined calls around it, the innermost first. */
static void
add_places(struct ck_finding *finding, const struct ck_image *image, uint32_t site, char *text)
{
    finding->places[finding->n_places].text = text;
    for (; site && finding->n_places < CK_FINDING_PLACES; site = image->accesses[site - 1].caller) {
        struct ck_finding_place *place = &finding->places[finding->n_places++];
        place->begin = image->accesses[site - 1].begin;
        place->end = image->accesses[site - 1].end;
    }
}

static bool
add_finding(struct ck_cpu_block *block, uint32_t site, uint32_t axis, int64_t index, int64_t extent,
            uint64_t thread)
{
    const struct ck_image *image = block->launch->image;
    struct ck_finding finding = {.kind = CK_FINDING_OUT_OF_BOUNDS};
    struct ck_strbuf message, help;
    ck_strbuf_init(&message);
    ck_strbuf_init(&help);
    write_message(&message, &image->accesses[site - 1], axis, index, extent);
    write_help(&help, &image->accesses[site - 1], axis, index);
    finding.message = ck_strbuf_take(&message);
    finding.help = help.length ? ck_strbuf_take(&help) : NULL;
    add_places(&finding, image, site, thread_text(block, thread));
    return ck_findings_add(block->launch->findings, finding);
}

/* Only the first finding is kept: other threads see the memory of a kernel that went wrong. */
void
ck_cpu_out_of_bounds(struct ck_cpu_block *block, uint32_t site, uint32_t axis, int64_t index,
                     int64_t extent, uint64_t thread)
{
    struct ck_cpu_launch *launch = block->launch;
    if (!ck_cpu_record(launch, CK_ERROR_CHECK, "a check found a mistake"))
        longjmp(resident_of(block)->escape, 1);
    if (!add_finding(block, site, axis, index, extent, thread))
        launch->failure.status = CK_ERROR_MEMORY;
    longjmp(resident_of(block)->escape, 1);
}
