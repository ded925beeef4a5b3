X = 1
def f(a):
    if a:
        """two
lines"""

    return 1 + \
        2
