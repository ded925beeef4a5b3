/* Arena allocation: many small objects, one lifetime, one free.
 *
 * An arena never returns NULL. When memory runs out it jumps to `on_oom`, which the API's entry
 * point sets, so that callers need no checks; without a handler it aborts. */
#ifndef CK_ARENA_H
#define CK_ARENA_H

#include <setjmp.h>
#include <stddef.h>

struct ck_arena_chunk;

struct ck_arena {
    struct ck_arena_chunk *chunks; /* newest first */
    char *next;                    /* free bytes of the newest chunk */
    char *end;
    jmp_buf *on_oom; /* borrowed; where to go when malloc fails */
};

struct ck_arena_mark {
    struct ck_arena_chunk *chunk;
    char *next;
};

void ck_arena_init(struct ck_arena *arena);
void ck_arena_free(struct ck_arena *arena);

/* Zeroed memory, aligned for any object. */
void *ck_arena_alloc(struct ck_arena *arena, size_t size);
/* The array at `old` grown from `old_count` to `new_count` elements; the rest is zeroed. */
void *ck_arena_grow(struct ck_arena *arena, const void *old, size_t old_count, size_t new_count,
                    size_t elem_size);
char *ck_arena_strndup(struct ck_arena *arena, const char *text, size_t length);
char *ck_arena_strdup(struct ck_arena *arena, const char *text);
/* Copies `text`, which malloc allocated, to the arena and frees it, also when memory runs out. NULL
 * stands for an allocation that failed. */
char *ck_arena_take(struct ck_arena *arena, char *text);
char *ck_arena_printf(struct ck_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Scratch use: everything allocated after the mark is freed by the release. */
struct ck_arena_mark ck_arena_mark(const struct ck_arena *arena);
void ck_arena_release(struct ck_arena *arena, struct ck_arena_mark mark);

#define CK_NEW(arena, type)          ((type *)ck_arena_alloc((arena), sizeof(type)))
#define CK_NEW_ARRAY(arena, type, n) ((type *)ck_arena_alloc((arena), sizeof(type) * (size_t)(n)))

/* Appends `item` to a list given as (items, count, capacity), growing it in the arena. */
#define CK_PUSH(arena, items, count, capacity, item)                                               \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            size_t push_capacity = (capacity) ? (size_t)(capacity)*2 : 4;                          \
            (items) =                                                                              \
                ck_arena_grow((arena), (items), (size_t)(count), push_capacity, sizeof *(items));  \
            (capacity) = (__typeof__(capacity))push_capacity;                                      \
        }                                                                                          \
        (items)[(count)++] = (item);                                                               \
    } while (0)

#endif
