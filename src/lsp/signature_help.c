/* Help with the arguments of the call around the cursor. */
#include <string.h>

#include "lang/syntax/lex.h"
#include "meaning.h"

/* A call whose brackets are open. */
struct call {
    uint32_t callee; /* the end of the callee's name; 0: no call */
    int commas;
};

struct calls {
    struct call *items;
    int n, capacity;
};

static bool
begins_statement(enum ck_token_kind kind)
{
    switch (kind) {
    case CK_TOK_DEF:
    case CK_TOK_CLASS:
    case CK_TOK_IMPORT:
    case CK_TOK_RETURN:
    case CK_TOK_WHILE:
    case CK_TOK_WITH:
    case CK_TOK_NEWLINE:
        return true;
    default:
        return false;
    }
}

static void
follow(struct ck_arena *arena, struct calls *calls, const struct ck_token *before,
       const struct ck_token *token)
{
    switch (token->kind) {
    case CK_TOK_LPAREN:
    case CK_TOK_LBRACKET:
    case CK_TOK_LBRACE: {
        bool is_call = token->kind == CK_TOK_LPAREN && before->kind == CK_TOK_NAME;
        struct call call = {.callee = is_call ? before->span.end : 0};
        CK_PUSH(arena, calls->items, calls->n, calls->capacity, call);
        break;
    }
    case CK_TOK_RPAREN:
    case CK_TOK_RBRACKET:
    case CK_TOK_RBRACE:
        calls->n -= calls->n > 0;
        break;
    case CK_TOK_COMMA:
        if (calls->n)
            calls->items[calls->n - 1].commas++;
        break;
    default:
        if (begins_statement(token->kind))
            calls->n = 0;
        break;
    }
}

/* The innermost call whose brackets are open at an offset. */
static struct call
call_at(struct ck_arena *arena, const struct ck_source *source, uint32_t offset)
{
    struct ck_diags diags;
    struct ck_lexer lexer;
    struct calls calls = {0};
    struct ck_token before = {.kind = CK_TOK_NEWLINE}, token;
    ck_diags_init(&diags, arena, source);
    diags.quiet++;
    ck_lexer_init(&lexer, arena, source->text, source->length, 0, &diags);
    if (!ck_lexer_check_text(&lexer))
        return (struct call){0};
    while ((token = ck_lexer_next(&lexer)).kind != CK_TOK_END && token.span.end <= offset) {
        follow(arena, &calls, &before, &token);
        before = token;
    }
    while (calls.n && !calls.items[calls.n - 1].callee)
        calls.n--;
    return calls.n ? calls.items[calls.n - 1] : (struct call){0};
}

/* --- The signature -------------------------------------------------------------------------------
 */

static struct json_object *
new_parameters(void)
{
    return json_object_new_array();
}

static void
add_parameter(struct json_object *list, const char *label)
{
    struct json_object *parameter = json_object_new_object();
    lsp_put_string(parameter, "label", label);
    json_object_array_add(list, parameter);
}

/* The names of a row of numpy.def. */
static void
add_names(struct ck_arena *arena, struct json_object *list, const char *params)
{
    while (params && *params) {
        size_t n = strcspn(params, " []");
        if (n)
            add_parameter(list, ck_arena_strndup(arena, params, n));
        params += n + (params[n] != '\0');
    }
}

struct signature {
    const char *label, *text;
    struct json_object *parameters; /* owned */
};

static bool
signature_of(struct ck_arena *arena, const struct lsp_analysis *analysis,
             const struct lsp_meaning *meaning, struct signature *out)
{
    const struct lsp_symbol *symbol = meaning->symbol;
    const struct ck_fact *fact = meaning->fact;
    const struct ck_function *function = fact && fact->kind == CK_FACT_FUNCTION ? fact->function
                                         : symbol && symbol->kind == LSP_FUNCTION && !fact
                                             ? symbol->function
                                             : NULL;
    if (!function && !meaning->entry)
        return false;
    struct lsp_description description = lsp_describe(arena, analysis, meaning);
    *out = (struct signature){description.line, description.text, new_parameters()};
    if (meaning->entry) {
        add_names(arena, out->parameters, meaning->entry->params);
        return true;
    }
    for (int i = 0; i < function->n_params; i++)
        add_parameter(out->parameters, lsp_param_text(arena, analysis, &function->params[i]));
    return true;
}

struct json_object *
lsp_signature_help(struct lsp_request *request)
{
    struct lsp_place place;
    struct signature signature;
    if (!lsp_place_of(request, &place))
        return NULL;
    struct call call = call_at(request->arena, place.source, place.offset);
    if (!call.callee)
        return NULL;
    struct lsp_meaning meaning = lsp_meaning_at(request->arena, place.analysis, call.callee);
    if (!signature_of(request->arena, place.analysis, &meaning, &signature))
        return NULL;
    struct json_object *result = json_object_new_object(), *list = json_object_new_array();
    struct json_object *item = json_object_new_object();
    lsp_put_string(item, "label", signature.label);
    lsp_put(item, "documentation",
            lsp_markup(request->server->client.markdown_signature, signature.text));
    lsp_put(item, "parameters", signature.parameters);
    json_object_array_add(list, item);
    lsp_put(result, "signatures", list);
    lsp_put_number(result, "activeSignature", 0);
    lsp_put_number(result, "activeParameter", call.commas);
    return result;
}
