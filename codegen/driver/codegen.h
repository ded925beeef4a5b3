/* Code generation: a typed program to PTX, to LLVM IR, or to host code in memory.
 *
 * Nothing outside codegen/ includes an LLVM header. Errors here are bugs or limits of ck, never of
 * the user's program, which the checker has accepted. */
#ifndef CK_CODEGEN_H
#define CK_CODEGEN_H

#include <ck/base.h>

#include "codegen/core/options.h"
#include "lang/typed/typed.h"
#include "runtime/image/image.h"

/* CODE is the input of ck_codegen_load: PTX text, or host code for this machine as bytes. */
enum ck_codegen_form {
    CK_FORM_CODE,
    CK_FORM_PTX,
    CK_FORM_LLVM,
    CK_FORM_LLVM_RAW,
    CK_FORM_MANIFEST
};

/* The supported GPU architectures, as a NULL-terminated list: "sm_75", ... */
const char *const *ck_codegen_archs(void);

/* Symbols that no kernel of the program may have, whatever its target, as a NULL-terminated list.
 */
const char *const *ck_codegen_reserved_symbols(void);

bool ck_codegen_knows(const char *arch);
bool ck_codegen_has_ptx(const char *arch);

/* Describes a kernel before code generation. The result lacks the assumptions about arrays and the
 * shared memory of bulk copies. The arena owns the strings. Returns the parameters, for the caller
 * to complete. */
ck_param_info *ck_codegen_describe(ck_kernel_desc *out, struct ck_arena *arena,
                                   const struct ck_tfunc *kernel, const char *arch);

/* Describes an array of the module. The arena owns the strings. */
ck_global_desc ck_codegen_describe_global(struct ck_arena *arena,
                                          const struct ck_module_array *array);

/* Writes the program's kernels in a form, for an arch. */
ck_status ck_codegen_write(struct ck_strbuf *out, ck_context *ctx, const struct ck_program *program,
                           const struct ck_codegen_options *options, enum ck_codegen_form form);

/* Loads CODE, which the same build of ck wrote with the same options, as an image: PTX, or host
 * code ready to call. CK_ERROR_FORMAT: the bytes are not such code. */
ck_status ck_codegen_load(struct ck_image **out, ck_context *ctx,
                          const struct ck_codegen_options *options, const char *code,
                          size_t length);

/* Adds to a cache's key all inputs of CODE besides the program and the build of ck. False: a file
 * cannot be read. */
bool ck_codegen_identify(struct ck_strbuf *key, const struct ck_codegen_options *options);

#endif
