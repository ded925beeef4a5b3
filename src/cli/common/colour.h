/* Colours of messages on a terminal: --color, NO_COLOR. */
#ifndef COLOUR_H
#define COLOUR_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Whether messages have colours, for the value of --color: auto (NULL too), always, never. By auto
 * they do on a terminal that is not `dumb`, unless NO_COLOR is set to something. */
bool colour_is_on(const char *value);

/* "error: " in the severity's colour. */
void colour_put_severity(struct ck_strbuf *out, const char *severity);
/* A diagnostic as the library renders it. */
void colour_put_rendered(struct ck_strbuf *out, const char *text);

#endif
