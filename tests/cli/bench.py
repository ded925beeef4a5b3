"""The benchmarks run; what they measure is asserted nowhere."""

import json
import sys
from xml.etree import ElementTree

import numpy as np


SVG = "{http://www.w3.org/2000/svg}"
UNMEASURED = {"", "first-result", "samples", "random"}  # goals without a row where there is no GPU
OF_GPU = ["gpu", "launch", "kernels", "reductions", "groups", "copies"]


def run_bench(t, *words, **kwargs):
    where = ["--build", t.build] if t.build else ["--prefix", t.root]
    return t.run([sys.executable, t.root / "bench" / "run", *where, *words], **kwargs)


def test_quick(t):
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    result = run_bench(t, "--quick", "--no-peers", "--json", t.tmp / "out.json", "compile", "cpu",
                       timeout=300)
    assert result.rc == 0, result
    rows = json.loads((t.tmp / "out.json").read_text())["rows"]
    assert {row["group"] for row in rows} == {"compile", "cpu"}, result
    measured = [row for row in rows if row["status"] == "ok"]
    # A first result is a difference, a process less the driver's start: load can make it 0.
    differences = [row for row in measured if row["name"].startswith("first result")]
    assert all(row["median"] >= 0 for row in differences), result
    durations = [row["median"] for row in measured if row not in differences]
    assert len(durations) >= 8 and min(durations) > 0, result


def test_opencl(t):
    """PoCL's kernels do what ck's do, where it is installed."""
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    program = (t.build / "bench" if t.build else t.root / "bench" / "bin") / "opencl_bench"
    env = {"POCL_CACHE_DIR": str(t.tmp), "ASAN_OPTIONS": "exitcode=86:detect_leaks=0"}  # PoCL's own
    device = t.run([program, "device"], env=env)
    if device.rc == 77:
        t.skip(device.err.strip())
    assert device.rc == 0 and "PoCL" in device.out, device
    for kernel, size, wrong in [("saxpy", 1001, 0), ("matmul16", 48, 47), ("batched_v1", 33, 0)]:
        requests = f"{kernel} {size} 3\n{kernel} {wrong} 1\nother 1 1\n"
        result = t.run([program, t.root / "bench" / "peers" / "cpu.cl", kernel], input=requests,
                       env=env, timeout=120)
        lines = result.out.splitlines()
        assert result.rc == 0 and lines[0].startswith("ok ") and len(lines[0].split()) == 4, result
        assert all(line.startswith("error ") for line in lines[1:]) and len(lines) == 3, result


def test_gpu_is_skipped_without_one(t):
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    env = t.fake_cuda_env(devices=0)
    result = run_bench(t, "--quick", *OF_GPU, "math", "suite", env=env, timeout=300)
    assert result.rc == 0 and result.out.count("  all  ") == len(OF_GPU) + 2, result


def assert_plots(folder, wanted):
    """Each has a line for each of its names, points that are inside, and both axes' labels."""
    assert {path.stem for path in folder.iterdir()} == set(wanted), folder
    for name, lines in wanted.items():
        root = ElementTree.parse(folder / f"{name}.svg").getroot()
        texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
        assert set(lines) <= set(texts) and len(texts) >= len(lines) + 7, texts
        paths = [path.get("d") for path in root.iter(f"{SVG}path") if "line" in path.get("class")]
        assert len(paths) == len(lines), paths
        for path in paths:
            points = [point.split() for point in path[1:].split("L")]
            assert all(70 <= float(x) <= 572 and 54 <= float(y) <= 362 for x, y in points), path


