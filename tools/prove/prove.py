#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves properties of the RTL with Yosys and its ABC (docs/verification.md, "Proofs")."""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FORMAL = ROOT / "tb" / "formal"
PARTS = ROOT / "tools" / "prove" / "part_of.v"
CHECKER = ROOT / "tb" / "bus" / "rtl" / "axi_checker.sv"
PORT = re.compile(r"^\s*input\s+logic\b(?:\s*\[[^\]]*\])*\s+(\w+),?\s*(?://.*)?$", re.M)
PARAMETER = re.compile(r"^\s*parameter\s+\w+(?:\s*\[[^\]]*\])?\s+(\w+)\s*=", re.M)
LABEL = re.compile(r"^\s*(\w+):\s*$", re.M)
GOOD = ("proven", "seen")


class Trouble(Exception):
    pass

@dataclasses.dataclass
class Property:
    name: str
    line: int   # of its assert's first line
    last: int
    text: str
    fault: tuple # (old, new)


@dataclasses.dataclass
class Proof:
    unit: str
    module: str
    depth: int
    parameters: dict

    @property
    def name(self):
        return " ".join([self.module] + [f"{n}={v}" for n, v in self.parameters.items()])

    @property
    def place(self):
        return self.name.replace(" ", ".").replace("=", "_")


def call(words, log):
    """Runs a program, its words into `log`: its status, and the seconds that it computed."""
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def read_proofs():
    proofs = []
    for line in (FORMAL / "proofs.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        unit, module, depth, *rest = words
        proofs.append(Proof(unit, module, int(depth), dict(w.split("=") for w in rest)))
    return proofs


def props_file(module):
    return FORMAL / f"{module}_props.sv"


def properties(module):
    """Those of a file: a comment, its fault, a label, the assert."""
    lines = props_file(module).read_text().splitlines()
    found, comment, fault = [], [], None
    for n, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("// fault:"):
            old, new = text[len("// fault:"):].split(" => ")
            fault = tuple(part.strip().replace("\\n", "\n") for part in (old, new))
        elif text.startswith("//"):
            comment.append(text[2:].strip())
        elif LABEL.fullmatch(line) and n < len(lines) and "assert" in lines[n]:
            last = n + 1
            while not lines[last - 1].rstrip().endswith(";"):
                last += 1
            found.append(Property(LABEL.fullmatch(line).group(1), n, last, " ".join(comment),
                                  fault))
            comment, fault = [], None
        elif not found or n > found[-1].last:
            comment, fault = [], None
    return found


def source_of(module):
    for path in sorted((ROOT / "src" / "rtl").glob("*/*.sv")):
        if re.search(rf"^module {module}\b", path.read_text(), re.M):
            return path
    raise Trouble(f"there is no module '{module}' in src/rtl")


def instance(module, begin):
    """The properties of a module, as an instance that looks at its signals."""
    head = props_file(module).read_text().split(");", 1)[0]
    ports = ", ".join(f".{name}({name})" for name in PORT.findall(head))
    names = ", ".join(f".{name}({name})" for name in PARAMETER.findall(head))
    parameters = f"#({names}) " if names else ""
    return f"{begin}{module}_props {parameters}u_props ({ports});"


def bound(module, text):
    """The text of the module with its properties in it, as `bind` would put them."""
    at = text.rindex("endmodule")
    return (text[:at] + instance(module, "  ") + "\n  initial assume (!rst_ni);\n" + text[at:])


def needed(module, known):
    """The files of the modules below this one."""
    text = known[module].read_text()
    below = []
    for name, path in known.items():
        if name != module and re.search(rf"^\s*{name}\s+(#\(|u_)", text, re.M):
            below += [*needed(name, known), path]
    return below


class Runner:
    def __init__(self, place):
        self.place = pathlib.Path(place)
        self.modules = {}
        for path in sorted((ROOT / "src" / "rtl").glob("*/*.sv")):
            match = re.search(r"^module (\w+)", path.read_text(), re.M)
            if match:
                self.modules[match.group(1)] = path
        self.packages = sorted((ROOT / "src" / "regs" / "gen").glob("*_pkg.sv"))
        self.packages += sorted((ROOT / "src" / "rtl").glob("*/*_pkg.sv"))

    def files(self, proof):
        props = props_file(proof.module)
        helpers = [CHECKER] if "axi_checker" in props.read_text() else []
        return [*dict.fromkeys(needed(proof.module, self.modules)), *helpers, props]

    def state(self, proof, claim, fault):
        digest = hashlib.sha1(repr((proof, claim.name, fault)).encode())
        for path in [*self.packages, *self.files(proof), source_of(proof.module)]:
            digest.update(path.read_bytes())
        return digest.hexdigest()[:16]

    def make(self, proof, claim, folder, fault):
        """One property as a circuit (AIGER) whose output must never rise."""
        folder.mkdir(parents=True, exist_ok=True)
        text = source_of(proof.module).read_text()
        if fault is not None:
            if fault[0] not in text:
                raise Trouble(f"{proof.module}: a fault's text is not there: {fault[0]}")
            text = text.replace(fault[0], fault[1])
        module = folder / f"{proof.module}.sv"
        module.write_text(bound(proof.module, text))
        files = [*self.files(proof), module]
        text = "".join(path.read_text() for path in files)
        packages = [p for p in self.packages if f"{p.stem}::" in text]
        parameters = "".join(f" -chparam {n} {v}" for n, v in proof.parameters.items())
        problem, script, log = folder / "problem.aig", folder / "script.ys", folder / "yosys.log"
        sources = " ".join(str(path) for path in [*packages, *files])
        script.write_text(f"""read_verilog -sv -formal {sources}
hierarchy -check -top {proof.module}{parameters}
proc
flatten
opt_clean
memory_map
opt -nosdff
async2sync
dffunmap
delete -output
select -assert-count 1 t:$assert n:u_props.{claim.name} %i
delete t:$assert n:u_props.{claim.name} %d
setundef -undriven -anyseq
opt -full -nosdff
techmap -map {PARTS}
bmuxmap
opt -nosdff
techmap
opt -fast -nosdff
dffunmap
abc -g AND -fast
opt_clean
write_aiger -I -B -zinit -no-startoffset {problem}
""")
        status, used = call(["yosys", "-q", "-s", script], log)
        if status != 0:
            raise Trouble(f"Yosys does not read {proof.name}: {claim.name}; see {log}")
        return problem, used

    def solve(self, problem, commands, seconds):
        """What ABC says, and its seconds. It keeps to its time by itself."""
        log = problem.parent / "abc.log"
        words = f"read_aiger {problem}; fold; strash; {commands} -T {seconds}"
        _, used = call(["yosys-abc", "-c", words], log)
        return log.read_text(errors="replace"), used

    def prove(self, proof, claim, seconds):
        """By property-directed reachability: an invariant that holds after reset, and that no step
        leaves. Where none is found in time, the first cycles are looked at."""
        folder = self.place / proof.place / claim.name
        problem, used = self.make(proof, claim, folder, None)
        said, more = self.solve(problem, "scorr; dc2; pdr", seconds)
        used += more
        verdict, how = "unknown", ""
        if "Property proved" in said:
            verdict, how = "proven", "induction"
        elif "was asserted in frame" in said:
            verdict = "failed"
        else:
            said, more = self.solve(problem, f"bmc3 -F {proof.depth}", seconds)
            used += more
            if f"No output asserted in {proof.depth} frames" in said:
                verdict, how = "proven", f"{proof.depth} cycles"
            elif "was asserted in frame" in said:
                verdict = "failed"
        return {"verdict": verdict, "how": how, "where": str(folder),
                "seconds": round(used, 1)}

    def see_fail(self, proof, claim, seconds):
        """With its fault in the RTL the property must fail."""
        folder = self.place / proof.place / f"{claim.name}.fault"
        problem, used = self.make(proof, claim, folder, claim.fault)
        said, more = self.solve(problem, f"bmc3 -F {proof.depth}", seconds)
        used += more
        seen = "was asserted in frame" in said
        return {"verdict": "seen" if seen else "not seen", "how": "", "where": str(folder),
                "seconds": round(used, 1)}


def table(proofs, results):
    """The table of docs/verification/proofs.md."""
    rows = ["| module | property | how | time |", "|---|---|---|---|"]
    for proof in proofs:
        for claim in properties(proof.module):
            row = results.get(f"{proof.name}: {claim.name}", {"how": "?", "seconds": 0})
            rows.append(f"| `{proof.name}` | {claim.name.replace('_', ' ')} | {row['how']} | "
                        f"{row['seconds']:.1f} s |")
    return "\n".join(rows)


def options():
    parser = argparse.ArgumentParser(prog="tools/prove.sh", description=__doc__)
    parser.add_argument("--unit", action="append", metavar="U", help="a unit; all, when none is named")
    parser.add_argument("--module", action="append", metavar="M")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=int, default=60, metavar="N",
                        help="ABC's time for one property")
    parser.add_argument("--faults", action="store_true",
                        help="put a fault in for each property, and see it fail")
    parser.add_argument("--again", action="store_true", help="prove what is proven, too")
    parser.add_argument("--table", action="store_true", help="print the table of the page")
    parser.add_argument("--place", default=str(ROOT / "build" / "proofs"))
    return parser.parse_args()


