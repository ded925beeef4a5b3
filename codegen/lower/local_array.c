/* Local arrays: memory private to each thread, among the slots of the function that uses it. A host
 * coroutine keeps it in its frame, so that it survives barriers. */
#include "codegen/lower/builtin.h"

void
ck_gen_use_local(struct ck_gen *gen, uint64_t bytes)
{
    gen->func->code.local_bytes += bytes;
    if (gen->func->code.local_bytes > CK_MAX_LOCAL_BYTES)
        ck_gen_fail(gen, CK_ERROR_UNSUPPORTED,
                    "the local arrays of %s and of the calls in it take more than %d KiB a thread",
                    gen->frame->info->tfunc->name, CK_MAX_LOCAL_BYTES >> 10);
}

struct ck_gen_value
ck_lower_local_array(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *elem = expr->type->array.elem;
    struct ck_gen_value value = ck_gen_value_new(gen, ck_gen_n_parts(expr->type));
    uint64_t count = 1;
    for (int dim = 0; dim < expr->builtin.n_args; dim++) {
        int64_t extent = expr->builtin.args[dim]->constant.i;
        value.parts[1 + dim] = l_i64(gen, extent);
        count *= (uint64_t)extent;
    }
    ck_gen_use_local(gen, count * (uint64_t)ck_type_size(elem));
    LLVMTypeRef type = LLVMArrayType2(ck_gen_memory_type(gen, elem), count);
    value.parts[0] = l_slot(gen, type, "local");
    LLVMSetAlignment(value.parts[0], 16);
    ck_gen_check_unset(gen, value.parts[0], count * (uint64_t)ck_type_size(elem));
    return value;
}
