# SPDX-License-Identifier: Apache-2.0
"""What pages show, read back from a browser and held against the truth: test_pages.py COUNTERSINK SOURCE"""
import collections
import csv
import io
import json
import math
import pathlib
import re
import sqlite3
import sys
import unittest

from case import PageCase

SWEEP = """sweep: small
text: two keys of a small die
scenario: {source}/configs/pmcu/pmcu_demo.yaml
vary:
  - perf.0.record.0.sample_period_ms: [1, 2]
  - pmcu.order: [die, core, running]
  - bus.clock_mhz: [500, 1000]
"""


class Pmcu(PageCase):
    def setUp(self):
        self.run_folder = self.run_scenario("pmcu/pmcu_demo.yaml")
        self.page = self.page_of(self.run_folder)

    def test_timeline_has_every_span(self):
        lanes = self.page.evaluate(
            "(all => all.lanes.map(lane => ({owner: lane.owner, name: lane.name, rows: [...lane.starts]"
            ".slice(0, lane.n).map((start, i) => [Math.round(start * 1000), Math.round(lane.stops[i] * 1000),"
            " all.labels[lane.labels[i]]])})))"
            "(countersink.charts['run-0-timeline'].lanes)")
        found = {(lane["owner"], lane["name"]): lane["rows"] for lane in lanes}
        for cpu in range(4):
            windows = self.ask(self.run_folder,
                               "SELECT start, stop FROM window WHERE cpu = ? ORDER BY start", cpu)
            expected = [[*window, "counting"] for window in windows]
            expected += [[before[1], after[0], "blind"] for before, after in zip(windows, windows[1:])]
            self.assertEqual(sorted(expected), sorted(found[f"cpu {cpu}", "window"]))
        states = self.ask(self.run_folder, "SELECT start, stop, state FROM state WHERE unit = 'pmcu'"
                                           " ORDER BY start")
        self.assertEqual([list(row) for row in states], found["pmcu 0", "state"])
        self.assertEqual(32, len(found["pmcu 0", "subsamples"]))
        handlers = self.ask(self.run_folder, "SELECT start, stop, who FROM software WHERE cpu = 0")
        self.assertEqual([list(row) for row in handlers], found["cpu 0", "software"])
        self.assertIn(("pmcu 0", "interrupt"), found)

    def test_timeline_draws_what_is_in_view(self):
        chart = "countersink.charts['run-0-timeline']"
        last = self.page.evaluate(f"{chart}.plot.getOption().xAxis[0].max")
        windows = self.ask(self.run_folder, "SELECT start, stop FROM window WHERE cpu = 2 ORDER BY start")
        start, stop = windows[3][0] / 1000 - 4, windows[3][0] / 1000 + 4  # around the blind time
        self.page.evaluate(f"{chart}.zoomTo('x', {100 * start / last}, {100 * stop / last})")
        self.page.settle()
        lane = self.page.evaluate(f"{chart}.plot.getOption().yAxis[0].data").index("cpu 2 · window")
        labels = self.page.evaluate(f"{chart}.lanes.labels")
        shapes = self.page.evaluate(f"{chart}.shapes")
        drawn = [(labels[box[4]], round(1000 * box[0]), round(1000 * box[1])) for some in shapes
                 for shape in some if shape["lane"] == lane for box in shape["boxes"]]
        self.assertEqual(sorted([("counting", *windows[2]), ("counting", *windows[3]),
                                 ("blind", windows[2][1], windows[3][0])]), sorted(drawn))
        # The middle of the blind window has its colour, and what is beside it another.
        middle = (windows[2][1] + windows[3][0]) / 2000
        colours = self.page.evaluate(
            f"(c => {{ const [[x0, y], [x1]] = [{middle}, {stop - 0.2}].map(us => c.plot.convertToPixel("
            f"{{gridIndex: 0}}, [us, {lane}]).map(Math.round)); const canvas = c.box.querySelector('canvas');"
            " const row = [...canvas.getContext('2d').getImageData(x0, y, x1 - x0 + 1, 1).data];"
            f" return [row.slice(0, 3), row.slice(-4, -1)]; }})({chart})")
        wanted = self.page.evaluate("[1, 0].map(i => [1, 3, 5].map(k =>"
                                    " parseInt(SERIES.light[i].slice(k, k + 2), 16)))")
        self.assertEqual(wanted, colours)
        # Pointing at it says what it is.
        self.page.evaluate("document.getElementById('chart-run-0-timeline').scrollIntoView({block: 'center'})")
        x, y = self.page.evaluate(
            f"(c => {{ const r = c.box.getBoundingClientRect(); const p = c.plot.convertToPixel({{gridIndex: 0}},"
            f" [{middle}, {lane}]); return [r.left + p[0], r.top + p[1]]; }})({chart})")
        self.page.mouse("mouseMoved", x - 60, y)
        self.page.mouse("mouseMoved", x, y)
        self.page.wait("document.querySelector('#chart-run-0-timeline .tip') !== null")
        said = self.page.evaluate("document.querySelector('#chart-run-0-timeline .tip').parentElement.textContent")
        self.assertIn("cpu 2 · window: blind", said)
        self.assertIn(f"{windows[2][1]:,} to {windows[3][0]:,}".replace(",", "\u202f"), said)

    def test_estimates_are_those_of_the_truth(self):
        events = self.ask(self.run_folder, "SELECT id, name, truth, scaled, error FROM event ORDER BY truth DESC")
        dots = self.series(self.page, "run-0-events-scatter", "estimates")
        self.assertEqual([[truth, scaled] for _, _, truth, scaled, _ in events], dots)
        errors = self.series(self.page, "run-0-events-errors", "error")
        for row, (_, name, _, _, error) in zip(errors, events):
            self.assertAlmostEqual(100 * error, row[0], places=9, msg=name)
        words = self.words(self.page, "run-0-events-errors")
        for _, name, _, _, _ in events:
            self.assertIn(name, words)
        self.assertIn("error (%)", words)

    def test_error_bars_reach_over_the_cpus(self):
        span = {key: int(value) for key, value in self.ask(self.run_folder, "SELECT * FROM run")
                if key in ("first_start", "last_stop")}
        length = span["last_stop"] - span["first_start"]
        counted, cycles = collections.Counter(), collections.Counter()
        windows = {row[:2]: row[3] - row[2] for row in self.ask(
            self.run_folder, "SELECT subsample, cpu, start, stop FROM window")}
        for subsample, cpu, event, value in self.ask(
                self.run_folder, "SELECT subsample, cpu, event, value FROM sample"):
            key = (event, cpu)
            if (subsample, cpu) not in windows:  # a slot without a core
                continue
            counted[key] += value
            cycles[key] += windows[subsample, cpu]
        truth = {(event, cpu): total for event, cpu, total in self.ask(
            self.run_folder, "SELECT event, cpu, truth FROM total")}
        rows = self.ask(self.run_folder, "SELECT id FROM event ORDER BY truth DESC")
        bars = {int(bar[2]): bar[:2] for bar in self.series(self.page, "run-0-events-errors", "parts")}
        self.assertEqual(len(rows), len(bars))
        for i, (event,) in enumerate(rows):
            errors = [100 * (counted[key] * length / cycles[key] / truth[key] - 1)
                      for key in truth if key[0] == event and cycles[key] > 0]
            self.assertAlmostEqual(min(errors), bars[i][0], places=8)
            self.assertAlmostEqual(max(errors), bars[i][1], places=8)

    def test_counters_over_time(self):
        names = self.page.evaluate("[...document.querySelectorAll('#run-0-panel-rates option')]"
                                   ".map(option => option.textContent)")
        at = names.index("BR_RETIRED")
        self.page.evaluate(f"countersink.charts['run-0-rates'].choose({at})")
        expected = self.ask(
            self.run_folder, "SELECT min(start), sum(value) / 2.6 / sum(stop - start) FROM sample JOIN window"
            " USING (subsample, cpu) WHERE event = 33 GROUP BY subsample ORDER BY 1")
        found = self.series(self.page, "run-0-rates", "all CPUs")
        self.assertEqual(len(expected), len(found))
        for (cycle, rate), (us, value) in zip(expected, found):
            self.near(cycle / 1000, us)
            self.near(rate, value)
        words = self.words(self.page, "run-0-rates")
        self.assertIn("events per core cycle", words)
        self.assertIn("0", words)  # the scale begins at zero, until the reader says otherwise
        self.page.evaluate("document.querySelector('#run-0-panel-rates input').click()")
        self.assertNotIn("0", self.words(self.page, "run-0-rates"))

    def test_headline(self):
        cards = self.page.evaluate("[...document.querySelectorAll('#run-0 .headline li')].map(card =>"
                                   " [...card.children].map(part => part.textContent))")
        self.assertEqual(3, len(cards))
        name, error = self.ask(self.run_folder, "SELECT name, abs(error) FROM event ORDER BY 2 DESC")[0]
        summary = json.loads((self.run_folder / "summary.json").read_text())
        self.assertEqual([f"{100 * error:.3g} %", "largest error of a count", f"{name}, of 12 estimates"], cards[0])
        self.assertEqual(f"{100 * summary['blind_fraction']:.3g} %", cards[1][0])
        self.assertEqual(f"{summary['software_ns'] / 1000:.3g} µs", cards[2][0])

    def test_contents_lead_to_every_panel(self):
        links = self.page.evaluate("[...document.querySelectorAll('nav.contents a')].map(a => [a.getAttribute('href'),"
                                   " a.textContent])")
        panels = self.page.evaluate("[...document.querySelectorAll('section[id]')].map(s => ['#' + s.id,"
                                    " s.querySelector('h2').textContent])")
        self.assertEqual(panels, links)
        self.assertEqual("run-0-scenario", links[-1][0][1:])
        self.page.evaluate("document.querySelector('nav.contents a[href$=skew]').click()")
        self.page.wait("document.querySelector('nav.contents [aria-current]') !== null")
        top = self.page.evaluate("document.getElementById('run-0-panel-skew').getBoundingClientRect().top")
        self.assertTrue(-1 <= top <= 900, top)
        self.assertEqual(0, self.page.evaluate("document.querySelector('nav').getBoundingClientRect().top"))

    def test_opens_on_what_there_is(self):
        parts = self.page.evaluate("[opening(100, 200, 1000), opening(100, 400, 1000), opening(5, 5, 1000),"
                                   " opening(0, 50, 1000), opening(Infinity, 0, 1000)]")
        self.assertEqual([{"start": 9, "end": 21}, {}, {}, {"start": 0, "end": 5.5}, {}], parts)
        # What this run did fills its time.
        view = self.page.evaluate("countersink.charts['run-0-timeline'].zoom('x')")
        self.assertEqual({"start": 0, "end": 100}, view)

    def test_says_what_the_scenario_says(self):
        body = "name:" + (pathlib.Path(self.source) / "configs/pmcu/pmcu_demo.yaml").read_text().split("\nname:")[1]
        scenario = self.folder / "told.yaml"
        scenario.write_text("# First\n# sentence.\n#\n#   tools/setup.sh\n#   countersink run\n#\n# Last.\n" + body)
        page = self.page_of(self.run_scenario(scenario))
        texts = page.evaluate("[...document.querySelectorAll('#run-0 > .about')].map(e => [e.tagName, e.textContent])")
        self.assertEqual([["P", "First sentence."], ["PRE", "tools/setup.sh\ncountersink run"], ["P", "Last."]], texts)

    def test_jumps_to_the_next_blind_time(self):
        chart = "countersink.charts['run-0-timeline']"
        last = self.page.evaluate(f"{chart}.plot.getOption().xAxis[0].max")
        windows = self.ask(self.run_folder, "SELECT start, stop FROM window ORDER BY start, cpu")
        by_cpu = collections.defaultdict(list)
        for cpu, *window in self.ask(self.run_folder, "SELECT cpu, start, stop FROM window ORDER BY start"):
            by_cpu[cpu].append(window)
        blind = sorted(before[1] for some in by_cpu.values() for before in some[:-1])
        self.assertGreater(len(windows), 100)
        for at in (blind[0], blind[1]):
            self.page.evaluate("document.querySelector('#run-0-panel-timeline [aria-label=next]').click()")
            self.page.settle()
            view = self.page.evaluate(f"[{chart}.zoom('x').start, {chart}.zoom('x').end]")
            start, stop = [1000 * last * part / 100 for part in view]
            self.assertTrue(start < at < stop < start + 40000, (start, at, stop))
        self.page.evaluate(f"{chart}.box.focus()")
        self.page.press("p")
        back = self.page.evaluate(f"{chart}.zoom('x').start")
        self.assertLess(back, view[0])

    def test_map_of_slots_and_time(self):
        layers = self.page.evaluate("[...document.querySelectorAll('#run-0-panel-map option')]"
                                    ".map(option => option.textContent)")
        self.page.evaluate(f"countersink.charts['run-0-map'].choose({layers.index('L1D_CACHE')})")
        last = self.page.evaluate("countersink.data.items[0].last")
        bins = self.page.evaluate("countersink.data.items[0].panels.find(p => p.id === 'map').data.cells.bins")
        cells = collections.defaultdict(list)
        for cpu, start, rate in self.ask(
                self.run_folder, "SELECT s.cpu, start, value / 2.6 / (stop - start) FROM sample s JOIN window"
                " USING (subsample, cpu) WHERE event = 4"):
            cells[cpu, int(start * bins / last)].append(rate)
        means = {key: sum(rates) / len(rates) for key, rates in cells.items()}
        step = (max(means.values()) - min(means.values())) / 65534
        for cpu in range(4):
            for at in range(bins):
                value = self.page.evaluate(f"countersink.charts['run-0-map'].valueAt({cpu}, {at})")
                if (cpu, at) in means:
                    self.assertAlmostEqual(means[cpu, at], value, delta=step + 1e-5)
                else:
                    self.assertIsNone(value)
        # Pointing at a cell says its value.
        self.page.evaluate("document.getElementById('chart-run-0-map').scrollIntoView({block: 'center'})")
        x, y = self.page.evaluate(
            "(c => { const r = c.box.getBoundingClientRect(); const p = c.plot.convertToPixel({gridIndex: 0},"
            " [3000, 2.5]); return [r.left + p[0], r.top + p[1]]; })(countersink.charts['run-0-map'])")
        self.page.mouse("mouseMoved", x, y)
        said = self.page.evaluate("document.querySelector('#run-0-panel-map .note').textContent")
        self.assertRegex(said, r"^L1D_CACHE, cpu 2, from .* on: [0-9.]+ events per core cycle$")

    def test_skew_and_waits(self):
        skews = collections.Counter(row[0] for row in self.ask(
            self.run_folder, "SELECT max(start) - min(start) FROM window GROUP BY subsample"))
        self.assertEqual({60: 32}, dict(skews))
        # One value is said in words, and makes no plot.
        self.assertEqual("start and stop: all 32 are 60 bus cycles (60 ns)",
                         self.page.evaluate("document.querySelector('#run-0-panel-skew .said').textContent"))
        self.assertFalse(self.page.evaluate("'run-0-skew' in countersink.charts"))
        waits = self.ask(self.run_folder, "SELECT manager, count(*) FROM transfer GROUP BY 1")
        found = self.page.evaluate("countersink.charts['run-0-waits'].histogram")
        self.assertEqual(dict(waits), {one["name"]: sum(one["counts"]) for one in found["series"]})

    def test_bus_load(self):
        for manager, held in self.ask(self.run_folder, "SELECT manager, sum(held) FROM load GROUP BY 1"):
            data = self.series(self.page, "run-0-load", manager)
            step = (data[1][0] - data[0][0]) * 1000
            self.near(held, sum(value for _, value in data) * step)

    def test_die_and_figures(self):
        words = self.words(self.page, "run-0-die")
        for name in ("cpu 0", "cpu 3", "cluster 0", "pmcu lane 0: 44.42 kB, 0.34 %", "memory",
                     "bus, 1\u202f000 MHz, busy 0.346 % of the time"):
            self.assertIn(name, words)
        summary = json.loads((self.run_folder / "summary.json").read_text())
        shown = self.page.evaluate("Object.fromEntries([...document.querySelectorAll('#run-0 dd')]"
                                   ".map(dd => [dd.dataset.key, dd.dataset.value]))")
        for key, value in summary.items():
            if isinstance(value, str) and key != "scenario":
                self.assertEqual(value, shown[key], key)
            elif isinstance(value, (int, float)) and key not in ("wall_ns", "samples"):
                self.assertEqual(value, float(shown[key]), key)
        # Names are those of summary.txt and of `run -f csv`.
        names = self.page.evaluate("Object.fromEntries([...document.querySelectorAll('#run-0 dd')]"
                                   ".map(dd => [dd.dataset.key, dd.previousSibling.textContent]))")
        table = self.do("run", "-f", "csv", "-o", "again", self.run_folder / "scenario.yaml")
        printed = {row["figure"]: row["label"] for row in csv.DictReader(io.StringIO(table))}
        self.assertEqual({key: printed[key] for key in names}, names)
        self.assertEqual("subsamples committed", names["subsamples"])
        # Each is explained, and there is none without a group.
        self.assertEqual([], self.page.evaluate(
            "[...document.querySelectorAll('.figures > div')].filter(d => !d.title).map(d => d.textContent)"))
        groups = self.page.evaluate("[...document.querySelectorAll('#run-0 .groups h3')].map(h => h.textContent)")
        self.assertEqual(["The run", "What was measured", "How accurate it is", "What it cost", "What went wrong"], groups)

    def test_keys(self):
        chart = "countersink.charts['run-0-timeline']"
        view = f"(z => [z.start, z.end])({chart}.zoom('x'))"
        self.page.evaluate("document.getElementById('chart-run-0-timeline').focus()")
        self.page.press("+")
        self.assertEqual([25, 75], self.page.evaluate(view))
        self.page.press("ArrowRight")
        self.assertEqual([35, 85], self.page.evaluate(view))
        self.page.press("0")
        self.assertEqual([0, 100], self.page.evaluate(view))
        self.page.press("t")
        self.assertEqual("dark", self.page.evaluate("document.documentElement.dataset.theme"))
        self.page.press("?")
        self.assertTrue(self.page.evaluate("document.querySelector('dialog').open"))
        self.page.press("Escape")
        order = [self.page.evaluate("document.activeElement.id")]
        for _ in range(12):
            self.page.press("Tab")
            order.append(self.page.evaluate("document.activeElement.id"))
        self.assertIn("chart-run-0-events-errors", order)

    def test_paper(self):
        path = self.folder / "paper.pdf"
        self.page.press("t")
        self.page.pdf(path)
        pages = re.findall(rb"/Type\s*/Page\b", path.read_bytes())
        self.assertGreater(len(pages), 2)
        self.assertEqual("dark", self.page.evaluate("document.documentElement.dataset.theme"))


