/* What a kernel needs of a multiprocessor, and how full it can be. See usage.h. */
#include "usage.h"

#include "base/limits.h"
#include "base/occupancy.h"
#include "json.h"

static const int sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* --- Resources ---------------------------------------------------------------------------------
 */

static void
put_bytes(FILE *out, int bytes, const char *what)
{
    if (bytes >= 0)
        fprintf(out, ", %d bytes %s", bytes, what);
}

void
tool_put_usage(FILE *out, const struct tool_usage *u)
{
    if (u->registers >= 0)
        fprintf(out, "%d registers", u->registers);
    else
        fprintf(out, "registers unknown");
    if (u->spill_stores >= 0 && u->spill_stores + u->spill_loads == 0)
        fprintf(out, ", no spills");
    else if (u->spill_stores >= 0)
        fprintf(out, ", spills %d bytes stored and %d loaded", u->spill_stores, u->spill_loads);
    put_bytes(out, u->stack, "stack");
    put_bytes(out, u->local, "local");
    put_bytes(out, u->shared, "shared");
    put_bytes(out, u->constant, "constant");
}

static void
put_member(struct ck_strbuf *out, const char *key, int value)
{
    if (value >= 0)
        tool_json_number(out, key, (unsigned long long)value);
}

void
tool_json_usage(struct ck_strbuf *out, const struct tool_usage *u)
{
    put_member(out, "registers", u->registers);
    put_member(out, "spill_stores", u->spill_stores);
    put_member(out, "spill_loads", u->spill_loads);
    put_member(out, "stack_bytes", u->stack);
    put_member(out, "local_bytes", u->local);
    put_member(out, "shared_bytes", u->shared);
    put_member(out, "constant_bytes", u->constant);
    if (u->max_threads > 0)
        put_member(out, "max_threads", u->max_threads);
}

/* --- Occupancy ---------------------------------------------------------------------------------
 */

struct occupancy {
    int64_t blocks, warps;
    int most_warps;
    double share;
    enum ck_sm_resource limit;
};

/* False if the architecture or the registers are unknown. */
static bool
find_occupancy(struct occupancy *out, const struct tool_usage *u, int capability, int threads,
               unsigned dynamic)
{
    struct ck_sm_limits limits;
    if (u->registers < 0 || !ck_sm_limits_of(&limits, capability))
        return false;
    int64_t shared = (u->shared > 0 ? u->shared : 0) + (int64_t)dynamic;
    out->blocks = ck_sm_blocks(&limits, threads, u->registers, shared, &out->limit);
    out->warps = out->blocks * ((threads + CK_WARP_SIZE - 1) / CK_WARP_SIZE);
    out->most_warps = limits.threads / CK_WARP_SIZE;
    out->share = (double)out->warps / out->most_warps;
    return true;
}

static const char *
limit_text(enum ck_sm_resource limit)
{
    static const char *const texts[CK_N_SM_RESOURCES] = {[CK_SM_THREADS] = "threads",
                                                         [CK_SM_BLOCKS] = "blocks",
                                                         [CK_SM_REGISTERS] = "registers",
                                                         [CK_SM_SHARED] = "shared memory"};
    return texts[limit];
}

void
tool_put_occupancy(FILE *out, const struct tool_usage *u, int capability, int threads,
                   unsigned dynamic)
{
    struct occupancy o;
    if (!find_occupancy(&o, u, capability, threads, dynamic))
        fprintf(out, "occupancy unknown");
    else
        fprintf(out, "%lld block%s and %lld of %d warps a multiprocessor, %.4g %%, limited by %s",
                (long long)o.blocks, o.blocks == 1 ? "" : "s", (long long)o.warps, o.most_warps,
                100 * o.share, limit_text(o.limit));
}

static bool
is_possible(const struct tool_usage *u, int threads)
{
    return u->max_threads <= 0 || threads <= u->max_threads;
}

void
tool_put_occupancies(FILE *out, const struct tool_usage *u, int capability, unsigned dynamic)
{
    struct occupancy o;
    if (!find_occupancy(&o, u, capability, sizes[0], dynamic))
        return;
    fprintf(out, "  %7s  %6s  %8s  %9s  limited by\n", "threads", "blocks", "warps", "occupancy");
    for (int i = 0; i < N_SIZES && is_possible(u, sizes[i]); i++) {
        find_occupancy(&o, u, capability, sizes[i], dynamic);
        fprintf(out, "  %7d  %6lld  %2lld of %2d  %7.1f %%  %s\n", sizes[i], (long long)o.blocks,
                (long long)o.warps, o.most_warps, 100 * o.share, limit_text(o.limit));
    }
}

void
tool_json_occupancy(struct ck_strbuf *out, const struct tool_usage *u, int capability, int threads,
                    unsigned dynamic)
{
    struct occupancy o;
    tool_json_number(out, "threads", (unsigned long long)threads);
    if (!find_occupancy(&o, u, capability, threads, dynamic))
        return;
    tool_json_number(out, "blocks", (unsigned long long)o.blocks);
    tool_json_number(out, "warps", (unsigned long long)o.warps);
    tool_json_key(out, "occupancy");
    ck_strbuf_printf(out, "%.4g", o.share);
    tool_json_member(out, "limit", limit_text(o.limit));
}

void
tool_json_occupancies(struct ck_strbuf *out, const struct tool_usage *u, int capability,
                      unsigned dynamic)
{
    tool_json_key(out, "sizes");
    ck_strbuf_putc(out, '[');
    for (int i = 0; i < N_SIZES && is_possible(u, sizes[i]); i++) {
        tool_json_separate(out);
        ck_strbuf_putc(out, '{');
        tool_json_occupancy(out, u, capability, sizes[i], dynamic);
        ck_strbuf_putc(out, '}');
    }
    ck_strbuf_putc(out, ']');
}
