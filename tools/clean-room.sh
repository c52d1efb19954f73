#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first two commands of the README in a fresh Debian, made with debootstrap; its lines are the table of
# CONTRIBUTING.md, "How long it takes":
#
#   tools/clean-room.sh [OPTION]... [DIR]
#
#   --suite SUITE    bookworm (default) or trixie: Debian 12 or 13
#   --worktree       takes the files as they are here; else it is a clone of what is committed
#   --setup-only     only the packages, no build
#   --demo-only      only ./demo.sh
#   --roles          ./demo.sh, then the tutorial and the four pages by role as they are written, one after
#                    the other in the project's folder
#   --all            in place of both: ./test.sh --all
#   --ci             in place of both: .ci/run, and once more in a second clone, with warm caches
#   --deb            in place of both: builds the .deb (tools/package.sh), and installs it in a second
#                    fresh root, where nothing is of this project, and uses it there
#   --run COMMAND    in place of both: what the tests need is installed, then that is run
#   --keep           leaves the root in place
#   DIR              where the root is made (default: a new folder in TMPDIR)
#
# Needs root and debootstrap (--roles: python3, too). Where packages come from is read from this machine's /etc/apt
# when it runs. Mounts are made in a mount namespace of its own and go with it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

suite=bookworm worktree=false keep=false what=both command="" dir=""
arguments=("$@")
while [[ $# -gt 0 ]]; do
    case $1 in
        --suite)
            suite=${2:-}
            shift
            ;;
        --worktree) worktree=true ;;
        --setup-only) what=setup ;;
        --demo-only) what=demo ;;
        --all | --ci | --roles) what=${1#--} ;;
        --deb) what=deb ;;
        --run)
            what=run command=${2:-}
            shift
            ;;
        --keep) keep=true ;;
        -*) usage ;;
        *) dir=$1 ;;
    esac
    shift
done
case $suite in
    bookworm | trixie) ;;
    *) usage ;;
esac

if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
    echo "clean-room: needs root and debootstrap (apt-get install debootstrap)" >&2
    exit 3
fi
if [[ ${CS_CLEAN_ROOM:-} != inside ]]; then
    CS_CLEAN_ROOM=inside exec unshare --mount --propagation private \
        "$PWD/tools/clean-room.sh" "${arguments[@]}"
fi

dir=${dir:-$(mktemp -d "${TMPDIR:-/tmp}/clean-room.XXXXXX")}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
root=$dir/root
bare=$dir/bare # of --deb: where only the package is installed
log=$dir/log.txt
: > "$log"
if [[ -e $root || -e $bare ]]; then
    echo "clean-room: $root or $bare exists already" >&2
    exit 2
fi

