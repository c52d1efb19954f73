# SPDX-License-Identifier: Apache-2.0
"""`countersink boot` of RISC-V: what stock perf counts and samples there agrees with the truth, to the
instruction. Without what `tools/setup.sh linux-riscv` fetches that is a failure.

A boot answers several questions, as in boot.py.

usage: boot_riscv.py COUNTERSINK SOURCE_FOLDER BUSY_THREADS [TESTS..]
"""
import contextlib
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from guest_case import RISCV, boot, countersink, functions, hangs, panels

BUSY_THREADS = sys.argv.pop(1)
CACHES = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
CACHE = pathlib.Path(os.environ.get("CS_LINUX_RISCV") or pathlib.Path(CACHES) / "countersink/linux-riscv")
FIRMWARE = "usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin"
SAMPLE = RISCV / "linux_riscv_sample.yaml"
STAT = RISCV / "linux_riscv_stat.yaml"
ROUNDS, LOOP = 100, 8
FUNCTIONS = {"search": 17000, "sort": 8500, "sum_up": 4250}
# By twos at one time, one after the other, and of all modes; counts of all kinds.
SCRIPT = """
perf record -q -c 10007 -e instructions:u -o one.data work || exit 1
put one.data < one.data
perf record -q -c 20011 -e instructions:u -e branches:u -o two.data work || exit 1
put two.data < two.data
perf record -q -F 2000 -e cycles -o all.data work || exit 1
put all.data < all.data
perf stat record -o stat.data -e instructions:u,cycles:u,branches:u,r20:u,r21:u,instructions work || exit 1
put stat.data < stat.data
perf stat record -o branches.data -e r2a:u,r2b:u,r22:u,r13:u,r2c:u,r2c,r2d,r2e:k work || exit 1
put branches.data < branches.data
perf record -q -c 1009 -e r2a:u -o taken.data work || exit 1
put taken.data < taken.data
"""


# Of all harts; of a task, with and without the harts of samples; more events than counters.
HARTS_SCRIPT = """
perf record -q -a -c 20011 -e instructions -o wide.data sh -c 'work & work & wait' || exit 1
put wide.data < wide.data
perf record -q --sample-cpu -c 10007 -e instructions:u -o cpu.data work || exit 1
put cpu.data < cpu.data
perf record -q -c 10007 -e instructions:u -o one.data work || exit 1
put one.data < one.data
perf stat record -o turns.data -e instructions:u,cycles:u,branches:u,r20:u,r21:u,r22:u,r23:u work || exit 1
put turns.data < turns.data
perf stat record -a -o wide_stat.data -e instructions:u,cycles work || exit 1
put wide_stat.data < wide_stat.data
"""
RELEASES_SCRIPT = """
uname -r | put release.txt
perf record -q -c 10007 -e instructions:u -o one.data work || exit 1
put one.data < one.data
perf record -q -c 20011 -e instructions -e branches -o all.data work || exit 1
put all.data < all.data
perf stat record -o stat.data -e instructions:u,cycles:k,branches:u,r20:u,r21:u,instructions work || exit 1
put stat.data < stat.data
"""


# Harts that count, wait for timers and for each other, and count again.
THREADS_SCRIPT = """
perf record -q -a -c 20011 -e instructions -e branches -o wide.data sh -c '
    work & for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.01; sleep 0.003; done; wait' || exit 1
put wide.data < wide.data
perf stat -x, -I 5 -o every.csv -e instructions:u,instructions,r20:u sleep 0.1 || exit 1
put every.csv < every.csv
dmesg | put dmesg.txt
"""

# On the other hart, for some seconds of the guest; perf top ends by itself when nobody types.
TOP_SCRIPT = """
work &
sleep 3 | timeout -s INT 3 perf top --stdio -d 1 -e instructions:u -c 1000003 > top.txt 2>&1
kill %1
put top.txt < top.txt
"""


