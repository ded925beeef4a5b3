/* The types of dates and times. */
#include "lang/typed/types.h"

#define UNITS(of, kind_)                                                                           \
    of(kind_, CK_UNIT_YEAR), of(kind_, CK_UNIT_MONTH), of(kind_, CK_UNIT_WEEK),                    \
        of(kind_, CK_UNIT_DAY), of(kind_, CK_UNIT_HOUR), of(kind_, CK_UNIT_MINUTE),                \
        of(kind_, CK_UNIT_SECOND), of(kind_, CK_UNIT_MS), of(kind_, CK_UNIT_US),                   \
        of(kind_, CK_UNIT_NS), of(kind_, CK_UNIT_PS), of(kind_, CK_UNIT_FS),                       \
        of(kind_, CK_UNIT_AS), of(kind_, CK_UNIT_GENERIC)
#define TYPE(kind_, unit_) [unit_] = {.kind = kind_, .date = {unit_}}

static const struct ck_type datetimes[CK_N_UNITS] = {UNITS(TYPE, CK_TYPE_DATETIME64)};
static const struct ck_type timedeltas[CK_N_UNITS] = {UNITS(TYPE, CK_TYPE_TIMEDELTA64)};

const struct ck_type *
ck_type_date(enum ck_type_kind kind, enum ck_date_unit unit)
{
    return kind == CK_TYPE_DATETIME64 ? &datetimes[unit] : &timedeltas[unit];
}

const struct ck_type *
ck_date_type_by_name(const char *name)
{
    bool is_delta;
    enum ck_date_unit unit;
    if (*name == '<' || *name == '=' || *name == '|') /* the byte order of every device */
        name++;
    return ck_date_find_type(name, &is_delta, &unit)
               ? ck_type_date(is_delta ? CK_TYPE_TIMEDELTA64 : CK_TYPE_DATETIME64, unit)
               : NULL;
}
