# SPDX-License-Identifier: Apache-2.0
"""Samples and truth of a run as Parquet files."""
from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

from ._command import Error
from ._run import Run, Trace, open_run, read, trace

Path = str | os.PathLike[str]


def _records(run: Run) -> list[tuple[pathlib.Path, str]]:
    """What a run folder has of samples as software got them."""
    formats = {".ring": "riscv-ring", ".imc": "imc-trace"}
    return [(p, formats[p.suffix]) for p in sorted((run.path / "records").glob("*"))
            if p.suffix in formats and p.stat().st_size > 0]


def to_parquet(path: Path, folder: Path, *, set: Mapping[str, Any] | None = None) -> list[pathlib.Path]:
    """Writes Parquet files into a folder, which must not exist yet, and returns their names; needs pyarrow.

    path: a scenario, which is simulated; a trace file, whose truth lies beside it; or a run folder.
    set: as of `run`, of a scenario.

    samples.parquet has what perf gets: a row a sample, or a count, as `csv` has them; of a trace file its own
    records; of a run folder there is records/NAME.parquet of each file of records. truth/TABLE.parquet is each
    table of the truth that has rows.
    """
    source, target = pathlib.Path(path), pathlib.Path(folder)
    if target.exists():
        raise Error(3, f"{target}: exists")
    if set and not (source.is_file() and source.suffix in (".yaml", ".yml")):
        raise ValueError("set is for scenarios")
    made: Trace | None = None
    if source.is_dir() and (source / "summary.json").is_file():
        run = open_run(source)
    elif source.is_file() and source.suffix in (".yaml", ".yml"):
        made = trace(source, format="csv", set=set)
        run = made.run
    else:
        made = Trace(source, open_run(f"{source}.truth"))
        run = made.run
    target.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        names = []
        if made is not None:
            made.read().parquet(work / "samples.parquet")
            names.append("samples.parquet")
        else:
            for file, format_ in _records(run):
                (work / "records").mkdir(exist_ok=True)
                names.append(f"records/{file.name}.parquet")
                read(file, format=format_).parquet(work / names[-1])
        names += [f"truth/{p.name}" for p in run.parquet(work / "truth")]
        work.chmod(0o755)
        work.rename(target)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    return [target / n for n in names]
