#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds vksort-soak and lets it sort what its seed draws, on one device after another.
#
#   sh tools/soak.sh [SECONDS [DEVICE...]]    lavapipe-2, -4, -8, -16, swiftshader, or system, the machine's own GPU
#   sh tools/soak.sh 600 lavapipe-8           60 seconds and lavapipe-8 are what it does by itself
#
# VKSORT_SOAK_ARGS has more options: VKSORT_SOAK_ARGS='--validation --keep-going' sh tools/soak.sh. The exit status is 1
# if any device failed.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build/test
seconds=${1:-60}
if [ $# -gt 1 ]; then
    shift
else
    set -- lavapipe-8
fi

sh "$root/tools/setup.sh" test
cmake -S "$root" -B "$build" -G Ninja -DVKSORT_BENCH_CUDA=OFF -DVKSORT_BUILD_TOOLS=ON -DVKSORT_BUILD_TESTS=ON \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O1 -g1' -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1' >/dev/null
cmake --build "$build" --target vksort_soak

# The driver's file, where CMake has found it.
icd() { sed -n "s/^VKSORT_$1_ICD:FILEPATH=//p" "$build/CMakeCache.txt"; }

status=0
for device in "$@"; do
    case $device in
        lavapipe-2 | lavapipe-4 | lavapipe-8 | lavapipe-16)
            # As tests/devices.cmake has it: kernels of one width must not meet those of another.
            mkdir -p "$build/tests/kernels/$device"
            set_driver="VK_ICD_FILENAMES=$(icd LAVAPIPE) VK_DRIVER_FILES=$(icd LAVAPIPE) LP_NUM_THREADS=2
                LP_NATIVE_VECTOR_WIDTH=$((32 * ${device#lavapipe-}))"
            kernels=$build/tests/kernels/$device
            ;;
        swiftshader)
            set_driver="VK_ICD_FILENAMES=$(icd SWIFTSHADER) VK_DRIVER_FILES=$(icd SWIFTSHADER)"
            kernels=
            ;;
        system)
            set_driver=
            kernels=
            ;;
        *)
            echo "soak: no device $device" >&2
            exit 2
            ;;
    esac
    echo "== $device"
    # shellcheck disable=SC2086 # several words each
    env $set_driver ${kernels:+"MESA_SHADER_CACHE_DIR=$kernels"} "$build/tests/soak/vksort-soak" --seconds "$seconds" \
        ${VKSORT_SOAK_ARGS:-} || status=1
done
exit $status
