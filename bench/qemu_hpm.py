#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""RISC-V's hpm counters in QEMU under a stock Linux, beside ours.

    tools/setup.sh linux-riscv
    bench/qemu_hpm.py [build/bench/bench_riscv]

QEMU's machine `virt` runs Debian's kernel, with Debian's perf, on OpenSBI. The guest runs a loop of
busybox's shell alone, under `perf stat`, under `perf record` with a period of user instructions,
and with a clock for comparison (cpu-clock, which needs no counter). Times are processor time of the
host, between lines of the console: others may use the machine. With -icount QEMU's counters count
instructions; without it they count ticks of the host's clock, and how many instructions the loop
has is known from the other run. Then, with bench_riscv, our own samples, in the same run. It is no
test: it needs what tools/setup.sh fetches, and some minutes.
"""

import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

CACHE = pathlib.Path(os.environ.get("CS_LINUX_RISCV") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "countersink/linux-riscv"))
ROUNDS = 40000
PERIOD = 100000

INIT = r"""#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc; mount -t sysfs none /sys
mount -t devtmpfs none /dev; mount -t tmpfs none /tmp
dmesg | grep -i -E 'riscv-pmu|SBI implementation'
echo 1000000 > /proc/sys/kernel/perf_event_max_sample_rate
echo 0 > /proc/sys/kernel/perf_cpu_time_max_percent
echo -1 > /proc/sys/kernel/perf_event_paranoid
cat > /tmp/work <<'W'
i=0; while [ $i -lt {rounds} ]; do i=$((i+1)); done
W
run() {{ # NAME COMMAND..
    name=$1; shift
    sync; echo "begin $name"; "$@" /bin/busybox sh /tmp/work; echo "end $name"
}}
run alone env
run stat perf stat -x, -o /tmp/stat -e instructions:u -e cycles:u
cat /tmp/stat | sed -n 's/^\([0-9]*\),.*,\([a-z]*:u\),.*/counted \2 \1/p'
record() {{ # NAME EVENT..
    name=$1; shift
    run $name perf record -q -o /tmp/data "$@"
    perf report -i /tmp/data -D 2>/dev/null | grep -c PERF_RECORD_SAMPLE | sed "s/^/samples $name /"
    sed -n "s/.*: *\([0-9]*\) .*riscv-pmu/overflows $name \1/p" /proc/interrupts
}}
record instructions -c {period} -e instructions:u
record clock -F 4000 -e cpu-clock:u
poweroff -f
"""


def cpio(entries):
    """A file system for the kernel: (name, mode, contents), "newc"."""
    out = bytearray()
    for number, (name, mode, data) in enumerate(entries + [("TRAILER!!!", 0, b"")], 1):
        encoded = name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(encoded), 0)
        out += b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        out += b"\0" * (-len(out) % 4) + data
        out += b"\0" * (-len(out) % 4)
    return bytes(out)


def file_system():
    root = CACHE / "riscv"
    entries = [(name, 0o040755, b"") for name in ("bin", "proc", "sys", "dev", "tmp", "usr")]
    entries += [(name, 0o120777, b"usr/lib") for name in ("lib",)]
    seen = set()
    for path in sorted((root / "usr/lib").rglob("*")):
        name = path.relative_to(root)
        if ("riscv64-linux-gnu" in name.parts or name.name.startswith("ld-linux")) and \
                (".so" in name.name):
            entries.append((str(name), 0o120777, os.readlink(path).encode()) if path.is_symlink()
                           else (str(name), 0o100755, path.read_bytes()))
            seen.update(str(parent) for parent in name.parents if str(parent) not in (".", "usr"))
    folders = [(name, 0o040755, b"") for name in sorted(seen)]
    init = INIT.format(rounds=ROUNDS, period=PERIOD)
    programs = [("bin/" + name, 0o100755, (root / "usr/bin" / name).read_bytes())
                for name in ("perf", "busybox")]
    return cpio(entries[:7] + folders + entries[7:] + programs +
                [("init", 0o100755, init.encode())])


def qemu(initrd, *more):
    tree = CACHE / "qemu/usr"
    kernel = next((CACHE / "riscv/boot").glob("vmlinu*"))
    return [tree / "lib64/ld-linux-x86-64.so.2", "--library-path", tree / "lib/x86_64-linux-gnu",
            tree / "bin/qemu-system-riscv64", "-L", tree / "share/qemu", "-machine", "virt",
            "-cpu", "rv64,sscofpmf=true", "-m", "512M", "-nographic", "-no-reboot",
            "-bios", tree / "lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin",
            "-kernel", kernel, "-initrd", initrd, "-append", "console=ttyS0 quiet panic=-1",
            *more]


def spent(pid):
    """Processor seconds of a process so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def boot(initrd, *more):
    """What the guest said: lines, and QEMU's processor time at each."""
    lines = []
    with subprocess.Popen([str(word) for word in qemu(initrd, *more)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as guest:
        for line in guest.stdout:
            lines.append((spent(guest.pid), line.decode(errors="replace").strip()))
            if os.environ.get("CS_SHOW"):
                print(lines[-1][1], file=sys.stderr)
    return lines


def figures(lines):
    """Seconds of each run, and what was counted: by what it is, then by name."""
    times, found = {}, {"counted": {}, "samples": {}, "overflows": {}}
    for at, line in lines:
        words = line.split()
        if len(words) == 2 and words[0] in ("begin", "end"):
            times.setdefault(words[1], {})[words[0]] = at
        elif len(words) == 3 and words[0] in found:
            found[words[0]][words[1]] = int(words[2])
    return {name: t["end"] - t["begin"] for name, t in times.items() if len(t) == 2}, found


def show(name, lines, instructions):
    """`instructions` of the loop; None: what perf stat counts. Returns them."""
    took, found = figures(lines)
    if "clock" not in took or not found["counted"]:
        sys.exit(f"qemu_hpm: {name}: the guest did not come to its end:\n" +
                 "\n".join(line for _, line in lines[-15:]))
    counted = found["counted"]["instructions:u"]
    instructions = instructions or counted
    print(f"\nQEMU, {name}: perf stat counts {counted / 1e6:.1f} M instructions")
    print(f"{'':16}{'s':>8}{'M instructions/s':>18}{'samples':>10}{'samples/s':>11}"
          f"{'overflows':>11}")
    for what, seconds in took.items():
        samples = found["samples"].get(what)
        print(f"{what:16}{seconds:8.2f}{instructions / seconds / 1e6:18.1f}" +
              (f"{samples:10}{samples / seconds:11.0f}{found['overflows'].get(what, 0):11}"
               if samples is not None else ""))
    return instructions


def main():
    if not (CACHE / "packages.lock").exists():
        sys.exit(f"qemu_hpm: {CACHE}: is not there: `tools/setup.sh linux-riscv` fetches it")
    with tempfile.TemporaryDirectory() as work:
        initrd = pathlib.Path(work, "initrd")
        initrd.write_bytes(file_system())
        instructions = None
        for name, more in (("-icount", ("-icount", "shift=0,sleep=off")), ("its own clock", ())):
            instructions = show(name, boot(initrd, *more), instructions)
    for bench in sys.argv[1:]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([bench, "--benchmark_filter=SamplesWithoutTruth"], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        number, unit = re.search(r" samples=([0-9.]+)([kM])", done).groups()
        samples = float(number) * {"k": 1e3, "M": 1e6}[unit]
        print(f"\nours: {seconds:.2f} s, {samples / seconds:.0f} samples/s, "
              f"{samples * 10000 / seconds / 1e6:.0f} M instructions/s")


if __name__ == "__main__":
    main()
