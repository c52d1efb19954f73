#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian package into build-package/: tools/package.sh
# For the Debian that it runs on; tools/clean-room.sh --deb tries it in a fresh one.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/setup.sh package
folder=build-package
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
    -DCS_TESTS=OFF -DCS_BENCH=OFF -DCS_LTO=ON
cmake --build "$folder"
rm -f "$folder"/countersink_*.deb
(umask 022 && cd "$folder" && cpack -G DEB)
ls -l "$folder"/countersink_*.deb
