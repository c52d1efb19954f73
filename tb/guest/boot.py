"""`countersink boot`: what it refuses, and, where `tools/setup.sh linux` has been called, a guest: its
own perf.data agrees with the truth, faults are found, and a script that fails is told.

usage: boot.py COUNTERSINK SOURCE_FOLDER [TESTS..]
"""
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

COMMAND = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
LINUX = SOURCE / "configs/linux"
TRACE = LINUX / "linux_power9_trace.yaml"


def countersink(*words, **environment):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


READY = "ready" in countersink("list", "--guests").stdout


class Refusals(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def refused(self, text, *words, **environment):
        done = countersink("boot", "-o", self.temp / "out", *words, **environment)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertEqual(list(self.temp.iterdir()), [])

    def test_nothing_was_fetched(self):
        self.refused("tools/setup.sh linux", TRACE, CS_LINUX="/nowhere")
        listed = countersink("list", "--guests", CS_LINUX="/nowhere")
        self.assertIn("tools/setup.sh linux", listed.stdout)

    def test_a_scenario_without_a_guest(self):
        self.refused("has no guest", SOURCE / "configs/imc/imc_trace.yaml")

    def test_cpus_that_a_guest_cannot_have(self):
        for words, sets in (("the guest has one chip", ("imc.cores=2", "imc.chips=2")),
                            ("more than 8 CPUs", ("imc.cores=9",)),
                            ("more than the 1 of imc.threads", ("guest.threads=2",))):
            self.refused(words, *(w for s in sets for w in ("--set", s)), TRACE)

    def test_instructions_that_cost_nothing_or_too_much(self):
        for value in ("0", "65", "1.5"):
            self.refused("guest.cycles.load", "--set", f"guest.cycles.load={value}", TRACE)

    def test_a_function_with_more_loads_and_stores_than_a_loop_has(self):
        self.refused("5 loads and 3 stores are more than the 7 instructions before a loop's branch",
                     "--set", "guest.program.functions[0].loads=5",
                     "--set", "guest.program.functions[0].stores=3", TRACE)

    def test_no_kernel(self):
        self.refused("cannot open nowhere.elf", "--set", "guest.kernel=nowhere.elf", TRACE)

    def test_no_script(self):
        self.refused("cannot open nowhere.sh", "--set", "guest.run=nowhere.sh", TRACE)


class Broken(unittest.TestCase):
    """A QEMU that is none: what is said, which status, and that nothing is left."""

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)
        self.runs = self.temp / "runs"
        self.runs.mkdir()

    def linux(self, qemu):
        """A folder as tools/setup.sh linux makes it, in which QEMU is a shell script."""
        folder = self.temp / "linux"
        for name in ("power/bin", "power/boot", "power/usr/bin", "qemu/usr/lib64",
                     "power/usr/lib/powerpc64le-linux-gnu", "power/lib/powerpc64le-linux-gnu"):
            (folder / name).mkdir(parents=True)
        for name in ("packages.lock", "power/bin/busybox", "power/usr/bin/perf"):
            (folder / name).write_text("")
        real = pathlib.Path(os.environ.get("CS_LINUX", pathlib.Path.home() /
                                           ".cache/countersink/linux"))
        for kernel in real.glob("power/boot/vmlinux-*"):
            (folder / "power/boot" / kernel.name).symlink_to(kernel)
        loader = folder / "qemu/usr/lib64/ld-linux-x86-64.so.2"
        loader.write_text("#!/bin/sh\n" + qemu)
        loader.chmod(0o755)
        return {**os.environ, "CS_LINUX": str(folder)}

    def boot(self, qemu, **more):
        if not READY:
            self.skipTest("tools/setup.sh linux has not been called")
        return subprocess.Popen([COMMAND, "boot", "-o", self.runs / "out", TRACE],
                                env=self.linux(qemu), text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **more)

    def failed(self, process, text):
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, said)
        self.assertIn(text, said)
        self.assertEqual(list(self.runs.iterdir()), [])

    def test_a_qemu_that_cannot_load_the_plugin(self):
        self.failed(self.boot("echo this QEMU has no plugins >&2\nexit 1\n"),
                    "QEMU ended with status 1; its console is empty. QEMU said:\n"
                    "this QEMU has no plugins")

    HELP = """case "$*" in *--help) printf 'QEMU emulator version 10.0.2\n-plugin [file=]\n'; exit 0
    esac
    """

    def test_a_qemu_that_does_nothing(self):
        self.failed(self.boot(self.HELP + "exit 0\n"), "QEMU has written no device tree")

    def test_a_qemu_of_another_version(self):
        self.failed(self.boot("echo QEMU emulator version 7.2.22 '(Debian)'\n"),
                    "is QEMU 7.2.22; guests need 10.0, which `tools/setup.sh linux` fetches")

    def test_a_qemu_without_plugins(self):
        self.failed(self.boot("printf 'QEMU emulator version 10.0.13\n-append x\n'\n"),
                    "is a QEMU without plugins")

    def test_what_is_no_qemu(self):
        self.failed(self.boot("echo hello\n"), 'QEMU does not tell its version: "hello')

    def test_no_space(self):
        self.failed(self.boot(self.HELP + "exit 0\n", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (4096, 4096))), "cannot write")

    def test_ctrl_c_leaves_nothing(self):
        process = self.boot(f"echo $$ > {self.temp}/qemu\nexec sleep 1000\n")
        for _ in range(600):
            if (self.temp / "qemu").exists() and (self.temp / "qemu").read_text():
                break
            time.sleep(0.1)
        qemu = int((self.temp / "qemu").read_text())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(pathlib.Path(f"/proc/{qemu}").exists())
        self.assertEqual(list(self.runs.iterdir()), [])


