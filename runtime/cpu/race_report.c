/* What the checks of memory found, as findings: see race_report.h. */
#include "runtime/cpu/race_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "runtime/launch/args.h"
#include "runtime/launch/finding.h"

enum width { OF_WARP, OF_BLOCK, OF_CLUSTER, OF_GRID };

/* --- Rows --------------------------------------------------------------------------------------
 */

static enum width
width_of(const struct ck_cpu_launch *launch, uint32_t a, uint32_t b)
{
    const uint64_t block_a = (a - 1) / launch->threads, block_b = (b - 1) / launch->threads;
    if (block_a != block_b)
        return launch->cluster_blocks > 1 &&
                       ck_cpu_cluster_of(launch, block_a) == ck_cpu_cluster_of(launch, block_b)
                   ? OF_CLUSTER
                   : OF_GRID;
    return (a - 1) % launch->threads / CK_WARP_SIZE == (b - 1) % launch->threads / CK_WARP_SIZE
               ? OF_WARP
               : OF_BLOCK;
}

static const struct ck_access_site *
site_of(const struct ck_cpu_launch *launch, const struct ck_access_record *record)
{
    return &launch->image->manifest.accesses[record->site - 1];
}

/* Whether two accesses are one in the text. A function's accesses are several sites if it is
 * inlined into several callers. */
static bool
is_same_access(const struct ck_cpu_launch *launch, const struct ck_access_record *a,
               const struct ck_access_record *b)
{
    if (a->site == b->site || !a->site || !b->site)
        return a->site == b->site;
    const struct ck_access_site *at_a = site_of(launch, a), *at_b = site_of(launch, b);
    return at_a->begin == at_b->begin && at_a->end == at_b->end && a->writes == b->writes &&
           a->atomic == b->atomic && a->copies == b->copies;
}

static bool
is_pair(const struct ck_cpu_launch *launch, const struct ck_race_row *a,
        const struct ck_race_row *b)
{
    const bool same = is_same_access(launch, &a->first, &b->first) &&
                      is_same_access(launch, &a->second, &b->second);
    const bool crossed = is_same_access(launch, &a->first, &b->second) &&
                         is_same_access(launch, &a->second, &b->first);
    return a->kind == b->kind && (same || crossed);
}

/* The threads of the widest race between two places are the ones to show: the barrier that orders
 * them orders the others. */
static void
add(struct ck_race_table *table, const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    for (size_t i = 0; i < table->n; i++) {
        if (!is_pair(launch, &table->rows[i], row))
            continue;
        if (row->width > table->rows[i].width)
            table->rows[i] = *row;
        return;
    }
    if (table->n < CK_FINDINGS_MOST)
        table->rows[table->n++] = *row;
}

void
ck_race_table_add(struct ck_race_table *table, const struct ck_cpu_launch *launch,
                  enum ck_finding_kind kind, const struct ck_access_record *first,
                  const struct ck_access_record *second, uintptr_t address, const char *base)
{
    const struct ck_race_row row = {
        *first, *second, address, base, kind, width_of(launch, first->thread, second->thread)};
    add(table, launch, &row);
}

void
ck_race_table_add_one(struct ck_race_table *table, const struct ck_cpu_launch *launch,
                      enum ck_finding_kind kind, const struct ck_access_record *access,
                      uintptr_t address, const char *base)
{
    const struct ck_race_row row = {{0}, *access, address, base, kind, OF_WARP};
    add(table, launch, &row);
}

/* --- The element -------------------------------------------------------------------------------
 */

/* A parameter's array and its slots. */
struct param {
    const ck_param_info *info;
    const uint64_t *slots;
};

/* The array parameter whose first element is at `base`. */
static bool
find_param(const struct ck_cpu_launch *launch, const char *base, struct param *out)
{
    const uint64_t *slots = launch->params;
    for (int i = 0; i < launch->desc->n_params; i++) {
        const ck_param_info *info = &launch->desc->params[i];
        if (info->ndim && slots[0] == (uint64_t)(uintptr_t)base) {
            *out = (struct param){info, slots};
            return true;
        }
        slots += ck_args_param_slots(info);
    }
    return false;
}

