# SPDX-License-Identifier: Apache-2.0
"""Faults in C and C++, found in the syntax tree of tree-sitter."""
from schemata import Mutant, count_alike

import tree_sitter
import tree_sitter_c
import tree_sitter_cpp

BINARY = {
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["+"],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"],
    "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"],
}
ASSIGNED = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<="}
KINDS = {"+": "arithmetic", "-": "arithmetic", "*": "arithmetic", "/": "arithmetic",
         "%": "arithmetic", "<<": "shift", ">>": "shift", "&": "bits", "|": "bits", "^": "bits",
         "&&": "logic", "||": "logic"}

# What must stay constant, or is no code of ours.
LEFT_ALONE = {
    "ERROR", "array_declarator", "sizeof_expression", "static_assert_declaration",
    "enum_specifier", "struct_specifier", "subscript_designator", "preproc_if", "preproc_ifdef",
    "preproc_def", "preproc_function_def", "template_argument_list", "attribute_declaration",
    "string_literal", "lambda_capture_specifier", "alignas_qualifier", "type_descriptor",
    "parameter_list", "throw_statement",
}
LANGUAGES = {".c": tree_sitter_c, ".cpp": tree_sitter_cpp, ".hpp": tree_sitter_cpp}


def parse(path, source):
    suffix = "." + path.rsplit(".", 1)[1]
    language = tree_sitter.Language(LANGUAGES[suffix].language())
    return tree_sitter.Parser(language).parse(source).root_node


class Finder:
    def __init__(self, path, source):
        self.path, self.source, self.found, self.scope = path, source, [], ""

    def text(self, node):
        return self.source[node.start_byte:node.end_byte].decode()

    def add(self, node, operator, new, statement=False):
        self.found.append(Mutant(self.path, self.scope, operator, node.start_byte, node.end_byte,
                                 node.start_point[0] + 1, node.end_point[0] + 1, self.text(node),
                                 new, statement))

    def outside(self, node):
        """Looks for functions."""
        if node.type == "function_definition":
            declarator = node.child_by_field_name("declarator")
            body = node.child_by_field_name("body")
            if body is None or declarator is None or "constexpr" in self.head(node, body):
                return
            while declarator.child_by_field_name("declarator") is not None:
                declarator = declarator.child_by_field_name("declarator")
            self.scope = self.text(declarator).split("(")[0].strip()
            self.inside(body)
            return
        if node.type.startswith("preproc_"):
            return
        for child in node.named_children:
            self.outside(child)

    def head(self, node, body):
        return self.source[node.start_byte:body.start_byte].decode()

    def inside(self, node):
        if node.type in LEFT_ALONE:
            return
        if node.type == "declaration" and self.text(node).startswith(("static ", "constexpr ")):
            return
        if node.type == "call_expression" and self.text(node).startswith(("assert(", "assert (")):
            return
        method = getattr(self, "at_" + node.type, None)
        if method is not None:
            method(node)
        for child in node.named_children:
            if node.type == "case_statement" and child == node.child_by_field_name("value"):
                continue
            self.inside(child)

    # --- expressions ---

    def at_binary_expression(self, node):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = self.text(node.child_by_field_name("operator"))
        for other in BINARY.get(operator, []):
            self.add(node, KINDS.get(operator, "relation"),
                     f"({self.text(left)}) {other} ({self.text(right)})")

    def at_unary_expression(self, node):
        operator = node.children[0].type
        if operator in ("!", "~"):
            self.add(node, "unary", self.text(node.child_by_field_name("argument")))

    def at_number_literal(self, node):
        text = self.text(node)
        call = node.parent.parent # UINT32_C(1) takes a number alone
        if call.type == "call_expression" and self.text(call).startswith(("UINT", "INT")):
            return
        if any(mark in text for mark in ".'") or ("e" in text and not text.startswith("0x")):
            return
        self.add(node, "constant", f"{text} + 1")
        if text.rstrip("uUlL") not in ("0", "1"):
            self.add(node, "constant", f"{text} - 1")

    def negate(self, node, condition):
        if condition is None:
            return
        while condition.type in ("parenthesized_expression", "condition_clause"):
            if condition.named_child_count != 1 or condition.named_children[0].type == "declaration":
                return
            condition = condition.named_children[0]
        if condition.type == "binary_expression" and \
                self.text(condition.child_by_field_name("operator")) in ("==", "!="):
            return # the relation's own fault
        self.add(condition, "condition", f"!({self.text(condition)})")

    def at_if_statement(self, node):
        if "constexpr" not in self.text(node)[:14]:
            self.negate(node, node.child_by_field_name("condition"))

    def at_conditional_expression(self, node):
        self.negate(node, node.child_by_field_name("condition"))

    def at_switch_statement(self, node):
        condition = node.child_by_field_name("condition")
        body = node.child_by_field_name("body")
        value = self.text(condition)
        if "(" in value[1:-1] or "=" in value:
            return
        labels = [self.text(case.child_by_field_name("value")) for case in body.named_children
                  if case.type == "case_statement" and
                  case.child_by_field_name("value") is not None]
        inner = condition.named_children[0]
        for a, b in zip(labels, labels[1:]):
            v = self.text(inner)
            self.add(inner, "arms", f"({v}) == ({a}) ? ({b}) : ({v}) == ({b}) ? ({a}) : ({v})")

    # --- statements ---

    def at_expression_statement(self, node):
        if not node.named_children or node == node.parent.child_by_field_name("initializer"):
            return
        expression = node.named_children[0]
        if expression.type == "assignment_expression":
            operator = self.text(expression.child_by_field_name("operator"))
            if operator in ASSIGNED:
                left, right = (expression.child_by_field_name(n) for n in ("left", "right"))
                self.add(node, "assigned", f"{self.text(left)} {ASSIGNED[operator]} "
                                           f"{self.text(right)};", True)
        elif expression.type == "update_expression":
            text = self.text(expression)
            other = text.replace("++", "--") if "++" in text else text.replace("--", "++")
            self.add(node, "assigned", other + ";", True)
        elif expression.type != "call_expression" or \
                self.text(expression).startswith(("assert", "static_cast<void>")):
            return
        self.add(node, "dropped", "", True)

    def at_break_statement(self, node):
        if node.parent.type not in ("case_statement", "compound_statement"):
            self.add(node, "dropped", "", True)

    def at_continue_statement(self, node):
        self.add(node, "dropped", "", True)

    def at_return_statement(self, node):
        above = node.parent
        if above.type == "compound_statement":
            above = above.parent
        if above.type == "if_statement":
            self.add(node, "dropped", "", True)


def find(path, source):
    finder = Finder(path, source)
    finder.outside(parse(path, source))
    return count_alike(finder.found)


def place_of_declaration(path, source):
    """A byte at the file's outermost level where a declaration may stand, above all functions."""
    for node in parse(path, source).named_children:
        if not node.type.startswith("preproc_") and node.type != "comment":
            return node.start_byte
    return 0


# Below zero no mutant is switched on, and those that are reached are noted.
ASKS = "(cs_mutant < 0 ? (cs_reached[{0}] = 1, 0) : cs_mutant == {0})"


def declaration(path):
    text = "extern int cs_mutant; extern unsigned char *cs_reached; "
    return text if path.endswith(".c") else 'extern "C" { ' + text + "} "
