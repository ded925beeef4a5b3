/* Findings: what the checks of a launch found. A device adds them while a kernel runs; the module's
 * compiler, which has the source, makes diagnostics of them. */
#ifndef CK_FINDING_H
#define CK_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/image/image.h"

enum ck_finding_kind {
    CK_FINDING_OUT_OF_BOUNDS,
    CK_FINDING_DATA_RACE,
    CK_FINDING_UNINITIALIZED_READ,
    CK_FINDING_UNWAITED_COPY,
    CK_FINDING_INTEGER_OVERFLOW,
    CK_FINDING_LOSSY_CAST,
    CK_FINDING_BARRIER_NEVER_PASSED,
    CK_FINDING_BARRIER_MISUSE,
    CK_FINDING_FAILED_ASSERTION
};

/* A place in the source, as a span of the module's text. */
struct ck_finding_place {
    uint32_t begin, end;
    char *text; /* what happened there; owned; NULL: of an inlined call, or the finding's place */
};

enum { CK_FINDING_PLACES = 15 };

/* The most of a launch: one more than its diagnostics, of which the last one reports that there are
 * others. */
enum { CK_FINDINGS_MOST = 101 };

struct ck_finding {
    enum ck_finding_kind kind;
    struct ck_finding_place places[CK_FINDING_PLACES]; /* the first one is the finding's */
    int n_places;
    ck_thread_index threads[2]; /* of the first place, and the other one */
    int n_threads;
    char *message, *help, *note; /* owned; the last two may be NULL */
};

/* A list, empty if zero. */
struct ck_findings {
    struct ck_finding *items;
    size_t n, capacity;
};

void ck_finding_free(struct ck_finding *finding);
/* Appends a finding, whose texts now belong to the list. False: out of memory; they are freed. */
bool ck_findings_add(struct ck_findings *findings, struct ck_finding finding);
/* Appends to the places that of site `site` of the manifest's accesses, with a text that now
 * belongs to the finding, then the inlined calls around it, the innermost first. Drops those that
 * do not fit. */
void ck_finding_add_place(struct ck_finding *finding, const struct ck_manifest *manifest,
                          uint32_t site, char *text);
/* A finding of an index outside its array, in code with this manifest: bounds_finding.c. */
struct ck_finding ck_bounds_finding(const struct ck_manifest *manifest,
                                    const struct ck_bounds_record *record);
/* Sets the finding's one thread, and a note that names it. */
void ck_finding_set_thread(struct ck_finding *finding, const ck_thread_index *thread);
/* "block (0, 0, 0) thread (1, 0, 0)" */
void ck_write_thread(struct ck_strbuf *out, const ck_thread_index *thread);
void ck_findings_clear(struct ck_findings *findings);

#endif
