/* The list of targets. */
#include "codegen/core/target.h"
#include "codegen/nvptx/reserved_symbols.h"

#include <string.h>

#include "codegen/driver/codegen.h"

const char *const *
ck_codegen_archs(void)
{
    return ck_target_nvptx_archs();
}

const char *const *
ck_codegen_reserved_symbols(void)
{
    static const char *const symbols[] = {CK_NVPTX_RESERVED_SYMBOLS, NULL};
    return symbols;
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

bool
ck_codegen_knows(const char *arch)
{
    return ck_target_find(arch) != NULL;
}

bool
ck_codegen_has_ptx(const char *arch)
{
    const struct ck_target *target = ck_target_find(arch);
    return target && target->traits.has_text;
}
