/* Catches faults of kernels. A kernel on the CPU device runs in this process without bounds checks,
 * so an access outside its arrays may fault, on any thread. ckrun then ends with a message instead
 * of a signal. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/messages.h"
#include "ckrun.h"

/* Global, as a signal handler takes no argument. */
static char *message; /* owned */
static size_t message_length;
static struct sigaction earlier[2];
static stack_t stack, earlier_stack; /* of the handler: the kernel's stack may have overflowed */
enum { STACK_BYTES = 64 << 10 };
static const int signals[2] = {SIGSEGV, SIGBUS};

static void
on_fault(int signal)
{
    ssize_t written = write(STDERR_FILENO, message, message_length);
    (void)written; /* a failure to write cannot be reported */
    _exit(TOOL_FAILED);
}

void
ckrun_guard_begin(const char *kernel)
{
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
    stack = (stack_t){.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};
    if (stack.ss_sp)
        sigaltstack(&stack, &earlier_stack);
    char *text = tool_printf("kernel `%.100s` accessed memory outside its arrays", kernel);
    message = tool_report_last_words(text,
                                     "  an index is beyond an array's end, or further below zero "
                                     "than its extent; nothing was saved\n",
                                     TOOL_FAILED);
    message_length = strlen(message);
    free(text);
    for (int i = 0; i < 2; i++)
        sigaction(signals[i], &action, &earlier[i]);
}

void
ckrun_guard_end(void)
{
    for (int i = 0; i < 2; i++)
        sigaction(signals[i], &earlier[i], NULL);
    if (stack.ss_sp)
        sigaltstack(&earlier_stack, NULL);
    free(stack.ss_sp);
    free(message);
}
