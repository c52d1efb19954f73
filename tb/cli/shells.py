#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion in the real shells, and the man pages under their checkers.

usage: shells.py COUNTERSINK SOURCE_FOLDER
"""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

COUNTERSINK = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
SCRIPTS = os.path.join(SOURCE, "src/cli/completion")
PATIENCE = 600  # seconds: what takes longer hangs, however busy the machine is

# What is typed, what must be offered, what must not.
CASES = [
    ("ru", ["run"], ["trace"]),
    ("run --ou", ["--output"], ["--set"]),
    ("trace --format ct", ["ctf"], ["perf-data"]),
    ("decode --format=js", ["json"], ["csv"]),
    ("damage --kind tr", ["truncate"], ["drop"]),
    ("run --set bus.clock_m", ["bus.clock_mhz="], ["bus.beat"]),
    ("help comp", ["compare", "compare-unit"], ["run"]),
    ("zoo minh", ["minh-through-a-window"], ["scene.yaml"]),
    ("run sc", ["scene.yaml"], ["script.txt"]),
    ("check sc", ["scene.yaml", "script.txt"], []),
]


def plain(shown):
    """Without what moves the cursor, or colours."""
    return re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x07|\r", b"", shown).decode(errors="replace")


def commands():
    with open(os.path.join(SOURCE, "src/cli/commands.def"), encoding="utf-8") as rows:
        return [name.replace("_", "-") for name in re.findall(r"^CS_COMMAND\((\w+)\)", rows.read(),
                                                              re.M)]


class Shells(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("scene.yaml", "script.txt"):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
                out.write("name: x\n")
        binaries = os.path.join(self.folder, "bin")
        os.mkdir(binaries)
        os.symlink(COUNTERSINK, os.path.join(binaries, "countersink"))
        self.environment = dict(os.environ, PATH=binaries + ":" + os.environ["PATH"],
                                HOME=self.folder, TERM="dumb", LC_ALL="C.UTF-8",
                                XDG_CONFIG_HOME=self.folder, XDG_DATA_HOME=self.folder)

    def offered(self, typed, wanted, unwanted, shown):
        for word in wanted:
            self.assertIn(word, shown, typed)
        for word in unwanted:
            self.assertNotIn(word, shown, typed)

    def need(self, shell):
        if shutil.which(shell) is None:
            self.skipTest(f"there is no {shell}")

    def ask(self, *command):
        done = subprocess.run(command, env=self.environment, cwd=self.folder, text=True,
                              capture_output=True, timeout=PATIENCE)
        return done.stdout

    def test_bash(self):
        for typed, wanted, unwanted in CASES:
            line = "countersink " + typed
            script = (f"source {SCRIPTS}/bash.bash; COMP_LINE='{line}' COMP_POINT={len(line)}"
                      f" COMP_WORDS=({line}); _countersink; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
            self.offered(typed, wanted, unwanted,
                         self.ask("bash", "--norc", "-c", script).split("\n"))

    def test_bash_by_tab(self):
        self.by_tab(["bash", "--norc", "-i"], f"source {SCRIPTS}/bash.bash",
                    ("countersink run --set bus.clock_m\t",
                     "countersink run --set bus.clock_mhz="),
                    ("77 scen\t", "countersink run --set bus.clock_mhz=77 scene.yaml "))

    def test_fish(self):
        self.need("fish")
        for typed, wanted, unwanted in CASES:
            script = f"source {SCRIPTS}/fish.fish; complete -C 'countersink {typed}'"
            shown = self.ask("fish", "--no-config", "-c", script)
            words = [line.split("\t")[0] for line in shown.split("\n")]
            words += [word.split("=")[-1] for word in words if word.startswith("--format=")]
            self.offered(typed, wanted, unwanted, words)

    def by_tab(self, shell, before, *parts):
        """What is typed into an interactive shell, up to a tab, and what it must show then."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe(shell[0], shell, self.environment)
        try:
            shown = self.say(terminal, b"", "PS1='ready> '; " + before + "; echo se''t\n", "\nset")
            for typed, wanted in parts:
                shown = self.say(terminal, shown, typed, wanted)
        finally:
            os.kill(child, signal.SIGKILL)
            os.close(terminal)
            os.waitpid(child, 0)

    def say(self, terminal, shown, typed, wanted):
        """All that was shown since, and before, once it has what is wanted."""
        end = time.monotonic() + PATIENCE
        os.write(terminal, typed.encode())
        while wanted not in plain(shown):
            self.assertTrue(select.select([terminal], [], [], max(0, end - time.monotonic()))[0],
                            f"{typed!r} does not give {wanted!r}, but {plain(shown)!r}")
            shown += os.read(terminal, 65536)
        return shown

    def test_zsh(self):
        self.need("zsh")
        with open(os.path.join(self.folder, "_countersink"), "w", encoding="utf-8") as script:
            script.write(self.ask("countersink", "completion", "zsh"))
        before = (f"fpath=({self.folder} $fpath); autoload -Uz compinit; compinit -u -D;"
                  " unsetopt zle_bracketed_paste; setopt no_beep; RPS1=; PROMPT_EOL_MARK=")
        for typed, whole in [
                ("countersink ru\t", "countersink run "),
                ("countersink run --ou\t", "countersink run --output "),
                ("countersink run --set bus.clock_m\t", "countersink run --set bus.clock_mhz="),
                ("countersink decode --format=js\t", "countersink decode --format=json "),
                ("countersink run sce\t", "countersink run scene.yaml")]:
            self.by_tab(["zsh", "-f", "-i"], before, (typed, whole))

    def test_every_command_and_option_is_completed(self):
        words = self.ask("countersink", "help", "--complete", "--", "").split("\n")
        self.assertEqual([word.split("\t")[0] for word in words if word], commands())
        for command in commands():
            shown = self.ask("countersink", "help", "--complete", "--", command, "--")
            told = self.ask("countersink", "help", command)
            for option in re.findall(r"^  +(?:-\w, )?(--[\w-]+)", told, re.M):
                self.assertIn(option + "\t", shown, command)

    def test_the_command_prints_its_scripts(self):
        for shell in ("bash", "fish", "zsh"):
            with open(os.path.join(SCRIPTS, f"{shell}.{shell}"), encoding="utf-8") as script:
                self.assertEqual(self.ask("countersink", "completion", shell), script.read())

    def test_values_of_keys(self):
        shown = self.ask("countersink", "help", "--complete", "--", "run", "--set",
                         "software.ports=")
        self.assertIn("software.ports=per_cpu\t", shown)


