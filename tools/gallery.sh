#!/usr/bin/env bash
# Makes the pictures of docs/uses/gallery.md and of the walk-throughs anew, from runs of build/countersink:
#
#   tools/gallery.sh [FOLDER/NAME]...   all, or those that are named
#   tools/gallery.sh --check             all are there, and small enough; makes none
#
# Needs Debian's chromium and pngquant.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ${1:-} != --check ]]; then
    for program in chromium pngquant; do
        command -v "$program" >/dev/null || {
            echo "gallery: $program is missing; as root: apt-get install $program" >&2
            exit 3
        }
    done
fi
exec python3 tools/report/gallery.py "$@"
