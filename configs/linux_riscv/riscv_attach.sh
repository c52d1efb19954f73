#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2094 # what is put is in another system
# perf is told a process that runs: a shell, which starts one program after the other.
(while :; do work; done) &
shell=$!
perf stat -x, -o attach.csv -e instructions:u,r20:u -p $shell sleep 0.1 || exit 1
put attach.csv < attach.csv
perf record -q -c 20011 -e instructions:u -p $shell -o attach.data sleep 0.1 || exit 1
put attach.data < attach.data
kill $shell
