#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the C header, the SystemVerilog package and the table in docs/hw/gen/ of every
unit from src/regs/<unit>.rdl, with PeakRDL's compiler.

    generate.py           writes those that differ
    generate.py --check   writes none; exits 1, with the difference, when a committed one is stale

Run it by tools/regs.sh, which makes the place for the Python packages first.
"""

import difflib
import pathlib
import sys

from systemrdl import RDLCompileError, RDLCompiler
from systemrdl.messages import MessagePrinter
from systemrdl.node import RegNode

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTE = "Generated from src/regs/{unit}.rdl by tools/regs/generate.py: do not edit."

# A unit, and its address maps with the prefix that each gives its names.
MAPS = {"corepmu": [("corepmu_ext32", "EXT32_"), ("corepmu_ext64", "EXT64_")]}
UNITS = {
    file.stem: MAPS.get(file.stem, [(file.stem, "")])
    for file in sorted((ROOT / "src/regs").glob("*.rdl"))
}

# Access words by what software may do, and by what a write does where it does not just store.
PLAIN = {"rw": "rw", "r": "ro", "w": "wo"}
ON_WRITE = {
    ("rw", "woset"): "rw1s",
    ("rw", "woclr"): "rw1c",
    ("w", "woset"): "w1s",
    ("w", "woclr"): "w1c",
}


class Field:
    """A field: place, access, reset, meaning and, where it has them, named values."""

    def __init__(self, node):
        self.name = node.inst_name
        self.lsb = node.lsb
        self.width = node.width
        self.mask = ((1 << node.width) - 1) << node.lsb
        self.reset = node.get_property("reset") or 0
        self.text = node.get_property("desc") or ""
        self.access = access_word(node)
        self.values = [(v.name, v.value) for v in node.get_property("encode") or []]

    @property
    def bits(self):
        msb = self.lsb + self.width - 1
        return str(msb) if self.width == 1 else f"{msb}:{self.lsb}"


class Register:
    """A register, or an array of them, with the prefix of its address map in its name."""

    def __init__(self, node, prefix):
        self.name = prefix + node.inst_name
        self.text = node.get_property("name")
        self.offset = node.raw_absolute_address
        self.width = node.get_property("regwidth")
        self.is_array = node.is_array
        self.count = node.array_dimensions[0] if node.is_array else 1
        self.stride = node.array_stride if node.is_array else 0
        self.fields = [Field(field) for field in node.fields()]
        self.reset = sum(field.reset << field.lsb for field in self.fields)

    @property
    def access(self):
        words = {field.access for field in self.fields}
        return words.pop() if len(words) == 1 else "mixed"


class Map:
    """An address map: its title, a note on it and its registers, by offset."""

    def __init__(self, title, text, registers):
        self.title = title
        self.text = text
        self.registers = registers


def access_word(node):
    software = node.get_property("sw").name
    effect = node.get_property("onwrite")
    if effect is not None:
        return ON_WRITE[(software, effect.name)]
    return "w1" if node.get_property("singlepulse") else PLAIN[software]


def read_unit(unit):
    maps = []
    for top, prefix in UNITS[unit]:
        compiler = RDLCompiler(message_printer=MessagePrinter())
        compiler.compile_file(str(ROOT / "src/regs" / f"{unit}.rdl"))
        found = compiler.elaborate(top).top
        registers = []
        for node in found.children():
            if not isinstance(node, RegNode):
                raise ValueError(f"{unit}.rdl: {node.inst_name}: only registers are expected")
            node.current_idx = [0] if node.is_array else None
            registers.append(Register(node, prefix))
        maps.append(Map(found.get_property("name"), found.get_property("desc"), registers))
    return maps


# --- C ---


def c_number(value, digits=1):
    return f"0x{value:0{digits}X}u" + ("ll" if value >> 32 else "")


def c_register(name, reg):
    yield name, c_number(reg.offset, 3), reg.text
    yield f"{name}_RESET", c_number(reg.reset), ""
    if reg.is_array:
        yield f"{name}_COUNT", f"{reg.count}u", ""
        yield f"{name}_STRIDE", f"{reg.stride}u", ""
    for field in reg.fields:
        stem = f"{name}_{field.name}"
        yield f"{stem}_SHIFT", f"{field.lsb}u", ""
        yield f"{stem}_WIDTH", f"{field.width}u", ""
        yield f"{stem}_MASK", c_number(field.mask), ""
        for word, value in field.values:
            yield f"{stem}_{word}", f"{value}u", ""


def c_header(unit, maps):
    stem = f"CS_{unit.upper()}_"
    guard = f"{stem}REGS_H"
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        f"/* {NOTE.format(unit=unit)}",
        " *",
        " * REG is a byte offset (of element 0 of an array, which has _COUNT and _STRIDE too),",
        " * REG_RESET the value after reset; of a field _SHIFT, _WIDTH and _MASK, the mask in",
        " * its place in the register. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
    ]
    seen = set()
    rows = []
    for reg in (reg for part in maps for reg in part.registers):
        for name, value, text in c_register(stem + reg.name, reg):
            if name in seen:
                raise ValueError(f"{unit}.rdl: {name} would be defined twice")
            seen.add(name)
            lines.append(f"#define {name} {value}" + (f" /* {text} */" if text else ""))
        lines.append("")
        rows.append(
            f"    X({reg.name}, {c_number(reg.offset, 3)}, {reg.count}u, {reg.stride}u, "
            f'{reg.width}u, "{reg.access}", {c_number(reg.reset)}, "{reg.text}")'
        )
    lines += [
        "/* X(name, offset, count, stride, bits, access, reset, text) for every register; count 1",
        " * and stride 0 where it is no array; access is \"mixed\" where the fields differ. */",
        f"#define {stem}REGISTERS(X) \\",
    ]
    return "\n".join(lines) + "\n" + " \\\n".join(rows) + "\n\n#endif\n"


# --- SystemVerilog: what Verilator, Icarus and Yosys all read ---


def sv_register(reg):
    """Sized constants and plain numbers of a register: (type, name, value)."""
    yield "logic [15:0]", f"{reg.name}_OFFSET", f"16'h{reg.offset:04X}"
    yield f"logic [{reg.width - 1}:0]", f"{reg.name}_RESET", f"{reg.width}'h{reg.reset:X}"
    if reg.is_array:
        yield "int", f"{reg.name}_COUNT", reg.count
        yield "int", f"{reg.name}_STRIDE", reg.stride
    for field in reg.fields:
        yield "int", f"{reg.name}_{field.name}_LSB", field.lsb
        yield "int", f"{reg.name}_{field.name}_WIDTH", field.width
        for word, value in field.values:
            size = f"logic [{field.width - 1}:0]"
            yield size, f"{reg.name}_{field.name}_{word}", f"{field.width}'d{value}"


def sv_wrapped(opening, names, separator, closing):
    lines = [opening]
    for name in names:
        last = name == names[-1]
        lines.append(f"    {name}{closing if last else separator}")
    return lines


def sv_package(unit, maps):
    lines = [f"// {NOTE.format(unit=unit)}", f"package {unit}_regs_pkg;", ""]
    sized, plain = [], []
    for reg in (reg for part in maps for reg in part.registers):
        for kind, name, value in sv_register(reg):
            lines.append(f"  localparam {kind} {name} = {value};")
            (plain if kind == "int" else sized).append(name)
        lines.append("")
    lines.append("  // Every name is used here, so that no module has to use all of them.")
    lines += sv_wrapped("  localparam logic unused_sized = ^{", sized, ",", "};")
    lines += sv_wrapped("  localparam int unused_plain =", plain, " ^", ";")
    return "\n".join(lines) + "\n\nendpackage\n"


# --- Markdown ---


def md_row(*cells):
    return "| " + " | ".join(cells) + " |"


def md_register(reg, name):
    where = f"0x{reg.offset:03X}" + (f" + {reg.stride}n" if reg.is_array else "")
    yield md_row(
        where,
        f"**{name}**" + (f", n < {reg.count}" if reg.is_array else ""),
        str(reg.width),
        "",
        reg.access,
        f"0x{reg.reset:X}",
        reg.text,
    )
    for field in reg.fields:
        text = field.text
        if field.values:
            text += ": " + ", ".join(f"{value} {word}" for word, value in field.values)
        yield md_row("", "", field.bits, field.name, field.access, f"0x{field.reset:X}", text)


def markdown(unit, maps):
    lines = [
        f"<!-- {NOTE.format(unit=unit)} -->",
        f"# Registers of `{unit}`",
        "",
        f"What they do is told in [{unit}.md](../{unit}.md). Access: `rw`, `ro`; `rw1s`, `rw1c`",
        "read the bits, and a written 1 sets or clears them; `w1` acts on a written 1 and",
        "reads zero; `w1c` clears something elsewhere and reads zero. Bits that are not",
        "listed read zero.",
    ]
    for part, (_, prefix) in zip(maps, UNITS[unit]):
        lines += [
            "",
            f"## {part.title}",
            "",
            part.text,
            "",
            md_row("offset", "register", "bits", "field", "access", "reset", "meaning"),
            "|---|---|---|---|---|---|---|",
        ]
        for reg in part.registers:
            name = reg.name[len(prefix) :] + ("<n>" if reg.is_array else "")
            lines += md_register(reg, name.replace("<", "&lt;"))
    return "\n".join(lines) + "\n"


# --- a plain table, for `compare` and `coverage` (docs/verification.md, "Points") ---


def table_register(reg, prefix):
    name = reg.name[len(prefix) :] + ("<0>" if reg.is_array else "")
    several = f" {reg.count} {reg.stride}" if reg.is_array else ""
    yield f"register {name} 0x{reg.offset:03X} {reg.width} {reg.access}{several}"
    for field in reg.fields:
        yield f"field {field.name} {field.bits} {field.access}"
        for word, value in field.values:
            yield f"value {word} {value}"


def table(unit, maps):
    lines = [f"# {NOTE.format(unit=unit)}"]
    for part, (_, prefix) in zip(maps, UNITS[unit]):
        if prefix:
            lines.append(f"variant {prefix.rstrip('_').lower()}")
        for reg in part.registers:
            lines += table_register(reg, prefix)
    return "\n".join(lines) + "\n"


OUTPUTS = {
    "docs/hw/gen/{unit}_regs.txt": table,
    "include/countersink/regs/{unit}_regs.h": c_header,
    "src/regs/gen/{unit}_regs_pkg.sv": sv_package,
    "docs/hw/gen/{unit}_regs.md": markdown,
}


def difference(path, old, new):
    name = str(path.relative_to(ROOT))
    return difflib.unified_diff(
        old.splitlines(True), new.splitlines(True), name, name + " (generated now)"
    )


def generate(check):
    """Writes what differs, or (check) prints how it differs. The files that do."""
    stale = []
    for unit in UNITS:
        maps = read_unit(unit)
        for pattern, make in OUTPUTS.items():
            path = ROOT / pattern.format(unit=unit)
            new = make(unit, maps)
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
    except (RDLCompileError, ValueError) as error:
        print(f"generate.py: {error}", file=sys.stderr)
        return 2
    for path in stale:
        print(path.relative_to(ROOT), "is not current" if check else "written")
    if check and stale:
        print("Run tools/regs.sh and commit what it writes.")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
