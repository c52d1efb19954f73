#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf samples with call chains.
perf record -q -g -c 10007 -e instructions -o chains.data work || exit 1
put chains.data < chains.data
perf report --stdio -g none --no-children -i chains.data 2>/dev/null | put report.txt
