# Messages come in the order of their lines, whatever finds them: the parser, the checker of
# a function that is called before it is checked, and what is looked for at the end.
def late(x):
    return x.colour

@kernel
def first(a: int32[:]):
    for i in range(3, 0):
        a[i] = 300 * unknown
    a[0] = late(a[1])
    a[1] = = 2
    a[2] = 2.5

@kernel
def second(a: int8[:]):
    a[0] = 300
    a[1] = another
    lambda: 3
