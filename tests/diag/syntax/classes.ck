class Point:
    def __init__(self):
        self.x = {}


@kernel
class Decorated(Point): pass


def f(a):
    class Inner:
        pass
    return a
