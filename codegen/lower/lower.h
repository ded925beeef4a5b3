/* Lowering: what its files have of each other, and what others have of them. */
#ifndef CK_LOWER_H
#define CK_LOWER_H

#include "codegen/core/gen.h"

/* --- function.c --- */
void ck_gen_functions(struct ck_gen *gen);
/* Starts and ends the code of an LLVM function. */
void ck_gen_enter(struct ck_gen *gen, struct ck_gen_function *func, LLVMValueRef v_function);
void ck_gen_finish(struct ck_gen *gen);
/* The function's statements, here, with these arguments. */
struct ck_gen_value ck_gen_expand(struct ck_gen *gen, const struct ck_func_info *info,
                                  struct ck_gen_value args, struct ck_span call);
struct ck_gen_value ck_gen_call(struct ck_gen *gen, const struct ck_texpr *call);
/* All parameters' parts in a row. */
int ck_gen_n_param_parts(const struct ck_tfunc *tfunc);
void ck_gen_param_types(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMTypeRef *out);
/* What an extent of an array that is a parameter is below: launches refuse arrays that are larger
 * than the address space. Of a view within the kernel it is only known not to be negative. */
uint64_t ck_gen_extent_end(const struct ck_tfunc *tfunc, const struct ck_type *array);
/* Marks the shapes among the parameters from LLVM index `first` on as in this range. */
void ck_gen_mark_shapes(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMValueRef v_function,
                        unsigned first);

/* --- stmt.c --- */
void ck_gen_block(struct ck_gen *gen, const struct ck_tblock *block);

/* --- expr.c --- */
struct ck_gen_value ck_gen_expr(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_scalar(struct ck_gen *gen, const struct ck_texpr *expr);
void ck_gen_assign(struct ck_gen *gen, int local, struct ck_gen_value value);

/* --- arith.c, cast.c --- */
LLVMValueRef ck_gen_unary(struct ck_gen *gen, enum ck_unary_op op, const struct ck_type *type,
                          LLVMValueRef v_operand);
LLVMValueRef ck_gen_binary(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_compare(struct ck_gen *gen, enum ck_compare_op op, const struct ck_type *type,
                            LLVMValueRef v_left, LLVMValueRef v_right);
LLVMValueRef ck_gen_cast(struct ck_gen *gen, const struct ck_type *from, const struct ck_type *to,
                         LLVMValueRef v_value);
/* float16 and bfloat16 are computed in float32 and rounded after each operation. */
const struct ck_type *ck_gen_wide_type(const struct ck_type *type);
LLVMValueRef ck_gen_widen(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value);
LLVMValueRef ck_gen_narrow(struct ck_gen *gen, const struct ck_type *type, LLVMValueRef v_value);

/* --- complex.c --- */
/* An expression of complex type of a kind that has no other function. */
struct ck_gen_value ck_gen_complex(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_complex_compare(struct ck_gen *gen, const struct ck_texpr *expr);
LLVMValueRef ck_gen_complex_truth(struct ck_gen *gen, struct ck_gen_value value);
LLVMValueRef ck_gen_complex_abs(struct ck_gen *gen, const struct ck_texpr *operand);
/* Both parts as a vector, and back. */
LLVMValueRef ck_gen_complex_pack(struct ck_gen *gen, struct ck_gen_value value);
struct ck_gen_value ck_gen_complex_unpack(struct ck_gen *gen, LLVMValueRef v_vector);

/* --- builtin_atomic.c --- */
/* What an atomic access orders, and for which threads. */
struct ck_atomicity {
    enum ck_order order;
    enum ck_scope scope;
};
void ck_gen_set_atomic(struct ck_gen *gen, LLVMValueRef v_access, struct ck_atomicity how);

/* --- array.c --- */
LLVMValueRef ck_gen_element_address(struct ck_gen *gen, const struct ck_type *array,
                                    struct ck_gen_value value, const struct ck_tindex *indices);
/* What was loaded from an array, as a value that is not LLVM's `poison`, on which a branch would be
 * undefined: an element of a local array that was never stored, or is out of range, has any value,
 * but always the same; so has one out of a constant array's range. LLVM takes what other memory
 * holds for values. */
LLVMValueRef ck_gen_settle(struct ck_gen *gen, const struct ck_type *array, LLVMValueRef v_loaded);
struct ck_gen_value ck_gen_element_load(struct ck_gen *gen, const struct ck_texpr *element);
/* A load of one scalar in its form in memory, of an order that a load may have. */
LLVMValueRef ck_gen_load_atomic(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address,
                                struct ck_atomicity how);
void ck_gen_element_store(struct ck_gen *gen, const struct ck_type *elem, LLVMValueRef v_address,
                          struct ck_gen_value value);
LLVMValueRef ck_gen_stride_bytes(struct ck_gen *gen, const struct ck_type *array,
                                 struct ck_gen_value value, int dim);
/* An index as int64, below zero from the end where it may be. */
LLVMValueRef ck_gen_index(struct ck_gen *gen, const struct ck_tindex *index, LLVMValueRef v_extent);
/* In elements. */
LLVMValueRef ck_gen_stride(struct ck_gen *gen, const struct ck_type *array,
                           struct ck_gen_value value, int dim);
struct ck_gen_value ck_gen_retype(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- view.c --- */
struct ck_gen_value ck_gen_view(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_reinterpret(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_transpose(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- const_array.c --- */
struct ck_gen_value ck_gen_const_array(struct ck_gen *gen, const struct ck_texpr *expr);
/* Once no pass folds loads any more, those of constant arrays need no `freeze`, which keeps a load
 * and its extension from becoming one instruction. */
void ck_gen_thaw_constants(struct ck_gen *gen);

/* --- local_array.c --- */
/* Counts memory that the current function's threads need. */
void ck_gen_use_local(struct ck_gen *gen, uint64_t bytes);

/* --- builtin.c --- */
struct ck_gen_value ck_gen_builtin(struct ck_gen *gen, const struct ck_texpr *expr);
/* The product of the three extents that a place names, int64: a block's threads, a grid's blocks.
 */
LLVMValueRef ck_gen_volume(struct ck_gen *gen, enum ck_place size);

#endif
