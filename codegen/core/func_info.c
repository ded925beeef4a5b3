/* The program's functions, and what is known of each before its code is generated. */
#include <stdlib.h>

#include "codegen/core/gen.h"
#include "codegen/core/shared_layout.h"

static bool
block_asserts(const struct ck_tblock *block)
{
    for (int i = 0; i < block->n; i++) {
        const struct ck_tstmt *stmt = block->stmts[i];
        bool asserts = false;
        if (stmt->kind == CK_S_ASSERT)
            asserts = true;
        else if (stmt->kind == CK_S_IF)
            asserts = block_asserts(&stmt->branch.then) || block_asserts(&stmt->branch.otherwise);
        else if (stmt->kind == CK_S_WHILE)
            asserts = block_asserts(&stmt->loop.body) || block_asserts(&stmt->loop.otherwise);
        else if (stmt->kind == CK_S_RANGE)
            asserts = block_asserts(&stmt->range.body) || block_asserts(&stmt->range.otherwise);
        if (asserts)
            return true;
    }
    return false;
}

static int
compare_address(const void *a, const void *b)
{
    const struct ck_func_info *const *left = a, *const *right = b;
    uintptr_t x = (uintptr_t)(*left)->tfunc, y = (uintptr_t)(*right)->tfunc;
    return (x > y) - (x < y);
}

struct ck_func_info *
ck_gen_func_info(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    struct ck_func_info key = {.tfunc = tfunc}, *wanted = &key;
    struct ck_func_info **found =
        bsearch(&wanted, gen->funcs_by_address, (size_t)gen->program->n_functions, sizeof wanted,
                compare_address);
    if (!found)
        ck_gen_fail(gen, CK_ERROR_INTERNAL, "function %s is not in its program", tfunc->name);
    return *found;
}

/* Functions come callees first, so what holds for callees is known. Recursive functions are never
 * inlined: a failed assertion in one does not return to its caller. */
static bool
exits(struct ck_gen *gen, const struct ck_tfunc *tfunc)
{
    if (ck_tfunc_has(tfunc, CK_EFFECTS_WAIT | CK_EFFECT_SPIN | CK_EFFECT_GROUP_COPY) ||
        block_asserts(&tfunc->body))
        return true;
    for (int i = 0; i < tfunc->n_callees; i++) {
        if (!tfunc->callees[i]->is_recursive && ck_gen_func_info(gen, tfunc->callees[i])->exits)
            return true;
    }
    return false;
}

static void
find_arrays(void *context, struct ck_texpr *expr)
{
    struct ck_gen *gen = context;
    ck_texpr_each(expr, find_arrays, gen);
    if (expr->kind != CK_T_MODULE_ARRAY)
        return;
    for (size_t i = 0; i < gen->n_arrays; i++) {
        if (gen->arrays[i] == expr->module_array)
            return;
    }
    CK_PUSH(&gen->arena, gen->arrays, gen->n_arrays, gen->arrays_capacity, expr->module_array);
}

void
ck_gen_scan_functions(struct ck_gen *gen)
{
    int n = gen->program->n_functions;
    gen->funcs = CK_NEW_ARRAY(&gen->arena, struct ck_func_info, n);
    gen->funcs_by_address = CK_NEW_ARRAY(&gen->arena, struct ck_func_info *, n);
    uint64_t offset = 0;
    for (int i = 0; i < n; i++) {
        struct ck_func_info *info = gen->funcs_by_address[i] = &gen->funcs[i];
        info->tfunc = gen->program->functions[i];
        ck_tblock_each_expr(&info->tfunc->body, find_arrays, gen);
        gen->has_wide_views |= ck_tfunc_has(info->tfunc, CK_EFFECT_WIDE_VIEW);
        info->state = ck_arena_alloc(&gen->arena, gen->target->traits.info_bytes);
        info->shared_begin = offset;
        offset += ck_shared_offset(info->tfunc, info->tfunc->n_shared);
        if (offset > CK_SHARED_LIMIT)
            ck_gen_fail(gen, CK_ERROR_UNSUPPORTED,
                        "the shared arrays of %s are larger than any device's shared memory",
                        info->tfunc->name);
        info->shared_end = offset;
    }
    if (n > 0)
        qsort(gen->funcs_by_address, (size_t)n, sizeof *gen->funcs_by_address, compare_address);
    for (int i = 0; i < n; i++)
        gen->funcs[i].exits = exits(gen, gen->funcs[i].tfunc);
}

