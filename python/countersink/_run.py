# SPDX-License-Identifier: Apache-2.0
"""Runs, run folders, traces."""
from __future__ import annotations

import contextlib
import csv
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._command import Error, call, command, environment, words
from ._table import Table, Value, typed

if TYPE_CHECKING:
    import pyarrow

Path = str | os.PathLike[str]
Scenario = Path | Mapping[str, Any]


class _Folder:
    """A folder that is gone when nobody has it any more."""

    def __init__(self) -> None:
        self.path = tempfile.mkdtemp(prefix="countersink-")
        weakref.finalize(self, shutil.rmtree, self.path, True)


@contextlib.contextmanager
def _scenario(scenario: Scenario, folder: Path | None) -> Iterator[Path]:
    """The scenario as a file. One that is data is written as JSON, which is YAML, too; files that it
    names lie in `folder`."""
    if not isinstance(scenario, Mapping):
        if folder is not None:
            raise ValueError("folder is for scenarios that are data: a file's names are its own")
        yield scenario
        return
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", prefix="scenario-",
                                     dir=None if folder is None else os.fspath(folder)) as file:
        json.dump(scenario, file)
        file.flush()
        yield file.name


def _settings(settings: Mapping[str, Any] | None) -> list[str]:
    """--set for each; what is no text is written as JSON."""
    words = []
    for key, value in (settings or {}).items():
        text = value if isinstance(value, str) else json.dumps(value)
        words += ["--set", f"{key}={text}"]
    return words


