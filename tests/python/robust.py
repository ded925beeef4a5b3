"""Memory over many launches, threads, forked processes, the end of the interpreter, exceptions and
finalizers in the middle of a launch."""

import shutil
from pathlib import Path

from python.common import KERNELS, environment, fake_gpu, free_threaded, python, script
from python.cuda_arrays import DLPACK

RSS = '''
import resource
def grown_by(work, least):
    """How many KiB the process grows by, after a first time."""
    work(least)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(10 * least)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
LIMIT = 1 << 20 if "LD_PRELOAD" in os.environ else 4000
'''


def test_memory_over_a_million_launches(t):
    many = 2000 if t.sanitized else 100000
    script(t, f"MANY = {many}\n" + RSS + '''
from ck import cuda
x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
kernel = mod.axpy
def launches(n):
    for _ in range(n):
        kernel[1, 4](2.0, x, y)
assert grown_by(launches, MANY) < LIMIT
@cuda.jit
def k(a, x, t):
    x[0] = a + t[0]
d = cuda.to_device(x)
def of_numba(n):
    for _ in range(n):
        k[1, 1](1, d, (2, 3.5))
assert grown_by(of_numba, MANY // 10) < LIMIT
''', on=["cpu"])


def test_memory_of_all_else(t):
    """Failed launches, copies, lookups, modules, signatures, streams."""
    many = 20 if t.sanitized else 300
    script(t, f"MANY = {many}\n" + RSS + '''
from ck import cuda
frozen = np.zeros(20000)
frozen.flags.writeable = False
def failing(n):
    for _ in range(n):
        for args in ((1, frozen, [1]), (1, frozen, frozen), (1,), (None, 1, 2), ("a",), ((1, (2, object())), 1, 1)):
            try:
                mod.axpy[1, 32](*args)
            except (TypeError, ValueError, ck.Error):
                pass
        for name in ("axpi", "nested"):
            getattr(mod, name, None)
        for shape in ((0, 1), (1, 0), "ab", (1, 1, object()), (1, 1, 0, "x")):
            try:
                mod.axpy[shape]
            except (TypeError, ValueError):
                pass
        mod.fixed.signatures, mod.fixed.parameters, mod.kernels, mod.device, repr(mod.fixed)
assert grown_by(failing, MANY) < LIMIT
def arrays(n):
    for _ in range(n):
        d = cuda.to_device(np.zeros(10000))
        d[1:5][::2].copy_to_host()
        cuda.pinned_array(10000)
        cuda.stream().synchronize()
        cuda.event().record()
assert grown_by(arrays, MANY) < LIMIT
def modules(n):
    for i in range(n // 10):
        ck.compile(text=KERNELS + f"\\nN{i} = 1\\n", check="").fixed[1, 4](np.zeros(4, np.int32))
        @cuda.jit
        def closure(x, a=None):
            x[0] = i
        closure[1, 1](np.zeros(1), None)
        closure[1, 1](np.zeros(1), 2)
        try:
            ck.compile(text="@kernel\\ndef k(x: int32[:]):\\n    x[0] = y\\n")
        except ck.CompileError as error:
            error.diagnostics
assert grown_by(modules, MANY) < 5 * LIMIT
''', on=["cpu"])


