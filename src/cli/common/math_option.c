/* The option --math: the library of PTX's math functions, and the search for CUDA's. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "tool.h"

const struct tool_value tool_libraries[] = {
    {"auto", "libdevice where CUDA_HOME, CUDA_PATH, /usr/local/cuda or nvcc leads to a toolkit, "
             "else libclc"},
    {"libclc", "that of LLVM, which ck brings"},
    {"libdevice", "CUDA's; libdevice=FILE: this file"},
    {NULL, NULL},
};

static const char in_toolkit[] = "nvvm/libdevice/libdevice.10.bc";

/* Takes ownership of `path`; returns it if the file can be read. */
static char *
if_readable(char *path)
{
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *
in_folder(const char *toolkit)
{
    return toolkit && *toolkit ? if_readable(tool_printf("%s/%s", toolkit, in_toolkit)) : NULL;
}

/* The toolkit of the nvcc in `folder`, an entry of PATH. */
static char *
beside_nvcc(const char *folder, size_t length)
{
    char *nvcc = tool_printf("%.*s/nvcc", (int)length, folder);
    char *real = access(nvcc, X_OK) == 0 ? realpath(nvcc, NULL) : NULL;
    free(nvcc);
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        *slash = 0;
    char *toolkit = slash ? tool_printf("%s/..", real) : NULL;
    char *found = in_folder(toolkit);
    free(toolkit);
    free(real);
    return found;
}

static char *
along_path(void)
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        char *found = length > 0 && length < PATH_MAX ? beside_nvcc(folder, length) : NULL;
        if (found)
            return found;
        folder += length + (folder[length] == ':');
    }
    return NULL;
}

/* To be freed; NULL: there is none. */
static char *
find_libdevice(void)
{
    char *found = in_folder(getenv("CUDA_HOME"));
    found = found ? found : in_folder(getenv("CUDA_PATH"));
    found = found ? found : in_folder("/usr/local/cuda");
    return found ? found : along_path();
}

int
tool_set_math(const char *value, char **libdevice)
{
    enum { AUTO, LIBCLC, LIBDEVICE };
    static const char prefix[] = "libdevice=";
    free(*libdevice);
    *libdevice = NULL;
    if (strncmp(value, prefix, sizeof prefix - 1) == 0) {
        const char *path = value + sizeof prefix - 1;
        *libdevice = tool_strndup(path, strlen(path));
        return TOOL_DONE;
    }
    int i = tool_choose("--math", value, tool_libraries);
    if (i < 0)
        return TOOL_USAGE;
    if (i != LIBCLC)
        *libdevice = find_libdevice();
    tool_verbose("math functions of a GPU's code: %s", *libdevice ? *libdevice : "libclc");
    if (i != LIBDEVICE || *libdevice)
        return TOOL_DONE;
    tool_error("no CUDA toolkit with %s in CUDA_HOME, CUDA_PATH, /usr/local/cuda or beside "
               "the nvcc of PATH; --math=libdevice=FILE names the file itself",
               in_toolkit);
    return TOOL_FAILED;
}
