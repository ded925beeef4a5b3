"""The final PTX of kernels, run on the emulated GPU (tests/emulator/)."""

import copy
import shutil

from harness import kernels, programs

N_RANDOM, N_INDICES = 3, 6

KERNELS = """
@kernel
def turned(x: int32[::1]):
    all = shared.array(64, int32)
    t = threadIdx.x
    all[t] = x[t]
    syncthreads()
    x[t] = shfl_xor_sync(0xffffffff, all[63 - t], 1)

@kernel
def failing(x: int32[::1]):
    assert x[0] == 0, "not zero"

@kernel
def outside(x: int32[::1], n: int64):
    x.view(uint8)[n:].view(int32)[0] = 1

@kernel
def apart(x: int32[::1]):
    if x[threadIdx.x] < 7:
        syncwarp()
    else:
        syncthreads()

@kernel
def roots(x: float64[::1]):
    x[threadIdx.x] = rsqrt(x[threadIdx.x])
"""


def emulator(t):
    """The environment of its launches."""
    if not shutil.which("gcc"):
        t.skip("the emulated GPU needs gcc")
    return t.layout.emulation()


def launch(t, call, *arguments, device="cuda"):
    t.write("k.ck", KERNELS)
    return t.run([t.ckrun, "--device", device, "k.ck", call, *arguments], env=emulator(t), timeout=120)


def test_barriers_and_shuffles(t):
    result = launch(t, "turned[1, 64](x)", "x=arange(64,int32)", "--print", "x")
    assert result.rc == 0, result
    on_cpu = launch(t, "turned[1, 64](x)", "x=arange(64,int32)", "--print", "x", device="cpu")
    assert result.out == on_cpu.out and "62" in result.out, result


def test_all_bits_of_rsqrt(t):
    """rsqrt.approx.f64 is as precise as CUDA's rsqrt; with ftz it has the upper half alone."""
    result = launch(t, "roots[1, 3](x)", "x=array([2.0, 3.0, 1e-300])", "--expect",
                    "x=array([0.7071067811865476, 0.5773502691896257, 1e150])", "--rtol=1e-15", "--atol=0")
    assert result.rc == 0, result


def test_failures_of_kernels_are_seen(t):
    for call, given, text in [("failing[1, 1](x)", "x=ones(1,int32)", "not zero"),
                              ("outside[1, 1](x, 1)", "x=zeros(2,int32)", "misaligned address"),
                              ("apart[1, 32](x)", "x=arange(32,int32)", "threads wait for ever")]:
        result = launch(t, call, given)
        assert result.rc != 0 and text in result.err, result


def test_random_kernels(t):
    layout = copy.copy(t.layout)
    layout.launch_env = emulator(t)
    for seed in range(t.seed, t.seed + N_RANDOM):
        program = programs.Program(seed)
        kernels.check_program(layout, program, program.due(), ["--device", "cuda"], [], seed)


def test_random_kernels_of_other_levels(t):
    """By ckc: without optimisation, and without what launches assume of their arguments."""
    layout = copy.copy(t.layout)
    layout.launch_env = emulator(t)
    for options in ["-O0"], ["-O1"], []:
        program = programs.Program(t.seed)
        kernels.check_program(layout, program, program.due(), ["--device", "cuda"], [], t.seed, options)


def test_run_tests(t):
    """Scalars of which launches pass the low bits; blocks that wait for one another; dynamic shared
    memory behind static arrays."""
    layout = copy.copy(t.layout)
    layout.launch_env = emulator(t)
    for name in "arithmetic/low_bits", "spin/blocks", "shared/dynamic":
        path = t.root / "tests" / "run" / f"{name}.ck"
        kernels.check_kernel(layout, path, path.stem, [], t.seed, "cuda", ["--device", "cuda"])


def on_limits(t, device):
    if t.build and not (t.build / "python" / "ck" / "_core.abi3.so").exists():
        t.skip("the Python package is not built: it needs python3-dev")
    if t.sanitized:
        t.skip("the memory of the arrays is where the sanitizer has its own")
    result = kernels.launch_indices(t.layout, device, t.seed, N_INDICES)
    assert result.rc == 0, result


def test_integers_and_indices_at_limits(t):
    emulator(t)
    on_limits(t, "emulated")


def test_integers_and_indices_at_limits_on_the_cpu(t):
    on_limits(t, "cpu")
