"""Barriers of grids in great numbers (stress.c, stress.ck): on the CPU some hundred, on CUDA the
10^6 that are promised; there also two kernels at once, and graphs."""

from api.library import HERE, build

MILLION = 1000000


def stress(t, device, *words, file=HERE / "stress.ck", timeout=60):
    result = t.run([build(t, HERE / "stress.c", "-ldl"), file, device, *words], timeout=timeout)
    if result.rc == 77 and device == "cuda":
        t.skip("no CUDA device")
    assert result.rc == 0, result


def barriers(t, kernel, blocks, threads, trips=MILLION):
    stress(t, "cuda", "barriers", kernel, blocks, threads, trips)


def test_on_the_cpu(t):
    for kernel in ("sync", "split", "mixed"):
        for blocks in (1, 5, 33):
            stress(t, "cpu", "barriers", kernel, blocks, 32, 40)


def test_1_block(t):
    barriers(t, "sync", 1, 1024)


def test_132_blocks(t):
    barriers(t, "sync", 132, 256)


def test_264_blocks(t):
    barriers(t, "sync", 264, 256)


def test_1056_blocks(t):
    barriers(t, "sync", 1056, 256)


def test_most_blocks(t):
    barriers(t, "sync", "max", 32)


def test_split_132_blocks(t):
    barriers(t, "split", 132, 256)


def test_split_1056_blocks(t):
    barriers(t, "split", 1056, 128)


def test_split_most_blocks(t):
    barriers(t, "split", "max", 32, MILLION // 10)


def test_mixed(t):
    for blocks, threads in ((1, 512), (132, 256), (264, 96), (1056, 33), ("max", 32)):
        barriers(t, "mixed", blocks, threads, MILLION // 20)


def test_two_kernels_at_once(t):
    stress(t, "cuda", "streams", 66, 256, 100000)


def test_two_large_kernels_at_once(t):
    for blocks in (1200, 1201, 1601, 2048):
        stress(t, "cuda", "streams", blocks, 32, 20000)


def test_kernels_with_one_workspace_run_one_after_the_other(t):
    """Two that run at once share the workspace of the barrier of many blocks."""
    ptx = t.ok([t.ckc, "-arch=sm_90", "-o", "-", HERE / "stress.ck"]).out
    place = "and.b32 t$, t$, 16-1;"
    assert ptx.count(place) == ptx.count("claimed$:") + 4, "a place for each barrier and kernel"
    path = t.write("stress.ptx", ptx.replace(place, "mov.b32 t$, 0;"))
    for blocks in (1201, 1300):
        for _ in range(5):
            stress(t, "cuda", "streams", blocks, 32, 5000, file=path)


def test_numbers_of_blocks(t):
    """About those at which the barrier's algorithm changes, and the sizes of groups."""
    for blocks in (2, 127, 128, 129, 133, 1199, 1200, 1201, 1280, 1281, 2111, 4161):
        for threads in (20, 57):
            barriers(t, "mixed" if blocks < 1320 else "sync", blocks, threads, 400)


def test_two_kernels_too_large_to_run_at_once(t):
    stress(t, "cuda", "streams", "max", 256, 20000)


def test_replays_of_graphs(t):
    stress(t, "cuda", "graphs", 22, 128, 24, 1000)


def test_replays_of_large_graphs(t):
    stress(t, "cuda", "graphs", 132, 512, 24, 200)
