/* Records: their text, and what they need in memory. */
#ifndef CK_DATA_RECORD_H
#define CK_DATA_RECORD_H

#include <ck/base.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/strbuf.h"

/* Bytes of an element; 0: of no known type. */
size_t ck_item_size(ck_dtype dtype, const ck_record *record);
/* What the address of an element divides: its size, and of a record as much as its fields need. */
size_t ck_item_align(ck_dtype dtype, const ck_record *record);
/* The same of a vector of numbers. */
size_t ck_vector_align(ck_dtype dtype, int lanes);
/* Whether there are vectors of such numbers. */
bool ck_makes_vectors(ck_dtype dtype);
/* Whether the record can be: names, types, fields within its size, 16 records in each other. */
bool ck_record_is_sound(const ck_record *record);
/* Whether both make the same type in the language, in which a vector is no array of numbers. */
bool ck_record_is_same(const ck_record *a, const ck_record *b);
/* Whether records given for others are in memory as those: a vector may be given as an array of its
 * numbers, or as a record of them. */
bool ck_record_takes(const ck_record *wanted, const ck_record *given);
/* Whether the record has the fields x, y, z, w of a vector at their places, and no others. */
bool ck_record_is_vector(const ck_record *record, ck_dtype dtype, int lanes);
/* "{x:float32,v:int32(2,3)@8,p:float32x4}/48": `@` an offset that is not the last field's end, `/`
 * a size that is not. */
void ck_record_write(struct ck_strbuf *out, const ck_record *record);
/* Says by which field a record type differs from another: "field `v` is int32(3), not int32". */
void ck_record_write_difference(struct ck_strbuf *out, const ck_record *given,
                                const ck_record *wanted);
/* Reads such a text from *AT on, and moves *AT behind it. NULL: it is none. */
const ck_record *ck_record_read(struct ck_arena *arena, const char **at);
/* Makes every bool of these bytes of records 0 or 1. */
void ck_record_normalise_bools(const ck_record *record, unsigned char *bytes, size_t length);
uint64_t ck_record_hash(const ck_record *record);

#endif
