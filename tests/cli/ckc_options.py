"""ckc's options: every spelling, what is unknown, and what each does to the output."""

import re

from harness import manifest

ROWS = "sequential_rows.ck"
ARCHS = ["sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120", "sm_121"]
MULTIPLY = "@kernel\ndef k(p: float32[::1], a: float32):\n    p[0] = p[0] * a + p[1]\n"
ESCAPE = "@kernel\ndef k(p: int32[::1]):\n    p[0] = 1\n    print('\\q')\n"


def rows(t, *words):
    return [t.ckc, *words, t.examples / ROWS]


def ptx(t, *words, name=ROWS):
    return t.ok([t.ckc, *words, "-o", "-", t.examples / name]).out


def usage(t, text, *words):
    result = t.fails(rows(t, *words), 2)
    assert result.err == f"ckc: error: {text}\n" and not result.out, result


# --- Spellings -------------------------------------------------------------------------------


def test_arch_spellings(t):
    for words in (["-arch=sm_90"], ["-arch", "sm_90"], ["--arch=sm_90"], ["--arch", "sm_90"],
                  ["--gpu-name=sm_90"], ["--gpu-name", "sm_90"], ["-gpu-name=sm_90"],
                  ["--gpu-architecture=sm_90"], ["--cuda-gpu-arch=sm_90"]):
        assert ".target sm_90\n" in ptx(t, *words), words


def test_every_arch(t):
    for arch in ARCHS:
        assert f".target {arch}\n" in ptx(t, f"-arch={arch}"), arch


def test_default_arch(t):
    """sm_75, whatever GPU is present: the output is the same on every machine."""
    for env in (t.fake_cuda_env(attr="75=9,76=0"), t.fake_cuda_env(devices=0)):
        for emit, text in (("ptx", ".target sm_75\n"), ("manifest", "arch sm_75\n")):
            t.ok([t.ckc, f"--emit={emit}", "-o", f"rows.{emit}", t.examples / ROWS], env=env)
            assert text in (t.tmp / f"rows.{emit}").read_text(), emit


def test_native_arch(t):
    """That of the GPU present; without one an error, and so is one newer than the compiler."""
    rows = t.examples / ROWS
    for capability, arch in (("75=8,76=6", "sm_86"), ("75=9,76=0", "sm_90")):
        out = t.ok([t.ckc, "-arch=native", "-o", "-", rows], env=t.fake_cuda_env(attr=capability)).out
        assert f".target {arch}\n" in out, out[:200]
    t.fails([t.ckc, "-arch=native", "-o", "-", rows], 2, "unknown architecture `sm_990`",
            env=t.fake_cuda_env(attr="75=99,76=0"))
    for words in (["-o", "-"], ["--check"]):
        t.fails([t.ckc, "-arch", "native", *words, rows], 3, "ckc: error: -arch=native is the architecture of the GPU present: ",
                env=t.fake_cuda_env(devices=0))


def test_last_arch_counts(t):
    assert ".target sm_80\n" in ptx(t, "-arch=sm_90", "--gpu-name=sm_80")


def test_unknown_arch(t):
    for arch, rest in (("sm_91", "ck knows `sm_75` to"), ("sm_60", "ck knows `sm_75` to"),
                       ("sm90", "did you mean `sm_90`?"), ("90", "ck knows `sm_75` to `sm_121`"),
                       ("compute_90", "ck knows `sm_75` to `sm_121`"),
                       ("", "ck knows `sm_75` to `sm_121`")):
        result = t.fails(rows(t, f"-arch={arch}", "-o", "out"), 2, f"unknown architecture `{arch}`", rest)
        assert not (t.tmp / "out").exists(), result


def test_options_of_other_compilers(t):
    """An error that says what to write instead."""
    source = t.examples / ROWS
    for words, text in ((["-g"], "unknown option `-g`: there is no code for debuggers; -lineinfo has the lines"),
                        (["-G"], "unknown option `-G`: there is no code for debuggers"),
                        (["--device-debug"], "unknown option `--device-debug`: there is no code for debuggers"),
                        (["-gencode", "arch=compute_90,code=sm_90"], "unknown option `-gencode`: one run compiles for one architecture"),
                        (["-code=sm_90"], "unknown option `-code=sm_90`: one run compiles for one architecture"),
                        (["--ptx"], "unknown option `--ptx`: write --emit=ptx"), (["-cubin"], "unknown option `-cubin`: write --emit=cubin"),
                        (["-emit-llvm"], "write --emit=llvm"), (["-c"], "there are no objects of host code; --emit=c"),
                        (["--emit=obj"], "--emit=obj: there are no objects of host code; --emit=c")):
        t.fails([t.ckc, *words, source], 2, text)


