#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs what vksort needs on Debian and its relatives, and nothing that is there already: a second run asks dpkg only
# and needs neither network nor rights.
#
#   sh tools/setup.sh run     to build and run the library and its tool
#   sh tools/setup.sh test    the same, and what the tests use besides
#   sh tools/setup.sh windows, windows-run, aarch64-run    what tools/cross.sh uses
#
# VKSORT_SKIP_SETUP=1 skips all of it, for systems where the tools were installed in another way. VKSORT_TEST_DEVICES,
# see tools/test.sh, decides whether SwiftShader is needed.
set -eu

say() { printf '%s\n' "$*"; }
fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

run_packages='g++ cmake ninja-build glslang-tools glslang-dev spirv-tools libvulkan-dev libvulkan1
    libvulkan-volk-dev libcli11-dev nlohmann-json3-dev libfmt-dev mesa-vulkan-drivers'
test_packages='libgtest-dev vulkan-validationlayers spirv-cross pkgconf zlib1g-dev libpng-dev doxygen'
windows_packages='g++-mingw-w64-x86-64-posix binutils-mingw-w64-x86-64'
wine_packages='wine wine64 xvfb'
aarch64_packages='g++-aarch64-linux-gnu qemu-user libgtest-dev'
# Chromium's common files bring SwiftShader, a second Vulkan device without hardware.
swiftshader_package=chromium-common
swiftshader_icd=/usr/lib/chromium/vk_swiftshader_icd.json

case ${1:-} in
    run) wanted=$run_packages ;;
    test)
        wanted="$run_packages $test_packages"
        # Versions lay code out differently; .clang-format is for this one.
        if grep -qs '^VERSION_ID="12"' /etc/os-release; then
            wanted="$wanted clang-format-14"
        fi
        ;;
    windows) wanted="$run_packages $windows_packages" ;;
    windows-run) wanted="$run_packages $windows_packages $wine_packages" ;;
    aarch64-run) wanted="$run_packages $aarch64_packages" ;;
    *) fail 'say what for: run, test, windows, windows-run or aarch64-run' ;;
esac

if [ "${VKSORT_SKIP_SETUP:-0}" = 1 ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    fail "this system has no apt-get. Install the counterparts of these Debian packages, then run again with" \
        "VKSORT_SKIP_SETUP=1: $(printf '%s ' $wanted)"
fi

installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }

missing=
for package in $wanted; do
    installed "$package" || missing="$missing $package"
done
want_swiftshader=0
if [ "$1" = test ] && [ ! -e "$swiftshader_icd" ]; then
    case ${VKSORT_TEST_DEVICES:-swiftshader} in
        *swiftshader*) want_swiftshader=1 ;;
    esac
fi
if [ -z "$missing" ] && [ "$want_swiftshader" = 0 ]; then
    exit 0
fi

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
else
    fail "packages are missing and there is neither root nor sudo to install them. As root:" \
        "apt-get install --no-install-recommends$missing$([ "$want_swiftshader" = 0 ] || echo " $swiftshader_package")"
fi

log=$(mktemp "${TMPDIR:-/tmp}/vksort-setup.XXXXXX")
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

# apt-get, quietly: its words are shown only when it fails.
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" </dev/null >"$log" 2>&1
}
install() { apt install --no-install-recommends "$@"; }
show_log() { tail -n 30 "$log" >&2; }

say "Installing with apt-get:${missing}$([ "$want_swiftshader" = 0 ] || echo " $swiftshader_package")"
apt update || {
    show_log
    say 'setup: apt-get update failed; going on with the package lists at hand' >&2
}
if [ -n "$missing" ]; then
    install $missing || {
        show_log
        fail 'apt-get could not install what is missing; its last words stand above'
    }
fi
if [ "$want_swiftshader" = 1 ]; then
    # Not every release has it in the same package.
    install "$swiftshader_package" || true
    [ -e "$swiftshader_icd" ] || install chromium || true
    [ -e "$swiftshader_icd" ] || {
        show_log
        fail 'no package brought SwiftShader. To test without it:' \
            "VKSORT_TEST_DEVICES='lavapipe-2;lavapipe-4;lavapipe-8;lavapipe-16' sh tools/test.sh"
    }
fi