def test_plots(t):
    """Of a program's length, and of rows that a file has."""
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    result = run_bench(t, "--quick", "--no-peers", "--plots", t.tmp / "plots", "lengths")
    assert result.rc == 0, result
    assert_plots(t.tmp / "plots", {"compile": ["ckc", "libck, warm"]})
    rows = [{"group": "launch", "name": f"host time of a plain launch, {n} arrays", "who": who,
             "status": "ok", "median": 3.5 + n * factor}
            for who, factor in (("ck", 0), ("driver call", 0.01), ("Numba", 1)) for n in (0, 4, 16)]
    (t.tmp / "rows.json").write_text(json.dumps(rows))
    program = ("import sys, json, pathlib; sys.path.insert(0, sys.argv[1]); from suite import plots\n"
               "plots.write(pathlib.Path('drawn'), json.load(open('rows.json')))")
    t.ok([sys.executable, "-c", program, t.root / "bench"])
    assert_plots(t.tmp / "drawn", {"launch": ["ck", "driver call", "Numba"]})


def run_without_gpu(t, *words):
    """bench/run with a program that stands for gpu_bench; what it has been asked."""
    prefix, log = t.tmp / "prefix", t.tmp / "asked"
    (prefix / "bench" / "bin").mkdir(parents=True, exist_ok=True)
    (prefix / "bin").mkdir(exist_ok=True)
    fake = t.root / "tests" / "harness" / "fake_gpu_bench.py"
    for link, target in [(prefix / "bin" / "ckc", t.ckc),
                         (prefix / "bench" / "bin" / "gpu_bench", fake),
                         (prefix / "bench" / "bin" / "pair_bench", fake)]:
        if not link.is_symlink():
            link.symlink_to(target)
    result = t.run([sys.executable, t.root / "bench" / "run", "--prefix", prefix, "--no-peers",
                    *words], env={"FAKE_GPU_BENCH_LOG": str(log)}, timeout=300)
    assert result.rc == 0, result
    return result, log.read_text()


def test_gpu_groups_without_gpu(t):
    """All of the suite but the GPU itself."""
    result, asked = run_without_gpu(t, "--quick", "--json", t.tmp / "out.json", "--plots",
                                    t.tmp / "plots", *OF_GPU)
    rows = json.loads((t.tmp / "out.json").read_text())["rows"]
    assert {row["group"] for row in rows} == set(OF_GPU), result
    assert not [row for row in rows if row["status"] == "failed"], result
    measured = {(row["group"], row["name"]) for row in rows if row["status"] == "ok"}
    for group, name in [("launch", "host time of a cooperative launch, 16 arrays"),
                        ("launch", "a plain launch and its end, 1 array"),
                        ("launch", "a node of a graph, cooperative, 4 arrays"),
                        ("reductions", "sum of 1048576 float32"), ("gpu", "grid barrier, 133 x 256"),
                        ("copies", "copies of 8192 bytes, blocks of 256, two buffers, from memory")]:
        assert (group, name) in measured, result
    assert_plots(t.tmp / "plots", {"bandwidth": ["ck"], "launch": ["ck", "driver call"],
                                   "barrier": ["ck", "ck, 16 B"]})
    assert "host 1 32 2 a2 a2 a2 a2\n" in asked and "check sum_of 1 256 r1000 p1 l8192 w1\n" in asked, asked


def test_only(t):
    result, _ = run_without_gpu(t, "--quick", "--json", t.tmp / "out.json", "--only", "8: shfl", "groups")
    run = json.loads((t.tmp / "out.json").read_text())
    names = {"tile of 8: shfl", "tile of 8: shfl_down", "tile of 8: shfl_xor", "tile of 128: shfl"}
    assert {row["name"] for row in run["rows"]} == names, result


def test_only_some_copies(t):
    result, _ = run_without_gpu(t, "--quick", "--json", t.tmp / "out.json", "--only", "512 bytes", "copies")
    run = json.loads((t.tmp / "out.json").read_text())
    names = {f"copies of 512 bytes, warps, {n} buffer{s}, from {source}"
             for n, s in (("one", ""), ("two", "s")) for source in ("L2", "memory")}
    assert {row["name"] for row in run["rows"]} == names, result


