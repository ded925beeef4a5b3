/* Arena allocation: a list of chunks, each twice as large as the one before up to a limit. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_CHUNK = 16 << 10, LARGEST_STEP = 1 << 20 };

struct ck_arena_chunk {
    struct ck_arena_chunk *older;
    char *end;
    _Alignas(ALIGN) char bytes[];
};

void
ck_arena_init(struct ck_arena *arena)
{
    memset(arena, 0, sizeof *arena);
}

static void
free_newer_than(struct ck_arena *arena, const struct ck_arena_chunk *keep)
{
    while (arena->chunks != keep) {
        struct ck_arena_chunk *older = arena->chunks->older;
        free(arena->chunks);
        arena->chunks = older;
    }
}

void
ck_arena_free(struct ck_arena *arena)
{
    free_newer_than(arena, NULL);
    ck_arena_init(arena);
}

static _Noreturn void
no_memory(struct ck_arena *arena)
{
    if (arena->on_oom)
        longjmp(*arena->on_oom, 1);
    abort();
}

static bool
try_chunk(struct ck_arena *arena, size_t at_least)
{
    size_t size = FIRST_CHUNK;
    if (arena->chunks) {
        size = (size_t)(arena->chunks->end - arena->chunks->bytes) * 2;
        size = size > LARGEST_STEP ? LARGEST_STEP : size;
    }
    size = size < at_least ? at_least : size;

    struct ck_arena_chunk *chunk = NULL;
    if (size <= SIZE_MAX - sizeof *chunk)
        chunk = malloc(sizeof *chunk + size);
    if (!chunk)
        return false;
    chunk->older = arena->chunks;
    chunk->end = chunk->bytes + size;
    arena->chunks = chunk;
    arena->next = chunk->bytes;
    arena->end = chunk->end;
    return true;
}

/* Returns NULL when out of memory. */
static void *
try_alloc(struct ck_arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGN)
        return NULL;
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!arena->chunks || (size_t)(arena->end - arena->next) < size) {
        if (!try_chunk(arena, size))
            return NULL;
    }
    void *result = arena->next;
    arena->next += size;
    return memset(result, 0, size);
}

void *
ck_arena_alloc(struct ck_arena *arena, size_t size)
{
    void *result = try_alloc(arena, size);
    if (!result)
        no_memory(arena);
    return result;
}

void *
ck_arena_grow(struct ck_arena *arena, const void *old, size_t old_count, size_t new_count,
              size_t elem_size)
{
    size_t bytes;
    if (__builtin_mul_overflow(new_count, elem_size, &bytes))
        bytes = SIZE_MAX;
    void *result = ck_arena_alloc(arena, bytes);
    if (old_count)
        memcpy(result, old, old_count * elem_size);
    return result;
}

char *
ck_arena_strndup(struct ck_arena *arena, const char *text, size_t length)
{
    char *copy = ck_arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *
ck_arena_strdup(struct ck_arena *arena, const char *text)
{
    return ck_arena_strndup(arena, text, strlen(text));
}

char *
ck_arena_take(struct ck_arena *arena, char *text)
{
    char *copy = text ? try_alloc(arena, strlen(text) + 1) : NULL;
    if (copy)
        strcpy(copy, text);
    free(text);
    if (!copy)
        no_memory(arena);
    return copy;
}

char *
ck_arena_printf(struct ck_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = ck_arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

struct ck_arena_mark
ck_arena_mark(const struct ck_arena *arena)
{
    return (struct ck_arena_mark){.chunk = arena->chunks, .next = arena->next};
}

void
ck_arena_release(struct ck_arena *arena, struct ck_arena_mark mark)
{
    free_newer_than(arena, mark.chunk);
    arena->next = mark.next;
    arena->end = mark.chunk ? mark.chunk->end : NULL;
}
