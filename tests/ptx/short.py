"""16-bit negation and magnitude, of which ptxas makes wrong code for -32768 once they are
widened."""

from ptx.content import ptx

KERNEL = """
@kernel
def k(a: int16[::1], o: int64[::1], p: int16[::1]):
    i = grid(1)
    o[0] = np.negative(a[i])
    o[1] = int16(-a[i])
    o[2] = np.abs(a[i])
    o[3] = int16(abs(a[i]))
    p[0] = -a[i]
    p[1] = abs(a[i])
    if int16(-a[i]) > 0:
        o[5] = 1
"""


def test_no_short_negation(t):
    source = t.write("k.ck", KERNEL)
    for level in ("-O0", "-O1", "-O3"):
        text = ptx(t, source, "-arch=sm_90", level)
        assert "neg.s16" not in text and "abs.s16" not in text, text
        assert "neg.s32" in text and "abs.s32" in text, text
