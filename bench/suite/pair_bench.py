"""The first CUDA device: kernels that ck's authors did not tune for, beside the same in CUDA C++
with int indices: ckc's PTX beside nvcc -O3, and launched by ck beside nvcc -O3 -restrict. Skipped
where there is no CUDA device."""

from . import pair_group
from .pair_group import PairGroup, Variant
from .pair_table import PAIRS

GROUP = PairGroup("suite", PAIRS, [
    Variant("PTX of ckc", (), "driver", (), 0.88, 0.97),
    Variant("launched by ck", ("-restrict", "-aligned", "-small", "-natural"), "ck", ("-restrict",), 0.95, 1.0)])

prepare, run, table = GROUP.prepare, GROUP.run, pair_group.table