def test_versions(t):
    """The other version is a release or a build folder; here it is the same one."""
    beside = t.build or t.root
    result, asked = run_without_gpu(t, "--quick", "--json", t.tmp / "out.json", "--beside", beside, "versions")
    run = json.loads((t.tmp / "out.json").read_text())
    assert all(row["status"] == "ok" for row in run["rows"]) and "--beside DIR" in run["machine"]["command"], result
    names = [row["name"] for row in run["rows"] if row["who"] == "other version"]
    assert len(names) == len(set(names)) == len(run["rows"]) // 2, names
    for name in ("groups, tile of 8: shfl", "copies of 512 bytes, warps, one buffer, from L2",
                 "saxpy, 2^26 float32", "sum_for_all, 268435456 float32", "grid_barrier_stores, 264 x 256"):
        assert name in names, names
    for image in "ck_copies.ptx copy_256_32_512_1 plain\n", "other_version_sum.ptx sum_for_all cooperative\n":
        assert f"/{image}" in asked, image


def test_no_other_version(t):
    result = run_bench(t, "--quick", "--no-peers", "versions")
    assert result.rc == 0 and "skipped" in result.out and "no --beside DIR" in result.out, result
    for folder in t.tmp / "nowhere", t.tmp:
        result = run_bench(t, "--beside", folder, "versions")
        assert result.rc == 1 and f"bench/run: {folder}/src/ckc is not there" in result.err, result


def test_suite_without_gpu(t):
    """The group's requests and its table, of ck alone."""
    result, asked = run_without_gpu(t, "--quick", "--json", t.tmp / "out.json", "--only", "gemv_",
                                    "suite")
    rows = json.loads((t.tmp / "out.json").read_text())["rows"]
    measured = [row["name"] for row in rows if row["status"] == "ok"]
    assert measured == [f"{kernel}, {variant}" for kernel in ("gemv_warp", "gemv_block")
                        for variant in ("PTX of ckc", "launched by ck")], result
    assert all(row["figures"]["registers"] == 32 for row in rows if row["status"] == "ok"), rows
    for text in ["array in float32 8192x8192 uniform -1.0 1.0\n", "load 2 ck ",
                 "dense.ck gemv_warp 1024 256 a0 a1 a2\n", "check 0 0.0001 0.001\n"]:
        assert text in asked, asked
    assert "gemv_warp, PTX of ckc" in result.out and "--no-peers" in result.out, result


def test_samples_without_gpu(t):
    """Arrays of vectors and integers of 32 bits among the arguments."""
    result, asked = run_without_gpu(t, "--quick", "--json", t.tmp / "out.json", "samples")
    rows = json.loads((t.tmp / "out.json").read_text())["rows"]
    measured = {row["name"] for row in rows if row["status"] == "ok"}
    assert {"dxtc, PTX of ckc", "vectors, launched by ck", "state_uniform, PTX of ckc"} <= measured, result
    assert not [row for row in rows if row["status"] == "failed"], result
    for text in ["array in float16 33554432x2 signs\n", "basics.ck overload_int2 65536 256 v0 a1 j7\n",
                 "array scratch uint64 270336 uniform 1.0 4.611686018427388e+18\n",
                 "finance.ck monte_carlo 1056 256 v0 a1 v2\n"]:
        assert text in asked, asked


