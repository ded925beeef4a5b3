/* LLVM's heap: C++'s operators new and delete in codegen/driver/llvm_heap.c. */
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codegen/driver/llvm_heap.h"

void *cxx_new(size_t size) __asm__("_Znwm");
void *cxx_new_aligned(size_t size, size_t alignment) __asm__("_ZnwmSt11align_val_t");
void cxx_delete(void *block) __asm__("_ZdlPv");
void cxx_delete_sized(void *block, size_t size) __asm__("_ZdlPvm");
void cxx_delete_sized_aligned(void *block, size_t size,
                              size_t alignment) __asm__("_ZdlPvmSt11align_val_t");

enum { MAX_SIZE = 9000, N_BLOCKS = 64 };

/* Every size, new and reused: no two blocks share a byte. */
static void
test_blocks_hold_their_size(void **state)
{
    ck_llvm_heap_begin();
    for (size_t size = 0; size <= MAX_SIZE; size++) {
        cxx_delete(cxx_new(size > 0 ? size - 1 : 0));
        unsigned char *a = cxx_new(size), *b = cxx_new(size);
        memset(a, 1, size);
        memset(b, 2, size);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(a[i], 1);
        cxx_delete_sized(a, size);
        cxx_delete_sized(b, size);
    }
    ck_llvm_heap_end();
}

static void
test_alignment(void **state)
{
    ck_llvm_heap_begin();
    for (int round = 0; round < 2; round++) {
        for (size_t alignment = 8; alignment <= 4096; alignment *= 2) {
            for (size_t size = 1; size <= 5000; size += 613) {
                void *block = cxx_new_aligned(size, alignment);
                assert_int_equal((uintptr_t)block % alignment, 0);
                memset(block, 1, size);
                cxx_delete_sized_aligned(block, size, alignment);
            }
        }
    }
    ck_llvm_heap_end();
}

static void
test_null_is_deleted(void **state)
{
    cxx_delete(NULL);
    ck_llvm_heap_begin();
    cxx_delete(NULL);
    cxx_delete_sized(NULL, 16);
    ck_llvm_heap_end();
}

/* While a thread compiles, a freed block is the next of its size. malloc may round sizes up. */
static void
test_blocks_are_reused(void **state)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    skip(); /* its operators never return an address again */
#else
    ck_llvm_heap_begin();
    void *small[N_BLOCKS];
    for (int i = 0; i < N_BLOCKS; i++)
        small[i] = cxx_new(40);
    for (int i = 0; i < N_BLOCKS; i++)
        cxx_delete(small[i]);
    for (int i = N_BLOCKS; i-- > 0;)
        assert_ptr_equal(cxx_new(malloc_usable_size(small[i])), small[i]);
    void *large = cxx_new(8000);
    cxx_delete(large);
    assert_ptr_equal(cxx_new(malloc_usable_size(large)), large);
    for (int i = 0; i < N_BLOCKS; i++)
        cxx_delete(small[i]);
    cxx_delete(large);
    ck_llvm_heap_end();
#endif
}

static void *
free_elsewhere(void *block)
{
    cxx_delete(block);
    return NULL;
}

/* A block outlives the compilation, and other threads and free() take it. */
static void
test_blocks_outlive_the_compilation(void **state)
{
    ck_llvm_heap_begin();
    void *first = cxx_new(100), *second = cxx_new(100), *third = cxx_new(100);
    ck_llvm_heap_end();
    void *before = cxx_new(100);
    memset(first, 1, 100);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, free_elsewhere, first), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    cxx_delete(second);
    ck_llvm_heap_begin();
    cxx_delete(before);
    cxx_delete(third);
    ck_llvm_heap_end();
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_hold_their_size),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_null_is_deleted),
        cmocka_unit_test(test_blocks_are_reused),
        cmocka_unit_test(test_blocks_outlive_the_compilation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