class Boot(unittest.TestCase):
    @classmethod
    def temporary(cls):
        temp = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temp.cleanup)
        cls.temp = pathlib.Path(temp.name)

    @classmethod
    def scenario(cls, script):
        (cls.temp / "run.sh").write_text(script)
        text = SAMPLE.read_text().replace("run: riscv_sample.sh", "run: run.sh")
        text = text.replace("loops: 17000}", "loops: 17000, loads: 3, stores: 1}")
        (cls.temp / "scenario.yaml").write_text(text)
        return cls.temp / "scenario.yaml"

    @classmethod
    def boot(cls, name, scenario, *words, **environment):
        done = boot(cls.temp / name, *words, scenario, **environment)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.run_folder = cls.temp / name
        return done.stdout

    def query(self, sql):
        with sqlite3.connect(self.run_folder / "truth.sqlite") as db:
            return db.execute(sql).fetchall()

    def check(self, file, status=0):
        checked = countersink("check", "--truth", self.run_folder, self.run_folder / file)
        self.assertEqual(checked.returncode, status, checked.stdout + checked.stderr)
        return checked.stdout


class Harts(Boot):
    @classmethod
    def setUpClass(cls):
        cls.temporary()
        scenario = cls.scenario(HARTS_SCRIPT)
        for name in ("one", "two"):
            cls.boot(name, scenario, "--set", "harts.count=4", "--set", "harts.counters=3")

    def test_samples_of_all_harts_are_exact(self):
        said = self.check("wide.data")
        self.assertRegex(said, r"overflows +instructions ")
        self.assertRegex(said, r"skid +instructions +0 +0 +0 ")
        self.assertGreaterEqual(self.query("SELECT count(DISTINCT cpu) FROM guest_overflow")[0][0], 3)

    def test_samples_of_a_task_are_exact(self):
        for file in ("cpu.data", "one.data"):
            said = self.check(file)
            self.assertRegex(said, r"overflows +instructions:u +2378 +2378 +0 ")

    def test_counts_in_turns_are_exact(self):
        said = self.check("turns.data")
        self.assertEqual(said.count("exact, of turns"), 7, said)
        self.check("wide_stat.data")

    def test_two_runs_give_the_same_bytes(self):
        for file in ("wide.data", "cpu.data", "one.data", "turns.data", "wide_stat.data"):
            one, two = ((self.temp / name / file).read_bytes() for name in ("one", "two"))
            self.assertEqual(one, two, file)


class Faults(Boot):
    @classmethod
    def setUpClass(cls):
        cls.temporary()

    def faulty(self, scenario, fault, number, file):
        self.boot(fault, scenario, "--set", f"guest.fault={fault}", "--set", f"guest.faulty={number}")
        return self.check(file, status=1)

    def test_a_late_overflow_is_found(self):
        said = self.faulty(SAMPLE, "late", 500, "perf.data")
        self.assertRegex(said, r"skid +instructions:u +0 +1 +1 .*DISAGREES +overflow 500, in \w+, is 1 late")
        self.assertEqual(said.count("DISAGREES"), 1, said)

    def test_a_lost_interrupt_is_found(self):
        said = self.faulty(SAMPLE, "lost", 500, "perf.data")
        self.assertRegex(said, r"overflows +instructions:u .*DISAGREES +overflow 500, in \w+, has no sample")

    def test_a_counter_that_is_off_by_one_is_found(self):
        said = self.faulty(STAT, "count", 1, "stat.data")
        self.assertEqual(said.count("DISAGREES"), 1, said)
        wrong, = (line.split() for line in said.splitlines() if "DISAGREES" in line)
        self.assertEqual(int(wrong[3]) - int(wrong[2]), 1, said)


class Releases(Boot):
    """Other releases of OpenSBI and of Linux: the same counts of user space, to the instruction."""

    @classmethod
    def setUpClass(cls):
        cls.temporary()

    def of_sid(self, folder, file):
        """What is fetched of sid, where the mirror still has it."""
        found = list((CACHE / folder).glob(file))
        if not found:
            self.skipTest(f"{CACHE}/{folder}: sid has moved on; tools/linux/lock.py finds its newest")
        return found[0]

    def good(self, name, *words):
        self.boot(name, self.scenario(RELEASES_SCRIPT), *words)
        self.assertRegex(self.check("one.data"), r"overflows +instructions:u +2378 +2378 +0 ")
        self.check("all.data")
        self.check("stat.data")
        return (self.run_folder / "console.txt").read_text(errors="replace")

    def test_opensbi_1_1(self):
        firmware = CACHE / "opensbi-1.1" / FIRMWARE
        self.assertIn("OpenSBI v1.1\n", self.good("old", "--set", f"guest.firmware={firmware}"))

    def test_opensbi_1_9(self):
        firmware = self.of_sid("opensbi-1.9", FIRMWARE)
        self.assertIn("OpenSBI v1.9\n", self.good("new", "--set", f"guest.firmware={firmware}"))

    def test_linux_7_2(self):
        kernel = self.of_sid("kernel-7.2", "usr/lib/modules/*/vmlinuz")
        self.good("linux", "--set", f"guest.kernel={kernel}", "--set", "harts.count=2")
        self.assertIn("7.2", (self.run_folder / "release.txt").read_text())


