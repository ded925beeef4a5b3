/* The check of overflow: see overflow.h. Of each place the first thread of the grid is kept, so
 * that reports do not depend on the order in which threads run. */
#include "runtime/cpu/overflow.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/launch/finding.h"

struct ck_overflow *
ck_overflows_new(const struct ck_cpu_launch *launch)
{
    return calloc(launch->image->manifest.n_accesses + 1, sizeof(struct ck_overflow));
}

/* --- Recording ---------------------------------------------------------------------------------
 */

static enum ck_overflow_op
op_of(uint32_t what)
{
    return (enum ck_overflow_op)(what & CK_OVERFLOW_OPS);
}

static bool
power_fits(int64_t base, int64_t exponent, uint32_t bits)
{
    int64_t result = 1;
    if (exponent <= 0 || base == 0 || base == 1 || base == -1)
        return true;
    for (int64_t i = 0; i < exponent; i++) {
        if (__builtin_mul_overflow(result, base, &result))
            return false;
    }
    const int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
    return result <= most && result >= -most - 1;
}

/* The number of the thread in the grid, from 1: block by block. */
static uint64_t
number_of(const struct ck_cpu_block *block, const ck_thread_index *thread)
{
    const uint32_t *b = thread->block, *n = block->grid_dim;
    const uint32_t *t = thread->thread, *size = block->block_dim;
    const uint64_t index = b[0] + (uint64_t)n[0] * (b[1] + (uint64_t)n[1] * b[2]);
    const uint64_t rank = t[0] + size[0] * (t[1] + size[1] * t[2]);
    return index * block->launch->threads + rank + 1;
}

void
ck_cpu_overflow(struct ck_cpu_block *block, uint32_t site, uint32_t what, int64_t left,
                int64_t right, int64_t result, uint64_t thread)
{
    struct ck_cpu_launch *launch = block->launch;
    struct ck_overflow *overflow = &launch->overflows[site - 1];
    const ck_thread_index at = ck_cpu_thread_at(block, thread);
    const uint64_t number = number_of(block, &at);
    if (op_of(what) == CK_OVERFLOW_POW && power_fits(left, right, what / CK_OVERFLOW_BITS))
        return;
    const uint64_t seen = atomic_load_explicit(&overflow->thread, memory_order_relaxed);
    if (seen && seen <= number)
        return;
    pthread_mutex_lock(&launch->failure.lock);
    if (!overflow->thread || overflow->thread > number) {
        overflow->thread = number;
        overflow->what = what;
        overflow->at = at;
        overflow->left = left;
        overflow->right = right;
        overflow->result = result;
    }
    pthread_mutex_unlock(&launch->failure.lock);
}

/* --- Texts -------------------------------------------------------------------------------------
 */

static const char *const symbols[] = {
    [CK_OVERFLOW_ADD] = "+",       [CK_OVERFLOW_SUB] = "-",  [CK_OVERFLOW_MUL] = "*",
    [CK_OVERFLOW_FLOORDIV] = "//", [CK_OVERFLOW_SHL] = "<<", [CK_OVERFLOW_POW] = "**",
};

static void
write_float(struct ck_strbuf *out, int64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value))
        ck_strbuf_puts(out, "nan");
    else
        ck_strbuf_printf(out, "%.17g", value);
}

static void
write_value(struct ck_strbuf *out, const struct ck_overflow *overflow)
{
    const enum ck_overflow_op op = op_of(overflow->what);
    const int64_t left = overflow->left, right = overflow->right;
    if (op == CK_OVERFLOW_FROM_FLOAT)
        write_float(out, left);
    else if (op == CK_OVERFLOW_FROM_UINT)
        ck_strbuf_printf(out, "%" PRIu64, (uint64_t)left);
    else if (op == CK_OVERFLOW_FROM_INT)
        ck_strbuf_printf(out, "%" PRId64, left);
    else if (op == CK_OVERFLOW_NEG || op == CK_OVERFLOW_ABS)
        ck_strbuf_printf(out, "%s(%" PRId64 ")", op == CK_OVERFLOW_NEG ? "-" : "abs", left);
    else
        ck_strbuf_printf(out, left < 0 ? "(%" PRId64 ") %s " : "%" PRId64 " %s ", left,
                         symbols[op]);
    if (op <= CK_OVERFLOW_POW)
        ck_strbuf_printf(out, right < 0 ? "(%" PRId64 ")" : "%" PRId64, right);
}

static void
write_type(struct ck_strbuf *out, uint32_t what)
{
    ck_strbuf_printf(out, "%sint%u", what & CK_OVERFLOW_UNSIGNED ? "u" : "",
                     what / CK_OVERFLOW_BITS);
}

static bool
is_cast(const struct ck_overflow *overflow)
{
    return op_of(overflow->what) >= CK_OVERFLOW_FROM_INT;
}

