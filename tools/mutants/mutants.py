#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small faults made mechanically, and which tests notice them (docs/verification.md, "Mutants")."""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

from layers import KINDS, LAYERS, BadTable, Layers
from run import Runner, UnmutatedFails
from seek import TARGETS, Seeker
from tree import BuildFailed, Tree, find
from verdicts import INVALID, KILLED, Report, Rules, Verdicts, read_equivalents

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ROUNDS = 8 # of building without what no compiler takes


def complain(message, status):
    print(f"mutants: {message}", file=sys.stderr)
    sys.exit(status)


def options():
    parser = argparse.ArgumentParser(prog="tools/mutants.sh", description=__doc__)
    parser.add_argument("--unit", action="append", metavar="U",
                        help="a unit of tools/mutants/layers.txt; all, when none is named")
    parser.add_argument("--kind", action="append", choices=KINDS, help="what kind of source")
    parser.add_argument("--file", action="append", metavar="PART", default=[],
                        help="files whose path has this part")
    parser.add_argument("--layer", action="append", choices=LAYERS, help="which layers are tried")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="N mutants of each kind of each unit, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=int, metavar="N",
                        help="begin no command after N seconds of trying")
    parser.add_argument("--quick", type=float, metavar="SECONDS",
                        help="only tests that take no longer; a mutant that they leave is tried later")
    parser.add_argument("--trust", action="store_true",
                        help="a mutant that was killed in another state of the tree stays killed")
    parser.add_argument("--at-least", type=float, metavar="PERCENT",
                        help="fail when fewer of those that are not equivalent are killed")
    parser.add_argument("--list", action="store_true", help="print the mutants, try none")
    parser.add_argument("--report", action="store_true", help="print what is known, try none")
    parser.add_argument("--json", metavar="FILE", help="write the report there, too")
    parser.add_argument("--seek", type=int, metavar="N",
                        help="look for inputs that tell readers' mutants which no unit test has "
                             "noticed, N seconds for each kind of input; they are kept in tb/inputs")
    parser.add_argument("--slurm", type=int, metavar="N", help="as an array of N jobs of Slurm")
    parser.add_argument("--part", metavar="I/N", help="only every N-th mutant, from the I-th on")
    parser.add_argument("--no-build", action="store_true", help="what is built is up to date; others than its mutants are left out")
    parser.add_argument("--place", default=str(ROOT / "build" / "mutants"),
                        help="where the copy of the tree and the verdicts are")
    return parser.parse_args()


def rank(mutant, seed):
    return hashlib.sha1(f"{seed}|{mutant.key}".encode()).hexdigest()


def draw(mutants, count, seed):
    """A sample that stays the same while the sources do, in the order of the files."""
    chosen = {id(m) for m in sorted(mutants, key=lambda m: rank(m, seed))[:count]}
    return [mutant for mutant in mutants if id(mutant) in chosen]


def select(layers, args):
    chosen = []
    for unit in args.unit or layers.units:
        for kind, paths in layers.files[unit].items():
            if args.kind and kind not in args.kind:
                continue
            mutants = []
            for path in paths:
                if args.file and not any(part in path for part in args.file):
                    continue
                for mutant in find(ROOT, path):
                    mutant.unit, mutant.kind = unit, kind
                    mutants.append(mutant)
            chosen += mutants if args.sample is None else draw(mutants, args.sample, args.seed)
    return chosen


def number(mutants, verdicts, state):
    """Those that compilers take get numbers; the others are left out of the build."""
    good = [m for m in mutants if verdicts.get(m.key, "build", state, False) is None]
    for n, mutant in enumerate(good, 1):
        mutant.number = n
    return good


def build(tree, layers, mutants, commands, verdicts, state, jobs, folder, targets=()):
    targets = sorted({command.target for command in commands} | set(targets))
    dies = {die for mutant in mutants for die in layers.dies.get(mutant.unit, ())}
    rtl = any(mutant.kind == "rtl" for mutant in mutants)
    if not rtl:
        dies |= {die for mutant in mutants for die in layers.ready.get(mutant.unit, ())}
    if any(command.words[0] == "countersink" or "lockstep/test_lockstep" in command.words[0]
           for command in commands):
        if rtl or not tree.take_dies(dies):
            targets.append("cs_ready_dies")
    for _ in range(ROUNDS):
        print(f"mutants: building {' '.join(targets)}", file=sys.stderr, flush=True)
        good = number(mutants, verdicts, state)
        tree.write(good, dies)
        wrong = tree.make(targets, jobs, folder / "build.log")
        if not wrong:
            keep_numbers(good, folder)
            return good
        bad = [m for m in good for path, line in wrong
               if m.path == path and m.line <= line <= m.last_line]
        if not bad:
            raise BuildFailed(f"{wrong[0][0]}:{wrong[0][1]}: no mutant is at fault; all of it is "
                              f"in {folder}/build.log")
        for mutant in bad:
            verdicts.add(key=mutant.key, layer="build", verdict=INVALID, state=state)
    raise BuildFailed(f"still wrong after {ROUNDS} rounds; all of it is in {folder}/build.log")


def keep_numbers(mutants, folder):
    """So that --no-build may ask for some of them."""
    (folder / "built.json").write_text(json.dumps({m.key: m.number for m in mutants}))


def built(folder):
    """{key: number} of the mutants that are in what was built."""
    try:
        return json.loads((folder / "built.json").read_text())
    except FileNotFoundError:
        raise BuildFailed(f"nothing is built in {folder}") from None