def test_memory_of_records(t):
    """Arguments that are records, scalars that are converted, dtypes that are refused."""
    many = 20 if t.sanitized else 300
    script(t, f"MANY = {many}\n" + RSS + '''
records = ck.compile(check="", text="""
Pair = record(key=int32, value=float32)
@kernel
def place(p, y):
    y[0] = p.key
@kernel
def value(p: Pair, n: int8, y: float64[:]):
    y[0] = p.key + n
""")
y = np.zeros(1)
def launches(n):
    for i in range(n):
        dtype = np.dtype([("key", np.int32), ("value", np.float32)])
        x = np.zeros(20000, dtype)
        records.place[1, 1](x[3], y)
        records.value[1, 1](x[4], 100, y)
        wide = np.zeros(3, [(f"field{k}", np.float64, (2, 2)) for k in range(50)] + [("bad", "U9")])
        for args in ((wide[0], 1, y), (x[4], 1000, y), (x, 1, y), (x[4], 1.5, y), (wide, y)):
            try:
                (records.place if len(args) == 2 else records.value)[1, 1](*args)
            except (TypeError, OverflowError, ck.Error):
                pass
assert grown_by(launches, MANY) < LIMIT
pair = np.dtype([("key", np.int32), ("value", np.float32)])
x = np.zeros(5, pair)
one = x[2]
kept = [x, one, pair, y]
import sys
def each():
    records.place[1, 1](one, y)
    records.value[1, 1](one, 3, y)
    records.place[1, 1](x[1], y)
    try:
        records.value[1, 1](x, 3, y)
    except ck.Error:
        pass
each()
before = [sys.getrefcount(item) for item in kept]
for _ in range(50):
    each()
assert before == [sys.getrefcount(item) for item in kept]
''', on=["cpu"])


def test_memory_on_a_gpu(t):
    """Copies, arrays by each protocol, waits for streams, failures: with the driver's stand-in."""
    many = 20 if t.sanitized else 400
    text = f"MANY = {many}\n" + RSS + DLPACK + '''
from ck import cuda
streams = [gpu.stream_create(1) for _ in range(2)]
host = np.zeros((40, 500), np.int32)
frozen = np.zeros((40, 500), np.int32)
frozen.flags.writeable = False
there = _core.gpu(1).allocate(256)
address = gpu.allocate(256)
def launches(n):
    for _ in range(n):
        mod.copy2[1, 8](host, host[::2, ::-1])
        mod.copy2[1, 8, streams[0]](frozen, Cai(shape=(4, 4), stream=streams[1], address=address))
        mod.copy2[1, 8](Dl(shape=(4, 4), address=address), Dl(shape=(4, 4), address=address, old=True))
        mod.fixed[1, 8](Cai(address=there))
        for args in ((host, Cai(address=5)), (Dl(lanes=2, address=address), host), (Cai(mask=1, address=address), host), (host, [])):
            try:
                mod.copy2[1, 8](*args)
            except (TypeError, ValueError):
                pass
        d = cuda.to_device(host)
        d[3:7, ::5].copy_to_host()
        cuda.pinned_array(5000)
        cuda.stream(), cuda.event()
assert grown_by(launches, MANY) < LIMIT
'''
    path = t.write("script.py", KERNELS + text)
    env = t.fake_cuda_env(devices=2)
    t.ok([python(t), path], env=environment(t, CK_DEVICE="cuda", **env), timeout=180)


def test_references(t):
    """A launch, right or wrong, leaves the counts of references as they were."""
    script(t, '''
import sys
x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
pair, text, scalar = (x, 2), "a", np.float32(3)
kept = [x, y, pair, text, scalar, None, mod, mod.axpy, ck.max]
class Stream:
    def __cuda_stream__(self):
        return 0, 0
stream = Stream()
kept.append(stream)
def each():
    mod.axpy[1, 4](scalar, x, y)
    mod.axpy[1, 4, stream](1, x=x, y=y)
    for args in ((text, x, y), (1, x), (1, pair, y), (None, x, y)):
        try:
            mod.axpy[1, 4](*args)
        except (TypeError, ck.Error):
            pass
each()
before = [sys.getrefcount(one) for one in kept]
for _ in range(50):
    each()
after = [sys.getrefcount(one) for one in kept]
same = [a == b or one is None for a, b, one in zip(before, after, kept)]
assert all(same), list(zip(before, after, kept))
''', on=["cpu"])


