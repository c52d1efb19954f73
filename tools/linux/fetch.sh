#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches a stock Linux for POWER (kernel, perf, busybox), and a QEMU that runs it; or what another lock
# names.
#
#   tools/setup.sh linux [--cache DIR] [--mirror URI] [--lock FILE]
#
#   --cache DIR    where it goes (default: $CS_LINUX, else ~/.cache/countersink/linux)
#   --mirror URI   a Debian mirror (default: those that the machine's APT sources name)
#   --lock FILE    what to fetch (default: tools/linux/packages.lock)
#
# Packages are unpacked into the cache folder, not installed: nothing of the machine is changed.
# What was fetched before, in whole, is not fetched again. Needs 110 MB to be fetched and 350 MB of
# room. Exit status: 0 all is there, 2 bad use, 3 it is not.
set -euo pipefail

cache=${CS_LINUX:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/countersink/linux}
lock=$(dirname "$0")/packages.lock
mirrors=()
name=linux
while [[ $# -gt 0 ]]; do
    case $1 in
        --cache | --mirror | --lock)
            [[ $# -ge 2 ]] || { echo "setup linux: $1 needs a value" >&2; exit 2; } ;;&
        --cache) cache=$2 ;;
        --mirror) mirrors+=("${2%/}") ;;
        --lock) lock=$2 ;;
        *)
            sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
            exit 2
            ;;
    esac
    shift 2
done

fail() {
    echo "setup $name: $1" >&2
    exit 3
}

[[ -r $lock ]] || fail "$lock: cannot be read"
# shellcheck disable=SC2016 # the backquotes are the lock's
named=$(sed -n '1s/.*`tools\/setup.sh \([^`]*\)`.*/\1/p' "$lock")
name=${named:-linux}
mkdir -p "$cache/files" || fail "$cache: cannot be made"
exec 9>"$cache/.lock"
flock -n 9 || fail "$cache: another setup is at work there"

# The rows that are of this machine and of the guest. Those of sid may be left out: it moves on.
rows() { grep -v '^#' "$lock"; }
needed() { rows | grep -v '^[^ ]* sid '; }

if cmp -s "$lock" "$cache/packages.lock"; then
    exit 0
fi
host=$(dpkg --print-architecture 2>/dev/null || uname -m)
if ! grep -q "^\(qemu\|programs\) [^ ]* $host " <(rows); then
    fail "$lock: there is no QEMU for this machine's architecture, $host"
fi

if [[ ${#mirrors[@]} -eq 0 ]]; then
    # shellcheck disable=SC2016 # the words are apt-get's
    mapfile -t mirrors < <(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' \
        'Created-By: Packages' | grep -Ev -- '-(security|updates|backports)$' |
        sed 's|/* [^ ]*$||' | sort -u)
fi
[[ ${#mirrors[@]} -ge 1 ]] || fail "the machine's APT sources name no mirror; name one: --mirror URI"

is_whole() { # FILE SHA256
    [[ -f $1 ]] && echo "$2  $1" | sha256sum --check --status
}

# What of the lock is not there yet, as "uri file SHA256:sum" for apt-helper.
missing() { # MIRROR [ROWS]
    local sum path
    while read -r _ _ _ _ _ sum path; do
        is_whole "$cache/files/${path##*/}" "$sum" ||
            echo "$1/$path $cache/files/${path##*/} SHA256:$sum"
    done < <("${2:-rows}") | sort -u
}

log=$cache/fetch.log
for mirror in "${mirrors[@]}"; do
    mapfile -t words < <(missing "$mirror" | tr ' ' '\n')
    if [[ ${#words[@]} -gt 0 ]]; then
        echo "setup $name: fetching $((${#words[@]} / 3)) files from $mirror into $cache"
        /usr/lib/apt/apt-helper -o APT::Sandbox::User=root -o Acquire::Retries=2 \
            download-file "${words[@]}" >"$log" 2>&1 || true
        rm -f "$cache"/files/*.FAILED
    fi
done
left=$(missing "${mirrors[0]}" needed | sed -n '1,3s/ .*//p')
if [[ -n $left ]]; then
    tail -n 12 "$log" >&2
    fail "could not fetch, or its checksum is wrong:
$left
When the mirror has newer versions only, tools/linux/lock.py writes $lock anew"
fi

# Unpacked beside what is there, which goes only when all is well.
new=$(mktemp -d "$cache/new.XXXXXX")
trap 'rm -rf "$new"' EXIT
echo "setup $name: unpacking"
while read -r folder suite _ package version _ path; do
    file=$cache/files/${path##*/}
    if [[ $suite == sid && ! -f $file ]]; then
        echo "setup $name: the mirror no longer has sid's $package $version; $folder is left out"
        continue
    fi
    mkdir -p "$new/$folder"
    case $folder/$package in
        header/*) # the one header that a plugin includes; APT unpacks what it is packed with
            /usr/lib/apt/apt-helper -o APT::Sandbox::User=root cat-file "$file" |
                tar -C "$new/$folder" -x --no-same-owner --strip-components=3 \
                    --wildcards '*/include/qemu/qemu-plugin.h'
            ;;
        source/*) # an original archive, of one folder
            mkdir -p "$new/$folder/$package"
            tar -C "$new/$folder/$package" -xf "$file" --no-same-owner --strip-components=1
            ;;
        */linux-image*) # without its modules
            dpkg-deb --fsys-tarfile "$file" | tar -C "$new/$folder" -x --no-same-owner ./boot
            ;;
        *) dpkg-deb --fsys-tarfile "$file" | tar -C "$new/$folder" -x --no-same-owner ;;
    esac || fail "$file: cannot be unpacked into $cache"
done < <(rows)
rm -rf "$new"/*/usr/share/{man,locale,info}
# What packages have as documents goes, but for examples that are compiled.
find "$new"/*/usr/share/doc -mindepth 1 -maxdepth 1 ! -name '*-examples' -exec rm -rf {} + 2>/dev/null || true

rm -f "$cache/packages.lock"
for folder in "$new"/*; do
    rm -rf "${cache:?}/${folder##*/}"
    mv "$folder" "$cache/"
done
rm -rf "$cache/files" "$log"
cp "$lock" "$cache/packages.lock.new"
mv "$cache/packages.lock.new" "$cache/packages.lock"
echo "setup $name: all is in $cache"
