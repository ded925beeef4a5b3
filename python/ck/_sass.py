"""SASS, a GPU's machine code, of PTX: by the programs of CUDA's toolkit, where it is installed."""

import os
import re
import shutil
import subprocess
import tempfile

_DISASSEMBLERS = (("nvdisasm",), ("cuobjdump", "-sass"))


def _find(name):
    """The path of a program of the toolkit, or None."""
    homes = [os.environ[variable] for variable in ("CUDA_HOME", "CUDA_PATH")
             if os.environ.get(variable)]
    folders = [os.path.join(home, "bin") for home in (*homes, "/usr/local/cuda")]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))


def _run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"{os.path.basename(command[0])} failed: {done.stderr.strip()}")
    return done.stdout


def sass_of(ptx):
    """What ptxas makes of PTX for the architecture that it is for, as text."""
    assembler = _find("ptxas")
    found = [(path, *options) for path, *options in
             ((_find(name), *options) for name, *options in _DISASSEMBLERS) if path]
    if not assembler or not found:
        raise RuntimeError("inspect_sass needs ptxas, and nvdisasm or cuobjdump, of CUDA's toolkit, "
                           "on PATH or in CUDA_HOME; inspect_asm() has the PTX")
    arch = re.search(r"^\.target (\w+)", ptx, re.M)[1]
    with tempfile.TemporaryDirectory(prefix="ck-sass-") as folder:
        source, cubin = (os.path.join(folder, f"kernel.{kind}") for kind in ("ptx", "cubin"))
        with open(source, "w") as file:
            file.write(ptx)
        _run(assembler, f"-arch={arch}", "-o", cubin, source)
        return _run(*found[0], cubin)
