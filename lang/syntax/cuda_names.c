/* The table of CUDA C++'s names. */
#include "lang/syntax/cuda_names.h"

#include <stddef.h>
#include <string.h>

static const struct ck_cuda_name rows[] = {
#define CK_CUDA_NAME(name, use, text) {name, use, text},
#include "lang/syntax/cuda_names.def"
#undef CK_CUDA_NAME
};

const struct ck_cuda_name *
ck_cuda_name_find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}
