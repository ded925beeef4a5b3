/* The types of the language. Types are interned: equal types are one pointer. */
#ifndef CK_TYPES_H
#define CK_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/date_text.h"
#include "base/index.h"
#include "base/limits.h"
#include "base/strbuf.h"

enum { CK_MAX_NDIM = 8 };

/* Limits on the type of a tuple that is written out: its items, those of nested tuples included,
 * and the depth of nesting. A tuple made of other tuples has at most as many items, and 200
 * levels. */
enum { CK_MAX_TUPLE_ITEMS = 1024, CK_MAX_TUPLE_DEPTH = 16, CK_MAX_VALUE_DEPTH = 200 };

/* The scalar kinds are ordered: bool, signed, unsigned, floats, complex; each by width. */
enum ck_type_kind {
    CK_TYPE_VOID,
    CK_TYPE_BOOL,
    CK_TYPE_INT8,
    CK_TYPE_INT16,
    CK_TYPE_INT32,
    CK_TYPE_INT64,
    CK_TYPE_UINT8,
    CK_TYPE_UINT16,
    CK_TYPE_UINT32,
    CK_TYPE_UINT64,
    CK_TYPE_FLOAT16,
    CK_TYPE_BFLOAT16,
    CK_TYPE_FLOAT32,
    CK_TYPE_FLOAT64,
    CK_TYPE_COMPLEX64,
    CK_TYPE_COMPLEX128,
    CK_TYPE_WEAK_INT,     /* a literal's; stored as int64 */
    CK_TYPE_WEAK_FLOAT,   /* a literal's; stored as float64 */
    CK_TYPE_WEAK_COMPLEX, /* a literal's; stored as complex128 */
    CK_TYPE_TUPLE,
    CK_TYPE_ARRAY,
    CK_TYPE_GROUP,       /* a group handle: a tuple of its run-time values */
    CK_TYPE_POINTER,     /* an address of global memory, which a launch passes as a uint64 */
    CK_TYPE_DATETIME64,  /* NumPy's: how many units after 1970 began, or NaT */
    CK_TYPE_TIMEDELTA64, /* how many units, or NaT */
};

enum ck_layout { CK_LAYOUT_ANY, CK_LAYOUT_C, CK_LAYOUT_F };

/* Where an array's elements are. Kernel arguments are GLOBAL. */
enum ck_space {
    CK_SPACE_GENERIC,
    CK_SPACE_GLOBAL,
    CK_SPACE_SHARED,
    CK_SPACE_LOCAL,
    CK_SPACE_CONST
};

enum ck_group_kind {
    CK_GROUP_GRID,
    CK_GROUP_CLUSTER,
    CK_GROUP_BLOCK,
    CK_GROUP_TILE,      /* `size` consecutive threads of the block, a power of two up to 32 */
    CK_GROUP_WIDE_TILE, /* the same, of 64 to 1024 threads */
    CK_GROUP_COALESCED, /* lanes of one warp: (mask, meta_group_rank, meta_group_size) */
    CK_GROUP_PART, /* a partition with threads of several warps: (rank, num_threads, the position
                      that prelude/part.ck describes, meta_group_rank, meta_group_size) */
    CK_N_GROUP_KINDS,
    CK_GROUP_TOKEN = CK_N_GROUP_KINDS /* no group: the token that barrier_arrive returns and
                                         barrier_wait takes */
};

/* A member of a record in memory: a number, a vector, a record, or an array of these. */
struct ck_member_layout {
    const struct ck_type *type; /* of an array: of its elements */
    int offset;                 /* in bytes */
    int ndim;                   /* 0: no array */
    int64_t shape[CK_MAX_NDIM];
};

/* A namedtuple's name and those of its items. Each definition in a program has its own. */
struct ck_fields {
    const char *name;
    const char **names;
    int n;
    bool is_vector; /* of a vector type: `name` is `float32x4`, the items have one scalar type */
    /* Of a record: where its members are; NULL: of another tuple. An item that is an array is a
     * tuple of its rows. */
    const struct ck_member_layout *members;
    int size, align; /* of a record in memory, in bytes */
};

enum { CK_N_VECTOR_ELEMS = CK_TYPE_FLOAT64 - CK_TYPE_INT8 + 1 };

