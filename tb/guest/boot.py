# SPDX-License-Identifier: Apache-2.0
"""`countersink boot`: guests. Their own perf.data agrees with the truth, faults are found, and a script that
fails is told. Without what `tools/setup.sh linux` fetches that is a failure.

To boot a guest takes much longer than what is asked of it. So a boot answers several questions: its
script is made of those in configs/linux, one after the other.

usage: boot.py COUNTERSINK SOURCE_FOLDER [TESTS..]
"""
import itertools
import json
import os
import pathlib
import re
import sqlite3
import struct
import subprocess
import tempfile
import time
import unittest

from guest_case import COMMAND, LINUX, TRACE, boot, countersink, functions, hangs, needs_guest, panels

POSTINGS = """SELECT number FROM guest_post WHERE address IN (SELECT address FROM guest_read WHERE
    event='{event}') AND cycle BETWEEN (SELECT min(cycle) FROM guest_read) AND (SELECT max(cycle)
    FROM guest_read) ORDER BY number"""


# perf compares each name in its list of a CPU's own events with all others, each time that it starts.
# None of them is asked for.
QUICK = "export PERF_CPUID=none\n"


def script(name, *changes):
    """One of those in configs/linux, with other words."""
    text = (LINUX / name).read_text()
    for was, now in changes:
        if was not in text:
            raise AssertionError(f"{name} has no {was!r}")
        text = text.replace(was, now)
    return text


class Guest(unittest.TestCase):
    """What is common to those that boot one, and look at it in several tests."""

    @classmethod
    def setUpClass(cls):
        needs_guest()
        temp = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temp.cleanup)
        cls.temp = pathlib.Path(temp.name)

    @classmethod
    def write(cls, name, text):
        (cls.temp / name).write_text(text)
        return cls.temp / name

    @classmethod
    def good(cls, name, *words, scenario=TRACE):
        done = boot(cls.temp / name, *words, scenario)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.said = done.stdout
        return cls.temp / name

    def check(self, name, file="perf.data"):
        return countersink("check", "--truth", self.temp / name, self.temp / name / file)

    def agrees(self, name, file):
        checked = self.check(name, file)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        return checked.stdout

    def postings(self, name, event):
        return [number for number, in self.query(name, POSTINGS.format(event=event))]

    def query(self, name, sql):
        with sqlite3.connect(self.temp / name / "truth.sqlite") as db:
            return db.execute(sql).fetchall()

    def same(self, files, one, two):
        """Two runs of a scenario: all of the truth but how many instructions there were, for the
        guest is ended from outside; and those files."""
        truths = []
        for name in (one, two):
            with sqlite3.connect(self.temp / name / "truth.sqlite") as db:
                truths.append([line for line in db.iterdump() if not line.startswith(
                    tuple(f'INSERT INTO "run" VALUES(\'{key}\'' for key in (
                        "instructions", "busy_cycles")))])
        # Line by line: of so long lists unittest would look for all differences, for minutes.
        for lines in itertools.zip_longest(*truths):
            self.assertEqual(*lines)
        for file in files:
            self.assertEqual((self.temp / one / file).read_bytes(),
                             (self.temp / two / file).read_bytes(), file)

    def counted(self, name, by):
        """Instructions of the program's functions, while that counted."""
        return dict(self.query(name, "SELECT name, sum(count) FROM guest_count WHERE file='work' AND "
                                     f"counted_by='{by}' GROUP BY name"))


def archive(name, data):
    """One file, as a cpio archive."""
    out = b""
    for title, mode, content in ((name, 0o100644, data), ("TRAILER!!!", 0, b"")):
        fields = (1, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(title) + 1, 0)
        out += b"070701" + "".join(f"{f:08X}" for f in fields).encode() + title.encode() + b"\0"
        out += b"\0" * (-len(out) % 4) + content
        out += b"\0" * (-len(out) % 4)
    return out


