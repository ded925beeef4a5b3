/* ck-lsp: the language server over standard input and output. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/stack.h"
#include "server.h"

static const char help_text[] =
    "usage: ck-lsp [--stdio]\n"
    "\n"
    "A language server for ck's kernels, in .ck files and in Python files for Numba: it speaks "
    "the\n"
    "Language Server Protocol over standard input and output. Editors start it:\n"
    "docs/editors.md has the set-up of each.\n"
    "\n"
    "  --stdio            over standard input and output, which is the default\n"
    "  --version, --help\n"
    "\n"
    "Exit status: 0 after `shutdown` and `exit`; 1 if the input ends without them; 2 usage.\n";

/* --help=man, of which the build makes the manual page. */
static const char man_text[] =
    ".TH ck\\-lsp 1 \"\" \"ck " LSP_VERSION "\" \"User commands\"\n"
    ".SH NAME\n"
    "ck\\-lsp \\- language server for GPU kernels written in ck\n"
    ".SH SYNOPSIS\n"
    ".B ck\\-lsp\n"
    "[\\-\\-stdio]\n"
    ".SH DESCRIPTION\n"
    "Speaks the Language Server Protocol over standard input and output, about kernels in .ck "
    "files\n"
    "and in Python files for Numba. Editors start it, and show diagnostics while a program is "
    "typed,\n"
    "types, the manual\\(aqs lines of built\\-ins, completions and references. docs/editors.md has "
    "the\n"
    "set\\-up of each.\n"
    ".SH OPTIONS\n"
    ".TP\n"
    "\\fB\\-\\-stdio\\fR\n"
    "Over standard input and output, which is the default.\n"
    ".TP\n"
    "\\fB\\-\\-version\\fR, \\fB\\-\\-help\\fR\n"
    "Write the version, or a summary.\n"
    ".SH EXIT STATUS\n"
    "0 after `shutdown\\(aq and `exit\\(aq; 1 if the input ends without them; 2 usage.\n"
    ".SH SEE ALSO\n"
    ".BR ckc (1),\n"
    ".BR ckrun (1)\n";

enum { USAGE = 2, HEAP_STEP = 4 << 20 };

static void
serve(void *status)
{
    *(int *)status = lsp_serve(STDIN_FILENO, STDOUT_FILENO);
}

static int
run(void)
{
    int status = 1;
    /* The one thread that allocates uses the heap that grows in large steps. */
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, HEAP_STEP);
    signal(SIGPIPE, SIG_IGN); /* a client that ends is seen where it is written to */
    int error = ck_stack_run(CK_STACK_COMPILE, serve, &status);
    if (error)
        fprintf(stderr, "ck-lsp: error: there is no thread to run on: %s\n", strerror(error));
    return status;
}

/* Writes a text that ends the command. */
static int
print(const char *text)
{
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return 0;
    fputs("ck-lsp: error: cannot write standard output\n", stderr);
    return 1;
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i] + (strncmp(argv[i], "--", 2) == 0);
        if (strcmp(option, "-help") == 0 || strcmp(option, "-h") == 0)
            return print(help_text);
        if (strcmp(option, "-help=man") == 0)
            return print(man_text);
        if (strcmp(option, "-version") == 0)
            return print("ck-lsp " LSP_VERSION "\n");
        if (strcmp(option, "-stdio") != 0) {
            fprintf(stderr, "ck-lsp: error: unknown argument `%s`; see ck-lsp --help\n", argv[i]);
            return USAGE;
        }
    }
    return run();
}
