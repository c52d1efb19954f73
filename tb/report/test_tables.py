# SPDX-License-Identifier: Apache-2.0
"""Each plot's table, and intervals, held against the truth: test_tables.py COUNTERSINK SOURCE"""
import collections
import math
import re
import sys
import unittest

from case import PageCase

T95_OF_15 = 2.131  # Student's t for 15 degrees of freedom, from any table


class Tables(PageCase):
    def number(self, text):
        return float(text.replace("\u202f", "").replace(" %", "").replace("± ", ""))

    def open_table(self, page, panel):
        """Of a panel's first table: caption, headings, rows, by the keyboard alone."""
        box = f"document.querySelector('#run-0-panel-{panel}')"
        page.evaluate(f"{box}.querySelector('.as-table').focus()")
        self.assertEqual("false", page.evaluate("document.activeElement.getAttribute('aria-expanded')"))
        page.press("Enter")
        self.assertEqual("true", page.evaluate("document.activeElement.getAttribute('aria-expanded')"))
        return page.evaluate(
            f"(t => [t.caption.textContent, [...t.tHead.rows[0].cells].map(c => c.textContent), [...t.tBodies[0]"
            f".rows].map(r => [...r.cells].map(c => c.textContent))])({box}.querySelector('.table table'))")

    def test_estimates_and_their_intervals(self):
        folder = self.run_scenario("pmcu/pmcu_demo.yaml")
        page = self.page_of(folder)
        caption, head, rows = self.open_table(page, "events")
        self.assertEqual("Estimates against the truth: 12\u202frows".replace("\u202f", " "), caption)
        self.assertEqual(["name", "of", "truth", "estimate", "error", "95 % interval", "lowest error of a part",
                          "highest error of a part", "parts"], head)
        events = self.ask(folder, "SELECT name, id, truth, scaled, error FROM event"
                                  " ORDER BY truth DESC")
        self.assertEqual([event[0] for event in events], [row[0] for row in rows])
        span = {key: int(value) for key, value in self.ask(folder, "SELECT * FROM run")
                if key in ("first_start", "last_stop")}
        windows = {row[:2]: row[3] - row[2] for row in self.ask(
            folder, "SELECT subsample, cpu, start, stop FROM window")}
        counted, cycles = collections.Counter(), collections.Counter()
        for subsample, cpu, event, value in self.ask(folder, "SELECT subsample, cpu, event, value FROM sample"):
            counted[event, subsample] += value
            cycles[event, subsample] += windows.get((subsample, cpu), 0)
        bars = self.series(page, "run-0-events-errors", "95 % interval")
        for i, ((_, number, truth, scaled, error), row) in enumerate(zip(events, rows)):
            self.assertEqual((truth, round(scaled)), (self.number(row[2]), self.number(row[3])))
            self.near(100 * error, self.number(row[4]), 1e-3)
            keys = [key for key in counted if key[0] == number]
            rates = [counted[key] / cycles[key] for key in keys]
            mean = sum(rates) / len(rates)
            spread = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1))
            covered = sum(cycles[key] for key in keys) / (span["last_stop"] - span["first_start"]) / 4
            if len(keys) != 16:
                continue
            half = 100 * T95_OF_15 * spread / mean / 4 * math.sqrt(max(0, 1 - covered))
            bar = next((bar for bar in bars if bar[2] == i), None)
            if bar is None:
                self.assertLess(half, 1e-4, row[0])
                continue
            for expected, found in ((100 * error - half, bar[0]), (100 * error + half, bar[1]),
                                    (half, self.number(row[5]))):
                self.assertAlmostEqual(expected, found, delta=1e-5 + 1e-2 * half, msg=row[0])

    def test_rows_are_made_as_they_are_wanted(self):
        folder = self.run_scenario("pmcu/pmcu_demo.yaml")
        page = self.page_of(folder)
        caption, head, rows = self.open_table(page, "timeline")
        self.assertEqual(["owner", "lane", "label", "start (bus cycles)", "stop (bus cycles)"], head)
        self.assertEqual(200, len(rows))
        states = self.ask(folder, "SELECT state, start, stop FROM state WHERE unit = 'pmcu' ORDER BY start")
        self.assertEqual([["pmcu 0", "state", state, f"{start:,}".replace(",", "\u202f"),
                           f"{stop:,}".replace(",", "\u202f")] for state, start, stop in states[:100]], rows[:100])
        table = "document.querySelector('#run-0-panel-timeline .table')"
        self.assertEqual(["region", "0", "Timeline"], page.evaluate(
            f"['role', 'tabindex', 'aria-label'].map(name => {table}.getAttribute(name).split(':')[0])"))
        page.evaluate(f"while (!{table}.nextElementSibling.hidden) {table}.nextElementSibling.click()")
        all_rows = page.evaluate(f"{table}.querySelectorAll('tbody tr').length")
        self.assertIn(f"{all_rows} rows", caption)
        # The button again: the table is gone, and nothing of it can be reached.
        page.press("Enter")
        page.evaluate("document.querySelector('#run-0-panel-timeline .as-table').click()")

    def test_maps_by_row(self):
        folder = self.run_scenario("pmcu/pmcu_demo.yaml")
        page = self.page_of(folder)
        _, head, rows = self.open_table(page, "map")
        self.assertEqual(["what", "row", "columns with a value", "lowest", "mean", "highest"], head)
        self.assertEqual(12 * 4, len(rows))
        for what, row, columns, low, mean, high in rows:
            found = self.ask(folder, "SELECT count(*), min(r), avg(r), max(r) FROM (SELECT 1.0 * value /"
                                     " (stop - start) / 2.6 AS r FROM sample s JOIN window w USING (subsample, cpu)"
                                     " JOIN event e ON e.id = s.event"
                                     " WHERE e.name = ? AND cpu = ?)", what, int(row[4:]))[0]
            # A column is the mean of what falls into it: of two windows, where it is long enough.
            self.assertTrue(found[0] / 2 <= int(columns) <= found[0], what)
            self.near(found[2], self.number(mean), 2e-2)
            self.assertGreaterEqual(self.number(low), found[1] * 0.999)
            self.assertLessEqual(self.number(high), found[3] * 1.001)

    def test_shares_with_wilsons_interval(self):
        folder = self.run_scenario("imc/imc_trace.yaml")
        page = self.page_of(folder)
        _, head, rows = self.open_table(page, "functions")
        self.assertEqual(["function", "samples", "sampled", "95 % interval", "true", "off by"], head)
        functions = self.ask(folder, "SELECT name, samples, share, expected FROM function WHERE samples > 0"
                                     " OR expected > 0 ORDER BY expected DESC")
        count = sum(function[1] for function in functions)
        bars = self.series(page, "run-0-functions", "95 % interval")
        for (name, samples, share, expected), row, bar in zip(functions, rows, bars):
            self.assertEqual([name, samples], [row[0], self.number(row[1])])
            self.near(100 * share, self.number(row[2]), 1e-3)
            self.near(100 * expected, self.number(row[4]), 1e-3)
            middle = (samples / count + 1.9208 / count) / (1 + 3.8416 / count)
            half = 1.96 / (1 + 3.8416 / count) * math.sqrt(
                samples / count * (1 - samples / count) / count + 0.9604 / count ** 2)
            self.near(100 * (middle - half), bar[0], 1e-6)
            self.near(100 * (middle + half), bar[1], 1e-6)

    def test_labels_of_time_differ_when_zoomed_in(self):
        page = self.page_of(self.run_scenario("riscv/riscv_processes.yaml"))
        # The plots that are SVG have their texts in the page.
        page.evaluate("countersink.charts['run-0-load'].zoomTo('x', 30.0545, 30.0568)")
        page.settle()
        labels = [word for word in self.words(page, "run-0-load") if re.fullmatch(r"[\d.]+ ms", word)]
        self.assertGreater(len(labels), 2)
        self.assertEqual(len(labels), len(set(labels)), labels)

    def test_ways_and_sweeps(self):
        folder = self.run_scenario("uncore/uncore_rotation.yaml")
        sweep = self.folder / "points.yaml"
        sweep.write_text(f"sweep: points\nscenario: {self.source}/configs/pmcu/pmcu_demo.yaml\n"
                         "vary: [{perf.0.record.0.sample_period_ms: [1, 2, 4]}]\nfigures: [skew_s]\n")
        self.do("sweep", "-o", "points.sqlite", sweep)
        page = self.page_of(folder, self.folder / "points.sqlite")
        found = page.evaluate(
            "['ways-0', 'sweep-0'].map(id => { const part = document.getElementById(id);"
            " part.querySelector('.as-table').click(); const t = part.querySelector('.table table');"
            " return [[...t.tHead.rows[0].cells].map(c => c.textContent), [...t.tBodies[0].rows].map(r =>"
            " [...r.cells].map(c => c.textContent))]; })")
        (head, rows), (names, points) = found
        self.assertEqual(["figure", "global", "per_pmu"], head)
        self.assertIn(["error of estimates, mean", "8.402 %", "0.1239 %"], rows)
        self.assertEqual(["point", "perf.0.record.0.sample_period_ms"], names[:2])
        self.assertEqual([["0", "1"], ["1", "2"], ["2", "4"]], [row[:2] for row in points])
        self.assertEqual(["60 ns"] * 3, [row[names.index("skew of a reading, largest")] for row in points])

    def test_processes_have_their_names(self):
        folder = self.run_scenario("riscv/riscv_processes.yaml")
        page = self.page_of(folder)
        labels = page.evaluate("countersink.charts['run-0-timeline'].lanes.labels")
        for label in ("clang (2001)", "as (2002)", "ld (2003)", "clang (2011)", "ld (2013)"):
            self.assertIn(label, labels)
        self.assertFalse([label for label in labels if label.startswith("pid ")])
        for text, names in (("workloads:\n  - name: one\n    segments:\n      - cid1: 0x10 # cid1: 3\n",
                             {16: "one"}),
                            ("workloads: [{name: two, segments: [{cid1: 7}, {cid1: 8, process: x}]}]\n",
                             {7: "two", 8: "x"}),
                            ("workloads: [{name: three, segments: [{pid: 9, process: y}]}]\n", {9: "y"}),
                            ("workloads: [{name: four, segments: [{cid1: 0, cid2: 5}]}]\n", {5: "four"})):
            found = page.evaluate(f"[...processNames({text!r})]")
            self.assertEqual({**names, 0: "nobody"}, dict(found), text)

    def test_every_panel_has_one(self):
        for scenario in ("riscv/riscv_callgraph.yaml", "uncore/uncore_hotplug.yaml", "imc/imc_nest.yaml"):
            page = self.page_of(self.run_scenario(scenario))
            found = page.evaluate(
                "[...document.querySelectorAll('.panel')].filter(p => p.querySelector('.as-table')).map(p => {"
                " const b = p.querySelector('.as-table'); b.click(); const t = p.querySelector('.table table');"
                " return [p.id, t === null ? 0 : t.tBodies[0].rows.length, t === null ? '' : t.innerText]; })")
            self.assertGreater(len(found), 4)
            for panel, rows, text in found:
                self.assertGreater(rows, 0, panel)
                for word in ("undefined", "NaN", "null"):
                    self.assertNotIn(word, text, panel)


if __name__ == "__main__":
    PageCase.command, PageCase.source = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
