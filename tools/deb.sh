#!/bin/sh
# Makes the Debian packages in dist/: ck-gpu (the commands), libck-gpu0 (the libraries) and
# libck-gpu-dev (headers, pkg-config, CMake, examples).
#   tools/deb.sh           makes them
#   tools/deb.sh --check   makes them, has lintian read them, and tries the commands unpacked;
#                          tools/check_bare.sh installs them in a minimal system
#   tools/deb.sh --arm64 [--check]
#                          for arm64, cross-built by tools/aarch64.sh
#
# Debian's libck0 and libck-dev are another project, Concurrency Kit, with a library of the same
# name: the packages conflict. DEB_MAINTAINER is the maintainer's name and address.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
stage=$root/dist/deb
if [ "${1:-}" = --arm64 ]; then
    shift
    architecture=arm64 build=$root/build-deb-arm64 triplet=aarch64-linux-gnu
else
    architecture=$(dpkg --print-architecture) build=$root/build-deb triplet=$(gcc -print-multiarch)
fi
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$root/meson.build")
maintainer=${DEB_MAINTAINER:-ck maintainers <ck@localhost.localdomain>}
# The times in the packages are those of the last commit, so that equal trees pack alike.
SOURCE_DATE_EPOCH=$(git -C "$root" -c safe.directory='*' log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH

say() {
    printf 'tools/deb.sh: %s\n' "$*"
}

install_build() {
    "$root/tools/setup.sh"
    cross=
    if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
        cross=$("$root/tools/aarch64.sh" --cross-file)
    fi
    "$root/tools/build.sh" "$build" ${cross:+--cross-file "$cross"} --prefix=/usr \
        --libdir="lib/$triplet" -Dtests=false -Dbenchmarks=false -Dpython=disabled
    rm -rf "$stage"
    DESTDIR=$stage/all meson install -C "$build" --no-rebuild --strip --quiet
}

# Moves what was installed at the paths into a package: take PACKAGE PATH...
take() {
    package=$1
    shift
    for path in "$@"; do
        mkdir -p "$stage/$package/$(dirname "$path")"
        mv "$stage/all/$path" "$stage/$package/$path"
    done
}

split() {
    take libck-gpu0 "usr/lib/$triplet/libck.so.0" "usr/lib/$triplet/libckrt.so.0" \
        "usr/lib/$triplet/libck.so.$version" "usr/lib/$triplet/libckrt.so.$version"
    take libck-gpu-dev usr/include "usr/lib/$triplet/libck.so" "usr/lib/$triplet/libckrt.so" \
        "usr/lib/$triplet/pkgconfig" "usr/lib/$triplet/cmake"
    take ck-gpu usr/bin usr/share/man usr/share/bash-completion usr/share/zsh usr/share/fish
    mkdir -p "$stage/ck-gpu/usr/share/zsh/vendor-completions" "$stage/ck-gpu/usr/share/doc/ck-gpu" \
        "$stage/libck-gpu-dev/usr/share/doc/libck-gpu-dev/examples"
    mv "$stage"/ck-gpu/usr/share/zsh/site-functions/* "$stage/ck-gpu/usr/share/zsh/vendor-completions"
    rmdir "$stage/ck-gpu/usr/share/zsh/site-functions"
    gzip -9n "$stage"/ck-gpu/usr/share/man/man1/*
    doc=$stage/ck-gpu/usr/share/doc/ck-gpu
    mkdir "$doc/lang"
    cp "$root/lang/LANGUAGE.md" "$doc/lang/"
    cp -R "$root/docs" "$root/editors" "$doc/"
    cp "$root/README.md" "$root/ARCHITECTURE.md" "$root/CHANGELOG.md" "$doc/"
    ln -s ../libck-gpu-dev/examples "$doc/examples"
    mv "$stage"/all/usr/share/doc/ck/examples/*.* \
        "$stage/libck-gpu-dev/usr/share/doc/libck-gpu-dev/examples/"
    # What is left are examples of Python, and the licences, which write_control adds.
    rm -r "$stage/all/usr/share/doc/ck"
    left=$(find "$stage/all" ! -type d)
    [ -z "$left" ] || {
        say "in no package: $left" >&2
        exit 1
    }
}

write_changelog() {
    printf 'ck (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the source.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")"
}

# What lintian reports and is meant: one line a tag, with its reason above.
write_overrides() {
    case $1 in
    libck-gpu0)
        echo '# Two libraries of one source and version, which are always installed together.'
        echo 'libck-gpu0: package-name-doesnt-match-sonames *'
        ;;
    libck-gpu-dev) return ;;
    esac
    echo '# LLVM, zlib, zstd, libpng and json-c are linked statically (docs/adr/001-llvm-static.md).'
    echo "$1: embedded-library *"
}

# control PACKAGE SECTION DEPENDS FIELD SUMMARY, and the lines of the description on stdin. FIELD is
# a line of its own, or empty.
write_control() {
    package=$1 folder=$stage/$1
    doc=$folder/usr/share/doc/$package
    mkdir -p "$folder/DEBIAN" "$doc" "$folder/usr/share/lintian/overrides"
    cp "$root/COPYRIGHT" "$doc/copyright"
    write_changelog | gzip -9n >"$doc/changelog.gz"
    write_overrides "$package" >"$folder/usr/share/lintian/overrides/$package"
    [ -s "$folder/usr/share/lintian/overrides/$package" ] || rm -r "$folder/usr/share/lintian"
    find "$folder" -type d -exec chmod 755 {} +
    find "$folder" -type f ! -path '*/bin/*' -exec chmod 644 {} +
    {
        printf 'Package: %s\nSource: ck\nVersion: %s\nSection: %s\nPriority: optional\n' \
            "$package" "$version" "$2"
        printf 'Architecture: %s\nMaintainer: %s\n' "$architecture" "$maintainer"
        printf 'Installed-Size: %s\nDepends: %s\n' "$(du -sk "$folder/usr" | cut -f1)" "$3"
        [ -z "$4" ] || printf '%s\n' "$4"
        printf 'Description: %s\n' "$5"
        sed 's/^/ /'
    } >"$folder/DEBIAN/control"
    (cd "$folder" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
}

pack() {
    write_control libck-gpu0 libs 'libc6 (>= 2.36)' 'Conflicts: libck0' \
        'compiler and runtime of GPU kernels' <<'TEXT'
The libraries libck, which compiles kernels written in ck, a language after
Numba's kernels, and runs them on NVIDIA GPUs and on the CPU, and libckrt,
which runs compiled kernels alone.
TEXT
    printf 'libck 0 libck-gpu0 (>= %s)\nlibckrt 0 libck-gpu0 (>= %s)\n' "$version" "$version" \
        >"$stage/libck-gpu0/DEBIAN/shlibs"
    echo 'activate-noawait ldconfig' >"$stage/libck-gpu0/DEBIAN/triggers"
    write_control libck-gpu-dev libdevel "libck-gpu0 (= $version)" 'Conflicts: libck-dev' \
        'compiler of GPU kernels - development files' <<'TEXT'
Headers for C and C++, pkg-config files, a CMake package and examples of
libck, which compiles and runs GPU kernels written in ck.
TEXT
    write_control ck-gpu devel "libck-gpu0 (= $version), libc6 (>= 2.36)" 'Suggests: libck-gpu-dev' \
        'compile and run GPU kernels in a Python-like language' <<'TEXT'
The command ckc compiles GPU kernels written in ck, a language after Numba's
kernels, to PTX in milliseconds. The command ckrun runs them on arrays that the
command line describes, on NVIDIA GPUs or on the CPU, and finds data races.
TEXT
    for package in libck-gpu0 libck-gpu-dev ck-gpu; do
        dpkg-deb --root-owner-group -Zxz --build "$stage/$package" "$root/dist" >/dev/null
        say "dist/${package}_${version}_$architecture.deb"
    done
}

# The commands of the unpacked packages, of arm64 by emulation.
try() {
    place=$(mktemp -d)
    trap 'rm -rf "$place"' EXIT
    for package in libck-gpu0 libck-gpu-dev ck-gpu; do
        dpkg-deb -x "$root/dist/${package}_${version}_$architecture.deb" "$place"
    done
    export LD_LIBRARY_PATH="$place/usr/lib/$triplet" CK_CACHE_DIR=
    [ "$architecture" != arm64 ] || export QEMU_LD_PREFIX="$root/build-aarch64-root"
    examples=$place/usr/share/doc/libck-gpu-dev/examples
    "$place/usr/bin/ckc" --check "$examples/saxpy.ck"
    "$place/usr/bin/ckrun" --device cpu "$examples/sequential_rows.ck" 'sequential_rows[32, 32](M)' \
        'M=zeros((1024, 1024), int32)' --expect 'M=arange(1024, dtype=int32)[:, None] + zeros((1, 1024), int32)'
    man -l "$place/usr/share/man/man1/ckc.1.gz" >/dev/null
    say 'the commands work where they are unpacked'
}

install_build
split
pack
if [ "${1:-}" = --check ]; then
    lintian --allow-root --fail-on error,warning \
        --suppress-tags bogus-mail-host-in-debian-changelog,bogus-mail-host \
        "$root"/dist/*ck-gpu*_"$version"_"$architecture".deb
    say 'lintian has nothing to say'
    try
fi
