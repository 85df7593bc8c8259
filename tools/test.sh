#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs what is missing, builds with warnings as errors and runs every test over the device matrix. The exit status
# is ctest's. Arguments go to ctest: sh tools/test.sh -R unit
# VKSORT_TEST_DEVICES names other devices to test on: VKSORT_TEST_DEVICES='lavapipe-8;system' sh tools/test.sh
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build/test

sh "$root/tools/setup.sh" test

if [ -n "${VKSORT_TEST_DEVICES:-}" ]; then
    set_devices=-DVKSORT_TEST_DEVICES=$VKSORT_TEST_DEVICES
else
    set_devices=-UVKSORT_TEST_DEVICES
fi
# ON: a part that could not be built would not be tested either. Kernels are as users get them: those of Debug builds, with names and lines, take longer
# to compile and to check. Assertions stay on. Seven files are compiled as one, which takes a third of the time.
cmake -S "$root" -B "$build" -G Ninja -DVKSORT_WERROR=ON -DVKSORT_BENCH_CUDA=OFF "$set_devices" \
    -DVKSORT_BUILD_HOST=ON -DVKSORT_BUILD_TOOLS=ON -DVKSORT_BUILD_COMPILER=ON -DVKSORT_BUILD_BENCH=ON \
    -DVKSORT_BUILD_TESTS=ON -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=7 \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O1 -g1' -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1'
cmake --build "$build"

exec ctest --test-dir "$build" -j2 --output-on-failure --no-tests=error "$@" </dev/null
