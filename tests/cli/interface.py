"""What scripts rely on, of every option at once: both spellings, standard output, exit statuses."""

import re

SOURCE = "@kernel\ndef k(x: float32[::1]):\n    x[0] = 1\n"
EMITTED = ("ptx", "llvm", "llvm-raw", "ast", "types", "manifest", "deps")


def valued_options(t, tool):
    """The options of --help that take one value, in all their names."""
    names = []
    for line in t.ok([tool, "--help=all"]).out.splitlines():
        option = re.match(r"  (--?[\w-]+)=\S", line)
        if option:
            names.append(option[1])
    assert len(names) >= 8, names
    return names


def test_both_spellings(t):
    """`--option=value` and `--option value` do the same, whether that is right or wrong."""
    source = t.write("k.ck", SOURCE)
    for tool, words in ((t.ckc, ["--check", source]), (t.ckrun, [source, "k[1, 1](x)", "x=zeros(1, float32)"])):
        for option in valued_options(t, tool):
            for value in ("none", "1", "no such value", ""):
                results = [t.run([tool, *words, *form]) for form in ([f"{option}={value}"], [option, value])]
                first, second = [(r.rc, re.sub(r"\d+\.\d+|[\d.]+ [mn]?s", "N", r.out + r.err)) for r in results]
                assert first == second, (option, value, first, second)
                assert first[0] in (0, 1, 2), (option, value, first)


def test_standard_output(t):
    """`-o -` writes what a file gets, and the default file has the suffix of the kind."""
    source = t.write("k.ck", SOURCE)
    suffixes = {"llvm-raw": "ll", "llvm": "ll", "deps": "d"}
    for kind in EMITTED:
        printed = t.ok([t.ckc, source, f"--emit={kind}", "-arch=sm_80", "-o", "-"]).out
        t.ok([t.ckc, source, f"--emit={kind}", "-arch=sm_80"])
        assert printed and printed == (t.tmp / f"k.{suffixes.get(kind, kind)}").read_text(), kind


def test_exit_statuses(t):
    right, wrong = t.write("k.ck", SOURCE), t.write("wrong.ck", "@kernel\ndef k():\n    nope\n")
    array = "x=zeros(1, float32)"
    for rc, words in ((0, [t.ckc, right]), (1, [t.ckc, wrong]), (1, [t.ckc, "nowhere.ck"]), (2, [t.ckc, right, "--nope"]),
                      (0, [t.ckrun, right, "k[1, 1](x)", array]), (1, [t.ckrun, wrong, "k[1, 1]()"]),
                      (1, [t.ckrun, right, "k[1, 1](x)", array, "--expect", "x=2"]),
                      (1, [t.ckrun, right, "k[1, 1](1)"]), (2, [t.ckrun, right, "k[1, 1](x"])):
        result = t.run(words)
        assert result.rc == rc and ("error" in result.err) == (rc != 0), result
    t.fails([t.ckrun, "--device", "cuda", right, "k[1, 1](x)", array], 3, "CUDA_ERROR_LAUNCH_FAILED",
            env=t.fake_cuda_env(fail="cuLaunchKernel=719"))
    t.fails([t.ckrun, "--device", "cuda", right, "k[1, 1](x)", array], 3, "there is no CUDA device", env=t.fake_cuda_env(devices=0))


def test_exit_status_of_a_bug(t):
    """A library that reports a bug of its own stands before the real one."""
    library = t.tmp / "bug.so"
    if t.sanitized:
        t.skip("the sanitizer's library comes first")
    t.ok([t.need("cc", "gcc"), "-shared", "-fPIC", "-o", library, t.write("bug.c",
          "int ck_module_emit(void) { return -13; }\nint ck_launch(void) { return -13; }\n")])
    source = t.write("k.ck", SOURCE)
    for words in ([t.ckc, source, "--no-cache"], [t.ckrun, source, "k[1, 1](x)", "x=zeros(1, float32)", "--save", "x=x.npy"]):
        t.fails(words, 70, "(this is a bug in ck)", env={"LD_PRELOAD": str(library)})
    assert not (t.tmp / "k.ptx").exists() and not (t.tmp / "x.npy").exists()
