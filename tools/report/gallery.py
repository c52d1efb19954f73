#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pictures of pages: gallery.py [--check | --words] [FOLDER/NAME...]. Each is described where it is shown, by a
comment:

    <!-- picture FOLDER/NAME.png: run configs/x/y.yaml --set a=b | panel timeline | zoom 10 20 -->

What is made: run SCENARIO, boot SCENARIO (not for --words), sweep SWEEP, new PURPOSE (what `countersink new` writes
is run), coverage
SCENARIO (the page of `countersink coverage` after a comparison). Then what of its page is shown:
`panel ID...` (of a run), `section ID` (of the page), `zoom FROM TO` (percent, of the first panel's
plot), `lanes FROM TO` (likewise, of its lanes), `pick LABEL OPTION` (of its choosers; _ for a blank),
`top PIXELS` (of the page), `width PIXELS`, `table`.

Each picture is made twice, light and dark (docs/pictures/dark/). words.json has what can be read in it: titles,
captions, names of series, lanes and axes. --check holds titles and captions against the code of the pages, and
--words makes the pages anew, but no pictures, and holds all words against them.
"""
import json
import os
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
COMMAND = pathlib.Path(os.environ.get("COUNTERSINK", SOURCE / "build/countersink"))
GALLERY = SOURCE / "docs/uses/gallery.md"
# Scenarios for comparisons with RTL; those that boot a Linux, whose pages are docs/uses/linux_*.md; and machines
# of docs/uses/pmu_anywhere.md, where programs of others run.
WITHOUT = re.compile(r"lockstep|pmcu_die_|linux|configs/pmu/")
WORDS = PICTURES / "words.json"
MOST_BYTES = 3000000  # of all
WIDTH = 1000
DARK = PICTURES.parent / "dark"
# What can be read in parts of a page: [titles and captions, all other names].
READ = """ids => [ids.map(id => document.getElementById(id)).flatMap(part =>
        [part.querySelector('h2').textContent,
            ...[...part.querySelectorAll(':scope > .about')].map(p => p.textContent)]),
    ids.map(id => document.getElementById(id)).flatMap(part => [
        ...[...part.querySelectorAll('.chooser, h3, dt')].map(l => (l.firstChild.textContent || l.textContent).trim()),
        ...[...part.querySelectorAll('.chart')].flatMap(box => {
            const option = box.chart.plot.getOption();
            return [...option.series.map(s => s.name), ...[...option.xAxis, ...option.yAxis].flatMap(axis =>
                [axis.name, ...(axis.data || [])])];
        })].filter(word => word !== undefined && word !== '').map(String))]"""
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


def pictures_of(name, made):
    """Light and dark. The page of coverage is no report: it has no dark one."""
    return [PICTURES / name] if made.startswith("coverage ") else [PICTURES / name, DARK / name]


def check():
    bad, seen = [], set()
    words = json.loads(WORDS.read_text())
    # Texts of the code, as they are read: pieces of strings are one.
    code = "\n".join(re.sub(r'" *\+?\n\s*"', "", path.read_text()) for path in
                     sorted((SOURCE / "src/report").rglob("*.[cj]*")))
    for name, made, shown in described():
        seen.update(pictures_of(name, made))
        bad += [f"{one.relative_to(SOURCE)} is not there: tools/gallery.sh makes it" for one in pictures_of(name, made)
                if not one.is_file()]
        bad += [f"{name} says \"{text}\", which no page says now: tools/gallery.sh {name[:-4]}"
                for text in words.get(name, [["?"]])[0] if "section" not in dict(shown) and text not in code]
        if not file_of(made).is_file():
            bad.append(f"{name} is of {shlex.split(made)[1]}, which is not there")
    for page in PAGES:
        for name in re.findall(r"\]\(\.\./pictures/gallery/([^)]*)\)", page.read_text()):
            if PICTURES / name not in seen:
                bad.append(f"{page.name}: nothing says how {name} is made")
    pictures = sorted([*PICTURES.glob("*/*.png"), *DARK.glob("*/*.png")])
    bad += [f"{path.relative_to(SOURCE)} is shown nowhere" for path in pictures if path not in seen]
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


def shoot(page, targets, clip):
    """Light, and dark, if it is wanted."""
    for name, path in zip(("light", "dark"), targets):
        path.parent.mkdir(parents=True, exist_ok=True)
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        page.settle()
        page.screenshot(path, clip)
        squeeze(path)


def photograph(browser, path, shown, targets):
    """Makes pictures, and returns what can be read in them; of no target the words alone."""
    words = dict(shown)
    page = browser.open(path, width=int(words.get("width", [WIDTH])[0]))
    report = page.evaluate("window.countersink !== undefined")
    if report:
        page.show_all()
    if "top" in words:
        tall = int(words["top"][0])
        shoot(page, targets, {"x": 0, "y": 0, "width": int(words.get("width", [WIDTH])[0]), "height": tall})
        ids = page.evaluate(f"[...document.querySelectorAll('section[id]')].filter(s => s.getBoundingClientRect().top"
                            f" < {tall}).map(s => s.id)") if report else []
        read = page.evaluate(f"({READ})({ids})")
        page.close()
        return read
    ids = [f"run-0-panel-{v}" for word, values in shown if word == "panel" for v in values]
    ids += [v for word, values in shown if word == "section" for v in values]
    chart = f"countersink.charts['run-0-{words['panel'][0]}']" if "panel" in words else ""
    for word, values in shown:
        if word == "pick" and page.evaluate(f"({PICK})(document.getElementById('{ids[0]}'), {values})") < 0:
            sys.exit(f"{path.name}: {values[0]} has no choice {values[1]}")
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
    shoot(page, targets, {"x": left, "y": top, "width": right - left, "height": bottom - top})
    read = page.evaluate(f"({READ})({ids})")
    complaints = page.complaints()
    page.close()
    if complaints:
        sys.exit(f"{path.name}: {complaints}")
    return read


def squeeze(picture):
    subprocess.run(["pngquant", "--force", "--skip-if-larger", "--speed", "1", "--strip", "--output", picture,
                    "64", picture], check=False)


def main(only_words, wanted):
    sys.path.insert(0, str(SOURCE / "tb/report"))
    from browser import Browser  # pylint: disable=import-outside-toplevel,import-error

    pictures = [one for one in described() if not wanted or one[0].removesuffix(".png") in wanted]
    if only_words: # a page of coverage has none of a report; a Linux takes long
        pictures = [one for one in pictures if not one[1].startswith(("coverage ", "boot "))]
    folder = pathlib.Path(tempfile.mkdtemp())
    known = json.loads(WORDS.read_text()) if WORDS.exists() else {}
    stale = []
    try:
        with Browser() as browser:
            for name, made, shown in pictures:
                read = photograph(browser, report_of(made, folder), shown,
                                  [] if only_words else pictures_of(name, made))
                if only_words and read != known.get(name):
                    stale.append(name)
                    print(f"{name} is another picture now: was {known.get(name)} and is {read}")
                known[name] = read
                if not only_words:
                    print(f"{name}: {(PICTURES / name).stat().st_size} bytes", flush=True)
    finally:
        shutil.rmtree(folder)
        if not only_words:
            write_words(known)
    return (1 if stale else 0) if only_words else check()


def write_words(known):
    names = {name for name, _, _ in described()}
    WORDS.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(known[name], ensure_ascii=False)}"
                                        for name in sorted(known) if name in names) + "\n}\n")


if __name__ == "__main__":
    sys.exit(check() if sys.argv[1:] == ["--check"] else
             main("--words" in sys.argv, [word for word in sys.argv[1:] if word != "--words"]))
