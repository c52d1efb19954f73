# SPDX-License-Identifier: Apache-2.0
"""Tables: rows of Python, pandas or Arrow, from wherever they come."""
from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Value = int | float | str | None

INT64 = range(-2**63, 2**63)
UINT64 = range(2**64)


def _number(text: str) -> int | float | None:
    try:
        return int(text, 16) if text.startswith("0x") else int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


class Table:
    """Columns with names. Nothing is read before it is asked for, and each asking reads anew.

    A column is of integers where all its values are (of unsigned ones where they stand as "0x.."), else
    of floats where all are numbers, else of texts. What is empty is None, in pandas NA. A text of a
    database stays one, whatever is in it.
    """

    def __init__(self, name: str, rows: Callable[[], Iterator[Sequence[Value]]],
                 arrow: Callable[[], pa.Table] | None = None, *, typed: bool = False) -> None:
        """typed: values have their types, and are no texts of a file."""
        self.name = name
        self._rows = rows
        self._arrow = arrow
        self._typed = typed

    def __repr__(self) -> str:
        return f"<countersink.Table {self.name}>"

    @property
    def columns(self) -> list[str]:
        names = next(self._rows(), [])
        return [str(n) for n in names]

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """Rows as dictionaries, one after the other. A number is a number; a column's other rows are
        not looked at."""
        rows = self._rows()
        names = [str(n) for n in next(rows, [])]
        for row in rows:
            yield dict(zip(names, row if self._typed else map(_plain, row)))

    def _columns(self) -> dict[str, list[Value]]:
        rows = self._rows()
        names = [str(n) for n in next(rows, [])]
        columns: list[list[Value]] = [[] for _ in names]
        while some := list(itertools.islice(rows, 4096)):  # rows in pieces stay in the cache
            for column, values in zip(columns, zip(*some)):
                column.extend(values)
        return dict(zip(names, columns))

    def rows(self) -> list[dict[str, Value]]:
        return list(self)

    def arrow(self) -> pa.Table:
        """A pyarrow.Table; needs pyarrow."""
        if self._arrow is not None:
            return self._arrow()
        import pyarrow

        return pyarrow.table({n: _arrow_column(c, self._typed) for n, c in self._columns().items()})

    def pandas(self) -> pd.DataFrame:
        """A pandas.DataFrame; needs pandas. That of a trace is quicker with pyarrow."""
        import pandas

        if self._typed:
            return self._pandas_alone()
        try:
            table = self.arrow()
        except ImportError:
            return self._pandas_alone()
        types = {str(t()).lower(): t() for t in (pandas.Int64Dtype, pandas.UInt64Dtype)}
        holes = {n for n in table.column_names if table.column(n).null_count}
        frame: pd.DataFrame = table.select([n for n in table.column_names if n not in holes]).to_pandas()
        if not holes:
            return frame
        some: pd.DataFrame = table.select(sorted(holes)).to_pandas(
            types_mapper=lambda t: types.get(str(t)))
        whole: pd.DataFrame = pandas.concat([frame, some], axis=1)[table.column_names]
        return whole

    def _pandas_alone(self) -> pd.DataFrame:
        import pandas

        return pandas.DataFrame(
            {n: _pandas_column(c, self._typed) for n, c in self._columns().items()})

    def parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a Parquet file (zstd); needs pyarrow."""
        import pyarrow.parquet

        pyarrow.parquet.write_table(self.arrow(), os.fspath(path), compression="zstd")


def _plain(value: Value) -> Value:
    if not isinstance(value, str):
        return value
    number = _number(value) if value[:1] in "-.0123456789" else None
    return value if number is None else number


def _kind(column: Sequence[Value], typed: bool) -> str:
    """int64, uint64, float or text."""
    numbers = column if typed else [_plain(v) for v in column if v is not None]
    kinds = set(map(type, numbers)) - {type(None)}
    if kinds == {int}:
        first = next(v for v in column if v is not None)
        if typed:  # a database has no others
            return "int64"
        if isinstance(first, str) and first.startswith("0x"):
            return "uint64"
        whole = [n for n in numbers if isinstance(n, int)]
        if min(whole) in INT64 and max(whole) in INT64:
            return "int64"
        if min(whole) in UINT64 and max(whole) in UINT64:
            return "uint64"
    return "float" if kinds and kinds <= {int, float} else "text"


def _values(column: Sequence[Value], kind: str, typed: bool) -> Sequence[Value]:
    if kind == "text":
        return [v if v is None else str(v) for v in column]
    return column if typed else [_plain(v) for v in column]


def _pandas_column(column: Sequence[Value], typed: bool) -> pd.Series:
    import numpy
    import pandas

    kind = _kind(column, typed)
    values = _values(column, kind, typed)
    if kind == "text":
        return pandas.Series(values, dtype=object)
    if kind == "float":
        return pandas.Series(values, dtype="float64")
    if None not in values:
        return pandas.Series(numpy.array(values, kind))
    return pandas.Series(values, dtype=kind.replace("int", "Int").replace("uInt", "UInt"))


def _arrow_column(column: Sequence[Value], typed: bool) -> pa.Array:
    import pyarrow

    kind = _kind(column, typed)
    values = _values(column, kind, typed)
    if kind == "text":
        return pyarrow.array(values, pyarrow.string())
    type_ = {"int64": pyarrow.int64(), "uint64": pyarrow.uint64(), "float": pyarrow.float64()}[kind]
    return pyarrow.array([float(v) if kind == "float" and v is not None else v for v in values],
                         type_)


def typed(table: pa.Table) -> pa.Table:
    """Columns of texts as what they hold, by Arrow itself: quick for millions of rows."""
    import pyarrow

    def better(column: pa.ChunkedArray) -> pa.ChunkedArray:
        if column.null_count == len(column):
            return column
        first = str(column.drop_null()[0].as_py())
        types = [pyarrow.uint64()] if first.startswith("0x") else [
            pyarrow.int64(), pyarrow.uint64(), pyarrow.float64()]
        for type_ in types:  # Arrow takes 0xffffffffffffffff for an int64, too
            try:
                return column.cast(type_)
            except pyarrow.ArrowInvalid:
                continue
        return column

    return pyarrow.table({n: better(table.column(n)) for n in table.column_names})
