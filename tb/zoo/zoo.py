#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`countersink zoo --all` finds each published bug, and its table is that of the page (docs/uses/zoo.md).

    zoo.py COUNTERSINK SOURCES CACHE PAGE [--write]

Other pages say how many bugs of how many projects there are, and the README how many random programs the
last one takes: that has to be true, too.
Exit status: 0 as it should be, 1 not.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

COMMAND, SOURCES, CACHE, PAGE = (pathlib.Path(a).resolve() for a in sys.argv[1:5])
BEGIN, END = "<!-- made by tb/zoo/zoo.py -->\n", "<!-- end -->\n"
CLAIMS = ("README.md", "docs/uses/zoo.md", "docs/verification.md")
RULE = re.compile(r"^##+ (.*)", re.M)


def link(thread):
    """As a link of Markdown, in few words."""
    if thread.startswith("https://"):
        return f"[{thread.split('/')[2]}]({thread})"
    project, mark, number = re.fullmatch(r"(.*/.*)([#@])(.*)", thread).groups()
    name = project.split("/")[1]
    if mark == "#":
        return f"[{name}#{number}](https://github.com/{project}/issues/{number})"
    return f"[{name}@{number[:8]}](https://github.com/{project}/commit/{number})"


def project_of(thread):
    """Mails are of Linux."""
    return "linux" if thread.startswith("https://") else re.split("[#@]", thread)[0].split("/")[1]


def number(value):
    return f"{value:,.0f}" if value == round(value) else f"{value:g}"


def by(bug):
    """What finds it, and what it took."""
    if "programs" in bug:
        return f"`compare-unit`, {bug['programs']}"
    return f"`{bug['figure']}`: {number(bug['without'])} → {number(bug['with'])}"


def row(bug):
    page = bug["page"]
    return (f"| `{bug['name']}` | {bug['says']} | {', '.join(map(link, bug['threads']))} | "
            f"[{pathlib.Path(page).stem}](../{page.removeprefix('docs/')}), {bug['rule']} | {by(bug)} |")


def table(bugs):
    return ("| bug | what is wrong | published in | rule | found by |\n|---|---|---|---|---|\n" +
            "".join(row(bug) + "\n" for bug in bugs))


def hold_rules(bugs):
    """True: the rule of each is a heading of its page, or the number of one."""
    good = True
    for bug in bugs:
        headings = RULE.findall((SOURCES / bug["page"]).read_text())
        if not any(h == bug["rule"] or h.startswith(bug["rule"] + " ") for h in headings):
            print(f"{bug['name']}: there is no '{bug['rule']}' in {bug['page']}", file=sys.stderr)
            good = False
    return good


def hold_claims(bugs):
    projects = {project_of(thread) for bug in bugs for thread in bug["threads"]}
    most = max(bug["programs"] for bug in bugs if "programs" in bug)
    claims = [(page, f"{len(bugs)} published bugs of {len(projects)} projects") for page in CLAIMS]
    claims.append(("README.md", f"within {most} random programs"))
    missing = [(page, claim) for page, claim in claims
               if claim not in " ".join((SOURCES / page).read_text().split())]
    for page, claim in missing:
        print(f"{page}: '{claim}' is not in it", file=sys.stderr)
    return not missing


def hold_page(made, write):
    text = PAGE.read_text()
    head, _, rest = text.partition(BEGIN)
    have, _, tail = rest.partition(END)
    if write:
        PAGE.write_text(head + BEGIN + "\n" + made + "\n" + END + tail)
    elif have.strip() != made.strip():
        print(f"{PAGE}: its table is another one; --write makes it", file=sys.stderr)
        return False
    return True


def main():
    result = subprocess.run([COMMAND, "zoo", "--all", "--format", "json"], capture_output=True, text=True,
                            env={**os.environ, "COUNTERSINK_CACHE": str(CACHE)})
    sys.stderr.write(result.stderr)
    if result.returncode not in (0, 1):
        return 1
    bugs = json.loads(result.stdout)
    missed = [bug["name"] for bug in bugs if not bug["found"]]
    print(f"{len(bugs)} bugs, not found: {', '.join(missed) or 'none'}")
    good = [result.returncode == 0, hold_rules(bugs), hold_page(table(bugs), "--write" in sys.argv),
            hold_claims(bugs)]
    return int(not all(good))


sys.exit(main())
