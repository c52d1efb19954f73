# SPDX-License-Identifier: Apache-2.0
"""Mutants of a file, all in one text: each is an alternative that is chosen at run time.

An expression `a + b` becomes `(cs_mutant == 17 ? (a - b) : (a + b))`, a statement `x = y;` becomes
`{ if (!(cs_mutant == 18)) x = y; }`. Lines stay where they were, so that what a compiler says of a
line can be told of its mutants. How a language asks for a number is `asks`: C also notes which
mutants are reached.
"""
import dataclasses
import hashlib


@dataclasses.dataclass
class Mutant:
    path: str       # of the file, below the tree
    scope: str      # function or module
    operator: str   # what kind of fault
    start: int      # the bytes that change
    end: int
    line: int       # 1 is the first
    last_line: int
    old: str
    new: str        # the alternative; "" drops a statement
    statement: bool = False
    nth: int = 0    # of those that are alike in this scope
    number: int = 0 # in a build; 0: not in it
    unit: str = ""
    kind: str = ""

    @property
    def key(self):
        words = (self.path, self.scope, self.operator, " ".join(self.old.split()),
                 " ".join(self.new.split()), str(self.nth))
        return hashlib.sha1("|".join(words).encode()).hexdigest()[:10]

    def describe(self):
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path}:{self.line} ({self.scope}): {old} -> {new or 'dropped'}"


def count_alike(mutants):
    """Tells those apart that are alike but for their place."""
    seen = {}
    for mutant in mutants:
        alike = (mutant.scope, mutant.operator, " ".join(mutant.old.split()),
                 " ".join(mutant.new.split()))
        mutant.nth = seen.get(alike, 0)
        seen[alike] = mutant.nth + 1
    return mutants


def flat(text):
    """The text on one line: a schema must not move lines."""
    return " ".join(line.split("//")[0].strip() for line in text.splitlines())


class Rewriter:
    """Writes a source with its mutants; `block` is how the language writes a block, `asks` how it
    asks whether the mutant {0} is switched on."""

    def __init__(self, source, mutants, block, asks="cs_mutant == {0}"):
        self.source, self.block, self.asks = source, block, asks
        self.groups = {}
        for mutant in mutants:
            span = (mutant.start, -mutant.end, mutant.statement)
            self.groups.setdefault(span, []).append(mutant)
        # Outer spans before inner ones; of the same span statements are outside.
        self.spans = sorted(self.groups, key=lambda span: (span[0], span[1], not span[2]))

    def text(self, start, end):
        return self.source[start:end].decode()

    def render(self, start, end, spans):
        """The bytes from start to end, with the schemata of these spans, which lie in them."""
        out, at, index = [], start, 0
        while index < len(spans):
            span = spans[index]
            inner = index + 1
            while inner < len(spans) and spans[inner][0] < -span[1]:
                inner += 1
            out.append(self.text(at, span[0]))
            body = self.render(span[0], -span[1], spans[index + 1:inner])
            out.append(self.schema(self.groups[span], body))
            at, index = -span[1], inner
        out.append(self.text(at, end))
        return "".join(out)

    def schema(self, group, body):
        begin, end = self.block
        if not group[0].statement:
            for mutant in group:
                body = f"({self.asks.format(mutant.number)} ? ({flat(mutant.new)}) : ({body}))"
            return body
        for mutant in group:
            on = self.asks.format(mutant.number)
            if mutant.new:
                body = f"if ({on}) {flat(mutant.new)} else {body}"
            else:
                body = f"if (!({on})) {body}"
            body = f"{begin} {body} {end}"
        return body

    def whole(self, declaration, at):
        """All of the source, with the declaration at byte `at` of it."""
        first = [span for span in self.spans if span[0] < at]
        rest = [span for span in self.spans if span[0] >= at]
        return (self.render(0, at, first) + declaration +
                self.render(at, len(self.source), rest))
