#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the demo, then sorts with the tool that the demo has built: by auto and by every algorithm, with the tiles that
# users get. Each result is compared with what od and sort of coreutils make of the same input. The exit status is 1 if
# any sort crashed, was refused or came out wrong; all others are run nevertheless.
#
#   sh tools/smoke.sh        takes a minute or two besides the build, on a CPU driver
#   sh tools/smoke.sh all    every algorithm with keys of five types, values of three sizes, argsort, and three counts,
#                            and merges, segments and comparators: hours on a CPU driver, most of them compilation
#
# VKSORT_DEMO_BUILD and VKSORT_DEVICE mean what they mean to tools/demo.sh. With VKSORT_DEMO_BUILD `all` skips the demo.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
vksort=${VKSORT_DEMO_BUILD:-$root/build/release}/vksort

case ${1:-} in
    '' | all) ;;
    *)
        echo "smoke: the only argument is 'all'" >&2
        exit 2
        ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/vksort-smoke.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

cases=0
failures=0

# Keys or values of a file, one a line, as numbers that are in the order of the keys.
lines() {
    case $1 in
        u8 | u16 | u32 | u64) od -An -v -t "u$((${1#u} / 8))" -w"$((${1#u} / 8))" "$2" ;;
        # Of two negative floats the one with the greater bits is the lesser number.
        f32) od -An -v -t u4 -w4 "$2" | awk '{ printf "%.0f\n", $1 < 2147483648 ? $1 + 2147483648 : 4294967295 - $1 }' ;;
        bytes*) od -An -v -t x1 -w"${1#bytes}" "$2" ;;
    esac
}

generate() { "$vksort" generate --type "$1" --count "$2" --seed "$3" -o "$4"; }

# check NAME WORD...: runs vksort with these words, and then result_lines, whose output must be that of `expected`.
check() {
    name=$1
    shift
    cases=$((cases + 1))
    if ! "$vksort" "$@" ${VKSORT_DEVICE:+--device "$VKSORT_DEVICE"} >"$work/log" 2>&1; then
        cat "$work/log" >&2
        outcome='failed'
    elif ! result_lines | cmp -s - "$work/expected"; then
        outcome='wrong'
    else
        outcome='right'
    fi
    [ "$outcome" = right ] || failures=$((failures + 1))
    printf '%-7s %s\n' "$outcome" "$name"
}

# sort_keys ALGORITHM TYPE COUNT VALUES, where VALUES is the size of a value, 0 for none, or argsort.
sort_keys() {
    type=$2
    values=$4
    generate "$type" "$3" 1 "$work/keys"
    lines "$type" "$work/keys" >"$work/key_lines"
    rm -f "$work/sorted" "$work/sorted_values"
    set -- "$1 of $3 $type, values: $values" sort "$work/keys" -o "$work/sorted" --type "$type" --algorithm "$1"
    case $values in
        0)
            result_lines() { lines "$type" "$work/sorted"; }
            sort -n "$work/key_lines" >"$work/expected"
            ;;
        argsort)
            set -- "$@" --argsort
            result_lines() { lines u32 "$work/sorted" | tr -d ' '; }
            awk '{ printf "%s %d\n", $1, NR - 1 }' "$work/key_lines" | sort -s -n -k 1,1 | cut -d ' ' -f 2 >"$work/expected"
            ;;
        *)
            set -- "$@" --values "$work/values" --value-size "$values" --values-out "$work/sorted_values"
            result_lines() {
                lines "$type" "$work/sorted" >"$work/sorted_lines"
                lines "bytes$values" "$work/sorted_values" | paste "$work/sorted_lines" -
            }
            generate u32 "$(($(wc -l <"$work/key_lines") * values / 4))" 2 "$work/values"
            lines "bytes$values" "$work/values" | paste "$work/key_lines" - | sort -s -n -k 1,1 >"$work/expected"
            ;;
    esac
    check "$@"
}

merge_keys() {
    type=$1
    for input in a b; do
        generate "$type" "$2" "$([ $input = a ] && echo 1 || echo 2)" "$work/keys"
        "$vksort" sort "$work/keys" -o "$work/$input" --type "$type"
    done
    result_lines() { lines "$type" "$work/sorted"; }
    cat "$work/a" "$work/b" >"$work/keys"
    lines "$type" "$work/keys" | sort -n >"$work/expected"
    check "merge of twice $2 $type" merge "$work/a" "$work/b" -o "$work/sorted" --type "$type"
}

# Segments begin at about every eighth key.
sort_segments() {
    type=$1
    generate "$type" "$2" 1 "$work/keys"
    "$vksort" generate --type u8 --count "$((($2 + 31) / 32 * 4))" --distribution and3 -o "$work/flags"
    lines u8 "$work/flags" | awk '{ for (bit = 1; bit < 256; bit *= 2) print segment += int($1 / bit) % 2 }' |
        head -n "$2" >"$work/segments"
    lines "$type" "$work/keys" | paste "$work/segments" - | sort -n -k 1,1 -k 2,2 >"$work/expected"
    result_lines() { lines "$type" "$work/sorted" | paste "$work/segments" -; }
    check "segments of $2 $type" segsort "$work/keys" -o "$work/sorted" --type "$type" --flags "$work/flags"
}

sort_by_comparator() {
    generate u32 "$1" 1 "$work/keys"
    echo 'bool before(Key a, Key b) { return a.words[0] < b.words[0]; }' >"$work/order.glsl"
    lines u32 "$work/keys" | sort -n >"$work/expected"
    result_lines() { lines u32 "$work/sorted"; }
    check "comparator of $1 keys" sort "$work/keys" -o "$work/sorted" --comparator "$work/order.glsl" --key-size 4
}

# Algorithms that take a few thousand keys at most, and the others.
small='one_workgroup'
large='sample_sort bucket_sort msd onesweep reduce_scan merge locality'

# The counts for `all` of an algorithm and a key type.
counts_for() {
    case $1-$2 in
        bucket_sort-u8 | bucket_sort-u16) ;; # which they refuse
        one_workgroup-*) echo 1000 ;;
        sample_sort-*) echo 1000 10000 ;;
        *) echo 1000 10000 300000 ;;
    esac
}

if [ -z "${1:-}" ]; then
    sh "$root/tools/demo.sh"
    printf '\nSorts by every algorithm, beside od and sort\n'
    sort_keys auto u32 300000 0
    sort_keys auto u32 10000 4
    sort_keys auto u64 10000 argsort
    for algorithm in $small; do
        sort_keys "$algorithm" u32 1000 0
    done
    for algorithm in $large; do
        sort_keys "$algorithm" u32 10000 0
    done
else
    [ -n "${VKSORT_DEMO_BUILD:-}" ] || sh "$root/tools/demo.sh"
    for count in 1000 10000 300000; do
        for type in u32 u64; do
            merge_keys "$type" "$count"
            sort_segments "$type" "$count"
        done
        sort_by_comparator "$count"
    done
    for type in u32 u64 u16 u8 f32; do
        for values in 0 4 8 16 argsort; do
            for algorithm in auto $small $large; do
                for count in $(counts_for "$algorithm" "$type"); do
                    sort_keys "$algorithm" "$type" "$count" "$values"
                done
            done
        done
    done
fi
printf '%d of %d right\n' "$((cases - failures))" "$cases"
[ "$failures" = 0 ]
