"""Findings in all forms: limits, replays, --diagnostics, --schedule all, exit statuses."""

import json
import re
import shlex

SOURCE = """from numba import cuda

@cuda.jit
def one(x, i):
    x[i] = 1

@cuda.jit
def neighbour(x, y):
    t = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    t[i] = x[i]
    y[i] = t[63 - i]

@cuda.jit
def unset(y):
    t = cuda.shared.array(64, int32)
    y[cuda.threadIdx.x] = t[cuda.threadIdx.x]

@cuda.jit
def order(x, n):
    x[cuda.atomic.add(n, 0, 1)] = cuda.grid(1)

@cuda.jit
def total(s):
    cuda.atomic.add(s, 0, 1.0 / (1 + cuda.grid(1)))

@cuda.jit
def last_nan(x):
    i = cuda.grid(1)
    x[i] = (x[i] - x[i]) / (x[i] - x[i])

@cuda.jit
def numbers(x):
    x[cuda.grid(1)] = cuda.grid(1)

@cuda.jit
def half(x):
    i = cuda.grid(1)
    if i % 2 == 0:
        x[i] = i

@cuda.jit
def stops(x):
    assert x[cuda.grid(1)] == 1
"""
VALUES = ["x=zeros(64, int32)", "y=zeros(64, int32)", "n=zeros(1, int32)"]
ALL = ["--schedule", "all"]


def source(t, name="forms.ck"):
    return t.write(name, SOURCE)


def line_of(text):
    return SOURCE[:SOURCE.index(text)].count("\n") + 1


def many(t, n):
    lines = "".join(f"    x[{k}] = i\n" for k in range(n))
    return t.write("many.ck", f"@kernel\ndef k(x: int64[:]):\n    i = grid(1)\n{lines}")


def messages(result):
    """The messages of --diagnostics=json, and the summary."""
    lines = [json.loads(line) for line in result.err.splitlines()]
    assert all("severity" in line for line in lines[:-1]) and list(lines[-1]) == ["summary"], result
    assert lines[-1]["summary"]["status"] == result.rc, result
    return lines[:-1], lines[-1]["summary"]


def sarif(result):
    """The one run of a SARIF document."""
    document = json.loads(result.err)
    assert document["version"] == "2.1.0" and len(document["runs"]) == 1, result
    run = document["runs"][0]
    assert run["invocations"][0]["exitCode"] == result.rc, result
    assert run["invocations"][0]["executionSuccessful"] == (result.rc == 0), result
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert rules == {r["ruleId"] for r in run["results"]}, result
    return run


def notifications(run):
    return run["invocations"][0]["toolExecutionNotifications"]


# --- --check-limit ---------------------------------------------------------------------------


def test_the_limit(t):
    command = [t.ckrun, "--check=race", many(t, 23), "k[2, 8](x)", "x=zeros(64, int64)"]
    for words, shown in ((["--check-limit", "20"], 20), (["--check-limit=1"], 1), (["--check-limit=22"], 22),
                         (["--check-limit=23"], 23), (["--check-limit=0"], 23), ([], 20)):
        result = t.fails([*command, *words], 1)
        hidden = 23 - shown
        more = f"\n... {hidden} more finding{'' if hidden == 1 else 's'}: --check-limit=0 shows all\n"
        assert result.err.count("[data-race]") == shown and result.err.count("replay:") == 1, result
        assert (more in result.err) == (hidden > 0) and "... and others" not in result.err, result
        assert result.err.endswith("23 errors generated.\n"), result


def test_overflows_are_limited_too(t):
    lines = "".join(f"    x[{k}] = i * {2 ** 20 + k}\n" for k in range(101))
    path = t.write("wraps.ck", f"from numba import cuda, int32\n@cuda.jit\ndef k(x, i):\n{lines}")
    command = [t.ckrun, "--check=overflow", path, "k[1, 1](x, int32(1000000))", "x=zeros(101, int32)"]
    result = t.fails(command, 1, "... 80 more findings: --check-limit=0 shows all\n... and others")
    assert result.err.count("[integer-overflow]") == 20 and " --check=overflow " in replay_of(result), result
    found, summary = messages(t.fails([*command, "--diagnostics=json"], 1))
    assert found[0]["threads"] == [{"block": [0, 0, 0], "thread": [0, 0, 0]}], found[0]
    assert summary["not_shown"] == 80 and summary["not_all_counted"] is True, summary


