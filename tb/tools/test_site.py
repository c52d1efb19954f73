#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/site.sh: the site is whole, keys have pages, Chromium searches it without a network, and a dead
link is found."""
import pathlib
import re
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

    def test_search_finds_and_shows_texts(self):
        found = self.shown("search.html?q=snapshot+page")
        self.assertIn("drivers/sbi_pmu.html", found)
        self.assertNotIn("drivers/pmcu_driver.html?highlight", found)
        texts = re.findall(r'<p class="context">(.*?)</p>', found, re.S)
        self.assertGreater(len(texts), 5)
        self.assertTrue(any("snapshot page" in text.lower() for text in texts), texts)

    def test_keys_have_pages(self):
        for place, anchor, words in (("pmcu", "pmcu-lanes", "Register accesses of a PMCU in flight"),
                                     ("workloads", "workloads-segments-like", "Blender 3.4"),
                                     ("run", "seed", "Seed of everything that is random")):
            page = (self.site / "keys" / f"{place}.html").read_text()
            self.assertIn(f'id="{anchor}"', page)
            self.assertIn(words, page)
        rows = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs" / "scenarios.md").read_text().split("## All keys")[1], re.M)
        pages = "".join(p.read_text() for p in (self.site / "keys").glob("*.html"))
        self.assertEqual([], [key for key in rows if f">{key}</span>" not in pages])
        self.assertNotIn("pmcu.lanes", (self.site / "scenarios.html").read_text())

    def test_names_of_pages_and_keys_are_links(self):
        self.assertIn('href="keys/corepmu.html#corepmu-wfi-clock"', (self.site / "scenarios.html").read_text())
        self.assertRegex((self.site / "hw" / "pmcu.html").read_text(), r'href="bus.html">(<[^>]*>)*docs/hw/bus.md')

    def test_blocks_have_the_language_that_they_are_in(self):
        sys.path.insert(0, str(ROOT / "tools" / "site"))
        import colour
        for block, language in (
                ("$ countersink run a.yaml\nname: x\n", "console"),
                ("build/countersink run a.yaml \\\n    --set seed=2\n", "bash"),
                ("software: {kind: script}\nscript:\n  - cpu: 0\n  - read: {at: pmcu.X}\n", "yaml"),
                ("int main(void)\n{\n    return 0;\n}\n", "c"),
                ("import countersink\nrun = countersink.run(\"a.yaml\")\n", "python"),
                ("pmcu_demo: bus 1000 MHz shared\n  1 cluster x 4 slots\n", "text"),
                ("int a;\na = b @ c;\n", "text")):
            self.assertEqual(colour.language(block), language, block)
        for place, language in (("guide", "bash"), ("scenarios", "yaml"), ("tutorial", "console")):
            self.assertIn(f"highlight-{language}", (self.site / f"{place}.html").read_text())

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
