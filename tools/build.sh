#!/bin/sh
# Configures and builds ck: tools/build.sh FOLDER [MESON OPTION...]. Incremental, and quiet but for
# warnings, and unless something fails.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
shift

log=$(mktemp)
trap 'rm -f "$log"' EXIT

quietly() {
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        printf 'tools/build.sh: failed: %s\n' "$*" >&2
        exit 1
    fi
    grep 'warning:' "$log" >&2 || true
}

# A folder whose configuration was broken off has no build.ninja, and is configured anew.
if [ ! -f "$folder/build.ninja" ]; then
    rm -rf "$folder/meson-private" "$folder/meson-info"
    quietly meson setup "$folder" "$root" "$@"
fi
quietly ninja -C "$folder"
