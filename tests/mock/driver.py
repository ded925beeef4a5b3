"""What the driver says, as ckrun says it: exit status 3 and the driver's own name for the error,
and nothing is saved. The fake driver fails on demand."""

import re

from harness.process import LEAKS_ALLOWED

ROWS = "sequential_rows.ck"
LAUNCH = ["M=zeros((64, 64), int32)", "sequential_rows[2, 32](M)"]


def command(t, *words):
    return [t.ckrun, "--device", "cuda", t.examples / ROWS, *(words or LAUNCH), "--save", "M=m.npy"]


def fails(t, text, *words, rc=3, **settings):
    log = t.tmp / "calls"
    log.write_text("")
    env = t.fake_cuda_env(log=log, **settings)
    if "cuCtxPopCurrent" in settings.get("fail", ""):  # the stand-in leaks as the driver would
        env.update(LEAKS_ALLOWED)
    result = t.fails(command(t, *words), rc, f"ckrun: error: {text}", env=env)
    assert not (t.tmp / "m.npy").exists() and not result.out, result
    return log.read_text()


def test_no_driver(t):
    """A file that is no library stands where the loader looks first."""
    t.write("empty/libcuda.so.1", "no library")
    t.fails(command(t), 3, "ckrun: error: there is no CUDA driver on this machine: libcuda.so.1 cannot be loaded",
            env={"LD_LIBRARY_PATH": str(t.tmp / "empty")})


def test_old_driver(t):
    for version, text in ((10020, "10.2"), (9000, "9.0"), (0, "0.0")):
        calls = fails(t, f"the CUDA driver is too old: it is for CUDA {text}, and 11.0 or later is needed",
                      version=version)
        assert "cuInit" not in calls


def test_oldest_driver_that_will_do(t):
    t.ok(command(t), env=t.fake_cuda_env(version=11000))


def test_no_device(t):
    fails(t, "there is no CUDA device: the driver is there and sees no GPU", devices=0)
    fails(t, "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected (100) from cuInit", fail="cuInit=100")


def test_device_numbers(t):
    base = [t.ckrun, t.examples / ROWS, *LAUNCH, "--device"]
    t.fails([*base, "cuda:1"], 3, "there is no CUDA device 1: there is 1, counted from 0", env=t.fake_cuda_env())
    t.fails([*base, "cuda:7"], 3, "there is no CUDA device 7: there are 2, counted from 0", env=t.fake_cuda_env(devices=2))
    log = t.tmp / "calls"
    t.ok([*base, "cuda:1"], env=t.fake_cuda_env(devices=2, log=log))
    assert "cuDevicePrimaryCtxRetain 1" in log.read_text()


def test_init(t):
    fails(t, "CUDA_ERROR_UNKNOWN: unknown error (999) from cuInit; is the driver's kernel module loaded",
          fail="cuInit=999")
    fails(t, "CUDA_ERROR_STUB_LIBRARY: CUDA driver is a stub library (34) from cuInit; "
             "the libcuda.so.1 found is the toolkit's stub", fail="cuInit=34")
    fails(t, "an error unknown to the driver: no explanation (12345) from cuInit", fail="cuInit=12345")


def test_auto_goes_on_to_the_cpu(t):
    for settings in ({"devices": 0}, {"fail": "cuInit=100"}, {"version": 10000}):
        t.ok([t.ckrun, t.examples / ROWS, *LAUNCH, "--device", "auto", "--save", "M=m.npy"],
             env=t.fake_cuda_env(**settings))


def test_missing_function(t):
    """A library with the version and nothing else, as a driver far too old or damaged would be."""
    cc = t.need("cc", "gcc")
    source = t.write("stub.c", "int cuDriverGetVersion(int *v) { *v = 12000; return 0; }\n")
    (t.tmp / "stub").mkdir()
    t.ok([cc, "-shared", "-fPIC", "-o", t.tmp / "stub" / "libcuda.so.1", source])
    t.fails(command(t), 3, "ckrun: error: the CUDA driver (libcuda.so.1) has no function cuInit: it is too old",
            env={"LD_LIBRARY_PATH": str(t.tmp / "stub")})
    t.write("stub.c", "int nothing;\n")
    t.ok([cc, "-shared", "-fPIC", "-o", t.tmp / "stub" / "libcuda.so.1", source])
    t.fails(command(t), 3, "ckrun: error: the CUDA driver (libcuda.so.1) does not report its version",
            env={"LD_LIBRARY_PATH": str(t.tmp / "stub")})