class Trace(Guest):
    """A core's counters, a profile by the core's own ones, one by trace mode, and the nest's counters."""

    # Twelve times the program: more than a round of the engine's windows, and several intervals.
    CORE = "echo 'for i in $(seq 12); do work; done' > many.sh\n" + script(
        "core_stat.sh", ("-I 500", "-I 100"), (" work >", " sh many.sh >"))
    THREADS = "--set", "imc.threads=4"
    COPIES = 20
    EVENT = "core_imc/CPM_CCYC/"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        report = script("three_functions.sh").splitlines()[-1]
        nest = script("nest_stat.sh", ("seq 40", f"seq {cls.COPIES}"))
        run = cls.write("all.sh", QUICK + cls.CORE + script("interrupts.sh") + report + "\n" + nest)
        cls.run_folder = cls.good("one", *cls.THREADS, "--set", "guest.counts=imc", "--set",
                                  f"guest.run={run}")
        cls.booted = cls.said

    def test_a_profile_is_the_truth(self):
        self.assertEqual(sorted(p.name for p in self.temp.iterdir() if p.name[0] == "."), [])
        checked = self.agrees("one", "perf.data")
        self.assertEqual(self.query("one", "SELECT count(DISTINCT process) FROM guest_taken"), [(1,)])
        self.assertIn("Disabling deep stop states", (self.run_folder / "console.txt").read_text())
        for name in ("search", "sort", "sum_up"):
            self.assertIn(name, checked)
            self.assertIn(name, (self.run_folder / "report.txt").read_text())

    def test_perf_of_this_machine_shows_the_same_functions(self):
        said = functions(self.booted, self.run_folder / "perf.data")
        own = (self.run_folder / "report.txt").read_text()
        for name in ("search", "sort", "sum_up"):
            share = re.search(rf"(\d+\.\d+%) +work +\[\.\] {name}\n", said)
            self.assertIsNotNone(share, said)
            self.assertRegex(own, rf"{re.escape(share[1])}.*\[\.\] {name}\b")
        self.assertRegex(said, r"\[kernel[.\w]*\] +\[k\] [a-z_]")
        self.assertNotRegex(said, r"\[k\] 0x")
        # Files of perf stat have no functions.
        self.assertEqual([line for line in self.booted.splitlines() if "stat.data" in line], [])

    def test_a_report(self):
        self.assertEqual(panels(self.run_folder, self.temp / "one.html"),
                         {"guest_functions", "guest_counts", "guest_samples"})
        summary = json.loads((self.run_folder / "summary.json").read_text())
        self.assertEqual(self.query("one", "SELECT count(*) FROM guest_taken"), [(summary["perf_samples"],)])
        self.assertEqual(self.query("one", "SELECT value FROM run WHERE key='instructions'"),
                         [(summary["guest_instructions"],)])

    def test_trace_mode_has_no_interrupts(self):
        lines = (self.run_folder / "interrupts.txt").read_text().splitlines()
        counts = [int(line.split("PMI:")[1].split()[0]) for line in lines]
        self.assertEqual(counts[0], 0)
        self.assertGreater(counts[1], 100)
        self.assertEqual(counts[2], counts[1])

    def test_a_core(self):
        self.agrees("one", "stat.data")
        # Each function's instructions, while the core counted.
        counted = self.counted("one", "core")
        for function, loops in (("search", 17000), ("sort", 8500)):
            self.assertEqual(counted[function], 12 * 100 * (8 * loops + 2))
        self.assertIn(self.EVENT, (self.run_folder / "stat.txt").read_text())

    def test_the_nest(self):
        self.agrees("one", "nest.data")
        self.assertIn("S0", (self.run_folder / "nest.txt").read_text())
        # An assembler's functions, as those that copy, have their names, too.
        names = dict(self.query("one", "SELECT name, sum(count) FROM guest_count WHERE counted_by="
                                       "'nest' GROUP BY name"))
        self.assertIn("copypage_power7", names)
        self.assertLess(names.get("[kernel]", 0), sum(names.values()) / 1000)
        # Each of the processes that copied 32 MiB: nothing but the nest counted then.
        self.assertEqual(self.query("one", """SELECT counted_by, count(DISTINCT process) FROM guest_count
            WHERE process IN (SELECT process FROM guest_count WHERE name='memcpy_power7' GROUP BY process
            HAVING sum(count)>5000000) GROUP BY counted_by"""), [("nest", self.COPIES)])

    def test_what_is_lost(self):
        """The first posting of a core's event, and a record."""
        lost = self.postings("one", self.EVENT)[0]
        run = self.write("lost.sh", QUICK + self.CORE + script("three_functions.sh"))
        self.good("lost", *self.THREADS, "--set", "guest.fault=lost", "--set",
                  f"guest.faulty={lost}", "--set", f"guest.run={run}")
        checked = self.check("lost", "stat.data")
        self.assertEqual(checked.returncode, 1)
        wrong = [line for line in checked.stdout.splitlines() if "DISAGREES" in line]
        self.assertTrue(any(self.EVENT[:-1] in line for line in wrong), checked.stdout)
        self.assertEqual(self.check("lost", "perf.data").returncode, 1)


