"""Files the tools write: whole or not at all, never over an input, and none after a failure."""

import os
import signal
import subprocess
import time

import numpy as np

from harness import manifest
from harness.process import LEAKS_ALLOWED

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


def test_ckc_writes_through_a_dangling_link(t):
    (t.tmp / "folder").mkdir()
    (t.tmp / "link.ptx").symlink_to("folder/other.ptx")
    (t.tmp / "folder" / "other.ptx").symlink_to("real.ptx")
    t.ok(rows(t, "-o", "link.ptx"))
    assert (t.tmp / "link.ptx").is_symlink() and (t.tmp / "folder" / "other.ptx").is_symlink()
    assert ".entry" in (t.tmp / "folder" / "real.ptx").read_text()
    assert not (t.tmp / "folder" / "real.ptx").is_symlink()
    (t.tmp / "loop.ptx").symlink_to("loop.ptx")
    t.ok(rows(t, "-o", "loop.ptx"))  # a rename replaces what leads nowhere
    assert ".entry" in (t.tmp / "loop.ptx").read_text()


def test_names_as_long_as_can_be(t):
    """The temporary file's name does not grow with the file's."""
    for length in (200, 244, 245, 250, 255):
        name = "x" * (length - 4)
        t.ok(rows(t, "-o", name + ".ptx"))
        t.ok(fill(t, "--save", f"p={name}.npy"))
        assert files(t) == ["fill.ck", name + ".npy", name + ".ptx"], files(t)
        (t.tmp / (name + ".npy")).unlink(), (t.tmp / (name + ".ptx")).unlink()
    t.fails(fill(t, "--save", f"p={'x' * 252}.npy"), 1, "cannot write", "File name too long")