def test_level_spellings(t):
    for words in (["-O0"], ["-O1"], ["-O2"], ["-O3"], ["--optimize=2"], ["--optimize", "0"]):
        assert ".entry sequential_rows" in ptx(t, *words), words
    for level in ("4", "", "s", "33", "fast"):
        usage(t, f"unknown optimisation level `-O{level}`; there are -O0 -O1 -O2 -O3", f"-O{level}")


def test_after_two_dashes_all_are_files(t):
    t.write("-odd.ck", "@kernel\ndef k(p: int32[:]):\n    p[0] = 1\n")
    assert ".entry k" in t.ok([t.ckc, "-o", "-", "--", "-odd.ck"]).out
    usage(t, f"more than one input: `-x` and `{t.examples / ROWS}`; ckc compiles one file at a time",
          "--", "-x")


def test_no_input(t):
    for words in ([], ["--check"], ["-arch=sm_90"], ["--"]):
        t.fails([t.ckc, *words], 2, "ckc: error: no input file; see `ckc --help`")


def test_two_inputs(t):
    usage(t, f"more than one input: `a.ck` and `{t.examples / ROWS}`; ckc compiles one file at a time",
          "a.ck")


# --- Unknown, missing, refused ---------------------------------------------------------------


def test_unknown_options(t):
    for word, rest in (("--gpu-nam=sm_90", "did you mean `--gpu-name`?"), ("--emi=ptx", "did you mean `--emit`?"),
                       ("-linenfo", "did you mean `-lineinfo`?"), ("--o", "did you mean `-o`?"),
                       ("--Werorr", "did you mean `-Werror`?"), ("-Q", "`ckc --help` lists them"),
                       ("--zzzzzz", "`ckc --help` lists them"), ("--device", "`ckc --help` lists them")):
        usage(t, f"unknown option `{word}`; {rest}", word)


def test_missing_values(t):
    for option in ("-o", "-arch", "--gpu-name", "--emit", "--sig", "--fmad", "--optimize", "--schedule"):
        t.fails([t.ckc, t.examples / ROWS, option], 2, f"ckc: error: option `{option}` needs a value")


def test_values_of_flags(t):
    for option in ("--check", "--time", "--version", "-lineinfo", "-Werror"):
        usage(t, f"option `{option}` takes no value: `{option}=1`", f"{option}=1")


def test_unknown_values(t):
    usage(t, "unknown value `pt` of --emit; did you mean `ptx`?", "--emit=pt")
    usage(t, "unknown value `nonsense` of --emit; there are: "
             "ptx llvm llvm-raw ast types manifest deps cubin sass c", "--emit=nonsense")
    usage(t, "unknown value `maybe` of --fmad; there are: false 0 true 1", "--fmad=maybe")
    usage(t, "unknown value `x` of -ffp-contract; there are: off on fast", "-ffp-contract=x")
    usage(t, "unknown value `sq` of --schedule; did you mean `seq`?", "--schedule=sq")
    t.fails(rows(t, "--schedule=seq", "-arch=sm_90", "-o", "out"), 2,
            "the order of threads cannot be chosen for `sm_90`: by_rank and --schedule=seq need the arch `host`")
    t.fails(rows(t, "-Wno-nope", "-o", "out"), 2, "unknown warning `nope`")


BOUNDED = """@kernel
def free(x: float32[::1]):
    x[grid(1)] = 1


@kernel(max_registers=40)
def own(x: float32[::1]):
    x[grid(1)] = 2


@kernel(launch_bounds=(128, 2))
def bounded(x: float32[::1]):
    x[grid(1)] = 3


@kernel
def generic(x):
    x[grid(1)] = 4
"""


