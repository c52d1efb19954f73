# SPDX-License-Identifier: Apache-2.0
"""Every place that states the version states the same one, and the changelog has it: test_version.py SOURCE_FOLDER"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(sys.argv[1]).resolve()
PLACES = {
    "include/countersink/version.h": r'TEXT "(.+)"',
    "python/pyproject.toml": r'^version = "(.+)"',
    "CITATION.cff": r"^version: (\S+)",
    "README.md": r"^Version (\S+)[,:.]",
    "CHANGELOG.md": r"^## (\d\S*)",
}

found = {name: re.search(pattern, (SOURCE / name).read_text(), re.M) for name, pattern in PLACES.items()}
stated = {name: match[1].rstrip(".,:") if match else "no version" for name, match in found.items()}
# The date of a release is in both.
dates = {re.search(r"^date-released: (\S+)", (SOURCE / "CITATION.cff").read_text(), re.M)[1],
         re.search(r"^## \d\S* - (\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.M)[1]}
# The page shows a program that asks for the version, and what find_package takes and refuses.
page = (SOURCE / "docs/yours/rely.md").read_text()
major, minor = stated["include/countersink/version.h"].split(".")[:2]
shown = {f"VERSION_OF({major}, {minor}, 0)", f"find_package(countersink {major}.{minor})",
         f"takes {major}.{minor}.x, refuses {major}.{int(minor) + 1}"}
missing = [text for text in shown if text not in page]
sys.exit(0 if len(set(stated.values())) == 1 and len(dates) == 1 and not missing else f"{stated} {dates} {missing}")
