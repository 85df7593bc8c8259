#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds for another platform by Debian's cross compilers, and runs what was built, in build/cross-<platform>:
#
#   sh tools/cross.sh windows          library, vksort::host and tool, static; the library as a DLL and a program in C; both
#                                      programs run under Wine, with this machine's Vulkan drivers
#   sh tools/cross.sh windows build    the same without running anything
#   sh tools/cross.sh windows bench    builds vksort-bench and vksort-tune, and runs a small benchmark under Wine
#   sh tools/cross.sh aarch64          library, vksort::host and unit tests, which run under qemu-user
#
# VKSORT_SPIRV_DIR names the folder spirv of a finished build of these sources, whose kernels are taken then; to compile
# them costs two minutes. VKSORT_SKIP_SETUP=1 installs nothing.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
case "$*" in
    windows | 'windows build' | 'windows bench' | aarch64) ;;
    *)
        sed -n 's/^# \{0,1\}//; 4,10p' "$0" >&2
        exit 2
        ;;
esac
platform=$1
what=${2:-run}
build=$root/build/cross-$platform
stage=$build/stage
kernels=${VKSORT_SPIRV_DIR:+$(CDPATH='' cd -- "$VKSORT_SPIRV_DIR" && pwd)}

say() { printf '\n%s\n' "$*"; }
fail() {
    printf 'cross: %s\n' "$*" >&2
    exit 1
}

# ---- Packages, and a folder of what the build takes from them

sh "$root/tools/setup.sh" "$platform$([ "$platform-$what" = windows-build ] || echo -run)"

# A cross compiler must not look into /usr/include, which has the build machine's C library. Headers that are the same
# everywhere are linked to from here.
mkdir -p "$stage/usr/include" "$stage/usr/share/cmake/fmt"
for header in vulkan vk_video volk.h CLI nlohmann fmt; do
    ln -sfn "/usr/include/$header" "$stage/usr/include/$header"
done
for package in CLI11 nlohmann_json; do
    ln -sfn "/usr/share/cmake/$package" "$stage/usr/share/cmake/$package"
done
# fmt's own package file names its library, which is the build machine's.
cat >"$stage/usr/share/cmake/fmt/fmt-config.cmake" <<'END'
if(NOT TARGET fmt::fmt)
    add_library(fmt::fmt INTERFACE IMPORTED)
    target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
    target_include_directories(fmt::fmt INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../../../include)
endif()
END

# ---- Building

configure() {
    folder=$1
    source=$2
    shift 2
    cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_FIND_ROOT_PATH="$stage" -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchains/$platform.cmake" "$@" >"$build/configure.log" 2>&1 || {
        cat "$build/configure.log" >&2
        fail "CMake failed for $folder"
    }
}

# configure_vksort <folder> <option>...
configure_vksort() {
    folder=$1
    shift
    configure "$folder" "$root" -DVKSORT_WERROR=ON -DVKSORT_BENCH_CUDA=OFF -DVKSORT_SPIRV_DIR="$kernels" \
        -DCMAKE_C_FLAGS_DEBUG='-O1 -g1' -DCMAKE_CXX_FLAGS_DEBUG='-O1 -g1' -DVKSORT_BUILD_COMPILER=OFF \
        -DVKSORT_BUILD_EXAMPLES=OFF "$@"
}

build_windows() {
    say 'The library, vksort::host and the tool for Windows'
    # All sources of a target at once compile several times faster than one by one.
    configure_vksort "$build/static" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DVKSORT_BUILD_TOOLS=ON \
        -DVKSORT_BUILD_BENCH=OFF -DVKSORT_BUILD_TESTS=OFF
    cmake --build "$build/static"

    say 'The library as a DLL, and a program in C that uses it'
    configure_vksort "$build/shared" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DBUILD_SHARED_LIBS=ON \
        -DVKSORT_BUILD_HOST=OFF -DVKSORT_BUILD_TOOLS=OFF -DVKSORT_BUILD_BENCH=OFF -DVKSORT_BUILD_TESTS=OFF \
        -DCMAKE_INSTALL_PREFIX="$build/prefix"
    cmake --build "$build/shared"
    cmake --install "$build/shared" >/dev/null
    configure "$build/consumer" "$root/tests/consumers/find_package" -Dvksort_DIR="$build/prefix/lib/cmake/vksort"
    cmake --build "$build/consumer"

    # Only the interface is exported.
    x86_64-w64-mingw32-objdump -p "$build/prefix/bin/libvksort.dll" |
        sed -n '/^\[Ordinal\/Name Pointer\]/,/^$/s/^.*\[ *[0-9]*\] //p' >"$build/exports"
    if grep -v '^vksort[A-Z]' "$build/exports" >&2; then
        fail 'the DLL exports these, which are no part of the interface'
    fi
    [ "$(wc -l <"$build/exports")" -ge 15 ] || fail "the DLL exports $(wc -l <"$build/exports") functions only"
}

