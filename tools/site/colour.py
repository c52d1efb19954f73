# SPDX-License-Identifier: Apache-2.0
"""The language of a block of a page. Pages indent their blocks and name no language; a block whose language
is not certain stays plain."""
import re

import pygments.lexers
from pygments.token import Error

COMMAND = re.compile(r"\./|build/|tools/|\.ci/|(countersink|sqlite3|perf|cmake|ctest|cc|export|python|gtkwave|cp|rm|"
                     r"mkdir|babeltrace2|go|gprof2dot|pip|verilator|iverilog|vvp) ")
KEY = re.compile(r"(- )*(\{|[\w'\"./<>-]+:( |$))|- ")
C_LINE = re.compile(r"[;{}]$|^#include|^ *(/\*|//)")
SYSTEM_VERILOG = re.compile(r"^ *(module|assign|always_\w+|logic|import \"DPI-C\")\b")
PYTHON = re.compile(r"^(import|from) \w+|^\w+ = \w+|^(for|with) .*:$|^ *(print|assert)\b|^\w+(\.\w+)+\(.*\)")


def whole(pattern, lines, least=1.0):
    """Whether at least that part of the lines begins so."""
    return sum(bool(pattern.search(line)) for line in lines) >= least * len(lines)


def guess(block):
    lines = [line for line in block.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return "text"
    if any(line.startswith("$ ") for line in lines):
        return "console"
    begins = [line for line, before in zip(lines, ["", *lines])
              if not line.startswith(" ") and not before.endswith("\\") and before.count("'") % 2 == 0]
    if begins and all(COMMAND.match(line) for line in begins):
        return "bash"
    if whole(SYSTEM_VERILOG, lines, 0.4):
        return "systemverilog"
    tops = [line.split(":")[0] for line in lines if not line.startswith((" ", "-"))]
    if re.match(r"[a-z_]\w*:( |$)|- ", lines[0]) and len(set(tops)) == len(tops) \
            and all(KEY.match(line.strip()) for line in lines):
        return "yaml"
    if whole(C_LINE, lines, 0.5) and any(";" in line for line in lines):
        return "c"
    if whole(PYTHON, lines, 0.7):
        return "python"
    return "text"


def language(block):
    """guess(), or text where its lexer does not understand the block."""
    found = guess(block)
    lexer = pygments.lexers.get_lexer_by_name(found)
    return "text" if any(kind is Error for kind, _ in lexer.get_tokens(block)) else found
