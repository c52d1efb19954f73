# SPDX-License-Identifier: Apache-2.0
"""Every line of docs/hw/hpm.md, section 13, has a test that carries it in its name.

test_plan.py HPM.md TEST_PROGRAM...: each program is asked for the names of its tests, and has to
have all lines. Status 1, and the lines by name, when one has not.
"""

import re
import subprocess
import sys


def lines_of(page):
    """The lines of the table, as in test names: f1_3_2, f7_16, f3_3."""
    table = page.split("\n## 13 ")[1].split("\n## ")[0]
    for row in table.splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) < 4 or not cells[1].isdigit():
            continue
        section = None
        for part in re.sub(r"\(.*?\)", "", cells[2]).split(","):
            match = re.fullmatch(r"([\d.]+)?(?:-(\d+))?(?: \.\. -(\d+))?", part.strip())
            if not match:
                sys.exit(f"{row}\n'{part.strip()}': expected a line such as 1.3-2, -3 or -7 .. -10")
            section = match[1] or section
            name = "f" + section.replace(".", "_")
            if match[2] is None:
                yield name
                continue
            for line in range(int(match[2]), int(match[3] or match[2]) + 1):
                yield f"{name}_{line}"


def names_of(program):
    """The lines that the names of a program's tests carry."""
    listed = subprocess.run(
        [program, "--gtest_list_tests"], check=True, capture_output=True, text=True
    )
    return set(re.findall(r"(?<![A-Za-z0-9])f\d+(?:_\d+)*", listed.stdout))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        wanted = list(lines_of(file.read()))
    missing = 0
    for program in sys.argv[2:]:
        found = names_of(program)
        # f1_4_4_0 is a case of f1_4_4.
        found |= {name[: name.rindex("_")] for name in found if name.count("_") > 1}
        for line in wanted:
            if line not in found:
                print(f"{program}: no test is named for {line}")
                missing += 1
    print(f"{len(wanted)} lines, {len(sys.argv) - 2} programs, {missing} missing")
    return missing != 0


if __name__ == "__main__":
    sys.exit(main())
