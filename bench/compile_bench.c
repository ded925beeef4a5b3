/* Times compiling to PTX inside a process: compile_bench FILE.ck ARCH (see serve.h).
 *
 *   compile COUNT   compiles so many times; a time for each */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve.h"

struct state {
    struct bench_kernel bench; /* of which only the context is used */
    ck_compile_options options;
    char *text;
    size_t length;
};

static ck_status
compile_once(struct state *state)
{
    ck_module *module = NULL;
    char *ptx = NULL;
    ck_status status =
        ck_compile(&module, state->bench.ctx, state->text, state->length, &state->options);
    if (status == CK_OK)
        status = ck_module_emit(&ptx, NULL, module, CK_EMIT_PTX);
    ck_text_free(ptx);
    ck_module_free(module);
    return status;
}

static bool
answer(void *opaque, const struct bench_request *request, struct bench_reply *reply)
{
    struct state *state = opaque;
    uint64_t count;
    if (!request->n || strcmp(request->words[0], "compile"))
        return bench_fail(reply, "the requests are: compile COUNT");
    if (!bench_number(request, 1, BENCH_MAX_VALUES, &count, reply))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        double start = bench_now();
        if (!bench_check(&state->bench, compile_once(state), reply) ||
            !bench_add(reply, bench_now() - start))
            return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    struct state state = {.options = {.size = sizeof state.options}};
    int result = EXIT_FAILURE;
    if (argc != 3) {
        fputs("usage: compile_bench FILE.ck ARCH\n", stderr);
        return 2;
    }
    state.options.name = argv[1];
    state.options.arch = argv[2];
    state.text = bench_read_file(argv[1], &state.length);
    if (!state.text)
        perror(argv[1]);
    else if (ck_context_new(&state.bench.ctx, NULL) == CK_OK)
        result = bench_serve(answer, &state);
    bench_kernel_release(&state.bench);
    free(state.text);
    return result;
}
