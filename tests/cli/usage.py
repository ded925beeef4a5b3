"""--usage of both commands, --emit=cubin and --emit=sass.

Toolkits that answer as the tests want stand in for CUDA's where it is not needed."""

import json
import os
import re

SOURCE = """@kernel
def tile(x: float32[::1], y: float64[::1]):
    s = shared.array(2048, float32)
    s[threadIdx.x] = x[grid(1)]
    syncthreads()
    y[grid(1)] = s[255 - threadIdx.x]


@kernel(launch_bounds=128)
def bounded(x: float32[::1]):
    x[grid(1)] = 1


@kernel
def generic(x):
    x[0] = 1
"""
PTXAS = """#!/bin/sh
echo "$@" >> FOLDER/arguments
echo "ptxas info    : Compiling entry function 'tile' for 'sm_90'"
echo "ptxas info    : Function properties for tile"
echo "    40 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads"
echo "ptxas info    : Used 40 registers, used 1 barriers, 40 bytes cumulative stack size, 8192 bytes smem, 544 bytes cmem[0], 8 bytes cmem[2]"
echo "ptxas info    : Compiling entry function 'bounded' for 'sm_90'"
echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
echo "ptxas info    : Used 255 registers, used 0 barriers"
while [ $# -gt 0 ]; do
    if [ "$1" = -o ]; then printf 'cubin of it' > "$2"; fi
    shift
done
"""


def tool(t, name, text):
    path = t.write(f"toolkit/bin/{name}", text.replace("FOLDER", str(t.tmp)))
    path.chmod(0o755)


def environment(t):
    """A toolkit that is found before any other."""
    return {"CUDA_HOME": str(t.tmp / "toolkit"), "TMPDIR": str(t.tmp / "temporary")}


def stand_in(t):
    tool(t, "ptxas", PTXAS)
    (t.tmp / "temporary").mkdir()
    return environment(t)


def without_toolkit(t):
    """No program of a toolkit; skipped where one lies in its usual place."""
    if os.path.exists("/usr/local/cuda/bin/ptxas"):
        t.skip("a toolkit is installed")
    return {"CUDA_HOME": "", "CUDA_PATH": "", "PATH": "/nonexistent"}


def ckc(t, *words):
    return [t.ckc, "-arch=sm_90", t.write("k.ck", SOURCE), *words]


def test_usage(t):
    env = stand_in(t)
    result = t.ok(ckc(t, "--usage=256", "--check"), env=env)
    assert result.out == (
        "tile(float32[::1], float64[::1]), sm_90: 40 registers, spills 24 bytes stored and 16 loaded, 40 bytes stack, "
        "8192 bytes shared, 552 bytes constant\n"
        "  256 threads: 6 blocks and 48 of 64 warps a multiprocessor, 75 %, limited by registers\n"
        "bounded(float32[::1]), sm_90: 255 registers, no spills, 0 bytes stack, 0 bytes shared, 0 bytes constant\n"
        "  256 threads: 1 block and 8 of 64 warps a multiprocessor, 12.5 %, limited by registers\n"), result.out
    assert not (t.tmp / "k.ptx").exists() and not list((t.tmp / "temporary").iterdir())
    t.ok(ckc(t, "--usage"), env=env)
    assert (t.tmp / "k.ptx").exists()


