"""Launches with clusters of blocks, and every reason to refuse them. The fake driver keeps a log of
its calls."""

OWN = """
@cuda.jit(cluster=(2, 1, 2))
def k(x: int32[::1]):
    c = this_cluster()
    c.sync()
    x[0] = c.num_blocks()
"""

NONE = """
@kernel
def k(x: int32[::1]):
    this_cluster().sync()
    x[0] = 1
"""

GRID = NONE + "    this_grid().sync()\n"
LARGE = OWN.replace("(2, 1, 2)", "16")


def words(t, text, shape):
    return [t.ckrun, "--device", "cuda", t.write("k.ck", text), f"k[{shape}](x)", "x=zeros(64, int32)"]


def calls(t, text, shape, **settings):
    log = t.tmp / "calls"
    log.write_text("")
    t.ok(words(t, text, shape), env=t.fake_cuda_env(log=log, **settings))
    return log.read_text()


def refused(t, text, shape, message, rc=1, **settings):
    log = t.tmp / "calls"
    log.write_text("")
    t.fails(words(t, text, shape), rc, f"ckrun: error: {message}", env=t.fake_cuda_env(log=log, **settings))
    assert "Launch" not in log.read_text(), log.read_text()


def test_of_the_kernel(t):
    """The image says it: a launch as any other."""
    log = calls(t, OWN, "(4, 1, 4), 32")
    assert "cuLaunchKernel k grid=(4,1,4) block=(32,1,1)" in log, log
    assert "cuOccupancyMaxActiveClusters k grid=(2,1,2) block=(32,1,1) shared=0\n" in log, log
    assert "cuFuncSetAttribute k 14=1" not in log


def test_of_the_launch(t):
    log = calls(t, NONE, "(4, 3), 32, 0, 0, (2, 3)")
    assert "cuLaunchKernelEx k grid=(4,3,1) block=(32,1,1) shared=0 stream=0 cluster=(2,3,1)\n" in log, log
    assert "cuOccupancyMaxActiveClusters k grid=(2,3,1) block=(32,1,1) shared=0 cluster=(2,3,1)\n" in log, log


def test_cooperative(t):
    log = calls(t, GRID, "4, 32, 0, 0, 2")
    assert "cuLaunchKernelEx k grid=(4,1,1) block=(32,1,1) shared=0 stream=0 cluster=(2,1,1) cooperative\n" in log, log
    log = calls(t, OWN + "    this_grid().sync()\n", "(4, 1, 4), 32")
    assert "cuLaunchCooperativeKernel k grid=(4,1,4)" in log, log


def test_alone(t):
    """Clusters of one block need nothing."""
    log = calls(t, NONE, "5, 32, 0, 0, 1")
    assert "cuLaunchKernel k" in log and "Clusters" not in log, log


def test_more_than_every_gpu_has(t):
    log = calls(t, LARGE, "32, 32")
    assert "cuFuncSetAttribute k 14=1" in log, log
    assert log.index("cuFuncSetAttribute k 14=1") < log.index("cuOccupancyMaxActiveClusters")


def test_whole_clusters(t):
    for shape, want in (("(3, 1, 2), 32", "(4, 1, 2)"), ("(2, 5, 3), 32", "(2, 5, 4)")):
        refused(t, OWN, shape, f"the grid {shape.rpartition(',')[0]} is not a multiple of the cluster of `k`, (2, 1, 2) "
                               f"blocks: the next larger multiple is {want}")


def test_mismatch(t):
    refused(t, OWN, "(4, 1, 4), 32, 0, 0, 2", "the launch's cluster (2, 1, 1) is not that of `k`, which says "
                                              "cluster=(2, 1, 2): leave it out of the launch")
    calls(t, OWN, "(4, 1, 4), 32, 0, 0, (2, 1, 2)")


def test_too_large(t):
    refused(t, NONE, "32, 32, 0, 0, 32", "the cluster (32, 1, 1) is too large: Fake GPU allows 16 blocks")
    refused(t, NONE, "(8, 8), 32, 0, 0, (8, 4)", "the cluster (8, 4, 1) is too large: Fake GPU allows 16 blocks")


def test_no_cluster_fits(t):
    refused(t, LARGE, "16, 32", "not even one cluster of `k`, (16, 1, 1) blocks of 32 threads, can be resident on "
                                "Fake GPU: 0 clusters of 16 blocks at once; a smaller cluster,", clusters=0)


def test_cooperative_too_large(t):
    refused(t, GRID, "(8, 4), 32, 0, 0, (2, 2)",
            "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: `k` synchronises its grid, so all its blocks must be resident at "
            "once; the grid (8, 4, 1) has 32 blocks of 32 threads, and Fake GPU holds 20: 5 clusters of 4 blocks at "
            "once; a grid of (8, 2, 1) fits", clusters=5)


def test_largest_grid(t):
    assert "cuLaunchKernelEx k grid=(20,1,1)" in calls(t, GRID, "max, 32, 0, 0, 4", clusters=5)
    source = t.write("k.ck", LARGE)
    out = t.ok([t.ckrun, "--device", "cuda", source, "--max-blocks", "k[_, 64]"], env=t.fake_cuda_env(clusters=3)).out
    assert out == "48\n"