def test_pair_bench(t):
    """On the driver whose kernels do nothing: data, both languages' arguments, wrong requests."""
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    source = t.root / "bench" / "suite" / "pairs" / "dense.ck"
    t.ok([t.ckc, "-arch=sm_90", "-o", t.tmp / "dense.ptx", source])
    launch = "gemv 1 64"
    requests = {
        "array in float32 70x70 uniform -1 1": "ok",
        "array in float32 70 ramp 0 1": "ok",
        "array out float32 70 poison": "ok",
        "array in float32 0 poison": "error 0 is no shape",
        "array in complex64 7 poison": "error no arrays of complex64",
        "array scratch float16 7x2 signs": "ok",
        "array in uint32 965 partitions": "ok",
        "array in int32 7 random": "error there is no kind of data called random",
        f"load 0 ck {source} {launch} a0 a1 a2": "ok",
        f"load 1 plain {t.tmp}/dense.ptx {launch} a0 a1 a2 j70 i70 f2.5": "ok",
        f"load 2 plain {t.tmp}/dense.ptx {launch} a9": "error there is no array 9",
        f"load 2 fast {t.tmp}/dense.ptx {launch}": "error there is no mode fast",
        f"load 2 plain {t.tmp}/none.ptx {launch}": "error",
        "check 0 1e-4 0": "ok",
        "check 1 1e-4 0": "ok",
        "check 2 1e-4 0": "error nothing is loaded as 2",
        "time 1 3": "ok 0.000000000e+00 0.000000000e+00 0.000000000e+00",
        "registers 0": "ok 3.200000000e+01",
        "registers 1": "ok 3.200000000e+01",
        "forget": "ok",
        "time 1 3 ": "error nothing is loaded as 1",
        "sing": "error the requests are: array, check, forget, load, registers, time",
    }
    program = (t.build / "bench" if t.build else t.root / "bench" / "bin") / "pair_bench"
    result = t.run([program], input="\n".join(requests) + "\n", env=t.fake_cuda_env())
    assert result.rc == 0, result
    for (request, wanted), reply in zip(requests.items(), result.out.splitlines()):
        assert reply.startswith(wanted), (request, reply, result.err)
    assert len(result.out.splitlines()) == len(requests), result
    result = t.run([program], env=t.fake_cuda_env(devices=0))
    assert result.rc == 77, result


def test_sass_figures(t):
    """Of a listing with a loop in a loop, code behind the end that returns, and the last branch,
    to itself."""
    listing = """
\t\tFunction : k
\t.headerflags\t@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;          /* 0x00000a00ff017b82 */
        /*0010*/                   LDG.E.U8 R2, desc[UR4][R2.64] ; /* 0x0000000402027981 */
        /*0020*/                   LDG.E.128 R4, desc[UR4][R4.64] ;
        /*0030*/                   LDG.E.CONSTANT R8, desc[UR4][R4.64+0x10] ;
        /*0040*/                   FADD R4, R5, R6 ;
        /*0050*/               @P0 BRA 0x20 ;
        /*0060*/              @!P1 BRA 0x10 ;
        /*0070*/                   EXIT ;
        /*0080*/                   IADD3 R4, R4, 0x1, RZ ;
        /*0090*/                   BRA 0x10;
        /*00a0*/                   BRA 0xa0;
\t\tFunction : plain
        /*0000*/                   LDG.E.64 R4, desc[UR4][R4.64] ;
        /*0010*/                   EXIT ;
"""
    (t.tmp / "listing").write_text(listing)
    program = ("import sys; sys.path.insert(0, sys.argv[1]); from suite import sass\n"
               "print(sass.figures_by_kernel(open('listing').read()))")
    found = eval(t.ok([sys.executable, "-c", program, t.root / "bench"]).out)
    assert found == {"k": {"loop": 4, "loads": 2, "load_bytes": 10},
                     "plain": {"loop": 0, "loads": 1, "load_bytes": 8}}, found


def test_pairs(t):
    """Two that alternated, twice as slow half of the time, of which the median says nothing."""
    program = ("import sys; sys.path.insert(0, sys.argv[1]); from suite import report\n"
               "ck = report.Row('a', 'ck', 'us', [1.0, 1.0, 2.0, 2.0, 2.0])\n"
               "other = report.Row('a', 'driver', 'us', [1.5, 1.5, 3.0, 1.0, 3.0])\n"
               "report.compare_pairs(other, ck)\n"
               "assert other.ratio == 1.5 and other.median() / ck.median() == 0.75")
    t.ok([sys.executable, "-c", program, t.root / "bench"])


def with_peer(run, who, ratio, least):
    """The rows of a run with `who` measured wherever it is left out."""
    rows = []
    for row in run["rows"]:
        ck = next((other for other in rows if other["name"] == row["name"]), row)
        if row["who"] == who and ck["status"] == "ok":
            row = {**ck, "who": who, "median": ck["median"] * ratio, "ratio": ratio,
                   "limits": [{"what": f">= {least} x ck", "value": ratio, "met": ratio >= least}]}
        rows.append(row)
    return {**run, "rows": rows}