def test_bad_limits(t):
    for value in ("", "-1", "some", "1.5", "1e3", " 2", "99999999999999999999999"):
        t.fails([t.ckrun, f"--check-limit={value}", source(t), "one[1, 1](x, 0)", *VALUES], 2,
                "--check-limit takes the number of findings to print, or 0 for all")


def test_more_than_a_launch_keeps(t):
    command = [t.ckrun, "--check=race", "--check-limit=0", "x=zeros(200, int64)"]
    result = t.fails([*command, many(t, 100), "k[2, 8](x)"], 1)
    assert result.err.count("[data-race]") == 100 and "... and others" not in result.err, result
    result = t.fails([*command, many(t, 101), "k[2, 8](x)"], 1, "... and others: ck keeps 100 findings of a launch")
    assert result.err.count("[data-race]") == 100 and "too-many" not in result.err, result


# --- Replays ---------------------------------------------------------------------------------


def replay_of(result):
    lines = re.findall(r"^  replay: (.*)$", result.err, re.M)
    assert len(lines) == 1, result
    return lines[0]


def test_replays(t):
    """A shell runs the printed command, which finds the same and prints the same command."""
    path = source(t, "it's a $HOME; file.ck")
    for schedule in ("seq", "reverse", "random:7"):
        for words, launch, kind in ((["--check=race,bounds"], "neighbour[1, 64](x, x)", "bounds,race"),
                                    ([], "one[1, 1](x, 64)", "bounds"), (["--check=init"], "unset[1, 64](x)", "init")):
            result = t.fails([t.ckrun, "--device", "cpu:1", *words, "--schedule", schedule, path, "numbers[2, 32](x)",
                              launch, "one[1, 1](x, 0)", VALUES[0], "--print", "x"], 1)
            command = replay_of(result)
            again = t.fails(["sh", "-c", command], 1)
            assert again.err == result.err and not again.out, again
            words = shlex.split(command)
            assert words[0] == str(t.ckrun) and words[words.index("--schedule") + 1] == schedule, command
            assert f"--check={kind}" in words and str(path) in words and words[-1] == VALUES[0], command
            assert "numbers[2, 32](x)" in words and launch in words and "one[1, 1](x, 0)" not in words, command


def test_a_replay_in_json(t):
    command = [t.ckrun, "--check", "--schedule=random:3", source(t), "neighbour[1, 64](x, y)", "y=zeros(64, int32)",
               "x=arange(64, dtype='int32')", "--diagnostics=json"]
    finding = messages(t.fails(command, 1))[0][0]
    again = messages(t.fails(["sh", "-c", finding["replay"] + " --diagnostics=json"], 1))[0][0]
    assert finding == again, (finding, again)


# --- Forms for programs ----------------------------------------------------------------------


def test_a_race(t):
    """Both places, both threads, the help, the launch and its replay; the same in both forms."""
    path = source(t)
    command = [t.ckrun, "--check=race", path, "neighbour[1, 64](x, y)", *VALUES[:2]]
    text = t.fails(command, 1)
    (found,), summary = messages(t.fails([*command, "--diagnostics=json"], 1))
    assert summary == {"errors": 1, "warnings": 0, "not_shown": 0, "not_all_counted": False, "status": 1}
    assert text.err.startswith(found["rendered"]) and found["name"] == "data-race", found
    write, read = line_of("t[i] = x[i]"), line_of("y[i] = t[63 - i]")
    assert (found["file"], found["line"], found["column"], found["end_line"], found["end_column"]) == (
        str(path), write, 5, write, 9), found
    assert found["labels"] == [{"line": read, "column": 12, "end_line": read, "end_column": 21, "text": "read here"}]
    assert len(found["threads"]) == 2 and found["help"] == f"`syncthreads()` between line {write} and line {read}"
    for thread in found["threads"]:
        block, index = (", ".join(map(str, thread[key])) for key in ("block", "thread"))
        assert f"block ({block}) thread ({index})" in found["message"], found
    assert found["launch"] == "neighbour[1, 64](x, y)" and found["schedule"] == "seq", found
    run = sarif(t.fails([*command, "--diagnostics", "sarif"], 1))
    result, = run["results"]
    assert result["ruleId"] == "data-race" and result["level"] == "error", result
    assert result["message"]["text"] == f"{found['message']}\nhelp: {found['help']}", result
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": f"file://{path}"},
        "region": {"startLine": write, "startColumn": 5, "endLine": write, "endColumn": 9}}, result
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == read, result
    assert result["relatedLocations"][0]["message"]["text"] == "read here", result
    for key in ("replay", "launch", "schedule", "threads", "help"):
        assert result["properties"][key] == found[key], key