def test_ptx_rejected(t):
    fails(t, "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed (218) from cuModuleLoadDataEx: "
             "ptxas application ptx input, line 5; fatal", fail="cuModuleLoadDataEx=218",
          error_log="ptxas application ptx input, line 5; fatal\n")
    fails(t, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the provided PTX was compiled with an unsupported toolchain. (222) "
             "from cuModuleLoadDataEx; the driver is older than the PTX", fail="cuModuleLoadDataEx=222")
    fails(t, "CUDA_ERROR_NO_BINARY_FOR_GPU", fail="cuModuleLoadDataEx=209")


def test_a_long_log(t):
    fails(t, "CUDA_ERROR_INVALID_PTX", fail="cuModuleLoadDataEx=218", error_log="x" * 100_000)


def test_out_of_memory(t):
    calls = fails(t, "CUDA_ERROR_OUT_OF_MEMORY: out of memory (2) from cuMemAlloc: 16384 bytes were asked for; "
                     "the device's memory is full", fail="cuMemAlloc_v2=2")
    assert "Launch" not in calls


def test_launch_errors(t):
    for code, name in ((701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"), (719, "CUDA_ERROR_LAUNCH_FAILED"),
                       (700, "CUDA_ERROR_ILLEGAL_ADDRESS"), (1, "CUDA_ERROR_INVALID_VALUE")):
        fails(t, f"{name}: ", fail=f"cuLaunchCooperativeKernel={code}")


def test_errors_while_running(t):
    fails(t, "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered (700) from cuCtxSynchronize; "
             "a kernel has accessed memory out of bounds", fail="cuCtxSynchronize=700")
    fails(t, "CUDA_ERROR_ASSERT: device-side assert triggered (710) from cuCtxSynchronize", rc=1,
          fail="cuCtxSynchronize=710")


def test_the_launch_is_shown(t):
    result = t.run(command(t), env=t.fake_cuda_env(fail="cuCtxSynchronize=700"))
    assert result.err.endswith("  in sequential_rows[2, 32](M)\n"), result


def test_any_call_may_fail(t):
    """Each is named, and what was taken is given back as far as it can be."""
    for call in ("cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
                 "cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuMemcpyHtoD_v2",
                 "cuMemcpyDtoH_v2", "cuModuleGetFunction", "cuFuncGetAttribute",
                 "cuOccupancyMaxActiveBlocksPerMultiprocessor"):
        log = fails(t, f"CUDA_ERROR_UNKNOWN: unknown error (999) from {call.removesuffix('_v2')}", fail=f"{call}=999")
        if "cuDevicePrimaryCtxRetain" in log and call != "cuDevicePrimaryCtxRetain":
            assert "cuDevicePrimaryCtxRelease_v2" in log, log


def test_all_is_given_back(t):
    log = t.tmp / "calls"
    t.ok(command(t), env=t.fake_cuda_env(log=log))
    calls = [line.split()[0] for line in log.read_text().splitlines()]
    for taken, given in (("cuMemAlloc_v2", "cuMemFree_v2"), ("cuModuleLoadDataEx", "cuModuleUnload"),
                         ("cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2"),
                         ("cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2")):
        assert calls.count(taken) == calls.count(given) > 0, (taken, given, calls)


def test_freeing_may_fail(t):
    for call in ("cuMemFree_v2", "cuModuleUnload", "cuDevicePrimaryCtxRelease_v2"):
        t.ok(command(t), env={**t.fake_cuda_env(fail=f"{call}=700"), **LEAKS_ALLOWED})


# --- Checks of bounds -------------------------------------------------------------------------


def test_an_index_outside(t):
    """What the kernel recorded in the host's memory is reported, although the context is lost."""
    result = t.fails(command(t, *LAUNCH, "--check=bounds"), 1, "index -66 is out of bounds for axis 1 of `M`",
                     env=t.fake_cuda_env(outside="site=1,axis=1,index=-2,extent=64"))
    assert "[out-of-bounds]" in result.err and "block (3, 0, 0) thread (232, 0, 0)" in result.err, result
    assert "\n  in sequential_rows[2, 32](M)\n  replay: " in result.err, result
    assert " --device cuda --check=bounds " in result.err.splitlines()[-2], result


def test_checks_that_fail(t):
    """A launch that fails otherwise says how, and what was taken is given back."""
    fails(t, "CUDA_ERROR_ILLEGAL_ADDRESS", *LAUNCH, "--check=bounds", fail="cuCtxSynchronize=700")
    for call in ("cuMemHostAlloc", "cuMemHostGetDevicePointer_v2", "cuModuleGetGlobal_v2"):
        log = fails(t, f"CUDA_ERROR_UNKNOWN: unknown error (999) from {call.removesuffix('_v2')}", *LAUNCH,
                    "--check=bounds", fail=f"{call}=999")
        assert "cuModuleUnload" in log and ("cuMemFreeHost" in log) == (call != "cuMemHostAlloc"), log


def test_checks_give_back_memory(t):
    log = t.tmp / "calls"
    t.ok(command(t, *LAUNCH, "--check=bounds"), env=t.fake_cuda_env(log=log))
    calls = [line.split()[0] for line in log.read_text().splitlines()]
    assert calls.count("cuMemHostAlloc") == calls.count("cuMemFreeHost") == 1, calls


# --- Cooperative launches --------------------------------------------------------------------


def test_too_large(t):
    for grid, blocks, fits in (("265", 265, "(264, 1, 1)"), ("(200, 3)", 600, "(200, 1, 1)"),
                               ("(2, 200)", 400, "(2, 132, 1)"), ("(2, 3, 100)", 600, "(2, 3, 44)")):
        words = ["M=zeros((4, 64), int32)", f"sequential_rows[{grid}, 32](M)"]
        calls = fails(t, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: `sequential_rows` synchronises its grid, so all its "
                         "blocks must be resident at once;", *words, rc=1)
        assert "Launch" not in calls
        result = t.run(command(t, *words), env=t.fake_cuda_env())
        assert f"has {blocks} blocks of 32 threads, and Fake GPU holds 264: 2 on each of 132 multiprocessors" in result.err
        assert re.search(r"a grid of (\(.*?\)) fits", result.err)[1] == fits, result
        t.ok(command(t, words[0], f"sequential_rows[{fits}, 32](M)"), env=t.fake_cuda_env())
        (t.tmp / "m.npy").unlink()


def test_what_limits(t):
    words = ["M=zeros((4, 64), int32)", "sequential_rows[9999, 256](M)"]
    for settings, text in (({"blocks": 2, "func_attr": "4=128"}, "registers (128 a thread"),
                           ({"blocks": 8}, "threads (2048 a multiprocessor)"),
                           ({"blocks": 1, "func_attr": "1=200000"}, "shared memory (")):
        result = t.run(command(t, *words), env=t.fake_cuda_env(**settings))
        assert result.rc == 1 and f"limited by {text}" in result.err, result


def test_not_even_one_block(t):
    fails(t, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: not even one block of `sequential_rows` with 32 threads", rc=1,
          blocks=0)


def test_the_driver_has_the_last_word(t):
    fails(t, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: too many blocks in cooperative launch (720) from "
             "cuLaunchCooperativeKernel", rc=1, fail="cuLaunchCooperativeKernel=720")


def test_largest_grid(t):
    log = t.tmp / "calls"
    t.ok(command(t, "M=zeros((4, 64), int32)", "sequential_rows[max, (8, 4)](M)"), env=t.fake_cuda_env(log=log, blocks=32))
    assert "cuLaunchCooperativeKernel sequential_rows grid=(4224,1,1) block=(8,4,1)" in log.read_text()


def test_max_blocks(t):
    """Numba's figure for this kernel on an H200 is 4224 with blocks of 32."""
    for query, threads, shared in (("32", 32, 0), ("(32, 4)", 128, 0), ("(8, 4, 2), _, 1024", 64, 1024)):
        log = t.tmp / "calls"
        log.write_text("")
        out = t.ok([t.ckrun, "--device", "cuda", t.examples / ROWS, "--max-blocks", f"sequential_rows[_, {query}]"],
                   env=t.fake_cuda_env(blocks=32, log=log)).out
        assert out == "4224\n"
        assert f"PerMultiprocessor sequential_rows threads={threads} shared={shared}\n" in log.read_text()
        assert "cuMemAlloc" not in log.read_text() and "Launch" not in log.read_text()


# --- Other limits ----------------------------------------------------------------------------


def test_shapes(t):
    fails(t, "the block (2048, 1, 1) is too large: Fake GPU allows 1024 in x", LAUNCH[0], "sequential_rows[2, 2048](M)", rc=1)
    fails(t, "the block (1024, 1, 1) has 1024 threads: `sequential_rows`, which takes 128 registers a thread, can have 512",
          LAUNCH[0], "sequential_rows[2, 1024](M)", rc=1, func_attr="4=128,0=512")


def test_architectures(t):
    """The PTX is for the device's own; one newer than the compiler runs older PTX."""
    for capability in ("75=7,76=5", "75=9,76=0", "75=12,76=1", "75=13,76=0", "75=99,76=9"):
        t.ok(command(t), env=t.fake_cuda_env(attr=capability))
        (t.tmp / "m.npy").unlink()
    for attributes, capability in (("75=7,76=0", "7.0"), ("75=3,76=5", "3.5"), ("75=7,76=4", "7.4")):
        fails(t, f"Fake GPU has compute capability {capability}: ck needs 7.5 or later", attr=attributes)
