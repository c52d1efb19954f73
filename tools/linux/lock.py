#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a lock anew: which packages `tools/setup.sh linux`, `linux-riscv` or `programs` fetches, and
their checksums.

    python3 tools/linux/lock.py [--set power|riscv|programs] [--mirror URI] > packages.lock.new

It asks APT with a configuration of its own, in a temporary folder, for the newest versions of
the set's ROOTS. Of the packages that these depend on it keeps those that hold a shared library which their
programs are linked with. Nothing of the machine is changed. To be called when a mirror no longer
has what the lock names.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

# By set: folder, suite, architecture, packages, programs whose libraries are wanted too.
ROOTS = {
    "power": [
        ("qemu", "trixie", "amd64", ["qemu-system-ppc", "qemu-system-data"],
         ["usr/bin/qemu-system-ppc64"]),
        ("power", "bookworm", "ppc64el",
         ["linux-image-powerpc64le", "linux-perf", "busybox-static"], ["usr/bin/perf"]),
    ],
    "riscv": [
        ("qemu", "trixie", "amd64", ["qemu-system-riscv", "qemu-system-data", "opensbi"],
         ["usr/bin/qemu-system-riscv64"]),
        ("riscv", "trixie", "riscv64",
         ["linux-image-riscv64", "linux-perf", "busybox-static"], ["usr/bin/perf"]),
        ("opensbi-1.1", "bookworm", "amd64", ["opensbi"], []),
        ("opensbi-1.9", "sid", "amd64", ["opensbi"], []),
        ("kernel-7.2", "sid", "riscv64", ["linux-image-riscv64"], []),
    ],
    # What is run under `countersink pmu` (tb/pmu/programs/). A perf has its own C library.
    "programs": [
        ("perf-12", "bookworm", "amd64", ["linux-perf"], ["usr/bin/perf"]),
        ("perf-13", "trixie", "amd64", ["linux-perf"], ["usr/bin/perf"]),
        ("perf-sid", "sid", "amd64", ["linux-perf"], ["usr/bin/perf"]),
        ("programs", "bookworm", "amd64", ["papi-examples", "papi-tools", "libpapi-dev", "rr", "tiptop",
                                           "stress-ng", "prometheus-node-exporter"],
         ["usr/bin/papi_avail", "usr/bin/rr", "usr/bin/tiptop", "usr/bin/stress-ng",
          "usr/bin/prometheus-node-exporter"]),
    ],
}
# Beside what their programs are linked with: packages by the beginnings of their names.
BESIDE = {"qemu": ("qemu-system-ppc", "qemu-system-riscv", "qemu-system-data", "opensbi"),
          "power": ("linux-image-6", "linux-perf", "busybox-static"),
          "riscv": ("linux-image-6", "linux-perf", "busybox-static"),
          "opensbi-1.1": ("opensbi",), "opensbi-1.9": ("opensbi",),
          "kernel-7.2": ("linux-binary-",),
          "perf-12": ("linux-perf",), "perf-13": ("linux-perf",), "perf-sid": ("linux-perf",),
          "programs": ("papi-", "libpapi", "libpfm4", "rr", "tiptop", "stress-ng",
                       "prometheus-node-exporter")}
# The C library of this machine serves here: it is not older.
WITHOUT = {"programs": ("libc6", "libgcc-s1", "libstdc++6")}
# Sources: a plugin of QEMU wants a header that no package has; examples, and what is built otherwise.
HEADER = ("header", "trixie", "qemu", r"qemu_.*\.orig\.tar\.xz")
SOURCES = {"power": [HEADER], "riscv": [HEADER],
           "programs": [("source", "bookworm", "libpfm4", r"libpfm4_.*\.orig\.tar\.\w+"),
                        ("source", "bookworm", "benchmark", r"benchmark_.*\.orig\.tar\.\w+")]}

COMMANDS = {"power": "linux", "riscv": "linux-riscv", "programs": "programs"}
HEAD = """\
# What `tools/setup.sh {}` fetches, a file a line; tools/linux/lock.py writes this anew.
# folder suite architecture package version sha256 path-on-the-mirror
"""


