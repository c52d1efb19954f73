# SPDX-License-Identifier: Apache-2.0
"""Dies of a copy of the RTL, and a command beside them that knows no others."""
import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class NoDie(Exception):
    pass


def call(words, **more):
    return subprocess.run([str(w) for w in words], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)


def copy_rtl(tree):
    """All that a die is made of, anew."""
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("src/rtl", "src/regs/gen"):
        shutil.copytree(ROOT / folder, tree / folder)
    (tree / "configs").symlink_to(ROOT / "configs")


def verilator(folder, script):
    """A PATH with a Verilator of our own before all others: `script`, in which {verilator} is that of the
    machine."""
    real = shutil.which("verilator")
    if real is None:
        raise NoDie("verilator is not in PATH")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wrapper = folder / "verilator"
    wrapper.write_text(script.format(verilator=shlex.quote(real)))
    wrapper.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def lockstep_scenarios():
    """Those for people, and those that only tests use."""
    return sorted(path for folder in ("configs", "tb/scenarios")
                  for path in (ROOT / folder).glob("*/*_lockstep_*.yaml"))


def rows(text=None):
    """Dies, smallest first: their lines by their names. Otherwise the ready-made ones."""
    if text is None:
        text = (ROOT / "src" / "rtl" / "dies.txt").read_text()
    return {row.split()[0]: row for row in text.splitlines() if row}


def keeping(script=""):
    """The option of cs_make_die with the folder for dies of this Verilator, as `script` calls it."""
    version = call(["verilator", "--version"]).stdout
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return ["--kept", cache / "countersink/dies" / hashlib.sha256((version + script).encode()).hexdigest()[:8]]


def make(tree, build, names, folder="bin", environment=None, known=None, kept=()):
    """The dies of those names, of the RTL in `tree`, and the command, in a folder of it; the command. `kept` as
    of keeping(): dies of the same RTL are made once."""
    place = tree / folder / "dies"
    place.mkdir(parents=True, exist_ok=True)
    shutil.copy(build / "countersink", tree / folder)
    known = known or rows()
    for name in names:
        if name not in known:
            raise NoDie(f"there is no die '{name}': {' '.join(known)}")
        made = call([build / "src" / "lockstep" / "cs_make_die", *kept, tree, place / f"{name}.so",
                     *known[name].split()[1:]], env=environment)
        if made.returncode != 0:
            raise NoDie(made.stdout)
    (place / "dies.txt").write_text("".join(known[n] + "\n" for n in known if n in names))
    return tree / folder / "countersink"
