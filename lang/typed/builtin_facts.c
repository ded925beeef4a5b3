/* Facts about the built-ins: columns of builtins.def, and sets of rows. */
#include "lang/typed/typed.h"

enum ck_uniformity
ck_builtin_uniformity(enum ck_builtin_id id)
{
    static const enum ck_uniformity uniformities[] = {
#define CK_BUILTIN(id, path, rule, min_args, max_args, lower, uniformity, doc)                     \
    [CK_BUILTIN_##id] = CK_UNIFORMITY_##uniformity,
#include "lang/typed/builtins.def"
#undef CK_BUILTIN
    };
    return uniformities[id];
}

bool
ck_builtin_is_position(enum ck_builtin_id id)
{
    switch (id) {
    case CK_BUILTIN_GRID:
    case CK_BUILTIN_GRIDSIZE:
    case CK_BUILTIN_THREAD_IDX_X:
    case CK_BUILTIN_THREAD_IDX_Y:
    case CK_BUILTIN_THREAD_IDX_Z:
    case CK_BUILTIN_BLOCK_IDX_X:
    case CK_BUILTIN_BLOCK_IDX_Y:
    case CK_BUILTIN_BLOCK_IDX_Z:
    case CK_BUILTIN_BLOCK_DIM_X:
    case CK_BUILTIN_BLOCK_DIM_Y:
    case CK_BUILTIN_BLOCK_DIM_Z:
    case CK_BUILTIN_GRID_DIM_X:
    case CK_BUILTIN_GRID_DIM_Y:
    case CK_BUILTIN_GRID_DIM_Z:
        return true;
    default:
        return false;
    }
}