def output(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def machine_mirror():
    lines = output("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)",
                   "Created-By: Packages").split("\n")
    for line in lines:
        uri, _, release = line.partition(" ")
        if uri and not release.endswith(("-security", "-updates", "-backports")):
            return uri
    sys.exit("lock: the machine's APT sources name no mirror")


class Apt:
    """APT with all of its folders in `place`."""

    def __init__(self, place, mirror, suite, arch):
        self.place = place
        for folder in ("etc", "state/lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(place, folder))
        open(os.path.join(place, "status"), "w").close()
        with open(os.path.join(place, "etc/sources.list"), "w", encoding="ascii") as out:
            for kind in ("deb", "deb-src"):
                out.write(f"{kind} [signed-by={KEYRING}] {mirror} {suite} main\n")
        self.conf = os.path.join(place, "conf")
        with open(self.conf, "w", encoding="ascii") as out:
            out.write(f'Dir::Etc "{place}/etc";\nDir::State "{place}/state";\n'
                      f'Dir::State::status "{place}/status";\nDir::Cache "{place}/cache";\n'
                      f'APT::Architecture "{arch}";\nAPT::Architectures "{arch}";\n'
                      'APT::Sandbox::User "root";\nAcquire::Languages "none";\n'
                      'Dpkg::Use-Pty "0";\n')
            if suite == "sid":  # a mirror may be some weeks behind: its index is signed all the same
                out.write('Acquire::Check-Valid-Until "false";\n')
            # How this machine reaches its mirror, as by a proxy.
            out.write(output("sh", "-c", "apt-config dump | grep '^Acquire::http'; true"))
        self("apt-get", "-qq", "update")

    def __call__(self, *command):
        return output(*command, env=dict(os.environ, APT_CONFIG=self.conf, LC_ALL="C"))


def fields(text, name):
    return re.findall(rf"^{name}: (.*)$", text, re.M)


def needed(path):
    return re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", path))


def libraries(root):
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if ".so" in name:
                found.setdefault(name, os.path.join(folder, name))
    return found


def linked_with(root, programs):
    """The files below root that programs are linked with, their links followed."""
    known, todo, seen = libraries(root), [os.path.join(root, p) for p in programs], set()
    while todo:
        for name in needed(todo.pop()):
            if name in seen:
                continue
            if name not in known:
                sys.exit(f"lock: no package has {name}")
            seen.add(name)
            todo.append(known[name])
    # A library's name is a link to its file, which may be another package's.
    return {os.path.realpath(known[name]) for name in seen} | {known[name] for name in seen}


def contents(deb):
    listing = output("sh", "-c", 'dpkg-deb --fsys-tarfile "$1" | tar -t', "sh", deb)
    return {line[2:] for line in listing.split("\n")}


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def lock_source(apt, source):
    folder, suite, package, pattern = source
    text = apt("apt-cache", "showsrc", "--only-source", package)
    version, place = fields(text, "Version")[-1], fields(text, "Directory")[-1]
    digest, name = re.findall(rf"^ ([0-9a-f]{{64}}) \d+ ({pattern})$", text, re.M)[-1]
    return folder, suite, "source", package, version, digest, f"{place}/{name}"


def lock_binaries(work, apt, row):
    folder, suite, _, packages, programs = row
    apt("apt-get", "-qq", "-y", "-d", "--no-install-recommends", "install", *packages)
    archives = os.path.join(work, folder, "cache/archives")
    root = os.path.join(work, folder, "root")
    debs = [os.path.join(archives, n) for n in sorted(os.listdir(archives)) if n.endswith(".deb")]
    kept = {}
    for deb in debs:
        name = os.path.basename(deb).split("_")[0]
        if not name.startswith(("linux-image", "linux-modules")):
            subprocess.run(["dpkg-deb", "-x", deb, root], check=True)
        kept[deb] = name.startswith(BESIDE[folder])
    wanted = {os.path.relpath(path, root) for path in linked_with(root, programs)}
    for deb in debs:
        if os.path.basename(deb).startswith(tuple(f"{name}_" for name in WITHOUT.get(folder, ()))):
            continue
        if kept[deb] or wanted & contents(deb):
            name, version, deb_arch = (output("dpkg-deb", "-f", deb, field).strip()
                                       for field in ("Package", "Version", "Architecture"))
            path = fields(apt("apt-cache", "show", f"{name}={version}"), "Filename")[0]
            yield folder, suite, deb_arch, name, version, sha256(deb), path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--mirror", help="default: that of the machine's APT sources")
    parser.add_argument("--set", default="power", choices=ROOTS, help="default: power")
    args = parser.parse_args()
    mirror = args.mirror or machine_mirror()
    lines, of_suite = [], {}
    with tempfile.TemporaryDirectory() as work:
        for row in ROOTS[args.set]:
            folder, suite, arch = row[:3]
            of_suite[suite] = Apt(os.path.join(work, folder), mirror, suite, arch)
            lines += lock_binaries(work, of_suite[suite], row)
        lines += [lock_source(of_suite[source[1]], source) for source in SOURCES[args.set]]
    text = sorted(" ".join(line) + "\n" for line in lines)
    sys.stdout.write(HEAD.format(COMMANDS[args.set]) + "".join(text))


if __name__ == "__main__":
    main()
