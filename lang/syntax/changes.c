/* Changes of objects: see changes.h. One pass over the file's tokens, statement by statement. */
#include "lang/syntax/changes.h"

#include <string.h>

#include "lang/syntax/changes_names.h"
#include "lang/syntax/lex.h"

/* An argument that a function gets, by its position or its keyword; and what it returns. */
#define RESULT "return"

/* What a bracket is. */
enum bracket { DISPLAY, CALL, SUBSCRIPT };

struct finder {
    struct ck_arena *arena;
    struct ck_object_changes *out;
    struct ck_token *tokens;
    int n, capacity;
    int *open, *close; /* by token: the innermost bracket around it; a bracket's other end */
    /* functions of the module, by name: the token after each `def` */
    int *functions;
    int n_functions, functions_capacity;
    struct ck_index function_index;
    /* Names that imports bind: of modules and of what is in them. They are no arrays. */
    struct import {
        const char *name;
        bool is_numpy; /* of numpy or math */
    } * imports;
    struct ck_index import_index;
    int n_imports, imports_capacity;
    /* The function whose text is read, and the names that it binds. */
    const char *function;
    const char **locals;
    int n_locals, locals_capacity;
    struct ck_index local_index;
    /* The statement: its tokens, the end of its targets, and where what it assigns begins. */
    int begin, end, targets_begin, targets_end;
    bool is_for, is_augmented, is_return;
};

/* --- Objects -------------------------------------------------------------------------------------
 */

int
ck_changes_object(const struct ck_object_changes *changes, const char *function, const char *name)
{
    uint32_t hash = ck_hash_text(name);
    for (int i = ck_index_first(&changes->index, hash); i >= 0;
         i = ck_index_next(&changes->index, i)) {
        const struct ck_object *object = &changes->objects[i];
        bool same = !function == !object->function &&
                    (!function || strcmp(function, object->function) == 0);
        if (same && strcmp(object->name, name) == 0)
            return i;
    }
    return -1;
}

static int
object_of(struct finder *f, const char *function, const char *name)
{
    struct ck_object_changes *out = f->out;
    int found = ck_changes_object(out, function, name);
    if (found >= 0)
        return found;
    struct ck_object object = {
        .name = name, .function = function, .first_change = -1, .first_flow = -1};
    CK_PUSH(f->arena, out->objects, out->n_objects, out->objects_capacity, object);
    ck_index_add(f->arena, &out->index, ck_hash_text(name));
    return out->n_objects - 1;
}

static bool
is_local(const struct finder *f, const char *name)
{
    uint32_t hash = ck_hash_text(name);
    for (int i = ck_index_first(&f->local_index, hash); f->function && i >= 0;
         i = ck_index_next(&f->local_index, i)) {
        if (f->locals[i] && strcmp(f->locals[i], name) == 0)
            return true;
    }
    return false;
}

static int
resolve(struct finder *f, const char *name)
{
    return object_of(f, is_local(f, name) ? f->function : NULL, name);
}

static void
add_change(struct finder *f, int object, int depth, struct ck_span span)
{
    struct ck_object_changes *out = f->out;
    struct ck_object *changed = &out->objects[object];
    struct ck_object_change change = {depth, f->function, span, changed->first_change};
    CK_PUSH(f->arena, out->changes, out->n_changes, out->changes_capacity, change);
    changed->first_change = out->n_changes - 1;
}

static void
add_flow(struct finder *f, int from, int to, int depth, int floor)
{
    struct ck_object_changes *out = f->out;
    struct ck_object *reached = &out->objects[to];
    if (from == to)
        return;
    struct ck_object_flow flow = {from, depth, floor, f->function, reached->first_flow};
    CK_PUSH(f->arena, out->flows, out->n_flows, out->flows_capacity, flow);
    reached->first_flow = out->n_flows - 1;
}

/* --- Tokens --------------------------------------------------------------------------------------
 */

