@kernel(launch_bounds=0)
def a(x):
    pass


@kernel(launch_bounds=(256, 2, 3, 4))
def b(x):
    pass


@kernel(max_registers="many")
def c(x):
    pass


@kernel(fastmath=1)
def d(x):
    pass


@kernel(launch_bounds=(2000, 1), wraparound=False)
def e(x):
    pass