def test_page(t):
    """Every goal has rows of the suite, and the page what these say."""
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    run_without_gpu(t, "--json", t.tmp / "gpu.json", *OF_GPU[:OF_GPU.index("groups")])
    result = run_bench(t, "--quick", "--no-peers", "--json", t.tmp / "cpu.json", "compile", "cpu",
                       timeout=300)
    assert result.rc == 0, result
    gpu = json.loads((t.tmp / "gpu.json").read_text())
    gpu = with_peer(with_peer(gpu, "CUDA C++", 1.05, 1.111), "CUB", 1.5, 1.333)
    (t.tmp / "gpu.json").write_text(json.dumps(gpu))
    script = [sys.executable, t.root / "bench" / "performance_page.py", t.tmp / "gpu.json",
              t.tmp / "cpu.json", "--plots", t.tmp / "plots"]
    result = t.run(script)
    assert not set(result.err.partition("no rows of ")[2].strip().split(", ")) - UNMEASURED, result
    for text in ["| grid barrier, 132 x 256 | CUDA C++ | ≤ 0.9 | 0.952 | 0.03 µs | 0.0315 µs | **missed** |",
                 "| sum of 65536 float32 | CUB | ≤ 0.75 | 0.667 | 30 µs | 45 µs | met |",
                 "`bench/run --json out.json --no-peers gpu launch kernels reductions`",
                 "| The sum of 2^10 to 2^20 elements in one launch | 10 of 10 |",
                 "plots/bandwidth.svg", "### launch"]:
        assert text in result.out, (text, result.out[:20000])
    assert (t.tmp / "plots" / "barrier.svg").exists(), result


def sample_rows(name, ratio, limits):
    ck = {"group": "samples", "name": name, "who": "ck", "unit": "us", "status": "ok", "note": "", "median": 20.0,
          "low": 19.0, "high": 21.0, "samples": [20.0], "ratio": None, "limits": []}
    return [ck, {**ck, "who": "CUDA C++", "median": 20.0 * ratio, "ratio": ratio, "limits": limits}]


def test_page_of_samples(t):
    """Samples with their limits; random numbers, which have none, with the ratio alone."""
    def limit(ratio):
        return [{"what": ">= 0.98 x ck", "value": ratio, "met": ratio >= 0.98}]

    rows = [*sample_rows("nbody, PTX of ckc", 0.8, limit(0.8)), *sample_rows("dxtc, PTX of ckc", 1.05, limit(1.05)),
            *sample_rows("philox_normal, PTX of ckc", 0.25, []), *sample_rows("state_uniform, launched by ck", 0.5, []),
            *sample_rows("geometric mean, PTX of ckc", 0.9, limit(0.9))]
    machine = {"ck": "ckc 0.1.0", "time": "now", "system": "Linux", "cpu": "x", "cores": 1, "load": 0, "peers": {},
               "command": "bench/run samples", "seconds": 1}
    (t.tmp / "samples.json").write_text(json.dumps({"machine": machine, "rows": rows}))
    page = t.run([sys.executable, t.root / "bench" / "performance_page.py", t.tmp / "samples.json"]).out
    for line in ["| nbody, PTX of ckc | CUDA C++ | ≤ 1.02 | 1.25 | 20 µs | 16 µs | **missed** |",
                 "| dxtc, PTX of ckc | CUDA C++ | ≤ 1.02 | 0.952 | 20 µs | 21 µs | met |",
                 "| philox_normal, PTX of ckc | CUDA C++ | none | 4 | 20 µs | 5 µs |  |",
                 "| CUDA's samples and layouts of particles | 1 of 2 | nbody, PTX of ckc, CUDA C++: 1.25 (≤ 1.02) |",
                 "| Random numbers, beside cuRAND's device functions | none has one | philox_normal, PTX of ckc, "
                 "CUDA C++: 4 |", "Above 1 ck is slower."]:
        assert line in page, (line, page)


def test_gpu(t):
    """Of all groups what needs the least time."""
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    result = run_bench(t, "--quick", "--no-peers", "launch", "reductions", timeout=300)
    assert result.rc == 0 and "0 failed" in result.out, result


