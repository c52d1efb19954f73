# SPDX-License-Identifier: Apache-2.0
"""The Verilog of Coreblocks, an out-of-order core that is written in Python 3.13: made once, in the cache folder, by
the packages of coreblocks.lock.

    coreblocks_rtl.py FILE    writes it, where these are installed
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LOCK = HERE / "coreblocks.lock"
LEAST = (3, 13)
SKIPPED = 77


def python():
    """One that is new enough; None: there is none."""
    for name in ("python3", "/usr/bin/python3", "python3.13", "python3.14"):
        found = shutil.which(name)
        asked = [found, "-c", f"import sys, venv; sys.exit(sys.version_info < {LEAST})"]
        if found and subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return found
    return None


def make(path):
    """Into `path`, by a Python environment of its own."""
    found = python()
    if found is None:
        print("skipped: Coreblocks needs Python 3.13, which Debian 13 has")
        sys.exit(SKIPPED)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        venv, made = pathlib.Path(folder) / "venv", pathlib.Path(folder) / path.name
        for command in ([found, "-m", "venv", venv],
                        [venv / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--only-binary",
                         ":all:", "--require-hashes", "-r", LOCK],
                        [venv / "bin/python", __file__, made]):
            # The same text for everybody: its order follows that of Python's sets.
            result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                                    env={**os.environ, "PYTHONHASHSEED": "0"})
            if result.returncode != 0:
                sys.exit(f"{command[0]}: {(result.stdout + result.stderr)[-2000:]}")
        made.rename(path)


def verilog():
    caches = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    key = hashlib.sha256(LOCK.read_bytes() + pathlib.Path(__file__).read_bytes()).hexdigest()[:16]
    path = caches / "countersink" / f"coreblocks-{key}" / "coreblocks.v"
    if not path.is_file():
        make(path)
    return path


def write(path):
    """Two instructions in a cycle are fetched, announced and retired; all else is small."""
    os.environ["AMARANTH_USE_YOSYS"] = "builtin"
    # pylint: disable=import-error,import-outside-toplevel
    from coreblocks.arch.isa_consts import SatpMode
    from coreblocks.gen_verilog import gen_verilog
    from coreblocks.params.configurations import basic

    gen_verilog(basic.replace(
        debug_signals=False, with_rvvi=True, rob_entries_bits=5, sstc=False, supported_vm_schemes=(SatpMode.BARE,),
        hpm_counters_count=2, interrupt_custom_count=0, icache_sets_bits=4, retirement_superscalarity=2,
        announcement_superscalarity=2, frontend_superscalarity=2, fetch_block_bytes_log=3, instr_buffer_size=8), path)


if __name__ == "__main__":
    write(sys.argv[1])