/* The strides of a parameter's array, in elements. */
static void
strides_of(const struct param *param, int64_t *out)
{
    const int ndim = param->info->ndim;
    int64_t stride = 1;
    for (int i = 0; i < ndim; i++) {
        const int axis = param->info->layout == CK_FORTRAN ? i : ndim - 1 - i;
        out[axis] = stride;
        stride *= (int64_t)param->slots[1 + axis];
    }
    for (int axis = 0; param->info->layout == CK_STRIDED && axis < ndim; axis++)
        out[axis] = (int64_t)param->slots[1 + ndim + axis];
}

/* Writes the indices of the element at an offset, if strides are positive: from the axis with the
 * greatest. */
static void
write_indices(struct ck_strbuf *out, const struct param *param, int64_t offset)
{
    int64_t strides[CK_MAX_DIMS], index[CK_MAX_DIMS] = {0};
    const int ndim = param->info->ndim;
    bool done[CK_MAX_DIMS] = {false};
    strides_of(param, strides);
    for (int i = 0; i < ndim; i++) {
        int next = -1;
        for (int axis = 0; axis < ndim; axis++) {
            if (!done[axis] && (next < 0 || strides[axis] > strides[next]))
                next = axis;
        }
        done[next] = true;
        if (strides[next] > 0) {
            index[next] = offset / strides[next];
            offset %= strides[next];
        }
    }
    for (int axis = 0; axis < ndim; axis++)
        ck_strbuf_printf(out, "%s%" PRId64, axis ? ", " : "", index[axis]);
}

static void
write_element(struct ck_strbuf *out, const struct ck_cpu_launch *launch,
              const struct ck_race_row *row)
{
    const struct ck_access_site *site = site_of(launch, &row->second);
    if (!site->item) { /* of a copy */
        ck_strbuf_printf(out, "memory of `%s`", site->array);
        return;
    }
    const int64_t offset = ((const char *)row->address - row->base) / (int64_t)site->item;
    struct param param;
    if (site->ndim == 0) { /* the field of an element is written in full */
        ck_strbuf_printf(out, strpbrk(site->array, "[.") ? "`%s`" : "`%s[()]`", site->array);
    } else if (find_param(launch, row->base, &param) && param.info->ndim == (int)site->ndim) {
        ck_strbuf_printf(out, "`%s[", site->array);
        write_indices(out, &param, offset);
        ck_strbuf_printf(out, "]`");
    } else if (site->ndim == 1) {
        ck_strbuf_printf(out, "`%s[%" PRId64 "]`", site->array, offset);
    } else {
        ck_strbuf_printf(out, "element %" PRId64 " of `%s`", offset, site->array);
    }
}

/* --- Texts -------------------------------------------------------------------------------------
 */

static ck_thread_index
thread_of(const struct ck_cpu_launch *launch, uint32_t number)
{
    return ck_cpu_thread_by_rank(launch, (number - 1) / launch->threads,
                                 (number - 1) % launch->threads);
}

static void
write_thread(struct ck_strbuf *out, const struct ck_cpu_launch *launch, uint32_t number)
{
    const ck_thread_index thread = thread_of(launch, number);
    ck_write_thread(out, &thread);
}

static const char *
verb(const struct ck_access_record *record, bool past)
{
    if (record->copies)
        return past ? "copied" : "copies";
    if (record->atomic)
        return past ? "atomically accessed" : "atomically accesses";
    return record->writes ? past ? "wrote" : "writes" : past ? "read" : "reads";
}

