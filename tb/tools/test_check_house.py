# SPDX-License-Identifier: Apache-2.0
"""tools/check_house.py on a tiny tree: content when all is well, and each rule can fail.

usage: test_check_house.py SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()

RULES = """
lines    5 src
endings  .c .h
made     src/gen
files    3
search   include src
public   include/countersink -> src
foreign  Vdie_*.h
include  src/base -> # nothing
include  src/models/* -> src/base
include  src/formats -> src/base
include  src/formats/*/read -> src/base src/formats/*/abi
include  src/gen ->
named    1 src
unit     dma
unit     hpm hpm hart
"""

TREE = {
    "src/base/cycle.h": "typedef long cycle;\n",
    "src/models/dma/dma.c": '#include "base/cycle.h"\n#include "dma.h"\n#include <stdio.h>\n',
    "include/countersink/models/dma/public.h": "#include <countersink/base/public.h>\n",
    "include/countersink/base/public.h": "",
    "src/models/dma/dma.h": '#include "Vdie_small.h"\n',
    "src/formats/ctf/read/read.c": '#include "formats/ctf/abi/abi.h"\n',
    "src/formats/ctf/abi/abi.h": "",
    "src/formats/ctf/write/write.h": "",
    "src/formats/list.c": "struct cs_dma_hart *nest; /* DmaModule, redmax */\n",
    "src/gen/long.c": "\n" * 99,
}


class CheckHouse(unittest.TestCase):
    def check(self, changes, rules=RULES):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for name, text in {**TREE, "house.txt": rules, **changes}.items():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).write_text(text)
            subprocess.run(["git", "init", "-q", tree], check=True)
            done = subprocess.run(
                [sys.executable, SOURCE / "tools/check_house.py", "--tree", tree,
                 "--rules", tree / "house.txt"], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def fails(self, changes, *told):
        status, text = self.check(changes)
        self.assertEqual(status, 1, text)
        for words in told:
            self.assertIn(words, text)

    def test_a_tree_in_order_is_good_and_its_figures_are_told(self):
        status, text = self.check({})
        self.assertEqual(status, 0, text)
        self.assertIn("includes: 5, 0 not allowed\n", text)
        self.assertIn("lines of a source file: 3 at most (limit 5)", text)
        self.assertIn("files of a folder: 2 at most (limit 3)", text)
        self.assertIn("files that name dma outside its own: 1 (limit 1)\n", text)

    def test_an_include_against_the_rules(self):
        self.fails({"src/base/a.c": '#include "formats/ctf/abi/abi.h"\n'},
                   "1 not allowed: NOT GOOD", "src/base/a.c -> src/formats/ctf/abi/abi.h")

    def test_a_unit_includes_no_other(self):
        self.fails({"src/models/b/b.c": '#include "../dma/dma.h"\n'},
                   "src/models/b/b.c -> src/models/dma/dma.h")

    def test_a_public_header_belongs_to_the_folder_of_its_source(self):
        self.fails({"src/base/a.c": "#include <countersink/models/dma/public.h>\n"},
                   "src/base/a.c -> include/countersink/models/dma/public.h")
        self.fails({"include/countersink/base/public.h": '#include "base/cycle.h"\n'},
                   '"base/cycle.h" is not installed')
        self.fails({"src/base/a.c": "#include <countersink/base/none.h>\n"}, "is no file of the tree")

    def test_a_reader_includes_no_writer_and_no_other_formats_layout(self):
        self.fails({"src/formats/ctf/read/a.c": '#include "formats/ctf/write/write.h"\n'},
                   "src/formats/ctf/read/a.c -> src/formats/ctf/write/write.h")
        self.fails({"src/formats/imc/read/a.c": '#include "formats/ctf/abi/abi.h"\n'},
                   "src/formats/imc/read/a.c -> src/formats/ctf/abi/abi.h")

    def test_a_folder_without_a_rule_and_a_file_that_is_not_there(self):
        self.fails({"src/new/a.c": ""}, "src/new/a.c: no rule says")
        self.fails({"src/base/a.c": '#include "gone.h"\n'}, '"gone.h" is no file of the tree')

    def test_a_long_file(self):
        self.fails({"src/base/a.c": "\n" * 6}, "1 above: NOT GOOD", "6 src/base/a.c")

    def test_a_file_without_its_licence(self):
        rules = RULES + "licence .c CMakeLists.txt\nunlicensed third_party\n"
        line = "SPDX-License-Identifier: Apache-2.0"
        tree = {name: f"// {line}\n{text}" for name, text in TREE.items() if name.endswith(".c")}
        tree |= {"CMakeLists.txt": f"#!/bin/cmake -P\n# {line}\n", "third_party/a.c": "", "src/gen/long.c": ""}

        status, text = self.check(tree, rules)
        self.assertEqual(status, 0, text)
        self.assertIn("files with an SPDX line: 4 of 4\n", text)

        status, text = self.check(tree | {"CMakeLists.txt": f"\n\n# {line}\n"}, rules)
        self.assertEqual(status, 1, text)
        self.assertIn("files with an SPDX line: 3 of 4: NOT GOOD\n    SPDX line missing: CMakeLists.txt\n", text)

    def test_a_full_folder(self):
        self.fails({f"docs/{n}.md": "" for n in range(4)}, "4 docs")

    def test_a_unit_that_others_name(self):
        self.fails({"src/base/a.c": "int DMA_PINS;\n"}, "files that name dma outside its own: 2",
                   "    src/base/a.c", "    src/formats/list.c")
        self.fails({"src/base/a.c": "struct HartPins;\n"}, "files that name hpm outside its own: 2")

    def test_units_of_a_system(self):
        named = {"src/models/dma/pins.c": "int imc;\n"}
        rules = RULES + "unit imc\n"
        self.assertIn("files that name imc outside its own: 1", self.check(named, rules)[1])
        self.assertIn("files that name imc outside its own: 0",
                      self.check(named, rules + "system dma imc\n")[1])
        status, text = self.check(named, rules + "system dma gone\n")
        self.assertEqual(status, 2, text)

    def test_a_rule_that_is_none(self):
        status, text = self.check({}, RULES + "colour red\n")
        self.assertEqual(status, 2, text)
        self.assertIn("not understood: colour red", text)


unittest.main()
