"""src/base/sm_limits.def against CUDA: ptxas ignores launch bounds that no multiprocessor can hold,
and cuda_occupancy.h has the number of blocks and the shared memory."""

import os
import re

KERNEL = """.version 9.0
.target sm_{arch}
.address_size 64
.visible .entry k() .maxntid {threads}, 1, 1 .minnctapersm {blocks} {{ ret; }}
"""

PROGRAM = """#include <stdio.h>
#include <string.h>
#include <cuda_occupancy.h>
int main(void)
{{
    const int archs[] = {{{archs}}};
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {{
        cudaOccDeviceProp device;
        memset(&device, 0, sizeof device);
        device.computeMajor = archs[i] / 10;
        device.computeMinor = archs[i] % 10;
        size_t most = 0, size;
        for (size_t kib = 1; kib <= 512; kib++) {{
            size = kib * 1024;
            if (cudaOccAlignUpShmemSizeVoltaPlus(&size, &device) == CUDA_OCC_SUCCESS)
                most = kib;
        }}
        int blocks = 0;
        cudaOccMaxBlocksPerMultiprocessor(&blocks, &device);
        printf("%d %zu\\n", blocks, most);
    }}
    return 0;
}}
"""


def rows(t):
    t.need_tree()
    text = (t.root / "src" / "base" / "sm_limits.def").read_text()
    found = [tuple(map(int, row)) for row in re.findall(r"^CK_SM_LIMITS\((\d+), (\d+), (\d+), (\d+), (\d+)\)", text, re.M)]
    assert len(found) > 10, found
    return found


def fits(t, ptxas, arch, threads, blocks):
    path = t.write("k.ptx", KERNEL.format(arch=arch, threads=threads, blocks=blocks))
    return "out of range" not in t.ok([ptxas, f"-arch=sm_{arch}", path, "-o", "/dev/null"]).err


def test_threads(t):
    ptxas = t.need("ptxas")
    for arch, threads, *_ in rows(t):
        assert fits(t, ptxas, arch, 256, threads // 256), (arch, threads)
        assert not fits(t, ptxas, arch, 256, threads // 256 + 1), (arch, threads)


def test_blocks_and_shared_memory(t):
    include = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(t.need("ptxas"))), "..", "include"))
    if not os.path.exists(os.path.join(include, "cuda_occupancy.h")):
        t.skip("the toolkit has no cuda_occupancy.h")
    table = rows(t)
    source = t.write("sizes.c", PROGRAM.format(archs=", ".join(str(row[0]) for row in table)))
    t.ok([t.need("cc"), "-w", f"-I{include}", "-o", "sizes", source])
    assert t.ok(["./sizes"]).out.splitlines() == [f"{blocks} {shared}" for _, _, blocks, shared, _ in table], table
