#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how often each program counter stands in buffers of IMC trace records."""
import collections
import struct
import sys


class Damaged(Exception):
    pass


def records(data):
    """(timebase, program counter) of each record; eight big-endian doublewords make one."""
    if len(data) % 64:
        raise Damaged(f"byte {len(data) // 64 * 64}: half a record, {len(data) % 64} bytes")
    for at in range(0, len(data), 64):
        words = struct.unpack_from(">8Q", data, at)
        if not any(words):
            continue  # nothing has been written here
        # The kernel clears the first time of a buffer when it has read it.
        if words[0] and words[0] & (1 << 42) - 1 != words[7]:
            raise Damaged(f"byte {at}: the two times of the record differ")
        yield words[0], words[1]


def main():
    try:
        with open(sys.argv[1], "rb") as file:
            counts = collections.Counter(pc for _, pc in records(file.read()))
    except Damaged as damage:
        sys.exit(f"{sys.argv[1]}: {damage}")
    for pc, count in sorted(counts.items()):
        print(f"0x{pc:016x},{count}")


main()
