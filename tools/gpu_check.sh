#!/bin/sh
# Checks a release on a machine with a GPU: tools/gpu_check.sh LOG_FOLDER, from the unpacked release.
#
# All tests on CUDA, every example, compute-sanitizer's memcheck and synccheck over every launch of
# the run tests and examples, and ptxas over the examples where these tools are. Prints a line for
# each section; everything else goes to LOG_FOLDER. Fails if a section failed.
set -u

[ $# = 1 ] || {
    printf 'usage: tools/gpu_check.sh LOG_FOLDER\n' >&2
    exit 2
}
mkdir -p "$1"
logs=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/local/cuda/bin
jobs=$(nproc)
[ "$jobs" -le 12 ] || jobs=12
failures=0

# section NAME COMMAND...: runs it, its output to LOG_FOLDER/NAME.log. What could take long is given a
# limit where it is called.
section() {
    name=$1
    shift
    start=$(date +%s)
    if "$@" >"$logs/$name.log" 2>&1; then
        result=ok
    else
        result="FAILED ($?)"
        failures=$((failures + 1))
    fi
    printf '%-12s %-12s %4d s  %s\n' "$name" "$result" $(($(date +%s) - start)) \
        "$(tail -n 1 "$logs/$name.log")"
}

skipped() {
    printf '%-12s skipped: %s\n' "$1" "$2"
}

rows() {
    bin/ckrun --device cuda examples/sequential_rows.ck 'sequential_rows[32, 32](M)' \
        'M=zeros((1024, 1024), int32)' --print M --save M="$logs/rows.npy" &&
        python3 -c "
import numpy as np
rows = np.load('$logs/rows.npy')
assert (rows == np.tile(np.arange(1024), (1024, 1)).T).all(), rows
print('equal to np.tile(np.arange(1024), (1024, 1)).T')"
}

max_blocks() {
    bin/ckrun --device cuda examples/sequential_rows.ck \
        --max-blocks 'sequential_rows[_, 32](M)' 'M=zeros((1024, 1024), int32)'
}

sanitizer() {
    timeout 200 tests/run.py --prefix . --device cuda --jobs "$jobs" \
        --wrap "compute-sanitizer --tool $1 --error-exitcode 99" '*cuda*'
}

assemble() {
    for arch in sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
        for example in examples/*.ck; do
            grep -q '^@.*jit()\?$\|^@kernel$' "$example" && continue # generic: needs a signature
            ptx=$logs/$(basename "$example" .ck).$arch.ptx
            bin/ckc -arch="$arch" -o "$ptx" "$example" && ptxas -arch="$arch" -o /dev/null "$ptx" ||
                return 1
        done
    done
    printf 'every example for sm_75 to sm_120\n'
}

section device nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader
export logs
section rows rows
section max-blocks max_blocks
section tests timeout 200 tests/run.py --prefix . --device cuda --jobs "$jobs"
if command -v compute-sanitizer >/dev/null; then
    section memcheck sanitizer memcheck
    section synccheck sanitizer synccheck
else
    skipped memcheck 'no compute-sanitizer'
    skipped synccheck 'no compute-sanitizer'
fi
if command -v ptxas >/dev/null; then
    section ptxas assemble
else
    skipped ptxas 'no ptxas'
fi
printf '%d sections failed\n' "$failures"
[ "$failures" = 0 ]