class ManPages(unittest.TestCase):
    def pages(self):
        for command in [None] + commands():
            words = [COUNTERSINK, "help", "--man"] + ([command] if command else [])
            yield command, subprocess.run(words, text=True, capture_output=True, check=True).stdout

    def test_groff_has_nothing_to_say(self):
        if shutil.which("groff") is None:
            self.skipTest("there is no groff")
        for command, page in self.pages():
            done = subprocess.run(["groff", "-mandoc", "-ww", "-Tutf8", "-z"], input=page, text=True,
                                  capture_output=True, check=True)
            self.assertEqual(done.stderr, "", command)

    def test_mandoc_has_nothing_to_say(self):
        if shutil.which("mandoc") is None:
            self.skipTest("there is no mandoc")
        for command, page in self.pages():
            done = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=page, text=True,
                                  capture_output=True)
            self.assertEqual(done.stdout, "", command)

    def test_they_tell_what_the_help_tells(self):
        if shutil.which("mandoc") is None:
            self.skipTest("there is no mandoc")
        for command, page in self.pages():
            if command is None:
                continue
            shown = subprocess.run(["mandoc", "-Tascii"], input=page, text=True,
                                   capture_output=True, check=True).stdout
            shown = re.sub(r".\x08", "", shown)
            told = subprocess.run([COUNTERSINK, "help", command], text=True, capture_output=True,
                                  check=True).stdout
            for option in re.findall(r"--[\w-]+", told):
                self.assertIn(option, shown, command)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
