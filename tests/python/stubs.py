"""The package's types: what the stubs declare is there, and a type checker accepts them."""

import ast

from python.common import environment, python, script

STUBS = ["__init__.pyi", "_types.pyi", "cuda/__init__.pyi", "cuda/random.pyi"]


def package(t):
    from pathlib import Path

    found = t.ok([python(t), "-c", "import ck; print(ck.__file__)"], env=environment(t)).out
    return Path(found.strip()).parent


def declared(tree):
    """{name: its members} of a stub, without what is private or imported."""
    names = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = [m.name for m in node.body if isinstance(m, ast.FunctionDef)]
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = []
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = []
    return {name: members for name, members in names.items() if not name.startswith("_")}


def test_declared_names_exist(t):
    """With their members; classes that are not at the module's top are those of its functions."""
    folder = package(t)
    of_modules = {path: declared(ast.parse((folder / path).read_text())) for path in STUBS}
    script(t, f"STUBS = {of_modules!r}\n" + '''
import importlib
from ck import _device, _device_array, _dispatcher, _elementwise
elsewhere = {name: getattr(module, name) for module in (_device, _device_array, _dispatcher, _elementwise)
             for name in vars(module)}
for path, names in STUBS.items():
    module = importlib.import_module("ck." + path.replace("/__init__.pyi", "").replace(".pyi", "").replace("/", ".")
                                     if path != "__init__.pyi" else "ck")
    for name, members in names.items():
        value = getattr(module, name, None)
        value = elsewhere.get(name) if value is None else value
        assert value is not None, (path, name)
        missing = [m for m in members if not hasattr(value, m) and m != "__getattr__"]
        assert not missing, (path, name, missing)
''')


def test_everything_public_is_declared(t):
    folder = package(t)
    names = declared(ast.parse((folder / "cuda" / "__init__.pyi").read_text()))
    script(t, f"declared = {set(names)!r}\n" + '''
import inspect
from ck import cuda
public = {name for name, value in vars(cuda).items() if not name.startswith("_") and not inspect.ismodule(value)
          and getattr(value, "__module__", "").startswith("ck.cuda")}
assert public <= declared, public - declared
undocumented = [name for name in public if inspect.isfunction(getattr(cuda, name)) and not getattr(cuda, name).__doc__
                and name not in ("get_current_device", "current_context", "default_stream", "is_supported_version",
                                 "legacy_default_stream", "per_thread_default_stream", "cudadrv_is_available")]
assert not undocumented, undocumented
''')


RIGHT = '''
import numpy as np
import ck
from ck import cuda, float32, void

mod = ck.compile(text="", check="all", device="cpu", signatures=["k(int32)"])
mod.k[1, (2, 3), None, 0](1, np.zeros(3))
registers: int = mod.k.usage.registers
names: list[str] = mod["k"].parameters

@cuda.jit(void(float32[:, ::1]), fastmath=True)
def k(x: object) -> None:
    i = cuda.grid(1)
    s = cuda.shared.array(4, float32)
    cuda.syncthreads()

k[1, 2, cuda.stream()](cuda.to_device([1.0]))
ptx: dict[str, str] = cuda.jit(k.py_func).inspect_asm()
shape: tuple[int, ...] = cuda.device_array((2, 3), float32)[1:].T.shape
ms: float = cuda.event().elapsed_time(cuda.event())
try:
    mod.synchronize()
except ck.CooperativeLaunchTooLarge as error:
    limit: int = error.limit
'''
WRONG = {
    "mod = ck.compile(txt='')": "txt",
    "ck.compile(text=3)": "text",
    "x: int = cuda.stream().synchronize()": "synchronize",
    "cuda.device_array((2, 3)).copy()": "copy",
    "k: ck.Kernel = ck.compile('k.ck').k\nr: str = k.usage.registers": "int",
}


def test_type_checker(t):
    tool = [t.need("mypy"), "--cache-dir", t.tmp / "cache"]
    env = environment(t)
    if t.layout.python:
        tool += ["--python-executable", python(t)]
    else:
        env["MYPYPATH"] = str(package(t).parent)
    modules = ["-m", "ck", "-m", "ck.cuda", "-m", "ck.cuda.random"]
    t.ok([*tool, "--strict", *modules], env=env, timeout=300)
    t.ok([*tool, "--strict", "--allow-untyped-decorators", t.write("right.py", RIGHT)], env=env, timeout=300)
    for line, text in WRONG.items():
        path = t.write("wrong.py", f"import ck\nfrom ck import cuda\n{line}\n")
        result = t.run([*tool, path], env=env, timeout=300)
        assert result.rc == 1 and text in result.out, (line, result)
