#!/usr/bin/env python3
"""The pictures of pages: gallery.py [--check | FOLDER/NAME...]. Each is described where it is shown, by a comment:

    <!-- picture FOLDER/NAME.png: run configs/x/y.yaml --set a=b | panel timeline | zoom 10 20 -->

What is made: run SCENARIO, sweep SWEEP, new PURPOSE (what `countersink new` writes is run), coverage
SCENARIO (the page of `countersink coverage` after a comparison). Then what of its page is shown:
`panel ID...` (of a run), `section ID` (of the page), `zoom FROM TO` (percent, of the first panel's
plot), `lanes FROM TO` (likewise, of its lanes), `pick LABEL OPTION` (of its choosers; _ for a blank),
`top PIXELS` (of a page that is no report), `width PIXELS`, `dark`, `table`.
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((SOURCE / "docs/uses").glob("*.md"))
PICTURES = SOURCE / "docs/pictures/gallery"
COMMAND = SOURCE / "build/countersink"
GALLERY = SOURCE / "docs/uses/gallery.md"
# Scenarios for comparisons with RTL; and those that boot a Linux, whose page is docs/uses/linux_power.md.
WITHOUT = re.compile(r"lockstep|regressions/|points/|pmcu_die_|linux/")
MOST_BYTES = 1500000  # of all
WIDTH = 1000
# Which of a chooser's options it is; -1: there is none such.
PICK = """(part, [label, option]) => {
    const select = [...part.querySelectorAll('.chooser')].find(l => l.textContent.startsWith(label))
        .querySelector('select');
    select.selectedIndex = [...select.options].findIndex(o => o.textContent.replaceAll(' ', '_') === option);
    if (select.selectedIndex >= 0)
        select.dispatchEvent(new Event('change'));
    return select.selectedIndex;
}"""


def described():
    """(name, what is made, [(word, values)])"""
    for page in PAGES:
        for name, text in re.findall(r"<!-- picture ([\w-]+/[\w-]+\.png): ([^>]*?) -->", page.read_text()):
            made, *shown = [part.strip() for part in text.split("|")]
            yield name, made, [(part.split()[0], part.split()[1:]) for part in shown]


def file_of(made):
    kind, name, *_ = shlex.split(made)
    return SOURCE / f"src/cli/new/{name}.yaml" if kind == "new" else SOURCE / name


def check():
    bad, seen = [], set()
    for name, made, _ in described():
        seen.add(name)
        if not (PICTURES / name).is_file():
            bad.append(f"{name} is not there: tools/gallery.sh makes it")
        if not file_of(made).is_file():
            bad.append(f"{name} is of {shlex.split(made)[1]}, which is not there")
    for page in PAGES:
        for name in re.findall(r"\]\(\.\./pictures/gallery/([^)]*)\)", page.read_text()):
            if name not in seen:
                bad.append(f"{page.name}: nothing says how {name} is made")
    pictures = sorted(PICTURES.glob("*/*"))
    bad += [f"{path.name} is shown nowhere" for path in pictures
            if str(path.relative_to(PICTURES)) not in seen]
    text = GALLERY.read_text()
    scenarios = [str(path.relative_to(SOURCE)) for path in sorted((SOURCE / "configs").glob("*/*.yaml"))]
    bad += [f"{GALLERY.name} does not show {path}" for path in scenarios
            if not WITHOUT.search(path) and f"`{path}`" not in text]
    size = sum(path.stat().st_size for path in pictures)
    if size > MOST_BYTES:
        bad.append(f"all pictures have {size} bytes; at most {MOST_BYTES} are wanted")
    print("\n".join(bad) or f"gallery: {len(seen)} pictures, {size} bytes")
    return 1 if bad else 0


def report_of(made, folder):
    """The page of what is made; what was made before is not made again."""
    kind, *words = shlex.split(made)
    name = re.sub(r"\W+", "_", made)
    path = folder / f"{name}.html"
    if path.exists():
        return path
    def do(*command, out=subprocess.DEVNULL):
        subprocess.run([COMMAND, *command], check=True, cwd=folder, stdout=out, stderr=subprocess.DEVNULL)

    if kind == "coverage":
        do("compare", "--coverage", f"{name}.txt", file_of(made))
        with open(path, "wb") as out:
            do("coverage", "-f", "html", f"{name}.txt", out=out)
        return path
    result = folder / file_of(made).stem
    if result.exists():
        result = folder / name
    do("run" if kind == "new" else kind, "-o", result, file_of(made), *words[1:])
    do("report", "-o", path, result)
    return path


def photograph(browser, path, shown, target):
    words = dict(shown)
    page = browser.open(path, width=int(words.get("width", [WIDTH])[0]), dark="dark" in words)
    if "top" in words:
        page.screenshot(target, {"x": 0, "y": 0, "width": int(words.get("width", [WIDTH])[0]),
                                 "height": int(words["top"][0])})
        page.close()
        squeeze(target)
        return
    page.show_all()
    ids = [f"run-0-panel-{v}" for word, values in shown if word == "panel" for v in values]
    ids += [v for word, values in shown if word == "section" for v in values]
    chart = f"countersink.charts['run-0-{words['panel'][0]}']" if "panel" in words else ""
    for word, values in shown:
        if word == "pick" and page.evaluate(f"({PICK})(document.getElementById('{ids[0]}'), {values})") < 0:
            sys.exit(f"{target.name}: {values[0]} has no choice {values[1]}")
    for word, axis in (("zoom", "x"), ("lanes", "y")):
        if word in words:
            page.evaluate(f"{chart}.zoomTo('{axis}', {words[word][0]}, {words[word][1]})")
    if "table" in words:
        page.evaluate(f"document.querySelector('#{ids[0]} .as-table').click()")
    else:
        page.evaluate("document.querySelectorAll('.as-table').forEach(button => { button.hidden = true; })")
    page.settle()
    left, top, right, bottom = page.evaluate(
        f"(boxes => [Math.min(...boxes.map(b => b.left)), Math.min(...boxes.map(b => b.top)) + scrollY,"
        f" Math.max(...boxes.map(b => b.right)), Math.max(...boxes.map(b => b.bottom)) + scrollY])"
        f"({ids}.map(id => document.getElementById(id).getBoundingClientRect()))")
    page.screenshot(target, {"x": left, "y": top, "width": right - left, "height": bottom - top})
    complaints = page.complaints()
    page.close()
    if complaints:
        sys.exit(f"{target.name}: {complaints}")
    squeeze(target)


def squeeze(picture):
    subprocess.run(["pngquant", "--force", "--skip-if-larger", "--speed", "1", "--strip", "--output", picture,
                    "64", picture], check=False)


def main(wanted):
    sys.path.insert(0, str(SOURCE / "tb/report"))
    from browser import Browser  # pylint: disable=import-outside-toplevel,import-error

    pictures = [one for one in described() if not wanted or one[0].removesuffix(".png") in wanted]
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        with Browser() as browser:
            for name, made, shown in pictures:
                (PICTURES / name).parent.mkdir(parents=True, exist_ok=True)
                photograph(browser, report_of(made, folder), shown, PICTURES / name)
                print(f"{name}: {(PICTURES / name).stat().st_size} bytes", flush=True)
    finally:
        shutil.rmtree(folder)
    return check()


if __name__ == "__main__":
    sys.exit(check() if sys.argv[1:] == ["--check"] else main(sys.argv[1:]))
