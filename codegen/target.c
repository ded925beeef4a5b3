/* The targets there are. */
#include "codegen/target.h"

#include <string.h>

#include "codegen/codegen.h"

const char *const *
ck_codegen_archs(void)
{
    return ck_target_nvptx_archs();
}

const struct ck_target *
ck_target_find(const char *arch)
{
    if (strcmp(arch, "host") == 0)
        return &ck_target_host;
    for (const char *const *known = ck_target_nvptx_archs(); *known; known++) {
        if (strcmp(arch, *known) == 0)
            return &ck_target_nvptx;
    }
    return NULL;
}
