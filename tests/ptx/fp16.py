"""fma of 16-bit floats is one instruction where the GPU has it, else it is computed in float64. A
breakpoint is PTX's."""

SOURCE = """
@kernel
def fused(x: {0}[::1]):
    x[0] = fma(x[1], x[2], x[3])
"""

BREAKPOINT = """
@kernel
def stop(x: int32[::1]):
    if x[0] < 0:
        breakpoint()
    x[1] = 2
"""


def ptx_of(t, text, arch):
    source = t.tmp / "kernel.ck"
    source.write_text(text)
    return t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out


def test_float16(t):
    for arch in ("sm_75", "sm_90"):
        ptx = ptx_of(t, SOURCE.format("float16"), arch)
        assert "fma.rn.f16" in ptx and ".f64" not in ptx, ptx


def test_bfloat16(t):
    assert "fma.rn.bf16" in ptx_of(t, SOURCE.format("bfloat16"), "sm_80")
    assert "add.rn.f64" in ptx_of(t, SOURCE.format("bfloat16"), "sm_75")


def test_breakpoint(t):
    assert ptx_of(t, BREAKPOINT, "sm_75").count("brkpt;") == 1