class Failures(unittest.TestCase):
    """Guests that end otherwise: each needs a boot of its own."""

    def setUp(self):
        needs_guest()
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def boot(self, *words):
        return boot(self.temp / "out", *words, TRACE)

    def kept(self, done, *files):
        """There is no run folder, but what the guest has left, and the message says where."""
        self.assertFalse((self.temp / "out").exists())
        self.assertEqual([p.name for p in self.temp.glob(".*")], [])
        kept = self.temp / "out.failed-1"
        self.assertIn(f"What it has left is in {kept}", done.stderr)
        self.assertEqual((kept / "truth.sqlite").exists(), "truth.sqlite" in files)
        for file in ("console.txt", *files):
            self.assertGreater((kept / file).stat().st_size, 0, file)
        return kept

    def test_a_script_that_fails(self):
        """And a chip without a nest, which is nobody's error."""
        run = self.temp / "bad.sh"
        run.write_text("cd /sys/bus/event_source/devices\necho first > /x\nput x.txt < /x\n"
                       "echo this is the end: *_imc\nexit 7\n")
        done = self.boot("--set", f"guest.run={run}", "--set", "nest.present=false")
        self.assertEqual(done.returncode, 3)
        self.assertIn("its script ended with status 7", done.stderr)
        self.assertIn("this is the end: core_imc thread_imc trace_imc", done.stderr)
        kept = self.kept(done, "x.txt", "truth.sqlite")
        self.assertEqual((kept / "x.txt").read_text(), "first\n")
        self.assertIn("this is the end", (kept / "console.txt").read_text())

    def test_a_guest_that_panics(self):
        run = self.temp / "bad.sh"
        run.write_text("echo c > /proc/sysrq-trigger\n")
        done = self.boot("--set", f"guest.run={run}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("ended before its script did: Kernel panic - not syncing: sysrq triggered "
                      "crash. The last lines of its console:", done.stderr)
        self.kept(done, "truth.sqlite")

    def test_a_kernel_that_does_not_boot(self):
        cache = os.environ.get("CS_LINUX", pathlib.Path.home() / ".cache/countersink/linux")
        kernel = bytearray(next(pathlib.Path(cache).glob("power/boot/vmlinux-*")).read_bytes())
        code, = struct.unpack_from("<Q", kernel, struct.unpack_from("<Q", kernel, 32)[0] + 8)
        kernel[code:code + 0x10000] = bytes(0x10000)
        (self.temp / "no_code.elf").write_bytes(kernel)
        done = self.boot("--set", f"guest.kernel={self.temp / 'no_code.elf'}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("ended before its script did: Fatal TRAP at ", done.stderr)
        self.assertIn(".load_and_boot_kernel", done.stderr)
        self.kept(done, "truth.sqlite")

    def test_a_guest_that_does_not_end(self):
        script = self.temp / "endless.sh"
        script.write_text("while :; do :; done\n")
        limit, done = hangs(lambda *words: self.boot("--set", f"guest.run={script}", *words))
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"has not ended within {limit} s (guest.limit_s)", done.stderr)
        self.kept(done, "truth.sqlite")


