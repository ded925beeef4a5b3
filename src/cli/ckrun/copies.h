/* Steps that copy arrays on the device: `u[:] = v`. */
#ifndef COPIES_H
#define COPIES_H

#include "ckrun.h"

/* Consecutive bytes, from the first element of the arrays that have the memory on. */
struct ckrun_piece {
    int64_t to, from;
};

struct ckrun_copy {
    const char *text;         /* as written */
    struct ckrun_array *to;   /* a view */
    struct ckrun_array *from; /* NULL: every byte becomes `byte` */
    unsigned char byte;
    struct ckrun_piece *pieces; /* owned */
    size_t n_pieces, piece_bytes;
};

/* Whether the text of an action assigns: it is no launch. */
bool ckrun_is_copy(const char *text);
/* Reads `TARGET[...] = VALUE`. False after a message. */
bool ckrun_parse_copy(struct ckrun_copy *out, struct ckrun_env *env, const char *text);
void ckrun_copy_release(struct ckrun_copy *copy);
/* The bytes that it reads and writes. */
double ckrun_copy_bytes(const struct ckrun_copy *copy);
/* Copies the arrays to the device. Each returns an exit status; the message is printed. */
int ckrun_copy_prepare(struct ckrun_session *session, const struct ckrun_copy *copy);
/* Does not wait for the end. */
int ckrun_copy_run(struct ckrun_session *session, const struct ckrun_copy *copy);
/* Reports a copy that failed, or the launches before it that it waited for. */
int ckrun_copy_failed(struct ckrun_session *session, const struct ckrun_copy *copy,
                      ck_status status);

#endif
