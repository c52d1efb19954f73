#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the documentation site of docs/: pages, search, all keys, commands and scenarios.
#
#   tools/site.sh [-o FOLDER] [COMMAND]
#
# FOLDER (build/site) gets HTML that needs no network; COMMAND (build/countersink) prints its help.
# A link that leads nowhere is an error. To read it, open build/site/index.html.
# Needs tools/venv.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/site
while getopts o: option; do
    case $option in
        o) folder=$OPTARG ;;
        *)
            sed -n '3,/^set /s/^# \{0,1\}//p' "$0" >&2
            exit 2
            ;;
    esac
done
shift $((OPTIND - 1))
command=${1:-build/countersink}
python=build/venv/bin/python

if [[ ! -x $command ]]; then
    echo "site: $command is missing: tools/build.sh release" >&2
    exit 2
fi
if ! "$python" -c 'import sphinx, furo, myst_parser' 2>/dev/null; then
    echo "site: Sphinx is missing: tools/venv.sh" >&2
    exit 2
fi
mkdir -p "$(dirname "$folder")"
source=$(mktemp -d "$(dirname "$folder")/.site.XXXXXX")
trap 'rm -rf "$source"' EXIT
"$python" tools/site/assemble.py "$command" "$source"
"$python" -m sphinx -q -W --keep-going -b html -c tools/site -d "$source/.doctrees" "$source" "$source/site"
rm -rf "$source/site/.buildinfo"*
"$python" tools/site/excerpts.py "$source/site"
"$python" tools/site/links.py "$source/site"
rm -rf "$folder"
mv "$source/site" "$folder"
echo "site: $(find "$folder" -name '*.html' | wc -l) pages in $folder"
