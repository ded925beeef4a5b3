/* Arrays of the module in the device's memory: their names and symbols. */
#include <stdlib.h>
#include <string.h>

#include "lang/check/check.h"
#include "lang/check/module_array.h"

/* The name, as PTX can have it: names that begin with `__` are those of compilers and of CUDA's
 * math library. Of an item of a tuple, `PAIR[0]`, it is `PAIR_0`. */
static const char *
symbol_of(struct ck_checker *c, const char *name)
{
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    const char *index = strchr(name, '[');
    ck_mangle_name(&text, index ? ck_arena_strndup(c->arena, name, (size_t)(index - name)) : name);
    if (index)
        ck_strbuf_printf(&text, "_%d", atoi(index + 1));
    if (strncmp(name, "__", 2) == 0 || ck_is_reserved_symbol(c, ck_strbuf_text(&text)))
        ck_strbuf_puts(&text, "_array");
    while (ck_is_array_symbol(c, ck_strbuf_text(&text)))
        ck_strbuf_putc(&text, '_');
    return ck_arena_take(c->arena, ck_strbuf_take(&text));
}

struct ck_module_array *
ck_keep_module_array(struct ck_checker *c, struct ck_module_array *array, const char *name)
{
    if (*array->name) /* another name of it */
        return array;
    for (int i = 0; i < c->n_module_arrays; i++) {
        struct ck_module_array *earlier = c->module_arrays[i];
        if (strcmp(earlier->name, name) == 0 && earlier->span.start == array->span.start)
            return earlier;
    }
    array->name = name;
    array->symbol = symbol_of(c, name);
    CK_PUSH(c->arena, c->module_arrays, c->n_module_arrays, c->module_arrays_capacity, array);
    return array;
}

bool
ck_is_array_symbol(const struct ck_checker *c, const char *symbol)
{
    for (int i = 0; i < c->n_module_arrays; i++) {
        if (strcmp(c->module_arrays[i]->symbol, symbol) == 0)
            return true;
    }
    return false;
}

int
ck_checker_n_arrays(const struct ck_checker *checker)
{
    return checker->n_module_arrays;
}

const struct ck_module_array *
ck_checker_array(const struct ck_checker *checker, int i)
{
    return checker->module_arrays[i];
}
