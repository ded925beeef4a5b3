/* What a name in the text means: see meaning.h. */
#include "meaning.h"

#include <ctype.h>
#include <string.h>

/* --- Types ---------------------------------------------------------------------------------------
 */

/* Adds the types of a place's values to a list, each once. */
static void
add_types(struct ck_strbuf *out, struct ck_arena *arena, const struct lsp_analysis *analysis,
          uint32_t start, enum ck_fact_kind kind)
{
    for (const struct ck_fact *fact = ck_facts_first(&analysis->facts, start); fact;
         fact = ck_facts_next(&analysis->facts, fact)) {
        if (fact->kind != kind || !fact->type)
            continue;
        const char *type = ck_type_text(arena, fact->type);
        const char *known = strstr(ck_strbuf_text(out), type);
        size_t n = strlen(type);
        while (known && !((known == out->text || known[-1] == ' ') && strchr(" ", known[n])))
            known = strstr(known + 1, type);
        if (!known)
            ck_strbuf_printf(out, "%s%s", out->length ? " | " : "", type);
    }
}

static const char *
take(struct ck_arena *arena, struct ck_strbuf *buf)
{
    if (buf->length || buf->failed)
        return ck_arena_take(arena, ck_strbuf_take(buf));
    ck_strbuf_free(buf);
    return NULL;
}

const char *
lsp_types_at(struct ck_arena *arena, const struct lsp_analysis *analysis, uint32_t start)
{
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    add_types(&buf, arena, analysis, start, CK_FACT_VALUE);
    return take(arena, &buf);
}

const struct lsp_symbol *
lsp_earlier_symbol(const struct lsp_analysis *analysis, const struct lsp_symbol *symbol)
{
    const struct lsp_symbols *earlier = analysis->earlier ? &analysis->earlier->symbols : NULL;
    if (!earlier || !symbol->function || !symbol->function->held)
        return NULL;
    int function = lsp_symbols_find_in(earlier, 0, symbol->function->name);
    int scope = function >= 0 && earlier->items[function].kind == LSP_FUNCTION
                    ? lsp_symbols_scope_of(earlier, earlier->items[function].function)
                    : -1;
    int found = scope >= 0 ? lsp_symbols_find_in(earlier, scope, symbol->name) : -1;
    return found >= 0 ? &earlier->items[found] : NULL;
}

const char *
lsp_types_of(struct ck_arena *arena, const struct lsp_analysis *analysis,
             const struct lsp_symbol *symbol)
{
    const struct lsp_occurrence *occurrences = analysis->symbols.occurrences;
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    for (int i = symbol->first; i >= 0; i = occurrences[i].next) {
        const struct lsp_occurrence *o = &occurrences[i];
        if (o->role == LSP_WRITE || symbol->kind == LSP_CONSTANT)
            add_types(&buf, arena, analysis, o->span.start, CK_FACT_VALUE);
    }
    const struct lsp_symbol *earlier = buf.length ? NULL : lsp_earlier_symbol(analysis, symbol);
    if (earlier)
        return lsp_types_of(arena, analysis->earlier, earlier);
    return take(arena, &buf);
}

/* --- Functions -----------------------------------------------------------------------------------
 */

