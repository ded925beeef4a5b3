"""ckrun --test: tests in the comments of kernels, in several orders and on several devices, and
their reports as text, JSON and JUnit's XML."""

import json
import xml.etree.ElementTree

ENDLESS = """#: x = ones(1, int64)
#: launch spins[1, 1](x)
#: launch spins[1, 1](x)
#: expect x == x
@kernel
def spins(x: int64[:]):
    for i in range(2 ** 62):
        x[0] = x[0] * 6364136223846793005 ^ i
"""
GOOD = """#: n = 1000
#: x = uniform(n, float32)
#: y = ones(n, float32)
#: launch axpy[7, 32](2.5, x, y)
#: expect y == 2.5*x + y
#:
#: launch axpy[1, 32](1, x, y)
#: launch axpy[1, 32](1, x, y)
#: expect y == 2*x + y
#: expect x == x
#: options --rtol 1 --atol 1
#: y = zeros(n, float32)
#: launch repeat 2: axpy[1, 32](0.5, x, y)
#: expect y == x + 0.25
#: options
#: launch axpy[1, 32](1, x)
#: error takes 3 arguments


@kernel
def axpy(a: float32, x: float32[:], y: float32[:]):
    for i in range(grid(1), len(x), gridsize(1)):  #: no test: code stands before it
        y[i] = a * x[i] + y[i]
"""
BAD = """    #: x = zeros(64, int32)
#: launch order[1, 64](x)
#: expect x == 0
#: launch far[1, 64](x)
#: launch fine[1, 64](x)
#: error something <else> & "more"
#: only cpu
#: launch fine[1, 64](x)
#: expect x == 1


@kernel
def order(x: int32[::1]):
    x[0] = threadIdx.x


@kernel
def far(x: int32[::1]):
    x[threadIdx.x + 1] = 1


@kernel
def fine(x: int32[::1]):
    x[threadIdx.x] = 1
"""


def run(t, *words, rc=0, env=None):
    result = t.run([t.ckrun, "--test", *words], env=env or t.fake_cuda_env(devices=0))
    assert result.rc == rc, result
    return result


def test_passing(t):
    result = run(t, t.write("good.ck", GOOD))
    assert result.out == "16 passed, 0 failed\n" and not result.err, result


def test_failing(t):
    """A race and a result that depends on the order, an index that is out of bounds, and an error
    that does not come: each by its place, and in each order."""
    bad = t.write("bad.ck", BAD)
    result = run(t, bad, "--device", "cpu:2", rc=1)
    for line, names in ((2, "order[1, 64](x)"), (4, "far[1, 64](x); fine[1, 64](x)")):
        for on in ("seq", "reverse", "random:1", "random:2"):
            assert f"bad.ck:{line}: FAILED ({on}): {names}\n" in result.out, (line, on, result)
    assert "[data-race]" in result.out and "[out-of-bounds]" in result.out
    assert f"  replay: {t.ckrun.resolve()} --device cpu:2 --schedule seq " in result.out
    assert result.out.endswith("\n4 passed, 8 failed\n")
    both = run(t, t.write("good.ck", GOOD), bad, rc=1)
    assert both.out.endswith("\n20 passed, 8 failed\n")


def test_error_that_does_not_come(t):
    source = t.write("k.ck", "#: launch k[1, 1](1)\n#: error nope\n@kernel\ndef k(n: int32):\n    pass\n")
    assert "no error `nope`\n" in run(t, source, rc=1).out


def test_json(t):
    result = run(t, t.write("bad.ck", BAD), "--json", rc=1)
    answer = json.loads(result.out)
    assert (answer["passed"], answer["failed"], answer["status"]) == (4, 8, 1) and len(answer["tests"]) == 12
    first, last = answer["tests"][0], answer["tests"][-1]
    assert first["line"] == 2 and first["on"] == "seq" and not first["passed"] and "data-race" in first["output"]
    assert last["passed"] and "output" not in last and last["line"] == 8 and last["seconds"] > 0


