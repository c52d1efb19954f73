#!/usr/bin/env python3
"""Makes docs/pictures/report.png anew: picture.py [COUNTERSINK]. Needs chromium."""
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tb/report"))
from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position

command = sys.argv[1] if len(sys.argv) > 1 else SOURCE / "build/countersink"
with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    run, path = f"{folder}/pmcu_demo", f"{folder}/page.html"
    subprocess.run([command, "run", "-o", run, SOURCE / "configs/pmcu/pmcu_demo.yaml"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([command, "report", "-o", path, run], check=True, stdout=subprocess.DEVNULL)
    page = browser.open(path, width=960)
    page.show_all()
    top, bottom = page.evaluate(
        "['timeline', 'events'].map((id, i) => { const box = document.getElementById('run-0-panel-' + id)"
        ".getBoundingClientRect(); return i ? box.bottom : box.top; })")
    page.screenshot(SOURCE / "docs/pictures/report.png",
                    {"x": 0, "y": top - 4, "width": 960, "height": bottom - top + 8})