const struct ck_kernel_info *
lsp_kernel_of(const struct lsp_analysis *analysis, const struct ck_function *function)
{
    const struct ck_checker *checker = analysis->front.checker;
    int low = 0, high = checker ? ck_checker_n_kernels(checker) : 0;
    while (low < high) { /* they are in the order of the file */
        int middle = low + (high - low) / 2;
        const struct ck_kernel_info *info = ck_checker_kernel(checker, middle);
        if (info->span.start == function->name_span.start)
            return info;
        if (info->span.start < function->name_span.start)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *
lsp_text_of(struct ck_arena *arena, const struct ck_source *source, struct ck_span span)
{
    return ck_arena_strndup(arena, source->text + span.start, span.end - span.start);
}

const char *
lsp_param_text(struct ck_arena *arena, const struct lsp_analysis *analysis,
               const struct ck_param *param)
{
    const struct ck_source *source = &analysis->front.source;
    const char *type = lsp_types_at(arena, analysis, param->span.start);
    if (!type && param->annotation)
        type = lsp_text_of(arena, source, param->annotation->span);
    const char *text = type ? ck_arena_printf(arena, "%s: %s", param->name, type) : param->name;
    if (!param->otherwise)
        return text;
    return ck_arena_printf(arena, "%s%s%s", text, type ? " = " : "=",
                           lsp_text_of(arena, source, param->otherwise->span));
}

const char *
lsp_function_text(struct ck_arena *arena, const struct lsp_analysis *analysis,
                  const struct ck_function *function)
{
    struct ck_strbuf buf, result;
    ck_strbuf_init(&buf);
    ck_strbuf_init(&result);
    ck_strbuf_printf(&buf, "%s(", function->name ? function->name : "lambda");
    for (int i = 0; i < function->n_params; i++)
        ck_strbuf_printf(&buf, "%s%s", i ? ", " : "",
                         lsp_param_text(arena, analysis, &function->params[i]));
    ck_strbuf_putc(&buf, ')');
    add_types(&result, arena, analysis, function->name_span.start, CK_FACT_RESULT);
    if (result.length && strcmp(ck_strbuf_text(&result), "void") != 0)
        ck_strbuf_printf(&buf, " -> %s", ck_strbuf_text(&result));
    ck_strbuf_free(&result);
    return take(arena, &buf);
}

const char *
lsp_function_kind(const struct lsp_analysis *analysis, const struct ck_function *function)
{
    const struct ck_kernel_info *kernel = lsp_kernel_of(analysis, function);
    if (kernel)
        return kernel->is_generic ? "generic kernel" : "kernel";
    return ck_facts_first(&analysis->facts, function->name_span.start) ? "device function"
                                                                       : "function";
}

const char *
lsp_docstring(const struct ck_function *function)
{
    const struct ck_stmt *first = function->body.n ? function->body.stmts[0] : NULL;
    if (!first || first->kind != CK_STMT_EXPR || first->expr->kind != CK_EXPR_STRING)
        return NULL;
    return first->expr->string.bytes;
}

/* --- Meanings ------------------------------------------------------------------------------------
 */

/* The dotted path that ends with a word: `cuda.atomic.add`. */
static struct ck_span
path_of(const struct ck_source *source, struct ck_span word)
{
    while (word.start > 1 && source->text[word.start - 1] == '.' &&
           lsp_is_word_byte(source->text[word.start - 2]))
        word.start = lsp_word_at(source, word.start - 2).start;
    return word;
}

/* The entry that a path names by its text, where the checker saw none: in decorators, and in
 * functions that no kernel reaches. A name that the program binds is an import at most. */
static const struct lsp_entry *
entry_by_text(struct ck_arena *arena, const struct lsp_analysis *analysis, struct ck_span word)
{
    const struct ck_source *source = &analysis->front.source;
    struct ck_span path = path_of(source, word);
    struct ck_span root = lsp_word_at(source, path.start);
    const struct lsp_occurrence *first = lsp_symbols_at(&analysis->symbols, path.start);
    bool is_bound = first && analysis->symbols.items[first->symbol].kind != LSP_IMPORT;
    bool is_member = path.start > 0 && source->text[path.start - 1] == '.';
    if (is_bound || is_member || root.start != path.start || isdigit(source->text[root.start]))
        return NULL;
    const struct lsp_entry *entry = lsp_entry_find(lsp_text_of(arena, source, path));
    return entry && lsp_entry_is_public(entry) ? entry : NULL;
}

struct lsp_meaning
lsp_meaning_at(struct ck_arena *arena, const struct lsp_analysis *analysis, uint32_t offset)
{
    struct lsp_meaning meaning = {.word = lsp_word_at(&analysis->front.source, offset)};
    if (meaning.word.start == meaning.word.end)
        return meaning;
    const struct lsp_occurrence *occurrence = lsp_symbols_at(&analysis->symbols, offset);
    if (occurrence && occurrence->span.start == meaning.word.start)
        meaning.symbol = &analysis->symbols.items[occurrence->symbol];
    meaning.fact = ck_facts_first(&analysis->facts, meaning.word.start);
    if (meaning.fact && meaning.fact->kind == CK_FACT_BUILTIN)
        meaning.entry = lsp_entry_of(meaning.fact->builtin);
    else if (meaning.fact && meaning.fact->kind == CK_FACT_NUMPY)
        meaning.entry = lsp_entry_find(meaning.fact->path);
    else if (!meaning.fact)
        meaning.entry = entry_by_text(arena, analysis, meaning.word);
    return meaning;
}

/* --- Descriptions --------------------------------------------------------------------------------
 */

static const char *
constant_text(struct ck_arena *arena, const struct ck_texpr *constant)
{
    if (constant->type->kind == CK_TYPE_BOOL)
        return constant->constant.i ? "True" : "False";
    if (ck_type_is_float(constant->type))
        return ck_arena_printf(arena, "%.17g", constant->constant.f);
    if (ck_type_is_unsigned(constant->type))
        return ck_arena_printf(arena, "%llu", (unsigned long long)constant->constant.i);
    return ck_arena_printf(arena, "%lld", (long long)constant->constant.i);
}

static struct lsp_description
describe_entry(struct ck_arena *arena, const struct lsp_analysis *analysis,
               const struct lsp_meaning *meaning)
{
    const struct lsp_entry *entry = meaning->entry;
    const char *name = lsp_entry_is_member(entry)
                           ? lsp_entry_name(entry)
                           : lsp_text_of(arena, &analysis->front.source,
                                         path_of(&analysis->front.source, meaning->word));
    const struct ck_type *self = meaning->fact ? meaning->fact->self : NULL;
    struct ck_strbuf buf;
    ck_strbuf_init(&buf);
    lsp_entry_write(&buf, name, entry);
    const char *text = entry->doc;
    if (self)
        text = ck_arena_printf(arena, "of a %s: %s", ck_type_text(arena, self), text);
    else if (strncmp(entry->path, "ndarray.", 8) == 0)
        text = ck_arena_printf(arena, "of an array: %s", text);
    return (struct lsp_description){take(arena, &buf), text};
}

static struct lsp_description
describe_function(struct ck_arena *arena, const struct lsp_analysis *analysis,
                  const struct ck_function *function)
{
    const char *kind = lsp_function_kind(analysis, function), *doc = lsp_docstring(function);
    const char *line =
        ck_arena_printf(arena, "def %s", lsp_function_text(arena, analysis, function));
    return (struct lsp_description){line,
                                    doc ? ck_arena_printf(arena, "%s\n\n%s", kind, doc) : kind};
}

/* Why a name of the program has no type. */
static const char *
why_unknown(struct ck_arena *arena, const struct lsp_analysis *analysis,
            const struct lsp_symbol *symbol)
{
    const struct ck_kernel_info *kernel =
        symbol->function ? lsp_kernel_of(analysis, symbol->function) : NULL;
    if (kernel && kernel->is_generic && symbol->kind == LSP_PARAM)
        return ck_arena_printf(
            arena,
            "generic: each launch of `%s` determines the type. Annotate its parameters, or "
            "write a signature in its decorator, to see types here",
            kernel->name);
    if (kernel && kernel->is_generic)
        return "its type depends on those of the generic kernel's arguments";
    if (symbol->kind != LSP_PARAM && symbol->kind != LSP_LOCAL)
        return "";
    bool is_checked = kernel || ck_facts_first(&analysis->facts, symbol->function->name_span.start);
    return is_checked ? "its type is not known" : "no kernel with known types reaches it";
}

static const char *
kind_text(const struct lsp_symbol *symbol)
{
    static const char *const texts[] = {
        [LSP_FUNCTION] = "function", [LSP_CONSTANT] = "constant of the module",
        [LSP_IMPORT] = "import",     [LSP_HOST_NAME] = "bound by host code",
        [LSP_PARAM] = "parameter",   [LSP_LOCAL] = "local variable",
    };
    return texts[symbol->kind];
}

/* A name with a type: the place's own, or that of all places where the program binds it. */
static struct lsp_description
describe_value(struct ck_arena *arena, const struct lsp_analysis *analysis,
               const struct lsp_meaning *meaning)
{
    const struct ck_source *source = &analysis->front.source;
    const struct lsp_symbol *symbol = meaning->symbol;
    const char *name = lsp_text_of(arena, source, meaning->word), *line = name;
    const char *types = lsp_types_at(arena, analysis, meaning->word.start);
    if (!types && symbol && !meaning->fact)
        types = lsp_types_of(arena, analysis, symbol);
    if (types)
        line = ck_arena_printf(arena, "%s: %s", name, types);
    else if (symbol && symbol->param && symbol->param->annotation)
        line = ck_arena_printf(arena, "%s: %s", name,
                               lsp_text_of(arena, source, symbol->param->annotation->span));
    if (meaning->fact && meaning->fact->constant && !strstr(types ? types : " | ", " | "))
        line =
            ck_arena_printf(arena, "%s = %s", line, constant_text(arena, meaning->fact->constant));
    if (!symbol)
        return (struct lsp_description){types ? line : "", ""};
    const char *kind = kind_text(symbol);
    const char *why = types ? "" : why_unknown(arena, analysis, symbol);
    return (struct lsp_description){line,
                                    *why ? ck_arena_printf(arena, "%s; %s", kind, why) : kind};
}

static struct lsp_description
describe_import(struct ck_arena *arena, const struct lsp_analysis *analysis,
                const struct lsp_symbol *symbol)
{
    return (struct lsp_description){lsp_text_of(arena, &analysis->front.source, symbol->whole), ""};
}

struct lsp_description
lsp_describe(struct ck_arena *arena, const struct lsp_analysis *analysis,
             const struct lsp_meaning *meaning)
{
    const struct ck_fact *fact = meaning->fact;
    const struct lsp_symbol *symbol = meaning->symbol;
    if (meaning->entry)
        return describe_entry(arena, analysis, meaning);
    if (fact && fact->kind == CK_FACT_FUNCTION && fact->function)
        return describe_function(arena, analysis, fact->function);
    if (fact && fact->kind == CK_FACT_TYPE)
        return (struct lsp_description){ck_type_text(arena, fact->type), "a type"};
    if (symbol && symbol->kind == LSP_FUNCTION)
        return describe_function(arena, analysis, symbol->function);
    if (symbol && symbol->kind == LSP_IMPORT)
        return describe_import(arena, analysis, symbol);
    return describe_value(arena, analysis, meaning);
}
