#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf samples so many times per second.
perf record -q -F 4000 -e instructions:u -o user.data work || exit 1
put user.data < user.data
perf record -q -F 2000 -e cycles -o all.data work || exit 1
put all.data < all.data
perf report --stdio -i all.data 2>/dev/null | put report.txt