class Guest(unittest.TestCase):
    """What is common to those that boot one."""

    def setUp(self):
        if not READY:
            self.skipTest("tools/setup.sh linux has not been called")
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)

    def boot(self, name, *words, scenario=TRACE):
        return countersink("boot", "-o", self.temp / name, *words, scenario)

    def good(self, name, *words, scenario=TRACE):
        done = self.boot(name, *words, scenario=scenario)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.temp / name

    def check(self, name, file="perf.data"):
        return countersink("check", "--truth", self.temp / name, self.temp / name / file)

    def agrees(self, name, file):
        checked = self.check(name, file)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        return checked.stdout

    def query(self, name, sql):
        with sqlite3.connect(self.temp / name / "truth.sqlite") as db:
            return db.execute(sql).fetchall()

    def same(self, files, one="one", two="two"):
        """Two runs of a scenario: all of the truth but how many instructions there were, for the
        guest is ended from outside; and those files."""
        truths = []
        for name in (one, two):
            with sqlite3.connect(self.temp / name / "truth.sqlite") as db:
                truths.append([line for line in db.iterdump() if not line.startswith(
                    tuple(f'INSERT INTO "run" VALUES(\'{key}\'' for key in (
                        "instructions", "busy_cycles")))])
        self.assertEqual(*truths)
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
    def test_a_profile_is_the_truth_twice(self):
        for name in ("one", "two"):
            self.good(name)
            self.assertEqual(sorted(p.name for p in self.temp.iterdir() if p.name[0] == "."), [])
        checked = self.agrees("one", "perf.data")
        self.assertEqual(self.query("one", "SELECT count(DISTINCT process) FROM guest_taken"), [(1,)])
        self.assertIn("Disabling deep stop states", (self.temp / "one/console.txt").read_text())
        for name in ("search", "sort", "sum_up"):
            self.assertIn(name, checked)
            self.assertIn(name, (self.temp / "one/report.txt").read_text())
        self.same(("perf.data", "report.txt"))

    def test_faults_are_found(self):
        for fault in ("address", "lost"):
            self.good(fault, "--set", f"guest.fault={fault}")
            self.assertEqual(self.check(fault).returncode, 1)

    def test_a_script_that_fails(self):
        script = self.temp / "bad.sh"
        script.write_text("echo this is the end\nexit 7\n")
        done = self.boot("out", "--set", f"guest.run={script}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("its script ended with status 7", done.stderr)
        self.assertIn("this is the end", done.stderr)
        self.assertEqual(list(self.temp.iterdir()), [script])

    def test_a_guest_that_panics(self):
        script = self.temp / "bad.sh"
        script.write_text("echo c > /proc/sysrq-trigger\n")
        done = self.boot("out", "--set", f"guest.run={script}")
        self.assertEqual(done.returncode, 3)
        self.assertIn("ended before its script did: Kernel panic - not syncing: sysrq triggered "
                      "crash. The last lines of its console:", done.stderr)
        self.assertEqual(list(self.temp.iterdir()), [script])

    def test_a_shell_with_ones_own_archive(self):
        (self.temp / "own.cpio").write_bytes(archive("own.txt", b"mine"))
        process = subprocess.Popen(
            [COMMAND, "boot", "--shell", "--set", f"guest.initrd={self.temp / 'own.cpio'}", "-o",
             self.temp / "out", TRACE], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for line in process.stdout:
            if "To end: exit" in line:
                break
        said, _ = process.communicate("put out.txt < /own.txt\nexit\n")
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual((self.temp / "out/out.txt").read_text(), "mine")
        self.assertIn("To end: exit", (self.temp / "out/console.txt").read_text())

    def test_a_guest_that_does_not_end(self):
        done = self.boot("out", "--set", "guest.limit_s=2")
        self.assertEqual(done.returncode, 3)
        self.assertIn("has not ended within 2 s (guest.limit_s)", done.stderr)
        self.assertEqual(list(self.temp.iterdir()), [])


# A posting to a counter of the event that perf counts, in the middle of its time.
POSTINGS = """SELECT number FROM guest_post WHERE address IN (SELECT address FROM guest_read WHERE
    event='{event}') AND cycle BETWEEN (SELECT min(cycle) FROM guest_read) AND (SELECT max(cycle)
    FROM guest_read) ORDER BY number"""


class Counters(Guest):
    def posting(self, name, event):
        numbers = self.query(name, POSTINGS.format(event=event))
        return numbers[len(numbers) // 2][0]

    def test_a_core(self):
        scenario = LINUX / "linux_power9_core.yaml"
        self.good("core", scenario=scenario)
        self.agrees("core", "stat.data")
        # Each function's instructions, while the core counted.
        counted = self.counted("core", "core")
        for function, loops in (("search", 17000), ("sort", 8500), ("sum_up", 4250)):
            self.assertEqual(counted[function] % (8 * loops + 2), 0)
        event = "core_imc/CPM_CCYC/"
        self.assertIn(event, (self.temp / "core/stat.txt").read_text())
        lost = self.posting("core", event)
        self.good("lost", "--set", "guest.fault=lost", "--set", f"guest.faulty={lost}",
                  scenario=scenario)
        checked = self.check("lost", "stat.data")
        self.assertEqual(checked.returncode, 1)
        wrong = [line for line in checked.stdout.splitlines() if "DISAGREES" in line]
        self.assertTrue(any(event[:-1] in line for line in wrong), checked.stdout)

    def test_a_task(self):
        self.good("task", scenario=LINUX / "linux_power9_thread.yaml")
        for file in ("alone.data", "beside.data"):
            self.agrees("task", file)
        # 408 million instructions: what is in windows is an estimate.
        told = dict(self.query("task", "SELECT file, count*scale FROM guest_told WHERE event="
                                       "'thread_imc/CPM_CS_INST_USER/'"))
        for count in told.values():
            self.assertAlmostEqual(count / 408e6, 1, delta=0.1)
        self.assertEqual(len(told), 2)

    def test_the_nest(self):
        scenario = LINUX / "linux_power9_nest.yaml"
        self.good("nest", scenario=scenario)
        self.agrees("nest", "nest.data")
        self.assertIn("S0", (self.temp / "nest/nest.txt").read_text())
        # An assembler's functions, as those that copy, have their names, too.
        names = dict(self.query("nest", "SELECT name, sum(count) FROM guest_count GROUP BY name"))
        self.assertIn("copypage_power7", names)
        self.assertLess(names.get("[kernel]", 0), sum(names.values()) / 1000)
        self.assertEqual([by for by, in self.query("nest", "SELECT DISTINCT counted_by FROM "
                                                           "guest_count")], ["nest"])
        high = self.posting("nest", "nest_powerbus0_imc/PM_PB_CYC/")
        self.good("high", "--set", "guest.fault=address", "--set", f"guest.faulty={high}",
                  scenario=scenario)
        self.assertEqual(self.check("high", "nest.data").returncode, 1)


class Cpus(Guest):
    def test_two_cores_of_two_threads(self):
        self.good("smt", scenario=LINUX / "linux_power9_smt.yaml")
        # Once more, by a processor that has more to do.
        other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.good("again", scenario=LINUX / "linux_power9_smt.yaml")
        self.same(("core.data", "task.data", "perf.data", "report.txt"), "smt", "again")
        for file in ("core.data", "task.data", "perf.data"):
            self.agrees("smt", file)
        samples = [line for line in self.agrees("smt", "perf.data").splitlines()
                   if line.startswith("samples")]
        self.assertEqual(len(samples), 4)
        # The same program on each CPU: its 23.8 million instructions, on each.
        for by, cpus in (("core", range(4)), ("thread", [3]), ("trace", range(4))):
            counts = self.query("smt", "SELECT cpu, sum(count) FROM guest_count WHERE name IN "
                                       f"('search','sort','sum_up') AND counted_by='{by}' GROUP BY cpu")
            self.assertEqual(counts, [(cpu, 23800600) for cpu in cpus])


class Costs(Guest):
    def test_a_profile_of_cycles(self):
        run = self.good("costs", scenario=LINUX / "linux_power9_costs.yaml")
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
        self.good("all", "--set", "guest.counts=all", scenario=LINUX / "linux_power9_programs.yaml")
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


class Rules(Guest):
    def test_what_the_driver_refuses(self):
        run = self.good("rules", scenario=LINUX / "linux_power9_rules.yaml")
        rules = (run / "rules.txt").read_text()
        self.assertIn("refused: trace beside core: The sys_perf_event_open() syscall returned with "
                      "16 (Device or resource busy)", rules)
        self.assertIn("refused: core beside thread", rules)
        self.assertIn("refused: trace without privilege", rules)

    def test_trace_mode_has_no_interrupts(self):
        run = self.good("interrupts", scenario=LINUX / "linux_power9_interrupts.yaml")
        lines = (run / "interrupts.txt").read_text().splitlines()
        counts = [int(line.split("PMI:")[1].split()[0]) for line in lines]
        self.assertEqual(counts[0], 0)
        self.assertGreater(counts[1], 100)
        self.assertEqual(counts[2], counts[1])
        self.agrees("interrupts", "perf.data")


if __name__ == "__main__":
    unittest.main()