class Threads(Boot):
    """When QEMU's threads run is the host's choice, and changes no byte."""

    @classmethod
    def setUpClass(cls):
        cls.temporary()
        text = cls.scenario(THREADS_SCRIPT).read_text().replace("rounds: 100", "rounds: 10")
        (cls.temp / "scenario.yaml").write_text(text)

    def files(self, name, *words, **environment):
        self.boot(name, self.temp / "scenario.yaml", *words, **environment)
        return {str(path.relative_to(self.run_folder)): path.read_bytes()
                for path in self.run_folder.rglob("*") if path.is_file()}

    @contextlib.contextmanager
    def others(self):
        """Programs that run beside a busy guest."""
        yield

    def compare(self, harts, firmware):
        words = ("--set", f"harts.count={harts}", "--set", f"guest.firmware={firmware}")
        name = f"{harts}-{firmware.parts[-7]}"
        quiet = self.files(f"quiet-{name}", *words)
        with self.others():
            busy = self.files(f"busy-{name}", *words, LD_PRELOAD=BUSY_THREADS)
        self.assertIn("truth.sqlite", busy)
        self.assertEqual([file for file in sorted(quiet.keys() | busy.keys()) if quiet.get(file) != busy.get(file)],
                         [])

    def test_one_hart(self):
        self.compare(1, CACHE / "qemu" / FIRMWARE)


class Load(Threads):
    """The same with each firmware, with several harts, and on processors that others use."""

    @contextlib.contextmanager
    def others(self):
        processes = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * os.cpu_count())]
        try:
            yield
        finally:
            for process in processes:
                process.kill()
                process.wait()

    def test_one_hart(self):
        for firmware in sorted(CACHE.glob(f"*/{FIRMWARE}")):  # sid's, where the mirror still has it
            with self.subTest(firmware=firmware):
                self.compare(1, firmware)

    def test_four_harts(self):
        for firmware in sorted(CACHE.glob(f"*/{FIRMWARE}")):
            with self.subTest(firmware=firmware):
                self.compare(4, firmware)


