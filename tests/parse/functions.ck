@kernel
def plain(a, b):
    """A docstring is a statement."""
    pass


@cuda.jit(fastmath=True)
# a comment between
@kernel(launch_bounds=(256, 2))

def decorated(M: int32[:, ::1], n: int64,) -> None:
    return


def one_line(x): return x, x + 1


def none() -> float32: pass
