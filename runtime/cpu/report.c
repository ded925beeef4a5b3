/* Reports of failed launches: which threads wait where, and for which others. */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/cpu/cpu.h"

enum { SHOWN_THREADS = 4, SHOWN_PLACES = 8 };

/* --- Recording ---------------------------------------------------------------------------------
 */

/* Keeps the first failure: later ones follow from it. */
static bool
record_text(struct ck_cpu_launch *launch, ck_status status, struct ck_strbuf *text)
{
    pthread_mutex_lock(&launch->failure.lock);
    const bool is_first = !launch->failure.status;
    if (is_first) {
        launch->failure.status = text->failed ? CK_ERROR_MEMORY : status;
        launch->failure.text = *text;
        ck_strbuf_init(text);
    }
    pthread_mutex_unlock(&launch->failure.lock);
    atomic_store(&launch->failure.stop, true);
    ck_strbuf_free(text);
    return is_first;
}

bool
ck_cpu_record(struct ck_cpu_launch *launch, ck_status status, const char *format, ...)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    va_list args;
    va_start(args, format);
    ck_strbuf_vprintf(&text, format, args);
    va_end(args);
    return record_text(launch, status, &text);
}

void
ck_cpu_record_at(struct ck_cpu_launch *launch, const struct ck_cpu_resident *resident,
                 uint32_t rank, uint32_t site_number, const char *what)
{
    const struct ck_barrier_site *site = &launch->image->barriers[site_number - 1];
    const ck_dim3 b = ck_cpu_block_idx(launch, resident->index);
    const ck_dim3 t = launch->thread_idx[rank];
    ck_cpu_record(launch, CK_ERROR_BARRIER,
                  "%s:%u:%u: `%s`: block (%u, %u, %u) thread (%u, %u, %u) %s",
                  launch->image->manifest.source, site->line, site->column, site->what, b.x, b.y,
                  b.z, t.x, t.y, t.z, what);
}

/* --- Barriers that never complete ------------------------------------------------------------
 */

/* The residents that a report is about. */
struct scene {
    struct ck_cpu_launch *launch;
    struct ck_cpu_resident *const *residents;
    uint64_t n;
};

static void
write_thread(struct ck_strbuf *out, const struct scene *scene, uint64_t resident, uint32_t rank)
{
    const struct ck_cpu_launch *launch = scene->launch;
    const ck_dim3 b = ck_cpu_block_idx(launch, scene->residents[resident]->index);
    const ck_dim3 t = launch->thread_idx[rank];
    ck_strbuf_printf(out, "block (%u, %u, %u) thread (%u, %u, %u)", b.x, b.y, b.z, t.x, t.y, t.z);
}

/* Counts the threads at `place`; writes the first few. */
static uint64_t
list_threads(struct ck_strbuf *out, const struct scene *scene, uint32_t place)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < scene->n; i++) {
        for (uint32_t rank = 0; rank < scene->launch->threads; rank++) {
            if (ck_cpu_where(scene->residents[i], rank) != place)
                continue;
            if (count < SHOWN_THREADS) {
                ck_strbuf_puts(out, count ? ", " : "");
                write_thread(out, scene, i, rank);
            } else if (count == SHOWN_THREADS) {
                ck_strbuf_puts(out, ", ...");
            }
            count++;
        }
    }
    return count;
}

/* "; 16 threads have finished (block ...)". Returns false if no thread is at that place. */
static bool
write_place(struct ck_strbuf *out, const struct scene *scene, uint32_t place)
{
    const struct ck_barrier_site *site = place ? &scene->launch->image->barriers[place - 1] : NULL;
    struct ck_strbuf threads;
    ck_strbuf_init(&threads);
    uint64_t count = list_threads(&threads, scene, place);
    if (count) {
        ck_strbuf_printf(out, "; %" PRIu64 " thread%s ", count, count == 1 ? "" : "s");
        if (site)
            ck_strbuf_printf(out, "%s%s at `%s`, line %u",
                             site->kind == CK_BARRIER_SPIN ? "spin" : "wait", count == 1 ? "s" : "",
                             site->what, site->line);
        else
            ck_strbuf_printf(out, "%s finished", count == 1 ? "has" : "have");
        ck_strbuf_printf(out, " (%s)", ck_strbuf_text(&threads));
    }
    ck_strbuf_free(&threads);
    return count != 0;
}

/* Lists the threads at `first`, then those at the other places in order. */
static void
write_places(struct ck_strbuf *out, const struct scene *scene, uint32_t first)
{
    write_place(out, scene, first);
    const uint32_t n = scene->launch->image->n_barriers;
    int shown = 1;
    for (uint32_t place = 0; place <= n && shown < SHOWN_PLACES; place++) {
        if (place != first)
            shown += write_place(out, scene, place);
    }
}

