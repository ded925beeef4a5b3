"""libck as its users have it: programs built against the headers and the shared library alone."""

import os
from pathlib import Path

from api.common import build
from harness.process import ENVIRONMENT

HERE = Path(__file__).parent


def test_embed(t):
    program = build(t, t.examples / "embed.c", "-Wpedantic")
    for device in ("cpu", "cpu:1", "cpu:3"):
        assert t.ok([program, device]).out.endswith("rows are right\n")
    assert "256 rows are right" in t.ok([program], env=t.fake_cuda_env(devices=0)).out


def test_embed_on_no_device(t):
    program = build(t, t.examples / "embed.c")
    result = t.fails([program, "nonsense"], 1, "embed: CK_ERROR_ARGUMENT: unknown device")
    assert not result.out
    t.fails([program, "cuda"], 1, "CK_ERROR_NO_DEVICE", env=t.fake_cuda_env(devices=0))


def test_prints_and_reads_nothing(t):
    """A program that is wrong: the library reports it to the caller and writes nothing itself."""
    result = t.ok([build(t, HERE / "quiet.c")])
    assert result.out == result.err == "", result


def test_options_of_other_sizes(t):
    t.ok([build(t, HERE / "options.c")])


def test_threads(t):
    t.ok([build(t, HERE / "threads.c")], timeout=120)


def test_fork_and_small_stack(t):
    """A child has no threads of its parent's; a kernel may need more stack than the caller's thread
    has."""
    t.ok([build(t, HERE / "fork.c")])


def test_copies_and_events(t):
    program = build(t, HERE / "events.c")
    t.ok([program, "cpu:3"])
    t.ok([program, "cpu:1"])


def test_copies_and_events_on_cuda(t):
    """The stand-in's event has no time: what is tested is which calls are made."""
    program = build(t, HERE / "events.c")
    log = t.tmp / "calls"
    t.ok([program, "cuda", "no times"], env=t.fake_cuda_env(log=log))
    calls = log.read_text()
    for call in ("cuMemcpyDtoDAsync_v2 3145633 0", "cuMemsetD8Async 165 3145733 0", "cuEventCreate 0", "cuEventDestroy_v2 1"):
        assert f"{call}\n" in calls, call
    result = t.fails([program, "cuda", "no times"], 1, env=t.fake_cuda_env(fail="cuMemcpyDtoDAsync_v2=700"))
    assert "ck_buffer_copy(b, 7" in result.out, result
    t.fails([program, "cuda", "no times"], 1, env=t.fake_cuda_env(fail="cuMemsetD8Async=1"))
    t.fails([program, "cuda", "no times"], 1, env=t.fake_cuda_env(fail="cuEventCreate=2"))


def on_device(t, name, device, *more, env=None):
    """The test program `name` on a device; skipped where that is not there. It may ask for more
    memory than there is."""
    env = {"ASAN_OPTIONS": ENVIRONMENT["ASAN_OPTIONS"] + ":allocator_may_return_null=1", **(env or {})}
    result = t.run([build(t, HERE / f"{name}.c"), device, *more], timeout=120, env=env)
    if result.rc == 77:
        t.skip("no CUDA device")
    assert result.rc == 0, result
    return result


def test_helpers(t):
    """Arrays, values and launches in few words; and arrays larger than their buffers."""
    assert "sizes: 1024 threads, 256 blocks\n" in on_device(t, "helpers", "cpu").out


def test_helpers_on_cuda(t):
    on_device(t, "helpers", "cuda")


def test_helpers_with_the_fake_driver(t):
    env = t.fake_cuda_env(blocks=3, devices=2, func_attr="0=512")
    out = on_device(t, "helpers", "cuda", "no-results", env=env).out
    assert out == "sizes: 512 threads, 396 blocks\nbounded: 192 threads, 396 blocks\n2 CUDA devices\n", out
    for call, code, line in (("cuMemGetInfo_v2", 999, "CUDA_ERROR_UNKNOWN"), ("cuDeviceGetCount", 1, "CUDA_ERROR_INVALID_VALUE")):
        result = t.fails([t.tmp / "helpers", "cuda", "no-results"], 1, env=t.fake_cuda_env(fail=f"{call}={code}"))
        assert line in result.out and call.removesuffix("_v2") in result.out, result


def test_streams(t):
    on_device(t, "streams", "cpu:3")
    on_device(t, "streams", "cpu:1")


def test_streams_on_cuda(t):
    on_device(t, "streams", "cuda")


