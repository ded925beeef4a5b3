/* Limits of GPUs that the language, the code generator and the runtime share. Each is that of the
 * largest device; a device that allows less refuses the launch. */
#ifndef CK_LIMITS_H
#define CK_LIMITS_H

enum {
    CK_WARP_SIZE = 32,
    CK_MAX_BLOCK_THREADS = 1024,
    CK_MAX_CLUSTER = 16,               /* blocks of a cluster */
    CK_MAX_THREAD_REGISTERS = 255,     /* of 32 bits */
    CK_MAX_SHARED_BYTES = 227 << 10,   /* of a block, after an opt-in */
    CK_STATIC_SHARED_BYTES = 48 << 10, /* of a block, without one */
    CK_MAX_CONST_BYTES = 64 << 10,     /* constant memory: one limit for every target */
    CK_MAX_MODULE_ARRAY = 1 << 30,     /* bytes of an array of the module in global memory */
    CK_MAX_LOCAL_BYTES = 512 << 10,    /* of a thread's local arrays */
    CK_RECURSION_BYTES = 16 << 10,     /* of a thread's recursive calls, as they are counted */
    CK_RECURSION_STACK = 20 << 10,     /* that a device must have for them */
    CK_ARRAY_ALIGN = 16,               /* bytes: the longest access of a thread */
    CK_MAX_VECTOR = 4,                 /* numbers of a vector */
};

#endif
