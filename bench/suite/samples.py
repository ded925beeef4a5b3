"""The first CUDA device: CUDA's samples, layouts of particles and random numbers, each in ck and in
CUDA C++ with the same algorithm and launch: ckc's PTX, and launched by ck, beside nvcc -O3. Skipped
where there is no CUDA device."""

from . import pair_group
from .pair_group import PairGroup, Variant
from .sample_table import SAMPLES

LEAST = 0.98

GROUP = PairGroup("samples", SAMPLES, [
    Variant("PTX of ckc", (), "driver", (), LEAST, LEAST),
    Variant("launched by ck", ("-restrict", "-aligned", "-small", "-natural"), "ck", ("-restrict",), LEAST, LEAST)],
    headers={"generators": "curand_kernel.h"})

prepare, run, table = GROUP.prepare, GROUP.run, pair_group.table
