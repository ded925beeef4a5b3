#!/bin/sh
# The demonstration: builds ck, compiles Numba's documentation example of a cooperative launch, runs
# it on the GPU if there is one and else on the CPU, and prints the array.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build
example=$root/examples/sequential_rows.ck

"$root/tools/setup.sh"
"$root/tools/build.sh" "$build"

export CK_CACHE_DIR= # no cache of the user's
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$build/src/ckc" -o "$out/sequential_rows.ptx" "$example"

run() {
    "$build/src/ckrun" --device "$1" "$example" 'sequential_rows[32, 32](M)' \
        'M=zeros((1024, 1024), int32)' --print M >"$out/rows" 2>"$out/why"
}

device=cuda
status=0
run cuda || status=$?
if [ "$status" = 3 ]; then # no driver, or no device
    device=cpu
    status=0
    run cpu || status=$?
fi
if [ "$status" != 0 ]; then
    cat "$out/why" >&2
    exit "$status"
fi
printf 'sequential_rows[32, 32] on %s:\n' "$device"
cat "$out/rows"