def test_older_gpu(t):
    older = {"attr": "75=8,76=6"}
    for text in (OWN, NONE):
        refused(t, text, "4, 32", "`k` uses clusters of blocks, which need compute capability 9.0: Fake GPU has 8.6",
                rc=3, **older)
    plain = "@kernel\ndef k(x: int32[::1]):\n    x[0] = 1\n"
    refused(t, plain, "4, 32, 0, 0, 2", "the cluster (2, 1, 1) needs compute capability 9.0: Fake GPU has 8.6", rc=3,
            **older)
    refused(t, NONE.replace(": int32[::1]", ""), "4, 32", "", **older)
    calls(t, plain, "4, 32, 0, 0, 1", **older)


def test_older_gpu_from_ptx(t):
    """The manifest in the PTX says it before the driver is given code that it does not have."""
    ptx = t.tmp / "k.ptx"
    t.ok([t.ckc, "--arch", "sm_90", "-o", ptx, t.write("k.ck", OWN)])
    command = [t.ckrun, "--device", "cuda", ptx, "k[(2, 1, 2), 32](x)", "x=zeros(64, int32)"]
    t.fails(command, 3, "`k` uses clusters of blocks", env=t.fake_cuda_env(attr="75=8,76=0"))
    t.ok(command, env=t.fake_cuda_env())
    command[4] = "k[(3, 1, 2), 32](x)"
    t.fails(command, 1, "is not a multiple of the cluster of `k`, (2, 1, 2) blocks", env=t.fake_cuda_env())


def older_driver(t, function):
    """The environment of a driver that lacks a function: its name in the library is another."""
    env = t.fake_cuda_env()
    library = (t.layout.fake_cuda / "libcuda.so.1").read_bytes()
    name = b"\0" + function.encode() + b"\0"
    assert library.count(name) >= 1
    folder = t.tmp / function
    folder.mkdir()
    (folder / "libcuda.so.1").write_bytes(library.replace(name, name[:-2] + b"_\0"))
    env["LD_LIBRARY_PATH"] = f"{folder}:{env['LD_LIBRARY_PATH']}"
    return env


def test_older_driver(t):
    """Drivers before CUDA 11.8: all but clusters is as ever."""
    text = "the CUDA driver is too old for clusters of blocks: CUDA 11.8 or later is needed"
    plain = "@kernel\ndef k(x: int32[::1]):\n    x[0] = 1\n"
    for function in "cuLaunchKernelEx", "cuOccupancyMaxActiveClusters":
        env = older_driver(t, function)
        t.ok(words(t, plain, "4, 32"), env=env)
        t.ok(words(t, plain + "    this_grid().sync()\n", "4, 32"), env=env)
        t.fails(words(t, NONE, "4, 32, 0, 0, 2"), 3, f"ckrun: error: {text}", env=env)
        t.ok(words(t, GRID, "4, 32"), env=env)
    t.fails(words(t, OWN, "(4, 1, 4), 32"), 3, text, env=env)
    env = older_driver(t, "cuInit")
    t.fails(words(t, plain, "4, 32"), 3, "the CUDA driver (libcuda.so.1) has no function cuInit: it is too old", env=env)


def test_driver_errors(t):
    for call in ("cuOccupancyMaxActiveClusters", "cuLaunchKernelEx"):
        t.fails(words(t, NONE, "4, 32, 0, 0, 2"), 3, f"CUDA_ERROR_INVALID_CLUSTER_SIZE: invalid cluster size (912) from "
                f"{call}; the GPU cannot have such a cluster", env=t.fake_cuda_env(fail=f"{call}=912"))
    t.fails(words(t, LARGE, "16, 32"), 3, "CUDA_ERROR_UNKNOWN: unknown error (999) from cuFuncSetAttribute",
            env=t.fake_cuda_env(fail="cuFuncSetAttribute=999"))


def test_older_arch(t):
    """Compiling for a GPU without clusters: the place, the arch and what to do."""
    for text, at, what in ((OWN, "2:11", "cluster"), (NONE, "4:5", "this_cluster()")):
        source = t.write("k.ck", text)
        t.fails([t.ckc, "--arch", "sm_75", "-o", "-", source], 1, f"{source}:{at}: `{what}` needs clusters of blocks, which GPUs have from "
                "compute capability 9.0 on, and sm_75 is older: compile with `-arch=sm_90` or later")
        t.fails([t.ckc, "--arch", "sm_89", "-o", "-", source], 1, "and sm_89 is older")
    deep = "def f(g):\n    return g.num_clusters()\n\n@kernel\ndef k(x: int32[::1]):\n    x[0] = f(this_grid())\n"
    t.fails([t.ckc, "--arch", "sm_75", "-o", "-", t.write("k.ck", deep)], 1, ":2:12: `g.num_clusters()` needs clusters of blocks")
