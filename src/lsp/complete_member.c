/* Completion after a dot. The checker decides what the object is: the line of the cursor is
 * replaced by the object with an attribute that nothing has, so that the rest of the line, which is
 * being written, does not matter. */
#include <string.h>

#include "complete.h"

static const char placeholder[] = "ck_lsp_placeholder";

/* --- The object ----------------------------------------------------------------------------------
 */

/* The start of the bracket that ends before `end`, or `end` if it is not on this line. */
static uint32_t
open_bracket(const char *text, uint32_t line, uint32_t end)
{
    int depth = 0;
    for (uint32_t at = end; at > line; at--) {
        char c = text[at - 1];
        depth += (c == ')' || c == ']') - (c == '(' || c == '[');
        if (!depth)
            return at - 1;
    }
    return end;
}

/* The start of the object that ends at `end`: names, dots, and what is in brackets behind them. */
static uint32_t
object_start(const char *text, uint32_t line, uint32_t end)
{
    uint32_t at = end;
    while (at > line) {
        char c = text[at - 1];
        uint32_t before = at;
        if (c == ')' || c == ']')
            at = open_bracket(text, line, at);
        else if (lsp_is_word_byte(c) || c == '.')
            at--;
        if (at == before)
            break;
    }
    return at;
}

static uint32_t
indent_of(const char *text, struct ck_span line)
{
    return (uint32_t)strspn(text + line.start, " \t");
}

/* Whether the next line that is not empty is indented deeper: the line is a header of it. */
static bool
has_block(const struct ck_source *source, uint32_t line)
{
    uint32_t indent = indent_of(source->text, ck_source_line(source, line));
    for (line++; line <= source->n_lines; line++) {
        struct ck_span next = ck_source_line(source, line);
        uint32_t n = indent_of(source->text, next);
        if (next.start + n < next.end && source->text[next.start + n] != '#')
            return n > indent;
    }
    return false;
}

/* The facts about the object before the dot, from a text with only it in its line; the fact is in
 * *analysis, which is to be freed. NULL: not known. */
static const struct ck_fact *
probe(struct lsp_request *request, const struct lsp_place *place, struct ck_span object,
      struct lsp_analysis **analysis)
{
    const struct ck_source *source = place->source;
    uint32_t number = ck_source_position(source, object.start).line;
    struct ck_span line = ck_source_line(source, number);
    bool is_header = has_block(source, number);
    struct ck_strbuf text;
    ck_strbuf_init(&text);
    ck_strbuf_add(&text, source->text, line.start + indent_of(source->text, line));
    ck_strbuf_puts(&text, is_header ? "if " : "");
    ck_strbuf_add(&text, source->text + object.start, object.end - object.start);
    uint32_t name = (uint32_t)text.length + 1;
    ck_strbuf_printf(&text, ".%s%s", placeholder, is_header ? ":" : "");
    ck_strbuf_add(&text, source->text + line.end, source->length - line.end);
    size_t length = text.length;
    char *whole = ck_arena_take(request->arena, ck_strbuf_take(&text));
    *analysis = lsp_analysis_new("completion", whole, length, &request->server->warnings,
                                 &request->server->oom);
    const struct ck_fact *fact = ck_facts_first(&(*analysis)->facts, name);
    return fact && fact->kind == CK_FACT_OBJECT ? fact : NULL;
}

/* --- Members -------------------------------------------------------------------------------------
 */

/* The attributes of arrays that are no built-ins. */
static const char *const array_attributes[][2] = {
    {"shape", "the extents, a tuple of int64"},
    {"strides", "the distances in bytes of neighbours along each axis, a tuple of int64"},
    {"ndim", "the number of axes"},
    {"size", "the number of elements"},
    {"dtype", "the type of the elements"},
    {"itemsize", "the bytes of an element"},
    {"nbytes", "the bytes of all elements"},
    {"T", "the array with its axes in reverse order"},
};

static void
add_fields(struct lsp_items *items, const struct ck_type *type)
{
    struct ck_arena *arena = items->request->arena;
    const struct ck_fields *fields = type->kind == CK_TYPE_TUPLE ? type->tuple.fields : NULL;
    for (int i = 0; fields && i < fields->n; i++)
        lsp_add_item(items, fields->names[i], LSP_ITEM_FIELD, 0,
                     i < type->tuple.n ? ck_type_text(arena, type->tuple.items[i]) : NULL, NULL);
}

static void
add_array(struct lsp_items *items, const struct ck_type *array)
{
    if (array)
        add_fields(items, array->array.elem);
    for (size_t i = 0; i < sizeof array_attributes / sizeof *array_attributes; i++)
        lsp_add_item(items, array_attributes[i][0], LSP_ITEM_PROPERTY, 0, NULL,
                     array_attributes[i][1]);
    lsp_add_path(items, "ndarray", 0);
}

static void
add_group(struct lsp_items *items, struct ck_checker *checker, const struct ck_type *group)
{
    for (int id = 0; id < CK_N_BUILTINS; id++) {
        const struct lsp_entry *entry = lsp_entry_of((enum ck_builtin_id)id);
        if (lsp_entry_is_public(entry) &&
            ck_group_has_member(checker, group, (enum ck_builtin_id)id))
            lsp_add_entry(items, lsp_entry_name(entry), entry, 0);
    }
}

