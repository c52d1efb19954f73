# SPDX-License-Identifier: Apache-2.0
"""An example against its page: every `c` block of the page stands in the source, line by line, and
the `text` blocks one after the other, or else what follows a command "$ ./...", are what the program prints.
Blocks of a second program on a page have its name behind the language."""

import pathlib
import re
import subprocess
import sys


def blocks(page, language, name):
    return re.findall(rf"^```{language}{name}\n(.*?)^```$", page, re.M | re.S)


def typed(page):
    """What the page says that the program prints when it is typed."""
    return "".join(re.sub(r"^    ", "", printed, flags=re.M)
                   for printed in re.findall(r"^    \$ \./\w+\n((?:    (?!\$ ).*\n)+)", page, re.M))


def main():
    program, source_path, page_path = sys.argv[1:]
    source = pathlib.Path(source_path).read_text()
    page = pathlib.Path(page_path).read_text()
    stem = pathlib.Path(source_path).stem
    name = "" if stem == pathlib.Path(page_path).stem else " " + stem
    failures = [
        f"{page_path}: not in {source_path}:\n{block}"
        for block in blocks(page, "c", name)
        if "\n" + block not in "\n" + source
    ]
    if not blocks(page, "c", name):
        failures.append(f"{page_path}: shows nothing of {source_path}")

    run = subprocess.run([program], capture_output=True, text=True)
    expected = "".join(blocks(page, "text", name)) or typed(page)
    if run.returncode != 0:
        failures.append(f"{program}: status {run.returncode}: {run.stderr}")
    if run.stdout != expected:
        failures.append(f"{program} prints\n{run.stdout}{page_path} says\n{expected}")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
