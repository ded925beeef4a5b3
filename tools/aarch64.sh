#!/bin/sh
# Cross-builds ck for aarch64 (GH200, Jetson) in build-aarch64/, on Debian 12.
#   tools/aarch64.sh                 builds
#   tools/aarch64.sh --check [PATTERN]...
#                                    builds, and runs the tests whose names match on the CPU device
#                                    of an emulated processor: by default some of each kind
#   tools/aarch64.sh --check-order ORDER
#                                    the same with all run tests and examples in one order of the
#                                    threads: seq, threads, reverse, random-a or random-b. An hour
#                                    on two cores
#   tools/aarch64.sh --cross-file    makes Meson's cross file, and prints its path
#
# The libraries are those of Debian's arm64, unpacked in build-aarch64-root/, from the archives that
# apt uses here: no package of this machine changes. --check needs the kernel to start programs for
# aarch64 by QEMU, as it does once qemu-user-static is installed (binfmt_misc).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build-aarch64
sysroot=$root/build-aarch64-root
cross=$build-cross
host=aarch64-linux-gnu

# What runs here, and what is linked, or loaded by tests.
tools="crossbuild-essential-arm64 mmdebstrap qemu-user-static"
libraries="libc6-dev libgcc-12-dev libstdc++-12-dev llvm-22 llvm-22-dev zlib1g-dev libzstd-dev
libpng-dev libxxhash-dev libjson-c-dev libcmocka-dev"

say() {
    printf 'tools/aarch64.sh: %s\n' "$*" >&2
}

need_tools() {
    for tool in $host-gcc mmdebstrap qemu-aarch64-static; do
        command -v $tool >/dev/null || {
            say "$tool is missing: apt-get install --no-install-recommends $tools"
            exit 1
        }
    done
}

# archive_of SUITE: its address.
archive_of() {
    apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
        sed -n "s/ $1\$//p" | head -n 1
}

make_sysroot() {
    [ "$(cat "$sysroot/libraries" 2>/dev/null)" != "$libraries" ] || return 0
    say "Debian's libraries for arm64 in ${sysroot##*/}/"
    rm -rf "$sysroot"
    mmdebstrap --quiet --variant=extract --architectures=arm64 \
        --include="$(echo $libraries | tr ' ' ,)" bookworm "$sysroot" \
        "deb $(archive_of bookworm) bookworm main" \
        "deb $(archive_of bookworm-security) bookworm-security main"
    echo "$libraries" >"$sysroot/libraries"
}

# The cross file, and compilers under their usual names, which tests of the library call.
write_cross_file() {
    mkdir -p "$cross/bin"
    for name in cc:gcc gcc:gcc c++:g++ g++:g++ strip:strip; do
        program="$host-${name#*:}"
        [ "$program" = $host-strip ] || program="$program --sysroot=$sysroot"
        printf '#!/bin/sh\nexec %s "$@"\n' "$program" >"$cross/bin/${name%:*}"
        chmod +x "$cross/bin/${name%:*}"
    done
    cat >"$cross/cross.ini" <<TEXT
[constants]
sysroot = '$sysroot'
emulator = ['qemu-aarch64-static', '-L', sysroot]
[binaries]
c = ['$host-gcc', '--sysroot=' + sysroot]
ar = '$host-gcc-ar'
strip = '$host-strip'
pkgconfig = 'pkg-config'
llvm-config-22 = emulator + [sysroot / 'usr/lib/llvm-22/bin/llvm-config']
exe_wrapper = emulator
[properties]
sys_root = sysroot
pkg_config_libdir = sysroot / 'usr/lib/$host/pkgconfig' + ':' + sysroot / 'usr/share/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
TEXT
}

check() {
    [ $# -gt 0 ] || set -- unit/ api/ run/arithmetic run/atomics run/barriers run/groups run/math \
        run/shared run/spin run/types run/warp examples/
    export QEMU_LD_PREFIX="$sysroot" PATH="$cross/bin:$PATH"
    "$build/src/ckc" --version >/dev/null || {
        say "the kernel does not start programs for aarch64: install qemu-user-static, or, where that" \
            "registers nothing, as root: mount -t binfmt_misc none /proc/sys/fs/binfmt_misc;" \
            "cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register"
        exit 1
    }
    exec "$root/tests/run.py" --build "$build" --device cpu "$@"
}

"$root/tools/setup.sh"
need_tools
make_sysroot
write_cross_file
[ "${1:-}" != --cross-file ] || {
    echo "$cross/cross.ini"
    exit 0
}
"$root/tools/build.sh" "$build" --cross-file "$cross/cross.ini" -Dpython=disabled
say "build-aarch64/ is built"
case ${1:-} in
--check)
    shift
    check "$@"
    ;;
--check-order) check "run/*[[]${2:?an order of the threads}]" "examples/*[[]$2]" ;;
esac