def test_junit(t):
    run(t, t.write("bad.ck", BAD), "--junit", "report.xml", rc=1)
    suite = xml.etree.ElementTree.parse(t.tmp / "report.xml").getroot()
    assert suite.get("tests") == "12" and suite.get("failures") == "8" and len(suite) == 12
    assert sum(case.find("failure") is not None for case in suite) == 8
    assert suite[0].get("name") == "2: order[1, 64](x) (seq)" and "data-race" in suite[0].find("failure").text
    source = t.write("k.ck", "#: launch k[1, 1](1)\n#: error <a> & \"b\"\n@kernel\ndef k(n: int32):\n    pass\n")
    run(t, source, "--junit", "report.xml", rc=1)
    text = xml.etree.ElementTree.parse(t.tmp / "report.xml").getroot()[0].find("failure").text
    assert 'no error `<a> & "b"`' in text
    t.fails([t.ckrun, "--test", source, "--junit", "none/report.xml"], 1, "cannot write `none/report.xml`")


def test_cuda(t):
    """Where there is a GPU the cases run there too; the stand-in for it computes nothing."""
    source = t.write("k.ck", "#: x = zeros(64, int32)\n#: launch k[1, 64](x)\n#: expect x == 0\n#: only cuda\n"
                             "#: launch k[1, 64](x)\n@kernel\ndef k(x: int32[::1]):\n    x[threadIdx.x] *= 2\n")
    env = t.fake_cuda_env()
    ons = lambda *words: [test["on"] for test in json.loads(run(t, source, "--json", *words, env=env).out)["tests"]]
    assert ons() == ["seq", "reverse", "random:1", "random:2", "cuda", "cuda"]
    assert ons("--device", "cpu") == ["seq", "reverse", "random:1", "random:2"]
    assert ons("--device", "cuda:0") == ["cuda", "cuda"]


def test_crash(t):
    """A kernel that ends its process ends no other test."""
    source = t.write("k.ck", "#: options --check=none\n#: x = zeros(4, int64)\n#: launch k[1, 1](x)\n#: options\n"
                             "#: launch fine[1, 1](x)\n@kernel\ndef k(x: int64[::1]):\n    x[2**40] = 1\n"
                             "@kernel\ndef fine(x: int64[::1]):\n    x[0] = 1\n")
    assert run(t, source, rc=1).out.endswith("\n4 passed, 4 failed\n")


def test_file_that_cannot_be_read(t):
    """It is an error in each report, and the other files' tests run."""
    good, wrong = t.write("good.ck", GOOD), t.write("wrong.ck", "#: n = 1\n#: lanch k[1, 1](1)\n")
    result = run(t, "none.ck", good, wrong, "--junit", "report.xml", rc=1)
    missing, line = (f"ckrun: error: {text}" for text in (
        "cannot read `none.ck`: No such file or directory\n", f"{wrong}:2: a line of a test is NAME = VALUE, "
        "launch, expect, error, options or only: `lanch k[1, 1](1)`\n"))
    assert result.err == missing + line and result.out == "16 passed, 0 failed, 2 errors\n", result
    suite = xml.etree.ElementTree.parse(t.tmp / "report.xml").getroot()
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["18", "0", "2"]
    assert [suite[0].get(name) for name in ("classname", "line", "name")] == ["none.ck", "0", "tests of the file"]
    assert suite[0].find("error").text == missing.removeprefix("ckrun: error: ")
    assert suite[17].get("line") == "2" and "lanch" in suite[17].find("error").text
    answer = json.loads(run(t, "none.ck", good, "--json", rc=1).out)
    assert [answer[name] for name in ("passed", "failed", "errors", "status")] == [16, 0, 1, 1]
    first = answer["tests"][0]
    assert first["file"] == "none.ck" and first["line"] == 0 and not first["passed"] and "on" not in first
    assert "No such file" in first["output"]
    assert run(t, wrong, t.write("bad.ck", BAD), rc=2).out.endswith("\n4 passed, 8 failed, 1 error\n")


def test_name_that_is_not_utf8(t):
    """XML and JSON have UTF-8 alone."""
    for words, read in ((["--json"], lambda result: json.loads(result.out)["errors"]),
                        (["--junit", "r.xml"], lambda _: int(xml.etree.ElementTree.parse(t.tmp / "r.xml").getroot().get("errors")))):
        assert read(run(t, b"none-\xff\xef\xbf\xbf\x01.ck", *words, rc=1)) == 1