static char *
message_of(const struct ck_access_site *site, const struct ck_overflow *overflow)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "`%s` %s: ", site->array,
                     is_cast(overflow) ? "is out of range" : "wraps");
    write_value(&text, overflow);
    ck_strbuf_printf(&text, " does not fit in ");
    write_type(&text, overflow->what);
    ck_strbuf_printf(&text,
                     overflow->what & CK_OVERFLOW_UNSIGNED ? ", the result is %" PRIu64
                                                           : ", the result is %" PRId64,
                     overflow->result);
    return ck_strbuf_take(&text);
}

static void
write_cast_help(struct ck_strbuf *out, const struct ck_access_site *site,
                const struct ck_overflow *overflow)
{
    if (op_of(overflow->what) == CK_OVERFLOW_FROM_FLOAT) {
        ck_strbuf_printf(out, "limit the value before the conversion, with `min` and `max`");
        return;
    }
    ck_strbuf_printf(out, "write `");
    write_type(out, overflow->what);
    ck_strbuf_printf(out, "(%s)` if that is meant, or store a wider type", site->array);
}

/* The operation with its first operand converted, if the text begins with that operand. */
static void
write_wider(struct ck_strbuf *out, const struct ck_access_site *site, enum ck_overflow_op op)
{
    const size_t length = strlen(site->index);
    const char *rest = site->array + length, *symbol = op <= CK_OVERFLOW_POW ? symbols[op] : "";
    const bool begins = length && strncmp(site->array, site->index, length) == 0;
    const char *at = begins ? rest + strspn(rest, " ") : "";
    const bool is_operation = *symbol && strncmp(at, symbol, strlen(symbol)) == 0;
    if (!length || (is_operation && at[strspn(at, "+-*/<")] == '='))
        ck_strbuf_printf(out, "give what is updated the type int64");
    else if (op == CK_OVERFLOW_NEG)
        ck_strbuf_printf(out, "compute in int64: `-int64(%s)`", site->index);
    else if (op == CK_OVERFLOW_ABS)
        ck_strbuf_printf(out, "compute in int64: `abs(int64(%s))`", site->index);
    else if (is_operation)
        ck_strbuf_printf(out, "compute in int64: `int64(%s)%s`", site->index, rest);
    else if (begins) /* a step of a power, whose operand has the span of the whole */
        ck_strbuf_printf(out, "compute in int64: convert the base, with `int64(...)`");
    else
        ck_strbuf_printf(out, "compute in int64: convert `%s`, with `int64(...)`", site->index);
}

static char *
help_of(const struct ck_access_site *site, const struct ck_overflow *overflow)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    if (is_cast(overflow))
        write_cast_help(&text, site, overflow);
    else if (overflow->what / CK_OVERFLOW_BITS == 64)
        ck_strbuf_printf(&text, "limit the operands, or compute in float64");
    else
        write_wider(&text, site, op_of(overflow->what));
    return ck_strbuf_take(&text);
}

/* --- Findings ----------------------------------------------------------------------------------
 */

static struct ck_finding
finding_of(const struct ck_manifest *manifest, const struct ck_overflow *overflow, size_t i)
{
    const struct ck_access_site *site = &manifest->accesses[i];
    struct ck_finding finding = {
        .kind = is_cast(overflow) ? CK_FINDING_LOSSY_CAST : CK_FINDING_INTEGER_OVERFLOW,
        .message = message_of(site, overflow),
        .help = help_of(site, overflow),
    };
    ck_finding_set_thread(&finding, &overflow->at);
    ck_finding_add_place(&finding, manifest, (uint32_t)i + 1, NULL);
    return finding;
}

/* Sites that overflowed, each of another place in the source. */
struct reported {
    size_t sites[CK_FINDINGS_MOST];
    int n;
};

/* Adds a site, unless there are enough. Of the sites of one place, which inlined calls make, it
 * keeps the one with the first thread. */
static void
add_site(struct reported *reported, const struct ck_cpu_launch *launch, size_t site)
{
    const struct ck_access_site *sites = launch->image->manifest.accesses;
    for (int i = 0; i < reported->n; i++) {
        const size_t other = reported->sites[i];
        if (sites[other].begin != sites[site].begin || sites[other].end != sites[site].end)
            continue;
        if (launch->overflows[site].thread < launch->overflows[other].thread)
            reported->sites[i] = site;
        return;
    }
    if (reported->n < CK_FINDINGS_MOST)
        reported->sites[reported->n++] = site;
}

bool
ck_overflows_report(struct ck_cpu_launch *launch)
{
    const struct ck_manifest *manifest = &launch->image->manifest;
    struct reported reported = {.n = 0};
    for (size_t i = 0; i < manifest->n_accesses; i++) {
        if (launch->overflows[i].thread)
            add_site(&reported, launch, i);
    }
    for (int i = 0; i < reported.n; i++) {
        const size_t site = reported.sites[i];
        if (!ck_findings_add(launch->findings,
                             finding_of(manifest, &launch->overflows[site], site)))
            ck_cpu_record(launch, CK_ERROR_MEMORY, "out of memory");
    }
    return reported.n > 0;
}
