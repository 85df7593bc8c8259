#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds Debian packages of the library, its development files and its tool:
#
#   sh packaging/deb.sh [DIR]    writes the packages to DIR, which is build/packages by default
#
# The maintainer is DEBFULLNAME <DEBEMAIL>, as for Debian's own tools, or else the author of the last commit. If
# VKSORT_SPIRV_DIR names the folder spirv of a finished build of these sources, its kernels are taken. The packages are for
# the release and the architecture of this machine. SOURCE_DATE_EPOCH is the date in the packages; the default is that of the
# last commit. The same sources, tools and date make the same packages.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
output=$(readlink -m -- "${1:-$root/build/packages}")
build=$root/build/deb
kernels=${VKSORT_SPIRV_DIR:+$(CDPATH='' cd -- "$VKSORT_SPIRV_DIR" && pwd)}

fail() {
    printf 'deb: %s\n' "$*" >&2
    exit 1
}

for program in cmake ninja dpkg-shlibdeps dpkg-deb file gzip; do
    command -v "$program" >/dev/null || fail "$program is needed (Debian: cmake ninja-build dpkg-dev file)"
done
last_commit() { git -C "$root" log -1 --format="$1" 2>/dev/null || true; }
maintainer="${DEBFULLNAME:-$(last_commit %an)} <${DEBEMAIL:-$(last_commit %ae)}>"
case $maintainer in
    ?*' <'*@*'>') ;;
    *) fail 'set DEBFULLNAME and DEBEMAIL to the name and the address of who is responsible for the packages' ;;
esac
: "${SOURCE_DATE_EPOCH:=$(last_commit %ct)}"
: "${SOURCE_DATE_EPOCH:=$(stat -c %Y "$root/CMakeLists.txt")}"
export SOURCE_DATE_EPOCH
umask 022

# A version without a revision makes a native package, whose changes are in changelog.gz.
version=$(sed -n 's/^#define VKSORT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$root/include/vksort/vksort.h" | paste -sd.)
mkdir -p "$build/debian" "$output"
cat >"$build/debian/changelog" <<END
vksort ($version) unstable; urgency=medium

  * CHANGELOG.md, in the documents of libvksort-dev, says what is new.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9nf "$build/debian/changelog"

# The flags with which Debian compiles its own packages. Without NDEBUG the library would print messages that no callback
# receives.
flags() { env DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --get "$1" | sed "s|=$PWD=|=$root=|g"; }
parts='-DVKSORT_BUILD_HOST=ON -DVKSORT_BUILD_TOOLS=ON -DVKSORT_BUILD_BENCH=OFF -DVKSORT_BUILD_TESTS=OFF'
parts="$parts -DVKSORT_BUILD_EXAMPLES=OFF"
cmake -S "$root" -B "$build" -G Ninja $parts -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_INSTALL_PREFIX=/usr \
    -DCMAKE_INSTALL_DOCDIR=share/doc/libvksort-dev -DCMAKE_SKIP_INSTALL_RPATH=ON "-DVKSORT_SPIRV_DIR=$kernels" \
    "-DVKSORT_DEBIAN_CHANGELOG=$build/debian/changelog.gz" "-DCPACK_DEBIAN_PACKAGE_MAINTAINER=$maintainer" \
    "-DCMAKE_C_FLAGS=$(flags CPPFLAGS) $(flags CFLAGS)" "-DCMAKE_CXX_FLAGS=$(flags CPPFLAGS) $(flags CXXFLAGS) -DNDEBUG" \
    "-DCMAKE_EXE_LINKER_FLAGS=$(flags LDFLAGS)" "-DCMAKE_SHARED_LINKER_FLAGS=$(flags LDFLAGS)" ${VKSORT_DEB_CMAKE_OPTIONS:-}
cmake --build "$build"
cd "$build"
cpack -G DEB -B "$output"