def test_options_of_cases(t):
    """Options of compilation, of comparison and of messages hold for each case; the file's own come
    after them."""
    head = "#: x = ones(1, float32)\n"
    body = "#: launch k[1, 1](x)\n#: expect x == 1.25\n@kernel\ndef k(x: float32[::1]):\n    unused = 1\n    x[0] = 1.5\n"
    source = t.write("k.ck", head + body)
    run(t, source, rc=1)
    run(t, source, "--rtol", "1", "--atol=0")
    run(t, t.write("own.ck", head + "#: options --rtol 0.001\n" + body), "--rtol", "1", rc=1)
    result = run(t, source, "--rtol=1", "-Werror", rc=1)
    assert "ckrun: error: warnings are errors here (-Werror)\n" in result.out, result
    run(t, source, "--rtol=1", "-Werror", "-Wno-unused-name", "--use_fast_math", "--no-cache", "--check-limit=1")
    assert run(t, source, "--rtol=1", "--progress", "--device=cpu").err.startswith(f"ckrun: {source}:2 (seq): k[1, 1](x)\n")


def test_usage(t):
    def fails(lines, text):
        source = t.write("k.ck", f"{lines}\n@kernel\ndef k(n: int32):\n    pass\n")
        t.fails([t.ckrun, "--test", source], 2, text)

    fails("#: lanch k[1, 1](1)", "k.ck:1: a line of a test is NAME = VALUE, launch, expect, error, options or only: `lanch k[1, 1](1)`")
    fails("#: x = 1\n#: expect x == 1", "k.ck:2: no launch stands above: `x == 1`")
    fails("#: launch k[1, 1](1)\n#: expect x = 1", "k.ck:2: an expectation is NAME == VALUE: `x = 1`")
    fails("#: launch k[1, 1](1)\n#: expect == 1", "k.ck:2: an expectation is NAME == VALUE: `== 1`")
    fails("#: launch k[1, 1](1)\n#: error a\n#: error b", "k.ck:3: a launch has one error: `b`")
    fails("#: only gpu", "k.ck:1: `only` takes cpu or cuda: `gpu`")
    fails("# no tests", "k.ck has no tests: lines that begin with `#: launch`")
    source = t.write("k.ck", GOOD)
    t.fails([t.ckrun, "--test", "none.ck"], 1, "cannot read `none.ck`")
    for words in (["-"], [source, "-"]):
        t.fails([t.ckrun, "--test", *words], 2, "--test takes files, which each case reads: standard input is none")
    t.fails([t.ckrun, "--test", source, "x=1"], 2, "--test takes files alone")
    t.fails([t.ckrun, "--test", source, "--bench"], 2, "--test takes files alone")
    t.fails([t.ckrun, "--test", source, "--check"], 2, "--test chooses schedules and checks: `#: options` in the file has others")
    t.fails([t.ckrun, source, "--junit", "a.xml"], 2, "--junit is the report of --test: add --test")
    t.fails([t.ckrun, "--test"], 2, "no input file")


def test_time_limit(t):
    """A case that does not end is killed, and says so; the option is of --test, in seconds."""
    path = t.write("spin.ck", ENDLESS)
    result = t.fails([t.ckrun, "--device", "cpu", "--test", "--time-limit=0.5", path], 1)
    assert result.out.count("ended after the time limit of 0.5 s\n") == 4 and "0 passed, 4 failed" in result.out, result
    good = t.write("good.ck", GOOD)
    for limit in ("0", "100"):
        t.ok([t.ckrun, "--device", "cpu", "--test", f"--time-limit={limit}", good])
    for wrong in ("x", "-1", "1e9", "", "nan"):
        t.fails([t.ckrun, "--test", f"--time-limit={wrong}", good], 2, f"--time-limit takes seconds, 0 to 86400: `{wrong}`")
    t.fails([t.ckrun, good, "--time-limit=3", "--list"], 2, "--time-limit is of the cases of --test: add --test")
