/* Failures of launches: the first is kept. Barriers that never complete: which threads wait where,
 * and for which others. */
#include "runtime/cpu/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_THREADS = 2, SHOWN_PLACES = 8 };

/* --- Recording ---------------------------------------------------------------------------------
 */

/* Whether this failure is the first: later ones follow from it. The lock is held. */
static bool
is_first(const struct ck_cpu_launch *launch)
{
    return !launch->failure.status;
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
    pthread_mutex_lock(&launch->failure.lock);
    const bool first = is_first(launch);
    if (first) {
        launch->failure.status = text.failed ? CK_ERROR_MEMORY : status;
        launch->failure.text = text;
        ck_strbuf_init(&text);
    }
    pthread_mutex_unlock(&launch->failure.lock);
    atomic_store(&launch->failure.stop, true);
    ck_strbuf_free(&text);
    return first;
}

void
ck_cpu_record_finding(struct ck_cpu_launch *launch, ck_status status, struct ck_finding finding)
{
    pthread_mutex_lock(&launch->failure.lock);
    if (is_first(launch)) {
        launch->failure.status = status;
        ck_strbuf_puts(&launch->failure.text, finding.message ? finding.message : "");
        if (!ck_findings_add(launch->findings, finding))
            launch->failure.status = CK_ERROR_MEMORY;
    } else {
        ck_finding_free(&finding);
    }
    pthread_mutex_unlock(&launch->failure.lock);
    atomic_store(&launch->failure.stop, true);
}

bool
ck_cpu_interrupt(struct ck_cpu_launch *launch)
{
    ck_cpu_record(launch, CK_ERROR_INTERRUPTED, "the launch of `%s` was interrupted",
                  launch->desc->name);
    return true;
}

void
ck_cpu_write_thread(struct ck_strbuf *out, const struct ck_cpu_launch *launch,
                    const struct ck_cpu_resident *resident, uint32_t rank)
{
    const ck_thread_index thread = ck_cpu_thread_by_rank(launch, resident->index, rank);
    ck_write_thread(out, &thread);
}

/* --- The threads of a report --------------------------------------------------------------------
 */

/* The residents that a report is about, and the thread that waits at its barrier. */
struct scene {
    const struct ck_cpu_launch *launch;
    struct ck_cpu_resident *const *residents;
    uint64_t n;
    uint64_t resident; /* the index of the thread's */
    uint32_t rank;
    uint32_t size; /* group_size */
};

/* Where a thread waits, or the `return` at which it ended; 0: it ended at the kernel's end. */
static uint32_t
place_of(const struct scene *scene, uint64_t resident, uint32_t rank)
{
    const uint32_t where = ck_cpu_where(scene->residents[resident], rank);
    return where ? where : scene->residents[resident]->ends[rank];
}

static const struct ck_barrier_site *
site_at(const struct scene *scene, uint32_t place)
{
    return &scene->launch->image->barriers[place - 1];
}

static const struct ck_barrier_site *
first_site(const struct scene *scene)
{
    return site_at(scene, place_of(scene, scene->resident, scene->rank));
}

/* The threads, from a multiple of the number on, among which a group of the barrier is: the warp,
 * or the tile of several warps by its key (codegen/host/block.c). 0: all threads. */
static uint32_t
group_size(const struct scene *scene)
{
    const struct ck_barrier_site *site = first_site(scene);
    if (site->kind == CK_BARRIER_WARP)
        return CK_WARP_SIZE;
    if (site->op != CK_COLLECTIVE_GROUP)
        return 0;
    const uint32_t key =
        ck_cpu_collective_of(scene->launch, scene->residents[scene->resident], scene->rank)->mask;
    uint32_t size = CK_CPU_MAX_TILE;
    for (uint32_t first = 1; 2 * first <= key; first *= 2)
        size /= 2;
    return size;
}

/* Whether the barrier waits for the thread. */
static bool
concerns(const struct scene *scene, uint64_t resident, uint32_t rank)
{
    const uint32_t size = scene->size;
    return !size || (resident == scene->resident && rank / size == scene->rank / size);
}

