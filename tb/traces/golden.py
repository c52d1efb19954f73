#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the golden traces of traces/ anew and compares them with what is there, byte for byte; with
--write it puts them there.

    golden.py COUNTERSINK SOURCE [--only FOLDER] [--write]

Each folder of traces/ has a scenario.yaml and files.txt, a line a trace: its name, its format, and
options of `countersink trace`. The truth of the run, as CSV, is in truth/, without tables of more than
MOST_OF_TABLE bytes.
"""
import filecmp
import pathlib
import shutil
import subprocess
import sys
import tempfile

MOST_BYTES = 5 << 20
MOST_OF_TABLE = 1 << 20


def files_of(folder):
    return {p.relative_to(folder): p for p in sorted(folder.rglob("*")) if p.is_file()}


def make(command, folder, out):
    """The traces of one folder, and their truth, into `out`."""
    for line in (folder / "files.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, form, *options = line.split()
        made = out / name
        subprocess.run(
            [command, "trace", "--format", form, "-o", made, *options, folder / "scenario.yaml"],
            check=True, stdout=subprocess.DEVNULL)
        truth = out / (name + ".truth")
        for table in (truth / "csv").iterdir():
            if table.stat().st_size > MOST_OF_TABLE:
                table.unlink()
        kept = out / "truth"
        if not kept.exists():
            shutil.copytree(truth / "csv", kept)
        elif any(not filecmp.cmp(p, kept / n, shallow=False)
                 for n, p in files_of(truth / "csv").items()):
            sys.exit(f"{folder.name}: {name} has another truth than the first trace")
        shutil.rmtree(truth)
    for name in ("scenario.yaml", "files.txt", *(p.name for p in folder.glob("*.dts"))):
        shutil.copy(folder / name, out / name)


def compare(folder, out):
    there, made = files_of(folder), files_of(out)
    bad = [f"{n}: is not made any more" for n in there.keys() - made.keys()]
    bad += [f"{n}: is new" for n in made.keys() - there.keys()]
    bad += [f"{n}: differs" for n in there.keys() & made.keys()
            if not filecmp.cmp(there[n], made[n], shallow=False)]
    return [f"traces/{folder.name}/{b}" for b in sorted(bad)]


def main():
    command, source = sys.argv[1], pathlib.Path(sys.argv[2])
    write = "--write" in sys.argv[3:]
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else "*"
    folders = sorted(p.parent for p in (source / "traces").glob(f"{only}/files.txt"))
    bad = [] if folders else ["traces/: no folder has a files.txt"]
    for folder in folders:
        with tempfile.TemporaryDirectory() as temp:
            out = pathlib.Path(temp) / folder.name
            out.mkdir()
            make(command, folder, out)
            if write:
                shutil.rmtree(folder)
                shutil.copytree(out, folder)
            bad += compare(folder, out)
    size = sum(p.stat().st_size for p in files_of(source / "traces").values())
    if size > MOST_BYTES:
        bad.append(f"traces/: {size} bytes, at most {MOST_BYTES} are allowed")
    print(f"{len(folders)} folders, {size} bytes")
    sys.exit("\n".join(bad + ["golden.py --write makes them anew"]) if bad else 0)


main()