def test_maxrregcount(t):
    source = t.write("k.ck", BOUNDED)
    for words in (["--maxrregcount=32"], ["-maxrregcount", "32"]):
        ptx = t.ok([t.ckc, source, *words, "--sig", "generic(int32[::1])", "-o", "-"]).out
        entries = dict(re.findall(r"\.entry (\w+)\(.*?\)([^{]*)\{", ptx, re.S))
        limits = {name.split("_")[0]: re.findall(r"\.maxnreg (\d+)", text) for name, text in entries.items()}
        assert limits["free"] == ["32"] and limits["own"] == ["40"] and limits["bounded"] == [], limits
        assert [found for name, found in limits.items() if "generic" in name] == [["32"]], limits
    assert ".maxnreg 32" not in t.ok([t.ckc, source, "-o", "-"]).out
    for value in ("0", "256", "x", "-1"):
        usage(t, f"--maxrregcount takes a number of registers, from 1 to 255: `{value}`", f"--maxrregcount={value}")


def test_file_prefix_map(t):
    """The same bytes, whichever folder the source lies in; messages have its own name."""
    made = []
    for folder in ("first", "second/deeper"):
        source = t.write(f"{folder}/k.ck", BOUNDED)
        made.append(t.ok([t.ckc, source, "-lineinfo", f"--file-prefix-map={t.tmp}/{folder}=src",
                          "-ffile-prefix-map=/nowhere=else", "-o", "-"]).out)
        assert str(t.tmp) not in made[-1] and '"src/k.ck"' in made[-1]
    assert made[0] == made[1]
    assert t.ok([t.ckc, source, f"--file-prefix-map={t.tmp}=a", f"--file-prefix-map={t.tmp}/second=b", "--emit=manifest",
                 "-o", "-"]).out.count("b/deeper/k.ck") == 1
    bad = t.write("bad.ck", "@kernel\ndef k(x: int32[::1]):\n    x[0] = nope\n")
    t.fails([t.ckc, bad, f"--file-prefix-map={t.tmp}=src"], 1, f"{bad}:3:12: error: ")
    usage(t, "--file-prefix-map takes OLD=NEW: `nothing`", "--file-prefix-map=nothing")


FAST = """
def inverse(x):
    return 1.0 / sqrt(x)

@cuda.jit("void(float32[::1])")
def plain(x):
    x[grid(1)] = inverse(x[grid(1)]) + sin(x[0])

@cuda.jit("void(float32[::1])", fastmath=False)
def exact(x):
    x[grid(1)] = inverse(x[grid(1)]) / x[1]
"""


def test_use_fast_math(t):
    """As fastmath=True where no decorator says otherwise; nothing is approximate without it."""
    source = t.write("k.ck", FAST)
    plain = t.ok([t.ckc, "-arch=sm_90", "-o", "-", source]).out
    fast = t.ok([t.ckc, "-arch=sm_90", "--use_fast_math", "-o", "-", source]).out
    inside = t.write("inside.ck", FAST.replace('"void(float32[::1])")', '"void(float32[::1])", fastmath=True)'))
    entry = re.compile(r"\.entry plain\(.*?^\}", re.S | re.M)
    assert entry.search(fast)[0] == entry.search(t.ok([t.ckc, "-arch=sm_90", "-o", "-", inside]).out)[0]
    assert re.search(r"sin\.approx\.ftz\.f32", fast) and "approx" not in entry.sub("", fast) and "div.rn" in fast, fast
    assert not re.search(r"(?:sin|rsqrt|div)\.approx", plain), plain
    t.ok([t.ckc, "-O0", "--use_fast_math", "-o", "/dev/null", source])


def test_verbose(t):
    """Notes of the files, the target, the library, the phases; in every form of messages."""
    source = t.write("k.ck", FAST)
    err = t.ok([t.ckc, "-v", "-arch=sm_90", "--math=libclc", "--no-cache", source]).err
    for text in (r"ckc: note: ck \d+\.\d+\.\d+ read `\S*k\.ck`: \d+ bytes", "keeps no compiled code", "math functions of a GPU's code: libclc",
                 "compiles for sm_90\n", r"parsed and checked in \d+\.\d{3} ms", r"made ptx in \d+\.\d{3} ms: \d+ bytes", r"wrote `\S*k\.ptx`"):
        assert re.search(text, err), (text, err)
    assert "whose PTX every later GPU runs" in t.ok([t.ckc, "-v", source], env=t.fake_cuda_env(devices=0)).err
    assert '"severity":"note"' in t.ok([t.ckc, "--verbose", "--diagnostics=json", "--check", source]).err
    assert "keeps compiled code in `" in t.ok([t.ckc, "-v", "--check", source], env={"CK_CACHE_DIR": str(t.tmp / "c")}).err


