#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The section "Programs that were run" of docs/uses/pmu_anywhere.md is made from outcomes.txt and the locks.

    page.py            compares
    page.py --write    writes it anew
"""
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True

import outcomes  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "docs/uses/pmu_anywhere.md"
BEGIN, END = "## Programs that were run\n", "## Cost\n"
# Of each program: its name, where its version is, and what was run.
PROGRAMS = {
    "perf-12": ("perf {}, of Debian 12", ("deb", "perf-12", "linux-perf"), "`stat`, `record`, `report`, `script`, `list`, `top`, `mem`; its own `perf test`"),
    "perf-13": ("perf {}, of Debian 13", ("deb", "perf-13", "linux-perf"), "the same"),
    "perf-sid": ("perf {}, of Debian's sid", ("deb", "perf-sid", "linux-perf"), "the same"),
    "papi": ("PAPI {}", ("deb", "programs", "papi-examples"), "its own tests"),
    "libpfm4": ("libpfm4 {}", ("deb", "source", "libpfm4"), "its examples"),
    "benchmark": ("google-benchmark {}", ("deb", "source", "benchmark"), "its tests of counters"),
    "python": ("Python: py-perf-event {}, python-papi {}", ("pip", "py-perf-event", "python-papi"), "counts of a loop"),
    "toplev": ("toplev, of pmu-tools {}", ("pip", "pmu-tools"), "level 1, events in turn"),
    "rust": ("Rust: perf-event {}, perf-event2 {}", ("crate", "perf-event", "perf-event2"), "their tests and examples"),
    "samply": ("samply {}", ("crate", "samply"), "a profile"),
    "go": ("Go: perf-utils {}", ("go", "github.com/hodgesds/perf-utils"), "its tests, and counts of a loop"),
    "others": ("stress-ng {}, node_exporter {}, tiptop {}", ("deb", "programs", "stress-ng", "prometheus-node-exporter", "tiptop"),
               "`--perf`; `--collector.perf`; `-b`"),
    "rr": ("rr {}", ("deb", "programs", "rr"), "`record`"),
}
HEAD = """\
Unmodified, from Debian, PyPI, crates.io and Go's module proxy, on a virtual machine without a PMU.
Each is a test of `./test.sh --nightly`, `pmu_program_NAME`. It fails when anything comes to something
else than is listed in [outcomes.txt](../../tb/pmu/programs/outcomes.txt). What a program prints is
compared with the truth.

"""


def versions(where):
    kind, *names = where
    if kind == "deb":
        folder, *names = names
        rows = [line.split() for line in (ROOT / "tools/linux/programs.lock").read_text().splitlines()]
        known = {row[3]: re.sub(r"^\d+:|-[^-]*$|\+.*$", "", row[4]) for row in rows if row[0] == folder}
    elif kind == "pip":
        known = dict(line.split("==") for line in (ROOT / "tools/requirements.txt").read_text().splitlines() if "==" in line)
    elif kind == "crate":
        known = dict(line.split()[:2] for line in (HERE / "crates.lock").read_text().splitlines() if line[0] != "#")
    else:
        known = dict(re.findall(r"^require (\S+) v(\S+)", (HERE / "go/go.mod").read_text(), re.M))
    return [known[name] for name in names]


def row(program, tests):
    title, where, ran = PROGRAMS[program]
    passed = sum(outcome == "pass" for outcome, _ in tests.values())
    return f"| {title.format(*versions(where))} | {ran} | {passed} of {len(tests)} |"


def why(tests):
    """{(outcome, reason): names of tests}, but for those that pass"""
    reasons = {}
    for name, (outcome, reason) in tests.items():
        if outcome != "pass":
            reasons.setdefault((outcome, reason), []).append(name.removeprefix("test: "))
    return reasons


# Of one test, and of several.
VERBS = {"same": ("does not pass", "do not pass"), "fail": ("fails", "fail"), "skip": ("skips itself", "skip themselves"), "varies": ("passes or fails", "pass or fail")}


def exceptions(program, tests):
    for (outcome, reason), names in why(tests).items():
        verb = VERBS[outcome][len(names) > 1]
        text = f"- {program}: {', '.join(f'`{name}`' for name in names)} {verb}: {reason}."
        yield textwrap.fill(text, 99, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def section():
    known = outcomes.read()
    table = {program: known[program] for program in PROGRAMS if program in known}
    lines = ["| program | what was run | pass |", "|---|---|---|"]
    lines += [row(program, table[program]) for program in table]
    lines += ["", "The others, by name, and why:", ""]
    for program in table:
        lines += exceptions(program, table[program])
    return HEAD + "\n".join(lines) + "\n"


def main():
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    made = f"{before}{BEGIN}\n{section()}\n{END}{rest.split(END, 1)[1]}"
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(made)
    elif made != text:
        sys.exit(f"{PAGE}: \"Programs that were run\" is not what outcomes.txt says: {pathlib.Path(__file__).name} --write")


if __name__ == "__main__":
    main()
