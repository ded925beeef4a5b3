"""Which launch the driver is asked for: cooperative exactly if a grid barrier is reachable. The
fake driver keeps a log of its calls."""

KERNEL = """
{functions}
@kernel
def k(x: int32[::1]):
    g = this_grid()
    i = g.thread_rank()
    if i < x.size:
        x[i] = 1
    {body}
"""


def launch_of(t, body, functions=""):
    source = t.write("k.ck", KERNEL.format(body=body, functions=functions))
    log = t.tmp / "calls"
    t.ok([t.ckrun, "--device", "cuda", source, "k[2, 32](x)", "x=zeros(64, int32)"],
         env=t.fake_cuda_env(log=log))
    calls = [line.split("(")[0].split()[0] for line in log.read_text().splitlines()]
    launches = [call for call in calls if "Launch" in call]
    assert len(launches) == 1, calls
    return launches[0]


def test_barrier(t):
    assert launch_of(t, "g.sync()") == "cuLaunchCooperativeKernel"


def test_group_alone(t):
    assert launch_of(t, "pass") == "cuLaunchKernel"


def test_block_barrier(t):
    assert launch_of(t, "syncthreads()") == "cuLaunchKernel"


def test_two_functions_deep(t):
    functions = "def inner(h):\n    h.sync()\n\ndef outer(h):\n    inner(h)\n"
    assert launch_of(t, "outer(g)", functions) == "cuLaunchCooperativeKernel"


def test_made_where_it_is_used(t):
    functions = "def inner():\n    this_grid().sync()\n"
    assert launch_of(t, "inner()", functions) == "cuLaunchCooperativeKernel"


def test_folded_away(t):
    """A barrier under a condition that is constant and false is not reachable."""
    functions = "DEBUG = False\n"
    body = "if DEBUG:\n        g.sync()"
    assert launch_of(t, body, functions) == "cuLaunchKernel"


def test_the_same_from_ptx(t):
    """The manifest in the PTX says it too."""
    log = t.tmp / "calls"
    ptx = t.tmp / "rows.ptx"
    t.ok([t.ckc, "-o", ptx, t.examples / "sequential_rows.ck"])
    t.ok([t.ckrun, "--device", "cuda", ptx, "sequential_rows[1, 32](M)", "M=zeros((4, 32), int32)"],
         env=t.fake_cuda_env(log=log))
    assert "cuLaunchCooperativeKernel" in log.read_text()


def test_no_device_capability(t):
    """A device without cooperative launch: said so, and nothing is launched."""
    log = t.tmp / "calls"
    t.fails([t.ckrun, "--device", "cuda", t.examples / "sequential_rows.ck",
             "sequential_rows[1, 32](M)", "M=zeros((4, 32), int32)"], 3, "cooperative",
            env=t.fake_cuda_env(log=log, attr="95=0"))
    assert "Launch" not in log.read_text()


def test_grid_too_large(t):
    """2 blocks on each of 132 multiprocessors: 265 are one too many."""
    log = t.tmp / "calls"
    command = [t.ckrun, "--device", "cuda", t.examples / "sequential_rows.ck",
               "sequential_rows[265, 32](M)", "M=zeros((4, 8480), int32)"]
    result = t.run(command, env=t.fake_cuda_env(log=log, blocks=2))
    assert result.rc != 0 and "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE" in result.err, result
    assert "264" in result.err, result
    command[4:] = ["sequential_rows[264, 32](M)", "M=zeros((4, 8448), int32)"]
    t.ok(command, env=t.fake_cuda_env(log=log, blocks=2))