class Scenarios(Boot):
    """Scenarios of configs/linux_riscv of one hart: all that their perf counted and sampled is explained."""

    FILES = {"text": ("stat.csv", "stat.json", "every.csv", "every.json"),
             "groups": ("groups.data", "groups.csv", "turns.data"),
             "turns": ("turns.data", "turns.csv"),
             "frequency": ("user.data", "all.data"),
             "chains": ("chains.data",),
             "caches": ("stat.csv", "stat.data", "misses.data", "tlbs.data"),
             "attach": ("attach.csv", "attach.data")}

    @classmethod
    def setUpClass(cls):
        cls.temporary()

    def of(self, name):
        self.boot(name, RISCV / f"linux_riscv_{name}.yaml")
        return {file: self.check(file) for file in self.FILES[name]}

    def test_text(self):
        said = self.of("text")
        loads = ROUNDS * (3 * 17000 + 2 * 8500)
        for file in ("stat.csv", "stat.json"):
            self.assertRegex(said[file], rf"counts +r20:u +{loads} +{loads} +0 +exact +agrees")
        for file in ("every.csv", "every.json"):
            self.assertRegex(said[file], rf"counts +r20:u +{loads} +{loads} +0 +exact, [3-9] rounds +agrees")
        for file, text in said.items():
            self.assertEqual(text.count("agrees"), 7, file)
        self.spoil("stat.csv", 1, "counts +r20:u ")

    def spoil(self, file, digit, what):
        """A digit of a count of loads is another one: check finds it."""
        data = bytearray((self.run_folder / file).read_bytes())
        at = data.find(b",,r20:u,") - digit
        data[at] = ord("0") + (data[at] - ord("0") + 1) % 10
        (self.run_folder / file).write_bytes(data)
        said = self.check(file, status=1)
        self.assertRegex(said, f"{what}.*DISAGREES")
        self.assertEqual(said.count("DISAGREES"), 1, said)

    def test_groups(self):
        self.assertIn("exact, of turns", self.of("groups")["turns.data"])

    def test_turns(self):
        said = self.of("turns")
        self.assertIn("exact, of turns", said["turns.data"])
        self.assertIn("as its percentage", said["turns.csv"])
        # The percentage has no more than two digits; that all have one enabled time has seven.
        self.spoil("turns.csv", 2, "scaled +8 counts ")

    def test_frequency(self):
        self.of("frequency")

    def test_chains(self):
        self.of("chains")

    def test_caches(self):
        said = self.of("caches")
        rounds = 20
        loads = rounds * (4096 + 16384 + 3 * 4096)
        self.assertRegex(said["stat.csv"], rf"counts +L1-dcache-loads +{loads} +{loads} +0 +exact +agrees")
        self.assertEqual(said["stat.csv"].count("agrees"), 7, said["stat.csv"])
        self.assertRegex(said["misses.data"], r"skid +cache-misses:u +0 +0 +0 ")
        for function in ("scan", "stroll"):
            self.assertRegex(said["misses.data"], rf"share +{function} .* 4 sigma +agrees")
        # Of each line that a function reads there is a miss, but for what the kernel brings in or drives out.
        missed = dict(self.query("SELECT name, sum(count) FROM guest_outcome WHERE what='l1d load misses' AND mode=1 "
                                 "GROUP BY name"))
        for function, lines in (("scan", 4096), ("stroll", 2048)):
            self.assertAlmostEqual(missed[function] / (4 * rounds * lines), 1, delta=0.02)  # four commands

    def test_attach(self):
        self.assertIn("exact", self.of("attach")["attach.csv"])


class Top(Boot):
    """perf top, which leaves no file that check could read: what it shows, and that it had every sample."""

    @classmethod
    def setUpClass(cls):
        cls.temporary()
        scenario = cls.scenario(TOP_SCRIPT)
        scenario.write_text(scenario.read_text().replace("rounds: 100", "rounds: 20000"))
        cls.boot("run", scenario, "--set", "harts.count=2")

    def test_each_overflow_is_a_sample(self):
        overflows, lost = self.query("SELECT count(*), sum(r.number IS NULL) FROM guest_overflow o LEFT JOIN "
                                     "guest_record r ON r.session=o.number")[0]
        self.assertGreater(overflows, 1000)
        self.assertEqual(lost, 0)
        self.assertEqual(self.query("SELECT max(skid) FROM guest_interrupt JOIN guest_overflow ON number=overflow "
                                    "WHERE takes"), [(0,)])

    def test_it_shows_what_was_executed(self):
        screen = (self.run_folder / "top.txt").read_text(errors="replace").split("PerfTop:")[-1]
        shown = {name: float(share) for share, name in re.findall(r"(\d+\.\d+)% +work +\[\.\] (\w+)", screen)}
        truth = dict(self.query("SELECT name, 1.0*sum(count)/(SELECT sum(count) FROM guest_count WHERE mode=1) "
                                "FROM guest_count WHERE mode=1 AND file='work' GROUP BY name"))
        for name in FUNCTIONS:
            # Older samples weigh less: as if there were a thousand.
            sigma = (truth[name] * (1 - truth[name]) / 1000) ** 0.5
            self.assertAlmostEqual(shown[name] / 100, truth[name], delta=4 * sigma, msg=name)