def test_threads(t):
    """Launches and compilations of several threads at once, of one module and of many."""
    script(t, '''
from ck import cuda
@cuda.jit
def shared(x, n):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += n
@cuda.jit
def bump(r):
    r[cuda.threadIdx.x].a += 1
failures = []
def work(number):
    try:
        own = ck.compile(text=KERNELS, check="", device=device)
        x, y = np.ones(32), np.zeros(32)
        z = np.zeros(32)
        for _ in range(60):
            own.axpy[1, 32](1, x, y)
            mod.axpy[1, 32](1, x, y)
            shared[1, 32](z, number)
        assert (y == 120).all() and (z == 60 * number).all()
        record = np.zeros(3, [("a", np.int32), (f"b{number % 2}", np.float64)])
        bump[1, 3](record)
        assert (record["a"] == 1).all()
        for dtype in ("int8", "int16", "int32", "int64", "float32"):
            shared[1, 32](np.zeros(32, dtype), 1)
    except BaseException as error:
        failures.append(error)
threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not failures, failures
''')


def test_gil_is_released(t):
    """Another thread runs while a kernel does."""
    script(t, '''
slow = ck.compile(text="""
@kernel
def spin(x: float64[::1], n: int64):
    for i in range(n):
        x[0] = x[0] * 0.999 + 1
""", check="", device="cpu")
import time
x = np.zeros(1)
slow.spin[1, 1](x, 10)
thread = threading.Thread(target=lambda: slow.spin[1, 1](x, 100_000_000))
thread.start()
waits = 0
while thread.is_alive():
    waits += 1
    time.sleep(0.001)
assert waits > 20, waits
''', on=["cpu"])


ENDLESS = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
endless = ck.compile(text='''
@kernel
def blocks(x: int32[:]):
    x[0] = 1

@kernel
def at_grid(x: int32[:]):
    g = this_grid()
    while x[1] == 0:
        x[0] = 1
        g.sync()

@kernel
def at_block(x: int32[:]):
    while not syncthreads_or(x[1]):
        x[0] = 1

@kernel
def around_barrier(x: int32[:]):
    while True:
        for i in range(3):
            x[0] = x[0] + 1
            syncthreads()

@kernel
def spins(x: int32[:]):
    x[0] = 1
    while atomic.add(x, 1, 0) == 0:
        atomic.add(x, 2, 1)
''', check="", device="cpu")
x = np.zeros(4, np.int32)
def interrupt_self():
    os.kill(os.getpid(), signal.SIGINT)
def interrupt_after(seconds, how=interrupt_self):
    timer = threading.Timer(seconds, how)
    timer.start()
    return timer
def interrupt_once_it_runs(how=interrupt_self):
    x[0] = 0  # which the kernel sets
    def wait():
        while not x[0]:
            time.sleep(0.001)
        how()
    thread = threading.Thread(target=wait)
    thread.start()
    return thread
"""


def test_interrupted_launch(t):
    """Ctrl-C ends a launch between its blocks, at barriers and where threads wait."""
    script(t, ENDLESS + '''
MANY = (2**31 - 1, 65535)
checked = ck.compile(text="@kernel\\ndef k(x: int32[:]):\\n    atomic.add(x, 0, 1)\\n", check="race", device="cpu")
reverse = ck.compile(text="@kernel\\ndef k(x: int32[:]):\\n    x[0] = 1\\n", check="", device="cpu", schedule="reverse")
for launch in (lambda: endless.blocks[MANY, 1](x), lambda: endless.at_grid[4, 8](x),
               lambda: reverse.k[MANY, 32](x), lambda: endless.spins[1, 1](x),
               lambda: endless.at_block[1, 32](x), lambda: endless.around_barrier[2, 8](x),
               lambda: checked.k[2**22, 1023](x)):
    x[:] = 0
    interrupter = interrupt_once_it_runs()
    raises(KeyboardInterrupt, "", launch)
    interrupter.join()
    endless.blocks[1, 1](x)
from ck import cuda
@cuda.jit
def endless_in_python(x):
    g = cuda.cg.this_grid()
    while x[1] == 0:
        x[0] = 1
        g.sync()
x[:] = 0
interrupter = interrupt_once_it_runs()
raises(KeyboardInterrupt, "", lambda: endless_in_python[1, 1](x))
interrupter.join()
''', on=["cpu"])


def test_interrupted_wait(t):
    """Ctrl-C while another thread's launch keeps the module."""
    script(t, ENDLESS + '''
other = threading.Thread(target=lambda: raises(KeyError, "never", lambda: endless.at_grid[1, 1](x)), daemon=True)
other.start()
while not x[0]:
    time.sleep(0.001)
timer = interrupt_after(0.1)
raises(KeyboardInterrupt, "", lambda: endless.blocks[1, 1](x))
timer.join()
x[1] = 1
other.join()
''', on=["cpu"])