struct ck_type {
    enum ck_type_kind kind;
    int total, depth; /* of a TUPLE, else 0: items at all depths; depth of nesting */
    union {
        struct {
            const struct ck_type **items;
            int n;
            const struct ck_fields *fields; /* TUPLE: of a namedtuple, else NULL */
        } tuple;                            /* TUPLE; GROUP: `items` and `n` */
        struct {
            const struct ck_type *elem; /* a scalar, not weak; a date, a vector, or a record */
            int ndim;
            enum ck_layout layout;
            enum ck_space space;
            int pitch; /* of fields of elements: strides count so many bytes; 0: elements */
            int align; /* likewise: what the elements' addresses divide; 0: as elsewhere */
        } array;
        struct {
            const struct ck_type **items; /* as of a tuple */
            int n;
            enum ck_group_kind kind;
            int size;   /* of a tile */
            int parent; /* a tile's: the size of the tile that it divides; 0: it divides the block.
                           A token's: the kind of its group */
        } group;
        struct {
            const struct ck_type *elem; /* as of an array; VOID: not known */
        } pointer;
        struct {
            enum ck_date_unit unit;
        } date; /* DATETIME64, TIMEDELTA64 */
    };
};

struct ck_types {
    struct ck_arena *arena;
    const struct ck_type **all; /* every tuple and array type so far */
    int n, capacity;
    struct ck_index index;
    const struct ck_type *vectors[CK_N_VECTOR_ELEMS][CK_MAX_VECTOR]; /* those used so far */
    const struct ck_type **records;                                  /* likewise */
    int n_records, records_capacity;
};

void ck_types_init(struct ck_types *types, struct ck_arena *arena);
const struct ck_type *ck_type_scalar(enum ck_type_kind kind); /* VOID to WEAK_COMPLEX */
/* date_type.c: DATETIME64 or TIMEDELTA64. */
const struct ck_type *ck_type_date(enum ck_type_kind kind, enum ck_date_unit unit);
/* `size` and `parent`: see struct ck_type; 0 for other groups than tiles. */
const struct ck_type *ck_type_group(struct ck_types *types, enum ck_group_kind kind, int size,
                                    int parent);
const struct ck_type *ck_type_pointer(struct ck_types *types, const struct ck_type *elem);
const struct ck_type *ck_type_tuple(struct ck_types *types, const struct ck_type *const *items,
                                    int n);
/* A tuple with a namedtuple's fields, or NULL for none. */
const struct ck_type *ck_type_named_tuple(struct ck_types *types, const struct ck_fields *fields,
                                          const struct ck_type *const *items, int n);
/* vector.c: the vector type of Numba's or CUDA's name, as `float32x4` or `float4`, or NULL: a tuple
 * with fields x, y, z, w. */
const struct ck_type *ck_type_vector(struct ck_types *types, const char *name);
bool ck_is_vector_name(const char *name);
/* The vector type of n elements of a scalar type; NULL: there is none. */
const struct ck_type *ck_type_vector_of(struct ck_types *types, const struct ck_type *elem, int n);
/* record_type.c: the record of these members, in `size` bytes; a record of the same members is the
 * same type. NULL: it has too many numbers for a tuple. `name`: NULL: it has none. */
const struct ck_type *ck_type_record(struct ck_types *types, const char *name,
                                     const char *const *names,
                                     const struct ck_member_layout *members, int n, int size);
/* Sets the offsets of members that follow each other, aligned as in C or not at all, and returns
 * the size of the record; -1: it is too large. */
int ck_record_place(struct ck_member_layout *members, int n, bool aligned);
/* The bytes of a member; -1: too many. */
int ck_member_size(const struct ck_member_layout *member);
/* Whether both are one type but for the fields of namedtuples, and for what pointers point to: a
 * launch passes uint64. */
bool ck_type_is_alike(const struct ck_type *a, const struct ck_type *b);
/* Whether the type is that of a namedtuple's name, whose items have no types: they are VOID. */
bool ck_type_is_untyped_tuple(const struct ck_type *t);
const struct ck_type *ck_type_array(struct ck_types *types, const struct ck_type *elem, int ndim,
                                    enum ck_layout layout, enum ck_space space);
/* An array of the same elements, in as much of the same memory. */
const struct ck_type *ck_type_array_like(struct ck_types *types, const struct ck_type *array,
                                         int ndim, enum ck_layout layout, enum ck_space space);
/* The array of a field of an array's elements, `offset` bytes into each. A field that is an array
 * itself adds `n_axes` dimensions. */
const struct ck_type *ck_type_field_array(struct ck_types *types, const struct ck_type *array,
                                          const struct ck_type *field, int offset, int n_axes);

