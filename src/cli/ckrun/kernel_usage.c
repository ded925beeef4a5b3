/* --usage: what the launches' kernels need of a multiprocessor, as the driver says, and how full
 * they make it. */
#include <string.h>

#include "../common/json.h"
#include "../common/usage.h"
#include "ckrun.h"

static struct tool_usage
usage_of(const ck_kernel_usage *u)
{
    return (struct tool_usage){
        .registers = u->registers,
        .spill_stores = -1, /* the driver knows them as a part of local memory */
        .spill_loads = -1,
        .stack = -1,
        .local = u->local_bytes,
        .shared = u->shared_bytes,
        .constant = u->constant_bytes,
        .max_threads = u->max_threads,
    };
}

/* `launch` is NULL for a kernel that is not launched: then all sizes are shown. */
static void
print_usage(const ck_device *device, const char *title, const struct tool_usage *usage,
            const struct ckrun_launch *launch)
{
    const int capability = ck_device_get_info(device)->capability;
    tool_put(stdout, title, false);
    printf(": ");
    tool_put_usage(stdout, usage);
    printf("\n");
    if (!launch) {
        tool_put_occupancies(stdout, usage, capability, 0);
        return;
    }
    printf("  ");
    tool_put_occupancy(stdout, usage, capability,
                       (int)(launch->block.x * launch->block.y * launch->block.z),
                       launch->shared_bytes);
    printf("\n");
}

static void
write_json(struct ck_strbuf *out, const ck_device *device, const char *title,
           const struct tool_usage *usage, const struct ckrun_launch *launch)
{
    const int capability = ck_device_get_info(device)->capability;
    tool_json_separate(out);
    ck_strbuf_putc(out, '{');
    tool_json_member(out, launch ? "launch" : "kernel", title);
    tool_json_usage(out, usage);
    if (launch)
        tool_json_occupancy(out, usage, capability,
                            (int)(launch->block.x * launch->block.y * launch->block.z),
                            launch->shared_bytes);
    else
        tool_json_occupancies(out, usage, capability, 0);
    ck_strbuf_putc(out, '}');
}

static int
answer(struct ckrun_session *session, const char *kernel, const char *title,
       const struct ckrun_launch *launch)
{
    ck_kernel *got;
    ck_kernel_usage driver;
    ck_status status = ck_kernel_get(&got, session->module, session->device, kernel);
    if (status == CK_OK)
        status = ck_kernel_get_usage(&driver, got);
    if (status == CK_ERROR_ARGUMENT && !launch) {
        tool_note("`%s` has code for the types of its arguments: --usage shows it for a launch",
                  kernel);
        return TOOL_DONE;
    }
    if (status != CK_OK)
        return tool_fail(session->ctx, status);
    struct tool_usage usage = usage_of(&driver);
    if (session->json)
        write_json(session->json, session->device, title, &usage, launch);
    else
        print_usage(session->device, title, &usage, launch);
    return TOOL_DONE;
}

/* Whether an earlier description is of the same kernel. */
static bool
is_repeated(const ck_module *module, size_t i)
{
    bool found = false;
    for (size_t k = 0; k < i; k++)
        found = found ||
                strcmp(ck_module_kernel(module, k)->name, ck_module_kernel(module, i)->name) == 0;
    return found;
}

static int
answer_kernels(struct ckrun_session *session)
{
    const ck_module *module = session->module;
    int status = TOOL_DONE;
    for (size_t i = 0; i < ck_module_n_kernels(module) && status == TOOL_DONE; i++) {
        const char *name = ck_module_kernel(module, i)->name;
        if (!is_repeated(module, i))
            status = answer(session, name, name, NULL);
    }
    return status;
}

int
ckrun_print_usage(struct ckrun_session *session, const struct ckrun_launch *launches, size_t n)
{
    int status = TOOL_DONE;
    if (!ck_device_get_info(session->device)->capability) {
        tool_error("--usage is of GPUs; without one, ckc --usage has it by CUDA's ptxas");
        return TOOL_USAGE;
    }
    if (session->json) {
        tool_json_key(session->json, "usage");
        ck_strbuf_putc(session->json, '[');
    }
    /* A kernel answers for the signature that was prepared last. */
    for (size_t i = 0; i < n && status == TOOL_DONE; i++) {
        status = ckrun_prepare(session, &launches[i]);
        if (status == TOOL_DONE)
            status = answer(session, launches[i].kernel, launches[i].text, &launches[i]);
    }
    if (!n)
        status = answer_kernels(session);
    if (session->json)
        ck_strbuf_putc(session->json, ']');
    return status;
}
