"""The C++ wrapper, <ck/ck.hpp>, and the package that CMake finds."""

import shutil

from api.common import build
from api.library import HERE

STRICT = ("-Wpedantic", "-Wshadow", "-Wconversion")
PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES CXX)
find_package(ck {version} REQUIRED)
add_executable(user saxpy.cpp)
target_compile_features(user PRIVATE cxx_std_20)
target_link_libraries(user ck::ck)
"""


def wrapper(t, device):
    result = t.run([build(t, HERE / "wrapper.cpp", *STRICT), device], timeout=120)
    if result.rc == 77:
        t.skip("no CUDA device")
    assert result.rc == 0, result


def test_on_the_cpu(t):
    wrapper(t, "cpu")


def test_on_cuda(t):
    wrapper(t, "cuda")


def test_example(t):
    program = build(t, t.examples / "saxpy.cpp", *STRICT)
    assert t.ok([program, "cpu"]).out == "y[0] = 4.5 on cpu\n"
    t.fails([program, "nonsense"], 1, "CK_ERROR_ARGUMENT: unknown device")


def prefix(t):
    """An installed tree, somewhere else than where it was installed."""
    folder = t.tmp / "moved"
    package = t.layout.library("libck").parent / "cmake" / "ck"
    if not package.exists():
        package = t.layout.library("libck").parent
    is_multiarch = "../../include" in (package / "ck-config.cmake").read_text()
    libdir = folder / "lib" / (t.ok(["gcc", "-print-multiarch"]).out.strip() if is_multiarch else "")
    (libdir / "cmake" / "ck").mkdir(parents=True)
    for name in ("ck-config.cmake", "ck-config-version.cmake"):
        shutil.copy(package / name, libdir / "cmake" / "ck")
    for name in ("libck", "libckrt"):
        (libdir / f"{name}.so.0").symlink_to(t.layout.library(name).resolve())
    (folder / "include").symlink_to(t.include)
    return folder


def test_cmake(t):
    cmake = t.need("cmake")
    t.need("c++", "g++")
    if t.sanitized:
        t.skip("the program would need the sanitizers' options")
    source = t.tmp / "source"
    source.mkdir()
    shutil.copy(t.examples / "saxpy.cpp", source)
    configure = [cmake, "-S", source, "-B", t.tmp / "out", f"-DCMAKE_PREFIX_PATH={prefix(t)}"]
    for version in ("99.0", "0.0.1", "0.1.99"):
        (source / "CMakeLists.txt").write_text(PROJECT.format(version=version))
        t.fails(configure, 1, "considered but not accepted")
    (source / "CMakeLists.txt").write_text(PROJECT.format(version="0.1"))
    t.ok(configure)
    t.ok([cmake, "--build", t.tmp / "out"])
    assert t.ok([t.tmp / "out" / "user", "cpu"]).out == "y[0] = 4.5 on cpu\n"