static inline bool
ck_type_is_signed(const struct ck_type *t)
{
    return (t->kind >= CK_TYPE_INT8 && t->kind <= CK_TYPE_INT64) || t->kind == CK_TYPE_WEAK_INT;
}

static inline bool
ck_type_is_unsigned(const struct ck_type *t)
{
    return t->kind >= CK_TYPE_UINT8 && t->kind <= CK_TYPE_UINT64;
}

/* Integers, bool not included, weak ones included. */
static inline bool
ck_type_is_int(const struct ck_type *t)
{
    return ck_type_is_signed(t) || ck_type_is_unsigned(t);
}

/* Integers and bool. */
static inline bool
ck_type_is_whole(const struct ck_type *t)
{
    return ck_type_is_int(t) || t->kind == CK_TYPE_BOOL;
}

static inline bool
ck_type_is_float(const struct ck_type *t)
{
    return (t->kind >= CK_TYPE_FLOAT16 && t->kind <= CK_TYPE_FLOAT64) ||
           t->kind == CK_TYPE_WEAK_FLOAT;
}

static inline bool
ck_type_is_complex(const struct ck_type *t)
{
    return t->kind == CK_TYPE_COMPLEX64 || t->kind == CK_TYPE_COMPLEX128 ||
           t->kind == CK_TYPE_WEAK_COMPLEX;
}

static inline bool
ck_type_is_weak(const struct ck_type *t)
{
    return t->kind >= CK_TYPE_WEAK_INT && t->kind <= CK_TYPE_WEAK_COMPLEX;
}

static inline bool
ck_type_is_scalar(const struct ck_type *t)
{
    return t->kind >= CK_TYPE_BOOL && t->kind <= CK_TYPE_WEAK_COMPLEX;
}

/* Both of NumPy's types of dates and times: an int64 with a unit. */
static inline bool
ck_type_is_date(const struct ck_type *t)
{
    return t->kind == CK_TYPE_DATETIME64 || t->kind == CK_TYPE_TIMEDELTA64;
}

static inline bool
ck_type_is_scalar_or_date(const struct ck_type *t)
{
    return ck_type_is_scalar(t) || ck_type_is_date(t);
}

static inline bool
ck_type_is_array(const struct ck_type *t)
{
    return t->kind == CK_TYPE_ARRAY;
}

static inline bool
ck_type_is_group(const struct ck_type *t)
{
    return t->kind == CK_TYPE_GROUP;
}

static inline bool
ck_type_is_pointer(const struct ck_type *t)
{
    return t->kind == CK_TYPE_POINTER;
}

static inline bool
ck_type_is_vector(const struct ck_type *t)
{
    return t->kind == CK_TYPE_TUPLE && t->tuple.fields && t->tuple.fields->is_vector;
}

static inline bool
ck_type_is_record(const struct ck_type *t)
{
    return t->kind == CK_TYPE_TUPLE && t->tuple.fields && t->tuple.fields->members;
}

/* The type of a complex type's two parts. */
const struct ck_type *ck_type_part(const struct ck_type *type);

/* Width in bits of a scalar (bool: 8, as in memory; weak: as it is held), a date or a pointer. */
int ck_type_bits(const struct ck_type *t);
/* Bytes of one element in memory. */
int ck_type_size(const struct ck_type *t);
/* What the address of an element in memory divides. */
int ck_type_align(const struct ck_type *t);
/* The same of an array's elements; and how many bytes one step of a stride is. */
int ck_array_align(const struct ck_type *array);
int ck_array_pitch(const struct ck_type *array);
/* How many strides an array value carries: those its layout does not imply.
 * ANY: ndim; C and F: none. */
int ck_array_n_strides(const struct ck_type *array);

/* date_type.c: the type of "datetime64[D]", or in NumPy's short form "M8[D]"; NULL: it is none. */
const struct ck_type *ck_date_type_by_name(const char *name);

/* As the user writes it: "float32[:, ::1]", "(int64, int64)", "int64". Weak types are called
 * "int literal" and "float literal". */
void ck_type_write(struct ck_strbuf *out, const struct ck_type *t);
const char *ck_type_text(struct ck_arena *arena, const struct ck_type *t);
/* The scalar type called `name`, Numba's aliases included (i4, f8, boolean, intp ...), or the date
 * type (datetime64, datetime64[D]); NULL: there is none. */
const struct ck_type *ck_type_by_name(const char *name);

#endif