/* The barrier, as the kernel writes one of the kind, or as it could. */
static const char *
barrier_of(const struct ck_cpu_launch *launch, int width)
{
    static const struct {
        enum ck_barrier_kind kind;
        const char *usual;
    } barriers[] = {
        [OF_WARP] = {CK_BARRIER_WARP, "syncwarp()"},
        [OF_BLOCK] = {CK_BARRIER_BLOCK, "syncthreads()"},
        [OF_CLUSTER] = {CK_BARRIER_CLUSTER, "c.sync()` of `c = this_cluster()"},
        [OF_GRID] = {CK_BARRIER_GRID, "g.sync()` of `g = this_grid()"},
    };
    for (size_t i = 0; i < launch->image->n_barriers; i++) {
        const struct ck_barrier_site *site = &launch->image->barriers[i];
        const bool is_plain = site->op == CK_COLLECTIVE_NONE || site->op == CK_COLLECTIVE_SYNC;
        if (site->kind == barriers[width].kind && is_plain && strstr(site->what, "sync"))
            return site->what;
    }
    return barriers[width].usual;
}

/* Whether the accesses are the read and the write of one `x[i] += v`. */
static bool
is_update(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    const struct ck_access_site *first = site_of(launch, &row->first);
    const struct ck_access_site *second = site_of(launch, &row->second);
    return row->first.writes != row->second.writes && first->begin == second->begin &&
           first->end == second->end;
}

enum { CALLS_MOST = 130 }; /* deeper than the language's calls */

/* An access and the calls around it, the innermost first. Returns how many. */
static int
calls_of(const struct ck_cpu_launch *launch, const struct ck_access_site *site,
         const struct ck_access_site *calls[CALLS_MOST])
{
    int n = 0;
    calls[n++] = site;
    for (; site->caller && n < CALLS_MOST; calls[n++] = site)
        site = &launch->image->manifest.accesses[site->caller - 1];
    return n;
}

/* The lines of one function that two accesses, or calls to them, are in; in a loop in the order in
 * which they ran, elsewhere in that of the text. */
struct lines {
    uint32_t first, second;
    bool in_loop;
};

static struct lines
lines_of(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    const struct ck_access_site *firsts[CALLS_MOST], *seconds[CALLS_MOST];
    int i = calls_of(launch, site_of(launch, &row->first), firsts) - 1;
    int k = calls_of(launch, site_of(launch, &row->second), seconds) - 1;
    while (i > 0 && k > 0 && firsts[i]->begin == seconds[k]->begin) {
        i--;
        k--;
    }
    struct lines lines = {firsts[i]->line, seconds[k]->line,
                          firsts[0]->in_loop && seconds[0]->in_loop};
    if (!lines.in_loop && lines.second < lines.first)
        lines = (struct lines){lines.second, lines.first, false};
    return lines;
}

static void
write_between(struct ck_strbuf *out, const struct lines *lines)
{
    ck_strbuf_printf(out, " between line %u and line %u", lines->first, lines->second);
    if (lines->in_loop && lines->second <= lines->first)
        ck_strbuf_printf(out, " of the next iteration");
}

static char *
race_help(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    const struct lines lines = lines_of(launch, row);
    const bool orders_writes = row->first.writes && row->second.writes;
    const bool is_one_statement = lines.first == lines.second && !lines.in_loop;
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    if (is_update(launch, row)) {
        ck_strbuf_printf(&text, "make the update one operation: `atomic.add` and the like");
        return ck_strbuf_take(&text);
    }
    if (row->first.atomic || row->second.atomic)
        ck_strbuf_printf(&text, "make both operations atomic, or order them: ");
    else if (orders_writes)
        ck_strbuf_printf(&text, "let one thread write it%s an atomic operation%s",
                         is_one_statement ? ", or use" : ", use",
                         is_one_statement ? "" : ", or order the two: ");
    if (orders_writes && is_one_statement)
        return ck_strbuf_take(&text);
    ck_strbuf_printf(&text, "`%s`", barrier_of(launch, row->width));
    if (is_one_statement) {
        ck_strbuf_printf(&text, " between the two, as statements of their own");
        return ck_strbuf_take(&text);
    }
    write_between(&text, &lines);
    if (row->width >= OF_CLUSTER && lines.second != lines.first)
        ck_strbuf_printf(&text, ", or `threadfence()` and an atomic operation on either side");
    return ck_strbuf_take(&text);
}