def test_verbose_programs(t):
    t.need("ptxas")
    source = t.write("k.ck", FAST)
    assert re.search(r"note: runs \S*ptxas .*-arch=sm_90", t.ok([t.ckc, "-v", "-arch=sm_90", "--emit=cubin", source]).err)


# --- Help ------------------------------------------------------------------------------------


def test_version(t):
    for option in ("--version", "-version", "-V"):
        assert re.fullmatch(r"ckc \d+\.\d+\.\d+\n", t.ok([t.ckc, option]).out)


def test_help_is_two_screens(t):
    out = t.ok([t.ckc, "--help"]).out
    assert out == t.ok([t.ckc, "-h"]).out == t.ok([t.ckc, "nope.ck", "--help"]).out
    assert len(out.splitlines()) <= 48 and max(map(len, out.splitlines())) <= 92
    for option in ("-o FILE", "--emit=KIND", "-arch=", "--sig=", "-O0 to -O3", "--fmad", "-lineinfo", "-restrict", "-small", "-natural",
                   "--schedule", "--check", "-Wno-NAME", "-Werror", "--time", "--version", "--help", "--help=all, and man ckc"):
        assert option in out, option


def test_help_of_all(t):
    out = t.ok([t.ckc, "--help=all"]).out
    brief = t.ok([t.ckc, "--help"]).out
    for line in brief.splitlines():
        option = re.match(r"  (-\S+)", line)
        assert not option or f"\n  {option.group(1)}" in out, line
    for kind in ("ptx", "llvm", "llvm-raw", "ast", "types", "manifest", "deps"):
        assert f"  {kind} " in out, kind
    assert "Also --gpu-name, --gpu-architecture, --cuda-gpu-arch." in " ".join(out.split()), out
    assert "Exit status:\n  0   Done.\n" in out and "CK_CACHE_SIZE" in out
    assert max(map(len, out.splitlines())) <= 92
    usage(t, "unknown value `al` of --help; did you mean `all`?", "--help=al")


def test_manual_pages(t):
    """troff reads them without a warning, and shows each option with its text."""
    for tool, name in ((t.ckc, "ckc"), (t.ckrun, "ckrun")):
        page = t.write(f"{name}.1", t.ok([tool, "--help=man"]).out)
        shown = t.ok([t.need("groff"), "-man", "-Tutf8", "-wall", "-P-c", "-P-b", "-P-u", page])
        assert not shown.err, shown.err
        text = " ".join(shown.out.split())
        assert text.startswith(f"{name}(1)".upper()) or text.startswith(f"{name}(1)"), text[:100]
        for word in re.findall(r"^  (-[A-Za-z-]+)", t.ok([tool, "--help"]).out, re.M):
            assert word in text, (name, word)
        for part in ("NAME", "SYNOPSIS", "OPTIONS", "ENVIRONMENT", "EXIT STATUS", "CK_CACHE_DIR", "A bug in ck."):
            assert part in text, (name, part)
    assert "x[1:, ::-1]" in text and "'sequential_rows[32, 32](M)'" in text, text


def test_explain(t):
    """By name, in both spellings; every name, in the order of docs/errors.md; nothing else."""
    out = t.ok([t.ckc, "--explain", "data-race"]).out
    assert out == t.ok([t.ckc, "--explain=data-race"]).out
    assert out.startswith("data-race\n\nTwo threads access one element") and "```" not in out and "## " not in out, out
    assert "\nWrong:\n\n    # ckrun --check" in out and "\nRight:\n\n" in out and "\n        s[i] = i\n        syncthreads()\n" in out, out
    names = t.ok([t.ckc, "--explain"]).out.split()
    assert len(names) > 80 and names[0] == "syntax" and names == list(dict.fromkeys(names)), names
    for name in names:
        assert t.ok([t.ckc, "--explain", name]).out.startswith(f"{name}\n\n"), name
    assert "\n#" not in t.ok([t.ckc, "--explain", "too-deep"]).out
    usage = t.fails([t.ckc, "--explain", "data-rase"], 2).err
    assert usage == "ckc: error: no diagnostic is called `data-rase`; did you mean `data-race`?\n", usage
    t.fails([t.ckc, "--explain", "nothing-at-all"], 2, "`nothing-at-all`; `ckc --explain` lists them")
    t.fails([t.ckc, "--explain", "a", "b"], 2, "more than one input")


