/* What the benchmark programs share.
 *
 * Each program answers requests, so that bench/run can have several of them measure in turn. A
 * request is a line of words on standard input; the reply is a line on standard output, "ok" and
 * numbers (times in seconds) or "error" and a text. The program ends with its input. */
#ifndef CK_BENCH_SERVE_H
#define CK_BENCH_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ck/ck.h>

enum { BENCH_MAX_WORDS = 32, BENCH_MAX_VALUES = 4096, BENCH_MAX_ERROR = 1024 };

struct bench_request {
    size_t n;
    char *words[BENCH_MAX_WORDS];
};

struct bench_reply {
    size_t n;
    double values[BENCH_MAX_VALUES];
    char error[BENCH_MAX_ERROR]; /* "": done */
};

/* Answers one request; false once it has called bench_fail. */
typedef bool bench_handler(void *state, const struct bench_request *request,
                           struct bench_reply *reply);

/* Answers until the input ends; the exit status. */
int bench_serve(bench_handler *handle, void *state);

/* false, for `return bench_fail(...)`. */
bool bench_fail(struct bench_reply *reply, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool bench_add(struct bench_reply *reply, double value);
/* Word `i` of the request as a number from 1 to `max`. */
bool bench_number(const struct bench_request *request, size_t i, uint64_t max, uint64_t *out,
                  struct bench_reply *reply);

/* Seconds of a clock that only moves forward. */
double bench_now(void);

/* A whole file, zero-terminated, to be freed; NULL if it cannot be read. */
char *bench_read_file(const char *path, size_t *length);

/* A kernel of a .ck file on a device, with all that hangs on it. */
struct bench_kernel {
    const char *libdevice; /* for its math functions; NULL: those inside libck */
    ck_context *ctx;
    ck_module *module;
    ck_device *device;
    ck_kernel *kernel;
};

/* false after a message on standard error; bench_kernel_release in either case. */
bool bench_kernel_init(struct bench_kernel *bench, const char *device, const char *path,
                       const char *name);
void bench_kernel_release(struct bench_kernel *bench);
/* bench_fail with what the context has to say, unless `status` is CK_OK. */
bool bench_check(const struct bench_kernel *bench, ck_status status, struct bench_reply *reply);

#endif
