#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second simulator's opinion: what Verilator had at the pins of a die in a lockstep comparison is put to the
same RTL under Icarus, cycle by cycle. Each output has to be the same there.

    icarus.py COUNTERSINK MAKE_DIE SOURCE DIE CYCLES SCENARIO [--set KEY=VALUE]... [--fault FILE OLD NEW]

DIE is a line of src/rtl/dies.txt. The first CYCLES are compared. A bit that Icarus does not know (x: no reset
reaches it) may be anything. So outputs that it never knows, and units none of whose outputs ever changed, are
errors. With --fault Icarus gets another RTL, and outputs have to differ.
"""
import argparse
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

TESTBENCH = """`timescale 1ns/1ps
module replay;
  reg [{ins}-1:0] in;
  wire [{outs}-1:0] out;
  reg clk = 0, settle = 0;
  integer pins, seen, read, n;

  die u_die (
    .clk_i(clk),
{ports}
  );

  task take;
    begin
      read = $fscanf(pins, "%h", in);
      #1 settle = 1;
      #1 settle = 0;
      #1 ;
    end
  endtask

  task edges;
    begin
      clk = 0;
      #1 clk = 1;
      #1 ;
    end
  endtask

  initial begin
    pins = $fopen("pins.txt", "r");
    seen = $fopen("seen.txt", "w");
    take;
    for (n = 0; n < 4; n = n + 1)
      edges;
    for (n = 0; n < {cycles}; n = n + 1) begin
      take;
      $fdisplay(seen, "%b", out);
      edges;
    end
    $finish;
  end
endmodule
"""
PERIOD = 10 # time units of a cycle in the waves


def call(command, folder):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, cwd=folder,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


class Group:
    """Some pins, as one number; the first is at its upper end."""

    def __init__(self, pins):
        self.pins = pins
        self.bits = sum(bits for _, bits, _ in pins)

    def value(self, values):
        number = 0
        for _, bits, code in self.pins:
            number = number << bits | values[code]
        return number

    def ports(self, vector):
        at = self.bits
        for name, bits, _ in self.pins:
            at -= bits
            yield f"    .{name}({vector}[{at + bits - 1}:{at}])"


def pins_of(vcd):
    """The top's inputs and outputs: name, bits, code. The file is behind its header then."""
    pins, depth = [], 0
    for line in vcd:
        words = line.split()
        depth += (words[:1] == ["$scope"]) - (words[:1] == ["$upscope"])
        if words[:1] == ["$var"] and depth == 1 and re.search(r"_n?[io]$", words[4]):
            pins.append((words[4], int(words[2]), words[3]))
        elif words[:1] == ["$enddefinitions"]:
            break
    return pins


def cycles_of(vcd, pins):
    """The values of all pins at the end of each cycle."""
    values, time = {code: 0 for _, _, code in pins}, None
    for line in itertools.chain(vcd, ["#0"]):
        if line[0] == "#":
            if time is not None and time % PERIOD == 0:
                yield values
            time = int(line[1:])
        elif line[0] == "b":
            bits, code = line[1:].split()
            if code in values:
                values[code] = int(bits, 2)
        elif line[0] in "01" and line[1:].rstrip() in values:
            values[line[1:].rstrip()] = int(line[0])


def record(arguments, folder):
    """What Verilator has: pins.txt, replay.sv; returns the outputs, and their values cycle by cycle."""
    call([arguments.countersink, "compare", "--waves", "w.fst", "--window",
          f"0:{arguments.cycles}", *(f"--set={s}" for s in arguments.set), arguments.scenario], folder)
    call(["fst2vcd", "-o", "w.vcd", "w.fst"], folder)
    with open(folder / "w.vcd", encoding="ascii") as vcd, \
            open(folder / "pins.txt", "w", encoding="ascii") as out:
        pins = pins_of(vcd)
        ins = Group([p for p in pins if p[0][-1] == "i" and not p[0].endswith(("clk_i", "settle_i"))])
        outs = Group([p for p in pins if p[0][-1] == "o"])
        expected = []
        for values in cycles_of(vcd, pins):
            if not expected: # reset is before the first cycle
                reset = next(code for name, _, code in pins if name == "rst_ni")
                out.write(f"{ins.value({**values, reset: 0}):x}\n")
            out.write(f"{ins.value(values):x}\n")
            expected.append(f"{outs.value(values):0{outs.bits}b}")
    ports = [f"    .{name}(settle)" for name, _, _ in pins if name.endswith("settle_i")]
    (folder / "replay.sv").write_text(TESTBENCH.format(
        ins=ins.bits, outs=outs.bits, cycles=len(expected),
        ports=",\n".join([*ports, *ins.ports("in"), *outs.ports("out")])))
    return outs, expected


def icarus(arguments, folder):
    """What Icarus has at the outputs, cycle by cycle."""
    source = arguments.source
    shape = next(line.split()[1:] for line in (source / "src/rtl/dies.txt").read_text().splitlines()
                 if line.split()[:1] == [arguments.die])
    (folder / "rtl").mkdir(exist_ok=True)
    (folder / "rtl/die.sv").write_text(call([arguments.make_die, "--top", source, *shape], folder))
    copies, fault = [], arguments.fault
    for file in [*sorted((source / "src/regs/gen").glob("*.sv")),
                 *sorted((source / "src/rtl").glob("*/*.sv"),
                         key=lambda f: (not f.stem.endswith("_pkg"), f))]:
        text = file.read_text()
        if fault and file.name == fault[0]:
            if text.count(fault[1]) != 1:
                sys.exit(f"{file}: expected '{fault[1]}' once, found it {text.count(fault[1])} times")
            text, fault = text.replace(fault[1], fault[2]), None
        copies.append(folder / "rtl" / file.name)
        copies[-1].write_text(text.replace("always_comb", "always @*")) # as tb/bus/cocotb/run.py says
    if fault:
        sys.exit(f"{fault[0]}: there is no such file")
    call(["iverilog", "-g2012", "-s", "replay", "-o", "replay.vvp", *copies, "rtl/die.sv",
          "replay.sv"], folder)
    call(["vvp", "replay.vvp"], folder)
    return (folder / "seen.txt").read_text().split()


def told(bits):
    return f"0b{bits}" if "x" in bits else f"{int(bits, 2):#x}"


def differs(expected, seen):
    return any(a != b != "x" for a, b in zip(expected, seen))


def compare(outs, expected, seen):
    """Lines that say what is wrong; what was looked at is printed."""
    wrong, known, bits, at = [], 0, 0, 0
    moved = {}
    if len(seen) != len(expected):
        return [f"Icarus had {len(seen)} cycles, expected {len(expected)}"]
    # In the first cycle Verilator has another past.
    expected, seen = expected[1:], seen[1:]
    for name, width, _ in outs.pins:
        ours, theirs = ([row[at:at + width] for row in rows] for rows in (expected, seen))
        at += width
        unknown = sum(row.count("x") for row in theirs)
        known += width * len(theirs) - unknown
        bits += width * len(theirs)
        unit = name.split("_")[0]
        moved[unit] = moved.get(unit, False) or len(set(theirs)) > 1
        if unknown == width * len(theirs):
            wrong.append(f"{name}: Icarus never knows it")
        cycles = [n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b and differs(a, b)]
        if cycles:
            first = cycles[0]
            wrong.append(f"{name}: differs in {len(cycles)} cycles; cycle {first + 1}: Verilator "
                         f"{int(ours[first], 2):#x}, Icarus {told(theirs[first])}")
    wrong += [f"{unit}: no output ever changed" for unit, m in moved.items() if not m]
    print(f"{len(expected)} cycles, {len(outs.pins)} outputs, {known / bits:.2%} of the bits known")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    for name in ("countersink", "make_die", "source"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("die")
    parser.add_argument("cycles", type=int)
    parser.add_argument("scenario", type=pathlib.Path)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--fault", nargs=3)
    arguments = parser.parse_args()
    for name in ("countersink", "make_die", "source", "scenario"):
        setattr(arguments, name, getattr(arguments, name).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        outs, expected = record(arguments, folder)
        wrong = compare(outs, expected, icarus(arguments, folder))
    print("\n".join(wrong))
    sys.exit(int(bool(wrong) != bool(arguments.fault)))


main()
