"""ckrun --bench, --json and --progress."""

import json
import re

import numpy as np

SOURCE = """@kernel
def scale(a: float32, x: float32[::1], y: float32[::1]):
    for i in range(grid(1), len(x), gridsize(1)):
        y[i] = a * x[i] + y[i]


@kernel
def outside(x: int32[::1], n: int32):
    x[n] = 1


@kernel
def add(t, x):
    x[grid(1)] += t[0][grid(1)]
"""
ARRAYS = ["x=uniform(1003, float32)", "y=ones(1003, float32)"]
LAUNCHES = ["scale[3, 64](2, x, y)", "scale[max, (32, 1)](0.5, x, y)"]


def command(t, *words, device="cpu:2"):
    return [t.ckrun, "--device", device, t.write("k.ck", SOURCE), *words]


def bench(t, *words, device="cpu:2", env=None):
    return json.loads(t.ok(command(t, *ARRAYS, *words, "--json", device=device), env=env).out)["bench"]


def test_results_are_those_of_one_run(t):
    """Though each repetition changes y on the device."""
    t.ok(command(t, *ARRAYS, *LAUNCHES, "--bench=20", "--save", "y=y.npy", "--save", "x=x.npy"))
    x, y = np.load(t.tmp / "x.npy"), np.load(t.tmp / "y.npy")
    assert np.allclose(y, 1 + 2.5 * x, rtol=1e-6)


def test_table(t):
    out = t.ok(command(t, *ARRAYS, *LAUNCHES, "--bench=20")).out.splitlines()
    assert re.fullmatch(r"cpu, which copies at [\d.e+]+ GB/s; 20 repetitions", out[0]), out
    assert re.fullmatch(r" +median +quartiles +GB/s +of copy +ratio  launch", out[1]), out
    number, time = r" +[\d.e+-]+", r" +[\d.]+ [mun]?s"
    for line, launch in zip(out[2:], LAUNCHES):
        assert re.fullmatch(f"{time}{time}{time}{number}{number} %{number}  {re.escape(launch)}", line), line
    one = t.ok(command(t, *ARRAYS, LAUNCHES[0], "--bench=1")).out.splitlines()
    assert "; 1 repetition" in one[0] and "ratio" not in one[1], one


def test_figures(t):
    answer = bench(t, *LAUNCHES, "--bench=30")
    assert answer["repetitions"] == 30 and answer["copy_bytes_per_second"] > 1e8
    for row, launch, block in zip(answer["launches"], LAUNCHES, ([64, 1, 1], [32, 1, 1])):
        assert row["launch"] == launch and row["block"] == block and row["grid"][0] >= 3
        assert 0 < row["least"] <= row["first_quartile"] <= row["median"] <= row["third_quartile"] < 10
        assert row["bytes"] == 2 * 1003 * 4
        assert np.isclose(row["bytes_per_second"], row["bytes"] / row["median"])
        assert np.isclose(row["share_of_copy"], row["bytes_per_second"] / answer["copy_bytes_per_second"])


def test_without_a_number_it_lasts_about_a_second(t):
    n = bench(t, *LAUNCHES, "--bench")["repetitions"]
    assert 10 <= n <= 1000, n


def test_arrays_are_counted_once(t):
    row = bench(t, "add[1, 100]((x, 1), x)", "--bench=3")["launches"][0]
    assert row["bytes"] == 1003 * 4


def test_bounds_are_checked_before(t):
    """The repetitions run without checks, so a first run has them."""
    words = ["outside[1, 1](z, 10)", "z=zeros(10, int32)", "--bench"]
    result = t.fails(command(t, *words), 1, "out-of-bounds")
    assert "repetition" not in result.out


def test_nothing_is_timed_if_an_expectation_fails(t):
    result = t.fails(command(t, *ARRAYS, *LAUNCHES, "--bench", "--expect", "y=0"), 1)
    assert not result.out


def test_usage(t):
    for words, text in ((["--bench=0"], "--bench=N takes the number of repetitions, from 1 to 1000000: `0`"),
                        (["--bench=x"], "--bench=N takes the number of repetitions, from 1 to 1000000: `x`"),
                        (["--bench=1000001"], "--bench=N takes the number of repetitions, from 1 to 1000000: `1000001`"),
                        (["--bench", "--schedule", "all"], "--bench times one schedule: --schedule all has several")):
        assert t.fails(command(t, *ARRAYS, *LAUNCHES, *words), 2).err == f"ckrun: error: {text}\n"
    t.fails(command(t, *ARRAYS, "--bench", "--list"), 2, "--bench times launches: there is none")


# --- On a GPU, whose times the stand-in for the driver makes ---------------------------------


def test_events_of_cuda(t):
    log = t.tmp / "calls"
    answer = bench(t, *LAUNCHES, "--bench=7", device="cuda", env=t.fake_cuda_env(log=log, microseconds=250))
    assert np.isclose(answer["copy_bytes_per_second"], 2 * (256 << 20) / 250e-6, rtol=1e-6)
    for row in answer["launches"]:
        assert np.isclose([row["least"], row["median"], row["third_quartile"]], 250e-6).all(), row
        assert np.isclose(row["bytes_per_second"], 8024 / 250e-6)
    calls = log.read_text()
    assert calls.count("cuLaunchKernel ") == 2 * (1 + 2 + 7), calls
    # Each repetition clears the cache before its launches.
    assert calls.count(f"cuMemsetD8Async 0 {128 << 20} 0\n") == 10 + 2 + 7, calls
    assert calls.count("cuEventCreate ") == calls.count("cuEventDestroy_v2 ") == 2 + 4