class Honest(PageCase):
    """What could mislead a reader is said, or left out."""

    def test_warnings(self):
        run = self.run_scenario("riscv/riscv_sample.yaml", "--set", "harts.counters=0")
        clean = self.run_scenario("pmcu/pmcu_demo.yaml")
        warnings = json.loads((run / "summary.json").read_text())["warnings"]
        self.assertTrue(any("which cannot overflow: no samples" in text for text in warnings), warnings)
        page = self.page_of(run, clean)
        self.assertEqual(warnings, page.evaluate("[...document.querySelectorAll('#run-0 .warnings li')]"
                                                 ".map(line => line.textContent)"))
        self.assertEqual([], json.loads((clean / "summary.json").read_text())["warnings"])
        self.assertIsNone(page.evaluate("document.querySelector('#run-1 .warnings')"))

    def test_intervals_that_miss_the_truth(self):
        run = self.run_scenario("pmcu/pmcu_demo.yaml")  # its windows keep step with its workload
        page = self.page_of(run)
        rows = page.evaluate("estimatesOf(countersink.data.items[0].panels.find(p => p.id === 'events'))")
        missed = [row["name"] for row in rows if row["half"] > 0 and abs(row["error"]) > max(row["half"], 1e-5)]
        self.assertEqual({"L1D_CACHE", "INST_RETIRED", "BR_RETIRED", "BR_MIS_PRED_RETIRED", "L1D_CACHE_REFILL",
                          "L1I_CACHE_REFILL"}, set(missed))
        note = page.evaluate("document.querySelector('#run-0-panel-events .note').textContent")
        self.assertTrue(note.startswith("6 of "), note)
        self.assertIn("intervals miss the truth (hollow): ", note)
        self.assertIn("in step with the workload", note)

    def test_figures_that_cannot_apply_are_left_out(self):
        run = self.run_scenario("imc/imc_trace.yaml")
        summary = json.loads((run / "summary.json").read_text())
        self.assertEqual((0, 0), (summary["nest_postings"], summary["pmi"]))
        page = self.page_of(run)
        shown = page.evaluate("[...document.querySelectorAll('#run-0 dd')].map(dd => dd.dataset.key)")
        self.assertEqual(set(summary["shown"]) - {"scenario", "wall_ns"}, set(shown))
        for key in ("nest_postings", "imc_windows", "read_errors"):
            self.assertEqual(0, summary[key])
            self.assertNotIn(key, shown)
        self.assertIn("imc_lost", shown)  # a zero that says something
        self.assertIn("pmi", shown)
        labels = page.evaluate("countersink.charts['run-0-timeline'].lanes.labels")
        self.assertIn("written", labels)
        self.assertNotIn("OKAY", labels)

    def test_names_are_whole_and_differ(self):
        run = self.run_scenario("riscv/riscv_multiplex.yaml")
        page = self.page_of(run)
        for panel in ("counts", "rotated"):
            names = page.evaluate(f"(p => p && estimatesOf(p).map(row => row.name))"
                                  f"(countersink.data.items[0].panels.find(p => p.id === '{panel}'))") or []
            self.assertEqual(sorted(set(names)), sorted(names))
        page = self.page_of(self.run_scenario("riscv/riscv_sample.yaml"))
        words = self.words(page, "run-0-hart_functions")
        self.assertIn("clang::Sema::ActOnCallExpr, L1-dcache-load-misses", words)
        # A hart's interrupts stand by its CPU.
        owners = page.evaluate("countersink.charts['run-0-timeline'].lanes.lanes.map(l => [l.owner, l.name])")
        self.assertEqual(["cpu 0"] * 3 + ["cpu 1"] * 3, [owner for owner, _ in owners])

    def test_axes_to_begin_with(self):
        """What ways and sweeps show first are figures that differ, and those that the sweep's file names."""
        page = self.page_of(self.run_scenario("corepmu/pmcu_slow_bus.yaml"))
        self.assertEqual(["skew of a reading, largest", "blind fraction"], page.evaluate(
            "[...document.querySelectorAll('#ways-0 select')].map(s => s.value)"))
        sweep = self.folder / "axes.yaml"
        skew = "skew of a reading, largest"
        for figures, axes in (("figures: [skew_s, blind_fraction, mean_error]", [skew, "blind fraction"]),
                              ("figures: [bus_bytes_per_s]", ["pmcu.clusters", "bus traffic"]),
                              ("", ["share of all CPUs' time", "blind fraction"])):
            sweep.write_text(f"sweep: axes\nscenario: {self.source}/configs/pmcu/pmcu_demo.yaml\n"
                             f"set: {{perf.0.record.0.nr_sample: 2}}\nvary: [{{pmcu.clusters: [1, 4]}}]\n{figures}\n")
            (self.folder / "axes.sqlite").unlink(missing_ok=True)
            self.do("sweep", "-o", "axes.sqlite", sweep)
            page = self.page_of(self.folder / "axes.sqlite")
            self.assertEqual(axes, page.evaluate("[...document.querySelectorAll('#sweep-0 select')].slice(0, 2)"
                                                 ".map(s => s.value)"), figures)
            self.assertEqual("axes", page.evaluate("document.querySelector('h1').textContent"))

    def test_title_is_the_scenarios(self):
        run = self.run_scenario("pmcu/pmcu_demo.yaml")
        other = self.folder / "other"
        other.symlink_to(run)
        page = self.page_of(other)
        self.assertEqual(["pmcu_demo"] * 2, page.evaluate("[document.title, document.querySelector('h1').textContent]"))
        self.assertIn("Made of other by", page.evaluate("document.getElementById('made').textContent"))


