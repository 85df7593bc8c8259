#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs what is missing, builds with warnings as errors and runs every test over the device matrix. The exit status
# is ctest's. Arguments go to ctest: sh tools/test.sh -R plan
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build/test

sh "$root/tools/setup.sh" test

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DVKSORT_WERROR=ON -DVKSORT_BUILD_TESTS=ON
cmake --build "$build"

exec ctest --test-dir "$build" -j2 --output-on-failure --no-tests=error "$@" </dev/null
