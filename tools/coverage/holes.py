# SPDX-License-Identifier: Apache-2.0
"""Lines that no comparison reaches, and why (tools/coverage/holes.txt)."""
import dataclasses
import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parent / "holes.txt"


class BadTable(Exception):
    pass


@dataclasses.dataclass
class Row:
    where: str # FILE:LINE of the table
    place: str
    text: str
    reason: str
    used: int = 0 # holes that it explains

    def explains(self, place, text):
        return matches(self.place, place) and matches(self.text, text)


def matches(pattern, text):
    """`*` stands for anything; all else for itself."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), text) is not None


def read(path):
    """Rows: PLACE | TEXT | REASON."""
    rows = []
    for nr, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 3 or not all(parts):
            raise BadTable(f"{path}:{nr}: expected 'PLACE | TEXT | REASON', found '{line}'")
        rows.append(Row(f"{path}:{nr}", *parts))
    return rows
