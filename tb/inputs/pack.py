#!/usr/bin/env python3
"""Packs inputs of a target of the fuzzer, a file each, for test_inputs: pack.py FOLDER NAME.gz

Few of them are enough. After `tools/fuzz.sh all`, from the root of the tree, for perf-data:

    mkdir small least
    find build-fuzz/corpus/perf-data -size -3073c -exec cp -t small {} +
    FUZZ_TARGET=perf-data FUZZ_MADE=build-fuzz/made FUZZ_CONFIGS=configs \\
        build-fuzz/tb/fuzz/cs_fuzz -merge=1 least small
    tb/inputs/pack.py least tb/inputs/perf-data.gz
"""
import gzip
import pathlib
import sys


def main():
    folder, pack = map(pathlib.Path, sys.argv[1:])
    data = bytearray()
    for path in sorted(folder.iterdir(), key=lambda p: (p.stat().st_size, p.name)):
        data += path.stat().st_size.to_bytes(4, "little") + path.read_bytes()
    pack.write_bytes(gzip.compress(bytes(data), 9, mtime=0))


main()