def test_signals_of_others(t):
    """The signal may arrive in any thread; a program's own handler is called after the launch."""
    script(t, ENDLESS + '''
idle = threading.Thread(target=time.sleep, args=(60,), daemon=True)
idle.start()
interrupter = interrupt_once_it_runs(lambda: signal.pthread_kill(idle.ident, signal.SIGINT))
raises(KeyboardInterrupt, "", lambda: endless.at_grid[1, 1](x))
interrupter.join()

called = []
signal.signal(signal.SIGINT, lambda number, frame: called.append(x[2]))
def release():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)
    x[1:] = 1
x[1:] = 0
interrupter = interrupt_once_it_runs(release)
endless.at_grid[1, 1](x)
interrupter.join()
assert called == [1], called

signal.signal(signal.SIGINT, signal.SIG_IGN)
x[1] = 0
interrupter = interrupt_once_it_runs(release)
endless.at_grid[1, 1](x)
interrupter.join()

signal.signal(signal.SIGINT, signal.default_int_handler)
x[1] = 1
endless.at_grid[1, 1](x)
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
timer = interrupt_after(0.1)
raises(KeyboardInterrupt, "", lambda: time.sleep(100))
''', on=["cpu"])


def test_interrupted_loop_with_checks(t):
    """With checks of memory, each access of an element ends a block that is interrupted."""
    script(t, ENDLESS + '''
text = """
@kernel
def counts(x: int32[:]):
    x[0] = 1
    while True:
        x[2] += 1

@kernel
def counts_between_barriers(x: int32[:]):
    s = shared.array(32, int32)
    s[threadIdx.x] = x[3]
    syncthreads()
    if threadIdx.x == 0:
        x[0] = 1
        while s[1] == x[3]:
            x[2] += 1
    syncthreads()

@kernel
def after(x: int32[:]):
    x[2] = 5
"""
for checks in ("race", "init", "all"):
    mod = ck.compile(text=text, check=checks, device="cpu", warnings_off=["endless-loop"])
    for kernel in (mod.counts, mod.counts_between_barriers):
        x[:] = 0
        interrupter = interrupt_once_it_runs()
        raises(KeyboardInterrupt, "", lambda: kernel[2, 32](x))
        interrupter.join()
        assert x[2] > 0
        mod.after[1, 1](x)
        assert x[2] == 5
''', on=["cpu"])


def test_interrupted_block(t):
    """A block that neither ends nor waits is not interrupted: the signal is raised at its end."""
    script(t, ENDLESS + '''
slow = ck.compile(text="""
@kernel
def k(x: float64[::1], n: int64):
    for i in range(n):
        x[0] = x[0] * 0.999 + 1
    x[1] = 1
""", check="", device="cpu")
x = np.zeros(2)
slow.k[1, 1](x, 10)
x[1] = 0
timer = interrupt_after(0.05)
raises(KeyboardInterrupt, "", lambda: slow.k[1, 1](x, 100_000_000))
timer.join()
assert x[1] == 1
slow.k[1, 1](x, 10)
''', on=["cpu"])