build_bench() {
    say 'vksort-bench and vksort-tune for Windows'
    configure_vksort "$build/bench" -DVKSORT_BUILD_BENCH=ON -DVKSORT_BUILD_TOOLS=OFF -DVKSORT_BUILD_TESTS=OFF
    cmake --build "$build/bench"
}

# ---- Running

# Wine passes Vulkan on to this machine's loader, but only with a display.
start_wine() {
    command -v wine >/dev/null && command -v Xvfb >/dev/null || fail 'Wine and Xvfb are needed to run what was built'
    export WINEPREFIX="$build/wine" WINEDEBUG=-all LC_ALL=C.UTF-8
    rm -f "$build/display" # an earlier one would be taken for this one's
    Xvfb -displayfd 3 -screen 0 640x480x24 -nolisten tcp 3>"$build/display" 2>"$build/xvfb.log" &
    xvfb=$!
    trap 'kill $xvfb' EXIT
    trap 'exit 130' INT TERM
    while [ ! -s "$build/display" ]; do
        kill -0 "$xvfb" 2>/dev/null || fail "Xvfb did not start: $(cat "$build/xvfb.log")"
        sleep 0.1
    done
    DISPLAY=:$(cat "$build/display")
    export DISPLAY
    # What Wine starts and leaves running gets a log of its own, not the caller's pipe.
    wine wineboot --init >"$build/wine.log" 2>&1 </dev/null || fail "Wine did not start, see $build/wine.log"
}

run_windows() {
    start_wine
    work=$build/work
    rm -rf "$work"
    mkdir -p "$work"
    cd "$work"

    say 'A program in C with the DLL, under Wine'
    cp "$build/prefix/bin/libvksort.dll" "$build/consumer/"
    wine "$build/consumer/consumer.exe"

    say 'vksort.exe info, sort, segsort and verify, under Wine'
    vksort() { wine "$build/static/vksort.exe" "$@"; }
    vksort info
    vksort generate --type f32 --count 100000 --seed 1 -o keys --values-out values
    vksort sort keys -o sorted --type f32 --values values --value-size 4 --values-out sorted_values --summary
    vksort verify sorted --type f32 --input keys --values sorted_values
    # In place, which replaces a file.
    cp keys in_place
    vksort sort in_place -o in_place --type f32
    cmp in_place sorted
    # Segments that begin at the keys 0, 10, 1000 and 60000.
    printf '\000\000\000\000\012\000\000\000\350\003\000\000\140\352\000\000' >heads
    vksort segsort keys -o segments --type f32 --heads heads
    vksort verify segments --type f32 --input keys --heads heads
    # Pipes, binary and text.
    vksort sort - -o - --type f32 <keys | cmp - sorted
    awk 'BEGIN { srand(3); for (i = 0; i < 2000; ++i) print int((rand() - 0.5) * 1000000) }' >numbers
    LC_ALL=C sort -n numbers >expected
    vksort sort - -o - --type i32 --text <numbers | cmp - expected
    # A name beyond ASCII, and the null device.
    vksort sort keys -o 'größer 日本' --type f32
    cmp 'größer 日本' sorted
    vksort sort 'größer 日本' -o NUL --type f32
    # What goes wrong is told by the exit status.
    if vksort verify keys --type f32 --input keys; then
        fail 'keys in disorder were found to be sorted'
    elif [ $? -ne 1 ]; then
        fail 'vksort verify failed in another way than by finding disorder'
    fi
}

run_bench() {
    start_wine
    say 'vksort-bench.exe, under Wine'
    wine "$build/bench/bench/vksort-bench.exe" --keys u32 --counts 10000 --values 0 --contenders vksort,std \
        --json "$build/results.json"
    wine "$build/bench/bench/vksort-bench.exe" report "$build/results.json" "$build/results.html"
    wine "$build/bench/tools/tune/vksort-tune.exe" --help >/dev/null
}

# ---- The platforms

run_aarch64() {
    say 'GoogleTest, the library, vksort::host and the unit tests for 64-bit ARM'
    if [ ! -e "$stage/usr/lib/libgtest.a" ]; then
        configure "$build/gtest" /usr/src/googletest -DBUILD_GMOCK=OFF -DCMAKE_INSTALL_PREFIX="$stage/usr" \
            -DCMAKE_INSTALL_LIBDIR=lib
        cmake --build "$build/gtest"
        cmake --install "$build/gtest" >/dev/null
    fi
    configure_vksort "$build/static" -DVKSORT_BUILD_TESTS=ON -DVKSORT_BUILD_TOOLS=OFF -DVKSORT_BUILD_BENCH=OFF
    cmake --build "$build/static"
    say 'The unit tests, under qemu-user'
    ctest --test-dir "$build/static" --output-on-failure --no-tests=error
}

case "$platform $what" in
    'windows run')
        build_windows
        run_windows
        ;;
    'windows build') build_windows ;;
    'windows bench')
        build_bench
        run_bench
        ;;
    'aarch64 run') run_aarch64 ;;
esac
