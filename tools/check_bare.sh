#!/bin/sh
# Checks the promises about fresh machines: in a minimal Debian 12, tools/demo.sh, tools/test.sh and
# `pip install .`, each the first after a clone; tools/demo.sh as a user who is not root; and the
# packages that tools/deb.sh made before, by tools/try_packages.sh, without a clone.
#   tools/check_bare.sh [WORK_FOLDER [demo|test|pip|user|packages]...]
#                          needs root, debootstrap and git; takes a while
#
# The archives are those that apt uses here. WORK_FOLDER (default: a temporary one) keeps the
# minimal system for a next time.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=${1:-$(mktemp -d)}
[ $# -eq 0 ] || shift
mkdir -p "$work"
base=$work/base
machine=$work/machine

say() {
    printf 'tools/check_bare.sh: %s\n' "$*"
}

[ "$(id -u)" = 0 ] || {
    say "needs root" >&2
    exit 2
}

archive_of() {
    apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
        sed -n "s/ $1\$//p" | head -n 1
}

make_base() {
    [ ! -e "$work/base.made" ] || return 0
    say "a minimal bookworm in $base"
    rm -rf "$base"
    debootstrap --variant=minbase bookworm "$base" "$(archive_of bookworm)" >"$work/debootstrap.log"
    touch "$work/base.made"
}

# The sources that Debian's own container image has.
write_sources() {
    {
        printf 'deb %s bookworm main\n' "$(archive_of bookworm)"
        printf 'deb %s bookworm-security main\n' "$(archive_of bookworm-security)"
    } >"$machine/etc/apt/sources.list"
    apt-config dump Acquire | grep -E '^Acquire::(https?|Check-)' \
        >"$machine/etc/apt/apt.conf.d/90host" || true
    cp /etc/resolv.conf "$machine/etc/resolv.conf"
}

unmount() {
    umount "$machine/proc" "$machine/dev/pts" "$machine/dev" 2>/dev/null || true
}

fresh_machine() {
    unmount
    rm -rf "$machine"
    cp -a "$base" "$machine"
    write_sources
    mount -t proc proc "$machine/proc"
    mount --bind /dev "$machine/dev"
    mount --bind /dev/pts "$machine/dev/pts"
    git clone -q --no-hardlinks "file://$root" "$machine/srv/ck"
}

inside() {
    chroot "$machine" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"
}

script() {
    inside "/srv/ck/tools/$1.sh"
}

# What docs/python.md says of `pip install .`, and its first program.
pip_install() {
    inside /srv/ck/tools/setup.sh
    inside apt-get install -q -y --no-install-recommends python3-venv >"$work/venv.log"
    cp /etc/ssl/certs/ca-certificates.crt "$machine/srv/certificates.crt"
    inside python3 -m venv /srv/venv
    inside PIP_CERT=/srv/certificates.crt /srv/venv/bin/pip install -q /srv/ck numpy
    {
        sed -n '/^```python$/,/^```$/{/^```/d;p}' "$root/docs/python.md" | sed '/^x = torch/,$d'
        printf 'assert (y == 2.5).all(), y\nprint(mod.device, ck.__version__)\n'
    } >"$machine/srv/first.py"
    inside /srv/venv/bin/python /srv/first.py
}

as_user() {
    inside useradd -m someone
    inside cp -R /srv/ck /home/someone/ck
    inside rm -rf /home/someone/ck/build
    inside chown -R someone /home/someone/ck
    inside su someone -c /home/someone/ck/tools/demo.sh
}

# With what the users of the packages have, and without what their build needs.
packages() {
    rm -rf "$machine/srv/ck"
    cp "$root"/dist/*ck-gpu*_"$(dpkg --print-architecture)".deb "$root/tools/try_packages.sh" \
        "$machine/srv"
    inside apt-get -q update
    inside DEBIAN_FRONTEND=noninteractive sh -c 'apt-get -qy install --no-install-recommends \
        /srv/*.deb gcc g++ libc6-dev pkg-config cmake make meson man-db zsh fish bash-completion'
    inside useradd -m someone
    inside su someone -c 'sh /srv/try_packages.sh'
    inside DEBIAN_FRONTEND=noninteractive apt-get -qy purge ck-gpu libck-gpu0 libck-gpu-dev
    left=$(inside find /usr /etc -path '*ck-gpu*' -o -name 'libck*' -o -name 'ckrun*')
    [ -z "$left" ] || {
        say "left after a purge: $left" >&2
        exit 1
    }
}

check() {
    say "$1"
    fresh_machine
    case $1 in
    pip) pip_install ;;
    packages) packages ;;
    user)
        inside /srv/ck/tools/setup.sh
        as_user
        ;;
    *) script "$1" ;;
    esac
}

make_base
trap unmount EXIT
[ $# -gt 0 ] || set -- demo test pip user packages
for what in "$@"; do
    check "$what"
done
say "done"
