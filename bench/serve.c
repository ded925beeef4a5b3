/* What the benchmark programs share: requests and replies, and opening a kernel. */
#include "serve.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- Requests and replies ----------------------------------------------------------------------
 */

bool
bench_fail(struct bench_reply *reply, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(reply->error, sizeof reply->error, format, args);
    va_end(args);
    for (char *c = reply->error; *c; c++) {
        if (*c == '\n')
            *c = ' ';
    }
    return false;
}

bool
bench_add(struct bench_reply *reply, double value)
{
    if (reply->n == BENCH_MAX_VALUES)
        return bench_fail(reply, "more than %d values", BENCH_MAX_VALUES);
    reply->values[reply->n++] = value;
    return true;
}

bool
bench_number(const struct bench_request *request, size_t i, uint64_t max, uint64_t *out,
             struct bench_reply *reply)
{
    char *end = NULL;
    errno = 0;
    uint64_t value = i < request->n ? strtoull(request->words[i], &end, 10) : 0;
    if (!end || *end || errno || value < 1 || value > max)
        return bench_fail(reply, "word %zu of the request is to be a number from 1 to %llu", i,
                          (unsigned long long)max);
    *out = value;
    return true;
}

static void
split(struct bench_request *request, char *line)
{
    char *rest = NULL;
    request->n = 0;
    for (char *word = strtok_r(line, " \n", &rest); word && request->n < BENCH_MAX_WORDS;
         word = strtok_r(NULL, " \n", &rest))
        request->words[request->n++] = word;
}

static void
print_reply(const struct bench_reply *reply)
{
    if (reply->error[0]) {
        printf("error %s\n", reply->error);
    } else {
        fputs("ok", stdout);
        for (size_t i = 0; i < reply->n; i++)
            printf(" %.9e", reply->values[i]);
        putchar('\n');
    }
    fflush(stdout);
}

int
bench_serve(bench_handler *handle, void *state)
{
    char *line = NULL;
    size_t size = 0;
    struct bench_reply *reply = malloc(sizeof *reply);
    while (reply && getline(&line, &size, stdin) > 0) {
        struct bench_request request;
        split(&request, line);
        reply->n = 0;
        reply->error[0] = '\0';
        handle(state, &request, reply);
        print_reply(reply);
    }
    free(line);
    free(reply);
    return EXIT_SUCCESS;
}

/* --- Tools -------------------------------------------------------------------------------------
 */

double
bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The rest of the file, in pieces: it may be a pipe. */
static char *
read_all(FILE *file, size_t *length)
{
    enum { PIECE = 1 << 16 };
    char *text = NULL;
    size_t size = 0, got = PIECE;
    while (got == PIECE) {
        char *larger = realloc(text, size + PIECE + 1);
        if (!larger)
            break;
        text = larger;
        got = fread(text + size, 1, PIECE, file);
        size += got;
    }
    if (got == PIECE || ferror(file)) {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    *length = size;
    return text;
}

char *
bench_read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = read_all(file, length);
    fclose(file);
    return text;
}

/* --- Kernels -----------------------------------------------------------------------------------
 */

static ck_status
open_kernel(struct bench_kernel *bench, const char *device, const char *path, const char *name)
{
    size_t length;
    char *text = bench_read_file(path, &length);
    if (!text)
        return CK_ERROR_IO;
    ck_compile_options options = {
        .size = sizeof options, .name = path, .libdevice = bench->libdevice};
    ck_status status = ck_compile(&bench->module, bench->ctx, text, length, &options);
    free(text);
    if (status == CK_OK)
        status = ck_device_open(&bench->device, bench->ctx, device, NULL);
    if (status == CK_OK)
        status = ck_kernel_get(&bench->kernel, bench->module, bench->device, name);
    return status;
}

bool
bench_kernel_init(struct bench_kernel *bench, const char *device, const char *path,
                  const char *name)
{
    ck_status status = ck_context_new(&bench->ctx, NULL);
    if (status == CK_OK)
        status = open_kernel(bench, device, path, name);
    if (status == CK_OK)
        return true;
    fprintf(stderr, "%s on %s: %s: %s\n", path, device, ck_status_name(status),
            bench->ctx ? ck_context_error(bench->ctx) : "");
    return false;
}

void
bench_kernel_release(struct bench_kernel *bench)
{
    ck_module_free(bench->module);
    ck_device_free(bench->device);
    ck_context_free(bench->ctx);
}

bool
bench_check(const struct bench_kernel *bench, ck_status status, struct bench_reply *reply)
{
    if (status == CK_OK)
        return true;
    return bench_fail(reply, "%s: %s", ck_status_name(status), ck_context_error(bench->ctx));
}
