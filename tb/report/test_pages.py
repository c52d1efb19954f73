"""What pages show, read back from a browser and held against the truth: test_pages.py COUNTERSINK SOURCE"""
import collections
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
  - pmcu_driver.sample_period_ms: [1, 2]
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
        drawn = [(label, round(1000 * box[0]), round(1000 * box[1])) for label, some in zip(labels, shapes)
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
        for subsample, cpu, position, event, value in self.ask(
                self.run_folder, "SELECT subsample, cpu, position, event, value FROM sample"):
            key = (event, position == 8, cpu)
            counted[key] += value
            cycles[key] += windows[subsample, cpu]
        truth = {(number, bool(counter), cpu): total for number, counter, cpu, total in self.ask(
            self.run_folder, "SELECT number, cycle_counter, cpu, t.truth FROM total t JOIN event e ON"
                             " e.id = t.event")}
        rows = self.ask(self.run_folder, "SELECT number, cycle_counter FROM event ORDER BY truth DESC")
        bars = {int(bar[2]): bar[:2] for bar in self.series(self.page, "run-0-events-errors", "single ones")}
        self.assertEqual(len(rows), len(bars))
        for i, (number, counter) in enumerate(rows):
            errors = [100 * (counted[key] * length / cycles[key] / truth[key] - 1)
                      for key in truth if key[:2] == (number, bool(counter))]
            self.assertAlmostEqual(min(errors), bars[i][0], places=8)
            self.assertAlmostEqual(max(errors), bars[i][1], places=8)

    def test_counters_over_time(self):
        names = self.page.evaluate("[...document.querySelectorAll('#run-0-panel-rates option')]"
                                   ".map(option => option.textContent)")
        at = names.index("BR_RETIRED")
        self.page.evaluate(f"countersink.charts['run-0-rates'].choose({at})")
        expected = self.ask(
            self.run_folder, "SELECT min(start), 1.0 * sum(value) / sum(stop - start) FROM sample JOIN window"
            " USING (subsample, cpu) WHERE event = 33 AND position < 8 GROUP BY subsample ORDER BY 1")
        found = self.series(self.page, "run-0-rates", "all CPUs")
        self.assertEqual(len(expected), len(found))
        for (cycle, rate), (us, value) in zip(expected, found):
            self.near(cycle / 1000, us)
            self.near(rate, value)

    def test_map_of_slots_and_time(self):
        layers = self.page.evaluate("[...document.querySelectorAll('#run-0-panel-map option')]"
                                    ".map(option => option.textContent)")
        self.page.evaluate(f"countersink.charts['run-0-map'].choose({layers.index('L1D_CACHE')})")
        last = self.page.evaluate("countersink.data.items[0].last")
        bins = self.page.evaluate("countersink.data.items[0].panels.find(p => p.id === 'map').data.cells.bins")
        cells = collections.defaultdict(list)
        for cpu, start, rate in self.ask(
                self.run_folder, "SELECT s.cpu, start, 1.0 * value / (stop - start) FROM sample s JOIN window"
                " USING (subsample, cpu) WHERE event = 4 AND position < 8"):
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
        self.assertRegex(said, r"^L1D_CACHE, cpu 2, from .* on: [0-9.]+ events a cycle$")

    def test_skew_and_waits(self):
        skews = collections.Counter(row[0] for row in self.ask(
            self.run_folder, "SELECT max(start) - min(start) FROM window GROUP BY subsample"))
        found = self.page.evaluate("countersink.charts['run-0-skew'].histogram")
        start = next(one for one in found["series"] if one["name"] == "start")
        self.assertEqual({edge[0]: n for edge, n in zip(found["edges"], start["counts"]) if n}, dict(skews))
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
        for name in ("cpu 0", "cpu 3", "cluster 0", "pmcu lane 0", "bus", "memory"):
            self.assertIn(name, words)
        summary = json.loads((self.run_folder / "summary.json").read_text())
        shown = self.page.evaluate("Object.fromEntries([...document.querySelectorAll('#run-0 dd')]"
                                   ".map(dd => [dd.dataset.key, dd.dataset.value]))")
        for key, value in summary.items():
            if isinstance(value, str) and key != "scenario":
                self.assertEqual(value, shown[key], key)
            elif isinstance(value, (int, float)) and key != "wall_ns":
                self.assertEqual(value, float(shown[key]), key)
        self.assertEqual("subsamples", self.page.evaluate(
            "document.querySelector('[data-key=samples]').previousSibling.textContent"))

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
        self.assertEqual([list(parts[key]) for key in ("workload", "kernel", "firmware", "guest")],
                         [[row[i] for row in self.ask(run, "SELECT workload, kernel, firmware, guest FROM hart")]
                          for i in range(4)])
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
        self.assertEqual([way["mean_error"] for way in ways], self.series(page, "ways-0-error", "mean_error"))
        self.assertEqual([way["stolen_share"] for way in ways], self.series(page, "ways-0-cost", "stolen_share"))
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
        costs = self.series(page, "runs-cost", "software_fraction")
        for run, cost in zip(runs, costs):
            self.near(json.loads((run / "summary.json").read_text())["software_fraction"], cost)

    def test_sweep(self):
        (self.folder / "small.yaml").write_text(SWEEP.format(source=self.source))
        self.do("sweep", "-o", "small.sqlite", "small.yaml")
        page = self.page_of(self.folder / "small.sqlite")
        with sqlite3.connect(self.folder / "small.sqlite") as db:
            points = db.execute("SELECT point, stolen_share, mean_error FROM point").fetchall()
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
        self.assertIn("pmcu_driver.sample_period_ms", said)
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
            text + "  - seed: [1, 2, 3]\nset: {workloads.0.phase: seed, pmcu_driver.span_ms: 6}\n")
        self.do("sweep", "-o", "seeds.sqlite", "seeds.yaml")
        page = self.page_of(self.folder / "seeds.sqlite")
        with sqlite3.connect(self.folder / "seeds.sqlite") as db:
            points = db.execute(
                'SELECT min(point), avg(mean_error), avg(mean_error * mean_error) FROM point GROUP BY '
                '"pmcu_driver.sample_period_ms", "pmcu.order", "bus.clock_mhz" ORDER BY 1').fetchall()
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
