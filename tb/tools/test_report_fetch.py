"""`tools/setup.sh report` with made-up packages: what it keeps, what it refuses, what it does not do
twice, and that nothing changes when it fails.

usage: test_report_fetch.py SOURCE_FOLDER
"""
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
FILES = {"echarts": {"dist/echarts.min.js": "the code", "LICENSE": "licence of one", "NOTICE": "notice"},
         "zrender": {"LICENSE": "licence of two"}}


class Fetch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="countersink-fetch.")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.cache, self.files = self.folder / "cache", self.folder / "files"
        self.files.mkdir()
        self.lock = self.folder / "packages.lock"
        rows = ["# package version sha512"]
        for name, files in FILES.items():
            path = self.files / f"{name}-1.0.0.tgz"
            with tarfile.open(path, "w:gz") as tar:
                for file, text in files.items():
                    info = tarfile.TarInfo("package/" + file)
                    info.size = len(text)
                    tar.addfile(info, io.BytesIO(text.encode()))
            rows.append(f"{name} 1.0.0 {hashlib.sha512(path.read_bytes()).hexdigest()}")
        self.lock.write_text("\n".join(rows) + "\n")

    def fetch(self, *more, **environment):
        return subprocess.run(
            [SOURCE / "tools/setup.sh", "report", "--cache", self.cache, "--lock", self.lock, *more],
            capture_output=True, text=True, check=False, env={**os.environ, **environment})

    def kept(self):
        return sorted(path.name for path in self.cache.iterdir()) if self.cache.exists() else []

    def test_keeps_code_and_licences(self):
        done = self.fetch("--files", self.files)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(["echarts.min.js", "licences.txt", "packages.lock"], self.kept())
        self.assertEqual("the code", (self.cache / "echarts.min.js").read_text())
        texts = (self.cache / "licences.txt").read_text()
        for text in ("notice", "licence of one", "licence of two"):
            self.assertIn(text, texts)
        # What is there is not looked for again.
        done = self.fetch("--files", "/nowhere")
        self.assertEqual((0, "", ""), (done.returncode, done.stdout, done.stderr))

    def test_wrong_checksum(self):
        (self.files / "zrender-1.0.0.tgz").write_bytes(b"other")
        done = self.fetch("--files", self.files)
        self.assertEqual(3, done.returncode)
        self.assertIn("zrender-1.0.0.tgz: its checksum is wrong", done.stderr)
        self.assertEqual([], self.kept())

    def test_what_was_there_stays(self):
        self.fetch("--files", self.files)
        self.lock.write_text(self.lock.read_text().replace("1.0.0", "1.0.1"))
        done = self.fetch("--files", self.files)
        self.assertEqual(3, done.returncode)
        self.assertIn("echarts-1.0.1.tgz is not there", done.stderr)
        self.assertEqual(["echarts.min.js", "licences.txt", "packages.lock"], self.kept())

    def test_without_npm(self):
        tools = self.folder / "bin"
        tools.mkdir()
        for tool in ("bash", "env", "dirname", "cmp", "mkdir", "mktemp", "rm"):
            (tools / tool).symlink_to("/usr/bin/" + tool)
        done = self.fetch(PATH=str(tools))
        self.assertEqual(3, done.returncode)
        self.assertIn("npm is missing; as root: apt-get install", done.stderr)
        self.assertEqual([], self.kept())

    def test_bad_use(self):
        for words in (["--cash", "x"], ["--files"]):
            self.assertEqual(2, self.fetch(*words).returncode, words)


if __name__ == "__main__":
    unittest.main()
