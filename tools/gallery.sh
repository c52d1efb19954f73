#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of docs/uses/gallery.md and of the walk-throughs anew, from runs of build/countersink:
#
#   tools/gallery.sh [FOLDER/NAME]...   all, or those that are named
#   tools/gallery.sh --check             all are there, small enough, and called as in the code; makes none
#   tools/gallery.sh --words [..]        makes their pages, and holds what can be read in them against the pictures
#
# Needs Debian's chromium and pngquant.
set -euo pipefail
cd "$(dirname "$0")/.."
programs="chromium pngquant"
[[ ${1:-} == --words ]] && programs=chromium
if [[ ${1:-} != --check ]]; then
    for program in $programs; do
        command -v "$program" >/dev/null || {
            echo "gallery: $program is missing; as root: apt-get install $program" >&2
            exit 3
        }
    done
fi
exec python3 tools/report/gallery.py "$@"
