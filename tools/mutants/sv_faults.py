# SPDX-License-Identifier: Apache-2.0
"""Faults in SystemVerilog, found in the syntax tree of tree-sitter."""
import re

from schemata import Mutant, count_alike

import tree_sitter
import tree_sitter_systemverilog

BINARY = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "+", "<<": ">>", ">>": "<<", "&": "|",
    "|": "&", "^": "|", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&",
}
KINDS = {"+": "arithmetic", "-": "arithmetic", "*": "arithmetic", "/": "arithmetic",
         "%": "arithmetic", "<<": "shift", ">>": "shift", "&": "bits", "|": "bits", "^": "bits",
         "&&": "logic", "||": "logic"}

# What must stay constant.
LEFT_ALONE = {
    "ERROR", "constant_expression", "constant_range", "packed_dimension", "unpacked_dimension",
    "parameter_port_list", "parameter_declaration", "local_parameter_declaration", "net_lvalue",
    "event_control", "for_initialization", "for_step", "genvar_initialization", "genvar_iteration",
    "casting_type", "case_item_expression", "list_of_port_declarations", "function_declaration",
    "constant_primary", "parameter_value_assignment", "initial_construct", "package_declaration",
    "data_type",
}
SIZED = re.compile(r"^(\d+)'([bdh])([0-9a-fA-F_]+)$")
DECLARATION = (" int cs_mutant; initial cs_mutant = $c32(\"(std::getenv(\\\"CS_MUTANT\\\") ? "
               "std::atoi(std::getenv(\\\"CS_MUTANT\\\")) : 0)\"); ")
# Warnings that a fault may bring.
WAIVED = ("WIDTH SELRANGE UNUSED CMPCONST UNSIGNED CASEINCOMPLETE CASEOVERLAP UNOPTFLAT LATCH "
          "ALWCOMBORDER BLKSEQ VARHIDDEN UNDRIVEN COMBDLY INITIALDLY WIDTHCONCAT").split()


def parse(source):
    language = tree_sitter.Language(tree_sitter_systemverilog.language())
    return tree_sitter.Parser(language).parse(source).root_node


class Finder:
    def __init__(self, path, source):
        self.path, self.source, self.found, self.scope = path, source, [], ""
        self.in_reset = False

    def text(self, node):
        return self.source[node.start_byte:node.end_byte].decode()

    def add(self, node, operator, new, statement=False):
        self.found.append(Mutant(self.path, self.scope, operator, node.start_byte, node.end_byte,
                                 node.start_point[0] + 1, node.end_point[0] + 1, self.text(node),
                                 new, statement))

    def walk(self, node):
        if node.type in LEFT_ALONE:
            return
        method = getattr(self, "at_" + node.type, None)
        if method is not None and method(node) == "done":
            return
        for child in node.named_children:
            self.walk(child)

    def at_module_declaration(self, node):
        name = re.search(r"\bmodule\s+(\w+)", self.text(node))
        self.scope = name.group(1) if name else ""

    def at_loop_generate_construct(self, node):
        for child in node.named_children:
            if child.type not in ("genvar_expression", "constant_expression"):
                self.walk(child)
        return "done"

    def at_loop_statement(self, node):
        # The header must be constant: what follows it is the body.
        for child in node.named_children:
            if child.type in ("statement_or_null", "statement"):
                self.walk(child)
        return "done"

    def at_multiple_concatenation(self, node):
        for child in node.named_children[1:]:
            self.walk(child)
        return "done"

    def at_named_port_connection(self, node):
        if re.match(r"\.\s*\w+_o\b", self.text(node)):
            return "done"
        return None

    # --- expressions ---

    def at_expression(self, node):
        if node.child_count == 3 and node.children[1].type in BINARY:
            left, operator, right = node.children
            self.add(node, KINDS.get(operator.type, "relation"),
                     f"({self.text(left)}) {BINARY[operator.type]} ({self.text(right)})")
        elif node.child_count == 2 and node.children[0].type == "unary_operator":
            operator, argument = self.text(node.children[0]), self.text(node.children[1])
            if operator in ("!", "~"):
                self.add(node, "unary", argument)
            elif operator in ("|", "&"):
                self.add(node, "unary", ("&" if operator == "|" else "|") + argument)

    def at_primary_literal(self, node):
        text = self.text(node).strip()
        if text in ("'0", "'1"):
            self.add(node, "constant", "'1" if text == "'0" else "'0")
            return
        sized = SIZED.match(text)
        if sized:
            width, base = int(sized.group(1)), {"b": 2, "d": 10, "h": 16}[sized.group(2)]
            value = int(sized.group(3).replace("_", ""), base)
            for other in {(value + 1) % (1 << width), (value - 1) % (1 << width)}:
                if other != value and (width == 1 or value != 0 or other == 1):
                    self.add(node, "constant", f"{width}'d{other}")
        elif text.isdigit():
            self.add(node, "constant", str(int(text) + 1))

    def at_primary(self, node):
        match = re.fullmatch(r"([\w.]+)\[(\d+):(\d+)\]", self.text(node))
        if match and int(match.group(3)) > 0:
            name, high, low = match.groups()
            self.add(node, "select", f"{name}[{int(high) - 1}:{int(low) - 1}]")

    def negate(self, condition):
        if re.search(r"[=!]=", self.text(condition)) and "&&" not in self.text(condition) and \
                "||" not in self.text(condition):
            return # the relation's own fault
        self.add(condition, "condition", f"!({self.text(condition)})")

    def at_cond_predicate(self, node):
        if node.named_child_count == 1 and self.text(node) != "!rst_ni":
            self.negate(node.named_children[0])

    def at_conditional_statement(self, node):
        """A register that is not reset begins with zero all the same, where two states are
        simulated: statements that reset are not dropped."""
        predicate = node.named_children[0]
        if self.text(predicate) != "!rst_ni":
            return None
        before, self.in_reset = self.in_reset, True
        self.walk(node.named_children[1])
        self.in_reset = before
        for child in node.named_children[2:]:
            self.walk(child)
        return "done"

    def at_case_statement(self, node):
        value = next((child for child in node.named_children
                      if child.type in ("expression", "case_expression")), None)
        if value is None or "(" in self.text(value):
            return
        labels = []
        for item in node.named_children:
            if item.type == "case_item" and item.named_children and \
                    item.named_children[0].type == "case_item_expression":
                labels.append(self.text(item.named_children[0]))
        v = self.text(value)
        for a, b in zip(labels, labels[1:]):
            if "?" not in a + b:
                self.add(value, "arms", f"({v}) == ({a}) ? ({b}) : ({v}) == ({b}) ? ({a}) : ({v})")

    # --- statements ---

    def at_statement(self, node):
        item = node.named_children[0] if node.named_children else None
        if item is None or item.type != "statement_item" or self.in_reset:
            return
        kind = item.named_children[0].type if item.named_children else ""
        if kind in ("nonblocking_assignment", "blocking_assignment"):
            self.add(node, "dropped", "", True)


def find(path, source):
    finder = Finder(path, source)
    finder.walk(parse(source))
    return count_alike(finder.found)


def place_of_declaration(source):
    """The byte that begins the line behind the module's header."""
    def header(node):
        if node.type in ("module_ansi_header", "module_nonansi_header"):
            return source.index(b"\n", node.end_byte) + 1
        for child in node.named_children:
            at = header(child)
            if at is not None:
                return at
        return None
    return header(parse(source))


def declaration(_path):
    return DECLARATION


def waivers():
    return "".join(f"/* verilator lint_off {name} */ " for name in WAIVED)
