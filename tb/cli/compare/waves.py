#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Waves of `compare --waves`, read by GTKWave's own reader (fst2vcd), against the records of a run.

    waves.py COUNTERSINK CONFIGS SABOTEUR

In a window of an equal comparison the RTL's pins, `view` of the RTL and `view` of the model have to say
what the records of `run` (keep.probe) say, cycle by cycle. With a fault, both sides of `view` differ at
the cycle that `compare` tells, and GTKWave's save file names signals that there are. What is refused
leaves nothing."""

import csv
import os
import re
import subprocess
import sys
import tempfile


def call(command, status=0, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != status:
        sys.exit(f"{command}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done.stdout


class Waves:
    """Signals by name: lists of (time, value)."""

    def __init__(self, path):
        self.signals, ids, scopes, time = {}, {}, [], 0
        for line in call(["fst2vcd", path]).splitlines():
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scopes.append(words[2])
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                name = ".".join([*scopes, words[4]])
                self.signals[name] = ids.setdefault(words[3], [])
            elif words[0][0] == "#":
                time = int(words[0][1:])
            elif words[0][0] == "b":
                ids[words[1]].append((time, int(words[0][1:].replace("x", "0"), 2)))
            elif words[0][0] in "01x" and words[0][1:] in ids: # the time scale is 1ns
                ids[words[0][1:]].append((time, int(words[0][0] == "1")))

    def at(self, name, time):
        value = None
        for when, new in self.signals[name]:
            if when > time:
                break
            value = new
        return value


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found}, expected {wanted}")


def fnv1a(data):
    """As a record has it of a transfer's bytes (countersink/base/probe/probe.h)."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def check_window(command, scenario, first, last):
    call([command, "compare", "--waves", "w.fst", "--window", f"{first}:{last}", scenario])
    call([command, "run", "-o", "r", "--set", "keep.probe=true", scenario])
    waves = Waves("w.fst")
    with open("r/probe.csv", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if first < int(r["cycle"]) < last]
    states = [r for r in rows if r["kind"] == "state" and r["source"] == "0"]
    accesses = [r for r in rows if r["kind"] in ("reg", "register") and r["source"] == "0"]
    transfers = [r for r in rows if r["kind"] == "bus" and r["source"] == "1"]
    expect("records to look at", min(len(states), len(transfers)) > 2, True)
    for row in states:
        cycle, state = int(row["cycle"]), int(row["value"], 0)
        expect(f"pin at {cycle}", waves.at("TOP.pmcu_state_o", 10 * cycle) & 15, state)
        for side in ("rtl", "model"):
            expect(f"{side} at {cycle}", waves.at(f"view.pmcu.{side}.state", 10 * cycle), state)
            before = waves.at(f"view.pmcu.{side}.state", 10 * cycle - 1)
            expect(f"{side} before {cycle}", before != state, True)
    for row in accesses:
        for side in ("rtl", "model"):
            expect("access", waves.at(f"view.pmcu.{side}.access", 10 * int(row["cycle"])), 1)
            expect("data", waves.at(f"view.pmcu.{side}.access_data", 10 * int(row["cycle"])),
                   int(row["value"], 0))
    for row in transfers:
        time = 10 * int(row["cycle"])
        for side in ("rtl", "model"):
            bus = f"view.bus_pmcu_lane_0.{side}"
            found = [waves.at(f"{bus}.{name}", time) for name in ("transfer", "addr", "bytes", "asked")]
            expect("transfer", found, [1, int(row["addr"], 0), int(row["bytes"]), int(row["request"])])
            words = [waves.at(f"{bus}.data_{i}", time) for i in range((int(row["bytes"]) + 7) // 8)]
            data = b"".join(word.to_bytes(8, "little") for word in words)[:int(row["bytes"])]
            expect("bytes", fnv1a(data), int(row["value"], 0))
    expect("the first cycle", min(t for t, _ in waves.signals["TOP.clk_i"]), 10 * first)
    expect("the last", max(t for t, _ in waves.signals["TOP.clk_i"]), 10 * (last - 1) + 5)


def check_difference(command, scenario, saboteur):
    out = call([command, "compare", "--waves", "d.fst", scenario], status=1, LD_PRELOAD=saboteur,
               CS_SABOTAGE="pmcu_state_o 0 4200 4210")
    expect("the difference", "DIFFERENT at cycle 4200, pmcu" in out, True)
    waves = Waves("d.fst")
    at = [waves.at(f"view.pmcu.{side}.state", 42000) for side in ("model", "rtl")]
    before = [waves.at(f"view.pmcu.{side}.state", 41999) for side in ("model", "rtl")]
    expect("before the fault", before[0], before[1])
    expect("in it", at[0] ^ at[1], 1)
    with open("d.fst.gtkw", encoding="utf-8") as file:
        lines = file.read().splitlines()
    expect("the marker", any(line.startswith("*-5.5 42000 ") for line in lines), True)
    names = [re.sub(r".* |\[.*", "", line) for line in lines
             if re.search(r"(view|TOP)\.", line) and line[0] != "["]
    expect("signals that are not there", [n for n in names if n not in waves.signals], [])
    expect("the first of them", names[1:4], ["view.cycle", "view.pmcu.model.state", "view.pmcu.rtl.state"])


def refused(command, status, text, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    expect(f"{command}: status", done.returncode, status)
    expect(f"{command}: {done.stderr}", text in done.stderr, True)


def check_refusals(command, scenario):
    compare = [command, "compare", "--waves", "n.fst"]
    refused([*compare, "--window", "9:8", scenario], 2, "--window: found '9:8', expected FROM:TO")
    refused([*compare, "--window", "1:2x", scenario], 2, "--window: found '1:2x', expected FROM:TO")
    refused([*compare, "--window", "1s:2s", scenario], 2, "there are no waves from cycle 1000000000")
    refused([command, "compare", "--window", "1:2", scenario], 2, "--waves FILE")
    refused([command, "run", "--waves", "n.fst", scenario], 2, "countersink compare --waves")
    refused([command, "compare", "--waves", "none/n.fst", scenario], 3, "none")
    refused([*compare, scenario], 2, "no ready-made die writes waves", PATH="/nowhere",
            COUNTERSINK_CACHE=os.getcwd() + "/empty")


def main(command, configs, saboteur):
    scenario = os.path.join(configs, "pmcu/pmcu_lockstep_basic.yaml")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_window(command, scenario, 4000, 9000)
        check_difference(command, scenario, saboteur)
        check_refusals(command, scenario)
        expect("files", sorted(os.listdir(".")),
               ["d.fst", "d.fst.gtkw", "r", "w.fst", "w.fst.gtkw"])
    print("waves agree with the records")


if __name__ == "__main__":
    main(*(os.path.abspath(argument) for argument in sys.argv[1:]))