def test_streams_with_the_fake_driver(t):
    """Each copy and launch is on the stream it was given, and all of ck's streams are destroyed."""
    log = t.tmp / "calls"
    on_device(t, "streams", "cuda", "no-results", env=t.fake_cuda_env(log=log))
    calls = log.read_text().splitlines()
    bytes_of_part = 4 << 16
    for stream in (1, 2):
        copies = [f"cuMemcpyHtoDAsync_v2 {bytes_of_part} {stream}", f"cuMemcpyDtoHAsync_v2 {bytes_of_part} {stream}"]
        assert [calls.count(copy) for copy in copies] == [4, 4], calls
        assert calls.count(f"cuStreamSynchronize {stream}") == 1 and calls.count(f"cuStreamDestroy_v2 {stream}") == 1
    assert calls.count("cuStreamCreate 0") == 9 and sum(c.startswith("cuStreamDestroy") for c in calls) == 9, calls
    assert sum(c.startswith("cuStreamWaitEvent") for c in calls) == 2
    assert f"cuMemHostAlloc {4 << 19} 1" in calls and calls.count("cuMemFreeHost") == 3, calls
    # stream=1: not the default one
    assert sum("cuLaunchKernel" in c and "stream=1" in c for c in calls) == 16


def test_c99(t):
    """Arguments made by functions, without C11's _Generic."""
    program = build(t, HERE / "values_c99.c", "-std=c99", "-pedantic")
    assert t.ok([program]).out == "y[9] = 22.5\n"


def test_from_rust(t):
    """Enums have the size of int, structs are C's, and handles are pointers."""
    rustc = t.need("rustc")
    if t.sanitized:
        t.skip("the program would need the sanitizers' options")
    build(t, t.examples / "embed.c")  # lays the library into t.tmp / "lib"
    library = t.tmp / "lib"
    t.ok([rustc, "--edition=2021", "-Dwarnings", "-Adead_code", HERE / "embed.rs", "-o", "from_rust", "-L", library,
          "-C", f"link-arg=-Wl,-rpath,{library}"], timeout=180)
    assert t.ok([t.tmp / "from_rust", "cpu"]).out == "x[999] = 2497.5\n"
    assert t.ok([t.tmp / "from_rust", "cuda"], env=t.fake_cuda_env()).out == "x[999] = 999\n"
    assert t.ok([t.tmp / "from_rust", "tpu"]).out.startswith("CK_ERROR_ARGUMENT: unknown device")


def test_levels(t):
    """Every level of optimisation, and no fused multiply-add, has the same results on the CPU
    device."""
    t.ok([build(t, HERE / "levels.c")])


def test_overlap(t):
    """Arrays of a launch that share memory give what they would if the compiler knew it."""
    t.ok([build(t, HERE / "overlap.c")])


def test_arrays_without_dimensions(t):
    """ck_array with ndim 0, for kernels with and without a signature."""
    t.ok([build(t, HERE / "zero_dim.c")])


def test_tuples(t):
    """Tuples among a launch's arguments, right and wrong."""
    t.ok([build(t, HERE / "tuples.c")])


def test_none_and_default_values(t):
    t.ok([build(t, HERE / "marks.c")])


def test_none_and_default_values_on_cuda(t):
    on_device(t, "marks", "cuda")


def test_records(t):
    """Structs of C in a launch's arrays, and their types: right, wrong, alike but for places."""
    t.ok([build(t, HERE / "records.c")])


def test_vectors(t):
    """Arrays of vectors from rows of numbers and from structs of C, and what is refused."""
    t.ok([build(t, HERE / "vectors.c")])


def test_vectors_on_cuda(t):
    on_device(t, "vectors", "cuda")


def test_vector_fields(t):
    """Vectors in records: what launches have for them, addresses, generic kernels."""
    t.ok([build(t, HERE / "vector_fields.c")])


def test_vector_fields_on_cuda(t):
    on_device(t, "vector_fields", "cuda")


def test_arrays_of_modules(t):
    """ck_module_get_global and what belongs to it: one memory for all specialisations."""
    t.ok([build(t, HERE / "globals.c")])


def test_arrays_of_modules_on_cuda(t):
    on_device(t, "globals", "cuda")


def test_alignment(t):
    """Arrays may begin at any element; code that needs more is chosen where all of a launch's have
    it."""
    t.ok([build(t, HERE / "alignment.c"), "cpu"])


def test_alignment_on_cuda(t):
    on_device(t, "alignment", "cuda")


def test_findings(t):
    """Barriers used wrongly and failed assertions have a status of their own, and a diagnostic."""
    t.ok([build(t, HERE / "findings.c")])


def test_interrupted(t):
    """The program's flag ends launches on the CPU device, whichever thread runs their blocks."""
    t.ok([build(t, HERE / "interrupt.c")])


def test_parts(t):
    """Messages about a source that was put together have the places its lines are from."""
    t.ok([build(t, HERE / "parts.c")])


