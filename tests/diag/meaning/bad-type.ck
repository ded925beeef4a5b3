@kernel
def k(a: float32[3], n: int64):
    pass


@cuda.jit(void(float32[:, ::1, :]))
def l(a):
    pass


@kernel
def m(a: float32[:, :, :, :, :, :, :, :, :]):
    pass


@kernel
def o(a: 3, b: flot32[:], c: cuda.grid):
    pass


@cuda.jit("void(void)")
def p(a):
    pass


@kernel
def q(a: float32[:][:]):
    x: nonsense = 3
