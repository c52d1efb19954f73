#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs inputs of a target of the fuzzer, a file each, for test_inputs: pack.py [--add] FOLDER NAME.gz

With --add those stay that the pack has. `tools/mutants.sh --seek` adds inputs by itself. Of what the
fuzzer finds those that reach all that any reaches, and small ones, are enough. After `tools/fuzz.sh all`,
from the root of the tree, for perf-data:

    mkdir some least
    find build-fuzz/corpus/perf-data -size -16385c -exec cp -t some {} +
    FUZZ_TARGET=perf-data FUZZ_MADE=build-fuzz/made FUZZ_CONFIGS=configs \\
        build-fuzz/tb/fuzz/cs_fuzz -merge=1 least some
    find build-fuzz/corpus/perf-data -size -513c -exec cp -t least {} +
    tb/inputs/pack.py --add least tb/inputs/packs/perf-data.gz
"""
import gzip
import pathlib
import sys


def unpack(pack):
    data, at = gzip.decompress(pack.read_bytes()), 0
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        yield data[at + 4:at + 4 + size]
        at += 4 + size


def main():
    words = [word for word in sys.argv[1:] if word != "--add"]
    folder, pack = map(pathlib.Path, words)
    inputs = set(unpack(pack)) if "--add" in sys.argv[1:] and pack.exists() else set()
    inputs |= {path.read_bytes() for path in folder.iterdir() if path.is_file()}
    data = b"".join(len(one).to_bytes(4, "little") + one
                    for one in sorted(inputs, key=lambda one: (len(one), one)))
    pack.write_bytes(gzip.compress(data, 9, mtime=0))


main()
