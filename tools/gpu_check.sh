#!/bin/sh
# Checks a release on a machine with a GPU: tools/gpu_check.sh LOG_FOLDER, from the unpacked
# release.
#
# All tests on CUDA (with ptxas those of the PTX too), random kernels, and where compute-sanitizer
# is, its memcheck, synccheck and racecheck over every launch of the run tests, the examples among
# them; racecheck skips those that say `racecheck no`. Prints a line for each section; everything
# else goes to LOG_FOLDER. Fails if a section failed.
set -u

[ $# = 1 ] || {
    printf 'usage: tools/gpu_check.sh LOG_FOLDER\n' >&2
    exit 2
}
mkdir -p "$1"
logs=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/local/cuda/bin
export CK_CACHE_DIR= # no cache of the user's
jobs=$(nproc)
[ "$jobs" -le 12 ] || jobs=12
failures=0

# section NAME COMMAND...: runs it, its output to LOG_FOLDER/NAME.log. What could take long is given
# a limit where it is called.
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
    timeout 300 tests/run.py --prefix . --device cuda --jobs "$jobs" \
        --wrap "compute-sanitizer --tool $1 --error-exitcode 99" 'cuda]'
}

section device nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader
section rows rows
section max-blocks max_blocks
section tests timeout 300 tests/run.py --prefix . --device cuda --jobs "$jobs"
section python timeout 300 tests/run.py --prefix . --device cuda --jobs "$jobs" python/
section random timeout 200 tools/fuzz.py --prefix . --device cuda --count 200
for tool in memcheck synccheck racecheck; do
    if command -v compute-sanitizer >/dev/null; then
        section "$tool" sanitizer "$tool"
    else
        skipped "$tool" 'no compute-sanitizer'
    fi
done
printf '%d sections failed\n' "$failures"
[ "$failures" = 0 ]
