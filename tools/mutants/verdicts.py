"""What became of mutants: a line of JSON each, added as they are tried, so that a run that was
interrupted goes on where it was."""
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
        """What is known of a mutant, when it still holds."""
        row = self.rows.get((key, layer))
        if row is None or (row["state"] != state and not (trust and row["verdict"] == KILLED)):
            return None
        return row


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


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


class Report:
    """Counts by unit and kind of what a list of mutants came to."""

    COLUMNS = ("mutants", "invalid", "equivalent", *LAYERS, "lockstep", "any", "survived")

    def __init__(self, mutants, verdicts, equivalents, state, trust):
        self.rows, self.survivors, self.lockstep_survivors = {}, [], []
        for mutant in mutants:
            row = self.rows.setdefault((mutant.unit, mutant.kind), dict.fromkeys(self.COLUMNS, 0))
            known = {layer: verdicts.get(mutant.key, layer, state, trust)
                     for layer in ("build", *LAYERS)}
            killed = {layer for layer in LAYERS
                      if known[layer] is not None and known[layer]["verdict"] == KILLED}
            row["mutants"] += 1
            if known["build"] is not None:
                row["invalid"] += 1
                continue
            if not killed and mutant.key in equivalents:
                row["equivalent"] += 1
                continue
            for layer in killed:
                row[layer] += 1
            row["lockstep"] += bool(killed & set(LOCKSTEP))
            row["any"] += bool(killed)
            if not killed and all(known[layer] is None for layer in LAYERS):
                row["mutants"] -= 1 # not tried
            elif not killed:
                row["survived"] += 1
                self.survivors.append(mutant)
            elif not killed & set(LOCKSTEP) and mutant.kind in ("rtl", "model", "bus"):
                self.lockstep_survivors.append(mutant)

    def text(self):
        head = ("unit", "kind", *self.COLUMNS, "by unit tests", "by lockstep")
        table = [head]
        order = {kind: n for n, kind in enumerate(KINDS)}
        for (unit, kind), row in sorted(self.rows.items(),
                                        key=lambda item: (item[0][0], order[item[0][1]])):
            judged = row["mutants"] - row["invalid"] - row["equivalent"]
            table.append((unit, kind, *(str(row[name]) for name in self.COLUMNS),
                          percent(row["unit"], judged), percent(row["lockstep"], judged)))
        widths = [max(len(line[i]) for line in table) for i in range(len(head))]
        return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths))
                         + " |" for line in table)

    def json(self):
        return {"rows": [{"unit": unit, "kind": kind, **row}
                         for (unit, kind), row in self.rows.items()],
                "survived": [{"key": m.key, "what": m.describe()} for m in self.survivors],
                "not_by_lockstep": [{"key": m.key, "what": m.describe()}
                                    for m in self.lockstep_survivors]}
