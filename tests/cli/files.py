"""Files the tools write: whole or not at all, never over an input, and none after a failure."""

import os

import numpy as np

FILL = "@kernel\ndef fill(p: int32[::1], value: int32):\n    p[grid(1)] = value\n"
TRAP = "@kernel\ndef trap(p: int32[::1]):\n    assert p[0] == 12345, 'on purpose'\n"


def fill(t, *words):
    return [t.ckrun, "--device", "cpu", t.write("fill.ck", FILL + TRAP), "p=zeros(4, int32)",
            "q=zeros(4, int32)", "fill[1, 4](p, 7)", "fill[1, 4](q, 8)", *words]


def files(t):
    return sorted(path.relative_to(t.tmp).as_posix() for path in t.tmp.rglob("*") if path.is_file())


def unwritable(t):
    """(path, message) of what no user can write, root neither."""
    t.write("file", "a file")
    (t.tmp / "folder").mkdir(exist_ok=True)
    return (("file/out", "Not a directory"), ("folder", "Is a directory"),
            ("nowhere/out", "No such file or directory"), ("/", "Is a directory"),
            ("x" * 300, "File name too long"))


# --- ckc -------------------------------------------------------------------------------------


def rows(t, *words):
    return [t.ckc, t.examples / "sequential_rows.ck", *words]


def test_ckc_unwritable(t):
    for path, text in unwritable(t):
        t.fails(rows(t, "-o", path), 1, f"ckc: error: cannot write `{path}`: {text}")
        assert files(t) == ["file"], files(t)


def test_ckc_full(t):
    t.fails(rows(t, "-o", "/dev/full"), 1, "cannot write `/dev/full`: No space left on device")
    assert os.path.exists("/dev/full")


def test_ckc_standard_output_full(t):
    script = '"$@" >/dev/full'
    t.fails(["sh", "-c", script, "sh", *rows(t, "-o", "-")], 1, "cannot write `standard output`",
            "No space left on device")


def test_ckc_to_a_device(t):
    t.ok(rows(t, "-o", "/dev/null"))
    assert not os.path.isfile("/dev/null")


def test_ckc_keeps_the_original(t):
    """A program that is wrong leaves the output of an earlier run as it is."""
    out = t.write("out.ptx", "earlier")
    t.fails([t.ckc, t.write("k.ck", "@kernel\ndef k(p: int32[:]):\n    p[0] = nope\n"), "-o", out], 1)
    t.fails([t.ckc, t.tmp / "nope.ck", "-o", out], 1)
    t.fails(rows(t, "-o", out, "-arch=sm_1"), 2)
    assert out.read_text() == "earlier" and files(t) == ["k.ck", "out.ptx"]


def test_ckc_limited_disk(t):
    """A write that fails on the way leaves the original and no temporary file."""
    out = t.write("out.ptx", "earlier")
    script = 'ulimit -f 1; trap "" XFSZ; exec "$@"'
    result = t.run(["sh", "-c", script, "sh", *rows(t, "-o", out)])
    if result.rc == 0:
        t.skip("the shell's unit of file sizes holds the whole output")
    assert result.rc == 1 and "cannot write" in result.err and "File too large" in result.err, result
    assert out.read_text() == "earlier" and files(t) == ["out.ptx"], files(t)


def test_ckc_not_over_its_input(t):
    source = t.write("k.ck", FILL)
    (t.tmp / "link.ck").symlink_to(source)
    for target in ("k.ck", "./k.ck", "link.ck"):
        t.fails([t.ckc, source, "-o", target], 2, f"ckc: error: the output `{target}` is the input")
    assert source.read_text() == FILL


def test_ckc_default_names(t):
    source = t.write("fill.ck", FILL)
    for kind, name in (("ptx", "fill.ptx"), ("llvm", "fill.ll"), ("llvm-raw", "fill.ll"),
                       ("ast", "fill.ast"), ("types", "fill.types"), ("manifest", "fill.manifest")):
        t.ok([t.ckc, source, f"--emit={kind}"])
        assert files(t) == sorted(["fill.ck", name]), files(t)
        (t.tmp / name).unlink()
    t.write("other", FILL)
    t.ok([t.ckc, "other"])
    assert (t.tmp / "other.ptx").exists()


def test_ckc_follows_links_and_keeps_them(t):
    (t.tmp / "link.ptx").symlink_to("real.ptx")
    t.write("real.ptx", "earlier")
    t.ok(rows(t, "-o", "link.ptx"))
    assert (t.tmp / "link.ptx").is_symlink() and ".entry" in (t.tmp / "real.ptx").read_text()


def test_ckc_permissions(t):
    """As any new file's."""
    t.ok(["sh", "-c", 'umask 027; exec "$@"', "sh", *rows(t, "-o", "out.ptx")])
    assert (t.tmp / "out.ptx").stat().st_mode & 0o777 == 0o640


# --- ckrun -----------------------------------------------------------------------------------