/* NULL: the LLVM function is not one of the program's. */
static const struct ck_func_info *
info_of(const struct ck_gen *gen, LLVMValueRef v_function)
{
    int i = gen->program->n_functions;
    while (--i >= 0) {
        const struct ck_func_info *info = &gen->funcs[i];
        if (v_function == info->v_args || v_function == info->v_small ||
            v_function == info->v_function)
            break;
    }
    return i >= 0 ? &gen->funcs[i] : NULL;
}

const struct ck_tfunc *
ck_gen_source_of(const struct ck_gen *gen, LLVMValueRef v_function)
{
    const struct ck_func_info *info = info_of(gen, v_function);
    return info ? info->tfunc : NULL;
}

bool
ck_gen_is_small(const struct ck_gen *gen)
{
    return gen->options->small_launches || (gen->func && gen->func->is_small);
}

bool
ck_gen_is_small_function(const struct ck_gen *gen, LLVMValueRef v_function)
{
    const struct ck_func_info *info =
        gen->options->small_launches ? NULL : info_of(gen, v_function);
    return gen->options->small_launches || (info && info->v_small == v_function);
}

bool
ck_gen_has_small_function(const struct ck_gen *gen)
{
    int i = gen->program->n_functions;
    while (--i >= 0 && !gen->funcs[i].v_small)
        ;
    return gen->options->small_launches || i >= 0;
}

uint64_t
ck_gen_extent_end(const struct ck_tfunc *tfunc, const struct ck_type *array, bool is_small)
{
    if (!tfunc->is_kernel)
        return CK_NOT_NEGATIVE;
    return is_small ? CK_SMALL_ELEMENTS
                    : CK_NOT_NEGATIVE / (uint64_t)ck_type_size(array->array.elem);
}

uint64_t
ck_gen_argument_end(const struct ck_gen *gen, LLVMValueRef v_argument)
{
    LLVMValueRef v_function = LLVMGetParamParent(v_argument);
    const struct ck_func_info *info = info_of(gen, v_function);
    if (!info || info->v_function == v_function)
        return 0;
    const struct ck_tfunc *tfunc = info->tfunc;
    unsigned index = info->first_arg - 1;
    for (int i = 0; i < tfunc->n_params; i++) {
        const struct ck_type *type = tfunc->locals[i].type;
        for (unsigned dim = 0; ck_type_is_array(type) && dim < (unsigned)type->array.ndim; dim++) {
            if (LLVMGetParam(v_function, index + 1 + dim) == v_argument)
                return ck_gen_extent_end(tfunc, type, ck_gen_is_small_function(gen, v_function));
        }
        index += (unsigned)ck_gen_n_entry_params(gen, type);
    }
    return 0;
}

bool
ck_gen_is_spacious(const struct ck_tfunc *tfunc)
{
    enum { MOST_THREADS = 256 };
    return ck_tfunc_has(tfunc, CK_EFFECT_GRID_BARRIER) && tfunc->bounds.max_threads > 0 &&
           tfunc->bounds.max_threads <= MOST_THREADS && !tfunc->bounds.min_blocks &&
           !tfunc->bounds.max_registers;
}

uint64_t
ck_gen_shared_bytes(struct ck_gen *gen, const struct ck_func_info *info)
{
    struct ck_arena_mark mark = ck_arena_mark(&gen->arena);
    const struct ck_tfunc **reached;
    uint64_t bytes = 0;
    for (int n = ck_shared_reached(&gen->arena, info->tfunc, &reached); n-- > 0;)
        bytes = gen->target->memory->shared_bytes(bytes, ck_gen_func_info(gen, reached[n]));
    ck_arena_release(&gen->arena, mark);
    return bytes + gen->target->block->barrier_bytes(info->tfunc) + info->bulk_copy_bytes;
}