def test_unknown_group(t):
    result = run_bench(t, "nonsense")
    assert result.rc == 2 and "compile, lengths, cpu, gpu" in result.err, result


def skip_without_libck(t):
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    if t.sanitized:
        t.skip("Python cannot load a library with sanitizers")


def libck(t):
    return (t.build / "src" if t.build else t.root / "lib") / "libck.so"


def test_checks(t):
    """Some of the files, and a table with the limits."""
    skip_without_libck(t)
    result = run_bench(t, "--quick", "--no-peers", "--json", t.tmp / "out.json", "checks", timeout=300)
    assert result.rc == 0, result
    rows = json.loads((t.tmp / "out.json").read_text())["rows"]
    launches = [row for row in rows if "figures" in row]
    assert {"large", "test"} <= {row["figures"]["part"] for row in launches}, result
    assert {row["who"] for row in launches} >= {"none", "bounds", "all"}, result
    slowdowns = [row["ratio"] for row in launches if row["who"] == "all" and row["status"] == "ok"]
    assert len(slowdowns) > 5 and min(slowdowns) > 0, result
    limits = {limit["what"] for row in rows for limit in row.get("limits", [])}
    assert limits >= {"<= 1.5 x", "<= 5 x", "<= 20 x"}, result


MEMORY_LAUNCH = """
#: x = np.ones((512, 1024), np.float32)
#: launch add_one[512, 256](x)
#: expect x == 2
@cuda.jit
def add_one(x):
    for k in range(cuda.threadIdx.x, x.shape[1], 256):
        x[cuda.blockIdx.x, k] += 1
"""


def launch_records(t, source, *words, env=None):
    path = t.write("measured.ck", source)
    result = t.ok([sys.executable, t.root / "bench" / "checks" / "launches.py", libck(t), path, *words,
                   "--seconds", "0.01"], env=env, timeout=120)
    return [json.loads(line) for line in result.out.splitlines()]


def test_checks_memory(t):
    """The shadow of 2 MiB has at least the records of their accesses, 15 bytes a byte, but for the
    pages that the process had before."""
    skip_without_libck(t)
    (record,) = launch_records(t, MEMORY_LAUNCH, 0, 1, 7)
    assert record["arrays"] == 1 << 21 and len(record["seconds"]) == 3, record
    assert record["bytes"][0] == 0 and record["bytes"][1] < 1 << 20, record
    assert 14 << 21 <= record["bytes"][2] < 20 << 21, record


def test_checks_that_find_something(t):
    skip_without_libck(t)
    source = MEMORY_LAUNCH.replace("cuda.threadIdx.x, ", "0, ").replace("== 2", ">= 1")
    (record,) = launch_records(t, source, 0, 1, 7)
    assert record["seconds"][1] > 0 and record["seconds"][2] is None, record
    assert record["bytes"][2] is None, record


SIMULATED = """
#: x = np.ones(4, np.float32)
#: launch first[1, 4](x)
#: launch second[1, 4](x)
#: expect x == 3
from numba import cuda
@cuda.jit
def first(x):
    x[cuda.threadIdx.x] += 1
@cuda.jit
def second(x):
    x[cuda.threadIdx.x] += 1
"""
SIMULATOR = """
import os
assert os.environ["NUMBA_ENABLE_CUDASIM"] == os.environ["NUMBA_BOUNDSCHECK"] == "1"
class cuda:
    def jit(function):
        def launch(x):
            if function.__name__ == "second":
                raise TypeError("no such thing")
            x[:] = 7
        return {(1, 4): launch}
"""


def test_checks_beside_a_simulator(t):
    """What it computes is not what later launches get; what it cannot run is said."""
    skip_without_libck(t)
    (t.tmp / "numba.py").write_text(SIMULATOR)
    first, second = launch_records(t, SIMULATED, 0, 1, "--simulator", env={"PYTHONPATH": str(t.tmp)})
    assert first["simulator"] > 0 and second["simulator_error"] == "TypeError: no such thing", first


