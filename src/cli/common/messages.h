/* Messages and diagnostics on standard error: as text, as JSON, or as SARIF (--diagnostics).
 *
 * A message is the line that says what is wrong, and details: lines below it. docs/diagnostics.md
 * describes the two forms for programs. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#include <ck/ck.h>

/* A member of a message beside its text: "replay", the command. */
struct tool_fact {
    const char *key, *value; /* `value` NULL: left out */
};

/* Reads --diagnostics from the whole command line, so that errors before it have its form too.
 * Returns TOOL_DONE, or TOOL_USAGE after a message. */
int tool_report_begin(int argc, char **argv);

/* -v: from now on tool_verbose prints notes; else it prints nothing. */
void tool_be_verbose(void);
void tool_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the output, for the command's exit status: returns it, or TOOL_FAILED after a message if
 * standard output could not be written. */
int tool_report_end(int status);

/* Whether messages are text for people: lines of other kinds may be printed between them. */
bool tool_report_is_text(void);

/* A message without a place. `lines`: newlines stay. */
void tool_report_message(const char *severity, const char *text, bool lines);
/* An error that a run showed about the program in `file`; in the forms for programs it has a name
 * and facts, as a diagnostic has. */
void tool_report_result(const char *name, const char *file, const char *text,
                        const struct tool_fact *facts, size_t n_facts);
void tool_report_diagnostic(const ck_diagnostic *diagnostic, const struct tool_fact *facts,
                            size_t n_facts);

/* More of the last message: lines below it, each begun by two spaces and ended by a newline. */
void tool_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with external text, as tool_put prints it. */
void tool_detail_put(const char *text, bool lines);

/* Findings that were not printed: part of the summary. */
void tool_report_hide(size_t n, bool at_least);

/* The bytes that would complete the output with an error and an exit status, for a handler of a
 * signal to write; to be freed. */
char *tool_report_last_words(const char *text, const char *details, int status);

#endif
