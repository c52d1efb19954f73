#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C and C++ sources against .clang-format; --fix formats them in place. What is generated
# is left alone: its generator answers for it.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(git ls-files --cached --others --exclude-standard -- \
    '*.c' '*.h' '*.cpp' '*.hpp' ':!src/regs/gen/' ':!include/countersink/regs/')
if [[ ${#files[@]} -eq 0 ]]; then
    exit 0
fi
if [[ ${1:-} == --fix ]]; then
    clang-format -i "${files[@]}"
    exit 0
fi
if ! clang-format --dry-run -Werror "${files[@]}"; then
    echo "check-format: tools/check-format.sh --fix does it" >&2
    exit 1
fi