/* x, y, z of what has a part for each dimension of a launch. */
static void
add_axes(struct lsp_items *items, const struct ck_type *tuple)
{
    static const char *const axes[] = {"x", "y", "z"};
    for (int i = 0; tuple->tuple.n == 3 && i < 3; i++) {
        if (ck_type_is_int(tuple->tuple.items[i]))
            lsp_add_item(items, axes[i], LSP_ITEM_FIELD, 0, NULL, NULL);
    }
}

static void
add_members(struct lsp_items *items, struct ck_checker *checker, const struct ck_type *type)
{
    if (ck_type_is_group(type)) {
        add_group(items, checker, type);
    } else if (ck_type_is_array(type)) {
        add_array(items, type);
    } else if (type->kind == CK_TYPE_TUPLE && type->tuple.fields) {
        add_fields(items, type);
    } else if (type->kind == CK_TYPE_TUPLE) {
        add_axes(items, type);
    } else if (ck_type_is_complex(type)) {
        lsp_add_item(items, "real", LSP_ITEM_PROPERTY, 0, NULL, "the real part");
        lsp_add_item(items, "imag", LSP_ITEM_PROPERTY, 0, NULL, "the imaginary part");
    }
}

/* --- Parts of the language -----------------------------------------------------------------------
 */

static bool
is_module(const char *path)
{
    static const char *const modules[] = {"np", "numpy", "math", "cmath"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (strcmp(path, modules[i]) == 0)
            return true;
    }
    return false;
}

/* What follows a part of a path: the names of NumPy and math too, for their modules functions that
 * only compute. */
static void
add_part(struct lsp_items *items, const char *path)
{
    static const char *const none[] = {"numba", "cuda", "cg", "types"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (strcmp(path, none[i]) == 0)
            path = "";
    }
    lsp_add_path(items, strcmp(path, "numpy") == 0 ? "np" : path, 0);
    for (int id = 0; is_module(path) && id < CK_N_BUILTINS; id++) {
        const struct lsp_entry *entry = lsp_entry_of((enum ck_builtin_id)id);
        enum ck_uniformity uniformity = ck_builtin_uniformity((enum ck_builtin_id)id);
        if (lsp_entry_is_public(entry) && !strchr(entry->path, '.') &&
            (uniformity == CK_UNIFORMITY_OPERANDS || uniformity == CK_UNIFORMITY_FOLDED))
            lsp_add_entry(items, entry->path, entry, 1);
    }
}

/* The last part of a dotted path: `cuda.shared` is looked up as `shared`. Brackets: none. */
static const char *
last_part(struct ck_arena *arena, const struct ck_source *source, struct ck_span object)
{
    const char *text = lsp_text_of(arena, source, object);
    const char *dot = strrchr(text, '.');
    return strpbrk(text, "()[]") ? NULL : dot ? dot + 1 : text;
}

/* The members of what a name was before its function had errors of syntax. False: not known. */
static bool
add_earlier(struct lsp_items *items, const struct lsp_analysis *analysis,
            const struct lsp_symbol *symbol)
{
    const struct lsp_symbol *earlier = lsp_earlier_symbol(analysis, symbol);
    const struct ck_fact *fact =
        earlier ? ck_facts_first(&analysis->earlier->facts, earlier->name_span.start) : NULL;
    if (!fact || fact->kind != CK_FACT_VALUE)
        return false;
    add_members(items, analysis->earlier->front.checker, fact->type);
    return true;
}

/* Without a fact: in decorators and host code, a path by its text; of a parameter without a type,
 * what arrays have. */
static void
add_unknown(struct lsp_items *items, const struct lsp_place *place, struct ck_span object)
{
    const struct lsp_symbols *symbols = &place->analysis->symbols;
    const struct lsp_occurrence *o = lsp_symbols_at(symbols, object.start);
    const struct lsp_symbol *symbol = o ? &symbols->items[o->symbol] : NULL;
    const char *part = last_part(items->request->arena, place->source, object);
    bool is_name = part && strlen(part) == object.end - object.start;
    if (symbol && is_name && add_earlier(items, place->analysis, symbol))
        return;
    if (symbol && symbol->kind == LSP_PARAM && is_name)
        add_array(items, NULL);
    else if (part && (!symbol || symbol->kind == LSP_IMPORT))
        add_part(items, part);
}

void
lsp_complete_member(struct lsp_items *items, const struct lsp_place *place, uint32_t name)
{
    const struct ck_source *source = place->source;
    uint32_t line = ck_source_line(source, ck_source_position(source, name).line).start;
    struct ck_span object = {object_start(source->text, line, name - 1), name - 1};
    if (object.start == object.end)
        return;
    struct lsp_analysis *analysis;
    const struct ck_fact *fact = probe(items->request, place, object, &analysis);
    if (fact && fact->path)
        add_part(items, fact->path);
    else if (fact)
        add_members(items, analysis->front.checker, fact->type);
    else
        add_unknown(items, place, object);
    lsp_analysis_free(analysis);
}