class Failures(Boot):
    """Guests that end otherwise: what is said, where their CPUs were, and what is kept."""

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        type(self).temp = pathlib.Path(temp.name)

    def fails(self, status, script, *words):
        done = boot(self.temp / "out", *words, self.scenario(script))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertFalse((self.temp / "out").exists())
        return done.stderr

    def test_a_guest_that_hangs(self):
        limit, done = hangs(lambda *words: boot(self.temp / "out", "--set", "harts.count=2", *words,
                                                self.scenario("while :; do :; done\n")))
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"has not ended within {limit} s (guest.limit_s)", done.stderr)
        for cpu in (0, 1):
            self.assertRegex(done.stderr, rf"CPU {cpu} was at 0x[0-9a-f]+, ")
        self.assertGreater((self.temp / "out.failed-1/truth.sqlite").stat().st_size, 0)

    def test_a_guest_that_panics(self):
        said = self.fails(3, "echo c > /proc/sysrq-trigger\n")
        self.assertIn("ended before its script did: Kernel panic - not syncing: sysrq triggered crash", said)
        self.assertIn("sysrq", (self.temp / "out.failed-1/console.txt").read_text(errors="replace"))

    def test_a_kernel_of_another_machine(self):
        said = self.fails(2, "", "--set", "guest.kernel=/bin/true")
        self.assertRegex(said, "is an ELF file for .*, expected one for RISC-V")
        said = self.fails(2, "", "--set", "guest.firmware=/bin/true")
        self.assertRegex(said, "is an ELF file for .*, expected one for RISC-V")

    def test_files_that_are_folders(self):
        for key in ("kernel", "firmware", "initrd", "elf"):
            said = self.fails(2, "", "--set", f"guest.{key}=/usr")
            self.assertIn(f"guest.{key}: /usr is a folder, expected a file", said)
        said = self.fails(2, "", "--set", "guest.files=[/usr]")
        self.assertIn("guest.files.0: /usr is a folder, expected a file", said)

    def test_another_qemu(self):
        folder, loader = self.temp / "linux", "qemu/usr/lib64/ld-linux-x86-64.so.2"
        (folder / loader).parent.mkdir(parents=True)
        for part in CACHE.iterdir():
            if part.name != "qemu":
                (folder / part.name).symlink_to(part)
        (folder / loader).write_text("#!/bin/sh\necho QEMU emulator version 9.2.4\n")
        (folder / loader).chmod(0o755)
        done = boot(self.temp / "out", SAMPLE, CS_LINUX_RISCV=str(folder))
        self.assertEqual(done.returncode, 3)
        self.assertIn("is QEMU 9.2.4; guests need 10.0, which `tools/setup.sh linux-riscv` fetches", done.stderr)

    def test_a_kernel_that_is_none(self):
        (self.temp / "noise").write_bytes(bytes(range(256)) * 100)
        self.assertIn("noise: ", self.fails(2, "", "--set", f"guest.kernel={self.temp}/noise"))