def test_subinterpreters(t):
    """Those that share the GIL have the package to themselves; others cannot import it."""
    script(t, '''
try:
    import _xxsubinterpreters as subinterpreters
    create, run, new = (lambda: subinterpreters.create(isolated=False)), subinterpreters.run_string, False
except ImportError:
    import _interpreters as subinterpreters
    create, run, new = (lambda: subinterpreters.create("legacy")), subinterpreters.exec, True
CODE = """
import ck, ctypes
class Array:
    def __init__(self):
        self.items = (ctypes.c_int32 * 4)()
        self.__array_interface__ = {"shape": (4,), "typestr": "<i4", "version": 3,
                                    "data": (ctypes.addressof(self.items), False)}
mod = ck.compile(text="@kernel\\\\ndef k(x: int32[:]):\\\\n    x[grid(1)] = 7\\\\n", device="cpu")
x = Array()
mod.k[1, 4](x)
assert list(x.items) == [7] * 4
for wrong, error in ((lambda: mod.k[1, 4]([1]), TypeError), (lambda: ck.compile(text="?"), ck.CompileError)):
    try:
        wrong()
        raise AssertionError(error)
    except error:
        pass
"""
for _ in range(2):
    made = [create() for _ in range(3)]
    for one in made:
        failure = run(one, CODE)
        assert failure is None, failure
    for one in made:
        subinterpreters.destroy(one)
exec(CODE)
if new:
    failure = run(subinterpreters.create(), "import ck")
    assert "does not support loading in subinterpreters" in failure.formatted, failure
''', on=["cpu"])


def test_fork(t):
    """The CPU device goes on in a forked process, for several levels; so does the parent."""
    script(t, '''
import warnings
warnings.simplefilter("ignore")
from ck import cuda
@cuda.jit
def k(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
x = np.zeros(10000)
kernel = mod.fixed
k[40, 256](x)
kernel[2, 32](np.zeros(64, np.int32))
def child():
    y = np.zeros(64, np.int32)
    kernel[2, 32](y)
    mod.fixed[2, 32](y)
    assert (y == 7).all()
    k[40, 256](x)
    assert (x == 2).all()
    ck.compile(text=KERNELS, check="").fixed[2, 32](y)
def run(body):
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            body()
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
run(child)
run(lambda: run(child))
k[40, 256](x)
assert (x == 2).all()
import multiprocessing
def task(n):
    z = np.full(1000, n)
    k[4, 256](z)
    return int(z.sum())
with multiprocessing.get_context("fork").Pool(3) as pool:
    assert pool.map(task, range(8)) == [1000 * (n + 1) for n in range(8)]
''', on=["cpu"])


def test_fork_while_a_thread_launches(t):
    """The child gets an exception or the result, never a hang."""
    script(t, '''
import warnings
warnings.simplefilter("ignore")
stop = threading.Event()
def busy():
    x = np.zeros(64, np.int32)
    while not stop.is_set():
        mod.fixed[2, 32](x)
thread = threading.Thread(target=busy)
thread.start()
for _ in range(20):
    pid = os.fork()
    if pid == 0:
        y = np.zeros(64, np.int32)
        try:
            mod.fixed[2, 32](y)
            assert (y == 7).all()
        except RuntimeError as error:
            assert "compile it again" in str(error), error
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
stop.set()
thread.join()
''', on=["cpu"])


def test_fork_with_a_gpu(t):
    fake_gpu(t, '''
import warnings
warnings.simplefilter("ignore")
mod.fixed[1, 8](np.zeros(8, np.int32))
pid = os.fork()
if pid == 0:
    try:
        mod.fixed[1, 8](np.zeros(8, np.int32))
    except RuntimeError as error:
        os._exit(0 if "spawn" in str(error) else 1)
    os._exit(2)
assert os.waitpid(pid, 0)[1] == 0
mod.fixed[1, 8](np.zeros(8, np.int32))
''')


def exits(t, text):
    """The script's process ends with 0 and says nothing."""
    path = t.write("script.py", KERNELS + text)
    for device in ("cpu",):
        result = t.ok([python(t), path], env=environment(t, CK_DEVICE=device))
        assert not result.err, result


