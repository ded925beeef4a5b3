/* Ctrl-C while the CPU device runs a launch.
 *
 * Python's handler of SIGINT takes note of the signal, and the interpreter calls the program's
 * handler when it runs again: after the launch, which may take hours. So for a launch of the main
 * thread, the handler of this file stands before Python's, and ends the launch too. A program whose
 * handler is not the one that raises KeyboardInterrupt may want the launch to go on: there Python's
 * handler stays alone. */
#include "ckpy.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Global, as a signal handler takes no argument. The main thread alone uses them. */
static volatile int *interrupted; /* of the module that launches */
static struct sigaction pythons;

static int
is_main_thread(void)
{
    return syscall(SYS_gettid) == getpid();
}

static void
on_interrupt(int number, siginfo_t *info, void *context)
{
    if (!is_main_thread()) {
        syscall(SYS_tgkill, getpid(), getpid(), number);
        return;
    }
    *interrupted = 1;
    if (pythons.sa_flags & SA_SIGINFO)
        pythons.sa_sigaction(number, info, context);
    else
        pythons.sa_handler(number);
}

/* Whether Ctrl-C raises KeyboardInterrupt; -1: an exception is set. */
static int
raises_keyboard_interrupt(struct ckpy_state *state)
{
    if (!state->getsignal) {
        PyObject *module = PyImport_ImportModule("_signal");
        state->getsignal = module ? PyObject_GetAttrString(module, "getsignal") : NULL;
        state->sigint = state->getsignal ? PyObject_GetAttrString(module, "SIGINT") : NULL;
        state->raises =
            state->sigint ? PyObject_GetAttrString(module, "default_int_handler") : NULL;
        Py_XDECREF(module);
        if (!state->raises)
            return -1;
    }
    PyObject *handler = PyObject_CallFunctionObjArgs(state->getsignal, state->sigint, NULL);
    Py_XDECREF(handler);
    return handler ? handler == state->raises : -1;
}

/* Whether SIGINT has a handler, which the program may have taken from Python. */
static int
has_handler(const struct sigaction *action)
{
    return action->sa_flags & SA_SIGINFO ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

int
ckpy_interrupts_begin(struct ckpy_module *module)
{
    if (module->gpu || !is_main_thread())
        return 0;
    int raises = raises_keyboard_interrupt(ckpy_state(module));
    if (raises <= 0)
        return raises;
    if (sigaction(SIGINT, NULL, &pythons) < 0 || !has_handler(&pythons))
        return 0;
    struct sigaction own = {.sa_sigaction = on_interrupt,
                            .sa_mask = pythons.sa_mask,
                            .sa_flags = pythons.sa_flags | SA_SIGINFO};
    interrupted = &module->interrupted;
    if (sigaction(SIGINT, &own, NULL) < 0)
        return 0;
    if (PyErr_CheckSignals() == 0)
        return 1;
    ckpy_interrupts_end(module); /* a signal that came before */
    return -1;
}

void
ckpy_interrupts_end(struct ckpy_module *module)
{
    sigaction(SIGINT, &pythons, NULL);
    module->interrupted = 0;
}
