/* Hover: what the name under the cursor means. */
#include <string.h>

#include "meaning.h"

struct json_object *
lsp_hover(struct lsp_request *request)
{
    struct ck_arena *arena = request->arena;
    struct lsp_place place;
    if (!lsp_place_of(request, &place))
        return NULL;
    struct lsp_meaning meaning = lsp_meaning_at(arena, place.analysis, place.offset);
    struct lsp_description description = {"", ""};
    if (meaning.word.start < meaning.word.end)
        description = lsp_describe(arena, place.analysis, &meaning);
    if (!*description.line)
        return NULL;
    bool markdown = request->server->client.markdown_hover;
    const char *text =
        ck_arena_printf(arena, markdown ? "```python\n%s\n```%s%s" : "%s%s%s", description.line,
                        *description.text ? "\n\n" : "", description.text);
    struct json_object *hover = json_object_new_object();
    lsp_put(hover, "contents", lsp_markup(markdown, text));
    lsp_put(hover, "range", lsp_range(request, place.document, meaning.word));
    return hover;
}
