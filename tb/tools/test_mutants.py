# SPDX-License-Identifier: Apache-2.0
"""tools/mutants on small sources: the mutants that are found, and a program that has them all.

usage: test_mutants.py SOURCE_FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(SOURCE / "tools" / "mutants"))

import c_faults                                # noqa: E402
import layers                                  # noqa: E402
import run                                     # noqa: E402
import schemata                                # noqa: E402
import sv_faults                               # noqa: E402
import tree                                    # noqa: E402
import verdicts                                # noqa: E402

C_SOURCE = b"""/* A function with an if, a sum and a loop. */
#include <stdio.h>

#define LIMIT 3

static const int table[2] = {1, 2};

static int work(int a, int b)
{
    int sum = 0;

    if (a > LIMIT)
        return 7;
    for (int i = 0; i < b; i++)
        sum += a;
    if (a == 1) sum++; else sum = sum - table[0];
    return sum;
}

int main(void)
{
    printf("%d %d", work(1, 2), work(4, 4));
    return 0;
}
"""

SV_SOURCE = b"""// A counter.
module counter #(
  parameter int Width = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             up_i,
  output logic [Width-1:0] value_o
);
  logic [Width-1:0] value_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) value_q <= '0;
    else begin
      if (up_i) value_q <= value_q + 4'd1;
    end
  end
  assign value_o = value_q;
