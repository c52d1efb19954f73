#!/usr/bin/env python3
"""Packs inputs of a target of the fuzzer, a file each, for test_inputs: pack.py FOLDER NAME.gz

Those that reach all that any reaches, and small ones, are enough. After `tools/fuzz.sh all`, from the
root of the tree, for perf-data:

    mkdir some least
    find build-fuzz/corpus/perf-data -size -16385c -exec cp -t some {} +
    FUZZ_TARGET=perf-data FUZZ_MADE=build-fuzz/made FUZZ_CONFIGS=configs \\
        build-fuzz/tb/fuzz/cs_fuzz -merge=1 least some
    find build-fuzz/corpus/perf-data -size -513c -exec cp -t least {} +
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
