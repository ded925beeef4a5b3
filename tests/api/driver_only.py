"""PTX made by ckc launches from programs that know nothing of ck."""

import sys

SKIPPED = 77


def compiled(t):
    """sequential_rows as PTX for the oldest architecture, which every GPU runs."""
    ptx = t.tmp / "rows.ptx"
    t.ok([t.ckc, "-arch=sm_75", "-o", ptx, t.examples / "sequential_rows.ck"])
    return ptx


def plain_driver(t):
    """The C program, as built with the tests, or built now."""
    program = t.bin / "plain_driver"
    if not program.exists():
        program = t.tmp / "plain_driver"
        cc = t.need("cc", "gcc", "clang")
        t.ok([cc, "-o", program, t.root / "tests" / "api" / "plain_driver.c", "-ldl"])
    return program


def test_c_program(t):
    result = t.run([plain_driver(t), compiled(t)])
    if result.rc == SKIPPED:
        t.skip(result.err.strip())
    assert result.rc == 0, result


def test_c_program_calls(t):
    """The same against the fake driver, which writes down what is launched and computes nothing."""
    log = t.tmp / "calls"
    result = t.run([plain_driver(t), compiled(t)], env=t.fake_cuda_env(log=log))
    assert result.rc == 1 and "wrong" in result.err + result.out, result
    launch = "cuLaunchCooperativeKernel sequential_rows grid=(7,1,1) block=(96,1,1)"
    assert launch in log.read_text(), log.read_text()


def test_parameters(t):
    """What such a program relies on: three parameters of 8 bytes, and no others."""
    text = compiled(t).read_text()
    head = text[text.index(".entry sequential_rows("):].split(")", 1)[0]
    assert head.count(".param .u64") == head.count(".param") == 3, head


def test_cupy(t):
    script = t.root / "bench" / "cupy_launch.py"
    result = t.run([sys.executable, script, "--ckc", t.ckc], timeout=180)
    if result.rc == SKIPPED:
        t.skip(result.out.strip().removeprefix("skipped: "))
    assert result.rc == 0, result
