/* What CUDA's assembler makes of PTX: cubins, and what kernels need of a multiprocessor. */
#ifndef PTXAS_H
#define PTXAS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/usage.h"

/* PTX to be assembled, and the options for it. */
struct ptxas_input {
    const char *ptx;
    size_t length;
    int opt_level; /* 0 to 3 */
    bool lineinfo;
    int max_registers; /* 0: no limit */
};

/* Each returns an exit status; the message is printed. */
/* The cubin, to be freed; NULL `cubin`: it is not wanted. `*report` is what `ptxas -v` prints, to
 * be freed. */
int ptxas_assemble(const struct ptxas_input *input, char **cubin, size_t *length, char **report);
/* The usage of the entry, from the report. False: the report does not name it. */
bool ptxas_find_usage(struct tool_usage *out, const char *report, const char *entry);
/* The disassembly of a cubin by nvdisasm or cuobjdump, to be freed. */
int ptxas_disassemble(const char *cubin, size_t length, char **text);

/* 90 of PTX for sm_90; 0: unknown. */
int ptxas_capability(const char *ptx);

#endif