def test_interpreter_exit(t):
    """With objects alive everywhere, with a thread that launches, and in exit functions."""
    exits(t, '''
import atexit, builtins
from ck import cuda
x = cuda.to_device(np.zeros(64, np.int32))
builtins.kept = [mod, mod.fixed, mod.fixed[2, 32], x, ck.CheckError("text"), cuda.stream()]
atexit.register(lambda: mod.fixed[2, 32](np.zeros(64, np.int32)))
class AtTheEnd:
    def __del__(self):
        mod.fixed[2, 32](np.zeros(64, np.int32))
builtins.last = AtTheEnd()
''')
    exits(t, '''
def work():
    x = np.zeros(64, np.int32)
    while True:
        mod.fixed[2, 32](x)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
import time
time.sleep(0.2)
''')
    exits(t, '''
import gc
cycle = [mod]
cycle.append(cycle)
del mod, cycle
gc.collect()
sys_modules = __import__("sys").modules
del sys_modules["ck"], sys_modules["ck._core"], ck
gc.collect()
''')


def test_exceptions_in_the_middle(t):
    """What an argument raises comes through; nothing is launched, and the module goes on."""
    script(t, '''
class Raises:
    def __init__(self, error):
        self.error = error
    @property
    def __array_interface__(self):
        raise self.error
x = np.zeros(8, np.int32)
for error in (KeyError("k"), KeyboardInterrupt(), RuntimeError("r"), MemoryError()):
    try:
        mod.copy2[1, 8](np.zeros((2, 2)), Raises(error))
    except type(error) as found:
        assert found is error
    else:
        raise AssertionError(error)
class Launches:
    """A launch in the middle of another's arguments."""
    @property
    def __array_interface__(self):
        mod.fixed[1, 8](x)
        return x.__array_interface__
mod.fixed[1, 8](Launches())
assert (x == 7).all()
class Wrong:
    def __init__(self, **changes):
        self.__array_interface__ = {**x.__array_interface__, **changes}
for changes in ({"shape": 3}, {"shape": (1,) * 9}, {"shape": ("a",)}, {"typestr": 4}, {"typestr": "i4"},
                {"data": None}, {"data": (1,)}, {"data": ("p", False)}, {"strides": (4, 4)}, {"shape": None}):
    raises(TypeError, "", lambda: mod.fixed[1, 8](Wrong(**changes)))
raises(ck.LaunchError, "", lambda: mod.fixed[1, 8](Wrong(shape=(-1,))))
for shape in ((2**62,), (2**63 - 1,), (2**40, 2**40)):
    raises(ValueError, "larger than the address space", lambda: mod.race[1, 8](Wrong(shape=shape)))
far = {"shape": (3, 3), "strides": (2**62, 2**62), "data": (x.ctypes.data, True)}
raises(ValueError, "larger than the address space", lambda: mod.race[1, 8](Wrong(**far)))
class NoDict:
    __array_interface__ = 5
raises(TypeError, "no dict", lambda: mod.fixed[1, 8](NoDict()))
deep = 1
for _ in range(17):
    deep = (deep,)
raises(TypeError, "deeper than", lambda: mod.nested[1, 1](deep, x))
mod.fixed[1, 8](x)
''', on=["cpu"])


def test_free_threaded(t):
    """A free-threaded Python has no stable ABI: it needs a package of its own, and says so."""
    if free_threaded(t):
        t.skip("this is one")
    tool = shutil.which("python3.13t") or shutil.which("python3.14t")
    if tool:
        script = t.write("script.py", "import ck")
    else:  # as it would be
        shutil.copytree(Path(t.ok([python(t), "-c", "import ck; print(ck.__path__[0])"],
                                  env=environment(t)).out.strip()), t.tmp / "other" / "ck",
                        ignore=lambda folder, names: [name for name in names if "_core" in name])
        script = t.write("other/script.py", "import sys\nsys.abiflags = 't'\nimport ck")
        tool = python(t)
    t.fails([tool, script], 1, "this installation of ck is for Pythons with the GIL",
            env=environment(t))


