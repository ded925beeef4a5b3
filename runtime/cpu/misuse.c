/* Barriers and collectives that a thread uses wrongly: see report.h. */
#include <stdlib.h>

#include "runtime/cpu/report.h"

static void
add_place(struct ck_finding *finding, const struct ck_image *image, uint32_t site, const char *what)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_puts(&text, what);
    ck_finding_add_place(finding, &image->manifest, image->barriers[site - 1].place,
                         *what ? ck_strbuf_take(&text) : NULL);
    ck_strbuf_free(&text);
}

void
ck_cpu_report_fault(struct ck_cpu_launch *launch, const struct ck_cpu_fault *fault,
                    const char *format, ...)
{
    struct ck_finding finding = {.kind = CK_FINDING_BARRIER_MISUSE};
    struct ck_strbuf message, help;
    va_list args;
    ck_strbuf_init(&message);
    va_start(args, format);
    ck_strbuf_vprintf(&message, format, args);
    va_end(args);
    ck_strbuf_puts(&message, ", in ");
    ck_cpu_write_thread(&message, launch, fault->resident, fault->rank);
    finding.message = ck_strbuf_take(&message);
    ck_strbuf_init(&help);
    ck_strbuf_puts(&help, fault->help);
    finding.help = ck_strbuf_take(&help);
    add_place(&finding, launch->image, fault->site, "");
    if (fault->other && fault->other != fault->site)
        add_place(&finding, launch->image, fault->other, fault->at_other);
    ck_cpu_record_finding(launch, CK_ERROR_BARRIER, finding);
}

static const char *const helps[] = {
    [CK_CPU_BARRIER_BEFORE_WAIT] = "wait for the arrival first: `barrier_wait` with its token",
    [CK_CPU_OLD_TOKEN] = "wait with the token that the latest `barrier_arrive` returned",
    [CK_CPU_USED_TOKEN] = "wait once for each arrival",
    [CK_CPU_NEVER_WAITED] = "call `barrier_wait` on every path from the arrival",
};

void
ck_cpu_report_misuse(struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident,
                     uint32_t rank, enum ck_cpu_misuse what, uint32_t site, uint32_t arrived)
{
    const struct ck_cpu_fault fault = {
        .resident = resident,
        .rank = rank,
        .site = site ? site : arrived,
        .other = arrived,
        .at_other = what == CK_CPU_OLD_TOKEN ? "the latest arrival" : "arrived here",
        .help = helps[what],
    };
    const char *at = launch->image->barriers[fault.site - 1].what;
    switch (what) {
    case CK_CPU_BARRIER_BEFORE_WAIT:
        ck_cpu_report_fault(launch, &fault, "`%s` comes after an arrival that was not waited for",
                            at);
        break;
    case CK_CPU_OLD_TOKEN:
        ck_cpu_report_fault(launch, &fault,
                            "`%s` waits with a token that is not of the latest arrival", at);
        break;
    case CK_CPU_USED_TOKEN:
        ck_cpu_report_fault(launch, &fault, "`%s` waits with a token that was already waited on",
                            at);
        break;
    case CK_CPU_NEVER_WAITED:
        ck_cpu_report_fault(launch, &fault, "a thread ends without waiting for `%s`", at);
        break;
    }
}

void
ck_cpu_barrier_misuse(struct ck_cpu_block *block, uint32_t what, uint32_t site, uint32_t arrived)
{
    /* A block begins its region. */
    ck_cpu_report_misuse(block->launch, (const struct ck_cpu_resident *)block, block->rank,
                         (enum ck_cpu_misuse)what, site, arrived);
}
