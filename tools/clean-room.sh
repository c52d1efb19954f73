#!/usr/bin/env bash
# The first two commands of the README in a fresh Debian 12, made with debootstrap:
#
#   tools/clean-room.sh [--worktree] [--setup-only] [--keep] [DIR]
#
#   --worktree    takes the files as they are here; else it is a clone of what is committed
#   --setup-only  only the packages, no build
#   --keep        leaves the root in place
#   DIR           where the root is made (default: a new folder in TMPDIR)
#
# Needs root and debootstrap. Where packages come from is read from this machine's /etc/apt
# when it runs. Mounts are made in a mount namespace of its own and go with it.
set -euo pipefail
cd "$(dirname "$0")/.."

worktree=false setup_only=false keep=false dir=""
arguments=("$@")
for argument in "$@"; do
    case $argument in
        --worktree) worktree=true ;;
        --setup-only) setup_only=true ;;
        --keep) keep=true ;;
        -*)
            sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
            exit 2
            ;;
        *) dir=$argument ;;
    esac
done

if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
    echo "clean-room: needs root and debootstrap (apt-get install debootstrap)" >&2
    exit 3
fi
if [[ ${CS_CLEAN_ROOM:-} != inside ]]; then
    CS_CLEAN_ROOM=inside exec unshare --mount --propagation private \
        "$PWD/tools/clean-room.sh" "${arguments[@]}"
fi

suite=bookworm
dir=${dir:-$(mktemp -d "${TMPDIR:-/tmp}/clean-room.XXXXXX")}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
root=$dir/root
log=$dir/log.txt
: > "$log"
if [[ -e $root ]]; then
    echo "clean-room: $root exists already" >&2
    exit 2
fi

finish() {
    local status=$?
    # What debootstrap mounts may be gone already, or never have been there.
    umount --lazy "$root/dev/pts" "$root/proc" 2>/dev/null || true
    if $keep; then
        echo "clean-room: the root is $root, the log $log"
    else
        rm -rf --one-file-system "$root"
    fi
    if [[ $status -ne 0 ]]; then
        tail -n 40 "$log" >&2
        echo "clean-room: failed; the log is $log" >&2
    fi
}
trap finish EXIT

# timed WHAT COMMAND...: output to the log, one line with the time.
timed() {
    local what=$1 begin=$SECONDS status=0
    shift
    echo "=== $what" >> "$log"
    "$@" >> "$log" 2>&1 </dev/null || status=$?
    printf '%-44s %5d s  %s\n' "$what" $((SECONDS - begin)) \
        "$([[ $status -eq 0 ]] && echo good || echo "exit status $status")"
    return "$status"
}

# The first archive that /etc/apt names, in either of its formats.
archive() {
    local file all=""
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources \
        /etc/apt/sources.list.d/*.list; do
        if [[ -e $file ]]; then
            all+=$(sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' "$file")
            all=${all:+$all$'\n'}
        fi
    done
    echo "${all%%$'\n'*}"
}

# What this machine needs to reach the archives: apt's own settings, names, certificates, pip's.
copy_settings() {
    local item
    rm -f "$root/etc/apt/sources.list"
    for item in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf \
        /etc/apt/apt.conf.d /etc/apt/auth.conf.d /etc/apt/keyrings /etc/apt/trusted.gpg.d \
        /etc/resolv.conf /etc/hosts /etc/pip.conf /usr/local/share/ca-certificates; do
        if [[ -e $item ]]; then
            mkdir -p "$root$(dirname "$item")"
            cp -rL "$item" "$root$(dirname "$item")/"
        fi
    done
    if [[ -e /etc/ssl/certs/ca-certificates.crt ]]; then
        mkdir -p "$root/etc/ssl/certs"
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/host-certificates.crt"
    fi
}

copy_project() {
    if $worktree; then
        mkdir -p "$root/root/countersink"
        git ls-files -z --cached --others --exclude-standard |
            tar --null --ignore-failed-read -cf - -T - | tar -C "$root/root/countersink" -xf -
    else
        git clone --no-hardlinks . "$root/root/countersink"
    fi
}

in_root() {
    local variables=() name
    for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_DEFAULT_TIMEOUT \
        NPM_CONFIG_REGISTRY; do
        if [[ -n ${!name:-} ]]; then
            variables+=("$name=${!name}")
        fi
    done
    if [[ -e $root/etc/ssl/host-certificates.crt ]]; then
        variables+=(PIP_CERT=/etc/ssl/host-certificates.crt
            NODE_EXTRA_CA_CERTS=/etc/ssl/host-certificates.crt)
    fi
    env -i HOME=/root LANG=C.UTF-8 TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        "${variables[@]}" chroot "$root" sh -c "cd /root/countersink && $1"
}

# Someone who is not root gets the command to run, and exit status 3.
refuses_politely() {
    local status=0
    in_root "chmod a+rx /root && exec setpriv --reuid=65534 --regid=65534 --clear-groups tools/setup.sh test" ||
        status=$?
    [[ $status -eq 3 ]]
}

# timed, and within that many seconds.
again() {
    local limit=$1 begin=$SECONDS
    timed "$2" in_root "$3"
    if ((SECONDS - begin > limit)); then
        echo "clean-room: that is work done twice: more than $limit s" >&2
        return 1
    fi
}

uri=$(archive)
timed "a fresh $suite" debootstrap --variant=minbase "$suite" "$root" "${uri:?no archive in /etc/apt}"
copy_settings
timed "the project" copy_project
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"

timed "tools/setup.sh, not as root" refuses_politely
if $setup_only; then
    timed "tools/setup.sh test" in_root "tools/setup.sh test"
    again 2 "tools/setup.sh test, again" "tools/setup.sh test"
    timed "tools/venv.sh" in_root "tools/venv.sh"
    again 2 "tools/venv.sh, again" "tools/venv.sh"
else
    timed "./demo.sh" in_root "./demo.sh"
    again 20 "./demo.sh, again" "./demo.sh"
    timed "./test.sh" in_root "./test.sh"
    timed "./test.sh, again" in_root "./test.sh"
fi
grep -E 'tests passed|tests failed' "$log" | sort -u || true
echo "clean-room: good"
