"""Names that programs for Numba use and ck.cuda lacks: the exception says what to use instead."""

from python.common import fake_gpu, script


def test_what_to_use_instead(t):
    script(t, '''
import ck.types
from ck import cuda
for name, hint in (("njit", "from numba import njit"), ("prange", "keep Numba's own"), ("jit", "from numba import jit")):
    raises(NotImplementedError, hint, lambda: getattr(ck, name))
raises(NotImplementedError, "keep Numba's own", lambda: exec("from ck import njit"))
raises(AttributeError, "has no attribute 'nonsense'", lambda: ck.nonsense)
raises(AttributeError, "has no attribute 'nonsense'", lambda: ck.types.nonsense)
raises(AttributeError, "ck.cuda has no nonsense", lambda: cuda.nonsense)
raises(AttributeError, "no NONSENSE", lambda: cuda.get_current_device().NONSENSE)
for name, hint in (("simulator", "CK_DEVICE=cpu"), ("mapped", "mapped_array"), ("compile", "compile_ptx"),
                   ("open_ipc_handle", "PyTorch"), ("set_memory_manager", "PyTorch"), ("runtime", "no CUDA runtime")):
    raises(NotImplementedError, hint, lambda: getattr(cuda, name))
for decorate in (ck.vectorize, ck.guvectorize):
    raises(NotImplementedError, "keep Numba's for other targets", lambda: decorate(["float32(float32)"], "()->()"))
    raises(NotImplementedError, "not 'parallel'", lambda: decorate(["float32(float32)"], target="parallel", **(
        {"signature": "()->()"} if decorate is ck.guvectorize else {})))
raises(ValueError, "layout", lambda: ck.types.Array(ck.float32, 2, "X"))
raises(TypeError, "no type for a 'list'", lambda: ck.typeof([]))
@cuda.jit
def kernel(x):
    x[0] = 1
kernel[1, 1](np.zeros(1))
for call, hint in ((kernel.inspect_types, "ck-lsp"), (kernel.get_const_mem_size, "ptxas"),
                   (cuda.to_device(np.zeros(1)).get_ipc_handle, "PyTorch"),
                   (lambda: cuda.compile_ptx(kernel, "void(int32)", device=True), "kernels contain its code")):
    raises(NotImplementedError, hint, call)
raises(KeyError, "float32", lambda: kernel.overloads[(ck.float32[:],)])
made = {}
exec("from ck import cuda\\n@cuda.jit\\ndef k(x):\\n    x[0] = 1\\n", made)
raises(OSError, "ck.compile(text=...) takes text", lambda: made["k"][1, 1](np.zeros(1)))
''', on=["cpu"])


def test_shared_memory_on_a_gpu(t):
    """Mapped and managed arrays are used where they lie."""
    log = fake_gpu(t, '''
from ck import cuda
import ctypes
assert cuda.get_current_device().uuid == "GPU-00102030-4050-6070-8090-a0b0c0d0e0f0"
for make in (cuda.managed_array, cuda.mapped_array):
    x = make(8, dtype=np.int32)
    x[:] = 0
    mod.fixed[1, 8](x)
    assert x.view(np.uint8)[0] == 9, x  # what the stand-in's kernels store
    assert cuda.is_cuda_array(x) and cuda.as_cuda_array(x).shape == (8,)
cuda.mapped_array(3, portable=True, wc=True)
with cuda.profiling():
    pass
''', store=9)
    assert "cuProfilerStart" in log and "cuProfilerStop" in log, log
    assert not any(line.startswith("cuMemcpy") for line in log), log
    assert any("cuMemHostAlloc" in line and line.endswith(" 7") for line in log), log
