"""What it costs that threads which have returned go along to later barriers: nothing in kernels
without such a return, and a guard in the others."""

from ptx.content import body, count

ARCHS = ("sm_75", "sm_90", "sm_120")
ROWS = """
@kernel
def {name}(M: int32[:, ::1]):
    col = grid(1)
    g = this_grid()
{body}
"""
RETURNS = """    if col >= M.shape[1]:
        return
    for row in range(1, M.shape[0]):
        M[row, col] = M[row - 1, M.shape[1] - col - 1] + 1
        g.sync()"""
GUARDED = """    for row in range(1, M.shape[0]):
        if col < M.shape[1]:
            M[row, col] = M[row - 1, M.shape[1] - col - 1] + 1
        g.sync()"""
PLAIN = """    for row in range(1, M.shape[0]):
        M[row, col] = M[row - 1, M.shape[1] - col - 1] + 1
        g.sync()"""
TAIL = PLAIN + """
    if col >= M.shape[1]:
        return
    M[0, col] = 0"""
UNIFORM = """    if M.shape[0] < 2:
        return
""" + PLAIN
ONE_ELEMENT = """    if M[0, 0] < 2:
        return
""" + PLAIN


def code(t, arch, text):
    source = t.tmp / "returned.ck"
    source.write_text(ROWS.format(name="k", body=text))
    return body(t.ok([t.ckc, f"-arch={arch}", "-o", "-", source]).out, "k")


def size(text):
    return text.count(";")


def test_a_return_costs_a_guard(t):
    """The kernel with a return has the barriers of the one that is guarded by hand, and at most
    six instructions more: the flag, and its test before the work."""
    for arch in ARCHS:
        returns, guarded = code(t, arch, RETURNS), code(t, arch, GUARDED)
        for barrier in ("bar.sync", "barrier.sync", "atom.", "red.", "ld.global", "st.global"):
            assert count(returns, barrier) == count(guarded, barrier), (arch, barrier, returns)
        assert size(returns) <= size(guarded) + 6, (arch, size(returns), size(guarded), returns)


def test_no_flag_without_such_a_return(t):
    """A return that no barrier follows, and one on which all threads agree, stay returns. All agree
    on an element that all load."""
    for text in (PLAIN, TAIL, UNIFORM, ONE_ELEMENT):
        source = t.tmp / "plain.ck"
        source.write_text(ROWS.format(name="k", body=text))
        typed = t.ok([t.ckc, "--emit=types", "-o", "-", source]).out
        assert "= False:bool" not in typed and ("return" in typed) == ("return" in text), typed