def test_help_to_a_full_disk(t):
    t.fails(["sh", "-c", '"$@" >/dev/full', "sh", t.ckc, "--help"], 1)


# --- Output ----------------------------------------------------------------------------------


def test_standard_input_and_output(t):
    source = (t.examples / ROWS).read_text()
    assert ".entry sequential_rows" in t.ok([t.ckc, "-"], input=source).out
    assert ".entry sequential_rows" in t.ok([t.ckc, "-", "-o", "-"], input=source).out
    t.ok([t.ckc, "-", "-o", "out.ptx"], input=source)
    assert ".entry sequential_rows" in (t.tmp / "out.ptx").read_text()
    t.fails([t.ckc, "-"], 1, "<stdin>:3:5: error: `nope` is not defined [unknown-name]",
            input="@kernel\ndef k():\n    nope()\n")


def test_emit_llvm(t):
    for kind in ("llvm", "llvm-raw"):
        out = ptx(t, f"--emit={kind}")
        assert "define " in out and "@sequential_rows(" in out and "nvptx64" in out, out[:500]


def test_emit_raw_has_named_blocks(t):
    raw = ptx(t, "--emit=llvm-raw")
    blocks = re.findall(r"^([A-Za-z_][\w.]*):", raw, re.M)
    assert blocks, raw[:2000]
    assert not re.findall(r"^\d+:", raw, re.M), "a block has no name"
    assert any("for" in block or "loop" in block for block in blocks), blocks


def test_emit_types(t):
    out = ptx(t, "--emit=types")
    assert "sequential_rows" in out and "int32[:, ::1]" in out and "int64" in out, out


def test_emit_ast(t):
    out = ptx(t, "--emit=ast")
    assert "sequential_rows" in out and "opposite" in out, out


def test_emit_manifest(t):
    text = ptx(t, "--emit=manifest", "-arch=sm_90", "--math=libclc")
    version = t.ok([t.ckc, "--version"]).out.split()[1]
    assert text == (f"ck manifest 2\nversion {version}\nsource {t.examples / ROWS}\narch sm_90\nmath libclc\n"
                    "kernel sequential_rows entry sequential_rows cooperative shared_bytes 16\n"
                    "  M int32[:, ::1]\nend\n"), text


def test_manifest_of_many_types(t):
    source = t.write("k.ck", "@cuda.jit(launch_bounds=96)\n"
                             "def k(a: bool, b: uint8, c: float16[:, :], d: float64[::1, :, :]):\n"
                             "    s = shared.array((4, 8), int16)\n    s[0, 0] = b\n    syncthreads()\n"
                             "    d[0, 0, 0] = s[0, 0]\n")
    text = t.ok([t.ckc, "--emit=manifest", "-o", "-", source]).out
    assert text.endswith("kernel k entry k shared_bytes 64 max_threads 96\n  a bool\n  b uint8\n  c float16[:, :]\n"
                         "  d float64[::1, :, :]\nend\n"), text


def test_manifest_of_overloads(t):
    source = t.write("k.ck", "@cuda.jit(['void(int32[:])', 'void(float64[:])'])\ndef k(p):\n    p[0] = 1\n")
    kernels = manifest.parse(t.ok([t.ckc, "--emit=manifest", "-o", "-", source]).out)["kernels"]
    assert [k["params"][0]["type"] for k in kernels] == ["int32[:]", "float64[:]"]
    assert len({k["entry"] for k in kernels}) == 2
    out = t.ok([t.ckc, "-o", "-", source]).out
    assert all(f".entry {k['entry']}(" in out for k in kernels)