def test_the_limit_in_both_forms(t):
    command = [t.ckrun, "--check", many(t, 25), "k[2, 8](x)", "x=zeros(64, int64)"]
    found, summary = messages(t.fails([*command, "--diagnostics=json"], 1))
    assert len(found) == 20 and summary["not_shown"] == 5 and summary["errors"] == 20, summary
    run = sarif(t.fails([*command, "--diagnostics=sarif"], 1))
    assert len(run["results"]) == 20 and run["properties"] == {"notShown": 5, "notAllCounted": False}


def test_errors_of_the_commands(t):
    """Usage, expressions, launches, files, expectations: all of standard error is JSON."""
    path = source(t)
    for words, status, text, detail in (
            (["--prnt"], 2, "did you mean `--print`?", ""),
            (["one[1, 1](z, 0)"], 2, "`z` is not defined", "  one[1, 1](z, 0)\n            ^\n"),
            (["one[1, 1](x)"], 1, "`one` takes 2", "  in one[1, 1](x)\n"),
            (["nothing[1, 1]()"], 1, "nothing", "  in nothing[1, 1]()\n"),
            (["--save", "x=/nowhere/x.npy", "one[1, 1](x, 0)"], 1, "/nowhere", ""),
            (["--expect", "x=3", "one[1, 1](x, 0)"], 1, "`x` differs from 3", "  x[0]: got 1, want 3\n"),
            (["--check-limit=x", "one[1, 1](x, 0)"], 2, "--check-limit", "")):
        command = [t.ckrun, "--device", "cpu", path, "x=zeros(64, int32)", *words]
        found, summary = messages(t.fails([*command, "--diagnostics=json"], status))
        error = next(message for message in found if message["severity"] == "error")
        assert error["severity"] == "error" and text in error["message"] and summary["errors"] == 1, found
        assert detail in error.get("details", ""), found
        run = sarif(t.fails([*command, "-diagnostics=sarif"], status))
        assert run["results"] == [] and any(
            n["message"]["text"].startswith(error["message"]) for n in notifications(run)), run


def test_assertions(t):
    """One that fails is a finding, with its replay."""
    command = [t.ckrun, "--device", "cpu", source(t), "x=zeros(64, int32)", "stops[1, 1](x)"]
    found, summary = messages(t.fails([*command, "--diagnostics=json"], 1))
    assert [d["name"] for d in found] == ["failed-assertion"] and summary["errors"] == 1, found
    assert "stops[1, 1](x)" in found[0]["replay"], found
    assert [r["ruleId"] for r in sarif(t.fails([*command, "--diagnostics=sarif"], 1))["results"]] == ["failed-assertion"]


def test_programs(t):
    """Errors and warnings of the compiler, from both commands."""
    path = t.write("w\u00e4r\x01n \"1\".ck", "@kernel\ndef k(x: int64[:]):\n    a = x[0]\n    y[0] = 1\n    return 1\n")
    for command in ([t.ckc, path], [t.ckrun, path, "k[1, 1](x)", "x=zeros(1, int64)"]):
        text = t.fails(command, 1)
        found, summary = messages(t.fails([*command, "--diagnostics=json"], 1))
        assert "".join(d["rendered"] for d in found) == text.err[:text.err.rindex("\n", 0, -1) + 1], text
        assert summary["errors"] == sum(d["severity"] == "error" for d in found) >= 1, found
        assert summary["warnings"] == sum(d["severity"] == "warning" for d in found), found
        results = sarif(t.fails([*command, "--diagnostics=sarif"], 1))["results"]
        assert [r["ruleId"] for r in results] == [d["name"] for d in found], results
        uri = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.endswith("/w%C3%A4r%01n%20%221%22.ck"), uri


