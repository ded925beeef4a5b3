/* Findings of indices outside their array, on any device. */
#include <inttypes.h>

#include "base/strbuf.h"
#include "runtime/launch/finding.h"

static void
write_message(struct ck_strbuf *out, const struct ck_access_site *site,
              const struct ck_bounds_record *record)
{
    int64_t index = record->index;
    if (record->axis == CK_BOUNDS_MISALIGNED) {
        ck_strbuf_printf(out,
                         "`%s` begins %" PRId64 " byte%s after a multiple of its elements' %" PRId64
                         " bytes",
                         site->array, index, index == 1 ? "" : "s", record->extent);
        return;
    }
    if (site->wraps && index < 0)
        index -= record->extent;
    ck_strbuf_printf(
        out,
        "index %" PRId64 " is out of bounds for axis %u of `%s`, which has %" PRId64 " element%s",
        index, record->axis, site->array, record->extent, record->extent == 1 ? "" : "s");
}

static void
write_help(struct ck_strbuf *out, const struct ck_access_site *site,
           const struct ck_bounds_record *record)
{
    if (record->axis == CK_BOUNDS_MISALIGNED) {
        ck_strbuf_printf(out, "view memory that begins at a multiple of %" PRId64 " bytes",
                         record->extent);
        return;
    }
    if (!*site->index)
        return;
    if (record->index < 0)
        ck_strbuf_printf(out, "guard the access: `if %s >= 0:`", site->index);
    else if (record->axis)
        ck_strbuf_printf(out, "guard the access: `if %s < %s.shape[%u]:`", site->index, site->array,
                         record->axis);
    else
        ck_strbuf_printf(out, "guard the access: `if %s < len(%s):`", site->index, site->array);
}

struct ck_finding
ck_bounds_finding(const struct ck_manifest *manifest, const struct ck_bounds_record *record)
{
    const struct ck_access_site *site = &manifest->accesses[record->site - 1];
    struct ck_finding finding = {.kind = CK_FINDING_OUT_OF_BOUNDS};
    struct ck_strbuf message, help;
    ck_strbuf_init(&message);
    ck_strbuf_init(&help);
    write_message(&message, site, record);
    write_help(&help, site, record);
    finding.message = ck_strbuf_take(&message);
    finding.help = help.length ? ck_strbuf_take(&help) : NULL;
    ck_finding_set_thread(&finding, &record->thread);
    ck_finding_add_place(&finding, manifest, record->site, NULL);
    return finding;
}