def test_cooperative(t):
    program = build(t, HERE / "cooperative.c")
    assert t.ok([program, "cpu"]).out == "1\n"
    assert t.ok([program, "cuda"], env=t.fake_cuda_env()).out == "1\n"
    assert t.ok([program, "cuda"], env=t.fake_cuda_env(attr="95=0")).out == "0\n"


def test_cooperative_on_cuda(t):
    result = t.run([build(t, HERE / "cooperative.c"), "cuda"])
    if result.rc == 77:
        t.skip("no CUDA device")
    assert (result.rc, result.out) == (0, "1\n"), result


def test_code_by_alignment(t):
    """Each kernel once for aligned arrays and once for others, however often they are launched."""
    log = t.tmp / "calls"
    t.ok([build(t, HERE / "alignment.c"), "cuda", "no-results"], env=t.fake_cuda_env(log=log))
    assert log.read_text().count("cuModuleLoadDataEx") == 4, log.read_text()


def test_small_launches(t):
    """Extents and grids may have any size; code that needs small ones is chosen where they are."""
    t.ok([build(t, HERE / "small.c"), "cpu", "source"])


def test_small_launches_on_cuda(t):
    program = build(t, HERE / "small.c")
    for form in ("source", "ptx"):
        result = t.run([program, "cuda", form])
        if result.rc == 77:
            t.skip("no CUDA device")
        assert result.rc == 0, result


def test_code_by_size(t):
    """For small launches and others, whether their arrays or their grids are larger, and with and
    without negative arguments. PTX for small launches refuses the others."""
    log = t.tmp / "calls"
    program = build(t, HERE / "small.c")
    for form, images, launches in (("source", 4, 34), ("ptx", 1, 14)):
        log.write_text("")
        t.ok([program, "cuda", form, "no-results"], env=t.fake_cuda_env(log=log))
        calls = log.read_text()
        assert calls.count("cuModuleLoadDataEx") == images, calls
        assert calls.count("cuLaunchKernel") == launches, calls


def test_out_of_memory(t):
    if t.sanitized:
        t.skip("the sanitizer's own allocator cannot be replaced")
    result = t.ok([build(t, HERE / "memory.c")], timeout=120)
    failures = int(result.out.split()[0])
    assert failures > 20, result


def test_out_of_memory_in_a_launch(t):
    """The module is as good as before: the next launch is right."""
    if t.sanitized:
        t.skip("the sanitizer's own allocator cannot be replaced")
    result = t.ok([build(t, HERE / "retry.c")], timeout=300)
    assert int(result.out.split()[0]) > 20, result


def test_environment_is_not_read(t):
    """Nothing in the environment changes what is compiled."""
    want = t.ok([t.ckc, "-o", "-", t.examples / "sequential_rows.ck"]).out
    env = {name: "1" for name in ("CK_DEBUG", "CK_ARCH", "CK_OPTIONS", "LLVM_OPTIONS", "CUDA_HOME")}
    assert t.ok([t.ckc, "-o", "-", t.examples / "sequential_rows.ck"], env=env).out == want
    assert os.environ.get("CK_DEBUG") is None


def test_prebuilt_without_a_gpu(t):
    """PTX that can never run is refused by the first call that can know it, before any launch."""
    env = t.fake_cuda_env(devices=0)
    ptx = t.tmp / "k.ptx"
    t.ok([t.ckc, "-arch=sm_80", "-o", ptx, t.write("k.ck", "@kernel\ndef k(x: int32[::1]):\n    x[0] = 1\n")])

    def result(library, device, **fake):
        program = build(t, HERE / "prebuilt.c", library=library)
        return t.ok([program, device, ptx, "k"], env=t.fake_cuda_env(**fake) if fake else env).out

    assert result("libckrt", "auto").startswith("ck_device_open: CK_ERROR_NO_DEVICE: there is no CUDA device")
    assert "libckrt runs PTX only" in result("libckrt", "auto")
    for library, device in ("libckrt", "cpu"), ("libck", "auto"), ("libck", "cpu"):
        assert result(library, device) == ("ck_kernel_get: CK_ERROR_UNSUPPORTED: the CPU device cannot run PTX for "
                                           "\"sm_80\": it needs the kernel's source\n")
    for library in "libckrt", "libck":
        assert result(library, "auto", attr="75=8,76=0") == "ready\n"
        assert result(library, "cuda", attr="75=7,76=5") == (
            "ck_kernel_get: CK_ERROR_UNSUPPORTED: the PTX is for \"sm_80\", and Fake GPU has compute capability 7.5: "
            "compile it for \"sm_75\" or lower\n")


def test_dates(t):
    on_device(t, "dates", "cpu")


def test_dates_on_cuda(t):
    on_device(t, "dates", "cuda")