/* The place of the first barrier at which a thread waits. */
static uint32_t
first_barrier(const struct scene *scene)
{
    for (uint64_t i = 0; i < scene->n; i++) {
        for (uint32_t rank = 0; rank < scene->launch->threads; rank++) {
            uint32_t place = ck_cpu_where(scene->residents[i], rank);
            if (place)
                return place;
        }
    }
    return 0;
}

static void
write_head(struct ck_strbuf *out, const struct scene *scene, uint32_t place, bool whole_grid)
{
    const struct ck_image *image = scene->launch->image;
    const struct ck_barrier_site *site = &image->barriers[place - 1];
    static const char *const groups[] = {
        [CK_BARRIER_BLOCK] = "of the block",     [CK_BARRIER_GRID] = "of the grid",
        [CK_BARRIER_WARP] = "in its mask",       [CK_BARRIER_GROUP] = "of its group",
        [CK_BARRIER_CLUSTER] = "of the cluster", [CK_BARRIER_CLUSTER_WAIT] = "of the cluster",
    };
    ck_strbuf_printf(out, "%s:%u:%u: the barrier `%s` never completes: not every thread %s ",
                     image->manifest.source, site->line, site->column, site->what,
                     groups[whole_grid ? CK_BARRIER_GRID : site->kind]);
    ck_strbuf_puts(out, "can reach it");
}

void
ck_cpu_report_stuck(struct ck_cpu_launch *launch, struct ck_cpu_resident *const *residents,
                    uint64_t n, bool whole_grid)
{
    const struct scene scene = {launch, residents, n};
    const uint32_t first = first_barrier(&scene);
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    write_head(&text, &scene, first, whole_grid);
    write_places(&text, &scene, first);
    record_text(launch, CK_ERROR_BARRIER, &text);
}

/* A place at which some thread spins. */
static uint32_t
first_spin(const struct scene *scene)
{
    for (uint64_t i = 0; i < scene->n; i++) {
        for (uint32_t rank = 0; rank < scene->launch->threads; rank++) {
            if (ck_cpu_is_at(scene->launch, scene->residents[i], rank, CK_BARRIER_SPIN))
                return ck_cpu_where(scene->residents[i], rank);
        }
    }
    return first_barrier(scene);
}

void
ck_cpu_report_spinning(struct ck_cpu_launch *launch, struct ck_cpu_resident *const *residents,
                       uint64_t n)
{
    const struct scene scene = {launch, residents, n};
    const uint32_t first = first_spin(&scene);
    const struct ck_barrier_site *site = &launch->image->barriers[first - 1];
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text,
                     "%s:%u:%u: kernel `%s` never ends: no thread changes what the others wait for",
                     launch->image->manifest.source, site->line, site->column, launch->desc->name);
    write_places(&text, &scene, first);
    record_text(launch, CK_ERROR_BARRIER, &text);
}

/* --- Split barriers ----------------------------------------------------------------------------
 */

static void
write_misuse(struct ck_strbuf *out, const struct ck_image *image, uint32_t what, uint32_t site,
             uint32_t arrived)
{
    const struct ck_barrier_site *at = &image->barriers[(site ? site : arrived) - 1];
    ck_strbuf_printf(out, "%s:%u:%u: ", image->manifest.source, at->line, at->column);
    if (what == CK_CPU_STALE_TOKEN)
        ck_strbuf_printf(out,
                         "`%s` waits with a token that is not of the latest arrival, or a "
                         "second time",
                         at->what);
    else if (what == CK_CPU_BARRIER_BEFORE_WAIT)
        ck_strbuf_printf(out, "`%s` comes after an arrival, line %u, that was not waited for",
                         at->what, image->barriers[arrived - 1].line);
    else
        ck_strbuf_printf(out, "a thread ends after `%s` without waiting", at->what);
}

void
ck_cpu_barrier_misuse(struct ck_cpu_block *block, uint32_t what, uint32_t site, uint32_t arrived)
{
    struct ck_cpu_launch *launch = block->launch;
    const uint32_t *b = block->block_idx;
    const ck_dim3 t = launch->thread_idx[block->rank];
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    write_misuse(&text, launch->image, what, site, arrived);
    ck_strbuf_printf(&text, ": block (%u, %u, %u) thread (%u, %u, %u)", b[0], b[1], b[2], t.x, t.y,
                     t.z);
    record_text(launch, CK_ERROR_BARRIER, &text);
}
