# SPDX-License-Identifier: Apache-2.0
"""`countersink boot` without a guest: what it refuses, and what it says of a QEMU that breaks. Without what
`tools/setup.sh linux` fetches that is a failure.

usage: boot_refusals.py COUNTERSINK SOURCE_FOLDER [TESTS..]
"""
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from guest_case import COMMAND, LINUX, PATIENCE, RISCV, SOURCE, TRACE, countersink, needs_guest


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

    def test_all_that_are_shown_are_good(self):
        """Also those of which only the script is run below."""
        shown = sorted(LINUX.glob("*.yaml")) + sorted(RISCV.glob("*.yaml"))
        self.assertGreaterEqual(len(shown), 20)
        for scenario in shown:
            done = countersink("check-scenario", scenario)
            self.assertEqual(done.returncode, 0, done.stderr)

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
                     "--set", "guest.program.functions.0.loads=5",
                     "--set", "guest.program.functions.0.stores=3", TRACE)

    def test_data_that_moves_on_where_it_cannot(self):
        first = "guest.program.functions.0"
        self.refused("stride is of riscv64", "--set", f"{first}.stride=8", TRACE)
        sample = RISCV / "linux_riscv_sample.yaml"
        self.refused("17000 loops of 2047 bytes are more than 7340032 bytes", "--set", f"{first}.stride=2047",
                     sample)
        self.refused("6 loads and 0 stores are more than the 5 instructions before a loop's stride, count and "
                     "branch", "--set", f"{first}.stride=8", "--set", f"{first}.loads=6", sample)

    def test_a_nest_that_a_guest_cannot_have(self):
        for words, given in (
                ("its window is in QEMU's HOMER", "nest.base=0x80000000"),
                ("has one chip", "nest.chips=[{units: 3}]"),
                ("cannot replay a file", "nest.segments=[{cycles: 9, events: [{event: PM_PB_CYC, kind: "
                                         "replay, file: stat.csv, file_event: cycles}]}]"),
                ("a POWER9", "imc.variant=power10"), ("1000 MHz", "bus.clock_mhz=2000"),
                ("512 is outside 1024..4096", "guest.memory_mib=512")):
            self.refused(words, "--set", given, TRACE)

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
        needs_guest()
        return subprocess.Popen([COMMAND, "boot", "-o", self.runs / "out", TRACE],
                                env=self.linux(qemu), text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **more)

    def failed(self, process, text):
        _, said = process.communicate(timeout=PATIENCE)
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
        self.failed(self.boot("echo hello\n"), 'QEMU does not print its version: "hello')

    def test_no_space(self):
        self.failed(self.boot(self.HELP + "exit 0\n", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (4096, 4096))), "cannot write")

    def until(self, is_so):
        end = time.monotonic() + PATIENCE
        while not is_so():
            self.assertLess(time.monotonic(), end, "it hangs")
            time.sleep(0.01)

    def begun(self):
        """A countersink whose QEMU is at work, and that QEMU."""
        # What a shell starts in the background ignores Ctrl-C, and so would all that comes of it.
        process = self.boot(f"echo $$ > {self.temp}/qemu\nexec sleep 1000000\n",
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.until(lambda: (self.temp / "qemu").exists() and (self.temp / "qemu").read_text())
        return process, pathlib.Path("/proc") / (self.temp / "qemu").read_text().strip()

    def test_ctrl_c_leaves_nothing(self):
        process, qemu = self.begun()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse(qemu.exists())
        self.assertEqual(list(self.runs.iterdir()), [])

    def test_who_is_killed_takes_the_guest_along(self):
        process, qemu = self.begun()
        process.kill()
        process.communicate(timeout=PATIENCE)
        self.until(lambda: not qemu.exists())


# Postings to the counter of an event that perf counts, in its time.


if __name__ == "__main__":
    unittest.main()
