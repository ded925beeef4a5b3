/* The functions that read files: fromfile and loadtxt, with NumPy's arguments. */
#include "call.h"

#include <stdlib.h>

#include "../files/array_file.h"

/* Argument 0, a file's name: to be freed; NULL after an error. */
static char *
path_argument(struct ckrun_call *call)
{
    const struct ckrun_value *v = &call->value[0];
    if (v->kind == CKRUN_STRING) {
        ckrun_add_input(call->p->env, v->string.text, v->string.length);
        return tool_strndup(v->string.text, v->string.length);
    }
    ckrun_parse_fail(call->p, call->value_at[0],
                     "`%s` takes the name of a file in quotes: this is "
                     "%s",
                     call->name, ckrun_kind_text(v->kind));
    return NULL;
}

/* Argument `i`, an integer of at least `least`; `otherwise` if it was not given. */
static int64_t
count_argument(struct ckrun_call *call, int i, int64_t least, int64_t otherwise)
{
    const struct ckrun_value *v = &call->value[i];
    if (!call->given[i])
        return otherwise;
    if (v->kind == CKRUN_INT && v->i >= least && v->i <= INT64_MAX)
        return (int64_t)v->i;
    ckrun_parse_fail(call->p, call->value_at[i], "`%s` is an integer, %lld or more",
                     call->params[i], (long long)least);
    return otherwise;
}

static struct ckrun_value
read_array(struct ckrun_call *call, char *path, int status, const ck_npy *host)
{
    free(path);
    if (status == TOOL_DONE)
        return (struct ckrun_value){.kind = CKRUN_ARRAY,
                                    .array = ckrun_array_adopt(call->p->env, host)};
    call->p->failed_read = true;
    ckrun_parse_fail(call->p, call->at, "the file was not read");
    return ckrun_int_value(0);
}

struct ckrun_value
ckrun_call_fromfile(struct ckrun_call *call)
{
    ck_npy host;
    const ck_record *record = ckrun_record_argument(call, 1);
    ck_dtype dtype = record ? CK_RECORD : ckrun_dtype_argument(call, 1, CK_FLOAT64);
    if (record && ckrun_has_bools(record)) /* whose bytes may be others than 0 and 1 */
        ckrun_parse_fail(call->p, call->value_at[1],
                         "`fromfile` reads no records that have bools: take uint8, or a .npy file");
    int64_t count = count_argument(call, 2, -1, -1), offset = count_argument(call, 3, 0, 0);
    char *path = call->p->error ? NULL : path_argument(call);
    if (!path)
        return ckrun_int_value(0);
    return read_array(call, path, ckrun_read_raw(&host, path, dtype, record, count, offset), &host);
}

struct ckrun_value
ckrun_call_loadtxt(struct ckrun_call *call)
{
    const struct ckrun_value *given = &call->value[2];
    char delimiter = 0;
    ck_npy host;
    ck_dtype dtype = ckrun_dtype_argument(call, 1, CK_FLOAT64);
    int64_t skipped = count_argument(call, 3, 0, 0);
    if (call->given[2] && given->kind == CKRUN_STRING && given->string.length == 1)
        delimiter = given->string.text[0];
    else if (call->given[2] && given->kind != CKRUN_NONE)
        ckrun_parse_fail(call->p, call->value_at[2], "`delimiter` is one character in quotes");
    if (!call->p->error && ckrun_is_complex_dtype(dtype))
        ckrun_parse_fail(call->p, call->value_at[1], "`loadtxt` reads real numbers");
    char *path = call->p->error ? NULL : path_argument(call);
    if (!path)
        return ckrun_int_value(0);
    return read_array(call, path, ckrun_read_text(&host, path, dtype, delimiter, skipped), &host);
}