finish() {
    local status=$? one
    # What debootstrap mounts may be gone already, or never have been there.
    for one in "$root" "$bare"; do
        umount --lazy "$one/dev/pts" "$one/sys" "$one/proc" 2>/dev/null || true
        if ! $keep; then
            rm -rf --one-file-system "$one"
        fi
    done
    if $keep; then
        echo "clean-room: the root is $root, the log $log"
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
# Its lists of archives are taken where it is of the same suite, else there is the first archive alone.
copy_settings() {
    local to=$1 item
    if grep -qs "^VERSION_CODENAME=$suite\$" /etc/os-release; then
        rm -f "$to/etc/apt/sources.list"
    else
        echo "deb $uri $suite main" > "$to/etc/apt/sources.list"
    fi
    for item in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf \
        /etc/apt/apt.conf.d /etc/apt/auth.conf.d /etc/apt/keyrings /etc/apt/trusted.gpg.d \
        /etc/resolv.conf /etc/hosts /etc/pip.conf /usr/local/share/ca-certificates; do
        if [[ $item == /etc/apt/sources.* && -s $to/etc/apt/sources.list ]]; then
            continue
        fi
        if [[ -e $item ]]; then
            mkdir -p "$to$(dirname "$item")"
            cp -rL "$item" "$to$(dirname "$item")/"
        fi
    done
    if [[ -e /etc/ssl/certs/ca-certificates.crt ]]; then
        mkdir -p "$to/etc/ssl/certs"
        cp -L /etc/ssl/certs/ca-certificates.crt "$to/etc/ssl/certs/"
        cp -L /etc/ssl/certs/ca-certificates.crt "$to/etc/ssl/host-certificates.crt"
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

mount_in() {
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sysfs "$1/sys" # as containers have it
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
}

# within ROOT COMMAND: a shell's command, with nothing of this machine's environment.
within() {
    local variables=() name
    for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_DEFAULT_TIMEOUT \
        NPM_CONFIG_REGISTRY CMAKE_BUILD_PARALLEL_LEVEL; do
        if [[ -n ${!name:-} ]]; then
            variables+=("$name=${!name}")
        fi
    done
    if [[ -e $1/etc/ssl/host-certificates.crt ]]; then
        variables+=(PIP_CERT=/etc/ssl/host-certificates.crt
            NODE_EXTRA_CA_CERTS=/etc/ssl/host-certificates.crt)
    fi
    env -i HOME=/root LANG=C.UTF-8 TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        "${variables[@]}" chroot "$1" sh -c "$2"
}

in_root() {
    within "$root" "cd /root/countersink && $1"
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

# With the commands that it prints at its end.
try_demo() {
    timed "./demo.sh" in_root "./demo.sh >../demo.txt"
    timed "the commands that it prints" in_root \
        "sed -n '/^Next:/,\$s/^    //p' ../demo.txt >../next.txt && test -s ../next.txt && sh -ex ../next.txt"
}

# Each command of a page in a shell of its own, and what it prints against the page. The root has what
# ./demo.sh has installed, and no more: Python is this machine's.
walk_page() {
    timed "$1" python3 "$root/root/countersink/docs/examples/walk.py" --shell "$dir/type" \
        "$root/root/countersink/$1"
}
type_in_root() {
    in_root "exec bash -c ${1@Q}"
}

try_roles() {
    local page
    export root
    export -f within in_root type_in_root
    # shellcheck disable=SC2016 # the PATH is the reader's
    printf '#!/usr/bin/env bash\ntype_in_root "export PATH=\$PWD/build:\$PATH; $1"\n' >"$dir/type"
    chmod +x "$dir/type"
    for page in tutorial uses/tool_developer uses/pmu_architect uses/verification_engineer uses/platform_author; do
        walk_page "docs/$page.md"
    done
}

# The package in a root that has nothing of the project, used by somebody who is not root.
try_package() {
    timed "the package" in_root "tools/package.sh"
    copy_settings "$bare"
    mount_in "$bare"
    cp "$root"/root/countersink/build-package/*.deb tools/try-package.sh "$bare/root/"
    timed "installing it" within "$bare" \
        "apt-get update && apt-get install -y --no-install-recommends /root/countersink_*.deb"
    timed "using it" within "$bare" \
        "cp /root/try-package.sh /tmp && cd /tmp && exec setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp sh /tmp/try-package.sh"
    timed "verilating from it" within "$bare" \
        "apt-get install -y --no-install-recommends verilator g++ make && cd /tmp && exec setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp sh /tmp/try-package.sh --dies"
    timed "removing it" within "$bare" \
        "apt-get purge -y countersink && test ! -e /usr/share/countersink && test ! -e /usr/bin/countersink"
}

uri=$(archive)
timed "a fresh $suite" debootstrap --variant=minbase "$suite" "$root" "${uri:?no archive in /etc/apt}"
if [[ $what == deb ]]; then
    cp -a "$root" "$bare"
fi
copy_settings "$root"
timed "the project" copy_project
mount_in "$root"

case $what in
    setup)
        timed "tools/setup.sh, not as root" refuses_politely
        timed "tools/setup.sh all" in_root "tools/setup.sh all"
        again 2 "tools/setup.sh all, again" "tools/setup.sh all"
        timed "tools/venv.sh" in_root "tools/venv.sh"
        again 2 "tools/venv.sh, again" "tools/venv.sh"
        ;;
    demo) try_demo ;;
    roles)
        try_demo
        try_roles
        ;;
    deb) try_package ;;
    run)
        timed "tools/setup.sh all" in_root "tools/setup.sh all"
        timed "$command" in_root "$command"
        ;;
    all) timed "./test.sh --all" in_root "./test.sh --all" ;;
    ci)
        timed ".ci/run" in_root "CI=true .ci/run"
        timed "a second clone" in_root "cp -a . ../second && cd ../second && git clean -qxdf"
        timed ".ci/run, warm caches" in_root "cd ../second && CI=true .ci/run"
        ;;
    both)
        timed "tools/setup.sh, not as root" refuses_politely
        try_demo
        again 20 "./demo.sh, again" "./demo.sh"
        timed "./test.sh, after ./demo.sh" in_root "./test.sh"
        timed "./test.sh, again" in_root "./test.sh"
        for one in models/pmcu/pmcu drivers/uncore/uncore_driver formats/perf/format; do
            timed "./test.sh, after a change of $one.c" in_root \
                "echo 'extern const int cs_changed; const int cs_changed = 1;' >>src/$one.c && ./test.sh && git checkout -q src/$one.c"
        done
        ;;
esac
grep -E 'tests passed|tests failed' "$log" | sort -u || true
echo "clean-room: good"
