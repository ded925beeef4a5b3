/* Names of C for kernels, parameters and arrays of the module. See c_names.h. */
#include "c_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"

/* Words that no parameter may be called: those of C and C++, macros of GNU C, and what the
 * functions use. */
static const char *const taken[] = {
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "atomic_cancel",
    "atomic_commit",
    "atomic_noexcept",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "linux",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "xor",
    "xor_eq",
    "args",
    "assert",
    "block",
    "EOF",
    "errno",
    "grid",
    "how",
    "image",
    "shape",
    "stderr",
    "stdin",
    "stdout",
    "stream",
    "NULL",
};

/* Beginnings of the names of macros, types and functions in the headers. */
static const char *const taken_starts[] = {"_",       "ck_",        "CK_",  "INT",   "UINT",
                                           "PTRDIFF", "SIG_ATOMIC", "SIZE", "WCHAR", "WINT"};

static bool
is_word(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        found = found || strcmp(taken[i], name) == 0;
    return found;
}

static bool
is_taken(const char *name)
{
    const size_t length = strlen(name);
    bool found = is_word(name) ||
                 (length > 2 && strcmp(name + length - 2, "_t") == 0); /* a type, as int32_t */
    for (size_t i = 0; i < sizeof taken_starts / sizeof *taken_starts; i++)
        found = found || strncmp(taken_starts[i], name, strlen(taken_starts[i])) == 0;
    return found;
}

char *
c_stub_name(const char *name, bool avoid)
{
    char *text = tool_printf("%s_", name);
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]))
            text[i] = '_';
    }
    if (!avoid && text[length - 1] != '_')
        text[length] = '\0';
    return text;
}

/* A kernel's name in C, which functions begin with: they may not be the library's. */
static char *
kernel_name(const ck_kernel_desc *kernel)
{
    return c_stub_name(kernel->name, is_word(kernel->name) || strncmp(kernel->name, "ck_", 3) == 0);
}

char **
c_stub_param_names(const ck_kernel_desc *kernel)
{
    char **names = tool_alloc(((size_t)kernel->n_params + 1) * sizeof *names);
    for (int i = 0; i < kernel->n_params; i++) {
        names[i] = c_stub_name(kernel->params[i].name, is_taken(kernel->params[i].name));
        for (int k = 0; k < i; k++) {
            if (strcmp(names[k], names[i]) != 0)
                continue;
            char *longer = tool_printf("%s_", names[i]);
            free(names[i]);
            names[i] = longer;
            k = -1; /* compare with all of them again */
        }
    }
    return names;
}

void
c_stub_free_names(char **names, const ck_kernel_desc *kernel)
{
    for (int i = 0; i < kernel->n_params; i++)
        free(names[i]);
    free(names);
}

/* How many kernels before this one have its name in C; `*more`: whether any other has. */
static int
count_before(const ck_module *module, size_t i, bool *more)
{
    int before = 0;
    char *name = kernel_name(ck_module_kernel(module, i));
    *more = false;
    for (size_t k = 0; k < ck_module_n_kernels(module); k++) {
        const ck_kernel_desc *kernel = ck_module_kernel(module, k);
        char *other = kernel_name(kernel);
        bool same = k != i && strcmp(other, name) == 0;
        *more = *more || same;
        before += same && k < i;
        free(other);
    }
    free(name);
    return before;
}

char *
c_stub_function_name(const ck_module *module, size_t i)
{
    bool more;
    int before = count_before(module, i, &more);
    char *name = kernel_name(ck_module_kernel(module, i));
    char *text =
        more ? tool_printf("%s_launch_%d", name, before + 1) : tool_printf("%s_launch", name);
    free(name);
    return text;
}

char *
c_stub_cxx_name(const ck_module *module, size_t i)
{
    const ck_kernel_desc *kernel = ck_module_kernel(module, i);
    char *own = kernel_name(kernel);
    char *name = c_stub_name(kernel->name, is_taken(kernel->name));
    bool is_shared = false, more;
    for (size_t k = 0; k < ck_module_n_kernels(module); k++) {
        const ck_kernel_desc *other = ck_module_kernel(module, k);
        char *text = kernel_name(other);
        is_shared = is_shared || (strcmp(other->name, kernel->name) != 0 && strcmp(text, own) == 0);
        free(text);
    }
    if (is_shared) {
        char *longer = tool_printf("%s_%d", name, count_before(module, i, &more) + 1);
        free(name);
        name = longer;
    }
    free(own);
    return name;
}
