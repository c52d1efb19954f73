#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the tally of docs/examples/unit/ in the house that house.sh has built: unit.sh FOLDER
set -euo pipefail
house=$1/house

"$house/build/tb/tally/test_tally"
"$house/build/countersink" list --scenario | grep '^tally\.present'
compared=$("$house/build/countersink" compare --die-cache "$1/dies" "$house/tb/scenarios/tally/tally_lockstep.yaml")
echo "$compared"
[[ $compared == EQUAL* ]]