@dataclass
class Run:
    """A run folder."""

    path: pathlib.Path
    _keep: _Folder | None = field(default=None, repr=False)

    @property
    def summary(self) -> dict[str, Any]:
        """The figures of summary.json."""
        found: dict[str, Any] = json.loads((self.path / "summary.json").read_text())
        return found

    @property
    def text(self) -> str:
        return (self.path / "summary.txt").read_text()

    def _connect(self) -> sqlite3.Connection:
        file = self.path / "truth.sqlite"
        if not file.is_file():
            raise Error(3, f"{file}: there is no truth")
        return sqlite3.connect(f"file:{file.absolute()}?mode=ro", uri=True)

    def tables(self) -> list[str]:
        """Names of the truth's tables (docs/traces/truth.md)."""
        with contextlib.closing(self._connect()) as db:
            return [n for (n,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")]

    def table(self, name: str) -> Table:
        """A table of the truth."""
        names = self.tables()
        if name not in names:
            raise KeyError(f"{name}: expected {', '.join(names)}")
        return self.query(f'SELECT * FROM "{name}"', name=name)

    def query(self, sql: str, parameters: Sequence[Value] = (), *, name: str = "query") -> Table:
        """What SQL says of the truth."""
        def rows() -> Iterator[Sequence[Value]]:
            with contextlib.closing(self._connect()) as db:
                cursor = db.execute(sql, parameters)
                yield [c[0] for c in cursor.description]
                yield from cursor

        return Table(name, rows, typed=True)

    def parquet(self, folder: Path) -> list[pathlib.Path]:
        """Writes each table of the truth that has rows as FOLDER/TABLE.parquet; needs pyarrow."""
        target = pathlib.Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        written = []
        for name in self.tables():
            table = self.table(name)
            if next(iter(table), None) is not None:
                table.parquet(target / f"{name}.parquet")
                written.append(target / f"{name}.parquet")
        return written


@dataclass
class Comparison:
    """What `check` or `compare` says. `verdict`: "agrees", "disagrees", "cannot say"."""

    verdict: str
    rows: list[dict[str, Value]]
    text: str

    def __bool__(self) -> bool:
        return self.verdict == "agrees"


@dataclass
class Trace:
    """A trace file, and the run that made it, with the truth."""

    path: pathlib.Path
    run: Run
    _keep: _Folder | None = field(default=None, repr=False)

    def read(self, **options: Any) -> Table:
        """As `read` of its path."""
        return read(self.path, **options)

    def check(self) -> Comparison:
        return check(self.path)


def open_run(path: Path) -> Run:
    """A run folder that is there. Error: it is none."""
    folder = pathlib.Path(path)
    if not (folder / "summary.json").is_file():
        raise Error(3, f"{folder}: is no run folder (it has no summary.json)")
    return Run(folder)


def _place(output: Path | None, name: str) -> tuple[pathlib.Path, _Folder | None]:
    if output is not None:
        return pathlib.Path(output), None
    keep = _Folder()
    return pathlib.Path(keep.path) / name, keep


def run(scenario: Scenario, *, set: Mapping[str, Any] | None = None, output: Path | None = None,
        folder: Path | None = None, timeout: float | None = None) -> Run:
    """Simulates a scenario: a file, or data as a file would have them.

    set: keys in place of the scenario's, {"perf.0.period": 1000}.
    output: the run folder, which must not exist yet; None: one that is gone with the result.
    folder: where files lie that data name.
    Error: what is wrong with the scenario; subprocess.TimeoutExpired: it took longer, in seconds.
    """
    path, keep = _place(output, "run")
    with _scenario(scenario, folder) as file:
        call(["run", "-o", path, *_settings(set), file], timeout=timeout)
    return Run(path, keep)


def trace(scenario: Scenario, *, format: str = "perf-data", flavour: str | None = None,
          perf_command: str | None = None, switch_events: bool = False,
          window: tuple[int, int] | None = None, set: Mapping[str, Any] | None = None, output: Path | None = None,
          folder: Path | None = None, timeout: float | None = None) -> Trace:
    """Simulates a scenario, and writes it as a file that perf or another tool reads (docs/traces/traces.md).

    perf_command: the one that is meant, as "riscv.perf.0"; None: all.
    window: of a timeline only what begins in these microseconds, the second not among them.
    """
    path, keep = _place(output, "trace")
    words = ["--format", format]
    words += [] if flavour is None else ["--flavour", flavour]
    words += [] if perf_command is None else ["--command", perf_command]
    words += ["--switch-events"] if switch_events else []
    words += [] if window is None else ["--window", f"{window[0]}:{window[1]}"]
    with _scenario(scenario, folder) as file:
        call(["trace", "-o", path, *words, *_settings(set), file], timeout=timeout)
    return Trace(path, Run(pathlib.Path(f"{path}.truth"), keep), keep)


def read(path: Path, *, format: str | None = None, only: str | Sequence[str] | None = None,
         **options: str | int | bool | Path) -> Table:
    """The records of a file of any format that `decode` knows, as a table.

    format: what it is; None: told from the file. only: of perf.data, records of these types.
    options: those of the format, as `countersink decode --help` has them: slots=2, catalog="x.dts",
    power10=True. Error: when it is read, with what is wrong in the file and where.
    """
    words: list[str | os.PathLike[str]] = ["decode", "--format", "csv"]
    if format is not None:
        words += ["--as", format]
    if only is not None:
        words += ["--only", only if isinstance(only, str) else ",".join(only)]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not False:
            words += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    words.append(path)
    return Table(pathlib.Path(path).name, lambda: _decoded_rows(words),
                 lambda: _decoded_arrow(words))


@contextlib.contextmanager
def _decoding(words_: list[str | os.PathLike[str]]) -> Iterator[subprocess.Popen[bytes]]:
    """The command while it writes. What is not read to its end ends it."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([command(), *words_], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=said, env=environment())
        assert process.stdout is not None
        whole = False
        try:
            yield process
            whole = process.stdout.read(1) == b""
        finally:
            process.stdout.close()
            status = process.wait()
        if status != 0 and whole:
            said.seek(0)
            raise Error(status, words(said.read().decode(errors="replace")))


def _decoded_rows(words_: list[str | os.PathLike[str]]) -> Iterator[Sequence[Value]]:
    with _decoding(words_) as process:
        assert process.stdout is not None
        with open(process.stdout.fileno(), newline="", encoding="utf-8", closefd=False) as text:
            for row in csv.reader(text):
                yield [cell if cell != "" else None for cell in row]


def _decoded_arrow(words_: list[str | os.PathLike[str]]) -> pyarrow.Table:
    import pyarrow
    import pyarrow.csv

    with _decoding(words_) as process:
        assert process.stdout is not None
        names = next(csv.reader([process.stdout.readline().decode()]), [])
        if not names:
            return pyarrow.table({})
        try:
            table = pyarrow.csv.read_csv(
                process.stdout,
                read_options=pyarrow.csv.ReadOptions(column_names=names, block_size=1 << 22),
                parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types={n: pyarrow.string() for n in names}, null_values=[""],
                    strings_can_be_null=True))
        except pyarrow.ArrowInvalid as error:
            if "Empty CSV" not in str(error):
                raise
            table = pyarrow.table({n: pyarrow.array([], pyarrow.string()) for n in names})
    return typed(table)


_VERDICTS = {0: "agrees", 1: "disagrees", 4: "cannot say"}


def check(path: Path, *, truth: Path | None = None, format: str | None = None,
          perf_command: str | None = None) -> Comparison:
    """Holds a trace file against the truth of its run. Error: it cannot be read, or the truth."""
    words = ["check", "--format", "json"]
    words += [] if truth is None else ["--truth", os.fspath(truth)]
    words += [] if format is None else ["--as", format]
    words += [] if perf_command is None else ["--command", perf_command]
    done = call([*words, path], good=tuple(_VERDICTS))
    return Comparison(_VERDICTS[done.returncode], json.loads(done.stdout or "[]"), done.stderr)


def compare(scenario: Scenario, *, set: Mapping[str, Any] | None = None,
            folder: Path | None = None, timeout: float | None = None) -> Comparison:
    """Model and RTL side by side: `agrees` where both told and stored the same."""
    with _scenario(scenario, folder) as file:
        done = call(["compare", *_settings(set), file], good=(0, 1), timeout=timeout)
    return Comparison(_VERDICTS[done.returncode], [], done.stdout)
