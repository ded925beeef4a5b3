/* What the checks of memory found, one row for each pair of places, and its texts. */
#ifndef CK_RACE_REPORT_H
#define CK_RACE_REPORT_H

#include "runtime/cpu/cpu.h"
#include "runtime/cpu/shadow.h"
#include "runtime/launch/finding.h"

struct ck_race_row {
    struct ck_access_record first, second; /* in the order in which they ran; of memory that was not
                                              written only `second` */
    uintptr_t address;
    const char *base; /* of the array of `second` */
    enum ck_finding_kind kind;
    int width; /* of the narrowest group that has both threads; the widest of all races here */
};

struct ck_race_table {
    struct ck_race_row rows[CK_FINDINGS_MOST];
    size_t n;
};

/* Two accesses at the address, by different threads: DATA_RACE or UNWAITED_COPY. */
void ck_race_table_add(struct ck_race_table *table, const struct ck_cpu_launch *launch,
                       enum ck_finding_kind kind, const struct ck_access_record *first,
                       const struct ck_access_record *second, uintptr_t address, const char *base);
/* One access: UNINITIALIZED_READ, or OUT_OF_BOUNDS at an address that is no multiple of the
 * element's size. */
void ck_race_table_add_one(struct ck_race_table *table, const struct ck_cpu_launch *launch,
                           enum ck_finding_kind kind, const struct ck_access_record *access,
                           uintptr_t address, const char *base);
/* Makes findings of the rows. Returns whether there are any. */
bool ck_race_table_report(const struct ck_race_table *table, struct ck_cpu_launch *launch);

#endif
