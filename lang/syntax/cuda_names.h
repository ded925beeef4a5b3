/* Names of CUDA C++ that ck does not have, with what to write instead. */
#ifndef CK_CUDA_NAMES_H
#define CK_CUDA_NAMES_H

struct ck_cuda_name {
    const char *name;
    const char *use;  /* an expression of ck, or NULL */
    const char *text; /* a remark, or what to do instead, or NULL */
};

/* NULL: CUDA C++ has no such name, or means the same by it. */
const struct ck_cuda_name *ck_cuda_name_find(const char *name);

#endif
