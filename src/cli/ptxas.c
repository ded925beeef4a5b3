/* CUDA's assembler and disassembler, as programs of a toolkit. See ptxas.h. */
#include "ptxas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/messages.h"
#include "common/tool.h"
#include "common/toolkit.h"

int
ptxas_capability(const char *ptx)
{
    const char *target = strstr(ptx, "\n.target sm_");
    return target ? atoi(target + strlen("\n.target sm_")) : 0;
}

static char *
find_or_fail(const char *name, const char *what)
{
    char *path = tool_find_program(name);
    if (!path)
        tool_error("%s needs CUDA's %s, which is not in CUDA_HOME, CUDA_PATH, /usr/local/cuda or "
                   "PATH",
                   what, name);
    return path;
}

static void
unlink_and_free(char *path)
{
    if (path)
        unlink(path);
    free(path);
}

static int
run_ptxas(const struct ptxas_input *input, char *ptxas, char *ptx_file, char *output, char **report)
{
    char *arch = tool_printf("-arch=sm_%d", ptxas_capability(input->ptx));
    char *level = tool_printf("-O%d", input->opt_level);
    char *registers = tool_printf("-maxrregcount=%d", input->max_registers);
    char *argv[9] = {ptxas, "-v", arch, level, "-o", output, ptx_file};
    int n = 7;
    if (input->lineinfo)
        argv[n++] = "-lineinfo";
    if (input->max_registers)
        argv[n++] = registers;
    argv[n] = NULL;
    int status = tool_run_program(argv, 0, report);
    if (status > 0) {
        tool_error("ptxas failed with exit status %d", status);
        tool_detail_put(*report, true);
    }
    free(arch);
    free(level);
    free(registers);
    return status == 0 ? TOOL_DONE : TOOL_DEVICE;
}

int
ptxas_assemble(const struct ptxas_input *input, char **cubin, size_t *length, char **report)
{
    char *ptxas = find_or_fail("ptxas", cubin ? "a cubin" : "--usage");
    if (!ptxas)
        return TOOL_DEVICE;
    char *ptx_file = tool_temporary_file(".ptx", input->ptx, input->length);
    char *output = ptx_file && cubin ? tool_temporary_file(".cubin", "", 0) : NULL;
    int status = TOOL_FAILED;
    *report = NULL;
    if (ptx_file && (output || !cubin))
        status = run_ptxas(input, ptxas, ptx_file, output ? output : "/dev/null", report);
    if (status == TOOL_DONE && cubin && !tool_read_file(output, cubin, length))
        status = TOOL_FAILED;
    unlink_and_free(ptx_file);
    unlink_and_free(output);
    free(ptxas);
    return status;
}

/* --- The report --------------------------------------------------------------------------------
 */

/* The number before ` WHAT` in the text up to `end`; 0 if there is none. */
static int
number_before(const char *text, const char *end, const char *what)
{
    const char *at = strstr(text, what);
    if (!at || at >= end || at == text)
        return 0;
    while (at > text && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return atoi(at);
}

bool
ptxas_find_usage(struct tool_usage *out, const char *report, const char *entry)
{
    char *heading = tool_printf("Compiling entry function '%s' for", entry);
    const char *begin = strstr(report, heading);
    free(heading);
    if (!begin)
        return false;
    const char *end = strstr(begin + 1, "Compiling entry function");
    if (!end)
        end = begin + strlen(begin);
    const char *used = strstr(begin, "Used ");
    *out = (struct tool_usage){
        .registers = used && used < end ? atoi(used + 5) : -1,
        .spill_stores = number_before(begin, end, " bytes spill stores"),
        .spill_loads = number_before(begin, end, " bytes spill loads"),
        .stack = number_before(begin, end, " bytes stack frame"),
        .local = -1,
        .shared = number_before(begin, end, " bytes smem"),
        .constant = 0,
    };
    for (int bank = 0; bank < 8; bank++) {
        char what[32];
        snprintf(what, sizeof what, " bytes cmem[%d]", bank);
        out->constant += number_before(begin, end, what);
    }
    return out->registers >= 0;
}

/* --- SASS --------------------------------------------------------------------------------------
 */

int
ptxas_disassemble(const char *cubin, size_t length, char **text)
{
    char *tool = tool_find_program("nvdisasm"), *option = NULL;
    if (!tool) {
        tool = tool_find_program("cuobjdump");
        option = "-sass";
    }
    if (!tool) {
        tool_error("--emit=sass needs CUDA's nvdisasm or cuobjdump, which are not in CUDA_HOME, "
                   "CUDA_PATH, /usr/local/cuda or PATH");
        return TOOL_DEVICE;
    }
    char *file = tool_temporary_file(".cubin", cubin, length);
    char *argv[] = {tool, option ? option : file, option ? file : NULL, NULL};
    int status = file ? tool_run_program(argv, 0, text) : -1;
    if (status > 0) {
        tool_error("`%s` failed with exit status %d", tool, status);
        tool_detail_put(*text, true);
    }
    unlink_and_free(file);
    free(tool);
    return status == 0 ? TOOL_DONE : TOOL_DEVICE;
}
