#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs what is missing, builds vksort, lists the Vulkan devices, sorts three things with the command-line tool, and
# shows its demos of segments, nearly sorted keys and merging.
# VKSORT_DEMO_BUILD names a build folder that is there already, whose tool is used as it is.
# VKSORT_DEVICE picks a device by number or part of its name: VKSORT_DEVICE=llvmpipe sh tools/demo.sh
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=${VKSORT_DEMO_BUILD:-$root/build/release}
vksort=$build/vksort

heading() {
    printf '\n%s\n' "$1"
    printf '%s\n' "$1" | sed 's/./-/g'
}

# Quiet unless it fails.
quietly() {
    if ! "$@" >"$work/log" 2>&1 </dev/null; then
        tail -n 40 "$work/log" >&2
        printf 'demo: this failed: %s\n' "$*" >&2
        exit 1
    fi
}

sort_on_device() {
    "$vksort" sort "$@" --summary ${VKSORT_DEVICE:+--device "$VKSORT_DEVICE"}
}

work=$(mktemp -d "${TMPDIR:-/tmp}/vksort-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

sh "$root/tools/setup.sh" run
if [ -z "${VKSORT_DEMO_BUILD:-}" ]; then
    [ -x "$vksort" ] || echo 'Building vksort (the first time takes some minutes)'
    quietly cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DVKSORT_BUILD_TOOLS=ON \
        -DVKSORT_BUILD_TESTS=OFF -DVKSORT_BUILD_BENCH=OFF -DVKSORT_BUILD_EXAMPLES=OFF
    quietly cmake --build "$build"
fi

heading 'Vulkan devices'
"$vksort" info

heading '1. A million u32 keys'
"$vksort" generate --type u32 --count 1000000 --distribution uniform --seed 1 -o "$work/keys"
sort_on_device "$work/keys" -o "$work/sorted" --type u32
"$vksort" verify "$work/sorted" --type u32 --input "$work/keys"

heading '2. The draw calls of a scene: u64 keys of pass, material and depth, with u32 draw indices'
"$vksort" generate --scene draws --count 50000 --seed 7 -o "$work/draws" --values-out "$work/indices"
sort_on_device "$work/draws" --type u64 --values "$work/indices" --value-size 4 \
    -o "$work/sorted_draws" --values-out "$work/sorted_indices"
"$vksort" verify "$work/sorted_draws" --type u64 --input "$work/draws" --values "$work/sorted_indices"

heading '3. A text file of numbers, through a pipe'
awk 'BEGIN { srand(3); for (i = 0; i < 2000; ++i) print int((rand() - 0.5) * 1000000) }' >"$work/numbers.txt"
sort_on_device - -o - --type i32 --text <"$work/numbers.txt" | cat >"$work/sorted.txt"
LC_ALL=C sort -n "$work/numbers.txt" >"$work/expected.txt"
if ! cmp "$work/sorted.txt" "$work/expected.txt"; then
    echo 'demo: the sorted numbers differ from those of sort -n' >&2
    exit 1
fi
printf 'verified: the same as sort -n, from %s to %s\n' "$(head -n 1 "$work/sorted.txt")" "$(tail -n 1 "$work/sorted.txt")"

heading '4. Segments, nearly sorted keys, and a merge'
for name in segments locality merge; do
    [ "$name" = segments ] || echo
    "$vksort" demo "$name" ${VKSORT_DEVICE:+--device "$VKSORT_DEVICE"}
done
