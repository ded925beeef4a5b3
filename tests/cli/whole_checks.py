"""`--check` watches functions of whole arrays, and expressions of arrays, as any access."""

SOURCE = """
from numba import cuda, float32, int32


@cuda.jit
def racing(x, o):
    t = cuda.threadIdx.x
    x[t, 0] = t
    o[t] = x[:, 0].sum()


@cuda.jit
def unset(o):
    s = cuda.shared.array((4, 4), int32)
    t = cuda.threadIdx.x
    if t < 3:
        s[t] = t
    cuda.syncthreads()
    o[t] = s.max()


@cuda.jit
def unset_operand(o):
    mine = cuda.local.array(4, int32)
    mine[:3] = 1
    o[cuda.grid(1), :] = mine * 2 + o[0]


@cuda.jit
def ordered(x, o):
    s = cuda.shared.array((4, 8), float32)
    t = cuda.threadIdx.x
    if t < 4:
        s[t] = x[t] + 2 * x[t]
    cuda.syncthreads()
    if t < 4:
        o[t] = s[:, t].sum() + s.mean() + x.max()
"""


CHECKS = "--check=bounds,race,init"


def reports(t, launch, arrays, *texts):
    path = t.write("whole.ck", SOURCE)
    t.fails([t.ckrun, "--device", "cpu", CHECKS, path, launch, *arrays], 1, *texts)


def test_race_with_a_sum(t):
    reports(t, "racing[1, 8](x, o)", ["x=zeros((8, 3), int32)", "o=zeros(8, int64)"],
            "whole.ck:8:5: error: data race on `x[1, 0]`", "9 |     o[t] = x[:, 0].sum()\n  |            ------- read here")


def test_element_of_a_maximum_that_nothing_set(t):
    reports(t, "unset[1, 8](o)", ["o=zeros(8, int32)"],
            "whole.ck:19:12: error: memory of `s` is read before anything wrote it")


def test_operand_that_nothing_set(t):
    reports(t, "unset_operand[1, 1](o)", ["o=zeros((1, 4), int32)"], "`mine[3]` is read before anything wrote it")


def test_right_program_has_no_finding(t):
    path = t.write("whole.ck", SOURCE)
    result = t.ok([t.ckrun, "--device", "cpu", CHECKS, path, "ordered[1, 8](x, o)", "x=ones((4, 8), float32)",
                   "o=zeros(4, float32)", "--print", "o"])
    assert result.out.strip() == "[16. 16. 16. 16.]", result.out
