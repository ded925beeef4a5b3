/* Lowerings of loads and stores with cache hints. Hints matter to global memory, of targets that
 * have them; elsewhere these are accesses that no pass moves out of a loop. */
#include "codegen/lower/builtin.h"

static const char *
hint_of(enum ck_builtin_id id)
{
    static const char *const hints[CK_N_BUILTINS] = {
        [CK_BUILTIN_LDCA] = "ca", [CK_BUILTIN_LDCG] = "cg", [CK_BUILTIN_LDCS] = "cs",
        [CK_BUILTIN_LDLU] = "lu", [CK_BUILTIN_LDCV] = "cv", [CK_BUILTIN_STWB] = "wb",
        [CK_BUILTIN_STCG] = "cg", [CK_BUILTIN_STCS] = "cs", [CK_BUILTIN_STWT] = "wt",
    };
    return hints[id];
}

static bool
takes_hints(struct ck_gen *gen, const struct ck_type *array)
{
    return gen->target->memory->hinted_load && array->array.space != CK_SPACE_SHARED &&
           array->array.space != CK_SPACE_LOCAL && array->array.space != CK_SPACE_CONST;
}

static LLVMValueRef
element(struct ck_gen *gen, const struct ck_texpr *expr, struct ck_access_kind kind)
{
    const struct ck_texpr *array = expr->builtin.args[0];
    const struct ck_tindex *indices = expr->builtin.indices;
    struct ck_gen_value value = ck_gen_expr(gen, array);
    LLVMValueRef v_address = ck_gen_element_address(gen, array, value, indices);
    if (kind.reads || kind.writes)
        ck_gen_check_access(gen, array, &indices[array->type->array.ndim - 1], value.parts[0],
                            v_address, (unsigned)ck_type_size(array->type->array.elem), kind);
    return v_address;
}

struct ck_gen_value
ck_lower_hinted_load(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *array = expr->builtin.args[0]->type;
    const struct ck_atomicity relaxed = {CK_ORDER_RELAXED, CK_SCOPE_DEVICE};
    LLVMTypeRef type = ck_gen_memory_type(gen, expr->type);
    const struct ck_access_kind kind = {.reads = true,
                                        .polls = expr->builtin.id == CK_BUILTIN_LDCV};
    LLVMValueRef v_memory, v_address = element(gen, expr, kind);
    if (takes_hints(gen, array)) {
        v_memory = gen->target->memory->hinted_load(gen, hint_of(expr->builtin.id), v_address,
                                                    (unsigned)ck_type_size(expr->type));
        v_memory = LLVMBuildBitCast(gen->builder, v_memory, type, "");
    } else {
        v_memory = ck_gen_load_atomic(gen, type, v_address, relaxed);
    }
    v_memory = ck_gen_settle(gen, array, v_memory);
    return ck_gen_value_scalar(gen, ck_gen_from_memory(gen, expr->type, v_memory));
}

struct ck_gen_value
ck_lower_hinted_store(struct ck_gen *gen, const struct ck_texpr *expr)
{
    const struct ck_type *array = expr->builtin.args[0]->type, *elem = array->array.elem;
    const unsigned bytes = (unsigned)ck_type_size(elem);
    LLVMValueRef v_address = element(gen, expr, (struct ck_access_kind){.writes = true});
    LLVMValueRef v_value = ck_gen_scalar(gen, expr->builtin.args[1]);
    v_value = ck_gen_to_memory(gen, elem, v_value);
    if (takes_hints(gen, array)) {
        LLVMTypeRef bits = LLVMIntTypeInContext(gen->llvm, bytes * 8);
        gen->target->memory->hinted_store(gen, hint_of(expr->builtin.id), v_address,
                                          LLVMBuildBitCast(gen->builder, v_value, bits, ""), bytes);
    } else {
        l_store(gen, v_value, v_address, bytes);
    }
    return ck_gen_value_new(gen, 0);
}

struct ck_gen_value
ck_lower_prefetch(struct ck_gen *gen, const struct ck_texpr *expr)
{
    LLVMValueRef v_address = element(gen, expr, (struct ck_access_kind){0});
    if (takes_hints(gen, expr->builtin.args[0]->type))
        gen->target->memory->prefetch(gen, v_address);
    return ck_gen_value_new(gen, 0);
}
