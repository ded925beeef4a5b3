/* Lowering: the functions of its files, grouped by the file they are in. */
#ifndef CK_LOWER_H
#define CK_LOWER_H

#include "codegen/core/gen.h"

/* --- function.c --- */
void ck_gen_functions(struct ck_gen *gen);
/* Starts and ends the code of an LLVM function. */
void ck_gen_enter(struct ck_gen *gen, struct ck_gen_function *func, LLVMValueRef v_function);
void ck_gen_finish(struct ck_gen *gen);
/* Inlines the function's statements at the builder's position. */
struct ck_gen_value ck_gen_inline(struct ck_gen *gen, const struct ck_func_info *info,
                                  struct ck_gen_value args, struct ck_span call);
struct ck_gen_value ck_gen_call(struct ck_gen *gen, const struct ck_texpr *call);
/* The parts of all parameters, in order. */
int ck_gen_n_param_parts(const struct ck_tfunc *tfunc);
void ck_gen_param_types(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMTypeRef *out);
/* Adds the range of each extent to the parameters from LLVM index `first` on. */
void ck_gen_mark_shapes(struct ck_gen *gen, const struct ck_tfunc *tfunc, LLVMValueRef v_function,
                        unsigned first, bool is_small);

/* --- stack_limit.c --- */
/* The stack that recursive calls have used so far, as an i32. */
LLVMValueRef ck_gen_stack_used(struct ck_gen *gen);
/* Adds the frame of the recursive function that begins here; fails if the stack is too small. */
void ck_gen_limit_recursion(struct ck_gen *gen, const struct ck_tfunc *tfunc);

/* --- stmt.c --- */
void ck_gen_block(struct ck_gen *gen, const struct ck_tblock *block);
/* The conversion of a printed item with the size of its argument, 8 bytes. */
const char *ck_gen_conversion(struct ck_gen *gen, const char *conversion,
                              const struct ck_type *type);

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
/* Converts to a vector of both parts, and back. */
LLVMValueRef ck_gen_complex_pack(struct ck_gen *gen, struct ck_gen_value value);
struct ck_gen_value ck_gen_complex_unpack(struct ck_gen *gen, LLVMValueRef v_vector);

/* --- builtin_atomic.c --- */
/* The memory order and the scope of an atomic access. */
struct ck_atomicity {
    enum ck_order order;
    enum ck_scope scope;
};
void ck_gen_set_atomic(struct ck_gen *gen, LLVMValueRef v_access, struct ck_atomicity how);

/* --- assertion.c --- */
void ck_gen_assert(struct ck_gen *gen, const struct ck_tstmt *stmt);

/* --- access_site.c --- */
/* Adds the place of an access, or of a copy; returns 1 + its index in the manifest. */
uint32_t ck_gen_access_site(struct ck_gen *gen, const struct ck_texpr *array,
                            const struct ck_tindex *index);
uint32_t ck_gen_copy_site(struct ck_gen *gen, struct ck_span span);
/* The place of an operation, and its first operand; NULL: it is not written. */
uint32_t ck_gen_operation_site(struct ck_gen *gen, struct ck_span span,
                               const struct ck_texpr *operand);
/* The same of a place, in code of the frame (NULL: no user's), that accesses nothing. */
uint32_t ck_gen_place_site(struct ck_gen *gen, const struct ck_frame *frame, struct ck_span span);

/* --- checks.c --- */
/* Whether the code has one of these checks where lowering is: the prelude has none. */
bool ck_gen_checks(const struct ck_gen *gen, unsigned check);
/* Whether the code has checks; and of accesses to memory. */
bool ck_gen_has_findings(const struct ck_gen *gen);
bool ck_gen_checks_memory(const struct ck_gen *gen);
/* Emits the check of an index, if the code has it. */
void ck_gen_check_index(struct ck_gen *gen, const struct ck_texpr *array, int axis,
                        const struct ck_tindex *index, LLVMValueRef v_index, LLVMValueRef v_extent);

/* The same for an access to an array whose data begins at `v_base`. `index`: its last one. */
void ck_gen_check_access(struct ck_gen *gen, const struct ck_texpr *array,
                         const struct ck_tindex *index, LLVMValueRef v_base, LLVMValueRef v_address,
                         unsigned bytes, struct ck_access_kind kind);
/* Asynchronous copies: struct ck_check_ops has what these mean. */
void ck_gen_check_copy(struct ck_gen *gen, const struct ck_texpr *to, LLVMValueRef v_to,
                       const struct ck_texpr *from, LLVMValueRef v_from, unsigned bytes,
                       struct ck_span span);
void ck_gen_check_commit(struct ck_gen *gen);
void ck_gen_check_wait(struct ck_gen *gen, unsigned n);
/* Memory of an array that begins without values. */
void ck_gen_check_unset(struct ck_gen *gen, LLVMValueRef v_address, uint64_t bytes);

