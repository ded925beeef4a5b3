# Text of numbers, dates and times, as Python's `format` makes it. `spec` is a format specification in one number:
# lang/check/builtins/format.c packs it. `out` gets the text, and a zero after it.


def _spec_field(spec, at, bits):
    return int32(spec >> at) & ((1 << bits) - 1)


# The characters of n digits with a separator between each `every`.
def _grouped(n, every):
    return n + (n - 1) // every if every > 0 and n > 0 else n


def _put_fill(out, at, spec, n):
    for i in range(n):
        out[at + i] = uint8(_spec_field(spec, 27, 7))
    return at + n


# What comes before the digits: fill, sign and prefix (0: none). `rest` characters come after the
# digits. Returns the position of the first digit, the number of digits, which zeros can extend, and
# of the characters that fill the end.
def _begin_number(out, spec, negative, prefix, digits, rest, every):
    sign = int32(45) if negative else _spec_field(spec, 36, 7)
    before = int32(sign != 0) + (2 if prefix != 0 else 0)
    width = _spec_field(spec, 0, 10)
    align = _spec_field(spec, 34, 2)
    if every > 0 and align == 3 and _spec_field(spec, 27, 7) == 48:
        while before + _grouped(digits, every) + rest < width:
            digits += 1
    pad = max(width - before - _grouped(digits, every) - rest, 0)
    left = pad if align == 1 else (pad // 2 if align == 2 else 0)
    at = _put_fill(out, int32(0), spec, left)
    if sign != 0:
        out[at] = uint8(sign)
        at += 1
    if prefix != 0:
        out[at] = uint8(48)
        out[at + 1] = uint8(prefix)
        at += 2
    if align == 3:
        at = _put_fill(out, at, spec, pad)
        pad = left = 0
    return at, digits, pad - left


def _end_number(out, at, spec, after):
    out[_put_fill(out, at, spec, after)] = uint8(0)


# --- Integers


# A character by its code, in UTF-8.
def _put_character(out, at, code):
    if code < 128:
        out[at] = uint8(code)
        return at + 1
    n = int32(2 if code < 2048 else 3 if code < 65536 else 4)
    for i in range(n - 1, 0, -1):
        out[at + i] = uint8(128 | code & 63)
        code >>= 6
    out[at] = uint8((0xF00 >> n) & 255 | code)
    return at + n


# What is no character is U+FFFD.
@outlined
def format_character(out, code, spec):
    valid = 0 < code and code <= 0x10FFFF and not (0xD800 <= code and code < 0xE000)
    at, digits, after = _begin_number(out, spec, False, 0, 0, 1, 0)
    at = _put_character(out, at, int32(code) if valid else int32(0xFFFD))
    _end_number(out, at, spec, after)


# A byte of C.
@outlined
def format_byte(out, code, spec):
    at, digits, after = _begin_number(out, spec, False, 0, 0, 1, 0)
    out[at] = uint8(code)
    _end_number(out, at + int32(code & 255 != 0), spec, after)


@outlined
def format_integer(out, value, spec):
    negative = value < 0
    magnitude = uint64(value)
    if negative:
        magnitude = 0 - magnitude
    kind = _spec_field(spec, 20, 7)
    lower = kind | 32
    base = uint64(2 if lower == 98 else 8 if lower == 111 else 16 if lower == 120 else 10)
    separator = _spec_field(spec, 43, 7)
    every = int32(0 if separator == 0 else 3 if base == 10 else 4)
    prefix = kind if _spec_field(spec, 50, 1) != 0 and base != 10 else int32(0)
    digits = int32(1)
    rest = magnitude // base
    while rest != 0:
        rest //= base
        digits += 1
    at, digits, after = _begin_number(out, spec, negative, prefix, digits, 0, every)
    end = at + _grouped(digits, every)
    at = end
    for i in range(digits):
        if every > 0 and i > 0 and i % every == 0:
            at -= 1
            out[at] = uint8(separator)
        digit = int32(magnitude % base)
        magnitude //= base
        at -= 1
        out[at] = uint8(48 + digit if digit < 10 else (55 if kind == 88 else 87) + digit)
    _end_number(out, end, spec, after)


# --- Dates and times. `spec` has the unit too, by its place in enum ck_date_unit.


def _put_text(out, at, text, n):
    for i in range(n):
        out[at + i] = text[i]
    return at + n


# The last `n` digits of a number.
def _put_digits_of(out, at, number, n):
    for i in range(n - 1, -1, -1):
        out[at + i] = uint8(48 + number % 10)
        number //= 10
    return at + n


# A number with all its digits, at least `least` characters with the sign.
def _put_number(out, at, number, least):
    magnitude = uint64(number)
    if number < 0:
        magnitude = 0 - magnitude
        out[at] = uint8(45)
        at += 1
        least -= 1
    digits = int32(1)
    rest = magnitude // uint64(10)
    while rest != 0:
        rest //= uint64(10)
        digits += 1
    return _put_digits_of(out, at, magnitude, max(digits, least))


# A character, and a number of two digits.
def _put_part(out, at, character, number):
    out[at] = uint8(character)
    return _put_digits_of(out, at + 1, number, int32(2))


# Of counts since 1970, in units of which 400 years have `in_era`: how many such eras have passed
# since March of year 0, and the day in the last.
def _date_in_era(count, in_era):
    day = count % in_era * (146097 // in_era) + 719468
    return count // in_era + day // 146097, day % 146097


# Years since 0, the month from 1 and the day.
def _civil_date(era, day):
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    of_year = day - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    in_month = of_year - (153 * month + 2) // 5 + 1
    return era * 400 + year + int64(month >= 10), (month + 2) % 12 + 1, in_month


# Units of hours and less in a day, of seconds and less in a second.
def _units_of(unit):
    if unit < 6:
        return int64(24 if unit == 4 else 1440)
    per_second = int64(1)
    for i in range(unit - 6):
        per_second *= 1000
    return per_second


# A date from its count: `2020-05-06T07:08`.
def _put_date(out, count, unit):
    if unit == 0:
        return _put_number(out, int32(0), count + 1970, int32(4))
    if unit == 1:
        at = _put_number(out, int32(0), count // 12 + 1970, int32(4))
        return _put_part(out, at, 45, count % 12 + 1)
    time = int64(0)
    fraction = int64(0)
    if unit >= 6:
        fraction = count % _units_of(unit)
        count //= _units_of(unit)
        time = count % 86400
        count //= 86400
    elif unit >= 4:
        time = count % _units_of(unit) * (86400 // _units_of(unit))
        count //= _units_of(unit)
    era, day = _date_in_era(count, int64(20871 if unit == 2 else 146097))
    year, month, day = _civil_date(era, day)
    at = _put_number(out, int32(0), year, int32(4))
    at = _put_part(out, at, 45, month)
    at = _put_part(out, at, 45, day)
    if unit >= 4:
        at = _put_part(out, at, 84, time // 3600)
    if unit >= 5:
        at = _put_part(out, at, 58, time // 60 % 60)
    if unit >= 6:
        at = _put_part(out, at, 58, time % 60)
    if unit > 6:
        out[at] = uint8(46)
        at = _put_digits_of(out, at + 1, fraction, 3 * (unit - 6))
    return at


# Characters, the first in the lowest byte.
def _put_characters(out, at, characters):
    while characters != 0:
        out[at] = uint8(characters & 255)
        at += 1
        characters >>= 8
    return at


# A time: `3 hours`, of the unit's name.
def _put_time(out, count, first, second, third):
    at = _put_number(out, int32(0), count, int32(1))
    at = _put_characters(out, at, first)
    at = _put_characters(out, at, second)
    return _put_characters(out, at, third)


def _put_nat(out):
    out[0] = uint8(78)
    out[1] = uint8(97)
    out[2] = uint8(84)
    return int32(3)


# As a string in its format: the precision is the most characters.
def _put_formatted(out, text, n, spec):
    most = _spec_field(spec, 10, 10) - 1
    if most >= 0:
        n = min(n, most)
    at, digits, after = _begin_number(out, spec, False, 0, 0, n, 0)
    _end_number(out, _put_text(out, at, text, n), spec, after)


@outlined
def format_datetime(out, count, spec):
    text = local.array(64, uint8)
    nat = count == -9223372036854775808
    n = _put_nat(text) if nat else _put_date(text, count, _spec_field(spec, 54, 4))
    _put_formatted(out, text, n, spec)


@outlined
def format_timedelta(out, count, spec, first, second, third):
    text = local.array(64, uint8)
    nat = count == -9223372036854775808
    n = _put_nat(text) if nat else _put_time(text, count, first, second, third)
    _put_formatted(out, text, n, spec)


# --- Decimal numbers, exactly: 155 limbs of 9 digits, the first 35 before the point. Position p is
# that of digit p, counted from the left; 315 is the first after the point.


def _power_of_10(n):
    power = uint32(1)
    for i in range(n):
        power *= 10
    return power


# mantissa * 2**exponent
def _set_decimal(limbs, mantissa, exponent):
    for i in range(155):
        limbs[i] = uint32(0)
    limbs[33] = uint32(mantissa // 1000000000)
    limbs[34] = uint32(mantissa % 1000000000)
    first = int32(33)
    last = int32(34)
    while exponent > 0:
        shift = min(exponent, 29)
        carry = uint64(0)
        i = int32(34)
        while i >= first or carry != 0:
            carry += uint64(limbs[i]) << uint64(shift)
            limbs[i] = uint32(carry % 1000000000)
            carry //= 1000000000
            i -= 1
        first = min(first, i + 1)
        exponent -= shift
    while exponent < 0:
        shift = min(-exponent, 27)
        carry = uint64(0)
        i = first
        while i <= last or carry != 0:
            carry = carry * 1000000000 + limbs[i]
            limbs[i] = uint32(carry >> uint64(shift))
            carry &= (uint64(1) << uint64(shift)) - 1
            i += 1
        last = max(last, i - 1)
        exponent += shift


def _digit(limbs, p):
    if p >= 1395:
        return int32(0)
    return int32(limbs[p // 9] // _power_of_10(8 - p % 9) % 10)


# The first digit that is not 0; 314 if there is none.
def _first_digit(limbs):
    p = int32(0)
    while p < 1395 and limbs[p // 9] == 0:
        p += 9
    while p < 1395 and _digit(limbs, p) == 0:
        p += 1
    return p if p < 1395 else int32(314)


def _is_zero_from(limbs, p):
    if p >= 1395:
        return True
    i = p // 9
    if limbs[i] % _power_of_10(9 - p % 9) != 0:
        return False
    i += 1
    while i < 155:
        if limbs[i] != 0:
            return False
        i += 1
    return True


# Sets the digits from p on to 0, and adds `up` to the digit before.
def _cut_digits(limbs, p, up):
    i = p // 9
    limbs[i] -= limbs[i] % _power_of_10(9 - p % 9)
    for k in range(i + 1, 155):
        limbs[k] = uint32(0)
    if up:
        i = (p - 1) // 9
        limbs[i] += _power_of_10(8 - (p - 1) % 9)
        while limbs[i] >= 1000000000:
            limbs[i] -= 1000000000
            i -= 1
            limbs[i] += 1


# Whether the nearest number with no digits from p on, or the even one of two, is larger.
def _rounds_up(limbs, p):
    digit = _digit(limbs, p)
    if digit != 5:
        return digit > 5
    return _digit(limbs, p - 1) % 2 != 0 or not _is_zero_from(limbs, p + 1)


def _round_digits(limbs, p):
    if p < 1395:
        _cut_digits(limbs, p, _rounds_up(limbs, p))


# Whether the digits of `gap` begin before p.
def _is_wide(gap, p):
    return _first_digit(gap) < p


# The digits from p on, compared with `gap`: -1, 0 or 1.
def _compare_tail(limbs, gap, p):
    if _is_wide(gap, p):
        return int32(-1)
    mine = limbs[p // 9] % _power_of_10(9 - p % 9)
    for i in range(p // 9, 155):
        if i > p // 9:
            mine = limbs[i]
        if mine != gap[i]:
            return int32(-1 if mine < gap[i] else 1)
    return int32(0)


# The digits from p on plus `gap`, compared with 1 in the position before p.
def _compare_sum(limbs, gap, p):
    if _is_wide(gap, p):
        return int32(1)
    carry = uint32(0)
    rest = False
    for i in range(154, p // 9, -1):
        carry += limbs[i] + gap[i]
        rest = rest or carry % 1000000000 != 0
        carry //= 1000000000
    unit = _power_of_10(9 - p % 9)
    carry += limbs[p // 9] % unit + gap[p // 9]
    if carry == unit:
        return int32(rest)
    return int32(1 if carry > unit else -1)


# Rounds to the fewest digits that no other number of the type is nearer to; of these, to the ones
# nearest to the number. `below` and `above` are half the distances to the next numbers. Returns how
# many digits.
def _shortest_digits(limbs, below, above, even):
    first = _first_digit(limbs)
    least = int32(0 if even else 1)
    for n in range(1, 17):
        p = first + int32(n)
        down = _compare_tail(limbs, below, p) <= -least
        up = _compare_sum(limbs, above, p) >= least
        if down or up:
            _cut_digits(limbs, p, up and (not down or _rounds_up(limbs, p)))
            return int32(n)
    _round_digits(limbs, first + 17)
    return int32(17)


# The same for mantissa * 2**exponent of a type with `bits` bits, the last of which is at least
# 2**least.
def _round_to_shortest(limbs, mantissa, exponent, bits, least):
    below = local.array(155, uint32)
    above = local.array(155, uint32)
    size = int32(64 - clz(mantissa))
    last = max(exponent + size - bits, least)
    even = (mantissa >> uint64(last - exponent)) & 1 == 0
    lowest = mantissa & (mantissa - 1) == 0 and last > least
    _set_decimal(above, uint64(1), last - 1)
    _set_decimal(below, uint64(1), last - (2 if lowest else 1))
    return _shortest_digits(limbs, below, above, even)


# --- Floats


def _put_exponent(out, at, exponent, upper):
    out[at] = uint8(69 if upper else 101)
    out[at + 1] = uint8(45 if exponent < 0 else 43)
    at += 2
    exponent = abs(exponent)
    if exponent >= 100:
        out[at] = uint8(48 + exponent // 100)
        at += 1
    out[at] = uint8(48 + exponent // 10 % 10)
    out[at + 1] = uint8(48 + exponent % 10)
    return at + 2


# `nan` or `inf`, in capitals if the format is.
def _put_special(out, value, spec, percent):
    upper = 32 if _spec_field(spec, 20, 7) in (69, 70, 71) else 0
    rest = int32(4 if percent else 3)
    at, digits, after = _begin_number(out, spec, value < 0, 0, 0, rest, 0)
    text = (110, 97, 110) if value != value else (105, 110, 102)
    for i in range(3):
        out[at + i] = uint8(text[i] - upper)
    if percent:
        out[at + 3] = uint8(37)
    _end_number(out, at + rest, spec, after)


# The digits before the point from position `at` on, with separators.
def _put_digits(out, to, limbs, at, shown, digits, spec):
    separator = _spec_field(spec, 43, 7)
    for i in range(digits):
        if separator != 0 and i > 0 and (digits - i) % 3 == 0:
            out[to] = uint8(separator)
            to += 1
        out[to] = uint8(48 if i < digits - shown else 48 + _digit(limbs, at + i - (digits - shown)))
        to += 1
    return to


# How a float is written, once it is rounded: with an exponent or not, and how many digits come
# after the point.
def _put_float(out, limbs, negative, spec, scientific, decimals, dot, percent):
    first = _first_digit(limbs)
    exponent = 314 - first if scientific else int32(0)
    start = first if scientific else min(first, 314)
    before = int32(1) if scientific else 315 - start
    tail = int32(0)
    if scientific:
        tail = 5 if abs(exponent) >= 100 else 4
    dot = dot or decimals > 0
    rest = int32(dot) + decimals + tail + int32(percent)
    every = int32(3 if _spec_field(spec, 43, 7) != 0 else 0)
    if _spec_field(spec, 51, 1) != 0 and _is_zero_from(limbs, int32(0)):
        negative = False
    at, digits, after = _begin_number(out, spec, negative, 0, before, rest, every)
    at = _put_digits(out, at, limbs, start, before, digits, spec)
    if dot:
        out[at] = uint8(46)
        at += 1
    for i in range(decimals):
        out[at] = uint8(48 + _digit(limbs, start + before + i))
        at += 1
    if scientific:
        at = _put_exponent(out, at, exponent, _spec_field(spec, 20, 7) in (69, 71))
    if percent:
        out[at] = uint8(37)
        at += 1
    _end_number(out, at, spec, after)


# Digits up to the last that is not 0, of at most `most` from the first one on.
def _significant(limbs, most):
    first = _first_digit(limbs)
    n = most
    while n > 1 and _digit(limbs, first + n - 1) == 0:
        n -= 1
    return n


# `g`, and formats without a type: few digits, with an exponent where the number is very large or
# small. A `plain` one has at least one decimal. Precision 0 is for shortest digits.
def _put_general(out, limbs, value, spec, precision, plain):
    first = _first_digit(limbs)
    exponent = 314 - first
    if precision > 0:
        scientific = exponent < -4 or exponent >= precision - int32(plain)
        n = precision if _spec_field(spec, 50, 1) != 0 else _significant(limbs, precision)
    else:
        scientific = value != 0 and (abs(value) < 1e-4 or abs(value) >= 1e16)
        n = _significant(limbs, int32(17))
    decimals = n - 1 if scientific else max(n - 1 - exponent, 0)
    if plain and not scientific:
        decimals = max(decimals, 1)
    negative = copysign(float64(1), value) < 0
    dot = _spec_field(spec, 50, 1) != 0
    _put_float(out, limbs, negative, spec, scientific, decimals, dot, False)


def _round_shortest(limbs, mantissa, exponent, spec):
    kind = _spec_field(spec, 52, 2)
    bits = int32(53 if kind == 0 else 24 if kind == 1 else 11 if kind == 2 else 8)
    least = int32(-1074 if kind == 0 else -149 if kind == 1 else -24 if kind == 2 else -133)
    if mantissa != 0:
        _round_to_shortest(limbs, mantissa, exponent, bits, least)


@outlined
def format_float(out, value, spec):
    kind = _spec_field(spec, 20, 7)
    percent = kind == 37
    if percent:
        value *= 100
    if isinf(value) or value != value:
        _put_special(out, value, spec, percent)
        return
    limbs = local.array(155, uint32)
    bits = bitcast(value, uint64)
    power = int32(bits >> 52) & 2047
    mantissa = bits & 0xFFFFFFFFFFFFF
    if power != 0:
        mantissa |= uint64(1) << 52
    exponent = max(power, 1) - 1075
    _set_decimal(limbs, mantissa, exponent)
    precision = _spec_field(spec, 10, 10) - 1
    lower = kind | 32
    plain = kind == 0
    if plain and precision < 0:
        _round_shortest(limbs, mantissa, exponent, spec)
        _put_general(out, limbs, value, spec, int32(0), True)
        return
    if precision < 0:
        precision = int32(6)
    negative = copysign(float64(1), value) < 0
    dot = _spec_field(spec, 50, 1) != 0
    if lower == 102 or percent:
        _round_digits(limbs, 315 + precision)
        _put_float(out, limbs, negative, spec, False, precision, dot, percent)
    elif lower == 101:
        _round_digits(limbs, _first_digit(limbs) + 1 + precision)
        _put_float(out, limbs, negative, spec, True, precision, dot, False)
    else:
        precision = max(precision, 1)
        _round_digits(limbs, _first_digit(limbs) + precision)
        _put_general(out, limbs, value, spec, precision, plain)