class Others(PageCase):
    def test_call_graph(self):
        run = self.run_scenario("riscv/riscv_callgraph.yaml")
        page = self.page_of(run)
        rows = self.ask(run, "SELECT command, workload, stack, samples, expected FROM call_path")
        by_command = collections.Counter()
        for command, _, _, samples, _ in rows:
            by_command[command] += samples
        sampled, true = collections.Counter(), collections.Counter()
        for command, workload, stack, samples, expected in rows:
            names = ["all", workload, *stack.split(";")]
            for deep in range(1, len(names) + 1):
                sampled[";".join(names[:deep])] += samples
                true[";".join(names[:deep])] += expected * by_command[command]
        found = page.evaluate(
            "(() => { const out = []; const walk = (node, path) => { out.push([path, node.samples,"
            " node.expected]); for (const child of node.children.values()) walk(child, path + ';' + child.name);"
            " }; walk(countersink.charts['run-0-flame'].tree, 'all'); return out; })()")
        self.assertEqual(dict(sampled), {path: samples for path, samples, _ in found})
        for path, _, expected in found:
            self.near(true[path], expected, what=path)
        # The widest box of the first level is all; clicking a function shows it alone.
        boxes = self.series(page, "run-0-flame", "calls")
        self.assertEqual([0, 100, 0], boxes[0])
        shares = self.series(page, "run-0-call_shares")
        total = sum(by_command.values())
        names = page.evaluate("countersink.charts['run-0-call_shares'].plot.getOption().yAxis[0].data")
        for name, own in self.ask(run, "SELECT workload || ': ' || function, sum(self) FROM call_share GROUP BY 1"):
            self.near(100 * own / total, shares["sampled"][names.index(name)])
        parts = self.series(page, "run-0-harts")
        self.assertEqual(["workload", "kernel", "firmware"], list(parts))  # there is no guest
        self.assertEqual([list(parts[key]) for key in parts],
                         [[row[i] for row in self.ask(run, "SELECT workload, kernel, firmware FROM hart")]
                          for i in range(3)])
        skids = self.ask(run, "SELECT count(*) FROM hart_sample WHERE skid IS NOT NULL")[0][0]
        found = page.evaluate("countersink.charts['run-0-skid'].histogram.series")
        self.assertEqual(skids, sum(sum(one["counts"]) for one in found))

    def test_flat_profiles_of_harts(self):
        run = self.run_scenario("riscv/riscv_sample.yaml")
        page = self.page_of(run)
        shares = self.series(page, "run-0-hart_functions")
        names = page.evaluate("countersink.charts['run-0-hart_functions'].plot.getOption().yAxis[0].data")
        rows = self.ask(run, "SELECT function || ', ' || event_name, share, expected, samples, (SELECT"
                        " sum(samples) FROM hart_function a WHERE a.event_name = f.event_name) FROM hart_function f")
        self.assertEqual(sorted(names), sorted(row[0] for row in rows))
        self.assertEqual("0", page.evaluate("document.querySelector('[data-key=same_pc]').textContent"))
        for name, share, expected, samples, of in rows:
            at = names.index(name)
            self.near(100 * share, shares["sampled"][at], what=name)
            self.near(100 * expected, shares["true"][at], what=name)
            # The interval is that of a share of the event's samples, and has it inside.
            low, high, _ = shares["95 % interval"][at]
            self.assertTrue(low < 100 * samples / of < high, name)
            self.near(196 * math.sqrt(share * (1 - share) / of), (high - low) / 2, 0.05)

    def test_trace_records(self):
        run = self.run_scenario("imc/imc_trace.yaml")
        page = self.page_of(run, dark=True)
        shares = self.series(page, "run-0-functions")
        expected = self.ask(run, "SELECT name, share, expected FROM function ORDER BY expected DESC")
        for i, (name, share, true) in enumerate(expected):
            self.near(100 * share, shares["sampled"][i], what=name)
            self.near(100 * true, shares["true"][i], what=name)
        for cpu, records in self.ask(run, "SELECT cpu, count(*) FROM record GROUP BY cpu"):
            data = self.series(page, "run-0-records", f"cpu {cpu}")
            step = data[1][0] - data[0][0]
            self.near(records, sum(value for _, value in data) * step / 1000)

    def test_ways(self):
        run = self.run_scenario("uncore/uncore_rotation.yaml")
        page = self.page_of(run)
        ways = json.loads((run / "ways.json").read_text())
        self.assertEqual([way["mean_error"] for way in ways], self.series(page, "ways-0-y", "mean_error"))
        self.assertEqual([way["stolen_share"] for way in ways], self.series(page, "ways-0-x", "stolen_share"))
        self.assertEqual([[way["stolen_share"], way["mean_error"]] for way in ways],
                         self.series(page, "ways-0-both", "both"))
        page.press("]")
        page.show_all()
        expected = self.ask(run / ways[1]["way"], "SELECT sum(truth), sum(scaled) FROM rotated WHERE final"
                            " GROUP BY command, pmu, event ORDER BY 1 DESC")
        found = self.series(page, "run-1-rotated-scatter", "estimates")
        for (truth, scaled), dot in zip(expected, found):
            self.near(truth, dot[0])
            self.near(scaled, dot[1])

    def test_runs_side_by_side(self):
        runs = [self.run_scenario("riscv/riscv_sample.yaml"), self.run_scenario("riscv/riscv_callgraph.yaml")]
        page = self.page_of(*runs)
        costs = self.series(page, "runs-x", "software_fraction")
        for run, cost in zip(runs, costs):
            self.near(json.loads((run / "summary.json").read_text())["software_fraction"], cost)

    def test_sweep(self):
        (self.folder / "small.yaml").write_text(SWEEP.format(source=self.source))
        self.do("sweep", "-o", "small.sqlite", "small.yaml")
        page = self.page_of(self.folder / "small.sqlite")
        with sqlite3.connect(self.folder / "small.sqlite") as db:
            points = db.execute("SELECT point, stolen_share, blind_fraction FROM point").fetchall()
        chart = "countersink.charts['sweep-0-points']"
        rows = page.evaluate(f"{chart}.rows.map(row => [row.i, row.x, row.y])")
        self.assertEqual([list(point) for point in points], rows)
        front = [point for point, x, y in points if not any(
            (a <= x and b <= y) and (a < x or b < y) for _, a, b in points)]
        coordinates = {point: (x, y) for point, x, y in points}
        found = page.evaluate(f"{chart}.front")
        self.assertEqual({coordinates[point] for point in front}, {coordinates[point] for point in found})
        # A key is called as it is typed, and the front's rings leave the points their colours.
        said = page.evaluate("[...document.querySelectorAll('#sweep-0 select')[2].options].map(o => o.textContent)")
        self.assertIn("perf.0.record.0.sample_period_ms", said)
        rings = page.evaluate(f"{chart}.plot.getOption().series.find(s => s.name === 'Pareto front').itemStyle")
        self.assertEqual("transparent", rings["color"])
        # Another figure, by the keyboard alone.
        page.evaluate("document.querySelectorAll('#sweep-0 select')[1].focus()")
        before = page.evaluate("document.activeElement.value")
        page.press("ArrowDown")
        self.assertNotEqual(before, page.evaluate("document.activeElement.value"))

    def test_sweep_over_seeds(self):
        """Rows that differ in the seed alone are one, with its spread; there is no text, and no stray point."""
        text = SWEEP.format(source=self.source).replace("text: two keys of a small die\n", "")
        (self.folder / "seeds.yaml").write_text(
            text + "  - seed: [1, 2, 3]\nset: {workloads.0.phase: seed, pmcu_driver.span_ms: 6}\n"
            "figures: [blind_fraction, mean_error]\n")
        self.do("sweep", "-o", "seeds.sqlite", "seeds.yaml")
        page = self.page_of(self.folder / "seeds.sqlite")
        with sqlite3.connect(self.folder / "seeds.sqlite") as db:
            points = db.execute(
                'SELECT min(point), avg(mean_error), avg(mean_error * mean_error) FROM point GROUP BY '
                '"perf.0.record.0.sample_period_ms", "pmcu.order", "bus.clock_mhz" ORDER BY 1').fetchall()
        rows = page.evaluate("countersink.charts['sweep-0-points'].rows.map(row => [row.i, row.y, row.spread[1]])")
        self.assertEqual(12, len(rows))
        for (point, mean, squares), (i, y, spread) in zip(points, rows):
            self.assertEqual(point, i)
            self.assertAlmostEqual(mean, y, 9)
            self.assertAlmostEqual(((squares - mean * mean) * 3 / 2) ** 0.5, spread, 6)
        about = page.evaluate("document.querySelector('#sweep-0 .about').textContent")
        self.assertTrue(about.startswith("36 of 36 points"), about)

    def test_nothing_is_empty(self):
        for scenario in ("imc/imc_nest.yaml", "corepmu/multiplex_demo.yaml", "riscv/riscv_sample.yaml",
                         "all/everything.yaml", "uncore/uncore_hotplug.yaml"):
            with self.subTest(scenario):
                page = self.page_of(self.run_scenario(scenario), width=420)
                empty = page.evaluate(
                    "Object.values(countersink.charts).filter(c => !c.plot || !c.plot.getOption().series"
                    ".some(s => s.data && s.data.length > 0)).map(c => c.id)")
                self.assertEqual([], empty)
                wide = page.evaluate("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, 420)

    def test_texts_stay_texts(self):
        bad = "</script><script>window.bad=1</script><img onerror='bad=1' src=x>"
        text = (pathlib.Path(self.source) / "configs/pmcu/pmcu_demo.yaml").read_text()
        path = self.folder / "bad.yaml"
        path.write_text("# " + bad + "\n" + text.replace("name: parse_request", f'name: "{bad[:63]}"'))
        self.do("run", "-o", self.folder / "bad", path)
        self.do("report", "-o", self.folder / "bad.html", "--title", bad, self.folder / "bad")
        page = self.browser.open(self.folder / "bad.html")
        page.show_all()
        self.assertIsNone(page.evaluate("window.bad"))
        self.assertEqual(bad, page.evaluate("document.querySelector('h1').textContent"))
        self.assertIn(bad, page.evaluate("document.querySelector('pre:not(footer pre)').textContent"))
        self.is_clean(page)
        page.close()


if __name__ == "__main__":
    PageCase.command, PageCase.source = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
