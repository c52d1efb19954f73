# SPDX-License-Identifier: Apache-2.0
"""What became of mutants: a line of JSON each, added as they are tried, so that a run that was
interrupted goes on where it was."""
import fnmatch
import json
import pathlib

from layers import KINDS, LAYERS, LOCKSTEP

INVALID = "invalid"     # no compiler takes it
SURVIVED = "survived"
KILLED = "killed"


class Verdicts:
    def __init__(self, folder, part=""):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.own = self.folder / f"verdicts{part}.jsonl"
        self.rows = {}
        for path in sorted(self.folder.glob("verdicts*.jsonl")):
            for line in path.read_text().splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue # the last line of a run that was killed
                self.rows[(row["key"], row["layer"])] = row

    def add(self, **row):
        self.rows[(row["key"], row["layer"])] = row
        with open(self.own, "a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")

    def get(self, key, layer, state, trust):
        """What is known of a mutant, when it still holds. What no compiler took stays so: its key
        would be another with another text."""
        row = self.rows.get((key, layer))
        if row is not None and row["verdict"] == INVALID:
            return row
        if row is None or (row["state"] != state and not (trust and row["verdict"] == KILLED)):
            return None
        return row

    def last(self, key, layer, state, trust):
        """What a report counts: who survived in another state survives until it is tried again."""
        return self.rows.get((key, layer)) if trust else self.get(key, layer, state, trust)


def read_equivalents(path):
    """{key: reason}; a line is a key, a tab or blanks, where and what it is, `|`, the reason."""
    known = {}
    for nr, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        key, _, rest = line.partition(" ")
        reason = rest.rpartition("|")[2].strip()
        if len(key) != 10 or "|" not in rest or not reason:
            raise ValueError(f"{path}:{nr}: expected KEY WHERE: OLD -> NEW | REASON")
        known[key] = reason
    return known


class Rules:
    """Classes of mutants that lockstep, unit tests, or no test can notice (rules.txt)."""

    def __init__(self, path):
        self.rows = []
        for nr, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            head, mark, reason = line.rpartition(" | ")
            words = head.split(None, 3)
            if not mark or not reason.strip() or len(words) != 4 or \
                    words[0] not in ("lockstep", "unit", "tests"):
                raise ValueError(f"{path}:{nr}: expected WHO PATH SCOPE TEXT | REASON")
            self.rows.append((*(word.strip() for word in words), reason.strip()))

    def who(self, mutant):
        """Who cannot notice it: "lockstep", "unit", "tests", or "" where nothing is said."""
        text = f"{' '.join(mutant.old.split())} -> {' '.join(mutant.new.split()) or 'dropped'}"
        for who, path, scope, pattern, _ in self.rows:
            if fnmatch.fnmatchcase(mutant.path, path) and \
                    fnmatch.fnmatchcase(mutant.scope, scope) and \
                    fnmatch.fnmatchcase(text, literal(pattern)):
                return who
        return ""


def literal(pattern):
    """Brackets and question marks stand for themselves; only * does not."""
    return "".join(f"[{letter}]" if letter in "[?" else letter for letter in pattern)


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


class Report:
    """Counts by unit and kind of what a list of mutants came to.

    What no test can notice is not judged. Drivers and readers are the same code on both sides of
    a comparison: lockstep is not asked about them, and not about what rules.txt leaves out.
    """

    COLUMNS = ("tried", "invalid", "equivalent", *LAYERS, "neither")
    SEEN_BY_LOCKSTEP = ("rtl", "model", "bus")

    def __init__(self, mutants, verdicts, equivalents, rules, state, trust):
        self.rows, self.survivors = {}, []
        self.unit_survivors, self.lockstep_survivors = [], []
        for mutant in mutants:
            self.take(mutant, verdicts, equivalents, rules.who(mutant), state, trust)

    def take(self, mutant, verdicts, equivalents, unnoticed_by, state, trust):
        known = {layer: verdicts.last(mutant.key, layer, state, trust)
                 for layer in ("build", *LAYERS)}
        tried = {layer for layer in LAYERS if known[layer] is not None}
        killed = {layer for layer in tried if known[layer]["verdict"] == KILLED}
        if known["build"] is None and not tried:
            return
        row = self.rows.setdefault((mutant.unit, mutant.kind), dict.fromkeys(
            (*self.COLUMNS, "by unit", "unit of", "by lockstep", "lockstep of"), 0))
        if known["build"] is not None:
            row["invalid"] += 1
            return
        row["tried"] += 1
        if not killed and (mutant.key in equivalents or unnoticed_by == "tests"):
            row["equivalent"] += 1
            return
        for layer in killed:
            row[layer] += 1
        row["neither"] += not killed
        if not killed:
            self.survivors.append(mutant)
        if "unit" in tried and unnoticed_by != "unit":
            row["unit of"] += 1
            row["by unit"] += "unit" in killed
            if killed and "unit" not in killed:
                self.unit_survivors.append(mutant)
        noticed = bool(killed & set(LOCKSTEP))
        if mutant.kind in self.SEEN_BY_LOCKSTEP and tried & set(LOCKSTEP) and \
                unnoticed_by != "lockstep":
            row["lockstep of"] += 1
            row["by lockstep"] += noticed
            if killed and not noticed:
                self.lockstep_survivors.append(mutant)

    def text(self):
        head = ("unit, kind", *self.COLUMNS, "by unit tests", "by lockstep")
        table, order = [], {kind: n for n, kind in enumerate(KINDS)}
        for (unit, kind), row in sorted(self.rows.items(),
                                        key=lambda item: (order[item[0][1]], item[0][0])):
            table.append((f"{unit}, {kind}", *(str(row[name]) for name in self.COLUMNS),
                          percent(row["by unit"], row["unit of"]),
                          percent(row["by lockstep"], row["lockstep of"])))
        return "\n".join("| " + " | ".join(line) + " |"
                         for line in (head, ["---"] * len(head), *table))

    def json(self):
        def told(mutants):
            return [{"key": m.key, "what": m.describe()} for m in mutants]
        return {"rows": [{"unit": unit, "kind": kind, "counts": row}
                         for (unit, kind), row in self.rows.items()],
                "survived": told(self.survivors),
                "not_by_unit_tests": told(self.unit_survivors),
                "not_by_lockstep": told(self.lockstep_survivors)}
