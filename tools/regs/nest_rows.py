#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the C tables, the SystemVerilog ROMs and the tables in docs/hw/gen/ of the nest posting
engine's two programs from src/regs/nest_rows.txt and nest_p10_rows.txt.

    nest_rows.py           writes those that differ
    nest_rows.py --check   writes none; exits 1, with the difference, when a committed one is stale
"""

import difflib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTE = "Generated from src/regs/{} by tools/regs/nest_rows.py: do not edit."

COLUMNS = "group states kind offset count units width prescale style epoch".split()
KINDS = ["header", "trailer", "counters"]
STYLES = ["clear", "wrap", "wrap2", "store"]
EPOCH_ALL = 3
UNITS_ALL = (1 << 64) - 1
BURST = 9
PAGE = 4096

MOST_GROUPS = 13
MOST_ROWS = 96  # the ROMs have as many places, so that either program can be taken
LINKS = 8


def unit_names(runs):
    """The units of the availability vector, by their bits: docs/hw/nest.md numbers them from the
    top."""
    return {first + i: name for first, names in runs for i, name in enumerate(names)}


POWER9_UNITS = unit_names([
    (0, ["powerbus"]),
    (1, [f"mcs{n}" for n in range(8)]),
    (9, [f"mba{n}" for n in range(8)]),
    (17, [f"centaur{n}" for n in range(8)]),
    (25, [f"xlink{n}" for n in range(3)]),
    (28, [f"mcd{n}" for n in range(2)]),
    (30, [f"phb{n}" for n in range(6)]),
    (36, ["nx", "capp0", "capp1", "vas", "int"]),
    (41, [f"alink{n}" for n in range(4)]),
    (45, [f"nvlink{n}" for n in range(6)]),
])

# Of a link the units are not the vector's bits: docs/hw/nest.md, "POWER10".
POWER10_UNITS = unit_names([
    (0, ["pb"]),
    (1, [f"mc{n // 2}{n % 2}" for n in range(8)]),
    (9, ["pec0", "pec1"]),
    (11, [f"{kind}{n}" for n in range(LINKS) for kind in ("xlink", "alink", "otl")]),
    (35, [f"phb{n}" for n in range(6)]),
    (41, [f"ocmb{n}" for n in range(16)]),
    (57, ["nx"]),
])


class Program:
    """One of the two: where it comes from, and what it must be like."""

    def __init__(self, source, title, prefix, groups, states, epochs, posted_bytes, units):
        self.source = source
        self.title = title
        self.prefix = prefix  # of names: "" or "p10_"
        self.groups = groups
        self.states = states
        self.epochs = epochs  # of the groups that post in turns
        self.posted_bytes = posted_bytes  # docs/hw/nest.md, CLEAN: what the engine zeroes
        self.units = units
        self.path = ROOT / "src/regs" / source
        self.rows = []

    @property
    def note(self):
        return NOTE.format(self.source)


POWER9 = Program("nest_rows.txt", "Rows of the nest posting engine", "", 7, 8, {2: 2, 4: 3}, 0x770,
                 POWER9_UNITS)
POWER10 = Program("nest_p10_rows.txt", "Rows of POWER10's nest posting engine", "p10_", 13, 16, {},
                  0xE10, POWER10_UNITS)


class SourceError(ValueError):
    """What is wrong with the source, with its line."""


class Line:
    """A line of the source, and its cells by the names of their columns."""

    def __init__(self, program, number, text):
        self.program = program
        self.number = number
        cells = text.split()
        if len(cells) != len(COLUMNS):
            raise self.error("columns", f"{len(COLUMNS)}: {' '.join(COLUMNS)}", len(cells))
        self.cells = dict(zip(COLUMNS, cells))

    def error(self, what, expected, found):
        return SourceError(
            f"{self.program.source}:{self.number}: {what}: expected {expected}, found {found}"
        )

    def number_in(self, column, low, high):
        return self.as_number(column, self.cells[column], low, high)

    def as_number(self, column, text, low, high):
        try:
            value = int(text, 0)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise self.error(column, f"{low}..{high}", text)
        return value

    def word_of(self, column, words):
        word = self.cells[column]
        if word not in words:
            raise self.error(column, " or ".join(words), word)
        return words.index(word)

    def list_in(self, column, low, high):
        """Numbers with commas between them, each greater than the one before."""
        values = [self.as_number(column, t, low, high) for t in self.cells[column].split(",")]
        if values != sorted(set(values)):
            raise self.error(column, "numbers in rising order", self.cells[column])
        return values

    def is_none(self, column):
        return self.cells[column] == "-"


class Row:
    """A row of the program: one burst of the engine."""

    def __init__(self, line, first):
        program = line.program
        self.line = line
        self.first = first  # number of its first counter: how many come before it
        self.group = line.number_in("group", 1, program.groups)
        self.states = line.list_in("states", 1, program.states)
        self.kind = KINDS[line.word_of("kind", KINDS)]
        self.offset = line.number_in("offset", 0, program.posted_bytes - 8)
        self.count = line.number_in("count", 1, BURST)
        self.units = [] if line.is_none("units") else line.list_in("units", 0, max(program.units))
        self.width = self.prescale = self.style = 0
        self.epoch = EPOCH_ALL
        if self.is_counters:
            self.read_counters()
        else:
            self.expect_plain()
        if not line.is_none("epoch"):
            if self.group not in program.epochs:
                raise line.error("epoch", "- but in groups that post in turns", line.cells["epoch"])
            self.epoch = line.number_in("epoch", 0, program.epochs[self.group] - 1)
        self.check_place()

    @property
    def is_counters(self):
        return self.kind == "counters"

    @property
    def end(self):
        return self.offset + 8 * self.count

    @property
    def states_mask(self):
        return sum(1 << (state - 1) for state in self.states)

    @property
    def units_mask(self):
        return sum(1 << (63 - unit) for unit in self.units) if self.units else UNITS_ALL

    def read_counters(self):
        line = self.line
        self.width = line.number_in("width", 1, 60)
        self.prescale = line.number_in("prescale", 0, 16)
        self.style = line.word_of("style", STYLES)

    def expect_plain(self):
        for column in ("width", "prescale", "style"):
            if not self.line.is_none(column):
                found = self.line.cells[column]
                raise self.line.error(f"{column} of a {self.kind}", "-", found)
        if self.count != 1:
            raise self.line.error(f"count of a {self.kind}", "1", self.count)

    def check_place(self):
        if self.offset % 8 != 0:
            raise self.line.error("offset", "a multiple of 8", f"0x{self.offset:03x}")
        if self.offset // PAGE != (self.end - 1) // PAGE:
            raise self.line.error("end of the burst", "the page of its offset", f"0x{self.end:03x}")
        most = self.line.program.posted_bytes
        if self.end > most:
            raise self.line.error("end of the burst", f"<= 0x{most:x}", f"0x{self.end:03x}")


def read_rows(program):
    rows = []
    counters = 0
    for number, text in enumerate(program.path.read_text(encoding="utf-8").splitlines(), 1):
        text = text.split("#", 1)[0].strip()
        if not text:
            continue
        row = Row(Line(program, number, text), counters)
        counters += row.count if row.is_counters else 0
        rows.append(row)
    if not rows:
        raise SourceError(f"{program.source}: rows: expected some, found none")
    if len(rows) > MOST_ROWS:
        raise rows[-1].line.error("rows", f"<= {MOST_ROWS}", len(rows))
    check_groups(program, rows)
    check_overlaps(rows)
    return rows


def check_groups(program, rows):
    """A group is a header, counters and a trailer, and all of them have its states."""
    before = None
    for row in rows:
        opens = before is None or before.kind == "trailer"
        if opens != (row.kind == "header"):
            expected = "a header" if opens else "counters or a trailer"
            raise row.line.error("kind", expected, row.kind)
        group = (before.group if before else 0) + (1 if opens else 0)
        if row.group != group:
            raise row.line.error("group", group, row.group)
        if not opens and row.states != before.states:
            expected = ",".join(map(str, before.states))
            raise row.line.error("states", f"those of the header, {expected}",
                                 row.line.cells["states"])
        before = row
    if before.kind != "trailer":
        raise before.line.error("last row", "a trailer", before.kind)
    if before.group != program.groups:
        raise before.line.error("last group", program.groups, before.group)


def check_overlaps(rows):
    end, owner = 0, None
    for row in sorted(rows, key=lambda row: row.offset):
        if row.offset < end:
            where = f"0x{row.offset:03x}, which line {owner.line.number} has too"
            raise row.line.error("offset", f">= 0x{end:03x}", where)
        end, owner = row.end, row


def headers(rows):
    """One row of each group, in order."""
    return [row for row in rows if row.kind == "header"]


def counters_total(rows):
    return sum(row.count for row in rows if row.is_counters)


# --- C ---

C_TYPES = """\
typedef enum { CS_NEST_HEADER, CS_NEST_TRAILER, CS_NEST_COUNTERS } cs_nest_kind;

