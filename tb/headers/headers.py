#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public headers are what docs/yours/rely.md says: each can be included alone, brings in no name but ours,
and has a man page without a mistake. And the version is the same everywhere.

usage: headers.py SOURCES CC CXX [TEST]"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(sys.argv[1]).resolve()
CC, CXX = sys.argv[2:4]
INCLUDE = SOURCES / "include"
HEADERS = sorted(INCLUDE.glob("countersink/**/*.h"))
OURS = re.compile(r"^(cs|CS|countersink|COUNTERSINK)_\w+$")
sys.path.insert(0, str(SOURCES / "tools/man"))
sys.dont_write_bytecode = True
import header # noqa: E402


def text(path):
    return path.read_text(encoding="utf-8")


class Headers(unittest.TestCase):
    def test_each_alone(self):
        """All headers of a standard in one call of the compiler, each a translation unit of its own."""
        with tempfile.TemporaryDirectory() as folder:
            for compiler, standard, ending in ((CC, "c11", "c"), (CC, "c17", "c"), (CXX, "c++17", "cpp")):
                units = []
                for number, path in enumerate(HEADERS):
                    units.append(pathlib.Path(folder) / f"{number}.{ending}")
                    units[-1].write_text(f"#include <{path.relative_to(INCLUDE)}>\nextern int used;\n")
                done = subprocess.run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                       "-fsyntax-only", "-I", INCLUDE, *units], text=True, capture_output=True)
                self.assertEqual(done.stderr, "", standard)

    def test_beside_capstone(self):
        """The other library whose names begin with cs_: as a whole, before ours and after."""
        if subprocess.run([CC, "-E", "-"], input="#include <capstone/capstone.h>", text=True,
                          capture_output=True).returncode != 0:
            self.skipTest("libcapstone-dev is not installed (tools/setup.sh all)")
        ours = [f"#include <{path.relative_to(INCLUDE)}>" for path in HEADERS]
        use = ["", "cs_err last(csh handle);", "cs_err last(csh handle)", "{",
               "    const cs_mode mode = CS_MODE_64;",
               "    return mode == CS_MODE_64 ? cs_errno(handle) : CS_ERR_MODE;", "}", ""]
        for compiler, language, standard in ((CC, "c", "c17"), (CXX, "c++", "c++17")):
            for lines in (["#include <capstone/capstone.h>", *ours, *use], [*ours, "#include <capstone/capstone.h>", *use]):
                done = subprocess.run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                       "-I", INCLUDE, "-x", language, "-"], input="\n".join(lines), text=True,
                                      capture_output=True)
                self.assertEqual(done.stderr, "", standard)

    def test_a_host_without_128_bits(self):
        """One line says so, and not an error for each use."""
        done = subprocess.run([CC, "-std=c17", "-U__SIZEOF_INT128__", "-fsyntax-only", "-I", INCLUDE, "-I", SOURCES / "src",
                               SOURCES / "src/base/stream/stream_rate.c"], text=True, capture_output=True)
        self.assertEqual(re.findall("error: .*", done.stderr), ['error: #error "Countersink needs a 64-bit host: there is no __int128 (docs/yours/rely.md, Hosts)"'],
                         done.stderr)

    def test_names(self):
        for path in HEADERS:
            for group in header.parse(text(path))[1]:
                for item in group.items:
                    for name in item.names():
                        self.assertRegex(name, OURS, path)
            for guard in re.findall(r"^#ifndef (\w+)\n#define \1$", text(path), re.M):
                self.assertRegex(guard, OURS, path)

    def test_they_include_no_others(self):
        standard = {"assert", "inttypes", "stdarg", "stdbool", "stddef", "stdint", "stdio", "string"}
        for path in HEADERS:
            for included in re.findall(r'^#\s*include\s*[<"]([^>"]+)[>"]', text(path), re.M):
                self.assertTrue(included.startswith("countersink/") or included[:-2] in standard,
                                f"{path}: {included}")

    def test_man_pages(self):
        """As the build makes them; each function of a header is in its page, and has a page."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, SOURCES / "tools/man/man3.py", INCLUDE, folder], check=True)
            for page in sorted(pathlib.Path(folder).glob("countersink_*.3")):
                for tool in (["mandoc", "-Tlint", "-Wwarning"], ["groff", "-mandoc", "-ww", "-Tutf8", "-z"]):
                    if shutil.which(tool[0]) is None:
                        continue
                    done = subprocess.run([*tool, page], text=True, capture_output=True)
                    self.assertEqual(done.stdout + done.stderr, "", page.name)
            for path in HEADERS:
                for group in header.parse(text(path))[1]:
                    for item in group.items:
                        if item.kind == "function" and not item.bare.startswith("static"):
                            alias = pathlib.Path(folder) / f"{item.names()[0]}.3"
                            target = text(alias).removeprefix(".so man3/").strip()
                            if alias.name != f"countersink_{path.stem}.3":
                                self.assertIn(item.names()[0], text(pathlib.Path(folder) / target))


class Version(unittest.TestCase):
    def test_it_is_the_same_everywhere(self):
        macros = dict(re.findall(r"^#define COUNTERSINK_VERSION_(\w+) (\S+)$",
                                 text(INCLUDE / "countersink/version.h"), re.M))
        version = macros["TEXT"].strip('"')
        self.assertEqual(".".join(macros[part] for part in ("MAJOR", "MINOR", "PATCH")), version)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