static enum ck_token_kind
kind_at(const struct finder *f, int i)
{
    return i >= 0 && i < f->n ? f->tokens[i].kind : CK_TOK_NEWLINE;
}

static const char *
name_at(const struct finder *f, int i)
{
    return kind_at(f, i) == CK_TOK_NAME ? f->tokens[i].name : "";
}

static bool
is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++) {
        if (strcmp(*list, name) == 0)
            return true;
    }
    return false;
}

static bool
is_opening(enum ck_token_kind kind)
{
    return kind == CK_TOK_LPAREN || kind == CK_TOK_LBRACKET || kind == CK_TOK_LBRACE;
}

static bool
is_closing(enum ck_token_kind kind)
{
    return kind == CK_TOK_RPAREN || kind == CK_TOK_RBRACKET || kind == CK_TOK_RBRACE;
}

/* Fills `tokens`, `open` and `close`. */
static void
read_tokens(struct finder *f, const struct ck_source *source, struct ck_diags *diags)
{
    struct ck_lexer lexer;
    ck_lexer_init(&lexer, f->arena, source->text, source->length, 0, diags);
    struct ck_token token;
    do {
        token = ck_lexer_next(&lexer);
        CK_PUSH(f->arena, f->tokens, f->n, f->capacity, token);
    } while (token.kind != CK_TOK_END);
    f->open = CK_NEW_ARRAY(f->arena, int, f->n);
    f->close = CK_NEW_ARRAY(f->arena, int, f->n);
    int innermost = -1;
    for (int i = 0; i < f->n; i++) {
        enum ck_token_kind kind = f->tokens[i].kind;
        if (kind == CK_TOK_NEWLINE)
            innermost = -1;
        if (is_closing(kind) && innermost >= 0) {
            f->close[innermost] = i;
            innermost = f->open[innermost];
        }
        f->open[i] = innermost;
        f->close[i] = i;
        if (is_opening(kind))
            innermost = i;
    }
}

static enum bracket
bracket_kind(const struct finder *f, int i)
{
    enum ck_token_kind before = kind_at(f, i - 1);
    bool follows = before == CK_TOK_NAME || before == CK_TOK_STRING || is_closing(before);
    if (!follows || kind_at(f, i) == CK_TOK_LBRACE)
        return DISPLAY;
    return kind_at(f, i) == CK_TOK_LPAREN ? CALL : SUBSCRIPT;
}

/* Whether there is a token of the kind directly within the bracket. */
static bool
has_within(const struct finder *f, int bracket, enum ck_token_kind kind)
{
    for (int i = bracket + 1; i < f->close[bracket]; i = f->close[i] + 1) {
        if (kind_at(f, i) == kind)
            return true;
    }
    return false;
}

/* How many axes a subscript removes: those whose index is no slice. */
static int
axes_indexed(const struct finder *f, int bracket)
{
    int n = 0;
    bool keeps = false, empty = true;
    for (int i = bracket + 1; i <= f->close[bracket]; i = f->close[i] + 1) {
        enum ck_token_kind kind = kind_at(f, i);
        if (kind == CK_TOK_COMMA || i == f->close[bracket]) {
            n += !keeps && !empty;
            keeps = false;
            empty = true;
            continue;
        }
        keeps |= kind == CK_TOK_COLON || kind == CK_TOK_ELLIPSIS || kind == CK_TOK_NONE;
        empty = false;
    }
    return n;
}

static bool
is_operator(enum ck_token_kind kind)
{
    return (kind >= CK_TOK_PLUS && kind <= CK_TOK_NOT_EQUAL) || kind == CK_TOK_IS ||
           kind == CK_TOK_NOT || kind == CK_TOK_AT;
}

static bool
is_assignment(enum ck_token_kind kind)
{
    return kind >= CK_TOK_ASSIGN && kind <= CK_TOK_AT_ASSIGN;
}

/* --- Functions of the module ---------------------------------------------------------------------
 */

