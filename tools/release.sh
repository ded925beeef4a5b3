#!/bin/sh
# Makes the release: dist/ck-VERSION-linux-x86_64/ and the same packed as .tar.gz.
#   tools/release.sh          makes it
#   tools/release.sh --check  makes it, unpacks it elsewhere and tries it there
#
# The folder can be moved anywhere. It needs glibc 2.36 or newer; its tests need Python and NumPy.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build-release
limit_mib=60

say() {
    printf 'tools/release.sh: %s\n' "$*"
}

fail() {
    say "$*" >&2
    exit 1
}

version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$root/meson.build")
name=ck-$version-linux-x86_64
folder=$root/dist/$name
tarball=$folder.tar.gz

install_build() {
    "$root/tools/setup.sh"
    "$root/tools/build.sh" "$build" --prefix=/ --libdir=lib -Dpkgconfig.relocatable=true \
        -Dpython=enabled -Dlsp=enabled
    rm -rf "$folder"
    DESTDIR=$folder meson install -C "$build" --no-rebuild --strip --quiet
}

# Unit tests that hold a copy of LLVM stay behind: they are large, and need no GPU.
copy_tests() {
    cp -R "$root/tests" "$folder/tests"
    rm -rf "$folder/tests/unit" "$folder/tests/project" "$folder/tests/meson.build"
    find "$folder/tests" -name __pycache__ -prune -exec rm -rf {} +
    mkdir -p "$folder/tests/bin/fake_cuda"
    for test in "$build"/tests/test_* "$build"/tests/embed "$build"/tests/plain_driver; do
        if [ -f "$test" ] && [ -x "$test" ] && [ "$(stat -c %s "$test")" -lt 8000000 ]; then
            strip -o "$folder/tests/bin/${test##*/}" "$test"
        fi
    done
    strip -o "$folder/tests/bin/fake_cuda/libcuda.so.1" "$build/tests/fake_cuda/libcuda.so.1"
    # Debian has no static cmocka.
    cp -L "$(cc -print-file-name=libcmocka.so)" "$folder/tests/bin/libcmocka.so.0"
}

copy_rest() {
    rm -r "$folder/share/doc" # examples and licences, which are at the top here
    mkdir -p "$folder/tools"
    cp "$root/tools/gpu_check.sh" "$root/tools/fuzz.py" "$root/tools/mutate.py" "$folder/tools/"
    for path in examples bench docs editors README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md \
        COPYRIGHT LICENSE; do
        cp -R "$root/$path" "$folder/"
    done
    mkdir "$folder/lang"
    cp "$root/lang/LANGUAGE.md" "$folder/lang/"
    mkdir -p "$folder/bench/bin"
    for program in accuracy compile_bench cpu_bench driver_start gpu_bench opencl_bench \
        pair_bench; do
        strip -o "$folder/bench/bin/$program" "$build/bench/$program"
    done
    find "$folder" -name __pycache__ -prune -exec rm -rf {} +
}

pack() {
    # Sorted, and with no names or times of this machine, so that equal trees pack alike.
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1 -C "$root/dist" -cf - "$name" |
        gzip -9n >"$tarball"
    bytes=$(stat -c %s "$tarball")
    say "$(printf 'dist/%s: %d.%d MiB' "${tarball##*/}" $((bytes / 1048576)) \
        $((bytes * 10 / 1048576 % 10)))"
    [ "$bytes" -lt $((limit_mib * 1048576)) ] || fail "the tarball exceeds $limit_mib MiB"
}

# The unpacked release: its tools, and a program built against it, with no path of this tree.
check() {
    place=$(mktemp -d)
    trap 'rm -rf "$place"' EXIT
    tar -C "$place" -xzf "$tarball"
    cd "$place/$name"
    export CK_CACHE_DIR= # no cache of the user's
    bin/ckc --version
    bin/ck-lsp --version
    bin/ckrun --device cpu examples/sequential_rows.ck 'sequential_rows[32, 32](M)' \
        'M=zeros((1024, 1024), int32)' --save M="$place/rows.npy"
    for pc in ck ckrt; do
        PKG_CONFIG_PATH=lib/pkgconfig pkg-config --exists "$pc" || fail "no pkg-config file $pc"
    done
    cc -o "$place/embed" examples/embed.c $(PKG_CONFIG_PATH=lib/pkgconfig pkg-config \
        --define-prefix --cflags --libs ck) -Wl,-rpath,"$place/$name/lib"
    "$place/embed" >/dev/null || fail "examples/embed.c failed"
    python3=$(command -v /usr/bin/python3 || command -v python3)
    CK_CORPUS=all "$python3" tests/run.py --prefix . --device cpu run cli lsp api python
    say "the unpacked release works"
}

install_build
copy_tests
copy_rest
pack
if [ "${1:-}" = --check ]; then
    check
fi
