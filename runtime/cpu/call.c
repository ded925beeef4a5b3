/* What compiled host code calls: printing, failed assertions, and indices outside their array. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cpu/report.h"

/* As CUDA's vprintf prints `%f`, so that both devices print alike: a NaN has no sign there. */
static void
write_float(struct ck_strbuf *out, double value)
{
    if (isnan(value))
        ck_strbuf_puts(out, "nan");
    else
        ck_strbuf_printf(out, "%f", value);
}

/* As "(%f%+fj)". */
static void
write_complex(struct ck_strbuf *out, const struct ck_cpu_print_item *item)
{
    double imaginary;
    memcpy(&imaginary, &item->length, sizeof imaginary);
    ck_strbuf_putc(out, '(');
    write_float(out, item->value.f);
    if (isnan(imaginary) || !signbit(imaginary))
        ck_strbuf_putc(out, '+');
    write_float(out, imaginary);
    ck_strbuf_puts(out, "j)");
}

/* The conversion was checked against the value's type when it was compiled. */
static void
write_converted(struct ck_strbuf *out, const struct ck_cpu_print_item *item)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (item->kind == CK_PRINT_FLOAT)
        ck_strbuf_printf(out, item->conversion, isnan(item->value.f) ? (double)NAN : item->value.f);
    else
        ck_strbuf_printf(out, item->conversion, (long long)item->value.i);
#pragma GCC diagnostic pop
}

static void
write_item(struct ck_strbuf *out, const struct ck_cpu_print_item *item)
{
    if (item->conversion) {
        write_converted(out, item);
        return;
    }
    switch ((enum ck_print_kind)item->kind) {
    case CK_PRINT_CHARS:
        ck_strbuf_puts(out, item->value.text);
        break;
    case CK_PRINT_TEXT:
        ck_strbuf_add(out, item->value.text, item->length);
        break;
    case CK_PRINT_BOOL:
        ck_strbuf_puts(out, item->value.i ? "True" : "False");
        break;
    case CK_PRINT_INT:
        ck_strbuf_printf(out, "%" PRId64, item->value.i);
        break;
    case CK_PRINT_UINT:
        ck_strbuf_printf(out, "%" PRIu64, item->value.u);
        break;
    case CK_PRINT_FLOAT:
        write_float(out, item->value.f);
        break;
    case CK_PRINT_COMPLEX:
        write_complex(out, item);
        break;
    }
}

/* A whole text at once, under the lock. */
static bool
deliver(struct ck_cpu_launch *launch, const struct ck_strbuf *line)
{
    bool delivered = true;
    pthread_mutex_lock(&launch->failure.lock);
    if (launch->ctx->print)
        launch->ctx->print(launch->ctx->user, line->text, line->length);
    else
        delivered = fwrite(line->text, 1, line->length, stdout) == line->length;
    pthread_mutex_unlock(&launch->failure.lock);
    return delivered;
}

void
ck_cpu_print(struct ck_cpu_block *block, const struct ck_cpu_print_item *items, uint32_t n)
{
    struct ck_strbuf line;
    ck_strbuf_init(&line);
    for (uint32_t i = 0; i < n; i++)
        write_item(&line, &items[i]);
    if (line.failed)
        ck_cpu_record(block->launch, CK_ERROR_MEMORY, "out of memory");
    else if (!deliver(block->launch, &line))
        ck_cpu_record(block->launch, CK_ERROR_IO,
                      "cannot write what the kernel prints to the standard output");
    ck_strbuf_free(&line);
}

/* " with i = 12, n = 10" */
static void
write_values(struct ck_strbuf *out, const struct ck_cpu_print_item *items, uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        ck_strbuf_puts(out, i ? ", " : " with ");
        write_item(out, &items[i]);
        ck_strbuf_puts(out, " = ");
        write_item(out, &items[i + 1]);
    }
}

void
ck_cpu_assert_fail(struct ck_cpu_block *block, uint32_t place, const char *message, uint64_t thread,
                   const struct ck_cpu_print_item *items, uint32_t n)
{
    struct ck_cpu_launch *launch = block->launch;
    const struct ck_manifest *manifest = &launch->image->manifest;
    const ck_thread_index at = ck_cpu_thread_at(block, thread);
    struct ck_finding finding = {.kind = CK_FINDING_FAILED_ASSERTION};
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_printf(&text, "assertion failed: %s%s`%s`", message, *message ? ": " : "",
                     manifest->accesses[place - 1].array);
    write_values(&text, items, n);
    ck_strbuf_puts(&text, ", in ");
    ck_write_thread(&text, &at);
    finding.message = ck_strbuf_take(&text);
    ck_finding_add_place(&finding, manifest, place, NULL);
    ck_cpu_record_finding(launch, CK_ERROR_ASSERT, finding);
}

void
ck_cpu_leave(struct ck_cpu_block *block)
{
    longjmp(((struct ck_cpu_resident *)block)->escape, 1); /* a block begins its region */
}

void
ck_cpu_leave_interrupted(struct ck_cpu_block *block)
{
    ck_cpu_interrupt(block->launch);
    ck_cpu_leave(block);
}

/* Only the first finding is kept: other threads see the memory of a kernel that went wrong. */
void
ck_cpu_out_of_bounds(struct ck_cpu_block *block, uint32_t site, uint32_t axis, int64_t index,
                     int64_t extent, uint64_t thread)
{
    const struct ck_bounds_record record = {
        .site = site,
        .axis = axis,
        .thread = ck_cpu_thread_at(block, thread),
        .index = index,
        .extent = extent,
    };
    ck_cpu_record_finding(block->launch, CK_ERROR_CHECK,
                          ck_bounds_finding(&block->launch->image->manifest, &record));
    ck_cpu_leave(block);
}
