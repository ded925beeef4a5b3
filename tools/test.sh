#!/bin/sh
# Builds ck and runs its tests: tools/test.sh [--sanitize] [OPTION of tests/run.py | PATTERN]...
#   --sanitize  with AddressSanitizer and UndefinedBehaviorSanitizer, in a build folder of its own
# Ends with `N passed, N failed, N skipped`, and fails if a test failed.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build
sanitize=no
if [ "${1:-}" = --sanitize ]; then
    sanitize=yes
    build=$root/build-sanitize
    shift
fi

"$root/tools/setup.sh"
if [ "$sanitize" = yes ]; then
    "$root/tools/build.sh" "$build" -Db_sanitize=address,undefined -Db_lundef=false \
        -Dbuildtype=debugoptimized
else
    "$root/tools/build.sh" "$build"
fi
exec "$root/tests/run.py" --build "$build" "$@"
