/* Records of failures that are findings: barriers that never complete or are used wrongly. */
#ifndef CK_CPU_REPORT_H
#define CK_CPU_REPORT_H

#include "runtime/cpu/cpu.h"
#include "runtime/launch/finding.h"

/* Records the first failure, with a finding whose texts now belong to the launch, and stops the
 * launch. */
void ck_cpu_record_finding(struct ck_cpu_launch *launch, ck_status status,
                           struct ck_finding finding);
/* "block (0, 0, 0) thread (1, 0, 0)" */
void ck_cpu_write_thread(struct ck_strbuf *out, const struct ck_cpu_launch *launch,
                         const struct ck_cpu_resident *resident, uint32_t rank);

/* A deadlock of the threads of these residents. */
void ck_cpu_report_stuck(struct ck_cpu_launch *launch, struct ck_cpu_resident *const *residents,
                         uint64_t n, bool whole_grid);
/* A livelock: some threads spin, and none changes the memory that they read. */
void ck_cpu_report_spinning(struct ck_cpu_launch *launch, struct ck_cpu_resident *const *residents,
                            uint64_t n);

/* A barrier or collective that the thread uses wrongly, at site `site`: misuse.c. */
struct ck_cpu_fault {
    const struct ck_cpu_resident *resident;
    uint32_t rank;
    uint32_t site, other; /* `other`: a second site; 0: none */
    const char *at_other; /* what happened there */
    const char *help;
};
/* Records it; the message is the text, then the thread. */
void ck_cpu_report_fault(struct ck_cpu_launch *launch, const struct ck_cpu_fault *fault,
                         const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A misuse of a split-phase barrier at site `site`, after an arrival at site `arrived` (0: none).
 */
void ck_cpu_report_misuse(struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident,
                          uint32_t rank, enum ck_cpu_misuse what, uint32_t site, uint32_t arrived);

#endif
