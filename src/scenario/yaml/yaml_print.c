// SPDX-License-Identifier: Apache-2.0
/* The tree as text: block style, one value a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/yaml/yaml.h"

typedef struct writer {
    char *text;
    size_t length;
    size_t size;
    bool failed;
} writer;

static void put(writer *w, const char *bytes, size_t n)
{
    if (w->failed)
        return;
    if (w->size - w->length <= n) {
        size_t size = (w->size + n) * 2 + 256;
        char *text = realloc(w->text, size);

        if (text == NULL) {
            w->failed = true;
            return;
        }
        w->text = text;
        w->size = size;
    }
    memcpy(w->text + w->length, bytes, n);
    w->length += n;
    w->text[w->length] = '\0';
}

static void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_quoted(writer *w, const char *text)
{
    put_text(w, "\"");
    for (; *text != '\0'; text++) {
        char escaped[8];
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", c);
        else if (c < 0x20)
            snprintf(escaped, sizeof escaped, "\\x%02x", c);
        else
            snprintf(escaped, sizeof escaped, "%c", c);
        put_text(w, escaped);
    }
    put_text(w, "\"");
}

/* Plain scalars that need no care are written as they are. */
static void put_scalar(writer *w, const cs_yaml_node *node)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_.";
    bool plain = node->plain && node->text[strspn(node->text, harmless)] == '\0';

    if (plain)
        put_text(w, node->text);
    else
        put_quoted(w, node->text);
}

static void indent(writer *w, unsigned depth)
{
    while (depth-- > 0)
        put_text(w, "  ");
}

static void put_children(writer *w, const cs_yaml_node *node, unsigned depth, bool in_line);

/* A child that is the document's own. */
static bool has_own(const cs_yaml_node *node)
{
    for (const cs_yaml_node *child = node->first; child != NULL; child = child->next)
        if (child->written == NULL)
            return true;
    return false;
}

static void put_value(writer *w, const cs_yaml_node *node, unsigned depth, bool element)
{
    if (node->kind == CS_YAML_SCALAR) {
        put_text(w, " ");
        put_scalar(w, node);
        put_text(w, "\n");
    } else if (!has_own(node)) {
        put_text(w, node->kind == CS_YAML_LIST ? " []\n" : " {}\n");
    } else {
        put_text(w, element ? " " : "\n");
        put_children(w, node, depth + 1, element);
    }
}

/* `in_line`: the first child goes on in the line of a "- ". */
static void put_children(writer *w, const cs_yaml_node *node, unsigned depth, bool in_line)
{
    for (const cs_yaml_node *child = node->first; child != NULL; child = child->next) {
        if (child->written != NULL)
            continue;
        if (!in_line)
            indent(w, depth);
        in_line = false;
        if (node->kind == CS_YAML_MAP) {
            const cs_yaml_node key = {.kind = CS_YAML_SCALAR, .plain = true, .text = child->key};

            put_scalar(w, &key);
            put_text(w, ":");
        } else {
            put_text(w, "-");
        }
        put_value(w, child, depth, node->kind == CS_YAML_LIST);
    }
}

char *cs_yaml_print(const cs_yaml_node *root, const char *comment)
{
    writer w = {0};

    if (comment != NULL) {
        put_text(&w, "# ");
        put_text(&w, comment);
        put_text(&w, "\n");
    }
    if (root->kind == CS_YAML_SCALAR || root->count == 0)
        put_value(&w, root, 0, false);
    else
        put_children(&w, root, 0, false);
    if (w.failed) {
        free(w.text);
        return NULL;
    }
    return w.text;
}
