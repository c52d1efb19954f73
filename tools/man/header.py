# SPDX-License-Identifier: Apache-2.0
"""A public C header taken apart: what it is for, and its items, each with the comment that belongs to it.

It knows what our headers are like, not C: a comment of its own lines is before what it is about, one at the
end of a line after it; items without an empty line between them are a group, and share a comment."""
import re

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
PLUS_PLUS = re.compile(r"^#ifdef __cplusplus\n.*?^#endif\n", re.M | re.S)


class Item:
    """A macro, a type, a function or a variable: its text as it stands there, without the comment before it."""

    def __init__(self, text):
        self.text = text
        self.bare = re.sub(r"\s+", " ", COMMENT.sub("", text)).strip()
        if text.startswith("#define"):
            self.kind = "macro"
        elif re.match(r"(__extension__ )?typedef\b", self.bare) or re.match(r"(struct|enum|union)\b[^(]*;$", self.bare):
            self.kind = "type"
        elif self.bare.startswith("extern"):
            self.kind = "variable"
        else:
            self.kind = "function"

    @property
    def declaration(self):
        """A function as it is declared, without attributes and body."""
        bare = re.sub(r"\s*__attribute__\(\(.*\)\)", "", self.bare)
        return re.sub(r"\s*(;|\{.*\})$", "", bare).replace("static inline ", "").replace("CS_GOLDEN_API ", "") + ";"

    def names(self):
        """What it brings into scope, tags and enumerators among them."""
        if self.kind == "macro":
            return [re.match(r"#define\s+(\w+)", self.text)[1]]
        if self.kind == "variable":
            return [re.search(r"(\w+)(\[[^\]]*\])*;$", self.bare)[1]]
        if self.kind == "function":
            return [re.search(r"(\w+)\s*\(", re.sub(r"__attribute__.*", "", self.bare))[1]]
        found = re.findall(r"\b(?:struct|enum|union) (\w+)(?= \{|;| \w+;)", self.bare)
        if enumerators := re.match(r"(?:typedef )?enum[^{]*\{(.*)\}", self.bare):
            found += re.findall(r"(?:^|,)\s*(\w+)", enumerators[1])
        if "typedef" in self.bare:
            pointer = re.search(r"\(\*(\w+)\)\s*\(", self.bare)
            found.append(pointer[1] if pointer and "{" not in self.bare
                         else re.search(r"(\w+)(\[[^\]]*\])?;$", self.bare)[1])
        return list(dict.fromkeys(found))


class Group:
    def __init__(self, comment):
        self.comment = comment
        self.items = []


def text_of(comment):
    lines = [re.sub(r"^ \* ?", "", line) for line in comment.split("\n")]
    return "\n".join(line.rstrip() for line in lines).strip()


def end_of(text, begin):
    """Behind the declaration: its `;`, or the `}` of a function's body."""
    depth = 0
    at = begin
    while at < len(text):
        if text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(text[at], 0)
        if depth == 0 and text[at] == ";":
            return at + 1
        if depth == 0 and text[at] == "}" and re.match(r"static inline\b", text[begin:]):
            return at + 1
        at += 1
    raise ValueError(f"a declaration without an end: {text[begin:begin + 60]!r}")


def parse(text):
    """(what it is for, its groups)."""
    about = ""
    text = re.sub(r"^// SPDX-.*\n", "", text)
    if text.startswith("/*"):
        about = text_of(COMMENT.match(text)[1])
        text = text[COMMENT.match(text).end():]
    text = PLUS_PLUS.sub("\n", text)
    text = re.sub(r"^#ifndef \w+\n#define \w+\n", "", text, count=1, flags=re.M)
    text = re.sub(r"^#(include|endif|if|ifdef|ifndef|elif|else|error|undef).*\n", "\n", text, flags=re.M)
    groups, at, comment, open_group = [], 0, "", None
    while True:
        space = re.compile(r"\s*").match(text, at)
        if space[0].count("\n") > 1:
            comment, open_group = "", None
        at = space.end()
        if at == len(text):
            return about, groups
        if text.startswith("/*", at):
            found = COMMENT.match(text, at)
            comment, open_group, at = text_of(found[1]), None, found.end()
            continue
        if text.startswith("#define", at):
            end = re.compile(r"(?:\\\n|[^\n])*").match(text, at).end()
        else:
            end = end_of(text, at)
            if trailing := re.compile(r"[ \t]*/\*.*?\*/(?=\s*\n)", re.S).match(text, end):
                end = trailing.end()
        if open_group is None:
            open_group = Group(comment)
            groups.append(open_group)
        open_group.items.append(Item(text[at:end].rstrip()))
        comment, at = "", end
