# SPDX-License-Identifier: Apache-2.0
"""The golden counter block for cocotb, or any Python (docs/yours/testbench.md).

    golden = Golden(xlen=32, modes=1, counters=0x18, width=40)
    ...
    golden.event(CYCLES, 1)
    golden.event(INSTRET, int(dut.retired.value))
    assert golden.access(0xB00) == dut.rdata.value
    golden.step()
"""
import ctypes
import os
import pathlib

CYCLES, INSTRET = 1, 2
READ, WRITE, SET, CLEAR = range(4)


def _library():
    """COUNTERSINK_GOLDEN, or beside this file, or in ../../ of where it is installed."""
    here = pathlib.Path(__file__).resolve().parent
    lib = here.parent.parent.parent / "lib"
    places = [os.environ.get("COUNTERSINK_GOLDEN"), here / "libcountersink_golden.so",
              lib / "libcountersink_golden.so", *lib.glob("*/libcountersink_golden.so")]
    for place in places:
        if place and pathlib.Path(place).exists():
            return ctypes.CDLL(str(place))
    raise OSError("libcountersink_golden.so is not there: set COUNTERSINK_GOLDEN to its path")


_lib = _library()
for _name, _result, _arguments in [
        ("create", ctypes.c_void_p, [ctypes.c_char_p]),
        ("destroy", None, [ctypes.c_void_p]),
        ("error", ctypes.c_char_p, []),
        ("mode", None, [ctypes.c_void_p, ctypes.c_uint]),
        ("event", None, [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]),
        ("time", None, [ctypes.c_void_p, ctypes.c_uint64]),
        ("access", ctypes.c_uint64,
         [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint64]),
        ("exception", ctypes.c_uint, [ctypes.c_void_p]),
        ("predict", ctypes.c_uint64, [ctypes.c_void_p, ctypes.c_uint]),
        ("irq", ctypes.c_uint, [ctypes.c_void_p]),
        ("step", ctypes.c_int, [ctypes.c_void_p]),
        ("failure", ctypes.c_char_p, [ctypes.c_void_p]),
        ("cycle", ctypes.c_uint64, [ctypes.c_void_p])]:
    getattr(_lib, "cs_golden_" + _name).restype = _result
    getattr(_lib, "cs_golden_" + _name).argtypes = _arguments


def _checked(what, value, most):
    """ctypes would cut what is too large, and the block would get another number."""
    if not 0 <= value <= most:
        raise ValueError(f"{what} is {value}, expected 0..{most}")
    return value


class Golden:
    """A block in reset, in cycle 0. ValueError: settings that do not go together; and, of each function, a number
    that cannot be."""

    def __init__(self, **settings):
        text = " ".join(f"{name}={int(value)}" for name, value in settings.items())
        self._golden = _lib.cs_golden_create(text.encode())
        if not self._golden:
            raise ValueError(_lib.cs_golden_error().decode())

    def __del__(self):
        if getattr(self, "_golden", None):
            _lib.cs_golden_destroy(self._golden)

    def mode(self, mode):
        _lib.cs_golden_mode(self._golden, _checked("mode", mode, 5))

    def event(self, number, increment):
        """The increment of an event in this cycle, 0 to 15."""
        _lib.cs_golden_event(self._golden, _checked("event", number, 255), _checked("increment", increment, 15))

    def time(self, value):
        _lib.cs_golden_time(self._golden, _checked("time", value, 2**64 - 1))

    def access(self, csr, op=READ, operand=0):
        """The CSR instruction of this cycle: its old value; None with an exception."""
        value = _lib.cs_golden_access(self._golden, _checked("csr", csr, 0xfff), _checked("op", op, CLEAR),
                                      _checked("operand", operand, 2**64 - 1))
        return None if _lib.cs_golden_exception(self._golden) else value

    @property
    def exception(self):
        return _lib.cs_golden_exception(self._golden)

    def predict(self, csr):
        """What a read in M mode would see; nothing happens."""
        return _lib.cs_golden_predict(self._golden, _checked("csr", csr, 0xfff))

    @property
    def irq(self):
        return _lib.cs_golden_irq(self._golden)

    @property
    def cycle(self):
        return _lib.cs_golden_cycle(self._golden)

    def step(self):
        """The cycle ends. ValueError: an argument was wrong, or a second access came in a cycle."""
        if _lib.cs_golden_step(self._golden):
            raise ValueError(_lib.cs_golden_failure(self._golden).decode())
