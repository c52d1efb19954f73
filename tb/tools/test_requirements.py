# SPDX-License-Identifier: Apache-2.0
"""tools/requirements.lock is that of tools/requirements.txt: every package that is asked for, in that
version, and checksums for all.

usage: test_requirements.py SOURCE_FOLDER
"""
import pathlib
import re
import sys
import unittest

TOOLS = pathlib.Path(sys.argv.pop(1)).resolve() / "tools"


class Requirements(unittest.TestCase):
    def setUp(self):
        self.asked = re.findall(r"^([\w.-]+)==(\S+)$", (TOOLS / "requirements.txt").read_text(), re.M)
        lock = (TOOLS / "requirements.lock").read_text()
        self.locked = re.split(r"^(?=\w)", lock, flags=re.M)[1:]

    def test_each_that_is_asked_for_is_locked(self):
        self.assertGreater(len(self.asked), 20)
        versions = {tuple(re.match(r"([\w.-]+)==(\S+)", one).groups()) for one in self.locked}
        for name, version in self.asked:
            self.assertIn((name.lower(), version), versions, "tools/venv.sh --lock")

    def test_each_has_checksums(self):
        self.assertGreater(len(self.locked), len(self.asked))
        for one in self.locked:
            self.assertRegex(one, r"--hash=sha256:[0-9a-f]{64}", one)


if __name__ == "__main__":
    unittest.main()
