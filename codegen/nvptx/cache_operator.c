/* Loads and stores with a cache operator, and prefetches. LLVM has no instruction for them: they
 * are inline PTX, which no pass moves, removes or doubles. */
#include <string.h>

#include "codegen/nvptx/nvptx.h"

/* The registers of a value of 1, 2, 4 or 8 bytes: there are none of 8 bits. */
static const struct {
    unsigned bits;
    char constraint;
} registers[] = {{16, 'h'}, {16, 'h'}, {32, 'r'}, {64, 'l'}};

static int
size_class(unsigned bytes)
{
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

/* The state space of the pointer, as instructions name it: "" is generic. */
static const char *
space_of(struct ck_gen *gen, LLVMValueRef v_address)
{
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v_address));
    return space == gen->target->address_spaces[CK_SPACE_GLOBAL] ? ".global" : "";
}

LLVMValueRef
ck_nvptx_hinted_load(struct ck_gen *gen, const char *hint, LLVMValueRef v_address, unsigned bytes)
{
    const int k = size_class(bytes);
    LLVMTypeRef held = LLVMIntTypeInContext(gen->llvm, registers[k].bits);
    const char *text = ck_arena_printf(&gen->arena, "ld%s.%s.u%u $0, [$1];",
                                       space_of(gen, v_address), hint, bytes * 8);
    const char *constraints =
        ck_arena_printf(&gen->arena, "=%c,l,~{memory}", registers[k].constraint);
    LLVMValueRef v_bits = ck_nvptx_asm(gen, true, text, constraints, held, &v_address, 1);
    LLVMTypeRef exact = LLVMIntTypeInContext(gen->llvm, bytes * 8);
    return LLVMBuildIntCast2(gen->builder, v_bits, exact, false, "");
}

void
ck_nvptx_hinted_store(struct ck_gen *gen, const char *hint, LLVMValueRef v_address,
                      LLVMValueRef v_bits, unsigned bytes)
{
    const int k = size_class(bytes);
    LLVMTypeRef held = LLVMIntTypeInContext(gen->llvm, registers[k].bits);
    const char *text = ck_arena_printf(&gen->arena, "st%s.%s.u%u [$0], $1;",
                                       space_of(gen, v_address), hint, bytes * 8);
    const char *constraints =
        ck_arena_printf(&gen->arena, "l,%c,~{memory}", registers[k].constraint);
    LLVMValueRef args[] = {v_address, LLVMBuildIntCast2(gen->builder, v_bits, held, false, "")};
    ck_nvptx_asm(gen, true, text, constraints, LLVMVoidTypeInContext(gen->llvm), args, 2);
}

void
ck_nvptx_prefetch(struct ck_gen *gen, LLVMValueRef v_address)
{
    const char *text =
        ck_arena_printf(&gen->arena, "prefetch%s.L2 [$0];", space_of(gen, v_address));
    ck_nvptx_asm(gen, true, text, "l", LLVMVoidTypeInContext(gen->llvm), &v_address, 1);
}
