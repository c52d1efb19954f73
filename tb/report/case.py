# SPDX-License-Identifier: Apache-2.0
"""What the tests of pages share: runs, their pages in a browser, and their truth."""
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import unittest

from browser import Browser


class PageCase(unittest.TestCase):
    """One browser and one folder for all cases of a class."""
    command = source = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="countersink-report.")
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.scratch.cleanup()

    @classmethod
    def do(cls, *words):
        done = subprocess.run([cls.command, *map(str, words)], cwd=cls.folder, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{words}: {done.returncode}: {done.stderr}")
        return done.stdout

    @classmethod
    def run_scenario(cls, scenario, *options):
        folder = cls.folder / re.sub(r"[^\w.]+", "-", "".join([pathlib.Path(scenario).stem, *options]))
        if not folder.exists():
            cls.do("run", "-o", folder, *options, os.path.join(cls.source, "configs", scenario))
        return folder

    def page_of(self, *inputs, width=1280, dark=False):
        """A page of what is named, with all that it draws, open."""
        path = self.folder / (self.id().split(".")[-1] + ".html")
        self.do("report", "--replace", "-o", path, *inputs)
        page = self.browser.open(path, width=width, dark=dark)
        self.assertEqual([], page.complaints())
        page.show_all()
        self.addCleanup(page.close)
        self.addCleanup(self.is_clean, page)
        return page

    def is_clean(self, page):
        self.assertEqual([], page.complaints())
        self.assertEqual([], page.requests())

    @staticmethod
    def ask(folder, sql, *values):
        with sqlite3.connect(f"file:{folder}/truth.sqlite?mode=ro", uri=True) as db:
            return db.execute(sql, values).fetchall()

    @staticmethod
    def series(page, chart, name=None):
        """What the plotting library has of a chart: the data of its series, of one or all."""
        got = page.evaluate(
            f"countersink.charts[{json.dumps(chart)}].plot.getOption().series.map(s => ({{name: s.name,"
            " data: (s.data || []).map(d => d !== null && d.value !== undefined ? d.value : d)}))")
        data = {one["name"]: one["data"] for one in got}
        return data if name is None else data[name]

    @staticmethod
    def words(page, chart):
        """The texts that a chart has drawn (of a chart that is SVG)."""
        return page.evaluate(f"[...document.querySelectorAll('#chart-{chart} svg text')]"
                             ".map(text => text.textContent)")

    def near(self, expected, found, relative=1e-6, what=""):
        self.assertAlmostEqual(expected, found, delta=max(1e-12, abs(expected) * relative), msg=what)
