/* How the members of a record in memory determine what its address divides. */
#ifndef CK_MEMBER_ALIGN_H
#define CK_MEMBER_ALIGN_H

/* What a record's address divides on account of a member: the most, up to what the member itself
 * needs, that its offset keeps, and the size of the record. All but the size and the offset are
 * powers of two. */
static inline int
ck_member_align(int align, int offset, int size)
{
    while (offset % align || size % align)
        align /= 2;
    return align;
}

#endif
