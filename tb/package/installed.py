#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is installed works without the tree that it came from, and what pages show of programs outside
the tree builds against it and prints what they say.

usage: installed.py BUILD SOURCES [TEST]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCES = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
PAGE = SOURCES / "docs/yours/packages.md"
EXAMPLES = SOURCES / "docs/examples"
# Which page says what a program prints.
PAGES = {"embedding_hart": SOURCES / "docs/yours/embedding_hart.md", "platform": PAGE,
         "model_alone": SOURCES / "docs/yours/model_alone.md"}
JOBS = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "2")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        first = cls.folder / "first"
        cls.done(["cmake", "--install", BUILD, "--prefix", first], cls.folder, {})
        cls.prefix = cls.folder / "moved" # nothing of it may know where it was put first
        first.rename(cls.prefix)
        cls.environment = {
            "PATH": f"{cls.prefix}/bin:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": f"{cls.prefix}/lib/pkgconfig",
            "CMAKE_PREFIX_PATH": str(cls.prefix),
            "CMAKE_C_COMPILER_LAUNCHER": shutil.which("ccache") or "",
            "CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or "",
        }

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def done(cls, command, folder, environment):
        result = subprocess.run([str(word) for word in command], cwd=folder, text=True,
                                capture_output=True, env=dict(os.environ, **environment))
        if result.returncode != 0:
            raise AssertionError(f"{command}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def place(self, name, *programs):
        folder = self.folder / name
        folder.mkdir()
        for program in programs:
            for source in EXAMPLES.glob(f"{program}.c*"):
                shutil.copy(source, folder)
        return folder

    def prints_what_its_page_says(self, program):
        said = "".join(blocks(PAGES["embedding_hart"], "text own_firmware")
                       if program.name == "own_firmware" else blocks(PAGES[program.name], "text"))
        self.assertEqual(self.done([program], self.folder, {}), said)

    def cmake(self, name, block, programs, *settings):
        folder = self.place(name, *programs)
        (folder / "CMakeLists.txt").write_text(blocks(PAGE, "cmake")[block])
        self.done(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", *settings], folder,
                  self.environment)
        self.done(["cmake", "--build", "build", "-j", JOBS, "--target", *programs], folder,
                  self.environment)
        for program in programs:
            self.prints_what_its_page_says(folder / "build" / program)

    def test_what_is_there(self):
        """Public headers and no others, man pages, the licence; and nowhere a path of the tree."""
        include = self.prefix / "include"
        self.assertEqual(sorted(p.relative_to(include) for p in include.rglob("*.h*")),
                         sorted(p.relative_to(SOURCES / "include") for p in (SOURCES / "include").rglob("*.h*")))
        for place in ("share/doc/countersink/LICENSE", "share/man/man3/countersink_hpm.3",
                      "share/man/man3/cs_hpm_create.3", "lib/libcountersink_golden.so.0", "bin/countersink",
                      "lib/countersink/dies/dies.txt"):
            self.assertTrue((self.prefix / place).exists(), place)
        for file in self.prefix.rglob("*"):
            if file.is_file():
                self.assertNotIn(str(SOURCES).encode(), file.read_bytes(), file.relative_to(self.prefix))

    def symbols(self, *options):
        """(library, name, type) of each."""
        for library in sorted(self.prefix.glob("lib/lib*.a")) + sorted(self.prefix.glob("lib/lib*.so")):
            dynamic = ["-D"] if library.suffix == ".so" else []
            for line in self.done(["nm", "-P", "--defined-only", *dynamic, *options, library], self.folder,
                                  {}).splitlines():
                if not line.endswith(":"):
                    name, kind = line.split(" ")[:2]
                    yield library, name, kind

    def test_names_of_libraries(self):
        """Strong symbols are ours, and none is Capstone's, whose names begin so, too."""
        capstone = next(pathlib.Path("/usr/lib").glob("*/libcapstone.so*"), None)
        theirs = set() if capstone is None else set(re.findall(
            r"^(cs_\w+) T", self.done(["nm", "-P", "-D", "--defined-only", capstone], self.folder, {}), re.M))
        seen = 0
        for library, name, kind in self.symbols("--extern-only"):
            if kind in "TDBR":
                seen += 1
                self.assertRegex(name, r"^(cs_|countersink_|_Z.*(2cs|\dcs_))", library.name)
                self.assertNotIn(name, theirs, library.name)
        self.assertGreater(seen, 500)

    # What only the command uses: its children, what it clears when it ends, and the file of large lists.
    KEEPING = {"child.c.o", "claim.c.o", "ending.c.o", "spill.c.o"}

    def test_libraries_keep_nothing(self):
        """Libraries of docs/yours/rely.md, "Threads": no variable outlives a call, so no lock is needed."""
        for name in ("base", "hpm", "models", "hart", "drivers", "formats"):
            said = self.done(["objdump", "-h", self.prefix / f"lib/libcs_{name}.a"], self.folder, {})
            kept, member = set(), None
            for line in said.splitlines():
                member = line.split(":")[0] if "file format elf64-" in line else member
                section = re.match(r" *\d+ \.(data|bss)(\.(?!rel\.ro)\S*)? +([0-9a-f]+) ", line)
                if section and int(section[3], 16) != 0:
                    kept.add(member)
            self.assertLessEqual(kept, self.KEEPING if name == "base" else set(), name)

    def test_modules_alone(self):
        """Each header of a TLM-2.0 module, alone, as a user has it."""
        flags = self.done(["pkg-config", "--cflags", "countersink-tlm"], self.folder, self.environment).split()
        headers = sorted(path.relative_to(self.prefix / "include") for path in (self.prefix / "include").rglob("*.hpp"))
        self.assertGreater(len(headers), 5)
        for header in headers:
            unit = self.folder / "alone.cpp"
            unit.write_text(f"#include <{header}>\n#include <{header}>\n")
            self.done(["c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", *flags, unit],
                      self.folder, {})

    def test_versions(self):
        """What the page says of find_package, and the program that asks."""
        page = (SOURCES / "docs/yours/rely.md").read_text()
        taken, refused = re.search(r"`find_package\(countersink (\S+)\)` \| takes .*, refuses (\S+) \|", page).groups()
        for version, good in ((taken, True), (refused, False)):
            folder = self.place(f"version_{version}")
            (folder / "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.25)\nproject(mine LANGUAGES C)\nfind_package(countersink {version})\n"
                "if(NOT countersink_FOUND)\n  message(FATAL_ERROR \"refused\")\nendif()\n")
            if good:
                self.done(["cmake", "-S", ".", "-B", "build"], folder, self.environment)
                continue
            with self.assertRaisesRegex(AssertionError, "refused"):
                self.done(["cmake", "-S", ".", "-B", "build"], folder, self.environment)
        shown = re.search(r"\n    (#include <countersink/version.h>\n.*?)\n\n##", page, re.S)[1].replace("\n    ", "\n")
        lines, call = shown.rsplit("#endif\n", 1)
        (self.folder / "asks.c").write_text(f"#include <stdio.h>\n{lines}#endif\nint main(void)\n{{\n{call}\n}}\n")
        flags = self.done(["pkg-config", "--cflags", "--libs", "countersink-models"], self.folder, self.environment).split()
        self.done(["cc", "asks.c", *flags, "-o", "asks"], self.folder, {})
        version = self.done(["pkg-config", "--modversion", "countersink-models"], self.folder, self.environment).strip()
        self.assertEqual(self.done(["./asks"], self.folder, {}), f"compiled with {version}, linked with {version}\n")

    def test_find_package(self):
        self.cmake("found", 0, ["embedding_hart", "platform"])

    def test_what_needs_no_other_library(self):
        """A hart, one's own firmware, and models: no pkg-config is asked for anything."""
        folder = self.place("core", "embedding_hart", "own_firmware", "model_alone")
        (folder / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES C)
set(PKG_CONFIG_EXECUTABLE /bin/false)
find_package(countersink REQUIRED COMPONENTS hart models)
if(TARGET countersink::formats)
  message(FATAL_ERROR "formats were not asked for")
endif()
foreach(name embedding_hart own_firmware)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE countersink::hart)
endforeach()
add_executable(model_alone model_alone.c)
target_link_libraries(model_alone PRIVATE countersink::models)
""")
        self.done(["cmake", "-S", ".", "-B", "build"], folder, self.environment)
        self.done(["cmake", "--build", "build"], folder, self.environment)
        for program in ("embedding_hart", "own_firmware", "model_alone"):
            self.prints_what_its_page_says(folder / "build" / program)

    def test_link_lines_of_pages(self):
        for name in ("own_firmware", "model_alone"):
            page = PAGES.get(name, PAGES["embedding_hart"])
            line = re.search(rf"^    (cc {name}\.c .*\))$", page.read_text(), re.M)[1]
            folder = self.place("line_" + name, name)
            self.done(["sh", "-ec", line], folder, self.environment)
            self.prints_what_its_page_says((folder / "a.out").rename(folder / name))

    def test_a_subdirectory_with_a_hart_alone(self):
        """Only what a hart needs is built, and no library is looked for."""
        folder = self.place("small", "embedding_hart")
        (folder / "CMakeLists.txt").write_text(
            blocks(PAGE, "cmake")[1].replace("set(CS_TLM ON)", "set(CS_COMPONENTS hart)")
            .replace("platform.cpp", "embedding_hart.c").replace("platform", "embedding_hart")
            .replace("::tlm", "::hart"))
        self.done(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCOUNTERSINK={SOURCES}",
                   "-DPKG_CONFIG_EXECUTABLE=/bin/false"], folder, self.environment)
        self.done(["cmake", "--build", "build", "-j", JOBS], folder, self.environment)
        self.prints_what_its_page_says(folder / "build" / "embedding_hart")
        objects = list(folder.glob("build/**/*.o"))
        self.assertLess(len(objects), 90, "of more than 340 in all")

    def test_a_component_that_is_not_there(self):
        folder = self.place("missing")
        (folder / "CMakeLists.txt").write_text(
            blocks(PAGE, "cmake")[0].replace("COMPONENTS hart tlm", "COMPONENTS harts"))
        with self.assertRaisesRegex(AssertionError, "harts"):
            self.done(["cmake", "-S", ".", "-B", "build"], folder, self.environment)

    def test_a_part_of_another_tree_says_what_is_missing(self):
        told = {("tlm", "all"): r"links countersink::tlm, which needs SystemC,\s+and set\(CS_TLM ON\)",
                ("formats", "hart"): r"CS_COMPONENTS is hart",
                ("tml", "all"): r"countersink::tml, which is no library of"}
        for (library, components), message in told.items():
            folder = self.place(f"says_{library}", "platform")
            (folder / "CMakeLists.txt").write_text(
                blocks(PAGE, "cmake")[1].replace("set(CS_TLM ON)", f"set(CS_COMPONENTS {components})")
                .replace("::tlm", f"::{library}"))
            with self.assertRaisesRegex(AssertionError, message):
                self.done(["cmake", "-S", ".", "-B", "build", "-G", "Ninja",
                           f"-DCOUNTERSINK={SOURCES}"], folder, self.environment)

    def test_golden_needs_nothing(self):
        folder = self.place("golden")
        (folder / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES C)
find_package(countersink REQUIRED COMPONENTS golden)
if(TARGET countersink::models)
  message(FATAL_ERROR "models were not asked for")
endif()
add_executable(mine mine.c)
target_link_libraries(mine PRIVATE countersink::golden)
""")
        (folder / "mine.c").write_text("""#include <countersink/golden.h>
#include <stdio.h>
int main(void)
{
    printf("%d\\n", cs_golden_create("xlen=32 modes=1 counters=0x18 width=40") != NULL);
}
""")
        self.done(["cmake", "-S", ".", "-B", "build"], folder, self.environment)
        self.done(["cmake", "--build", "build"], folder, self.environment)
        self.assertEqual(self.done(["build/mine"], folder, {}), "1\n")

    def test_subdirectory(self):
        """As most build theirs: -O3 sees more, and what it sees must not be an error."""
        self.cmake("subdirectory", 1, ["platform"], f"-DCOUNTERSINK={SOURCES}",
                   "-DCMAKE_BUILD_TYPE=Release")

    def test_fetched(self):
        self.cmake("fetched", 2, ["embedding_hart"], f"-DCOUNTERSINK={SOURCES}",
                   f"-DFETCHCONTENT_SOURCE_DIR_COUNTERSINK={SOURCES}")

    def test_pkg_config(self):
        folder = self.place("pkg_config", "embedding_hart", "platform")
        for line in blocks(PAGE, "sh")[0].splitlines():
            self.done(["sh", "-ec", line], folder, self.environment)
        for program in ("embedding_hart", "platform"):
            self.prints_what_its_page_says(folder / program)

    def test_the_link_line_of_embedding_hart(self):
        line = re.search(r"^    (cc .*countersink-hart\))$", PAGES["embedding_hart"].read_text(), re.M)[1]
        folder = self.place("by_hand")
        shutil.copy(EXAMPLES / "embedding_hart.c", folder / "my.c")
        self.done(["sh", "-ec", line], folder, self.environment)
        said = "".join(blocks(PAGES["embedding_hart"], "text"))
        self.assertEqual(self.done(["./a.out"], folder, {}), said)

    def test_what_the_page_shows_stands_in_the_program(self):
        source = (EXAMPLES / "platform.cpp").read_text()
        for block in blocks(PAGE, "cpp"):
            self.assertIn("\n" + block, source)

    def test_testbenches(self):
        sys.path.insert(0, str(SOURCES / "tb/golden"))
        for way in ("vpi", "dpi"):
            self.done([sys.executable, SOURCES / "tb/golden/run.py", SOURCES, self.prefix / "lib",
                       way, self.prefix], self.folder, {})
        self.done([sys.executable, "-c", "import countersink_golden"], self.folder,
                  {"PYTHONPATH": str(self.prefix / "share/countersink/golden")})

    def test_your_rtl(self):
        """The command of docs/yours/rtl.md, with the RTL and the example as they are installed; the place has a
        name that neither make nor a shell would take."""
        page = (SOURCES / "docs/yours/rtl.md").read_text()
        line = re.search(r"^    build/(countersink compare-unit hpm --rtl src/(?:.*\\\n)+.*)$", page, re.M)[1]
        folder = self.place("rtl")
        prefix = folder / "my own;touch PWNED;"
        shutil.copytree(self.prefix, prefix, copy_function=os.link, symlinks=True)
        (folder / "mine").symlink_to(prefix)
        line = line.replace("src/rtl", "mine/share/countersink/src/rtl").replace(
            "docs/examples", "mine/share/doc/countersink/examples").replace("countersink", f"'{prefix}/bin/countersink'", 1)
        said = self.done(["sh", "-ec", line.replace("\\\n", " ") + " --programs 10 --die-cache cache"], folder, {})
        self.assertRegex(said, r"^EQUAL: 10 programs, ")
        self.assertEqual(list(folder.rglob("PWNED")), [])

    def test_the_command(self):
        shared = self.prefix / "share/countersink"
        scenario = shared / "configs/riscv/riscv_lockstep_count.yaml"
        self.done(["countersink", "run", "-o", "run", scenario], self.folder, self.environment)
        self.assertIn("EQUAL", self.done(["countersink", "compare", scenario], self.folder,
                                         self.environment))
        self.done(["man", "-l", self.prefix / "share/man/man1/countersink-run.1"], self.folder,
                  {"MANPAGER": "cat"} if shutil.which("man") else {})
        self.done(["countersink", "report", "-o", "page.html", "run"], self.folder, self.environment)
        self.assertIn("Apache License", (self.folder / "page.html").read_text())
        # Other dies are made of the installed RTL: a fault there is seen.
        rtl = next((shared / "src/rtl/hpm").glob("hpm_counter.sv"))
        whole = rtl.read_text()
        self.addCleanup(rtl.write_text, whole)
        rtl.write_text(whole + "\nthis is no SystemVerilog\n")
        with self.assertRaisesRegex(AssertionError, "moved/share/countersink/src/rtl"):
            self.done(["countersink", "compare", "--exact-die", "--die-cache", "cache", scenario],
                      self.folder, self.environment)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
