# SPDX-License-Identifier: Apache-2.0
"""The wheel holds the command and the counter block that this tree has built."""
import os
import pathlib
import shutil

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

TREE = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("COUNTERSINK_BUILD", TREE / "build"))
FILES = {
    "bin/countersink": BUILD / "countersink",
    "lib/libcountersink_golden.so": BUILD / "src/golden/hpm/libcountersink_golden.so",
}


class Build(build_py):
    def run(self) -> None:
        super().run()
        for name, source in FILES.items():
            if not source.is_file():
                raise SystemExit(f"{source} is not there; build it first: "
                                 "tools/build.sh release countersink countersink_golden")
            target = pathlib.Path(self.build_lib) / "countersink" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


class Built(Distribution):
    """It is of this machine's kind."""

    def has_ext_modules(self) -> bool:
        return True


class ForEveryPython(bdist_wheel):
    """Python finds the command and the library by their files, and links with neither: only the
    machine matters."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


setup(distclass=Built, cmdclass={"build_py": Build, "bdist_wheel": ForEveryPython})
