"""The PTX is launched by programs that know nothing of ck: by the CUDA driver API from C, and by
CuPy. Both need a GPU."""

import json
import sys
from pathlib import Path


def compiled_rows(t):
    """(PTX file, name of its entry)"""
    source, ptx = t.examples / "sequential_rows.ck", t.tmp / "rows.ptx"
    t.ok([t.ckc, "-o", ptx, source])
    manifest = json.loads(t.ok([t.ckc, "--emit=manifest", "-o", "-", source]).out)
    return ptx, manifest["kernels"][0]["entry"]


def build_driver_launch(t):
    source = Path(__file__).with_name("driver_launch.c")
    program = t.tmp / "driver_launch"
    t.ok([t.need("cc", "gcc"), "-std=gnu11", "-Wall", "-Wextra", "-o", program, source, "-ldl"])
    return program


def test_driver_api(t):
    result = t.run([build_driver_launch(t), *compiled_rows(t)])
    if result.rc == 3:
        t.skip("no CUDA device")
    assert result.rc == 0, result


def test_driver_api_calls(t):
    """The same program against the fake driver, which takes the entry's name and the launch."""
    log = t.tmp / "calls"
    ptx, entry = compiled_rows(t)
    result = t.run([build_driver_launch(t), ptx, entry], env=t.fake_cuda_env(log=log))
    assert "elements are wrong" in result.out, result  # the fake driver computes nothing
    assert f"cuLaunchCooperativeKernel {entry} grid=(32,1,1) block=(32,1,1)" in log.read_text()


CUPY = """
import sys
try:
    import cupy
    if not cupy.cuda.runtime.getDeviceCount():
        sys.exit(3)
except Exception as error:
    print(error)
    sys.exit(3)
import numpy as np
module = cupy.RawModule(path=sys.argv[1], enable_cooperative_groups=True)
rows = cupy.zeros((1024, 1024), np.int32)
module.get_function(sys.argv[2])((32,), (32,), (rows, np.int64(1024), np.int64(1024)))
assert (rows.get() == np.tile(np.arange(1024), (1024, 1)).T).all(), rows
"""


def test_cupy(t):
    result = t.run([sys.executable, "-c", CUPY, *compiled_rows(t)], timeout=120)
    if result.rc == 3:
        t.skip("no CuPy, or no CUDA device")
    assert result.rc == 0, result
