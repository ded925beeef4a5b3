/* Programs of a CUDA toolkit: where they are, and running them. */
#ifndef TOOLKIT_H
#define TOOLKIT_H

#include <stddef.h>

/* The path of a program of the toolkit, from CUDA_HOME, CUDA_PATH, /usr/local/cuda or PATH: to be
 * freed. NULL: there is none. */
char *tool_find_program(const char *name);

/* Runs a program, `argv` ending with NULL, without input, and collects what it prints in `*text`,
 * to be freed. Returns its exit status, or -1 after a message. After `seconds` (0: no limit) it is
 * killed, which a line of the text says. */
int tool_run_program(char *const *argv, double seconds, char **text);

/* A file in the folder for temporary files, with this content: its name, to be freed and unlinked.
 * NULL after a message. */
char *tool_temporary_file(const char *suffix, const char *text, size_t length);

#endif
