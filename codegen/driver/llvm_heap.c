/* LLVM's heap: C++'s operators new and delete, of which libck has its own (docs/adr/057).
 *
 * LLVM allocates about 8,000 blocks a kernel. Most are small and soon freed. glibc's malloc keeps
 * seven freed blocks of each size at hand, and merges and splits blocks beyond these. A thread that
 * compiles keeps all freed blocks of up to 8 KiB in lists by size instead, until the compilation
 * ends.
 *
 * Every block is malloc's, so any thread can free it at any time, as LLVM does with what it keeps
 * beyond a compilation. */
#include "codegen/driver/llvm_heap.h"

#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__

/* The sanitizer has operators of its own. */
void
ck_llvm_heap_begin(void)
{
}

void
ck_llvm_heap_end(void)
{
}

#else

/* List i has blocks of at least 16 * i + 8 bytes: glibc's blocks have such sizes. */
enum { STEP = 16, EXTRA = 8, N_LISTS = 520 };

struct block {
    struct block *next;
};

struct heap {
    struct block *lists[N_LISTS];
};

/* Of a compiling thread; otherwise NULL. */
static _Thread_local struct heap *current __attribute__((tls_model("initial-exec")));

/* The operators by their names in the Itanium C++ ABI. */
void *ck_new(size_t size) __asm__("_Znwm");
void *ck_new_aligned(size_t size, size_t alignment) __asm__("_ZnwmSt11align_val_t");
void ck_delete(void *block) __asm__("_ZdlPv");
void ck_delete_sized(void *block, size_t size) __asm__("_ZdlPvm");
void ck_delete_aligned(void *block, size_t alignment) __asm__("_ZdlPvSt11align_val_t");
void ck_delete_sized_aligned(void *block, size_t size,
                             size_t alignment) __asm__("_ZdlPvmSt11align_val_t");
_Noreturn void ck_throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv");

/* The first list whose blocks hold so many bytes. glibc has no block for list 0. */
static size_t
list_for(size_t size)
{
    return size <= STEP + EXTRA ? 1 : (size - EXTRA + STEP - 1) / STEP;
}

void *
ck_new(size_t size)
{
    size_t list = list_for(size);
    struct block *block = current && list < N_LISTS ? current->lists[list] : NULL;
    if (block) {
        current->lists[list] = block->next;
        return block;
    }
    block = malloc(size > 0 ? size : 1);
    if (!block)
        ck_throw_bad_alloc();
    return block;
}

void *
ck_new_aligned(size_t size, size_t alignment)
{
    if (alignment <= _Alignof(max_align_t))
        return ck_new(size);
    void *block = aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    if (!block)
        ck_throw_bad_alloc();
    return block;
}

void
ck_delete(void *opaque)
{
    if (!opaque)
        return;
    struct block *block = opaque;
    size_t size = current ? malloc_usable_size(block) : 0;
    size_t list = size < EXTRA ? 0 : (size - EXTRA) / STEP;
    if (list == 0 || list >= N_LISTS) {
        free(block);
        return;
    }
    block->next = current->lists[list];
    current->lists[list] = block;
}

void
ck_delete_sized(void *block, size_t size)
{
    ck_delete(block);
}

void
ck_delete_aligned(void *block, size_t alignment)
{
    ck_delete(block);
}

void
ck_delete_sized_aligned(void *block, size_t size, size_t alignment)
{
    ck_delete(block);
}

/* Without memory for the lists, the thread has none. */
void
ck_llvm_heap_begin(void)
{
    current = calloc(1, sizeof *current);
}

void
ck_llvm_heap_end(void)
{
    struct heap *heap = current;
    current = NULL;
    for (int i = 0; heap && i < N_LISTS; i++) {
        while (heap->lists[i]) {
            struct block *block = heap->lists[i];
            heap->lists[i] = block->next;
            free(block);
        }
    }
    free(heap);
}

#endif
