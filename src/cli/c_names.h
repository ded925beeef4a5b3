/* Names of C and C++ for what a module has, as --emit=c writes them. All are to be freed. */
#ifndef C_NAMES_H
#define C_NAMES_H

#include <stdbool.h>

#include <ck/ck.h>

/* A name of ck as one of C: other characters become `_`, and a name that is taken has one more if
 * `avoid` is true. */
char *c_stub_name(const char *name, bool avoid);
/* The function of kernel `i` in C++, which signatures share. */
char *c_stub_cxx_name(const ck_module *module, size_t i);
/* The parameters' names, each another one; to be freed by c_stub_free_names. */
char **c_stub_param_names(const ck_kernel_desc *kernel);
void c_stub_free_names(char **names, const ck_kernel_desc *kernel);
/* "saxpy_launch" of kernel `i`; "saxpy_launch_2" of the second signature of several. */
char *c_stub_function_name(const ck_module *module, size_t i);

#endif
