/* LLVM's heap while a thread compiles. */
#ifndef CK_LLVM_HEAP_H
#define CK_LLVM_HEAP_H

/* Between the two calls, the calling thread keeps the blocks that LLVM frees, for LLVM's next
 * blocks of their size. */
void ck_llvm_heap_begin(void);
void ck_llvm_heap_end(void);

#endif