# It launches nothing in fact: the fake driver's kernels do nothing.
ON_GPU = """
#: x = np.ones(1000, np.float32)
#: launch nothing[4, 256](x)
#: expect x == 1
@cuda.jit
def nothing(x):
    i = cuda.grid(1)
    if i < len(x) and x[i] == 0:
        x[i] = 1
"""
SANITIZER = """#!/bin/sh
echo "$*" >>"$SANITIZER_LOG"
[ "$1 $3" = '--tool --log-file' ] && shift 4
exec "$@"
"""
MEASURE_ON_GPU = """
import json, sys, types
from pathlib import Path
root, libck, file, sanitizer = map(Path, sys.argv[1:])
sys.path.insert(0, str(root / "bench"))
from suite import checks, report
bench = types.SimpleNamespace(layout=types.SimpleNamespace(folder=root / "bench", libck=libck), rows=[],
                              often=lambda usual, quick: quick, tmp=types.SimpleNamespace(name="."))
bench.add = lambda *rows: bench.rows.extend(rows)
checks.add_gpu_source(bench, sys.executable, checks.Source("file", file, checks.GPU), sanitizer)
checks.add_summary(bench, list(bench.rows))
print(checks.table("checks", bench.rows), file=sys.stderr)
print(json.dumps([report.row_dict(row) for row in bench.rows]))
"""


def test_checks_on_a_gpu(t):
    """On the driver whose kernels do nothing, and under what stands for compute-sanitizer."""
    skip_without_libck(t)
    sanitizer = t.write("compute-sanitizer", SANITIZER)
    sanitizer.chmod(0o755)
    env = {**t.fake_cuda_env(), "SANITIZER_LOG": str(t.tmp / "log")}
    result = t.ok([sys.executable, "-c", MEASURE_ON_GPU, t.root, libck(t), t.write("k.ck", ON_GPU),
                   sanitizer], env=env, timeout=120)
    rows = json.loads(result.out)
    launches = [row["who"] for row in rows if row["name"] == "file: nothing, GPU"]
    assert launches == ["none", "bounds", "memcheck", "racecheck"], rows
    means = [row["who"] for row in rows if row["name"] == "slowdown, geometric mean, on a GPU"]
    assert means == ["bounds", "memcheck", "racecheck"], rows
    assert "memcheck" in result.err and "racecheck" in (t.tmp / "log").read_text(), result


def test_kernels(t):
    """The kernels that are measured on a GPU, small, on the CPU."""
    rng = np.random.default_rng(3)
    x, y = rng.random(1000, np.float32), rng.random(1000, np.float32)
    a, b = rng.random((64, 96), np.float32), rng.random((96, 32), np.float32)
    old = rng.random((33, 70), np.float32)
    data = rng.integers(0, 256, 5000, np.uint8)
    around = np.pad(old.astype(np.float64), 1)
    mean = 0.2 * (old + around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:])
    product = a.astype(np.float64) @ b
    for file, launch, given, name, want in [
            ("saxpy", "saxpy[4, 256](2.5, x, y)", {"x": x, "y": y}, "y", 2.5 * x + y),
            ("matmul", "matmul16[(2, 4), (16, 16)](a, b, c)",
             {"a": a, "b": b, "c": np.full((64, 32), np.nan, np.float32)}, "c", product),
            ("matmul", "matmul32[(1, 2), (32, 32)](a, b, c)",
             {"a": a, "b": b, "c": np.full((64, 32), np.nan, np.float32)}, "c", product),
            ("stencil", "stencil[(3, 5), (32, 8)](old, new)",
             {"old": old, "new": np.full_like(old, np.nan)}, "new", mean),
            ("histogram", "histogram[3, 64](data, bins)",
             {"data": data, "bins": np.zeros(256, np.int32)}, "bins", np.bincount(data, minlength=256))]:
        for argument, value in given.items():
            np.save(t.tmp / f"{argument}.npy", value)
        t.ok([t.ckrun, "--device", "cpu", t.root / "bench" / "kernels" / f"{file}.ck", launch,
              *[f"{argument}=@{t.tmp}/{argument}.npy" for argument in given],
              "--save", f"{name}={t.tmp}/out.npy"])
        assert np.allclose(np.load(t.tmp / "out.npy"), want, rtol=1e-5), launch


