#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes golden traces, whole and spoilt, and compares a hash of what is said with the one in
golden_decodes.txt. With --write they are written anew.

    golden_decodes.py COUNTERSINK SOURCE [LINE...] [--write]

A line of the file is a hash, a file or folder, and options of `countersink decode`; a LINE is what
stands behind the hash. A trace is printed in each format, and then as text as `countersink damage` leaves
it, whose bytes count, too; a folder also where one of its files is spoilt: a byte is another one, some
are missing or there twice, or the end is missing (files by themselves: tb/inputs/test_spoilt.cpp). Of a
message the numbers count, which say where, and not its words.
"""
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / "golden_decodes.txt"
SPOILT = 72 # of each folder, a file of it
SEEDS = 2 # of each kind of damage
MOST_BYTES = 150 << 10 # larger ones are printed only
NOT_SPOILT = ("zstd.data",) # how much of a spoilt stream comes out depends on zstd's version


def numbers(*words):
    return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:8], "big")


def said(command, trace, options):
    """What a call says, as text that does not depend on where the trace lies."""
    done = subprocess.run([command, "decode", *options, trace], capture_output=True, check=False)
    words = done.stderr.decode(errors="replace").replace(str(trace), "")
    return (f"{done.returncode} {hashlib.sha256(done.stdout).hexdigest()} "
            f"{' '.join(re.findall(r'[0-9]+', words))}\n")


def spoil(data, nth):
    """One place of it is another, more often one of the first ones."""
    at = numbers(nth, "at") % min(len(data), (64, 1024, len(data), len(data))[nth % 4])
    some = 1 + numbers(nth, "some") % 8
    return (data[:at] + bytes([numbers(nth, "byte") & 255]) + data[at + 1:],
            data[:at] + bytes([data[at] ^ 1 << numbers(nth, "bit") % 8]) + data[at + 1:],
            data[:at] + data[at + some:],
            data[:at] + data[at:at + some] + data[at:],
            data[:at])[nth // 4 % 5]


def damage(command, trace, options, folder):
    """What each kind of damage makes of it, and what is said of that."""
    form = options[options.index("--as"):][:2] if "--as" in options else []
    for seed in range(1, SEEDS + 1):
        out = folder / str(seed)
        done = subprocess.run([command, "damage", "-k", "all", "-s", str(seed), "-o", out, *form, trace],
                              capture_output=True, check=False)
        yield f"{done.returncode}\n"
        for path in sorted(p for p in out.rglob("*") if p.is_file()):
            yield f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n"
            yield said(command, path, options)


def hash_of(command, source, words):
    digest = hashlib.sha256()
    trace = source / words[0]
    options = [str(source / word) if word.endswith(".dts") else word for word in words[1:]]
    for form in ("text", "csv", "json"):
        digest.update(said(command, trace, ["-f", form, *options]).encode())
    files = sorted(p for p in trace.rglob("*") if p.is_file()) if trace.is_dir() else [trace]
    if trace.name in NOT_SPOILT or sum(path.stat().st_size for path in files) > MOST_BYTES:
        return digest.hexdigest()[:16]
    with tempfile.TemporaryDirectory() as temp:
        copy = pathlib.Path(temp) / trace.name
        for nth in range(SPOILT if trace.is_dir() else 0):
            path = files[nth % len(files)]
            shutil.copytree(trace, copy, dirs_exist_ok=True)
            (copy / path.relative_to(trace)).write_bytes(spoil(path.read_bytes(), nth))
            digest.update(said(command, copy, options).encode())
        for words in damage(command, trace, options, pathlib.Path(temp)):
            digest.update(words.encode())
    return digest.hexdigest()[:16]


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    command, source, only = str(pathlib.Path(words[0]).resolve()), pathlib.Path(words[1]), words[2:]
    source = source.resolve()
    lines = TABLE.read_text().splitlines()
    bad = [f"{TABLE.name} has no line {line}" for line in only
           if line not in {known.partition(" ")[2] for known in lines}]
    for at, line in enumerate(lines):
        was, _, what = line.partition(" ")
        if not line or line.startswith("#") or (only and what not in only):
            continue
        found = hash_of(command, source, what.split())
        lines[at] = f"{found} {what}"
        if found != was:
            bad.append(f"{what}: was {was} and is {found}")
    if "--write" in sys.argv[1:]:
        TABLE.write_text("\n".join(lines) + "\n")
        return
    if bad:
        sys.exit("\n".join(bad + ["where that is meant, golden_decodes.py --write writes it anew"]))


main()
