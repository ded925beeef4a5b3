#!/bin/sh
# Installs the Debian packages that ck is built and tested with, those that are missing.
#
# With all of them there it needs no root and takes no time. It installs nothing else, and never
# edits the sources of apt.
set -eu

# Compiler, and libstdc++.a for the LLVM inside libck; LLVM, and clang for functions of PTX;
# generators; libraries; tests; the site.
packages="
gcc g++ libc6-dev binutils
llvm-22 llvm-22-dev libclc-22 clang
re2c meson ninja-build pkg-config
zlib1g-dev libzstd-dev libpng-dev libxxhash-dev libjson-c-dev
libcmocka-dev python3 python3-dev python3-numpy
mkdocs python3-pygments doxygen"

say() {
    printf 'tools/setup.sh: %s\n' "$*" >&2
}

missing_packages() {
    for package in $packages; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=
        [ "$status" = installed ] || printf '%s ' "$package"
    done
}

if ! command -v dpkg-query >/dev/null; then
    say "this is not a Debian system: nothing is installed; ck needs what these packages have:" \
        $packages
    exit 0
fi

missing=$(missing_packages)
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root="env"
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root="sudo"
else
    say "these packages are missing, and installing them takes root: $missing"
    say "as root: apt-get update && apt-get install --no-install-recommends $missing"
    exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

apt() {
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -y "$@" >"$log" 2>&1
}

say "installing: $missing"
if ! apt update; then
    cat "$log" >&2
    say "apt-get update failed (above)"
    exit 1
fi
if ! apt-cache show llvm-22-dev >/dev/null 2>&1; then
    say "apt knows no package llvm-22-dev. In Debian 12 it comes with the security updates: add the" \
        "suite bookworm-security, component main, of Debian's security archive to the sources of apt"
    exit 1
fi
if ! apt install --no-install-recommends $missing; then
    cat "$log" >&2
    say "apt-get install failed (above)"
    exit 1
fi
missing=$(missing_packages)
if [ -n "$missing" ]; then
    say "apt-get install succeeded, and these packages are still missing: $missing"
    exit 1
fi