def test_gil_stays_off(t):
    """The package of a free-threaded Python does not switch the GIL on; all threads launch at
    once."""
    if not free_threaded(t):
        t.skip("this Python has the GIL")
    script(t, '''
import sys
from ck import cuda
assert not sys._is_gil_enabled()
@cuda.jit
def add(x, n):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += n
def rush(count, work):
    """Calls work(0), work(1), ... in threads that begin together."""
    failures, gate = [], threading.Barrier(count)
    def one(number):
        try:
            gate.wait()
            work(number)
        except BaseException as error:
            failures.append(error)
    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures, failures
for round in range(20):
    # All look up the same kernels for the first time, of a module that nobody has used.
    fresh = ck.compile(text=KERNELS, check="", device=device)
    def first(number):
        x, y = np.ones(32), np.zeros(32)
        fresh.axpy[1, 32](number, x, y)
        assert (y == number).all()
    rush(8, first)
    assert fresh.axpy.signatures == ["(int64, float64[::1], float64[::1])"], fresh.axpy.signatures
    @cuda.jit
    def again(x):
        x[cuda.grid(1)] += round
    def jit(number):
        x = np.zeros(32, ("float32", "float64", "int32", "int64")[number % 4])
        again[1, 32](x)
        assert (x == round).all()
        record = np.zeros(3, [("a", np.int32), (f"b{round}", np.float64)])
        @cuda.jit
        def bump(r):
            r[cuda.threadIdx.x].a += 1
        bump[1, 3](record)
        assert (record["a"] == 1).all()
        for _ in range(50):
            add[1, 32](x, 1)
        assert (x == round + 50).all()
    rush(8, jit)
assert not sys._is_gil_enabled()
''')


def other_pythons(t):
    """The Pythons that are installed, this one too."""
    names = [f"python3.{minor}" for minor in range(9, 20)]
    found = {shutil.which(name) for name in names}
    for name in names:
        found.update(map(str, Path.home().glob(f".pyenv/versions/{name[6:]}.*/bin/{name}")))
    return {one for one in found if one and t.run([one, "-c", ""]).rc == 0}


def test_headers_of_other_pythons(t):
    """The core compiles with the headers of each, whose limited API may declare less."""
    include = "import sysconfig; print(sysconfig.get_path('include'))"
    folders = {t.ok([one, "-c", include]).out.strip() for one in other_pythons(t)}
    folders = {folder for folder in folders if (Path(folder) / "Python.h").exists()}
    if t.build is None or not folders or not shutil.which("gcc"):
        t.skip("no sources here, no Python.h or no gcc")
    for folder in folders:
        t.ok(["gcc", "-std=gnu11", "-fsyntax-only", "-Werror=implicit-function-declaration", "-Wall", "-Werror",
              "-I", t.root / "include", "-I", folder, *sorted((t.root / "python").glob("*.c"))])


def test_other_pythons(t):
    """The same binary in each Python that is installed beside this one; without NumPy it works on
    what has an array interface."""
    found = other_pythons(t)
    if t.sanitized or t.layout.python or len(found) < 2:
        t.skip("no other Python from 3.9 on")
    path = t.write("plain.py", '''
import array, ck
class A:
    def __init__(self, n):
        self.memory = array.array("i", [0] * n)
        self.__array_interface__ = {"shape": (n,), "typestr": "<i4", "version": 3, "data": (self.memory.buffer_info()[0], False)}
mod = ck.compile(text="""
@kernel
def k(x, a=3):
    x[grid(1)] = a
""", device="cpu")
x = A(64)
mod.k[2, 32](x, a=5)
assert set(x.memory) == {5} and mod.k.signatures == ["(int32[::1], int64)"]
try:
    ck.compile(text="@kernel\\ndef k(x: int32[:]):\\n    x[0] = y\\n")
except ck.CompileError as error:
    assert error.diagnostics
import threading
threads = [threading.Thread(target=lambda: mod.k[2, 32](A(64))) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
''')
    for one in sorted(found):
        t.ok([one, path], env=environment(t))