def test_a_generic_kernel(t):
    """Each diagnostic has the launch whose types it is about."""
    path = t.write("generic.ck", "from numba import cuda\n@cuda.jit\ndef k(x):\n    x[0, 0] = 1.0 / len(x)\n")
    command = [t.ckrun, "--device", "cpu", path, "k[1, 1](x)", "x=zeros(4, float32)"]
    t.fails(command, 1, "[bad-index]", "  in k[1, 1](x)\n")
    found, _ = messages(t.fails([*command, "--diagnostics=json"], 1))
    assert found and all(d["launch"] == "k[1, 1](x)" and "details" not in d for d in found), found


def test_a_fault(t):
    """A kernel that ends the process does not cut the output."""
    command = [t.ckrun, "--device", "cpu", "--check=none", source(t), f"one[1, 1](x, {2 ** 45})", "x=zeros(8, int32)"]
    found, summary = messages(t.fails([*command, "--diagnostics=json"], 1))
    assert "accessed memory outside its arrays" in found[0]["message"] and summary["errors"] == 1, found
    run = sarif(t.fails([*command, "--diagnostics=sarif"], 1))
    assert "accessed memory outside its arrays" in notifications(run)[0]["message"]["text"], run


def test_success(t):
    for command in ([t.ckrun, "--device", "cpu", source(t), "numbers[2, 32](x)", "x=zeros(64, int32)", "--print", "x"],
                    [t.ckc, source(t), "--check"]):
        plain = t.ok(command)
        result = t.ok([*command, "--diagnostics=json"])
        assert result.out == plain.out and messages(result)[1]["errors"] == 0, result
        assert sarif(t.ok([*command, "--diagnostics=sarif"]))["results"] == []


def test_bad_forms(t):
    for command in ([t.ckrun], [t.ckc]):
        t.fails([*command, source(t), "--diagnostics=xml"], 2, "unknown value `xml` of --diagnostics")
        t.fails([*command, source(t), "--diagnostics"], 2, "option `--diagnostics` needs a value")
    result = t.fails([t.ckc, source(t), "--time", "--diagnostics=json"], 2)
    assert "--time prints a table" in messages(result)[0][0]["message"], result


# --- --schedule all --------------------------------------------------------------------------


def test_a_result_that_depends_on_the_schedule(t):
    saved = t.tmp / "x.npy"
    command = [t.ckrun, "--device", "cpu:1", source(t), "order[2, 32](x, n)", *VALUES[::2]]
    result = t.fails([*command, *ALL, "--save", f"x={saved}"], 1,
                     "`x[0]` depends on the schedule: it is 0 with --schedule seq and 63 with --schedule reverse",
                     "64 of 64 elements of `x` differ", "help: --check=race finds")
    assert "float" not in result.err and not saved.exists(), result
    replays = re.findall(r"^  replay: (.*)$", result.err, re.M)
    outs = [t.ok(["sh", "-c", replay]).out for replay in replays]
    assert outs[0].startswith("[ 0  1  2") and outs[1].startswith("[63 62 61"), outs
    t.fails([*command, *ALL, "--check"], 1, "help: no access races, so the order of atomic operations")
    (found,), summary = messages(t.fails([*command, *ALL, "--diagnostics=json"], 1))
    assert found["name"] == "schedule-dependent" and found["element"] == "x[0]", found
    assert (found["first_value"], found["value"]) == ("0", "63") and summary["errors"] == 1, found
    assert [found["first_replay"], found["replay"]] == replays, found
    assert sarif(t.fails([*command, *ALL, "--diagnostics=sarif"], 1))["results"][0]["ruleId"] == "schedule-dependent"