static char *
race_message(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "data race on ");
    write_element(&text, launch, row);
    ck_strbuf_printf(&text, ": ");
    write_thread(&text, launch, row->second.thread);
    ck_strbuf_printf(&text, " %s it, ", verb(&row->second, false));
    write_thread(&text, launch, row->first.thread);
    ck_strbuf_printf(&text, " %s it, and nothing orders the two", verb(&row->first, true));
    return ck_strbuf_take(&text);
}

/* The access of the two that is the copy's, and the other one. */
static const struct ck_access_record *
copy_of(const struct ck_race_row *row, const struct ck_access_record **other)
{
    const bool is_first = row->first.copies;
    *other = is_first ? &row->second : &row->first;
    return is_first ? &row->first : &row->second;
}

static char *
unwaited_message(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    const struct ck_access_record *other, *copy = copy_of(row, &other);
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    write_thread(&text, launch, other->thread);
    ck_strbuf_printf(&text, " %s ", verb(other, false));
    write_element(&text, launch, row);
    ck_strbuf_printf(&text, " before the end of an asynchronous copy %s it, by ",
                     copy->writes ? "to" : "from");
    write_thread(&text, launch, copy->thread);
    return ck_strbuf_take(&text);
}

static char *
unwaited_help(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    const struct lines lines = lines_of(launch, row);
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "wait for the copy, with `wait` of the group that copies,");
    write_between(&text, &lines);
    return ck_strbuf_take(&text);
}

/* Of one access. */
static char *
access_message(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    const uint32_t item = site_of(launch, &row->second)->item;
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    write_element(&text, launch, row);
    if (row->kind == CK_FINDING_UNINITIALIZED_READ)
        ck_strbuf_printf(&text, " is read before anything wrote it: by ");
    else
        ck_strbuf_printf(&text, " is not at a multiple of its %u bytes: accessed by ", item);
    write_thread(&text, launch, row->second.thread);
    return ck_strbuf_take(&text);
}

static void
add_first_place(struct ck_finding *finding, const struct ck_cpu_launch *launch,
                const struct ck_race_row *row)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "%s here", verb(&row->first, true));
    ck_finding_add_place(finding, &launch->image->manifest, row->first.site, ck_strbuf_take(&text));
}

static struct ck_finding
finding_of(const struct ck_cpu_launch *launch, const struct ck_race_row *row)
{
    struct ck_finding finding = {.kind = row->kind};
    ck_finding_add_place(&finding, &launch->image->manifest, row->second.site, NULL);
    switch (row->kind) {
    case CK_FINDING_DATA_RACE:
        finding.message = race_message(launch, row);
        finding.help = race_help(launch, row);
        break;
    case CK_FINDING_UNWAITED_COPY:
        finding.message = unwaited_message(launch, row);
        finding.help = unwaited_help(launch, row);
        break;
    default:
        finding.message = access_message(launch, row);
    }
    finding.threads[finding.n_threads++] = thread_of(launch, row->second.thread);
    if (row->first.site)
        finding.threads[finding.n_threads++] = thread_of(launch, row->first.thread);
    if (row->first.site && row->first.site != row->second.site)
        add_first_place(&finding, launch, row);
    return finding;
}

bool
ck_race_table_report(const struct ck_race_table *table, struct ck_cpu_launch *launch)
{
    for (size_t i = 0; i < table->n; i++) {
        if (!ck_findings_add(launch->findings, finding_of(launch, &table->rows[i])))
            ck_cpu_record(launch, CK_ERROR_MEMORY, "out of memory");
    }
    return table->n > 0;
}