class Riscv(Boot):
    @classmethod
    def setUpClass(cls):
        cls.temporary()
        cls.said = cls.boot("run", cls.scenario(SCRIPT))

    def test_a_profile_is_exact(self):
        said = self.check("one.data")
        for what in ("samples ", "processes", "share             search", "share             sum_up"):
            self.assertIn(what, said)
        samples, = self.query("SELECT count(*) FROM guest_taken WHERE event=(SELECT min(event) FROM "
                              "guest_taken)")[0]
        program = ROUNDS * sum(LOOP * loops + 2 for loops in FUNCTIONS.values())
        # Beside its functions there are some thousand instructions, before and between.
        self.assertEqual(samples, (program + 1200) // 10007)

    def test_perf_of_this_machine_shows_functions(self):
        said = functions(self.said, self.run_folder / "one.data")
        if said is not None:
            self.assertRegex(said, r"57\.\d+% +work +\[\.\] search\n")
            said = functions(self.said, self.run_folder / "all.data")
            self.assertRegex(said, r"\[kernel[.\w]*\] +\[k\] [a-z_]")
            self.assertNotRegex(said, r"\[k\] 0x")
        # Where perf looks for them.
        names = {line.split()[2] for line in (self.run_folder / "symfs/kallsyms").read_text().splitlines()}
        sampled = {name for name, in self.query("SELECT DISTINCT function FROM guest_record WHERE "
                                                "file='[kernel]' AND function<>'[kernel]'")}
        self.assertGreater(len(sampled), 2)
        self.assertEqual(sampled - names, set())
        self.assertIn(b"\0search\0", (self.run_folder / "symfs/bin/work").read_bytes())

    def test_a_report(self):
        # Of the three profiles those of user space's instructions have shares that are known.
        self.assertEqual(panels(self.run_folder, self.temp / "run.html"), {"guest_functions", "guest_samples"})

    def test_files_have_their_own_samples(self):
        self.check("two.data")
        self.check("all.data")
        self.assertGreater(self.query("SELECT count(DISTINCT event) FROM guest_taken")[0][0], 3)

    def test_a_sample_is_behind_its_overflow(self):
        # User code takes interrupts at once: the sample is the next instruction, or what was branched to.
        far = self.query("""SELECT count(*) FROM guest_record r JOIN guest_overflow o ON o.number=r.session
            WHERE o.mode=1 AND o.file='work' AND r.ip-o.ip NOT IN (2, 4) AND NOT EXISTS (SELECT 1 FROM
            guest_count c WHERE c.file='work' AND c.name=r.function)""")
        self.assertEqual(far, [(0,)])
        # Samples of taken branches (raw events) aside: all of these have gone back.
        samples = "SELECT count(*) FROM guest_record r JOIN guest_overflow o ON o.number=r.session JOIN guest_event e " \
            "ON e.event=o.event WHERE e.type<>4 AND o.mode=1 AND o.file='work'"
        back, every = (self.query(samples + more)[0][0] for more in (" AND r.ip<o.ip", ""))
        # One of a loop's eight instructions goes back.
        self.assertAlmostEqual(back / every, 1 / LOOP, delta=0.05)

    def test_an_overflow_is_at_its_instruction(self):
        # There the counter has wrapped to 0; an instruction later it would have counted.
        self.assertEqual(self.query("SELECT max(excess), count(*)>=2378 FROM guest_overflow"), [(0, 1)])

    def test_counts_are_exact(self):
        said = self.check("stat.data")
        for event in ("instructions:u", "cycles:u", "branches:u", "r20:u", "r21:u", "instructions"):
            self.assertRegex(said, rf"counts +{event} ")
        loads = ROUNDS * FUNCTIONS["search"] * 3
        self.assertRegex(said, rf"r20:u +{loads} +{loads} ")

    def test_branches_and_traps_are_exact(self):
        said = self.check("branches.data")
        self.assertEqual(said.count("agrees"), 8, said)
        # A loop goes back each time but its last; so does the one that calls the functions.
        taken = ROUNDS * sum(loops - 1 for loops in FUNCTIONS.values()) + ROUNDS - 1
        not_taken = ROUNDS * len(FUNCTIONS) + 1
        for event, count in (("r2a:u", taken), ("r2b:u", not_taken), ("r22:u", taken + not_taken)):
            self.assertRegex(said, rf"counts +{event} +{count} +{count} +0 ")
        # The program ends by a call; interrupts of timers come without it.
        found = {event: int(count) for event, count in re.findall(r"counts +(r\w+(?::\w)?) +(\d+)", said)}
        self.assertGreater(found["r2c:u"], 0)
        self.assertGreater(found["r2d"], 0)

    def test_samples_of_taken_branches_are_exact(self):
        said = self.check("taken.data")
        for name, loops in FUNCTIONS.items():
            self.assertRegex(said, rf"share +{name} .* 4 sigma +agrees +\d+\.\d+ % of {ROUNDS * (loops - 1)} taken")
        self.assertRegex(said, r"skid +r2a:u +0 +0 +0 ")

    def test_truth_counts_functions(self):
        for name, loops in FUNCTIONS.items():
            found = self.query("SELECT sum(count) FROM guest_count WHERE file='work' AND "
                               f"name='{name}' AND counted_by='event'")[0][0]
            # Six runs of the program.
            self.assertEqual(found, 6 * ROUNDS * (LOOP * loops + 2), name)
        self.assertIn("search (work)", self.said)

    def test_a_wrong_sample_is_found(self):
        data = bytearray((self.run_folder / "one.data").read_bytes())
        ip, = self.query("SELECT ip FROM guest_record LIMIT 1 OFFSET 7")[0]
        at = data.find(ip.to_bytes(8, "little"))
        self.assertGreater(at, 0)
        data[at:at + 8] = (ip + 4).to_bytes(8, "little")
        (self.run_folder / "spoilt.data").write_bytes(data)
        checked = countersink("check", "--truth", self.run_folder, self.run_folder / "spoilt.data")
        self.assertEqual(checked.returncode, 1, checked.stdout)
        self.assertIn("DISAGREES", checked.stdout)


if __name__ == "__main__":
    unittest.main()