/* Counts the threads at `place`; writes the first few. */
static uint64_t
list_threads(struct ck_strbuf *out, const struct scene *scene, uint32_t place)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < scene->n; i++) {
        for (uint32_t rank = 0; rank < scene->launch->threads; rank++) {
            if (place_of(scene, i, rank) != place || !concerns(scene, i, rank))
                continue;
            if (count < SHOWN_THREADS) {
                ck_strbuf_puts(out, count ? ", " : "");
                ck_cpu_write_thread(out, scene->launch, scene->residents[i], rank);
            } else if (count == SHOWN_THREADS) {
                ck_strbuf_puts(out, ", ...");
            }
            count++;
        }
    }
    return count;
}

/* "63 threads wait here: block (...) thread (...), ...", of the threads at a place; NULL if there
 * is none. */
static char *
place_text(const struct scene *scene, uint32_t place)
{
    struct ck_strbuf text, threads;
    ck_strbuf_init(&text);
    ck_strbuf_init(&threads);
    const uint64_t n = list_threads(&threads, scene, place);
    const enum ck_barrier_kind kind = place ? site_at(scene, place)->kind : CK_BARRIER_RETURN;
    const char *s = n == 1 ? "s" : "";
    ck_strbuf_printf(&text, "%" PRIu64 " thread%s ", n, n == 1 ? "" : "s");
    if (kind == CK_BARRIER_RETURN)
        ck_strbuf_printf(&text, "ended %s", place ? "here" : "at the end of the kernel");
    else
        ck_strbuf_printf(&text, "%s%s here", kind == CK_BARRIER_SPIN ? "spin" : "wait", s);
    ck_strbuf_printf(&text, ": %s", ck_strbuf_text(&threads));
    ck_strbuf_free(&threads);
    char *taken = ck_strbuf_take(&text);
    if (n)
        return taken;
    free(taken);
    return NULL;
}

/* --- Barriers that never complete ------------------------------------------------------------
 */

/* How wide the group is whose threads the barrier waits for. */
enum extent { OF_WARP, OF_TILE, OF_BLOCK, OF_CLUSTER, OF_GRID };

static enum extent
extent_of(const struct ck_barrier_site *site)
{
    switch (site->kind) {
    case CK_BARRIER_WARP:
        return OF_WARP;
    case CK_BARRIER_GROUP:
        return site->op == CK_COLLECTIVE_GROUP || site->op == CK_COLLECTIVE_PARTITION ? OF_TILE
                                                                                      : OF_BLOCK;
    case CK_BARRIER_CLUSTER:
    case CK_BARRIER_CLUSTER_WAIT:
        return OF_CLUSTER;
    case CK_BARRIER_GRID:
        return OF_GRID;
    default:
        return OF_BLOCK;
    }
}

/* Whether the report is rather about a thread at `site` than about one at `chosen` (NULL: none
 * yet). Spinning threads go first, if the report is about them. Then the narrowest group: barriers
 * of wider ones wait for the threads that are stuck in it. */
static bool
goes_first(const struct ck_barrier_site *site, const struct ck_barrier_site *chosen, bool spins)
{
    if (!chosen)
        return true;
    if (spins)
        return site->kind == CK_BARRIER_SPIN && chosen->kind != CK_BARRIER_SPIN;
    return extent_of(site) < extent_of(chosen);
}

/* Sets the thread that waits at the report's barrier: by rank the first of those that go first. */
static void
choose_first(struct scene *scene, bool spins)
{
    const struct ck_barrier_site *chosen = NULL;
    for (uint64_t i = 0; i < scene->n; i++) {
        for (uint32_t rank = 0; rank < scene->launch->threads; rank++) {
            const uint32_t where = ck_cpu_where(scene->residents[i], rank);
            if (!where || !goes_first(site_at(scene, where), chosen, spins))
                continue;
            chosen = site_at(scene, where);
            scene->resident = i;
            scene->rank = rank;
        }
    }
}

static struct scene
scene_of(const struct ck_cpu_launch *launch, struct ck_cpu_resident *const *residents, uint64_t n,
         bool spins)
{
    struct scene scene = {launch, residents, n, 0, 0, 0};
    choose_first(&scene, spins);
    scene.size = group_size(&scene);
    return scene;
}

/* What the threads of a barrier are of. */
static const char *
group_text(const struct ck_barrier_site *site, bool whole_grid)
{
    if (whole_grid)
        return "of the grid";
    switch (site->kind) {
    case CK_BARRIER_GRID:
        return "of the grid";
    case CK_BARRIER_CLUSTER:
    case CK_BARRIER_CLUSTER_WAIT:
        return "of the cluster";
    case CK_BARRIER_WARP:
        return "in its mask";
    case CK_BARRIER_GROUP:
        return site->op == CK_COLLECTIVE_GROUP       ? "of the tile"
               : site->op == CK_COLLECTIVE_PARTITION ? "of the partition"
                                                     : "of the block";
    default:
        return "of the block";
    }
}

