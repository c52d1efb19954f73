# SPDX-License-Identifier: Apache-2.0
"""The library of C models: found, loaded, declared once."""
from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Any

POINTER, NUMBER, WIDE = ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint64
DATA = ctypes.POINTER(ctypes.c_uint64)
BUS = ctypes.CFUNCTYPE(NUMBER, POINTER, NUMBER, NUMBER, WIDE, NUMBER, ctypes.POINTER(ctypes.c_uint8),
                       WIDE, DATA)

_FUNCTIONS: list[tuple[str, Any, list[Any]]] = [
    ("create", POINTER, [ctypes.c_char_p]), ("destroy", None, [POINTER]),
    ("error", ctypes.c_char_p, []), ("mode", None, [POINTER, NUMBER]),
    ("event", None, [POINTER, NUMBER, NUMBER]), ("time", None, [POINTER, WIDE]),
    ("access", WIDE, [POINTER, NUMBER, NUMBER, WIDE]), ("exception", NUMBER, [POINTER]),
    ("predict", WIDE, [POINTER, NUMBER]), ("irq", NUMBER, [POINTER]),
    ("step", NUMBER, [POINTER]), ("failure", ctypes.c_char_p, [POINTER]), ("cycle", WIDE, [POINTER]),
    ("corepmu_create", POINTER, [ctypes.c_char_p]), ("corepmu_destroy", None, [POINTER]),
    ("corepmu_rate", NUMBER, [POINTER, NUMBER, WIDE, WIDE]),
    ("corepmu_context", None, [POINTER, NUMBER, NUMBER, NUMBER]),
    ("corepmu_access", NUMBER, [POINTER, WIDE, NUMBER, NUMBER, NUMBER, DATA]),
    ("pmcu_create", POINTER, [ctypes.c_char_p, BUS, POINTER]), ("pmcu_destroy", None, [POINTER]),
    ("pmcu_access", NUMBER, [POINTER, NUMBER, NUMBER, NUMBER, DATA]),
    ("pmcu_advance", WIDE, [POINTER, WIDE]), ("pmcu_cycle", WIDE, [POINTER]),
    ("pmcu_next", WIDE, [POINTER]), ("pmcu_irq", NUMBER, [POINTER])]


def _load() -> ctypes.CDLL:
    given = os.environ.get("COUNTERSINK_GOLDEN")
    own = pathlib.Path(__file__).resolve().parent / "lib" / "libcountersink_golden.so"
    library = ctypes.CDLL(given or str(own))
    for name, result, arguments in _FUNCTIONS:
        function = getattr(library, f"cs_golden_{name}")
        function.restype = result
        function.argtypes = arguments
    return library


_library: ctypes.CDLL | None = None


def golden() -> ctypes.CDLL:
    global _library
    if _library is None:
        _library = _load()
    return _library


def words(settings: dict[str, int]) -> bytes:
    return " ".join(f"{name}={int(value)}" for name, value in settings.items()).encode()


def refused() -> ValueError:
    return ValueError(golden().cs_golden_error().decode())
