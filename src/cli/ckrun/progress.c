/* --progress: what ckrun is doing, on standard error. */
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "../common/messages.h"
#include "ckrun.h"

enum { MILLISECONDS = 500 }; /* between lines of work that has many steps */

static int64_t
milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void
ckrun_progress(struct ckrun_session *session, bool is_stage, const char *format, ...)
{
    int64_t time = milliseconds();
    char *text = NULL;
    va_list args;
    if (!session->shows_progress || !tool_report_is_text() ||
        (!is_stage && time - session->progress_time < MILLISECONDS))
        return;
    session->progress_time = time;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0)
        return;
    fprintf(stderr, "%s: ", tool_program);
    tool_put(stderr, text, false);
    fputc('\n', stderr);
    free(text);
}