def test_math_kernels_compile(t):
    program = ("import sys; sys.path.insert(0, sys.argv[1]); from suite import math\n"
               "for f in math.FUNCTIONS: print(math.sources(f)[0].replace('k_', f'k_{f[0]}_'))")
    source = t.tmp / "math.ck"
    source.write_text(t.ok([sys.executable, "-c", program, t.root / "bench"]).out)
    t.ok([t.ckc, "-arch=sm_90", "--math=libclc", "-restrict", "-o", t.tmp / "math.ptx", source])
    assert (t.tmp / "math.ptx").read_text().count(".entry") == 62


def test_accuracy(t):
    if t.build and not (t.build / "bench").exists():
        t.skip("built without benchmarks")
    where = ["--build", t.build] if t.build else ["--prefix", t.root]
    script = [sys.executable, t.root / "bench" / "accuracy.py", *where]
    result = t.run([*script, "--device", "cpu", "--points32", "1e5", "--points64", "1e4", "sin",
                    "pow", "gamma", "nextafter"])
    assert result.rc == 0 and result.out.count("\n") == 6 and "!" not in result.out, result
    own = ("rsqrt rcbrt exp10 sinpi cospi rhypot norm3d rnorm3d norm4d rnorm4d erfinv erfcinv erfcx "
           "normcdf normcdfinv cyl_bessel_i0 cyl_bessel_i1 j0 j1 y0 y1 jn yn fast.sin fast.cos fast.tan fast.exp fast.exp2 fast.exp10 "
           "fast.log fast.log2 fast.log10 fast.pow fast.divide").split()
    result = t.run([*script, "--device", "cpu", "--points32", "5e3", "--points64", "5e3", *own])
    assert result.rc == 0 and result.out.count("\n") == 2 + len(own) and "!" not in result.out, result
    assert result.out.splitlines()[-1].endswith(" |  |"), result
    of_complex = [f"cmath.{name}" for name in "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh "
                  "sqrt tan tanh".split()] + ["complex.multiply", "complex.divide", "complex.pow"]
    result = t.run([*script, "--device", "cpu", "--points32", "2e4", "--points64", "2e4", *of_complex])
    assert result.rc == 0 and result.out.count("\n") == 2 + len(of_complex) and "!" not in result.out, result
    *_, quotient, power = [line.split(" | ")[1] for line in result.out.splitlines()[2:]]
    assert quotient.count(",") == 3 and 0.5 < float(power.split()[0]) < 24, result
    env = t.fake_cuda_env(devices=0)
    result = t.run([*script, "--points32", "1e3", "--points64", "1e3", "exp"], env=env)
    assert result.rc == 77 and "NO_DEVICE" in result.err, result
    result = t.run([*script, "sine"])
    assert result.rc == 2 and "sin, sinh" in result.err, result


def test_python_group(t):
    """On the CPU where there is no GPU: each row but those of other packages' arrays."""
    t.need_tree()
    skip_without_libck(t)
    if not (t.build / "python" / "ck" / "_core.abi3.so").exists():
        t.skip("the Python package is not built: it needs python3-dev")
    out = t.tmp / "out.json"
    result = run_bench(t, "--quick", "--json", out, "python", env=t.fake_cuda_env(devices=0), timeout=300)
    assert result.rc == 0, result
    rows = json.loads(out.read_text())["rows"]
    measured = {row["name"].partition(",")[0] for row in rows if row["status"] == "ok"}
    assert {"import", "host time of a launch", "first launch of a new kernel", "cuda.reduce of 1000 float32",
            "cuda.vectorize of 1048576 float32"} <= measured, result
    own = [row for row in rows if row["who"] == "ck"]
    assert all("cupy" in row["name"] or "torch" in row["name"] for row in own if row["status"] != "ok"), result
