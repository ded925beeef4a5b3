#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct emulated {
    void *library;
    const struct emulated_module *module;
};

enum { OUT_OF_MEMORY = 2, WORKSPACE_BYTES = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int failure;

bool
emulator_is_on(void)
{
    const char *translator = getenv("FAKE_CUDA_EMULATOR");
    return translator && *translator;
}

static bool
write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

static bool
translate(const char *ptx, const char *library)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        unsetenv("LD_LIBRARY_PATH");
        unsetenv("LD_PRELOAD");
        execlp("python3", "python3", getenv("FAKE_CUDA_EMULATOR"), ptx, library, (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           !WEXITSTATUS(status);
}

/* The translation's files are in a folder that is gone as soon as the library is open. */
struct emulated *
emulator_load(const char *ptx)
{
    char folder[] = "/tmp/ck-emulator-XXXXXX", source[64], library[64], code[64];
    struct emulated *loaded = NULL;
    if (!mkdtemp(folder))
        return NULL;
    snprintf(source, sizeof source, "%s/module.ptx", folder);
    snprintf(library, sizeof library, "%s/module.so", folder);
    snprintf(code, sizeof code, "%s/module.c", folder);
    void *handle = write_text(source, ptx) && translate(source, library)
                       ? dlopen(library, RTLD_NOW | RTLD_LOCAL)
                       : NULL;
    if (handle && (loaded = calloc(1, sizeof *loaded))) {
        loaded->library = handle;
        loaded->module = dlsym(handle, "emulated_module");
    }
    if (!getenv("FAKE_CUDA_KEEP")) {
        unlink(source);
        unlink(library);
        unlink(code);
        rmdir(folder);
    }
    return loaded;
}

void
emulator_unload(struct emulated *module)
{
    dlclose(module->library);
    free(module);
}

const struct emulated_kernel *
emulator_kernel(const struct emulated *module, const char *name)
{
    for (u32 i = 0; i < module->module->n_kernels; i++)
        if (!strcmp(module->module->kernels[i].name, name))
            return &module->module->kernels[i];
    return NULL;
}

void *
emulator_variable(const struct emulated *module, const char *name, size_t *bytes)
{
    for (u32 i = 0; i < module->module->n_variables; i++) {
        const struct emulated_variable *variable = &module->module->variables[i];
        if (!strcmp(variable->name, name)) {
            *bytes = variable->bytes;
            return variable->address;
        }
    }
    return NULL;
}

int
emulator_launch(const struct emulated_kernel *kernel, struct emulated_shape *shape, void **params)
{
    const char *order = getenv("FAKE_CUDA_REVERSE");
    void *workspace = NULL;
    if (shape->cooperative && posix_memalign(&workspace, WORKSPACE_BYTES, WORKSPACE_BYTES))
        return OUT_OF_MEMORY;
    if (workspace)
        memset(workspace, 0, WORKSPACE_BYTES);
    shape->workspace = workspace;
    if (kernel->cluster[0])
        memcpy(shape->cluster, kernel->cluster, sizeof shape->cluster);
    shape->reverse = order && *order == '1';
    pthread_mutex_lock(&lock);
    const int result = emulate(kernel, shape, params);
    if (result > 1)
        failure = result;
    pthread_mutex_unlock(&lock);
    free(workspace);
    return result == 1 ? 1 : 0;
}

int
emulator_failure(void)
{
    return failure;
}