/* --- overflow_checks.c: emit the check of an operation, if the code has it --- */
void ck_gen_check_binary(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_left,
                         LLVMValueRef v_right, LLVMValueRef v_result);
/* Of a negation or a magnitude. */
void ck_gen_check_negated(struct ck_gen *gen, const struct ck_texpr *expr,
                          const struct ck_texpr *operand, LLVMValueRef v_operand,
                          LLVMValueRef v_result);
/* `v_operand` may be a rounded value, of the operand's type or its wide one. */
void ck_gen_check_cast(struct ck_gen *gen, const struct ck_texpr *expr,
                       const struct ck_texpr *operand, LLVMValueRef v_operand,
                       LLVMValueRef v_result);
/* Of an atomic addition or subtraction that has replaced `v_old`. */
void ck_gen_check_atomic_sum(struct ck_gen *gen, const struct ck_texpr *expr, LLVMValueRef v_old,
                             LLVMValueRef v_value);

/* --- array.c --- */
/* The type whose size is one step of an array's strides. */
LLVMTypeRef ck_gen_step_type(struct ck_gen *gen, const struct ck_type *array);
/* A C-contiguous array of constant extents. */
struct ck_gen_value ck_gen_fixed_array(struct ck_gen *gen, const struct ck_type *type,
                                       LLVMValueRef v_address, const int64_t *shape);
LLVMValueRef ck_gen_element_address(struct ck_gen *gen, const struct ck_texpr *array,
                                    struct ck_gen_value value, const struct ck_tindex *indices);
/* The last of an element's indices; of an array without dimensions one without a value. */
const struct ck_tindex *ck_gen_last_index(const struct ck_texpr *array,
                                          const struct ck_tindex *indices);
/* Freezes a value loaded from a local or a constant array. An element that was never stored, or is
 * out of range, would be LLVM's `poison` or `undef` there, on which a branch is undefined; frozen
 * it has an arbitrary but fixed value. LLVM assumes that other memory holds values. */
LLVMValueRef ck_gen_settle(struct ck_gen *gen, const struct ck_type *array, LLVMValueRef v_loaded);
struct ck_gen_value ck_gen_element_load(struct ck_gen *gen, const struct ck_texpr *element);
/* An atomic load of one scalar in its form in memory; the order is one that a load may have. */
LLVMValueRef ck_gen_load_atomic(struct ck_gen *gen, LLVMTypeRef type, LLVMValueRef v_address,
                                struct ck_atomicity how);
void ck_gen_element_store(struct ck_gen *gen, const struct ck_type *array, LLVMValueRef v_address,
                          struct ck_gen_value value);
LLVMValueRef ck_gen_stride_bytes(struct ck_gen *gen, const struct ck_type *array,
                                 struct ck_gen_value value, int dim);
/* The index of an array's axis as int64; if it wraps, a negative one counts from the end. */
LLVMValueRef ck_gen_index(struct ck_gen *gen, const struct ck_texpr *array, int axis,
                          const struct ck_tindex *index, LLVMValueRef v_extent);
/* In elements. */
LLVMValueRef ck_gen_stride(struct ck_gen *gen, const struct ck_type *array,
                           struct ck_gen_value value, int dim);
struct ck_gen_value ck_gen_retype(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- view.c --- */
struct ck_gen_value ck_gen_view(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_reinterpret(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_transpose(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_address(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_reshape(struct ck_gen *gen, const struct ck_texpr *expr);
struct ck_gen_value ck_gen_field(struct ck_gen *gen, const struct ck_texpr *expr);

/* --- module_array.c --- */
struct ck_gen_value ck_gen_module_array(struct ck_gen *gen, const struct ck_texpr *expr);
/* Whether the array's variable holds its address; the variable's name. */
bool ck_gen_is_by_address(const struct ck_gen *gen, const struct ck_module_array *array);
const char *ck_gen_array_symbol(struct ck_gen *gen, const struct ck_module_array *array);

/* --- const_array.c --- */
struct ck_gen_value ck_gen_const_array(struct ck_gen *gen, const struct ck_texpr *expr);
/* After the passes: erases the `freeze` of loads from constant arrays. No pass folds the loads any
 * more, and the back end could not merge a load with an extension of its frozen value. */
void ck_gen_thaw_constants(struct ck_gen *gen);

/* --- local_array.c --- */
/* Adds to the local memory that the current function needs a thread. */
void ck_gen_use_local(struct ck_gen *gen, uint64_t bytes);

/* --- builtin.c --- */
struct ck_gen_value ck_gen_builtin(struct ck_gen *gen, const struct ck_texpr *expr);
/* The product of the three extents that a place names, int64: a block's threads, a grid's blocks.
 */
LLVMValueRef ck_gen_volume(struct ck_gen *gen, enum ck_place size);

#endif
