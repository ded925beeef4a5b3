# Text: continuation lines, semicolons, comments anywhere, one-line blocks, tabs, unicode names.

LONG = 1 + \
    2 + \
    3
TUPLE = (
    1,  # one

    2,
    )

@kernel
def k(
    o: int32[::1],
    # between parameters
    größe: int64,
):
    # first
    a = (1 +
# outdented inside brackets
         2)
    if a == 3: o[0] = a; o[1] = LONG

    else: o[0] = -1
    for i in range(2): o[2 + i] = TUPLE[
        1] + i;
    if größe > 1:
	    o[4] = größe  # a tab counts to the next multiple of eight
    while False: pass
    o[5] = 7 if True else \
        8
    # last

#: o = poison(6, "i4")
#: launch k[1, 1](o, 5)
#: expect o == [3, 6, 2, 3, 5, 7]
