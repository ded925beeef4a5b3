"""Two real GPUs: kernels run where their arrays lie. Without them the driver's stand-in has several
devices in cuda_arrays.py and kernels_in_python.py."""

from python.common import environment, python, script

TWO = '''
from ck import cuda
first, second = cuda.gpus[0], cuda.gpus[1]
def on(gpu, values):
    with gpu:
        return cuda.to_device(values)
'''


def on_two(t, text):
    count = t.ok([python(t), "-c", "from ck import _core; print(_core.gpu_count())"],
                 env=environment(t)).out
    if int(count) < 2:
        t.skip("there are no two GPUs")
    script(t, TWO + text, on=("cuda",))


def test_arrays_of_each(t):
    on_two(t, '''
x = rng.integers(0, 100, (5, 7)).astype(np.int32)
frozen = x.copy()
frozen.flags.writeable = False
for gpu in (first, second, first):
    there, out = on(gpu, x), on(gpu, np.zeros_like(x))
    mod.copy2[1, (8, 8)](there, out)
    assert (out.copy_to_host() == x).all()
    mod.copy2[1, (8, 8)](frozen.T, on(gpu, np.zeros_like(x.T)))
    fresh = on(gpu, np.zeros_like(x))
    mod.copy2[1, (8, 8)](frozen, fresh)        # copied to the GPU of the other array
    assert (fresh.copy_to_host() == x).all()
raises(ValueError, "lies on GPU", lambda: mod.copy2[1, (8, 8)](on(first, x), on(second, x)))
''')


def test_threads_with_a_device_each(t):
    """Each thread has its device; a kernel of both is compiled for each."""
    on_two(t, '''
@cuda.jit
def scale(x, a):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= a

failures = []
def work(ordinal, a):
    try:
        cuda.select_device(ordinal)
        stream = cuda.stream()
        values = np.arange(1000, dtype=np.float32)
        for _ in range(20):
            x = cuda.to_device(values)
            scale[4, 256, stream](x, np.float32(a))
            stream.synchronize()
            assert (x.copy_to_host() == values * a).all()
    except BaseException as error:
        failures.append(error)

threads = [threading.Thread(target=work, args=(n % 2, n + 2)) for n in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
''')
