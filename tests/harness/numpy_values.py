"""NumPy's values of expressions, from a process of its own: promotion of Python's numbers, and what
a warning does, is set for a whole process, whose other threads run other tests."""

import atexit
import functools
import pickle
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np


class RealNumPy:
    """NumPy, where these functions take real numbers only, as in ck."""

    REAL = ("abs", "minimum", "maximum", "rint", "sqrt", "floor", "ceil", "trunc", "min", "max", "argmin", "argmax")

    def __getattr__(self, name):
        return functools.partial(self.of_real, getattr(np, name)) if name in self.REAL else getattr(np, name)

    @staticmethod
    def of_real(function, *args):
        if any(np.iscomplexobj(arg) for arg in args):
            raise ValueError("a complex number")
        return function(*args)


def evaluated(text):
    try:
        with np.errstate(all="ignore"):
            value = eval(text, {"np": RealNumPy()})
    except Exception:
        return None
    return value if isinstance(value, np.ndarray) else None


def serve():
    """Answers the expressions of stdin."""
    warnings.simplefilter("error")
    if hasattr(np, "_set_promotion_state"):  # NumPy 1.24 to 1.26 have that of NumPy 2 as a setting
        np._set_promotion_state("weak")
    while True:
        try:
            text = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(evaluated(text), sys.stdout.buffer)
        sys.stdout.buffer.flush()


class Server:
    """The process, which the first expression starts."""

    def __init__(self):
        self.lock = threading.Lock()
        self.process = None

    def ask(self, text):
        with self.lock:
            if not self.process:
                self.process = subprocess.Popen([sys.executable, "-B", "-m", "harness.numpy_values"],
                                                cwd=Path(__file__).resolve().parents[1],
                                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                atexit.register(self.process.communicate)
            pickle.dump(text, self.process.stdin)
            self.process.stdin.flush()
            return pickle.load(self.process.stdout)


SERVER = Server()


@functools.lru_cache(maxsize=4096)
def array_of(text):
    """The array that NumPy makes of it, where Python's numbers are weak, as from NumPy 2 on. None:
    something else, an error or a warning."""
    return SERVER.ask(text)


if __name__ == "__main__":
    serve()