def test_interrupted(t):
    """However it is ended by a signal, no temporary file stays, and the output is whole or not
    there."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        argv = [str(word) for word in fill(t, "r=ones((4000, 4000), float64)", "--save", "r=r.npy", "--save",
                                           "p=p.npy", "--no-cache")]
        process = subprocess.Popen(argv, cwd=t.tmp, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        while process.poll() is None and not any(".ck-" in name for name in files(t)):
            time.sleep(0.001)
        process.send_signal(number)
        process.wait(60)
        assert process.returncode in (0, -number), process.returncode
        assert not any(".ck-" in name for name in files(t)), files(t)
        for name in ("r.npy", "p.npy"):
            if (t.tmp / name).exists():
                np.load(t.tmp / name)
                (t.tmp / name).unlink()


def test_interrupted_launch(t):
    """Ctrl-C ends ckrun at once, whatever the kernel does, and nothing is saved."""
    t.write("endless.ck", "@kernel\ndef k(p: int32[:], n: int64):\n    for i in range(n):\n        p[i % 2] = i\n")
    argv = [str(word) for word in [t.ckrun, "endless.ck", "k[1, 1](p, 2**62)", "p=zeros(2, int32)", "--save",
                                   "p=p.npy", "--device", "cpu", "--no-cache"]]
    process = subprocess.Popen(argv, cwd=t.tmp, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        process.wait(2 if t.sanitized else 0.5)
        raise AssertionError("the kernel ended")
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    assert process.wait(10) == -signal.SIGINT
    assert [name for name in files(t) if "p.npy" in name or ".ck-" in name] == []


def test_ignored_signal(t):
    """A signal that the command's parent had it ignore ends nothing, as in `nohup`."""
    argv = [str(word) for word in fill(t, "r=ones((4000, 4000), float64)", "--save", "r=r.npy", "--save",
                                       "p=p.npy", "--no-cache")]
    process = subprocess.Popen(argv, cwd=t.tmp, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    while process.poll() is None and not any(".ck-" in name for name in files(t)):
        time.sleep(0.001)
    process.send_signal(signal.SIGHUP)
    assert process.wait(60) == 0
    assert np.load(t.tmp / "r.npy").shape == (4000, 4000) and (t.tmp / "p.npy").exists()


def test_output_on_the_disk_before_its_name(t):
    strace = t.need("strace")
    for argv in (rows(t, "-o", "out.ptx"), fill(t, "--save", "p=p.npy")):
        t.ok([strace, "-f", "-o", "calls", "-e", "trace=fsync,rename", *argv], env=LEAKS_ALLOWED)
        calls = [line.split("(")[0].split()[-1] for line in (t.tmp / "calls").read_text().splitlines()
                 if "(" in line]
        assert calls[:2] == ["fsync", "rename"], calls


def test_suffix_of_another_kind(t):
    """No file gets a name that says it is something else."""
    for path, text in (("k.cubin", "the output `k.cubin` would be what --emit=ptx writes (*.ptx): add --emit=cubin"),
                       ("a.b/k.o", "would not be obj but"), ("k.ck", "would not be source but"),
                       ("k.ll", "the output `k.ll` would be what --emit=ptx writes (*.ptx): add --emit=llvm, or"),
                       ("k.manifest", "add --emit=manifest")):
        t.fails(rows(t, "-o", path), 2, text)
    t.fails(rows(t, "--emit=llvm", "-o", "k.ptx"), 2, "add --emit=ptx, or name it otherwise")
    assert not files(t)
    t.ok(rows(t, "--emit=llvm-raw", "-o", "k.ll"))
    for path in ("k", "k.s", "k.ptx.txt"):
        t.ok(rows(t, "-o", path))
        assert ".entry" in (t.tmp / path).read_text()


def test_save_suffix(t):
    for suffix in (".jpg", ".txt", ".NPY", "."):
        t.fails(fill(t, "--save", f"p=./o{suffix}"), 2,
                f"ckrun: error: --save writes .npy, .npz, .csv, .png, .bin and .raw files, not `{suffix}`: ./o.npy is such a file")
    assert files(t) == ["fill.ck"]
    t.ok(fill(t, "--save", "p=plain", "--save", "q=.hidden"))
    assert files(t) == [".hidden", "fill.ck", "plain"] and np.load(t.tmp / "plain").tolist() == [7] * 4


# --- What is printed of names ----------------------------------------------------------------

ODD = "odd\x1b[31m\x07\x7f\u009b\n"
SHOWN = "odd\\x1b[31m\\x07\\x7f\\xc2\\x9b\\x0a"


def harmless(text):
    return all(c in "\n\t" or (c >= " " and not "\x7f" <= c < "\xa0") for c in text)


def test_no_escape_sequences(t):
    """A terminal obeys nothing in the names of files, arguments or kernels."""
    bad = t.write(ODD + ".ck", "@kernel\ndef k(p: int32[::1]):\n    p[0] = '\x1b[1m' + nope\n")
    npy = t.write(ODD + ".npy", "\x1b[1m not a file of NumPy's")
    source = t.write("fill.ck", FILL)
    for argv in ([t.ckc, bad], [t.ckc, ODD], [t.ckc, source, "-o", f"nowhere/{ODD}"], [t.ckc, f"--{ODD}", source],
                 [t.ckc, "-arch=" + ODD, source], [t.ckc, "--emit=" + ODD, source], [t.ckc, source, "--sig", ODD],
                 [t.ckrun, bad, "k[1, 1](p)", "p=zeros(4, int32)"], [t.ckrun, source, ODD], [t.ckrun, source, f"p=@{npy}"],
                 [t.ckrun, source, f"fill[1, 4](p, {ODD})", "p=zeros(4, int32)"], [t.ckrun, "--device", ODD, source],
                 [t.ckrun, "--device", "cpu", source, "fill[1, 4](p, \t  1, 1)", "p=zeros(4, int32)"],
                 [t.ckrun, source, "p=zeros(4, int32)", "--save", f"p=nowhere/{ODD}"]):
        result = t.run(argv)
        assert result.rc and harmless(result.err) and harmless(result.out), (argv, result.err)
    assert f"cannot read `{SHOWN}`" in t.run([t.ckc, ODD]).err


def test_no_escape_sequences_in_a_list(t):
    """A name in PTX's manifest may be any bytes."""
    text = t.ok([t.ckc, "-o", "-", t.write("fill.ck", FILL)]).out
    inside = manifest.array_in(text).replace("kernel fill", "kernel \\x1b[31mfill").replace("  p ", "  p\\x07 ")
    data = inside.encode() + b"\0" * (-len(inside) % 8)
    words = [f"0x{int.from_bytes(data[i:i + 8], 'little'):016x}" for i in range(0, len(data), 8)]
    lines = ",\n".join(", ".join(words[i:i + 4]) for i in range(0, len(words), 4))
    image = t.write("k.ptx", manifest.TITLE + "".join(f"// {line}\n" for line in inside.splitlines())
                    + f".visible .global .align 8 .b64 ck_manifest[{len(words)}] = {{\n{lines}\n}};\n")
    assert t.ok([t.ckrun, "--list", image]).out == "\\x1b[31mfill(p\\x07: int32[::1], value: int32)\n"


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
    """A failure with a message, whatever is written there."""
    case = t.write("case.ck", "#: launch k[1, 1](1)\n@kernel\ndef k(n: int32):\n    pass\n")
    commands = [fill(t, "--print", "p"), [t.ckrun, "--device=cpu", "--test", case], [t.ckrun, "--list", "--json", case]]
    for command in (t.ckc, t.ckrun, *([t.ck_lsp] if t.ck_lsp.exists() else [])):
        commands += [[command, word] for word in ("--help", "--help=man", "--version")]
    commands += [[t.ckc, "--explain"], [t.ckc, "--explain=data-race"], [t.ckrun, "--completion=zsh"]]
    for command in commands:
        t.fails(["sh", "-c", '"$@" >/dev/full', "sh", *command], 1, "error: cannot write standard output\n")


def test_many_files(t):
    """More than a thousand temporary files lie side by side."""
    n = 1200
    source = t.write("k.ck", "@kernel\ndef k(x: int32[:]):\n    x[0] = 1\n")
    words = [word for i in range(n) for word in (f"a{i}=full(1, {i}, int32)", "--save", f"a{i}=a{i}.npy")]
    t.ok([t.ckrun, "--device", "cpu", source, *words])
    assert {int(np.load(t.tmp / f"a{i}.npy")[0]) for i in range(n)} == set(range(n))
    assert not list(t.tmp.glob(".ck-*"))
