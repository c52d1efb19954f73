# SPDX-License-Identifier: Apache-2.0
"""`tools/setup.sh linux` against a mirror of made-up packages: what it unpacks, what it refuses,
what it does not fetch twice, and that nothing changes when it fails.

usage: test_linux_fetch.py SOURCE_FOLDER
"""
import fcntl
import functools
import hashlib
import http.server
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
ARCH = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True,
                      text=True).stdout.strip()
# Folder, architecture, package, a file of it.
PACKAGES = [("qemu", ARCH, "qemu-system-x", "usr/bin/qemu"),
            ("power", "ppc64el", "linux-image-1", "boot/vmlinux"),
            ("power", "ppc64el", "perf", "usr/bin/perf")]


class Handler(http.server.SimpleHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def make_deb(folder, arch, package, path):
    root = folder / "root" / package
    for name, text in ((f"{path}", package), (f"lib/modules/{package}", "module"),
                       ("usr/share/doc/x", "doc"),
                       ("DEBIAN/control", f"Package: {package}\nVersion: 1\nArchitecture: {arch}\n"
                        "Maintainer: nobody <nobody@example.org>\nDescription: none\n")):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    deb = folder / "pool" / f"{package}_1_{arch}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", root, deb], check=True,
                   capture_output=True)
    return deb


class LinuxFetch(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.temp = pathlib.Path(temp.name)
        (self.temp / "pool").mkdir()
        rows = [(f, a, p, make_deb(self.temp, a, p, path)) for f, a, p, path in PACKAGES]
        header = self.temp / "q-1/include/qemu/qemu-plugin.h"
        header.parent.mkdir(parents=True)
        header.write_text("header")
        source = self.temp / "pool/qemu_1.orig.tar.xz"
        with tarfile.open(source, "w:xz") as out:
            out.add(self.temp / "q-1", "q-1")
        rows.append(("header", "source", "qemu", source))
        rows.append(("source", "source", "qemu", source))
        self.lock = self.temp / "lock"
        self.lock.write_text("# a comment\n" + "".join(
            f"{folder} suite {arch} {package} 1 {hashlib.sha256(f.read_bytes()).hexdigest()} "
            f"pool/{f.name}\n" for folder, arch, package, f in rows))
        self.cache = self.temp / "cache"
        Handler.asked = []
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(self.temp)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.mirror = f"http://127.0.0.1:{server.server_address[1]}"

    def setup(self, *more):
        environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        return subprocess.run(
            [SOURCE / "tools/setup.sh", "linux", "--cache", self.cache, "--mirror", self.mirror,
             "--lock", self.lock, *more], capture_output=True, text=True, env=environment,
            check=False)

    def fetched(self):
        return sorted(p.relative_to(self.cache).as_posix() for p in self.cache.rglob("*")
                      if p.is_file() and p.name != ".lock")

    ALL = ["header/qemu-plugin.h", "packages.lock", "power/boot/vmlinux",
           "power/lib/modules/perf", "power/usr/bin/perf", "qemu/lib/modules/qemu-system-x",
           "qemu/usr/bin/qemu", "source/qemu/include/qemu/qemu-plugin.h"]

    def test_all_is_unpacked_and_a_second_call_asks_for_nothing(self):
        done = self.setup()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.fetched(), self.ALL)
        Handler.asked.clear()
        again = self.setup()
        self.assertEqual((again.returncode, again.stdout, Handler.asked), (0, "", []))

    def test_a_wrong_checksum_is_refused_and_what_was_there_stays(self):
        self.assertEqual(self.setup().returncode, 0)
        deb = self.temp / "pool/perf_1_ppc64el.deb"
        deb.write_bytes(deb.read_bytes() + b"x")
        self.lock.write_text(self.lock.read_text() + "# newer\n")
        done = self.setup()
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"checksum is wrong:\n{self.mirror}/pool/perf_1_ppc64el.deb", done.stderr)
        self.assertEqual((self.cache / "power/usr/bin/perf").read_text(), "perf")
        self.assertFalse(list(self.cache.glob("new.*")))

    def test_what_came_before_a_failure_is_not_fetched_again(self):
        deb = self.temp / "pool/perf_1_ppc64el.deb"
        deb.rename(self.temp / "away")
        done = self.setup()
        self.assertEqual(done.returncode, 3)
        self.assertIn("perf_1_ppc64el.deb", done.stderr)
        (self.temp / "away").rename(deb)
        Handler.asked.clear()
        self.assertEqual(self.setup().returncode, 0)
        self.assertEqual(set(Handler.asked), {"/pool/perf_1_ppc64el.deb"})
        self.assertEqual(self.fetched(), self.ALL)

    def test_bad_use(self):
        for words, status, text in ((["--what"], 2, "--mirror URI"),
                                    (["--cache"], 2, "--cache needs a value"),
                                    (["--lock", "/nowhere"], 3, "/nowhere: cannot be read")):
            with self.subTest(words):
                done = self.setup(*words)
                self.assertEqual(done.returncode, status)
                self.assertIn(text, done.stderr)

    def test_a_machine_without_a_qemu_in_the_lock(self):
        self.lock.write_text(self.lock.read_text().replace(f" {ARCH} qemu", " vax qemu"))
        done = self.setup()
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"no QEMU for this machine's architecture, {ARCH}", done.stderr)

    def test_two_at_once(self):
        self.cache.mkdir()
        with open(self.cache / ".lock", "w", encoding="ascii") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            done = self.setup()
        self.assertEqual(done.returncode, 3)
        self.assertIn("another setup is at work there", done.stderr)


if __name__ == "__main__":
    unittest.main()
