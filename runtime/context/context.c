/* The context: failure texts, diagnostics, and the names of status codes. */
#include "runtime/context/context.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

/* A failure text that needs no memory; never freed. */
static const char out_of_memory[] = "out of memory";

const char *
ck_version(void)
{
    return TEXT(CK_VERSION_MAJOR) "." TEXT(CK_VERSION_MINOR) "." TEXT(CK_VERSION_PATCH);
}

const char *
ck_status_name(int status)
{
#define STATUS(name)                                                                               \
    case name:                                                                                     \
        return #name
    switch (status) {
        STATUS(CK_OK);
        STATUS(CK_ERROR_PROGRAM);
        STATUS(CK_ERROR_ARGUMENT);
        STATUS(CK_ERROR_MEMORY);
        STATUS(CK_ERROR_IO);
        STATUS(CK_ERROR_FORMAT);
        STATUS(CK_ERROR_NOT_FOUND);
        STATUS(CK_ERROR_NO_DEVICE);
        STATUS(CK_ERROR_UNSUPPORTED);
        STATUS(CK_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
        STATUS(CK_ERROR_BARRIER);
        STATUS(CK_ERROR_ASSERT);
        STATUS(CK_ERROR_DRIVER);
        STATUS(CK_ERROR_INTERNAL);
        STATUS(CK_ERROR_CHECK);
        STATUS(CK_ERROR_INTERRUPTED);
    default:
        return "unknown status";
    }
#undef STATUS
}

/* The default of ck_context_options.cache_bytes. */
static const uint64_t default_cache_bytes = 256 << 20;

bool
ck_options_size_fits(size_t size)
{
    return size >= sizeof size && size % sizeof size == 0;
}

bool
ck_options_read(void *known, size_t known_size, const void *given, size_t given_size)
{
    const char *bytes = given;
    if (!ck_options_size_fits(given_size))
        return false;
    for (size_t i = known_size; i < given_size; i++) {
        if (bytes[i])
            return false;
    }
    memcpy(known, given, given_size < known_size ? given_size : known_size);
    return true;
}

ck_status
ck_context_new(ck_context **out, const ck_context_options *options)
{
    ck_context_options known = {0};
    if (options && !ck_options_read(&known, sizeof known, options, options->size))
        return CK_ERROR_ARGUMENT;
    struct ck_context *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return CK_ERROR_MEMORY;
    ctx->print = known.print;
    ctx->user = known.user;
    if (!ck_cache_init(&ctx->cache, known.cache_directory,
                       known.cache_bytes ? known.cache_bytes : default_cache_bytes)) {
        free(ctx);
        return CK_ERROR_MEMORY;
    }
    ck_arena_init(&ctx->diagnostics_arena);
    *out = ctx;
    return CK_OK;
}

static void
set_error(ck_context *ctx, char *text)
{
    if (ctx->error != out_of_memory)
        free(ctx->error);
    ctx->error = text;
}

void
ck_context_free(ck_context *ctx)
{
    if (!ctx)
        return;
    set_error(ctx, NULL);
    ck_cache_release(&ctx->cache);
    ck_arena_free(&ctx->diagnostics_arena);
    free(ctx);
}

const char *
ck_context_error(const ck_context *ctx)
{
    return ctx && ctx->error ? ctx->error : "";
}

void
ck_context_get_cache_counts(ck_cache_counts *out, const ck_context *ctx)
{
    *out = ctx->cache.counts;
}

size_t
ck_context_n_diagnostics(const ck_context *ctx)
{
    return ctx ? ctx->n_diagnostics : 0;
}

const ck_diagnostic *
ck_context_diagnostic(const ck_context *ctx, size_t i)
{
    return ctx && i < ctx->n_diagnostics ? &ctx->diagnostics[i] : NULL;
}

ck_status
ck_fail(ck_context *ctx, ck_status status, const char *format, ...)
{
    struct ck_strbuf text, shown;
    va_list args;
    ck_strbuf_init(&text);
    ck_strbuf_init(&shown);
    va_start(args, format);
    ck_strbuf_vprintf(&text, format, args);
    va_end(args);
    ck_strbuf_put_shown(&shown, ck_strbuf_text(&text), true);
    shown.failed |= text.failed;
    ck_strbuf_free(&text);
    /* The old text may be among the arguments, so it is freed after this. */
    char *error = ck_strbuf_take(&shown);
    set_error(ctx, error ? error : (char *)out_of_memory);
    return status;
}

ck_status
ck_fail_memory(ck_context *ctx)
{
    set_error(ctx, (char *)out_of_memory);
    return CK_ERROR_MEMORY;
}
