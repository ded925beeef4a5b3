"""The programs in pages and in the headers' comments compile, and those that are whole run."""

import re
import shlex
import shutil

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
STRICT = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]
C11 = ("cc", ["-std=c11", "-pedantic", "-x", "c"])
CXX20 = ("c++", ["-std=c++20", "-x", "c++"])
# What README.md and the headers leave to the reader.
C_NAMES = """#include <ck/ck.h>
int saxpy_launch(ck_stream *stream, ck_dim3 grid, ck_dim3 block, float a, const ck_array *x, const ck_array *y);
void sample(const char *source, size_t length, const ck_arg *args, size_t n_args, ck_array x, ck_array y, ck_device *dev,
            ck_buffer *buffer, ck_kernel *saxpy, uint32_t blocks, int64_t n);
void sample(const char *source, size_t length, const ck_arg *args, size_t n_args, ck_array x, ck_array y, ck_device *dev,
            ck_buffer *buffer, ck_kernel *saxpy, uint32_t blocks, int64_t n)
{
    (void)source, (void)length, (void)args, (void)n_args, (void)x, (void)y, (void)dev, (void)buffer, (void)saxpy, (void)blocks;
    (void)n;
    {
        %s
    }
}
"""
CXX_NAMES = """#include <ck/ck.hpp>
void sample(const ck::module &module, const ck::device &device, std::vector<float> host_x, std::vector<float> host_y,
            std::size_t n, std::string_view source, std::vector<float> host, unsigned blocks, unsigned threads);
void sample(const ck::module &module, const ck::device &device, std::vector<float> host_x, std::vector<float> host_y,
            std::size_t n, std::string_view source, std::vector<float> host, unsigned blocks, unsigned threads)
{
    (void)module, (void)device, (void)host_x, (void)host_y, (void)n, (void)source, (void)host, (void)blocks, (void)threads;
    {
        %s
    }
}
"""


def compile_alone(t, compiler, text):
    command, options = compiler
    t.ok([t.need(command, {"cc": "gcc", "c++": "g++"}[command]), *options, *STRICT, "-Wno-shadow", "-fsyntax-only", f"-I{t.include}",
          t.write("sample.c", text)])


def blocks(t, path, language):
    t.need_tree()
    return [text for name, text in BLOCK.findall((t.root / path).read_text()) if name == language]


def comment_code(t, header):
    """The indented lines of a header's first comment."""
    comment = (t.include / "ck" / header).read_text().split("*/")[0]
    return "\n".join(re.findall(r"^ \* {5,}(.*)$", comment, re.M))


def test_readme_commands(t):
    """The shell's commands of README.md, but for those with `...`, run in a copy of examples/."""
    t.need_tree()
    folder = t.tmp / "examples"
    shutil.copytree(t.examples, folder)
    shown = re.findall(r"^(ck(?:c|run) .*)$", (t.root / "README.md").read_text(), re.M)
    whole = [line for line in shown if "..." not in line and " k.ck" not in line]
    assert len(whole) > 9, whole
    for line in whole:
        command, *words = shlex.split(line, comments=True)
        t.ok([{"ckc": t.ckc, "ckrun": t.ckrun}[command], *words], cwd=folder)
    assert all((folder / name).exists() for name in ("out.png", "heat.d", "saxpy.h", "sequential_rows.ptx"))


def test_readme_in_c(t):
    samples = blocks(t, "README.md", "c")
    assert len(samples) == 2, samples
    for sample in samples:
        for compiler in C11, CXX20:
            compile_alone(t, compiler, C_NAMES % sample)


def test_readme_in_cxx(t):
    samples = blocks(t, "README.md", "cpp")
    assert len(samples) == 1, samples
    compile_alone(t, CXX20, CXX_NAMES % samples[0])


def test_headers_in_c(t):
    for header, compilers in (("ck.h", (C11, CXX20)), ("args.h", (C11,))):
        code = comment_code(t, header)
        assert "ck_launch" in code, code
        for compiler in compilers:
            compile_alone(t, compiler, C_NAMES % code)


def test_headers_in_cxx(t):
    code = comment_code(t, "ck.hpp")
    assert "to_vector" in code, code
    names = CXX_NAMES.replace("const ck::module &module, const ck::device &device", "int").replace("(void)module, (void)device, ", "")
    compile_alone(t, CXX20, names % code)


def program(t, language, compiler, suffix):
    """The blocks of docs/library.md: the first as it is, the others in main."""
    from api.common import build
    first, *rest = blocks(t, "docs/library.md", language)
    assert rest
    source = t.write(f"page{suffix}", f"{first}\nint\nmain()\n{{\n{''.join(rest)}    return 0;\n}}\n".replace(
        "main()", "main(void)" if language == "c" else "main()"))
    compile_alone(t, compiler, source.read_text())
    return build(t, source, *compiler[1][:2][:1])


def test_library_page_in_c(t):
    page = program(t, "c", C11, ".c")
    cpu = t.fake_cuda_env(devices=0)
    result = t.ok([page], env=cpu)
    assert result.out == "blocks of 1024 threads, 256 at once\ny[0] = 2.5\n", result
    result = t.fails([page], 1, "CK_ERROR_MEMORY: CUDA_ERROR_OUT_OF_MEMORY", env=t.fake_cuda_env(fail="cuMemAlloc_v2=2"))
    assert t.ok([page], env=t.fake_cuda_env()).out == "blocks of 1024 threads, 264 at once\ny[0] = 0\n"


def test_library_page_in_cxx(t):
    page = program(t, "cpp", CXX20, ".cpp")
    assert t.ok([page], env=t.fake_cuda_env(devices=0)).out == "x[0] = 6, 256 blocks at once\n"
    assert t.ok([page], env=t.fake_cuda_env()).out == "x[0] = 1, 264 blocks at once\n"


def test_library_page_on_cuda(t):
    page = program(t, "c", C11, ".c")
    out = t.ok([page]).out
    if "256 at once" in out:
        t.skip("no CUDA device")
    assert out.endswith("\ny[0] = 2.5\n"), out
