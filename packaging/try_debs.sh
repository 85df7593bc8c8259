#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the Debian packages in a root of a release, and installs and uses them in a fresh root of the same release, which
# has only the packages' dependencies. Needs root, a mirror of Debian, 5 to 10 minutes and 2 GB of disk. CI does not run it.
#
#   sh packaging/try_debs.sh bookworm|trixie|sid
#
# tools/distro.sh, whose variables apply, makes both roots. The root of the build is kept, and the fresh root is removed.
# Only committed files are used. The packages remain in build/try-debs/<release>.
set -eu

say() { printf '\n%s\n' "$*"; }
fail() {
    printf 'try_debs: %s\n' "$*" >&2
    exit 1
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
debs=/var/tmp/vksort-debs
apt() { DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends "$@" </dev/null >/vksort/apt.log 2>&1 ||
    { tail -n 20 /vksort/apt.log >&2 && fail "apt-get $* failed"; }; }

# ---- In the root of the build

build_inside() {
    apt update
    sh "$root/tools/setup.sh" run
    apt install dpkg-dev file git
    rm -rf "$debs"
    # By default git refuses a copy of the sources that belongs to another user.
    git config --global --add safe.directory "$root"
    sh "$root/packaging/deb.sh" "$debs"
}

# ---- In the fresh root

try_inside() {
    say 'Installing the packages, with what they depend on'
    apt update
    apt install $debs/*.deb
    packages=$(for deb in $debs/*.deb; do dpkg-deb -f "$deb" Package; done)
    dpkg-query -W -f='${db:Status-Abbrev} ${Package} ${Version}\n' $packages
    vksort --version
    apt install gcc libc6-dev make cmake pkgconf glslang-tools mesa-vulkan-drivers
    work=/vksort/work
    mkdir -p $work
    cd $work

    say 'A program in C99, by pkg-config'
    cc -std=c99 -Wall -Wextra -Werror -o by_pkg_config "$root/tests/consumers/main.c" $(pkg-config --cflags --libs vksort)
    ./by_pkg_config
    ldd ./by_pkg_config | grep 'libvksort\.so'

    say 'A program in C99 with a comparator, by find_package'
    cmake -S "$root/tests/consumers/find_package" -B by_find_package >/dev/null
    cmake --build by_find_package
    ./by_find_package/consumer

    say 'The example, and the tool, on lavapipe'
    icd=$(echo /usr/share/vulkan/icd.d/lvp_icd*.json)
    export VK_DRIVER_FILES="$icd" VK_ICD_FILENAMES="$icd"
    cc -std=c99 -o minimal /usr/share/doc/libvksort-dev/examples/minimal.c $(pkg-config --cflags --libs vksort vulkan)
    timeout 120 ./minimal
    vksort generate --type u32 --count 100000 --seed 1 -o keys
    timeout 120 vksort sort keys -o sorted --type u32 --summary
    vksort verify sorted --type u32 --input keys

    say 'Removing the packages'
    apt purge $packages
    left=$(find / -xdev \( -path /vksort -o -path /var/tmp -o -path /etc/apt -o -path /proc -o -path /sys \) -prune -o \
        -name '*vksort*' -print)
    [ -z "$left" ] || fail "these are left: $left"
    say 'All done'
}

# ---- Outside

case ${1:-} in
    --build-inside) build_inside ;;
    --try-inside) try_inside ;;
    bookworm | trixie | sid)
        release=$1
        work=$root/build/try-debs
        distros=$(readlink -m -- "${VKSORT_DISTRO_DIR:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/vksort/distro}")
        fresh=$(mktemp -d "${TMPDIR:-/tmp}/vksort-fresh.XXXXXX")
        trap 'rm -rf --one-file-system "$fresh"' EXIT
        trap 'exit 130' INT TERM
        sh "$root/tools/distro.sh" "$release" sh packaging/try_debs.sh --build-inside
        rm -rf "${work:?}/$release"
        mkdir -p "$work"
        mv "$distros/$release$debs" "$work/$release"
        say "A fresh root of $release"
        VKSORT_DISTRO_DIR=$fresh sh "$root/tools/distro.sh" "$release" true
        mkdir -p "$fresh/$release$debs"
        cp "$work/$release"/*.deb "$fresh/$release$debs/"
        VKSORT_DISTRO_DIR=$fresh sh "$root/tools/distro.sh" "$release" sh packaging/try_debs.sh --try-inside
        ;;
    *) fail 'say which release: bookworm, trixie or sid' ;;
esac
