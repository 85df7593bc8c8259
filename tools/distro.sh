#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs a command on a clean clone of this project in a root of a Debian release, which is made once, by debootstrap, and
# then used again with what has been installed there. Needs root, since it mounts and changes roots.
#
#   sh tools/distro.sh trixie sh tools/demo.sh
#   sh tools/distro.sh sid sh tools/test.sh -R unit
#
# The clone is of HEAD: what is not committed does not take part. It is gone afterwards, and so is what was built in it.
# The exit status is the command's.
#
# VKSORT_DISTRO_DIR is where the roots are, $XDG_CACHE_HOME/vksort/distro unless it is set; a root removed there is made
# anew. VKSORT_DISTRO_MIRROR is where Debian's packages come from, the mirror that this machine's apt uses unless it is set.
set -eu

say() { printf 'distro: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

usage() {
    say "$*"
    say 'usage: sh tools/distro.sh bookworm|trixie|sid COMMAND [ARGUMENT...]'
    exit 2
}

[ $# -gt 0 ] || usage 'say which release, and what to run there'
release=$1
shift
case $release in
    bookworm | trixie | sid) ;;
    *) usage "$release is none of the releases that vksort is tried on" ;;
esac
[ $# -gt 0 ] || usage "say what to run in $release"
[ "$(id -u)" = 0 ] || fail 'only root may mount and change roots. Run it by sudo'
command -v apt-get >/dev/null 2>&1 || fail 'this system has no apt-get, whose mirror and settings the root would get'

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
distros=$(readlink -m -- "${VKSORT_DISTRO_DIR:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/vksort/distro}")
case $distros/ in
    "$source"/*) fail "the roots may not be inside the source tree, as $distros is. Set VKSORT_DISTRO_DIR" ;;
esac
mkdir -p "$distros"
root=$distros/$release

# One run at a time in each root. Whatever the run has started holds the lock, too, so that none of it is left when the
# next one begins.
exec 9>"$root.lock"
if ! flock -n 9; then
    say "waiting for another run in $root"
    flock 9
fi

# The machine's own mirror of Debian: of its sources, in whichever form they are written, the first one with the label
# that Debian's main archive has.
find_mirror() {
    apt-get indextargets --format '$(LABEL) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        sed -n 's/^Debian main //p' | head -n 1
}

install_debootstrap() {
    say 'installing debootstrap'
    log=$(apt-get -q -y update 2>&1 && DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
        debootstrap debian-archive-keyring gpgv 2>&1) || fail "apt-get could not install debootstrap: $log"
}

make_root() {
    command -v debootstrap >/dev/null 2>&1 || install_debootstrap
    mirror=${VKSORT_DISTRO_MIRROR:-$(find_mirror)}
    [ -n "$mirror" ] || { apt-get -q update >/dev/null 2>&1 && mirror=$(find_mirror); } || true
    [ -n "$mirror" ] || fail "this machine's apt has no mirror of Debian. Name one in VKSORT_DISTRO_MIRROR"
    case $mirror in
        https:*) include=ca-certificates ;;
        *) include= ;;
    esac
    say "making a root of $release in $root"
    rm -rf "$root.new"
    # debootstrap mounts, too: in a namespace of its own, so that nothing stays mounted.
    unshare --mount debootstrap --variant=minbase ${include:+--include="$include"} "$release" "$root.new" "$mirror" \
        >"$root.log" 2>&1 || {
        tail -n 20 "$root.log" >&2
        fail "debootstrap could not make the root; all it said is in $root.log"
    }
    mv "$root.new" "$root"
}

# Copies how this machine reaches its mirror. The index of a release that is no longer updated, or of an old copy of sid,
# has expired by its own date, which apt is told to ignore.
copy_network_settings() {
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    {
        apt-config dump | grep -iE '^Acquire::(ftp|http|https|Check|ForceIPv|Retries)' || true
        echo 'Acquire::Check-Valid-Until "false";'
    } >"$root/etc/apt/apt.conf.d/90vksort"
}

# Within the root everything of this run is in /vksort, which is HOME, too: no cache of a driver is left for the next run.
clean_up() { rm -rf "$root/vksort"; }

[ -d "$root" ] || make_root
copy_network_settings
trap clean_up EXIT
trap 'exit 130' INT TERM
clean_up
mkdir "$root/vksort"
[ -z "$(git -C "$source" status --porcelain)" ] || say 'what is not committed does not take part'
git clone --quiet --no-hardlinks "$source" "$root/vksort/source"

# Mounts in a namespace of their own are gone with the last process in it, however that ends.
unshare --mount sh -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" env -u TMPDIR -u XDG_CACHE_HOME -u XDG_RUNTIME_DIR -C /vksort/source \
        HOME=/vksort PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"
' sh "$root" "$@"
