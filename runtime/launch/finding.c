/* Lists of findings: see finding.h. */
#include "runtime/launch/finding.h"

#include <stdlib.h>

static void
release(struct ck_finding *finding)
{
    for (int i = 0; i < finding->n_places; i++)
        free(finding->places[i].text);
    free(finding->message);
    free(finding->help);
}

static bool
grow(struct ck_findings *findings)
{
    size_t capacity = findings->capacity ? 2 * findings->capacity : 8;
    struct ck_finding *items = realloc(findings->items, capacity * sizeof *items);
    if (!items)
        return false;
    findings->items = items;
    findings->capacity = capacity;
    return true;
}

bool
ck_findings_add(struct ck_findings *findings, struct ck_finding finding)
{
    if (!finding.message || (findings->n == findings->capacity && !grow(findings))) {
        release(&finding);
        return false;
    }
    findings->items[findings->n++] = finding;
    return true;
}

void
ck_findings_clear(struct ck_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        release(&findings->items[i]);
    free(findings->items);
    *findings = (struct ck_findings){0};
}
