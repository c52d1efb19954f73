# SPDX-License-Identifier: Apache-2.0
"""python -m countersink parquet PATH -o FOLDER: samples and truth of a run as Parquet files."""
from __future__ import annotations

import argparse
import sys

from ._command import Error
from ._parquet import to_parquet


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m countersink")
    commands = parser.add_subparsers(dest="command", required=True)
    parquet = commands.add_parser("parquet", help="samples and truth of a run as Parquet files")
    parquet.add_argument("path", help="a scenario (.yaml), a run folder, or a trace with its truth beside it")
    parquet.add_argument("-o", "--output", required=True, metavar="FOLDER", help="must not exist yet")
    parquet.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                         help="of a scenario: a key in place of its own")
    given = parser.parse_args()
    settings = dict(s.split("=", 1) for s in given.set if "=" in s)
    if len(settings) != len(given.set):
        parser.error("--set: expected KEY=VALUE, each key once")
    try:
        for path in to_parquet(given.path, given.output, set=settings):
            print(path)
    except (Error, ValueError, OSError) as error:
        print(f"countersink: {error}", file=sys.stderr)
        return error.status if isinstance(error, Error) else 2
    except ImportError:
        print("countersink: Parquet needs pyarrow: pip install pyarrow", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