def test_only_a_random_schedule_differs(t):
    """Schedules after the first two count; the seed is in the report and reproduces the element."""
    path = t.write("middle.ck", "from numba import cuda\n\n@cuda.jit\ndef k(x, n):\n"
                   "    old = cuda.atomic.add(n, 0, 1)\n    if old != cuda.grid(1) and old != 63 - cuda.grid(1):\n"
                   "        x[5] = 1\n")
    command = [t.ckrun, path, "k[1, 64](x, n)", *VALUES[::2]]
    t.ok([*command, "--schedule", "all=2", "--expect", "x=0"])
    result = t.fails([*command, "--schedule", "all=3"], 1, "`x[5]` depends on the schedule",
                     "is 0 with --schedule seq and 1 with --schedule random:1")
    replays = re.findall(r"^  replay: (.*)$", result.err, re.M)
    assert "1" not in t.ok(["sh", "-c", replays[0]]).out and "1" in t.ok(["sh", "-c", replays[1]]).out


def test_floats(t):
    path = source(t)
    t.fails([t.ckrun, path, "total[2, 32](s)", "s=zeros(1)", *ALL], 1, "`s[0]` depends on the schedule",
            "help: atomic additions of floats round differently in another order")
    for dtype in ("float16", "float32", "float64"):
        t.ok([t.ckrun, path, "last_nan[2, 32](x)", f"x=ones(64, {dtype})", *ALL])


def test_results_that_agree(t):
    saved = t.tmp / "x.npy"
    command = [t.ckrun, source(t), "numbers[2, 32](x)", "x=zeros(64, int32)", "--save", f"x={saved}", "--print", "x"]
    for n, names in ((2, "seq and reverse"), (3, "seq, reverse and random:1"), (5, "seq, reverse and random:1 to random:3"),
                     (9, "seq, reverse and random:1 to random:7")):
        result = t.ok([*command, "--schedule", f"all={n}"])
        assert result.err == f"ckrun: note: all arrays are the same with {n} schedules: {names}\n", result
        assert result.out.count("[ 0  1  2") == 1 and saved.exists(), result
    assert "5 schedules" in t.ok([*command, *ALL]).err


def test_every_schedule_has_the_same_inputs(t):
    """Arrays that a launch changes; arrays without values, whose unwritten elements agree."""
    path = t.write("adds.ck", "@kernel\ndef adds(x: int64[:]):\n    x[grid(1)] += 1\n")
    t.ok([t.ckrun, path, "adds[2, 32](x)", "adds[2, 32](x)", "x=zeros(64, int64)", *ALL, "--expect", "x=2"])
    t.ok([t.ckrun, source(t), "half[2, 32](x)", "x=empty(64, int64)", *ALL, "--check"])


def test_findings_of_all_schedules_once(t):
    result = t.fails([t.ckrun, source(t), "neighbour[1, 64](x, y)", *VALUES, *ALL, "--check=race"], 1)
    assert result.err.count("[data-race]") == 1 and "depends on" not in result.err, result
    assert result.err.endswith("\n1 error generated.\n"), result


def test_bad_schedules(t):
    command = [t.ckrun, source(t), "one[1, 1](x, 0)", *VALUES]
    for value in ("all=", "all=1", "all=0", "all=-3", "all=many", "all=1001"):
        t.fails([*command, "--schedule", value], 2, "--schedule all=N takes the number of schedules, from 2 to 1000")
    t.fails([*command, *ALL, "--device", "cuda"], 2, "--schedule is for the CPU device")
    t.fails([t.ckrun, source(t), *ALL, "--list"], 2, "--schedule all compares the results of launches")
    t.fails([*command, *ALL, "--bench"], 2, "--bench times one schedule: --schedule all has several")


# --- Exit statuses ---------------------------------------------------------------------------


def test_statuses(t):
    """As `--help` has them."""
    path = source(t)
    for status, words in ((0, ["one[1, 1](x, 0)"]), (1, ["one[1, 1](x, 64)"]), (1, ["--check", "neighbour[1, 64](x, y)"]),
                          (1, [*ALL, "order[2, 32](x, n)"]), (2, ["--check=all", "one[1, 1](x, 0)"]),
                          (2, ["one[1, 1](x, 0"]), (3, ["--device", "cuda:99", "one[1, 1](x, 0)"])):
        result = t.run([t.ckrun, "--device", "cpu", path, *VALUES, *words])
        assert result.rc == status, result
    out = " ".join(t.ok([t.ckrun, "--help=all"]).out.split())
    for text in ("1 The program or a launch's arguments are wrong, a check found a", "a result depends on the schedule",
                 "--check-limit=N", "--diagnostics=FORM", "all=N"):
        assert text in out, text
