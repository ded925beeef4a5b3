"""Programs built against the headers and the shared library alone."""

from pathlib import Path


def build(t, source, *options, library="libck"):
    """`source` as a program that finds the library where it is now."""
    program = t.tmp / Path(source).stem
    (t.tmp / "lib").mkdir(exist_ok=True)
    path = t.layout.library(library).resolve()
    for name in (f"{library}.so", f"{library}.so.0"):
        link = t.tmp / "lib" / name
        if not link.exists():
            link.symlink_to(path)
    compiler = [t.need("c++", "g++"), "-std=c++20"] if Path(source).suffix == ".cpp" else [t.need("cc", "gcc"), "-std=gnu11"]
    t.ok([*compiler, "-Wall", "-Wextra", "-Werror", "-O1", *t.sanitizer_flags, *options, "-I", t.include,
          source, "-o", program, "-L", t.tmp / "lib", f"-Wl,-rpath,{t.tmp / 'lib'}", f"-l{library[3:]}",
          "-pthread"])
    return program


def reseal(t, entry):
    """Makes the checksum of a file of the cache right for what the file holds now."""
    program = t.tmp / "reseal"
    if not program.exists():
        built = t.run([t.need("cc", "gcc"), "-std=gnu11", "-O1", Path(__file__).parent / "reseal.c", "-o", program])
        if "xxhash.h: No such file" in built.err:
            t.skip("no header of xxHash here")
        assert built.rc == 0, built
    t.ok([program, entry])