/* The parameters' bracket of a function of the module; -1: none is called so. */
static int
params_of(const struct finder *f, const char *name)
{
    uint32_t hash = ck_hash_text(name);
    for (int i = ck_index_first(&f->function_index, hash); i >= 0;
         i = ck_index_next(&f->function_index, i)) {
        if (strcmp(name_at(f, f->functions[i]), name) == 0)
            return f->functions[i] + 1;
    }
    return -1;
}

/* The token of a parameter by its position; -1: there is none. */
static int
param_at(const struct finder *f, int bracket, int position)
{
    bool starts = true;
    for (int i = bracket + 1; i < f->close[bracket]; i = f->close[i] + 1) {
        enum ck_token_kind kind = kind_at(f, i);
        if (kind == CK_TOK_STAR || kind == CK_TOK_DOUBLE_STAR)
            return -1;
        if (starts && position-- == 0)
            return kind == CK_TOK_NAME ? i : -1;
        starts = kind == CK_TOK_COMMA;
    }
    return -1;
}

/* The object of a parameter that has this name; -1: none has. */
static int
param_named(const struct finder *f, int bracket, const char *name)
{
    for (int i = bracket + 1; i < f->close[bracket]; i = f->close[i] + 1) {
        enum ck_token_kind before = kind_at(f, i - 1);
        if ((i == bracket + 1 || before == CK_TOK_COMMA) && strcmp(name_at(f, i), name) == 0)
            return i;
    }
    return -1;
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

struct callee {
    int begin;        /* its first token */
    const char *root; /* "" : no dotted name */
    const char *last; /* the last name; the root without dots */
    bool is_launch;   /* root[...](...) */
};

static struct callee
callee_of(const struct finder *f, int bracket)
{
    struct callee callee = {.begin = bracket - 1, .root = "", .last = ""};
    int i = bracket - 1;
    if (kind_at(f, i) == CK_TOK_RBRACKET) {
        int inner = i - 1;
        while (inner >= 0 && !(f->open[inner] == f->open[i] && f->close[inner] == i))
            inner = f->open[inner] == f->open[i] ? inner - 1 : f->open[inner];
        i = inner - 1;
        callee.is_launch = true;
    }
    if (kind_at(f, i) != CK_TOK_NAME)
        return callee;
    callee.last = name_at(f, i);
    while (kind_at(f, i - 1) == CK_TOK_DOT && kind_at(f, i - 2) == CK_TOK_NAME)
        i -= 2;
    if (kind_at(f, i - 1) == CK_TOK_DOT) /* f().x(...) */
        return callee;
    callee.begin = i;
    callee.root = name_at(f, i);
    return callee;
}

/* An argument's position, or its keyword. */
struct place {
    int position;
    const char *keyword; /* NULL: by position */
};

static struct place
place_of(const struct finder *f, int bracket, int at)
{
    struct place place = {0};
    for (int i = bracket + 1; i < at; i = f->close[i] + 1) {
        if (kind_at(f, i) == CK_TOK_COMMA) {
            place.position++;
            place.keyword = NULL;
        } else if (kind_at(f, i) == CK_TOK_ASSIGN) {
            place.keyword = name_at(f, i - 1);
        }
    }
    return place;
}

enum effect { READS, RETURNS_VIEW, CHANGES, HOLDS };

/* The import of a name; -1: none. */
static int
import_of(const struct finder *f, const char *name)
{
    uint32_t hash = ck_hash_text(name);
    for (int i = ck_index_first(&f->import_index, hash); i >= 0;
         i = ck_index_next(&f->import_index, i)) {
        if (strcmp(f->imports[i].name, name) == 0)
            return is_local(f, name) ? -1 : i;
    }
    return -1;
}

static bool
is_of_numpy(const struct finder *f, const char *name)
{
    int import = import_of(f, name);
    return import >= 0 && f->imports[import].is_numpy;
}

static enum effect
numpy_effect(const struct callee *callee, struct place place)
{
    if (place.keyword && strcmp(place.keyword, "out") == 0)
        return CHANGES;
    bool first = place.position == 0 || place.keyword;
    if (is_one_of(callee->last, numpy_mutators))
        return first ? CHANGES : READS;
    return is_one_of(callee->last, numpy_views) ? RETURNS_VIEW : READS;
}

/* The dtype of a function that makes an array: it is no part of the result. */
static bool
is_dtype(const struct callee *callee, struct place place)
{
    const size_t length = strlen(callee->last);
    const bool makes_array = length >= 5 && strcmp(callee->last + length - 5, "array") == 0;
    return place.keyword ? strcmp(place.keyword, "dtype") == 0 : makes_array && place.position > 0;
}

/* What a call of a function that is not of the module does with an argument. */
static enum effect
effect_of(const struct finder *f, const struct callee *callee, struct place place)
{
    const char *root = callee->root;
    bool is_dotted = root != callee->last;
    if (is_dtype(callee, place) && !is_local(f, root))
        return READS;
    if (callee->is_launch || !*callee->last || (!is_dotted && is_local(f, root)))
        return CHANGES;
    if (!is_dotted && is_of_numpy(f, root))
        return numpy_effect(callee, place);
    if (!is_dotted)
        return is_one_of(root, reading)    ? READS
               : is_one_of(root, views_of) ? RETURNS_VIEW
                                           : CHANGES;
    if (strcmp(root, "np") == 0 || strcmp(root, "numpy") == 0)
        return numpy_effect(callee, place);
    static const char *const atomics[] = {
        "add",          "sub", "inc", "dec", "exch",   "cas",    "and_",
        "or_",          "xor", "max", "min", "nanmax", "nanmin", "compare_and_swap",
        "memcpy_async", NULL};
    if (strcmp(root, "cuda") == 0 || strcmp(root, "numba") == 0)
        return is_one_of(callee->last, atomics) ? CHANGES : READS;
    if (strcmp(callee->last, "append") == 0)
        return HOLDS;
    bool reads = is_one_of(root, reading_modules) || is_one_of(callee->last, reading_methods);
    return reads ? READS : CHANGES;
}

/* --- Uses of an object ---------------------------------------------------------------------------
 */

/* An object, or a view of it, as the value of tokens. */
struct use {
    int object, depth;
    int begin, end;
    struct ck_span span;
};

/* What follows a name: attributes, indices and calls. False: the value is no view of the object. */
static bool
follow(struct finder *f, struct use *use)
{
    while (use->end < f->n) {
        int i = use->end;
        enum ck_token_kind kind = kind_at(f, i);
        if (kind == CK_TOK_LBRACKET) {
            use->depth += axes_indexed(f, i);
            use->end = f->close[i] + 1;
        } else if (kind == CK_TOK_DOT) {
            const char *name = name_at(f, i + 1);
            bool called = kind_at(f, i + 2) == CK_TOK_LPAREN;
            if (called && is_one_of(name, mutating_methods))
                add_change(f, use->object, use->depth, use->span);
            if ((called && !is_one_of(name, view_methods)) || is_one_of(name, read_attributes))
                return false;
            use->end = called ? f->close[i + 2] + 1 : i + 2;
        } else if (kind == CK_TOK_LPAREN) {
            bool is_name = i == use->begin + 1;
            const char *name = name_at(f, use->begin);
            if (!is_name || is_local(f, name) || params_of(f, name) < 0)
                return false;
            use->object = object_of(f, name, RESULT);
            use->end = f->close[i] + 1;
        } else {
            break;
        }
    }
    return true;
}

/* Calls visit for the name that each target of the statement begins with. */
typedef void target_visit(struct finder *f, int token, void *context);

static void
each_target(struct finder *f, target_visit *visit, void *context)
{
    for (int i = f->targets_begin; i < f->targets_end; i++) {
        enum ck_token_kind before = kind_at(f, i - 1);
        int bracket = f->open[i];
        while (bracket >= f->begin && bracket_kind(f, bracket) == DISPLAY)
            bracket = f->open[bracket];
        if (kind_at(f, i) == CK_TOK_NAME && before != CK_TOK_DOT && bracket < f->begin)
            visit(f, i, context);
    }
}

/* A target: its first name, and what follows it. */
struct target {
    int object;
    int depth, outer_depth; /* axes that it indexes; without its last subscript */
    int subscript;          /* its last token is this bracket's end; -1: it has no such */
    bool is_name;
    bool stores; /* in elements of the object */
    struct ck_span span;
};

static struct target
target_of(struct finder *f, int token)
{
    struct target target = {.object = resolve(f, name_at(f, token)),
                            .subscript = -1,
                            .is_name = true,
                            .stores = f->is_augmented,
                            .span = f->tokens[token].span};
    int end = token + 1;
    while (end < f->targets_end) {
        enum ck_token_kind kind = kind_at(f, end);
        int i = end;
        if (kind != CK_TOK_LBRACKET && kind != CK_TOK_DOT && kind != CK_TOK_LPAREN)
            break;
        target.is_name = false;
        target.outer_depth = target.depth;
        target.subscript = kind == CK_TOK_LBRACKET ? i : -1;
        target.depth += kind == CK_TOK_LBRACKET ? axes_indexed(f, i) : 0;
        target.stores = f->is_augmented || kind == CK_TOK_LBRACKET ||
                        (kind == CK_TOK_DOT && is_one_of(name_at(f, i + 1), stored_attributes));
        end = kind == CK_TOK_DOT ? i + 2 : f->close[i] + 1;
        target.span.end = f->tokens[end - 1].span.end;
    }
    return target;
}

/* The assigned value is the use's: a change of the target is one of the object, and the reverse.
 * A value that is assigned to an element may be an item of a list. */
static void
bind_target(struct finder *f, int token, void *context)
{
    const struct use *use = context;
    struct target target = target_of(f, token);
    if (target.subscript >= 0 && target.depth == target.outer_depth) /* a slice: a copy */
        return;
    add_flow(f, target.object, use->object, use->depth - target.depth, target.depth);
    if (target.is_name)
        add_flow(f, use->object, target.object, use->depth < 0 ? -use->depth : 0, 0);
}

/* What a target changes: of `T[0] = 4` the array. */
static void
store_target(struct finder *f, int token, void *context)
{
    (void)context;
    struct target target = target_of(f, token);
    if (target.stores)
        add_change(f, target.object, target.outer_depth, target.span);
}

/* The statement uses an object, not within brackets. */
static void
use_in_statement(struct finder *f, struct use *use)
{
    if (f->is_return && f->function)
        add_flow(f, object_of(f, f->function, RESULT), use->object, use->depth, 0);
    use->depth += f->is_for;
    if (f->targets_begin < f->targets_end && !f->is_augmented && use->begin >= f->targets_end)
        each_target(f, bind_target, use);
}

/* An argument of a call. False: what the call returns is not the object. */
static bool
use_in_call(struct finder *f, struct use *use, int bracket)
{
    struct callee callee = callee_of(f, bracket);
    struct place place = place_of(f, bracket, use->begin);
    bool is_plain = callee.root == callee.last && *callee.root && !is_local(f, callee.root);
    int params = is_plain ? params_of(f, callee.root) : -1;
    if (params >= 0) {
        int param = place.keyword ? param_named(f, params, place.keyword)
                                  : param_at(f, params, place.position);
        if (param >= 0)
            add_flow(f, object_of(f, callee.root, name_at(f, param)), use->object, use->depth, 0);
        else
            add_change(f, use->object, use->depth, use->span);
        return false;
    }
    switch (effect_of(f, &callee, place)) {
    case CHANGES: /* of a list the items too */
        add_change(f, use->object, use->depth < 0 ? 0 : use->depth, use->span);
        return false;
    case READS:
        return false;
    case HOLDS:
        add_flow(f, resolve(f, callee.root), use->object, use->depth - 1, 1);
        return false;
    case RETURNS_VIEW:
        break;
    }
    use->begin = callee.begin;
    use->end = f->close[bracket] + 1;
    return follow(f, use);
}

/* Follows an object from the expression that names it outwards. */
static void
use_name(struct finder *f, int token)
{
    struct use use = {.object = resolve(f, name_at(f, token)),
                      .begin = token,
                      .end = token + 1,
                      .span = f->tokens[token].span};
    bool is_view = follow(f, &use);
    while (is_view) {
        enum ck_token_kind before = kind_at(f, use.begin - 1);
        int bracket = f->open[use.begin];
        if (before == CK_TOK_WALRUS) {
            int target = resolve(f, name_at(f, use.begin - 2));
            add_flow(f, target, use.object, use.depth, 0);
        }
        if (is_operator(before) || is_operator(kind_at(f, use.end)) ||
            kind_at(f, use.end) == CK_TOK_IN || (before == CK_TOK_IN && bracket >= f->begin))
            return;
        if (bracket < f->begin) {
            use_in_statement(f, &use);
            return;
        }
        switch (bracket_kind(f, bracket)) {
        case SUBSCRIPT:
            return;
        case CALL:
            is_view = use_in_call(f, &use, bracket);
            break;
        case DISPLAY: {
            bool is_tuple =
                kind_at(f, bracket) != CK_TOK_LPAREN || has_within(f, bracket, CK_TOK_COMMA);
            use.depth -= is_tuple;
            use.begin = bracket;
            use.end = f->close[bracket] + 1;
            is_view = follow(f, &use);
            break;
        }
        }
    }
}

/* --- Statements ----------------------------------------------------------------------------------
 */

/* Finds the statement's targets. */
static void
find_targets(struct finder *f)
{
    enum ck_token_kind first = kind_at(f, f->begin);
    f->is_for =
        first == CK_TOK_FOR || (first == CK_TOK_ASYNC && kind_at(f, f->begin + 1) == CK_TOK_FOR);
    f->is_return = first == CK_TOK_RETURN;
    f->is_augmented = false;
    f->targets_begin = f->targets_end = f->begin;
    if (first == CK_TOK_DEL) { /* of an item: the list changes */
        f->targets_end = f->end;
        return;
    }
    int annotation = -1;
    for (int i = f->begin; i < f->end; i = f->close[i] + 1) {
        enum ck_token_kind kind = kind_at(f, i);
        if (f->is_for && kind == CK_TOK_IN) {
            f->targets_end = i;
            return;
        }
        if (kind == CK_TOK_COLON && annotation < 0)
            annotation = i;
        if (!f->is_for && is_assignment(kind)) {
            f->targets_end = annotation >= 0 ? annotation : i;
            f->is_augmented = kind != CK_TOK_ASSIGN;
        }
    }
}

static bool
is_target(const struct finder *f, int token)
{
    int bracket = f->open[token];
    while (bracket >= f->begin && bracket_kind(f, bracket) == DISPLAY)
        bracket = f->open[bracket];
    return token < f->targets_end && bracket < f->begin;
}

static void
read_statement(struct finder *f, int begin, int end)
{
    f->begin = begin;
    f->end = end;
    enum ck_token_kind first = kind_at(f, begin);
    if (first == CK_TOK_IMPORT || first == CK_TOK_FROM || first == CK_TOK_GLOBAL ||
        first == CK_TOK_NONLOCAL || first == CK_TOK_CLASS || first == CK_TOK_DEF ||
        first == CK_TOK_AT)
        return;
    find_targets(f);
    each_target(f, store_target, NULL);
    for (int i = begin; i < end; i++) {
        bool is_keyword = kind_at(f, i + 1) == CK_TOK_ASSIGN && f->open[i] >= begin;
        if (kind_at(f, i) == CK_TOK_NAME && kind_at(f, i - 1) != CK_TOK_DOT && !is_keyword &&
            !is_target(f, i) && import_of(f, name_at(f, i)) < 0)
            use_name(f, i);
    }
}

/* --- Functions and lines -------------------------------------------------------------------------
 */

static void
add_local(struct finder *f, const char *name)
{
    CK_PUSH(f->arena, f->locals, f->n_locals, f->locals_capacity, name);
    ck_index_add(f->arena, &f->local_index, ck_hash_text(name));
}

static void
add_local_target(struct finder *f, int token, void *context)
{
    (void)context;
    enum ck_token_kind after = kind_at(f, token + 1);
    if (after != CK_TOK_DOT && after != CK_TOK_LBRACKET && after != CK_TOK_LPAREN)
        add_local(f, name_at(f, token));
}

/* The end of the simple statement or of the header that begins here. */
static int
statement_end(const struct finder *f, int begin)
{
    enum ck_token_kind first = kind_at(f, begin);
    bool is_compound = first == CK_TOK_IF || first == CK_TOK_WHILE || first == CK_TOK_FOR ||
                       first == CK_TOK_WITH || first == CK_TOK_TRY || first == CK_TOK_ELSE ||
                       first == CK_TOK_ELIF || first == CK_TOK_EXCEPT || first == CK_TOK_FINALLY ||
                       first == CK_TOK_DEF || first == CK_TOK_CLASS || first == CK_TOK_ASYNC;
    int i = begin;
    while (i < f->n) {
        enum ck_token_kind kind = kind_at(f, i);
        if (kind <= CK_TOK_DEDENT || kind == CK_TOK_SEMICOLON ||
            (is_compound && kind == CK_TOK_COLON))
            return i;
        i = f->close[i] + 1;
    }
    return f->n;
}

/* The names that a function binds, from the name after `def` to the end of its block. */
static void
find_locals(struct finder *f, int def, int depth)
{
    f->n_locals = 0;
    ck_index_cut(&f->local_index, 0);
    bool body = false;
    int level = depth, end = f->n;
    for (int i = def; i < end; i++) {
        enum ck_token_kind kind = kind_at(f, i);
        level += (kind == CK_TOK_INDENT) - (kind == CK_TOK_DEDENT);
        body |= kind == CK_TOK_NEWLINE;
        if (body && level <= depth && kind > CK_TOK_DEDENT)
            end = i;
        bool starts =
            i < end && kind > CK_TOK_DEDENT && kind != CK_TOK_SEMICOLON &&
            (kind_at(f, i - 1) <= CK_TOK_DEDENT || kind_at(f, i - 1) == CK_TOK_SEMICOLON ||
             (kind_at(f, i - 1) == CK_TOK_COLON && f->open[i] < 0));
        if (starts) {
            f->begin = i;
            f->end = statement_end(f, i);
            find_targets(f);
            each_target(f, add_local_target, NULL);
        }
        bool is_param = f->open[i] >= 0 && kind_at(f, f->open[i] - 2) == CK_TOK_DEF &&
                        kind_at(f, i - 1) != CK_TOK_ASSIGN && kind_at(f, i - 1) != CK_TOK_COLON;
        bool is_bound = kind_at(f, i - 1) == CK_TOK_AS || kind_at(f, i + 1) == CK_TOK_WALRUS;
        if (kind == CK_TOK_NAME && (is_param || is_bound))
            add_local(f, name_at(f, i));
    }
    /* `global a, b` */
    for (int i = def; i < end; i++) {
        if (kind_at(f, i) != CK_TOK_GLOBAL)
            continue;
        for (i++; kind_at(f, i) == CK_TOK_NAME || kind_at(f, i) == CK_TOK_COMMA; i++) {
            for (int k = 0; k < f->n_locals; k++) {
                if (f->locals[k] && strcmp(f->locals[k], name_at(f, i)) == 0)
                    f->locals[k] = NULL;
            }
        }
    }
}

/* `def f(a=T)`: the parameter may be the object. */
static void
read_defaults(struct finder *f, const char *function, int bracket)
{
    for (int i = bracket + 1; i < f->close[bracket]; i = f->close[i] + 1) {
        if (kind_at(f, i) == CK_TOK_ASSIGN && kind_at(f, i + 1) == CK_TOK_NAME &&
            kind_at(f, i - 1) == CK_TOK_NAME)
            add_flow(f, object_of(f, function, name_at(f, i - 1)),
                     object_of(f, NULL, name_at(f, i + 1)), 0, 0);
    }
}

static void
add_import(struct finder *f, const char *name, bool is_numpy)
{
    CK_PUSH(f->arena, f->imports, f->n_imports, f->imports_capacity,
            ((struct import){name, is_numpy}));
    ck_index_add(f->arena, &f->import_index, ck_hash_text(name));
}

/* The functions of the module, and all imports. */
static void
find_functions(struct finder *f)
{
    static const char *const roots[] = {"np", "numpy", "math", "cmath", "cuda", "numba"};
    int depth = 0;
    bool imports = false, is_numpy = false;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        add_import(f, roots[i], false);
    for (int i = 0; i < f->n; i++) {
        bool begins = kind_at(f, i - 1) <= CK_TOK_DEDENT || kind_at(f, i - 1) == CK_TOK_SEMICOLON;
        if (begins)
            imports = kind_at(f, i) == CK_TOK_IMPORT || kind_at(f, i) == CK_TOK_FROM;
        is_numpy = is_numpy && imports;
        if (imports && kind_at(f, i - 1) == CK_TOK_FROM)
            is_numpy = strcmp(name_at(f, i), "numpy") == 0 || strcmp(name_at(f, i), "math") == 0;
        if (imports && kind_at(f, i) == CK_TOK_NAME)
            add_import(f, name_at(f, i), is_numpy);
        depth += (kind_at(f, i) == CK_TOK_INDENT) - (kind_at(f, i) == CK_TOK_DEDENT);
        if (depth == 0 && kind_at(f, i) == CK_TOK_DEF && kind_at(f, i + 1) == CK_TOK_NAME &&
            kind_at(f, i + 2) == CK_TOK_LPAREN) {
            CK_PUSH(f->arena, f->functions, f->n_functions, f->functions_capacity, i + 1);
            ck_index_add(f->arena, &f->function_index, ck_hash_text(name_at(f, i + 1)));
        }
    }
}

/* `def` outside functions begins one. */
static void
begin_function(struct finder *f, int def, int depth)
{
    const char *name = name_at(f, def + 1);
    if (kind_at(f, def + 2) == CK_TOK_LPAREN && depth == 0)
        read_defaults(f, name, def + 2);
    find_locals(f, def + 1, depth);
    /* A method is no function of the module. */
    f->function = depth ? ck_arena_printf(f->arena, ".%s", name) : name;
}

struct ck_object_changes *
ck_changes_find(struct ck_arena *arena, const struct ck_source *source, struct ck_diags *diags)
{
    struct finder f = {.arena = arena, .out = CK_NEW(arena, struct ck_object_changes)};
    f.out->arena = arena;
    diags->quiet++;
    read_tokens(&f, source, diags);
    diags->quiet--;
    find_functions(&f);
    int depth = 0, function_depth = 0;
    bool starts_line = true;
    for (int i = 0; i < f.n; i++) {
        enum ck_token_kind kind = kind_at(&f, i);
        depth += (kind == CK_TOK_INDENT) - (kind == CK_TOK_DEDENT);
        starts_line |= kind == CK_TOK_NEWLINE;
        if (kind <= CK_TOK_DEDENT || kind == CK_TOK_SEMICOLON || kind == CK_TOK_COLON)
            continue;
        if (starts_line && depth <= function_depth)
            f.function = NULL;
        starts_line = false;
        int def = kind == CK_TOK_ASYNC ? i + 1 : i;
        if (kind_at(&f, def) == CK_TOK_DEF && !f.function) {
            begin_function(&f, def, depth);
            function_depth = depth;
        }
        int end = statement_end(&f, i);
        read_statement(&f, i, end);
        i = end > i ? end - 1 : i;
    }
    return f.out;
}
