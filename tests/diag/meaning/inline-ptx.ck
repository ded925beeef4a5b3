# Every spelling of inline PTX has one error that says so.
import numba
from numba import cuda
from numba.cuda import inline_ptx
from numba.cuda import inline_ptx as ptx_of, inline_asm

@kernel
def spelled(a: float32[:]):
    cuda.inline_ptx("mov.u32 %0, %laneid;")
    numba.cuda.inline_ptx("bar.sync 0;")
    inline_ptx("bar.sync 0;")
    ptx_of("bar.sync 0;")
    inline_asm("bar.sync 0;")
    asm("bar.sync 0;")
    __asm__("bar.sync 0;")
    cuda.asm("bar.sync 0;")
    cuda.inline_asm("bar.sync 0;")
    cuda.inlineasm("bar.sync 0;")
    cuda.ptx("bar.sync 0;")
    a[0] = inline_asm_elementwise("bar.sync 0;")