typedef enum { CS_NEST_CLEAR, CS_NEST_WRAP, CS_NEST_WRAP2, CS_NEST_STORE } cs_nest_style;

typedef struct cs_nest_row {
    uint8_t group;   /* from 1 on */
    uint16_t states; /* of the ring in which the group is visited; bit n: state n + 1 */
    uint8_t kind;   /* cs_nest_kind */
    uint16_t offset;
    uint8_t count;   /* doublewords */
    uint64_t units;  /* bits of the availability vector, one of which must be set; all: always */
    uint8_t width;   /* of each counter, as is what follows; 0 in headers and trailers */
    uint8_t prescale;
    uint8_t style;   /* cs_nest_style */
    uint8_t epoch;   /* of groups 2 and 4; 3: all */
    uint16_t first;  /* number of its first counter: how many counters are in the rows before */
} cs_nest_row;
"""


C_PROGRAMS = """\
typedef struct cs_nest_program {
    const cs_nest_row *rows;
    unsigned nr_rows, nr_counters;
    unsigned posted_bytes; /* of the window, from its beginning: where counters are */
} cs_nest_program;

/* By generation: POWER9's, POWER10's. */
static const cs_nest_program cs_nest_programs[2] = {
    {cs_nest_rows, CS_NEST_ROWS, CS_NEST_COUNTERS_TOTAL, %(nine)s},
    {cs_nest_p10_rows, CS_NEST_P10_ROWS, CS_NEST_P10_COUNTERS_TOTAL, %(ten)s},
};
""" % {"nine": f"0x{POWER9.posted_bytes:x}u", "ten": f"0x{POWER10.posted_bytes:x}u"}


def c_table(program):
    name = program.prefix.upper()
    lines = [
        f"/* {program.source}. */",
        f"#define CS_NEST_{name}ROWS {len(program.rows)}u",
        f"#define CS_NEST_{name}COUNTERS_TOTAL {counters_total(program.rows)}u",
        "",
        f"static const cs_nest_row cs_nest_{program.prefix}rows[CS_NEST_{name}ROWS] = {{",
    ]
    for row in program.rows:
        lines.append(
            f"    {{{row.group}, 0x{row.states_mask:02X}, CS_NEST_{row.kind.upper()}, "
            f"0x{row.offset:03X}, {row.count}, 0x{row.units_mask:016X}u, {row.width}, "
            f"{row.prescale}, CS_NEST_{STYLES[row.style].upper()}, {row.epoch}, {row.first}}},"
        )
    return "\n".join(lines) + "\n};\n"


def c_header():
    lines = [
        f"/* {NOTE.format('nest_rows.txt and nest_p10_rows.txt')}",
        " *",
        " * The programs of the nest posting engine, one row a burst, in order (docs/hw/nest.md,",
        ' * "Rows"). */',
        "#ifndef CS_NEST_ROWS_H",
        "#define CS_NEST_ROWS_H",
        "",
        "#include <stdint.h>",
        "",
        C_TYPES,
        c_table(POWER9),
        c_table(POWER10),
        C_PROGRAMS,
    ]
    return "\n".join(lines) + "\n#endif\n"


# --- SystemVerilog: what Verilator, Icarus and Yosys all read ---

# name, bits of an element, its value, hexadecimal digits or none for decimal
SV_COLUMNS = [
    ("GROUP", 4, lambda row: row.group, 0),
    ("STATES", 16, lambda row: row.states_mask, 4),
    ("KIND", 2, lambda row: KINDS.index(row.kind), 0),
    ("OFFSET", 12, lambda row: row.offset, 3),
    ("COUNT", 4, lambda row: row.count, 0),
    ("UNITS", 64, lambda row: row.units_mask, 16),
    ("WIDTH", 6, lambda row: row.width, 0),
    ("PRESCALE", 5, lambda row: row.prescale, 0),
    ("STYLE", 2, lambda row: row.style, 0),
    ("EPOCH", 2, lambda row: row.epoch, 0),
    ("FIRST", 9, lambda row: row.first, 0),
]


def sv_literal(bits, value, digits):
    if value >> bits:
        raise ValueError(f"{value} does not fit into {bits} bits")
    return f"{bits}'h{value:0{digits}x}" if digits else f"{bits}'d{value}"


def sv_column(rows, most, name, bits, value, digits):
    """A vector of which element 0, the lowest, is row 0 (or whatever else is in rows); those that
    are not there are zero."""
    lines = [f"  localparam logic [{most * bits - 1}:0] {name} = {{"]
    cells = [sv_literal(bits, 0, digits)] * (most - len(rows))
    cells += [sv_literal(bits, value(row), digits) for row in reversed(rows)]
    per_line = max(1, 88 // (max(len(cell) for cell in cells) + 2))
    for at in range(0, len(cells), per_line):
        end = "," if at + per_line < len(cells) else ""
        lines.append("    " + ", ".join(cells[at : at + per_line]) + end)
    return lines + ["  };", ""]


def sv_package(program):
    rows = program.rows
    lines = [
        f"// {program.note}",
        "//",
        "// The program of the nest posting engine (docs/hw/nest.md, \"Rows\"): a vector a column, of",
        "// which element n, from the right, is row n.",
        f"package nest_{program.prefix}rows_pkg;",
        "",
        f"  localparam int NrRow = {len(rows)};",
        f"  localparam int NrCounter = {counters_total(rows)};",
        f"  localparam int NrGroup = {program.groups};",
        "",
    ]
    for prefix, words, bits in (("KIND", KINDS, 2), ("STYLE", STYLES, 2)):
        for value, word in enumerate(words):
            lines.append(f"  localparam logic [{bits - 1}:0] {prefix}_{word.upper()} = {bits}'d{value};")
    lines += [f"  localparam logic [1:0] EPOCH_ALL = 2'd{EPOCH_ALL};", ""]
    for column in SV_COLUMNS:
        lines += sv_column(rows, MOST_ROWS, *column)
    lines.append("  // Element n - 1: the states of group n.")
    lines += sv_column(headers(rows), MOST_GROUPS, "GROUP_STATES", 16,
                       lambda row: row.states_mask, 4)
    names = [f"KIND_{word.upper()}" for word in KINDS] + [f"STYLE_{word.upper()}" for word in STYLES]
    names += ["EPOCH_ALL"] + [column[0] for column in SV_COLUMNS] + ["GROUP_STATES"]
    lines.append("  // Every name is used here, so that no module has to use all of them.")
    lines.append("  localparam logic unused_sized = ^{")
    lines += [f"    {name}," for name in names[:-1]] + [f"    {names[-1]}}};"]
    lines.append("  localparam int unused_plain = NrRow ^ NrCounter ^ NrGroup;")
    return "\n".join(lines) + "\n\nendpackage\n"


# --- Markdown ---


def md_row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def md_units(row):
    return ", ".join(row.line.program.units[unit] for unit in row.units) or "always"


def md_counter(row):
    """Cells of what follows the units; most of it only counters have."""
    epoch = "all" if row.epoch == EPOCH_ALL else row.epoch
    if not row.is_counters:
        return ["", "", "", epoch, ""]
    last = row.first + row.count - 1
    numbers = str(row.first) if last == row.first else f"{row.first}..{last}"
    return [row.width, row.prescale, STYLES[row.style], epoch, numbers]


def markdown(program):
    rows = program.rows
    lines = [
        f"<!-- {program.note} -->",
        f"# {program.title}",
        "",
        "What they mean is told in [nest.md](../nest.md), \"Rows\". Counters are numbered in the order",
        f"of the rows: {counters_total(rows)} in {len(rows)} rows. A row is carried out when one of its",
        "units is available.",
    ]
    for group in range(1, program.groups + 1):
        mine = [row for row in rows if row.group == group]
        states = ", ".join(map(str, mine[0].states))
        lines += [
            "",
            f"## Group {group}: states {states} of the ring" if len(mine[0].states) > 1
            else f"## Group {group}: state {states} of the ring",
            "",
            md_row("row", "kind", "offset", "doublewords", "units", "width", "prescale", "style",
                   "epoch", "numbers"),
            "|---" * 10 + "|",
        ]
        for row in mine:
            lines.append(md_row(rows.index(row), row.kind, f"0x{row.offset:03X}", row.count,
                                md_units(row), *md_counter(row)))
    return "\n".join(lines) + "\n"


OUTPUTS = {
    "src/regs/gen/nest_rows.h": c_header,
    "src/regs/gen/nest_rows_pkg.sv": lambda: sv_package(POWER9),
    "src/regs/gen/nest_p10_rows_pkg.sv": lambda: sv_package(POWER10),
    "docs/hw/gen/nest_rows.md": lambda: markdown(POWER9),
    "docs/hw/gen/nest_p10_rows.md": lambda: markdown(POWER10),
}


def difference(path, old, new):
    name = str(path.relative_to(ROOT))
    return difflib.unified_diff(
        old.splitlines(True), new.splitlines(True), name, name + " (generated now)"
    )


def generate(check):
    """Writes what differs, or (check) prints how it differs. The files that do."""
    stale = []
    for program in (POWER9, POWER10):
        program.rows = read_rows(program)
    for name, make in OUTPUTS.items():
        path = ROOT / name
        new = make()
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if new == old:
            continue
        stale.append(path)
        if check:
            sys.stdout.writelines(difference(path, old, new))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(new, encoding="utf-8")
    return stale


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    check = arguments == ["--check"]
    try:
        stale = generate(check)
    except (OSError, ValueError) as error:
        print(f"nest_rows.py: {error}", file=sys.stderr)
        return 2
    for path in stale:
        print(path.relative_to(ROOT), "is not current" if check else "written")
    if check and stale:
        print("Run tools/regs.sh and commit what it writes.")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