/* Whether some thread of the barrier's group ended, and whether by a `return`; whether one waits
 * elsewhere. */
struct others {
    bool ended, returned, elsewhere;
};

static struct others
find_others(const struct scene *scene)
{
    const uint32_t here = place_of(scene, scene->resident, scene->rank);
    struct others others = {0};
    for (uint64_t i = 0; i < scene->n; i++) {
        for (uint32_t rank = 0; rank < scene->launch->threads; rank++) {
            const uint32_t place = place_of(scene, i, rank);
            const bool ended = !ck_cpu_where(scene->residents[i], rank);
            if (!concerns(scene, i, rank))
                continue;
            others.ended = others.ended || ended;
            others.returned = others.returned || (ended && place);
            others.elsewhere = others.elsewhere || (!ended && place != here);
        }
    }
    return others;
}

static char *
stuck_help(const struct scene *scene, bool whole_grid)
{
    const struct ck_barrier_site *site = first_site(scene);
    const char *group = group_text(site, whole_grid);
    const struct others others = find_others(scene);
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    if (site->kind == CK_BARRIER_WARP && !others.returned && !others.elsewhere)
        ck_strbuf_printf(&text, "pass the same mask in all of its threads, each of which it names");
    else if (site->kind == CK_BARRIER_WARP)
        ck_strbuf_printf(&text,
                         "let every thread of the mask reach it, or name only those that do");
    else if (others.returned)
        ck_strbuf_printf(&text,
                         "let every thread %s reach it: guard the work with `if`, and end the `if` "
                         "before the barrier, instead of the `return`",
                         group);
    else if (others.elsewhere)
        ck_strbuf_printf(&text,
                         "let every thread %s reach the same barriers: move them out of the `if` "
                         "or the loop that only some threads execute",
                         group);
    else
        ck_strbuf_printf(&text,
                         "let every thread %s reach it: move it out of the `if` or the loop that "
                         "only some threads execute",
                         group);
    return ck_strbuf_take(&text);
}

/* Adds where the threads are: those at `first`, then the others in the order of the sites. */
static void
add_places(struct ck_finding *finding, const struct scene *scene)
{
    const struct ck_image *image = scene->launch->image;
    const uint32_t first = place_of(scene, scene->resident, scene->rank);
    ck_finding_add_place(finding, &image->manifest, site_at(scene, first)->place,
                         place_text(scene, first));
    int shown = 1;
    for (uint32_t place = 1; place <= image->n_barriers && shown < SHOWN_PLACES; place++) {
        char *text = place != first ? place_text(scene, place) : NULL;
        if (!text)
            continue;
        ck_finding_add_place(finding, &image->manifest, site_at(scene, place)->place, text);
        shown++;
    }
    finding->note = place_text(scene, 0);
}

static void
report(struct ck_cpu_launch *launch, const struct scene *scene, char *message, char *help)
{
    struct ck_finding finding = {
        .kind = CK_FINDING_BARRIER_NEVER_PASSED, .message = message, .help = help};
    add_places(&finding, scene);
    ck_cpu_record_finding(launch, CK_ERROR_BARRIER, finding);
}

void
ck_cpu_report_stuck(struct ck_cpu_launch *launch, struct ck_cpu_resident *const *residents,
                    uint64_t n, bool whole_grid)
{
    struct scene scene = scene_of(launch, residents, n, false);
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "the barrier `%s` never completes: not every thread %s can reach it",
                     first_site(&scene)->what, group_text(first_site(&scene), whole_grid));
    report(launch, &scene, ck_strbuf_take(&text), stuck_help(&scene, whole_grid));
}

void
ck_cpu_report_spinning(struct ck_cpu_launch *launch, struct ck_cpu_resident *const *residents,
                       uint64_t n)
{
    struct scene scene = scene_of(launch, residents, n, true);
    struct ck_strbuf text, help;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "kernel `%s` never ends: no thread changes what the others wait for",
                     launch->desc->name);
    ck_strbuf_init(&help);
    ck_strbuf_puts(&help, "let a thread that does not wait store the value that ends the loop");
    report(launch, &scene, ck_strbuf_take(&text), ck_strbuf_take(&help));
}
