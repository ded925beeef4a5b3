/* Lists of findings: see finding.h. */
#include "runtime/launch/finding.h"

#include <stdlib.h>

void
ck_finding_free(struct ck_finding *finding)
{
    for (int i = 0; i < finding->n_places; i++)
        free(finding->places[i].text);
    free(finding->message);
    free(finding->help);
    free(finding->note);
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
        ck_finding_free(&finding);
        return false;
    }
    findings->items[findings->n++] = finding;
    return true;
}

/* Of a call around two places of the finding. */
static bool
has_call(const struct ck_finding *finding, const struct ck_access_site *call)
{
    for (int i = 1; i < finding->n_places; i++) {
        const struct ck_finding_place *place = &finding->places[i];
        if (!place->text && place->begin == call->begin && place->end == call->end)
            return true;
    }
    return false;
}

void
ck_finding_add_place(struct ck_finding *finding, const struct ck_manifest *manifest, uint32_t site,
                     char *text)
{
    if (!site || finding->n_places == CK_FINDING_PLACES) {
        free(text);
        return;
    }
    const struct ck_access_site *at = &manifest->accesses[site - 1];
    finding->places[finding->n_places++] = (struct ck_finding_place){at->begin, at->end, text};
    while (at->caller && finding->n_places < CK_FINDING_PLACES) {
        at = &manifest->accesses[at->caller - 1];
        if (!has_call(finding, at))
            finding->places[finding->n_places++] =
                (struct ck_finding_place){at->begin, at->end, NULL};
    }
}

void
ck_write_thread(struct ck_strbuf *out, const ck_thread_index *thread)
{
    const uint32_t *b = thread->block, *t = thread->thread;
    ck_strbuf_printf(out, "block (%u, %u, %u) thread (%u, %u, %u)", b[0], b[1], b[2], t[0], t[1],
                     t[2]);
}

void
ck_finding_set_thread(struct ck_finding *finding, const ck_thread_index *thread)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_puts(&text, "in ");
    ck_write_thread(&text, thread);
    finding->note = ck_strbuf_take(&text);
    finding->threads[0] = *thread;
    finding->n_threads = 1;
}

void
ck_findings_clear(struct ck_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        ck_finding_free(&findings->items[i]);
    free(findings->items);
    *findings = (struct ck_findings){0};
}
