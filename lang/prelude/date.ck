# Dates and times: NumPy's datetime64 and timedelta64 as the int64 that they are. NaT is the least
# int64. A result is NaT if an operand is, and NaT is neither before, after nor equal to anything.


def _nat():
    return -9223372036854775808


def date_is_nat(a):
    return a == _nat()


def date_is_not_nat(a):
    return a != _nat()


# As an infinite number: none is.
def date_never(a):
    return False


# --- Operators ------------------------------------------------------------------------------------


def date_eq(a, b):
    return a == b and a != _nat()


def date_ne(a, b):
    return a != b or a == _nat()


def date_lt(a, b):
    return a < b and a != _nat()


def date_le(a, b):
    return a <= b and a != _nat()


def date_gt(a, b):
    return a > b and b != _nat()


def date_ge(a, b):
    return a >= b and b != _nat()


# -NaT and abs(NaT) wrap to NaT.
def date_negative(a):
    return -a


def date_abs(a):
    return abs(a)


# As NumPy's, of NaT too.
def date_sign(a):
    return int64(-1 if a < 0 else 1 if a > 0 else 0)


# A float as a timedelta: its whole part, and NaT if that is none of an int64 but NaT.
def _date_of_float(x):
    return int64(x) if x > -9223372036854775808.0 and x < 9223372036854775808.0 else _nat()


def date_times_float(a, x):
    return _nat() if a == _nat() else _date_of_float(float64(a) * x)


# Quotients by numbers are rounded toward zero, `//` too.
def date_over(a, n):
    if a == _nat() or n == 0:
        return _nat()
    quotient = a // n
    return quotient + 1 if quotient < 0 and quotient * n != a else quotient


def date_over_float(a, x):
    return _nat() if a == _nat() else _date_of_float(float64(a) / x)


def date_ratio(a, b):
    return float64(nan) if a == _nat() or b == _nat() else float64(a) / float64(b)


def date_floordiv(a, b):
    return 0 if a == _nat() or b == _nat() or b == 0 else a // b


def date_mod(a, b):
    return _nat() if a == _nat() or b == _nat() or b == 0 else a % b


# --- Extremes -------------------------------------------------------------------------------------
# NaT as an integer is below all others.


# NaT if one is.
def date_minimum(a, b):
    return min(a, b)


def date_maximum(a, b):
    return _nat() if a == _nat() or b == _nat() else max(a, b)


# The other if one is NaT.
def date_fmin(a, b):
    return b if a == _nat() else a if b == _nat() else min(a, b)


def date_fmax(a, b):
    return max(a, b)


# --- Units ----------------------------------------------------------------------------------------


# To a shorter unit, and to a longer one, rounded down.
def date_whole(a, factor):
    return _nat() if a == _nat() else a // factor


# Months since 1970 to days and back. 400 years have 146097 days, and a year begins with March:
# Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
def date_days_of_months(a):
    if a == _nat():
        return a
    month = a % 12
    year = a // 12 + 1970 - int64(month < 2)
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * ((month + 10) % 12) + 2) // 5
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def date_months_of_days(a):
    if a == _nat():
        return a
    era = (a + 719468) // 146097
    day = a + 719468 - era * 146097
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    of_year = day - (365 * year + year // 4 - year // 100)
    return (era * 400 + year - 1970) * 12 + 2 + (5 * of_year + 2) // 153