class Counters(Guest):
    """Counters of a task, and what the driver refuses: in a guest with a shell."""

    ROUNDS = 50  # of 2.04 million instructions

    SIDE_BY_SIDE = """killall yes
perf stat record -e thread_imc/CPM_CS_INST_USER/ -o one.data work > /dev/null 2>&1 &
perf stat record -e thread_imc/CPM_CS_INST_USER/ -o two.data sh -c 'work; work' > /dev/null 2>&1 &
wait
put two.data < two.data
put one.data < one.data
"""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.temp / "own.cpio").write_bytes(archive("own.txt", b"mine"))
        run = cls.write("all.sh", QUICK + script("task_stat.sh") + cls.SIDE_BY_SIDE + script("rules.sh"))
        process = subprocess.Popen(
            [COMMAND, "boot", "--shell", "--set", f"guest.initrd={cls.temp / 'own.cpio'}", "--set",
             f"guest.run={run}", "--set", f"guest.program.rounds={cls.ROUNDS}", "--set",
             "guest.counts=trace", "-o", cls.temp / "out", LINUX / "linux_power9_thread.yaml"],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = cls.hear(process, "To end: exit")
        process.stdin.write("sh /run.sh; echo its status is $?\n")
        process.stdin.flush()
        said += cls.hear(process, "its status is [0-9]")
        more, wrong = process.communicate("put out.txt < /own.txt\nexit\n")
        if process.returncode != 0 or "its status is 0" not in said:
            raise AssertionError(said + more + wrong)

    @staticmethod
    def hear(process, pattern):
        """What is on the console, until a line has that."""
        said = ""
        for line in process.stdout:
            said += line
            if re.search(pattern, line):
                break
        return said

    def test_a_shell_with_ones_own_archive(self):
        self.assertEqual((self.temp / "out/out.txt").read_text(), "mine")
        self.assertIn("To end: exit", (self.temp / "out/console.txt").read_text())

    def test_a_task(self):
        for file in ("alone.data", "beside.data"):
            self.agrees("out", file)
        # What is in windows is an estimate.
        told = dict(self.query("out", "SELECT file, count*scale FROM guest_told WHERE event="
                                      "'thread_imc/CPM_CS_INST_USER/' AND file IN "
                                      "('alone.data', 'beside.data')"))
        for count in told.values():
            self.assertAlmostEqual(count / (self.ROUNDS * 2.04e6), 1, delta=0.1)
        self.assertEqual(len(told), 2)

    def test_two_tasks_side_by_side(self):
        self.agrees("out", "one.data")
        self.agrees("out", "two.data")
        counts = [count for count, in self.query(
            "out", "SELECT count*scale FROM guest_told WHERE event='thread_imc/CPM_CS_INST_USER/' AND "
                   "file='two.data' AND cycle IS NULL ORDER BY count")]
        self.assertEqual(len(counts), 2)  # both had ended when the first was put out
        self.assertAlmostEqual(counts[0] / (self.ROUNDS * 2.04e6), 1, delta=0.1)
        self.assertAlmostEqual(counts[1] / counts[0], 2, delta=0.2)

    def test_what_the_driver_refuses(self):
        rules = (self.temp / "out/rules.txt").read_text()
        self.assertIn("refused: trace beside core: The sys_perf_event_open() syscall returned with "
                      "16 (Device or resource busy)", rules)
        self.assertIn("refused: core beside thread", rules)
        self.assertIn("refused: trace without privilege", rules)


class Cpus(Guest):
    ROUNDS = 25

    def test_two_cores_of_two_threads(self):
        # Twice side by side, so that each of them has a machine that has more to do. A QEMU whose CPUs
        # take turns executes them in one thread.
        run = self.write("many.sh", QUICK + script("many_stat.sh"))
        both = [subprocess.Popen([COMMAND, "boot", "-o", self.temp / name, "--set", f"guest.run={run}",
                                  "--set", f"guest.program.rounds={self.ROUNDS}",
                                  LINUX / "linux_power9_smt.yaml"], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for name in ("smt", "again")]
        said = [process.communicate()[1] for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0], said)
        self.same(("core.data", "task.data", "perf.data", "report.txt"), "smt", "again")
        for file in ("core.data", "task.data", "perf.data"):
            self.agrees("smt", file)
        samples = [line for line in self.agrees("smt", "perf.data").splitlines()
                   if line.startswith("samples")]
        self.assertEqual(len(samples), 4)
        # The same program on each CPU: a round of its three functions, and where it begins and ends.
        want = self.ROUNDS * (8 * (17000 + 8500 + 4250) + 3 * 2)
        for by, cpus in (("core", range(4)), ("thread", [3]), ("trace", range(4))):
            counts = self.query("smt", "SELECT cpu, sum(count) FROM guest_count WHERE name IN "
                                       f"('search','sort','sum_up') AND counted_by='{by}' GROUP BY cpu")
            self.assertEqual(counts, [(cpu, want) for cpu in cpus])


PROFILES = """
record="perf record -q --sample-cpu -e trace_imc/trace_cycles/"
echo 'for cpu in 0 1 2 3; do taskset -c $cpu work & done; wait' > each.sh
stat_core() { perf stat record -C 0 -e core_imc/CPM_INST/ -o $1 taskset -c 0 work; put $1 < $1; }
stat_core before.data
# Side by side, each of a program on the same CPU.
$record -c 1 -o one.data taskset -c 0 work & one=$!
$record -c 1 -o other.data taskset -c 0 work & other=$!
wait $one; wait $other
# One after the other: what perf does by itself, and each record.
$record -a -o default.data sh each.sh
$record -a -c 1 -o all.data sh each.sh
perf record -q -e cycles -c 100000 -o cycles.data taskset -c 1 work
stat_core after.data
perf stat record -e thread_imc/CPM_CS_INST_USER/ -o thread.data taskset -c 0 work
put thread.data < thread.data
stat_core again.data
cat > off.sh <<'END'
cd /sys/devices/system/cpu
for cpu in 0 1 2 3; do taskset -c $cpu work & done
sleep $1
echo 0 > cpu2/online
sleep $1
echo 0 > cpu3/online
sleep $1
echo 1 > cpu2/online
echo 1 > cpu3/online
wait
END
$record -a -c 1 -o off.data sh off.sh 0.005
perf stat record -a -A -e core_imc/CPM_INST/,nest_powerbus0_imc/PM_PB_CYC/ -I 20 -o rounds.data \\
    sh off.sh 0.05
put rounds.data < rounds.data
for file in one other default all cycles off; do put $file.data < $file.data; done
"""


class Profiles(Guest):
    """Several profiles and counts of one guest, with CPUs that go off in between: each file is that of
    its own events."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run = cls.write("profiles.sh", QUICK + PROFILES)
        done = boot(cls.temp / "out", "--set", f"guest.run={run}", "--set", "guest.program.rounds=25", "--set",
                    "guest.counts=imc", LINUX / "linux_power9_smt.yaml")
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.warned = done.stderr

    def test_each_profile_is_of_its_own_events(self):
        for file in ("one", "other", "all", "off"):
            checked = self.agrees("out", f"{file}.data")
            self.assertIn("samples", checked)
        self.assertEqual(len([line for line in self.agrees("out", "all.data").splitlines()
                              if line.startswith("samples")]), 4)

    def test_a_profile_that_has_lost_most_is_no_fault(self):
        checked = self.agrees("out", "default.data")
        self.assertIn("records were lost", checked)

    def test_a_profile_by_interrupts_is_not_compared(self):
        self.assertEqual(self.check("out", "cycles.data").returncode, 4)

    def test_trace_mode_that_was_left_on(self):
        self.agrees("out", "before.data")
        checked = self.check("out", "after.data")
        self.assertEqual(checked.returncode, 1, checked.stdout)
        self.assertRegex(checked.stdout, "truth of counts +core_imc/CPM_INST .* more than 0 +DISAGREES")
        self.assertIn("perf has left their CPUs in trace mode", self.warned)
        # Until an event of thread_imc writes LDBAR anew.
        self.agrees("out", "thread.data")
        self.agrees("out", "again.data")

    def test_rounds_of_a_core_that_is_off(self):
        rounds = [line for line in self.check("out", "rounds.data").stdout.splitlines()
                  if line.startswith("counts")]
        self.assertEqual(len(rounds), 3, rounds)
        for line in rounds:
            self.assertIn("agrees", line)
        self.assertTrue(any("without a CPU" in line for line in rounds), rounds)


class Costs(Guest):
    def test_a_profile_of_cycles(self):
        run = self.good("costs", "--set", f"guest.run={self.write('costs.sh', QUICK + script('costs.sh'))}",
                        scenario=LINUX / "linux_power9_costs.yaml")
        checked = self.agrees("costs", "perf.data")
        # 100 rounds of 6000 loops of 8 instructions, the last a branch; another, and a branch.
        want = {name: (100 * (6000 * 8 + 2), 100 * (6000 * (7 + more + 2) + 1 + 2))
                for name, more in (("compute", 0), ("fill", 4 * 1), ("look_up", 4 * 3))}
        counts = self.query("costs", "SELECT name, sum(count), sum(cycles) FROM guest_count WHERE "
                                     "file='work' AND name<>'_start' GROUP BY name ORDER BY name")
        self.assertEqual({name: (count, cycles) for name, count, cycles in counts}, want)
        for name, (count, cycles) in want.items():
            self.assertIn(f"{cycles} cycles, {count} instructions", checked)
            self.assertIn(name, (run / "report.txt").read_text())
        # The guest's own clock goes by cycles, too.
        milliseconds = next(float(line.split()[0]) for line in (run / "time.txt").read_text(
            ).splitlines() if "task-clock" in line)
        took = sum(cycles for _, cycles in want.values()) / 1e6
        self.assertGreater(milliseconds, took)
        self.assertLess(milliseconds, took + 3)


class Programs(Guest):
    def test_all_that_runs(self):
        record, _, _ = script("programs.sh").partition("perf report")
        run = self.write("programs.sh", QUICK + record)
        self.good("all", "--set", "guest.counts=all", "--set", f"guest.run={run}",
                  scenario=LINUX / "linux_power9_programs.yaml")
        checked = self.agrees("all", "perf.data")
        self.assertIn("busybox", checked)
        counts = self.counted("all", "trace")
        # 8 instructions a loop, and 2; 50 rounds.
        self.assertEqual(counts["search"], 50 * (8 * 17000 + 2))
        self.assertEqual(counts["sort"], 50 * (8 * 8500 + 2))
        # Processes as the guest names them, each with its files.
        names = {name for name, in self.query("all", "SELECT name FROM guest_process")}
        self.assertTrue({"init", "perf", "work", "kthreadd"} <= names, names)
        files = {file for file, in self.query(
            "all", "SELECT DISTINCT m.file FROM guest_mapping m JOIN guest_process p USING(process) "
                   "WHERE p.name='perf'")}
        self.assertTrue({"perf", "libc.so.6"} <= files, files)
        # What is no file's: the kernel's own page for programs.
        (nobody, everybody), = self.query("all", "SELECT sum(count*(file='[user]')), sum(count) FROM "
                                                 "guest_count WHERE counted_by='trace'")
        self.assertLess(nobody, everybody / 1000)
        # With guest.counts all there is, from the firmware on.
        (instructions,), = self.query("all", "SELECT value FROM run WHERE key='instructions'")
        self.assertEqual(self.query("all", "SELECT sum(count) FROM guest_count"), [(instructions,)])
        by = {by for by, in self.query("all", "SELECT DISTINCT counted_by FROM guest_count")}
        self.assertLessEqual({"none", "trace"}, by)


# Units of a catalog that the firmware looks for in ways of its own (docs/drivers/imc_catalog.md).
MORE_UNITS = """
	{node} {{
		compatible = "ibm,imc-counters";
		events-prefix = "PM_{name}_";
		scale = "256";
		reg = <0x{at:x} 8>;
		events = <&NEST_NVLINK>;
		type = <0x10>;
		size = <0x40000>;
		offset = <0x180000>;
		cb_offset = <0x3fc00>;
	}};
"""
MORE_NODES = ("mcs0", "mcs1@1000", "mcs2@1008", "mcs45@1010", "mcs67", "centaur3@1018", "centaur4@1020",
              "mcd0@1028", "nx@1030", "int@1038", "vas@1040", "capp1@1048", "pau0@1050", "nvlink5@1058")


class Links(Guest):
    def scenario(self):
        """The one that is shown, with more units, and with a profile behind what it does."""
        text = (LINUX / "power9_links.dts").read_text()
        more = "".join(MORE_UNITS.format(node=node, name=node.split("@")[0].upper(), at=0x1000 + 8 * i)
                       for i, node in enumerate(MORE_NODES))
        (self.temp / "more.dts").write_text(text[:text.rindex("};")] + more + "};\n")
        self.write("links.sh", QUICK + script("links_stat.sh") + script("three_functions.sh"))
        text = (LINUX / "linux_power9_links.yaml").read_text()
        for was, now in (("power9_links.dts", self.temp / "more.dts"),
                         ("links_stat.sh", f"{self.temp / 'links.sh'}\n  program: {{rounds: 150, functions: "
                                           "[{name: search, loops: 25000}]}"),
                         ("0xC040005100040000", f"0x{self.UNITS:X}")):
            self.assertIn(was, text)
            text = text.replace(f" {was}", f" {now}")
        (self.temp / "links.yaml").write_text(text)
        return self.temp / "links.yaml"

    # As shown, and mcs1, centaur3, nx, vas.
    UNITS = 0xC040005100040000 | 1 << 61 | 1 << 43 | 1 << 27 | 1 << 24

    def known(self):
        """What the kernel must know, by the rules of its firmware."""
        tree = self.temp / "tree.dtb"
        for words in (("--catalog", self.temp / "more.dts", "--device-tree", tree, "--availability",
                       str(self.UNITS)), ("--catalog", tree, "--format", "csv")):
            done = countersink("list", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split(",")[:5] for line in done.stdout.splitlines()[1:]]
        return sorted(f"{pmu},{event},event={value},{scale},{unit}"
                      for pmu, event, value, scale, unit in rows)

    def test_a_chip_of_other_units(self):
        scenario = self.scenario()
        self.good("links", scenario=scenario)
        run = self.temp / "links"
        events = sorted((run / "catalog.txt").read_text().splitlines())
        self.assertEqual(events, self.known())
        self.assertEqual({e.split(",")[0] for e in events},
                         {f"nest_{u}_imc" for u in (
                             "powerbus0", "mcs01", "mba0", "xlink0", "xlink2", "phb1", "nvlink0",
                             "mcs1", "mcs45", "centaur3", "nx", "vas", "pau0")} |
                         {"core_imc", "trace_imc"})

        # What the segments say of 1 s: 0.25 a cycle for 300 ms, 0.01 for 200 ms, twice.
        self.agrees("links", "links.data")
        self.agrees("links", "perf.data")
        told = {(event, number): (count, counted) for event, number, count, counted in self.query(
            "links", "SELECT event, round, count*scale, counted FROM guest_told WHERE "
                     "file='links.data'")}
        for event, counted in (("nest_xlink0_imc/PM_XLINK0_OUT_ODD_DATA/", 154e6),
                               ("nest_phb1_imc/PM_PHB1_DMA_RD/", 600e3)):
            self.assertAlmostEqual(told[event, 10][1] / counted, 1, delta=0.02)
            # perf's first interval has the rest of a pause; a posting comes each 2 ms, or 12 ms.
            count, truly = (told[event, 10][i] - told[event, 1][i] for i in (0, 1))
            self.assertAlmostEqual(count / truly, 1, delta=0.04)
        # Not in a segment: the guest's own loads.
        self.assertGreater(told["nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/", 10][1], 100000)

        # The same again but for a record and a posting.
        wrong = next(n for n in self.postings("links", "nest_phb1_imc/PM_PHB1_DMA_RD/") if n >= 3000)
        self.good("high", "--set", "guest.fault=address", "--set", f"guest.faulty={wrong}",
                  scenario=scenario)
        self.assertEqual(self.check("high", "links.data").returncode, 1)
        self.assertEqual(self.check("high", "perf.data").returncode, 1)
        self.same(("catalog.txt",), "links", "high")
        one, two = ((self.temp / name / "perf.data").read_bytes() for name in ("links", "high"))
        self.assertEqual(len(one), len(two))
        differ = [i for i in range(len(one)) if one[i] != two[i]]
        self.assertIn(len(differ), (1, 2), differ)


if __name__ == "__main__":
    unittest.main()
