"""Barriers of grids in great numbers (stress.c, stress.ck): on the CPU some hundred, on CUDA the
10^6 that are promised; there also two kernels at once, and graphs."""

from api.library import HERE, build

MILLION = 1000000


def stress(t, device, *words, timeout=60):
    result = t.run([build(t, HERE / "stress.c", "-ldl"), HERE / "stress.ck", device, *words], timeout=timeout)
    if result.rc == 77 and device == "cuda":
        t.skip("no CUDA device")
    assert result.rc == 0, result


def barriers(t, kernel, blocks, threads, turns=MILLION):
    stress(t, "cuda", "barriers", kernel, blocks, threads, turns)


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


def test_two_kernels_too_large_to_run_at_once(t):
    stress(t, "cuda", "streams", "max", 256, 20000)


def test_replays_of_graphs(t):
    stress(t, "cuda", "graphs", 22, 128, 24, 1000)


def test_replays_of_large_graphs(t):
    stress(t, "cuda", "graphs", 132, 512, 24, 200)