def test_table_of_sizes(t):
    """As the arithmetic of the CUDA Programming Guide has it."""
    out = t.ok(ckc(t, "--usage", "--check"), env=stand_in(t)).out
    rows = [line.split() for line in out.splitlines() if re.match(r" +\d", line)]
    sizes = [int(row[0]) for row in rows]
    assert sizes == [32, 64, 96, 128, 192, 256, 384, 512, 768, 1024] + [32, 64, 96, 128], sizes
    for row in rows[:10]:
        threads, blocks, warps = int(row[0]), int(row[1]), int(row[2])
        per_block = -(-threads // 32)
        limits = {"threads": 2048 // (per_block * 32), "blocks": 32, "registers": 65536 // 1280 // 4 * 4 // per_block,
                  "shared memory": 228 * 1024 // (8192 + 1024)}
        assert blocks == min(limits.values()) and warps == blocks * per_block, row
        assert limits[" ".join(row[7:])] == blocks, row


def test_usage_of_specialisations(t):
    """Of generic kernels, with the types that --sig has."""
    env = stand_in(t)
    ptxas = t.tmp / "toolkit/bin/ptxas"
    ptxas.write_text(ptxas.read_text().replace("'tile'", "'generic'"))
    sigs = ["--sig", "generic(float32[::1])"]
    out = t.ok(ckc(t, "--usage=256", "--check", *sigs), env=env).out
    assert [line.split(",")[0] for line in out.splitlines() if line[0] != " "] == [
        "bounded(float32[::1])", "generic(float32[::1])"], out


def test_real_ptxas(t):
    t.need("ptxas", "/usr/local/cuda/bin/ptxas")
    out = t.ok(ckc(t, "--usage=128", "--emit=cubin")).out
    assert re.search(r"^tile\(.*\), sm_90: \d+ registers, no spills, .*8192 bytes shared", out), out
    assert (t.tmp / "k.cubin").read_bytes().startswith(b"\x7fELF")
    # The manifest came along.
    assert b"bounded" in (t.tmp / "k.cubin").read_bytes()


def test_cubin_by_options(t):
    env = stand_in(t)
    t.ok(ckc(t, "--emit=cubin", "-o", "a.cubin", "-lineinfo", "-O1"), env=env)
    assert (t.tmp / "a.cubin").read_text() == "cubin of it"
    arguments = (t.tmp / "arguments").read_text().split()
    assert arguments[:3] == ["-v", "-arch=sm_90", "-O1"] and "-lineinfo" in arguments, arguments
    t.fails(ckc(t, "--emit=cubin", "-o", "a.ptx"), 2, "the output `a.ptx` would be what --emit=cubin writes (*.cubin): add --emit=ptx")
    t.fails(ckc(t, "-o", "a.cubin"), 2, "the output `a.cubin` would be what --emit=ptx writes (*.ptx): add --emit=cubin")


def test_sass(t):
    env = stand_in(t)
    tool(t, "nvdisasm", "#!/bin/sh\necho \"SASS of $(cat \"$1\")\"\n")
    assert t.ok(ckc(t, "--emit=sass", "-o", "-"), env=env).out == "SASS of cubin of it\n"
    if os.path.exists("/usr/local/cuda/bin/nvdisasm"):
        return  # which would be taken before cuobjdump
    (t.tmp / "toolkit/bin/nvdisasm").unlink()
    tool(t, "cuobjdump", "#!/bin/sh\necho \"$1 of $(cat \"$2\")\"\n")
    t.ok(ckc(t, "--emit=sass"), env={**env, "PATH": "/usr/bin:/bin"})
    assert (t.tmp / "k.sass").read_text() == "-sass of cubin of it\n"
    assert not list((t.tmp / "temporary").iterdir())


def test_programs_that_fail(t):
    env = stand_in(t)
    tool(t, "ptxas", "#!/bin/sh\necho 'ptxas fatal : out of luck'\nexit 7\n")
    result = t.fails(ckc(t, "--emit=cubin"), 3, "ckc: error: ptxas failed with exit status 7\n", env=env)
    assert "ptxas fatal : out of luck" in result.err and not (t.tmp / "k.cubin").exists()
    tool(t, "ptxas", "#!/nonexistent/interpreter\n")
    t.fails(ckc(t, "--usage", "--check"), 3, "cannot run `", env=env)
    t.fails(ckc(t, "--usage", "--check"), 1, "cannot write `/nonexistent/ck-", env={**env, "TMPDIR": "/nonexistent"})
    tool(t, "ptxas", PTXAS)
    tool(t, "nvdisasm", "#!/bin/sh\necho sad\nexit 1\n")
    t.fails(ckc(t, "--emit=sass"), 3, "nvdisasm` failed with exit status 1\nsad", env=env)


def test_no_toolkit(t):
    env = without_toolkit(t)
    t.fails(ckc(t, "--usage", "--check"), 3, "--usage needs CUDA's ptxas, which is not in CUDA_HOME", env=env)
    t.fails(ckc(t, "--emit=cubin"), 3, "a cubin needs CUDA's ptxas, which is not in CUDA_HOME", env=env)


def test_usage_errors(t):
    for value in ("0", "1025", "x"):
        t.fails(ckc(t, f"--usage={value}"), 2, f"--usage=N takes the number of threads of a block, from 1 to 1024: `{value}`")
    t.fails(ckc(t, "--usage", "-o", "-"), 2, "--usage prints on standard output, where the output is to go: name a file by -o")
    t.fails([t.ckc, "--usage", "-"], 2, "or add --check")
    t.fails(ckc(t, "--usage", "--emit=deps"), 2, "--usage is of code, which this --emit does not make")


# --- ckrun, by the driver --------------------------------------------------------------------


def ckrun(t, *words, device="cuda"):
    return [t.ckrun, "--device", device, t.write("k.ck", SOURCE), *words]


def test_usage_of_launches(t):
    env = t.fake_cuda_env(func_attr="4=64,3=48,1=8192,2=520")
    words = ["tile[1, (16, 16), 0, 1000](x, y)", "generic[1, 32](x)", "x=zeros(300, float32)", "y=zeros(300)", "--usage"]
    out = t.ok(ckrun(t, *words), env=env).out
    figures = "64 registers, 48 bytes local, 8192 bytes shared, 520 bytes constant\n"
    assert out == (f"{words[0]}: {figures}  4 blocks and 32 of 64 warps a multiprocessor, 50 %, limited by registers\n"
                   f"{words[1]}: {figures}  25 blocks and 25 of 64 warps a multiprocessor, 39.06 %, limited by shared memory\n"), out
    usage = json.loads(t.ok(ckrun(t, *words, "--json"), env=env).out)["usage"]
    assert usage[0] == {"launch": words[0], "registers": 64, "local_bytes": 48, "shared_bytes": 8192, "constant_bytes": 520,
                        "max_threads": 1024, "threads": 256, "blocks": 4, "warps": 32, "occupancy": 0.5, "limit": "registers"}, usage


def test_usage_of_all_kernels(t):
    result = t.ok(ckrun(t, "--usage"), env=t.fake_cuda_env())
    assert result.out.count("32 registers") == 2 and "  threads  blocks     warps  occupancy  limited by" in result.out
    assert result.err == "ckrun: note: `generic` has code for the types of its arguments: --usage shows it for a launch\n"
    usage = json.loads(t.ok(ckrun(t, "--usage", "--json"), env=t.fake_cuda_env()).out)["usage"]
    assert [u["kernel"] for u in usage] == ["tile", "bounded"] and len(usage[0]["sizes"]) == 10


def test_unknown_architecture(t):
    out = t.ok(ckrun(t, "bounded[1, 32](x)", "x=zeros(300, float32)", "--usage"), env=t.fake_cuda_env(attr="75=9,76=9")).out
    assert out.endswith("  occupancy unknown\n"), out


def test_usage_on_the_cpu(t):
    t.fails(ckrun(t, "--usage", device="cpu"), 2, "--usage is of GPUs; without one, ckc --usage has it by CUDA's ptxas")