def main():
    args = options()
    proofs = [p for p in read_proofs() if (not args.unit or p.unit in args.unit) and
              (not args.module or p.module in args.module)]
    if not proofs:
        print("prove: there is no such unit or module in tb/formal/proofs.txt", file=sys.stderr)
        return 2
    runner = Runner(args.place)
    runner.place.mkdir(parents=True, exist_ok=True)
    store = runner.place / "known.json"
    known = json.loads(store.read_text()) if store.is_file() else {}
    if args.table:
        print(table(proofs, known))
        return 0

    jobs = []
    for proof in proofs:
        for claim in properties(proof.module):
            if args.faults and (claim.fault is None or len(claim.fault) != 2):
                print(f"prove: {proof.module}: {claim.name} has no fault", file=sys.stderr)
                return 2
            name = f"{proof.name}: {claim.name}" + (" (fault)" if args.faults else "")
            jobs.append((name, proof, claim))

    def work(name, proof, claim):
        fault = claim.fault if args.faults else None
        state = runner.state(proof, claim, fault)
        row = known.get(name)
        if not args.again and row is not None and row["state"] == state and \
                row["verdict"] in GOOD:
            return name, row
        function = runner.see_fail if args.faults else runner.prove
        return name, dict(function(proof, claim, args.seconds), state=state)

    bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(work, *job) for job in jobs]):
            try:
                name, row = future.result()
            except Trouble as trouble:
                bad += 1
                print(f"prove: {trouble}", file=sys.stderr)
                continue
            known[name] = row
            store.write_text(json.dumps(known, indent=1) + "\n")
            good = row["verdict"] in GOOD
            bad += not good
            print(f"{row['verdict']:8} {row['seconds']:6.1f} s  {name}{' by ' + row['how'] if row['how'] else ''}"
                  f"{'' if good else '  see ' + row['where']}", flush=True)
    good = len(jobs) - bad
    print(f"{good} of {len(jobs)} {'faults are seen' if args.faults else 'properties are proven'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