def those_built(mutants, numbers):
    for mutant in mutants:
        mutant.number = numbers.get(mutant.key, 0)
    return [mutant for mutant in mutants if mutant.number]


def show_progress(done, whole):
    if done % 50 == 0 or done == whole:
        print(f"mutants: {done} of {whole}", file=sys.stderr, flush=True)


def submit(args, folder):
    """The same call as an array of jobs, each with its part."""
    mine = list(sys.argv[1:])
    if "--slurm" not in mine:
        complain("write --slurm N as two words", 2)
    for option in ("--slurm", "--at-least", "--json"): # what the whole is asked for
        if option in mine:
            at = mine.index(option)
            del mine[at:at + 2]
    call = " ".join(["tools/mutants.sh", *mine, "--no-build", "--part",
                     f"$SLURM_ARRAY_TASK_ID/{args.slurm}"])
    status = subprocess.run(["sbatch", "--wait", f"--array=1-{args.slurm}", f"--chdir={ROOT}",
                             f"--output={folder}/job-%a.log", f"--wrap={call}"],
                            stdout=sys.stderr, check=False).returncode
    if status != 0:
        complain(f"sbatch ended with {status}; the jobs' words are in {folder}/job-*.log", 1)


def try_them(args, layers, tree, mutants, verdicts, state, folder):
    wanted = args.layer or LAYERS
    by_kind, commands = {}, []
    for mutant in mutants:
        kind = (mutant.unit, mutant.kind)
        if kind not in by_kind:
            found = layers.commands(*kind, wanted)
            by_kind[kind] = {layer: [c for c in found if c.layer == layer] for layer in LAYERS}
            commands += found
    if args.no_build:
        good = those_built(mutants, built(folder))
    else:
        good = build(tree, layers, mutants, commands, verdicts, state, args.jobs, folder)
    if args.slurm:
        submit(args, folder)
        return
    if args.part:
        first, parts = (int(word) for word in args.part.split("/"))
        good = good[first - 1::parts]
    runner = Runner(tree, state, verdicts, args.trust, args.jobs, args.quick)
    print(f"mutants: {len(good)}, each by {len(set(commands))} commands", file=sys.stderr)
    runner.build_has(built(folder))
    until = time.monotonic() + args.seconds if args.seconds else None
    good.sort(key=lambda mutant: rank(mutant, args.seed)) # so that a part of them is a sample
    runner.run([(m, by_kind[(m.unit, m.kind)]) for m in good], until, show_progress)


def seek(args, layers, tree, mutants, verdicts, state, folder, hopeless):
    """Readers' mutants that nothing has noticed, and that are not known to be equivalent."""
    def is_open(mutant):
        known = verdicts.last(mutant.key, "unit", state, True)
        return (known is None or known["verdict"] != KILLED) and not hopeless(mutant)
    if args.no_build:
        good = those_built(mutants, built(folder))
    else:
        good = build(tree, layers, mutants, [], verdicts, state, args.jobs, folder, TARGETS)
    numbers = [mutant.number for mutant in good if is_open(mutant)]
    told = Seeker(tree, ROOT, folder, args.seek, args.seed).run(numbers, args.jobs)
    print(f"mutants: {len(told)} of {len(numbers)} are told; CS_WRITE_GENERATED=1 with test_inputs "
          "writes the hashes anew", file=sys.stderr)


def main():
    args = options()
    try:
        layers = Layers(HERE / "layers.txt", ROOT)
        equivalents = read_equivalents(HERE / "equivalents.txt")
        rules = Rules(HERE / "rules.txt")
    except (BadTable, ValueError) as error:
        complain(error, 2)
    for unit in args.unit or []:
        if unit not in layers.units:
            complain(f"there is no unit '{unit}'; there are {', '.join(layers.units)}", 2)
    mutants = select(layers, args)
    if args.list:
        for mutant in mutants:
            print(f"{mutant.key} {mutant.operator:10} {mutant.describe()}")
        return 0
    folder = pathlib.Path(args.place).resolve()
    tree = Tree(ROOT, folder / "tree")
    verdicts = Verdicts(folder, f"-{args.part.replace('/', '-')}" if args.part else "")
    state = tree.state()
    if args.seek is not None:
        mutants = [mutant for mutant in mutants if mutant.kind == "reader"]
    if not args.report:
        try:
            if args.seek is not None:
                seek(args, layers, tree, mutants, verdicts, state, folder,
                     lambda m: m.key in equivalents or rules.who(m) == "tests")
                return 0
            try_them(args, layers, tree, mutants, verdicts, state, folder)
        except (BuildFailed, UnmutatedFails) as error:
            complain(error, 1)
        verdicts = Verdicts(folder)
    report = Report(mutants, verdicts, equivalents, rules, state, args.trust)
    print(report.text())
    for word, those in (("survived", report.survivors),
                        ("not by unit tests", report.unit_survivors),
                        ("not by lockstep", report.lockstep_survivors)):
        for mutant in those:
            print(f"{word}: {mutant.key} {mutant.describe()}")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(report.json(), indent=1) + "\n")
    if args.at_least is not None:
        judged = sum(row["tried"] - row["equivalent"] for row in report.rows.values())
        killed = judged - sum(row["neither"] for row in report.rows.values())
        if judged == 0 or 100 * killed < args.at_least * judged:
            complain(f"{killed} of {judged} are killed, which is less than {args.at_least} %", 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
