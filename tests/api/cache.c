/* Compiles with a cache and prints what became of it: cache FOLDER BYTES FILE ARCH [OPTION]...
 *
 * ARCH is "sm_90": the kernels as PTX are written to standard output; or "cpu" or "cuda": the
 * kernel `k` is launched on an array of 64 int32, whose elements are written. The counts are
 * written to standard error: found, missed, kept. OPTION is one of lineinfo, no_fmad, restrict,
 * aligned, O0, O1, name=NAME, libdevice=FILE, sig=SIGNATURE, twice (all of it, in two contexts).
 * With FAIL_WRITES in the environment no file can be written to, as on a full disk. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ck/ck.h>

enum { N = 64 };

ssize_t
write(int fd, const void *bytes, size_t n)
{
    if (fd > 2 && getenv("FAIL_WRITES")) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, bytes, n);
}

static int
fail(ck_context *ctx, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, ck_context_error(ctx));
    return 1;
}

static int
emit(ck_context *ctx, ck_module *module)
{
    char *ptx;
    if (ck_module_emit(&ptx, NULL, module, CK_EMIT_PTX))
        return fail(ctx, "emit");
    fputs(ptx, stdout);
    ck_text_free(ptx);
    return 0;
}

static int
launch(ck_context *ctx, ck_module *module, ck_device *device)
{
    int32_t values[N] = {0};
    ck_kernel *kernel;
    ck_buffer *buffer;
    if (ck_buffer_new(&buffer, device, sizeof values) ||
        ck_buffer_write(buffer, 0, values, sizeof values) ||
        ck_kernel_get(&kernel, module, device, "k"))
        return fail(ctx, "set-up");
    const ck_array array = {ck_buffer_address(buffer), CK_INT32, 1, {N}, {sizeof *values}, NULL};
    const ck_arg arg = {CK_DTYPE_NONE, {.array = &array}};
    const ck_shape shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}};
    if (ck_launch(kernel, &shape, &arg, 1, NULL) || ck_device_synchronize(device) ||
        ck_buffer_read(buffer, 0, values, sizeof values))
        return fail(ctx, "launch");
    for (int i = 0; i < N; i++)
        printf("%d ", values[i]);
    ck_buffer_free(buffer);
    return 0;
}

static int
launch_on(ck_context *ctx, ck_module *module, const char *name)
{
    ck_device *device;
    if (ck_device_open(&device, ctx, name, NULL))
        return fail(ctx, "device");
    int result = launch(ctx, module, device);
    ck_device_free(device);
    return result;
}

static void
set_option(ck_compile_options *options, const char **sig, const char *text)
{
    if (!strcmp(text, "lineinfo"))
        options->lineinfo = 1;
    else if (!strcmp(text, "no_fmad"))
        options->no_fmad = 1;
    else if (!strcmp(text, "restrict"))
        options->restrict_arrays = 1;
    else if (!strcmp(text, "aligned"))
        options->aligned_arrays = 1;
    else if (text[0] == 'O')
        options->opt_level = text[1] == '0' ? -1 : text[1] - '0';
    else if (!strncmp(text, "name=", 5))
        options->name = text + 5;
    else if (!strncmp(text, "libdevice=", 10))
        options->libdevice = text + 10;
    else if (!strncmp(text, "sig=", 4)) {
        *sig = text + 4;
        options->sigs = sig;
        options->n_sigs = 1;
    }
}

static int
once(int argc, char **argv)
{
    static char source[1 << 20];
    const ck_context_options context_options = {.size = sizeof context_options,
                                                .cache_directory = argv[1],
                                                .cache_bytes = strtoull(argv[2], NULL, 10)};
    const char *sig, *arch = argv[4];
    int launches = !strncmp(arch, "cpu", 3) || !strncmp(arch, "cuda", 4);
    ck_compile_options options = {.size = sizeof options, .arch = launches ? NULL : arch};
    ck_context *ctx;
    ck_module *module = NULL;
    ck_cache_counts counts;
    FILE *file = fopen(argv[3], "r");
    size_t length = file ? fread(source, 1, sizeof source, file) : 0;
    if (!file || fclose(file) || ck_context_new(&ctx, &context_options))
        return 2;
    for (int i = 5; i < argc; i++)
        set_option(&options, &sig, argv[i]);
    int result = ck_compile(&module, ctx, source, length, &options)
                     ? fail(ctx, "compile")
                     : (launches ? launch_on(ctx, module, arch) : emit(ctx, module));
    ck_context_get_cache_counts(&counts, ctx);
    fprintf(stderr, "%d %d %d\n", (int)counts.found, (int)counts.missed, (int)counts.kept);
    ck_module_free(module);
    ck_context_free(ctx);
    return result;
}

int
main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    int result = once(argc, argv);
    return argc > 5 && !strcmp(argv[argc - 1], "twice") ? result | once(argc, argv) : result;
}