def test_time_zero(t):
    """A clock too coarse for the launch: no rate is made up."""
    out = t.ok(command(t, *ARRAYS, *LAUNCHES, "--bench=3", device="cuda"), env=t.fake_cuda_env()).out.splitlines()
    assert out[0] == "Fake GPU; 3 repetitions" and re.search(r"0.000 ns +0.000 ns +0.000 ns +- +- +-  scale", out[2]), out
    row = bench(t, LAUNCHES[0], "--bench=3", device="cuda", env=t.fake_cuda_env())["launches"][0]
    assert row["bytes_per_second"] is None and row["share_of_copy"] is None


def test_errors_of_the_driver(t):
    for call, text in (("cuEventCreate=2", "CUDA_ERROR_OUT_OF_MEMORY"), ("cuEventElapsedTime=719", "CUDA_ERROR_LAUNCH_FAILED"),
                       ("cuMemsetD8Async=700", "CUDA_ERROR_ILLEGAL_ADDRESS"), ("cuEventRecord=700", "CUDA_ERROR_ILLEGAL_ADDRESS"),
                       ("cuMemcpyDtoDAsync_v2=700", "CUDA_ERROR_ILLEGAL_ADDRESS")):
        t.fails(command(t, *ARRAYS, *LAUNCHES, "--bench=3", device="cuda"), 3, text, env=t.fake_cuda_env(fail=call, microseconds=1))


# --- --json ----------------------------------------------------------------------------------


def answer_of(t, *words, rc=0):
    result = t.run(command(t, *words, "--json"))
    assert result.rc == rc, result
    answer = json.loads(result.out)
    assert answer["status"] == rc
    return answer


def test_json_values(t):
    words = ["i=arange(6, dtype=int16).reshape(2, 3)", "f=array([1.5, nan, -inf, 0.1], float32)", "c=array([1+2j])",
             "b=array([True, False])", "z=zeros((2, 0))", "s=zeros((), int8)", "n=7", "p=(1, 2.5, i.shape)", "d=0.1",
             "e=array([0.1])", "h=2**70", "u=full(1, 2**64-1, uint64)"]
    prints = [word for name in "ifcbzsnpdehu" for word in ("--print", name)]
    values = answer_of(t, *words, *prints, "--print", "i")["values"]
    assert values["i"] == {"dtype": "int16", "shape": [2, 3], "values": [[0, 1, 2], [3, 4, 5]]}
    assert values["f"]["values"] == [1.5, "nan", "-inf", 0.100000001]
    assert values["c"]["values"] == [[1, 2]] and values["b"]["values"] == [True, False]
    assert values["z"] == {"dtype": "float64", "shape": [2, 0], "values": [[], []]}
    assert values["s"] == {"dtype": "int8", "shape": [], "values": 0}
    assert values["n"] == 7 and values["p"] == [1, 2.5, [2, 3]] and values["d"] == 0.1 and values["e"]["values"] == [0.1]
    assert values["h"] == 2 ** 70 and values["u"]["values"] == [2 ** 64 - 1] and list(values) == list("ifcbzsnpdehu")


def test_json_expectations(t):
    answer = answer_of(t, *ARRAYS, "--expect", "y=1", "--expect", "y=1.5", "--expect", "y=ones(3)", rc=1)
    assert answer["expectations"] == [
        {"name": "y", "want": "1", "satisfied": True, "different": 0, "largest_error": 0, "largest_relative_error": 0},
        {"name": "y", "want": "1.5", "satisfied": False, "different": 1003, "largest_error": 0.5,
         "largest_relative_error": 1 / 3},
        {"name": "y", "want": "ones(3)", "satisfied": False}]


def test_json_lists(t):
    answer = answer_of(t, "--list", "--max-blocks", "scale[_, 32]")
    assert [k["name"] for k in answer["kernels"]] == ["scale", "outside", "add"] and answer["max_blocks"][0]["blocks"] > 0
    assert answer["kernels"][0]["parameters"][1] == {"name": "x", "dtype": "float32", "ndim": 1, "layout": "C"}
    assert answer["device"]["kind"] == "cpu" and answer["device"]["multiprocessors"] == 2
    assert answer["kernels"][2]["generic"] is True


def test_json_of_a_failure(t):
    assert answer_of(t, *ARRAYS, "scale[1, 32](x, y)", "--print", "y", rc=1) == {
        "device": {"name": "cpu", "kind": "cpu", "multiprocessors": 2}, "status": 1}


# --- --progress ------------------------------------------------------------------------------


def test_progress(t):
    err = t.ok(command(t, *ARRAYS, *LAUNCHES, "--progress")).err
    source = t.tmp / "k.ck"
    assert err == f"ckrun: compiling {source}\nckrun: launch 1 of 2: {LAUNCHES[0]}\nckrun: launch 2 of 2: {LAUNCHES[1]}\n", err
    err = t.ok(command(t, *ARRAYS, LAUNCHES[0], "--progress", "--schedule", "all=3")).err
    assert "ckrun: schedule 3 of 3: random:1\nckrun: launch 1 of 1: " in err, err
    # Programs that read messages get no other lines.
    err = t.ok(command(t, *ARRAYS, LAUNCHES[0], "--progress", "--diagnostics=json")).err
    assert all(json.loads(line) for line in err.splitlines()), err