def test_save(t):
    t.ok(fill(t, "--save", "p=p.npy", "--save", "q=q.npy"))
    assert np.load(t.tmp / "p.npy").tolist() == [7] * 4 and np.load(t.tmp / "q.npy").tolist() == [8] * 4
    assert files(t) == ["fill.ck", "p.npy", "q.npy"]


def test_save_replaces(t):
    t.write("p.npy", "earlier")
    t.ok(fill(t, "--save", "p=p.npy"))
    assert np.load(t.tmp / "p.npy").tolist() == [7] * 4 and files(t) == ["fill.ck", "p.npy"]


def test_save_unwritable(t):
    for path, text in unwritable(t):
        t.fails(fill(t, "--save", f"p={path}"), 1, "cannot write", text)
        assert files(t) == ["file", "fill.ck"], files(t)
    t.fails(fill(t, "--save", "p=/dev/full"), 1, "cannot write `/dev/full`: it is not a regular file")


def test_save_of_several_with_one_failing(t):
    t.write("p.npy", "earlier")
    for bad, _ in unwritable(t):
        for saves in (("p=p.npy", f"q={bad}"), (f"q={bad}", "p=p.npy")):
            t.fails(fill(t, "--save", saves[0], "--save", saves[1]), 1, "cannot write")
            assert (t.tmp / "p.npy").read_text() == "earlier"
            assert files(t) == ["file", "fill.ck", "p.npy"], files(t)


def test_save_limited_disk(t):
    """The second array does not fit: the first is not saved either."""
    t.write("p.npy", "earlier")
    command = [t.ckrun, "--device", "cpu", t.write("fill.ck", FILL), "p=zeros(4, int32)",
               "q=zeros(1000000, int32)", "--save", "p=p.npy", "--save", "q=q.npy"]
    t.fails(["sh", "-c", 'ulimit -f 100; trap "" XFSZ; exec "$@"', "sh", *command], 1,
            "cannot write", "File too large")
    assert (t.tmp / "p.npy").read_text() == "earlier" and files(t) == ["fill.ck", "p.npy"], files(t)


def test_nothing_saved_after_a_failed_launch(t):
    t.write("p.npy", "earlier")
    for launch, rc in (("trap[1, 1](p)", 1), ("fill[1, 4](p)", 1), ("fill[1, 2000](p, 1)", 1)):
        t.fails(fill(t, launch, "--save", "p=p.npy", "--save", "q=q.npy"), rc)
        assert (t.tmp / "p.npy").read_text() == "earlier" and files(t) == ["fill.ck", "p.npy"]


def test_nothing_saved_after_a_failed_expectation(t):
    t.fails(fill(t, "--expect", "p=6", "--save", "p=p.npy"), 1, "differs from 6")
    assert files(t) == ["fill.ck"]


def test_save_not_over_an_input(t):
    np.save(t.tmp / "in.npy", np.zeros(4, np.int32))
    np.save(t.tmp / "want.npy", np.full(4, 7, np.int32))
    (t.tmp / "link.npy").symlink_to("in.npy")
    source = t.write("fill.ck", FILL)
    before = {name: (t.tmp / name).read_bytes() for name in ("in.npy", "want.npy", "fill.ck")}
    for target, option in (("in.npy", []), ("./in.npy", []), ("link.npy", []), ("fill.ck", []),
                           ("want.npy", ["--expect", "p=want.npy"])):
        t.fails([t.ckrun, "--device", "cpu", source, "p=@in.npy", "fill[1, 4](p, 7)",
                 "--save", f"p={target}", *option], 2, "--save would overwrite the input")
    assert before == {name: (t.tmp / name).read_bytes() for name in before}


def test_save_twice_to_one_file(t):
    t.fails(fill(t, "--save", "p=x.npy", "--save", "q=x.npy"), 2, "two arrays would be saved to `x.npy`")
    t.ok(fill(t, "--save", "p=x.npy", "--save", "p=y.npy"))
    assert (t.tmp / "x.npy").read_bytes() == (t.tmp / "y.npy").read_bytes()


def test_inputs_stay_as_they_are(t):
    np.save(t.tmp / "in.npy", np.arange(4, dtype=np.int32))
    before = (t.tmp / "in.npy").read_bytes(), (t.tmp / "in.npy").stat().st_mtime_ns
    (t.tmp / "in.npy").chmod(0o444)
    t.ok([t.ckrun, "--device", "cpu", t.write("fill.ck", FILL), "p=@in.npy", "fill[1, 4](p, 7)",
          "--expect", "p=7", "--save", "p=out.npy"])
    assert before == ((t.tmp / "in.npy").read_bytes(), (t.tmp / "in.npy").stat().st_mtime_ns)


def test_standard_output_full(t):
    script = '"$@" >/dev/full'
    t.fails(["sh", "-c", script, "sh", *fill(t, "--print", "p")], 1, "cannot write standard output")