def test_generic_without_signature(t):
    t.fails([t.ckc, t.examples / "saxpy.ck", "-o", "out"], 1,
            "ckc: error: kernel `saxpy` is generic: give the types of its 3 parameters, as in --sig")
    assert not (t.tmp / "out").exists()
    result = t.ok([t.ckc, t.examples / "saxpy.ck", "--check"])
    assert result.err == ("ckc: note: 1 generic kernel was checked without types, `saxpy`: to check what depends on "
                          "them, give types as in --sig 'saxpy(float32, float32[::1], ...)'\n"), result.err
    sig = "--sig=saxpy(float32, float32[::1], float32[::1])"
    assert t.ok([t.ckc, t.examples / "saxpy.ck", "--check", sig]).err == ""


def test_generic_beside_typed(t):
    """Only the typed kernel is in the output, and ckc says so."""
    source = t.write("k.ck", "@kernel\ndef typed(x: int32[:]):\n    x[0] = 1\n\n"
                             "@kernel\ndef generic(x):\n    x[0] = 1\n")
    result = t.ok([t.ckc, source, "-o", "-"])
    assert "`generic` is generic: only its syntax was checked, and the output is without it" in result.err, result.err
    assert ".entry typed(" in result.out and "generic(" not in result.out
    assert t.ok([t.ckc, source, "-o", "-", "--sig=generic(int64[:])"]).err == ""
    assert t.ok([t.ckc, source, "--emit=ast", "-o", "-"]).err == ""


def test_check_writes_nothing(t):
    for option in ("--check", "-fsyntax-only"):
        result = t.ok([t.ckc, option, "-o", "out", t.examples / ROWS])
        assert not result.out and not result.err and not (t.tmp / "out").exists()


def test_time(t):
    result = t.ok([t.ckc, "--time", "-o", "out.ptx", t.examples / ROWS])
    for phase in ("read", "parse and check", "generate code", "write", "total"):
        assert re.search(rf"^{phase} +\d+\.\d+ ms$", result.err, re.M), result.err


# --- Warnings --------------------------------------------------------------------------------


def test_warnings(t):
    source = t.write("k.ck", ESCAPE)
    result = t.ok([t.ckc, source, "-o", "out"])
    assert "warning: `\\q` is not an escape sequence" in result.err, result
    assert "[unknown-escape]" in result.err and result.err.endswith("1 warning generated.\n")
    assert t.ok([t.ckc, source, "-o", "out", "-Wno-unknown-escape"]).err == ""


def test_werror(t):
    source = t.write("k.ck", ESCAPE)
    t.fails([t.ckc, source, "-Werror", "-o", "out"], 1, "[unknown-escape]",
            "ckc: error: warnings are errors here (-Werror)")
    assert not (t.tmp / "out").exists()
    t.ok([t.ckc, source, "-Werror", "-Wno-unknown-escape", "-o", "out"])
    t.ok(rows(t, "-Werror", "-o", "out"))
    t.fails([t.ckc, source, "--check", "-Werror"], 1)


# --- Code ------------------------------------------------------------------------------------


def test_fmad(t):
    source = t.write("k.ck", MULTIPLY)

    def fused(*words):
        return "fma.rn.f32" in t.ok([t.ckc, *words, "-o", "-", source]).out

    assert fused() and fused("--fmad=true") and fused("-fmad=1") and fused("-ffp-contract=on")
    assert fused("-ffp-contract=fast") and fused("--fmad", "true") and fused("--fmad=false", "--fmad=true")
    assert not fused("--fmad=false") and not fused("--fmad=0") and not fused("-ffp-contract=off")
    assert not fused("--fmad", "false") and not fused("--fmad=false", "-O0")


def test_lineinfo(t):
    for option in ("-lineinfo", "--lineinfo", "--generate-line-info", "-gline-tables-only"):
        out = ptx(t, option)
        assert re.search(r"^\s*\.file\s+\d+ .*sequential_rows\.ck", out, re.M), out[:300]
        lines = {int(line) for line in re.findall(r"^\s*\.loc\s+\d+ (\d+)", out, re.M)}
        source = (t.examples / ROWS).read_text().splitlines()
        store = next(i + 1 for i, line in enumerate(source) if "M[row, col] =" in line)
        assert store in lines, lines
    assert ".loc" not in ptx(t)


def test_levels_differ(t):
    assert len(ptx(t, "-O0")) > len(ptx(t, "-O3"))
