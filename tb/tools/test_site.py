#!/usr/bin/env python3
"""tools/site.sh: the site is whole, Chromium searches it without a network, and a dead link is found."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT, COMMAND = pathlib.Path(sys.argv[1]), sys.argv[2]


def run(*arguments):
    return subprocess.run([str(a) for a in arguments], cwd=ROOT, text=True, capture_output=True)


class TestSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.temp.name) / "site"
        made = run(ROOT / "tools" / "site.sh", "-o", cls.site, COMMAND)
        if made.returncode != 0:
            raise AssertionError(made.stdout + made.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    def shown(self, page):
        return run("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--host-rules=MAP * ~NOTFOUND",
                   "--virtual-time-budget=5000", "--dump-dom", f"file://{self.site}/{page}").stdout

    def test_all_pages_are_there(self):
        pages = [p for p in (ROOT / "docs").rglob("*.md") if "examples" not in p.parts]
        self.assertGreater(len(pages), 30)
        for page in pages:
            self.assertTrue((self.site / page.relative_to(ROOT / "docs")).with_suffix(".html").exists(), page)
        scenarios = (self.site / "reference" / "scenarios.html").read_text()
        for scenario in (ROOT / "configs").rglob("*.yaml"):
            if scenario.parent.parent == ROOT / "configs":
                self.assertIn(f"{scenario.stem}.yaml.html", scenarios)

    def test_commands_tell_of_themselves(self):
        page = (self.site / "reference" / "commands.html").read_text()
        for name in ("run", "compare", "sweep", "check"):
            self.assertIn(f"usage: countersink {name}", page)

    def test_search_finds(self):
        found = self.shown("search.html?q=snapshot+page")
        self.assertIn("drivers/sbi_pmu.html", found)
        self.assertNotIn("drivers/pmcu_driver.html?highlight", found)

    def test_a_dead_link_is_found(self):
        site = pathlib.Path(self.temp.name) / "dead"
        site.mkdir()
        (site / "a.html").write_text('<p id="x"><a href="b.html#part">b</a><a href="#x">x</a></p>')
        (site / "b.html").write_text('<p id="part"></p>')
        self.assertEqual(run(sys.executable, "tools/site/links.py", site).returncode, 0)
        for link, words in (("c.html", "leads nowhere"), ("b.html#no", "no such part")):
            (site / "a.html").write_text(f'<a href="{link}">b</a>')
            ended = run(sys.executable, "tools/site/links.py", site)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(words, ended.stdout)
        (site / "a.html").write_text('<script src="https://example.com/a.js"></script>')
        self.assertIn("from the network", run(sys.executable, "tools/site/links.py", site).stdout)


unittest.main(argv=sys.argv[:1])