endmodule
"""


def numbered(mutants):
    for n, mutant in enumerate(mutants, 1):
        mutant.number = n
    return mutants


class CMutants(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.mutants = numbered(c_faults.find("a.c", C_SOURCE))
        text = tree.rewrite("a.c", C_SOURCE, self.mutants)
        self.assertEqual(text.count("\n"), C_SOURCE.count(b"\n"))
        at = pathlib.Path(self.folder.name)
        (at / "a.c").write_text(text)
        (at / "mutant.c").write_text(tree.VARIABLE)
        self.program = at / "a"
        subprocess.run(["cc", "-o", self.program, at / "a.c", at / "mutant.c"], check=True)

    def output(self, number):
        return subprocess.run([self.program], env=dict(os.environ, CS_MUTANT=str(number)),
                              capture_output=True, check=False).stdout.decode()

    def number(self, old, new):
        return next(m.number for m in self.mutants if (m.old, m.new) == (old, new))

    def test_without_a_mutant_it_is_the_program(self):
        self.assertEqual(self.output(0), "3 7")

    def test_each_mutant_is_its_fault(self):
        for old, new, out in (("a > LIMIT", "(a) >= (LIMIT)", "3 7"),
                              ("a > LIMIT", "!(a > LIMIT)", "7 15"),
                              ("sum += a;", "sum -= a;", "-1 7"),
                              ("sum++;", "", "2 7"),
                              ("return 7;", "", "3 15"),
                              ("a == 1", "(a) != (1)", "1 7"),
                              ("i < b", "(i) <= (b)", "4 7")):
            self.assertEqual(self.output(self.number(old, new)), out, f"{old} -> {new}")

    def test_what_is_reached_is_noted(self):
        marks = pathlib.Path(self.folder.name) / "reached"
        marks.write_bytes(bytes(len(self.mutants) + 1))
        done = subprocess.run([self.program], capture_output=True, check=False,
                              env=dict(os.environ, CS_MUTANT="-1", CS_REACHED=str(marks)))
        self.assertEqual(done.stdout.decode(), self.output(0))
        reached = {n for n, mark in enumerate(marks.read_bytes()) if mark}
        self.assertIn(self.number("a > LIMIT", "(a) >= (LIMIT)"), reached)
        self.assertLess(reached, {m.number for m in self.mutants} | {0})

    def test_a_server_forks_for_each_test(self):
        (pathlib.Path(self.folder.name) / "test_a.c").write_text(TEST_SOURCE)
        program = pathlib.Path(self.folder.name) / "test_a"
        subprocess.run(["cc", "-o", program, program.with_suffix(".c"),
                        program.with_name("mutant.c")], check=True)
        server = run.Server([program], self.folder.name, os.environ)
        for mutant, name, outcome in ((0, "good", True), (7, "good", False), (0, "bad", False),
                                      (0, "hang", None), (0, "good", True)):
            with self.subTest(mutant=mutant, name=name):
                self.assertIs(server.ask(mutant, name, -0.5)[0], outcome)
        server.end()

    def test_constants_stay(self):
        changed = {m.old for m in self.mutants}
        self.assertNotIn("{1, 2}", changed)
        self.assertFalse([m for m in self.mutants if m.line in (4, 6)])

    def test_keys_are_unique_and_stay_when_lines_move(self):
        keys = [m.key for m in self.mutants]
        self.assertEqual(len(keys), len(set(keys)))
        moved = c_faults.find("a.c", b"\n\n/* more */\n" + C_SOURCE)
        self.assertEqual(keys, [m.key for m in moved])


TEST_SOURCE = r"""
#include <stdlib.h>
#include <string.h>
extern int cs_mutant;
int main(void)
{
    const char *filter = getenv("GTEST_FILTER");
    while (strcmp(filter, "hang") == 0)
        cs_mutant++;
    return strcmp(filter, "bad") == 0 || cs_mutant == 7;
}
"""


class SvMutants(unittest.TestCase):
    def setUp(self):
        self.mutants = numbered(sv_faults.find("counter.sv", SV_SOURCE))

    def test_what_is_found(self):
        found = {(m.operator, m.old, m.new) for m in self.mutants}
        self.assertEqual(found, {
            ("constant", "'0", "'1"),
            ("condition", "up_i", "!(up_i)"),
            ("dropped", "value_q <= value_q + 4'd1;", ""),
            ("arithmetic", "value_q + 4'd1", "(value_q) - (4'd1)"),
            ("constant", "4'd1", "4'd2"),
            ("constant", "4'd1", "4'd0"),
        })

    def test_verilator_reads_it(self):
        text = tree.rewrite("counter.sv", SV_SOURCE, self.mutants)
        self.assertEqual(text.count("\n"), SV_SOURCE.count(b"\n"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "counter.sv"
            path.write_text(text)
            subprocess.run(["verilator", "--lint-only", "--Wall", path], check=True)


class Tables(unittest.TestCase):
    def test_the_tables_of_the_project_are_read(self):
        table = layers.Layers(SOURCE / "tools/mutants/layers.txt", SOURCE)
        for unit in table.units:
            for kind, paths in table.files[unit].items():
                self.assertTrue(paths, f"{unit} {kind} has no files")
                self.assertTrue(table.commands(unit, kind), f"{unit} {kind} has no tests")
            for _, _, words in table.tests[unit]:
                for pattern in words[1:] if words[0] == "compare" else ():
                    self.assertTrue(table.expand(pattern), f"{unit} compares {pattern}, which is no file")
        verdicts.read_equivalents(SOURCE / "tools/mutants/equivalents.txt")

    def test_equivalents_are_mutants(self):
        known = verdicts.read_equivalents(SOURCE / "tools/mutants/equivalents.txt")
        table = layers.Layers(SOURCE / "tools/mutants/layers.txt", SOURCE)
        keys = {m.key for kinds in table.files.values() for paths in kinds.values()
                for path in paths for m in tree.find(SOURCE, path)} if known else set()
        self.assertEqual(set(known) - keys, set())

    def test_a_verdict_of_another_state_does_not_hold(self):
        with tempfile.TemporaryDirectory() as folder:
            known = verdicts.Verdicts(folder)
            known.add(key="k", layer="unit", verdict=verdicts.KILLED, state="a")
            known.add(key="s", layer="unit", verdict=verdicts.SURVIVED, state="a")
            again = verdicts.Verdicts(folder)
            self.assertEqual(again.get("k", "unit", "a", False)["verdict"], verdicts.KILLED)
            self.assertIsNone(again.get("k", "unit", "b", False))
            self.assertIsNotNone(again.get("k", "unit", "b", True))
            self.assertIsNone(again.get("s", "unit", "b", True))
            self.assertIsNone(again.last("s", "unit", "b", False))
            self.assertEqual(again.last("s", "unit", "b", True)["verdict"], verdicts.SURVIVED)

    def test_rules_leave_out_classes(self):
        rules = verdicts.Rules(SOURCE / "tools/mutants/rules.txt")

        def who(path, scope, old, new=""):
            return rules.who(schemata.Mutant(path, scope, "", 0, 1, 1, 1, old, new))
        self.assertEqual(who("src/models/hpm/hpm.c", "check", "a < b", "(a) <= (b)"), "lockstep")
        self.assertEqual(who("src/models/hpm/hpm.c", "cs_hpm_destroy", "free(hpm);"), "tests")
        self.assertEqual(who("src/models/hpm/hpm.c", "cs_hpm_next", "a < b", "(a) <= (b)"), "")

    def test_the_report_judges_lockstep_by_what_it_can_see(self):
        rules = verdicts.Rules(SOURCE / "tools/mutants/rules.txt")
        known = {}

        class Known: # by both, by unit tests alone, refused, equivalent, a driver's
            @staticmethod
            def last(key, layer, _state, _trust):
                return known.get((key, layer))

        def mutant(scope, kind, **layers):
            made = schemata.Mutant("src/models/hpm/hpm.c", scope, "", 0, 1, 1, 1, scope, kind)
            made.unit, made.kind = "hpm", kind
            for layer, verdict in layers.items():
                known[(made.key, layer)] = {"verdict": verdict}
            return made
        yes, no = verdicts.KILLED, verdicts.SURVIVED
        mutants = [mutant("a", "model", unit=yes, shipped=yes),
                   mutant("b", "model", unit=yes, shipped=no),
                   mutant("check", "model", unit=yes, shipped=no),
                   mutant("e", "model", unit=no, shipped=no),
                   mutant("not_tried", "model"),
                   mutant("d", "driver", unit=no, shipped=no)]
        report = verdicts.Report(mutants, Known, {mutants[3].key: "why"}, rules, "s", False)
        row = report.rows[("hpm", "model")]
        self.assertEqual((row["tried"], row["equivalent"], row["neither"]), (4, 1, 0))
        self.assertEqual((row["by unit"], row["unit of"]), (3, 3))
        self.assertEqual((row["by lockstep"], row["lockstep of"]), (1, 2))
        self.assertEqual(report.lockstep_survivors, [mutants[1]])
        self.assertEqual(report.survivors, [mutants[5]])
        self.assertIn("| hpm, driver | 1 |", report.text())
        self.assertEqual([(r["unit"], r["kind"], r["counts"]["tried"]) for r in report.json()["rows"]],
                         [("hpm", "model", 4), ("hpm", "driver", 1)])
        self.assertTrue(report.text().splitlines()[-1].endswith("| 0.0 % | - |"))

    def test_what_noticed_neighbours_is_tried_first(self):
        command = layers.Command("unit", ("tb/a/test_a",))
        tests = [run.Test(command, f"A.{n}", seconds, frozenset(reached)) for n, seconds, reached
                 in (("slow", 9.0, "km"), ("quick", 0.1, "km"), ("other", 0.1, "k"))]
        runner = run.Runner(None, "s", None)
        near = schemata.Mutant("a.c", "", "", 0, 1, 10, 10, "a", "b")
        self.assertEqual([t.name for t in runner.in_order(near, tests)],
                         ["A.quick", "A.other", "A.slow"])
        runner.kills.append(("a.c", 12, tests[0]))
        self.assertEqual(runner.in_order(near, tests)[0], tests[0])
        missed = run.Test(command, "A.b", 0.1, frozenset())
        self.assertFalse(missed.reaches(near))
        near.path = "a.sv"
        self.assertTrue(missed.reaches(near))

    def test_inner_mutants_are_in_the_outer_text(self):
        source = b"a+b"
        outer = schemata.Mutant("p", "", "", 0, 3, 1, 1, "a+b", "a-b", number=1)
        inner = schemata.Mutant("p", "", "", 2, 3, 1, 1, "b", "c", number=2)
        self.assertEqual(schemata.Rewriter(source, [inner, outer], ("{", "}")).whole("", 0),
                         "(cs_mutant == 1 ? (a-b) : (a+(cs_mutant == 2 ? (c) : (b))))")


if __name__ == "__main__":
    unittest.main()
