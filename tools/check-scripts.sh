#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All shell scripts of the project by shellcheck.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard -- '*.sh' '.ci/*')
shellcheck "${scripts[@]}"
