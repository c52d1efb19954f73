# SPDX-License-Identifier: Apache-2.0
"""PAPI's own tests, of Debian's papi-examples, compiled and run as its run_tests.sh does."""
import re
import shutil
from functools import partial

from harness import LIBRARIES, build, cached, tool

FOLDERS = ("ctests", "validation_tests", "components/perf_event/tests")
VARIANTS = {"mendes-alt": ("mendes-alt", "-DMULTIPLEX"), "sdsc-mpx": ("sdsc-mpx", "-DMPX"),
            "sdsc2-mpx": ("sdsc2", "-DMPX"), "sdsc4-mpx": ("sdsc4-mpx", "-DMPX"),
            "sdsc2-mpx-noreset": ("sdsc2", "-DMPX", "-DSTARTSTOP")}
# Parts of other tests; what needs MPI, SGI's SHMEM, a Pentium 4 or an Itanium; what run_tests_exclude.txt
# says; and three of which PAPI's Makefile makes nothing, as they no longer compile.
LEFT_OUT = {"attach_target", "burn", "mpi_hl", "mpi_omp_hl", "mpifirst", "cpi", "pernode", "zero_shmem", "zero_smp",
            "p4_lst_ins", "earprofile", "data_range", "omptough", "pthrtough2", "timer_overflow", "memleak_check",
            "val_omp", "filter_helgrind", "vector_testcode", "native",
            "nineth", "overflow_values"}
# libpfm4's events of a Skylake, which are among those that the machine knows.
ENV = {"LIBPFM_FORCE_PMU": "skl"}


def has_main(source):
    return re.search(r"^(int\s+|void\s+)?main\s*\(", source.read_text(errors="replace"), re.M)


def compiled(work):
    """Folder of the programs, and of what they start."""
    out, root = work / "bin", cached("programs/usr")
    if (out / "made").exists():
        return out
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    examples = cached("programs/usr/share/doc/papi-examples/examples")
    flags = ["-O1", "-w", "-pthread", "-fopenmp", "-DPAPI_NUM_COMP=5", "-I", root / "include",
             "-I", examples / "testlib", "-I", examples / "validation_tests", "-I", examples / "ctests"]
    sources = {folder: sorted((examples / folder).glob("*.c")) for folder in ("testlib", *FOLDERS)}
    helpers = [source for some in sources.values() for source in some if not has_main(source)]
    for source in helpers:
        build("gcc", *flags, "-c", source, "-o", out / f"{source.stem}.o")
    build("ar", "rcs", out / "helpers.a", *(out / f"{source.stem}.o" for source in helpers))
    library = cached(f"programs/{LIBRARIES}")
    rest = [out / "helpers.a", library / "libpapi.so.7.0", f"-Wl,-rpath,{library}", "-lm", "-ldl"]
    programs = {source.stem: (source,) for folder in FOLDERS for source in sources[folder] if has_main(source)}
    programs |= {name: (examples / f"ctests/{source}.c", *more) for name, (source, *more) in VARIANTS.items()}
    for name, words in programs.items():
        if name not in LEFT_OUT or name in ("attach_target", "burn"):
            build("gcc", *flags, *words, *rest, "-o", out / name)
    (out / "made").touch()
    return out


def outcome(pmu, program):
    run = pmu.run([program, "TESTS_QUIET"], env=ENV, cwd=program.parent, timeout=300)
    said = run.out + run.err
    if run.status is None:
        return "fail", "did not end"
    if "SKIPPED" in said:
        return "skip", said
    return ("pass" if run.status == 0 and "FAILED" not in said else "fail"), said


def tests(pmu):
    tool("gcc")
    folder = compiled(pmu.work)
    for program in sorted(folder.iterdir()):
        # Tests of the high level leave folders behind.
        if program.is_file() and program.suffix == "" and program.name not in LEFT_OUT | {"made"}:
            yield program.name, partial(outcome, pmu, program)
