#!/bin/sh
# Tries ck where its Debian packages are installed: programs in C and C++ that pkg-config, CMake and
# Meson build, the commands, the manual pages, and the completions in the shells that are there.
#   tools/try_packages.sh   needs no root, no GPU, and nothing of the source. What is missing of
#                           gcc, g++, pkg-config, cmake, meson, man, zsh and fish is not tried, and
#                           said.
set -eu

examples=/usr/share/doc/libck-gpu-dev/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CK_CACHE_DIR= # no cache of the user's

say() {
    printf 'tools/try_packages.sh: %s\n' "$*"
}

fail() {
    say "$*" >&2
    exit 1
}

# Whether programs are there; says so if not.
have() {
    for program in "$@"; do
        command -v "$program" >/dev/null || {
            say "$program is not there: not tried"
            return 1
        }
    done
}

# runs FOLDER NAME: the programs embed and saxpy that a build made.
runs() {
    "$1/embed" cpu >/dev/null || fail "$2: embed failed"
    [ "$("$1/saxpy" cpu)" = "y[0] = 4.5 on cpu" ] || fail "$2: saxpy failed"
    say "$2 finds ck, and its programs run"
}

try_pkg_config() {
    have gcc g++ pkg-config || return 0
    mkdir "$work/plain"
    gcc -o "$work/plain/embed" "$examples/embed.c" $(pkg-config --cflags --libs ck)
    g++ -std=c++20 -o "$work/plain/saxpy" "$examples/saxpy.cpp" $(pkg-config --cflags --libs ck)
    printf '#include <ck/ck.h>\nint main(void) { return !ck_version(); }\n' >"$work/runtime.c"
    gcc -o "$work/plain/runtime" "$work/runtime.c" $(pkg-config --cflags --libs ckrt)
    "$work/plain/runtime" || fail "a program with libckrt failed"
    runs "$work/plain" pkg-config
}

try_cmake() {
    have gcc g++ cmake make || return 0
    mkdir "$work/cmake"
    cp "$examples/embed.c" "$examples/saxpy.cpp" "$work/cmake"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.13)' 'project(user C CXX)' \
        'set(CMAKE_CXX_STANDARD 20)' 'find_package(ck 0.1 REQUIRED)' 'add_executable(embed embed.c)' \
        'add_executable(saxpy saxpy.cpp)' 'target_link_libraries(embed ck::ck)' \
        'target_link_libraries(saxpy ck::ck)' >"$work/cmake/CMakeLists.txt"
    cmake -S "$work/cmake" -B "$work/cmake/build" >/dev/null
    cmake --build "$work/cmake/build" >/dev/null
    runs "$work/cmake/build" CMake
}

try_meson() {
    have gcc g++ meson ninja pkg-config || return 0
    mkdir "$work/meson"
    cp "$examples/embed.c" "$examples/saxpy.cpp" "$work/meson"
    printf '%s\n' "project('user', 'c', 'cpp', default_options: ['cpp_std=c++20'])" \
        "ck = dependency('ck', version: '>=0.1')" "executable('embed', 'embed.c', dependencies: ck)" \
        "executable('saxpy', 'saxpy.cpp', dependencies: ck)" >"$work/meson/meson.build"
    meson setup "$work/meson/build" "$work/meson" >/dev/null
    ninja -C "$work/meson/build" >/dev/null
    runs "$work/meson/build" Meson
}

try_commands() {
    ckc --check "$examples/saxpy.ck" 2>/dev/null
    ckrun --device cpu "$examples/sequential_rows.ck" 'sequential_rows[32, 32](M)' \
        'M=zeros((1024, 1024), int32)' \
        --expect 'M=arange(1024, dtype=int32)[:, None] + zeros((1, 1024), int32)'
    ck-lsp --version >/dev/null
    for path in /usr/bin/ckc /usr/bin/ckrun /usr/bin/ck-lsp; do
        ! grep -q '\.symtab' "$path" || fail "$path is not stripped"
    done
    for package in ck-gpu libck-gpu0 libck-gpu-dev; do
        grep -q 'Zstandard' "/usr/share/doc/$package/copyright" || fail "no licences of $package"
    done
    say 'the commands work'
    have man || return 0
    for page in ckc ckrun ck-lsp; do
        MANPAGER=cat man "$page" | grep -q "$page" || fail "man $page failed"
    done
    say 'the manual pages are there'
}

# What fish offers after `ckc --diag` and `ckrun --be`.
try_fish() {
    have fish || return 0
    fish -c 'complete -C "ckc --diagnostics="' | grep -q '^--diagnostics=json' ||
        fail 'fish: no values of --diagnostics'
    fish -c 'complete -C "ckrun --ben"' | grep -q '^--bench' || fail 'fish: no --bench'
    say 'fish completes'
}

# The same in bash, through bash-completion where it is there, which loads the script at the first
# use of a command.
try_bash() {
    have bash || return 0
    bash -c 'source /usr/share/bash-completion/completions/ckrun; COMP_WORDS=(ckrun --ben); COMP_CWORD=1
        COMP_LINE="ckrun --ben" COMP_POINT=11; _ckrun; [ "${COMPREPLY[*]}" = --bench ]' ||
        fail 'bash: no --bench'
    say 'bash completes'
}

# zsh completes on a terminal alone: a pseudo-terminal, in which it is asked to.
try_zsh() {
    have zsh || return 0
    cat >"$work/complete.zsh" <<'TEXT'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1="=> "; autoload -Uz compinit; compinit -u -D; print READ${:-Y}'
zpty -r shell text '*READY*=> *'
zpty -n -w shell "$1"$'\t'
zpty -r shell text "*$2*" && print found
TEXT
    for pair in 'ckrun --benc:--bench' 'ckc --diagnostics=js:--diagnostics=json'; do
        [ "$(timeout 30 zsh -f "$work/complete.zsh" "${pair%%:*}" "${pair#*:}")" = found ] ||
            fail "zsh: \`${pair%%:*}\` is not completed"
    done
    say 'zsh completes'
}

try_commands
try_pkg_config
try_cmake
try_meson
try_bash
try_fish
try_zsh
