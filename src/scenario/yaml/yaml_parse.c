// SPDX-License-Identifier: Apache-2.0
/* From libfyaml's events to the tree. */
#include <libfyaml.h>
#include <stdint.h>
#include <string.h>

#include "scenario/yaml/yaml.h"

typedef struct reader {
    cs_yaml *yaml;
    const char *where;
    bool places;
    const char *text; /* all of it */
    cs_diag *diag;
    cs_status status;
    unsigned depth;
    size_t nodes;
    size_t documents;
    cs_yaml_node *root;
    cs_yaml_node *open[CS_YAML_MAX_DEPTH]; /* the lists and maps around */
    cs_yaml_node *key;                     /* of the value that comes next */
} reader;

static bool fail(reader *r, const struct fy_mark *mark, const char *text)
{
    unsigned line = mark != NULL ? (unsigned)mark->line + 1 : 1;
    unsigned column = mark != NULL ? (unsigned)mark->column + 1 : 1;

    r->status = r->places
                    ? cs_diag_set_at(r->diag, CS_ERR_SCENARIO, r->where, line, column, "%s", text)
                    : cs_diag_set(r->diag, CS_ERR_SCENARIO, r->where, "%s", text);
    return false;
}

static bool no_memory(reader *r)
{
    r->status = CS_ERR_NO_MEMORY;
    return false;
}

/* Hangs the node into the tree, as a key, as a value or as the root. */
static bool place(reader *r, cs_yaml_node *node, const struct fy_mark *mark)
{
    cs_yaml_node *parent = r->depth > 0 ? r->open[r->depth - 1] : NULL;

    if (parent == NULL) {
        r->root = node;
    } else if (parent->kind == CS_YAML_LIST) {
        cs_yaml_append(parent, node);
    } else if (r->key == NULL) {
        if (node->kind != CS_YAML_SCALAR)
            return fail(r, mark, "a key must be a word, not a list or a map");
        r->key = node;
    } else {
        node->key = r->key->text;
        node->key_line = r->key->line;
        node->key_column = r->key->column;
        cs_yaml_append(parent, node);
        r->key = NULL;
    }
    return true;
}

static cs_yaml_node *new_node(reader *r, struct fy_event *event, cs_yaml_kind kind)
{
    const struct fy_mark *mark = fy_event_start_mark(event);

    if (++r->nodes > CS_YAML_MAX_NODES) {
        fail(r, mark, "more values than a scenario can have");
        return NULL;
    }
    cs_yaml_node *node = cs_yaml_alloc(r->yaml, sizeof *node, r->diag);
    if (node == NULL) {
        no_memory(r);
        return NULL;
    }
    node->kind = kind;
    node->where = r->where;
    if (r->places) {
        node->line = mark != NULL ? (unsigned)mark->line + 1 : 1;
        node->column = mark != NULL ? (unsigned)mark->column + 1 : 1;
    }
    return node;
}

static bool open_node(reader *r, struct fy_event *event, cs_yaml_kind kind)
{
    cs_yaml_node *node = new_node(r, event, kind);

    if (node == NULL || !place(r, node, fy_event_start_mark(event)))
        return false;
    if (r->depth == CS_YAML_MAX_DEPTH)
        return fail(r, fy_event_start_mark(event), "nested deeper than a scenario can be");
    r->open[r->depth++] = node;
    return true;
}

/* The text of 'this form' in one line, unquoted here: libfyaml 0.7.12 leaks memory
 * over a text with more than some eight doubled quotes. NULL without memory. */
static const char *unquote(reader *r, const struct fy_mark *start, const struct fy_mark *end)
{
    const char *from = r->text + start->input_pos, *to = r->text + end->input_pos;
    char *text = cs_yaml_copy(r->yaml, from, (size_t)(to - from), r->diag);
    size_t n = 0;

    for (; text != NULL && from < to; from++) {
        text[n++] = *from;
        from += *from == '\'';
    }
    if (text != NULL)
        text[n] = '\0';
    return text;
}

/* False with the status set. */
static bool read_text(reader *r, struct fy_token *token, const char **out)
{
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    size_t bytes = 0;

    if (fy_token_scalar_style(token) == FYSS_SINGLE_QUOTED && start->line == end->line) {
        *out = unquote(r, start, end);
        return *out != NULL || no_memory(r);
    }
    const char *text = fy_token_get_text(token, &bytes);
    if (text == NULL)
        bytes = 0;
    if (bytes > 0 && memchr(text, '\0', bytes) != NULL)
        return fail(r, start, "a NUL character");
    *out = cs_yaml_copy(r->yaml, text, bytes, r->diag);
    return *out != NULL || no_memory(r);
}

static bool take_scalar(reader *r, struct fy_event *event)
{
    cs_yaml_node *node = new_node(r, event, CS_YAML_SCALAR);
    enum fy_scalar_style style = fy_token_scalar_style(event->scalar.value);

    if (node == NULL || !read_text(r, event->scalar.value, &node->text))
        return false;
    node->plain = style == FYSS_PLAIN;
    if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && node->column > 1)
        node->column--; /* the mark is that of the text, the place that of the quote */

    const cs_yaml_node *near = r->key != NULL ? r->key
                               : r->depth > 0 ? r->open[r->depth - 1]
                                              : NULL;
    if (node->text[0] == '\0' && node->plain &&
        near != NULL) { /* "key:" or "-", and nothing behind it */
        node->line = near->line;
        node->column = near->column;
    }
    return place(r, node, fy_event_start_mark(event));
}

/* What stands before a value: "&name" and "!tag". */
static bool plain_node(reader *r, struct fy_token *anchor, struct fy_token *tag)
{
    if (anchor != NULL)
        return fail(r, fy_token_start_mark(anchor), "anchors (&) and aliases (*) are not allowed");
    if (tag != NULL)
        return fail(r, fy_token_start_mark(tag), "tags (!) are not allowed");
    return true;
}

static bool take(reader *r, struct fy_event *event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (r->documents++ > 0)
            return fail(r, fy_event_start_mark(event), "a second document; a scenario is one");
        return true;
    case FYET_ALIAS:
        return fail(r, fy_event_start_mark(event), "anchors (&) and aliases (*) are not allowed");
    case FYET_SCALAR:
        return plain_node(r, event->scalar.anchor, event->scalar.tag) && take_scalar(r, event);
    case FYET_SEQUENCE_START:
        return plain_node(r, event->sequence_start.anchor, event->sequence_start.tag) &&
               open_node(r, event, CS_YAML_LIST);
    case FYET_MAPPING_START:
        return plain_node(r, event->mapping_start.anchor, event->mapping_start.tag) &&
               open_node(r, event, CS_YAML_MAP);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        r->depth--;
        return true;
    default:
        return true;
    }
}

static bool syntax_error(reader *r, struct fy_diag *fy)
{
    void *previous = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(fy, &previous);

    if (error == NULL)
        return fail(r, NULL, "not valid YAML");
    struct fy_mark mark = {.line = error->line > 0 ? error->line - 1 : 0,
                           .column = error->column > 0 ? error->column - 1 : 0};
    char text[256] = "not valid YAML: ";
    strncat(text, error->msg != NULL ? error->msg : "", sizeof text - strlen(text) - 1);
    return fail(r, &mark, text);
}

static void read_events(reader *r, const char *text, size_t bytes)
{
    /* Errors are collected; without a file to write to, none is printed. */
    const struct fy_diag_cfg quiet = {.fp = NULL, .level = FYET_ERROR, .module_mask = UINT32_MAX};
    struct fy_diag *fy = fy_diag_create(&quiet);
    if (fy == NULL) {
        r->status = cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "no memory for the YAML parser");
        return;
    }
    fy_diag_set_collect_errors(fy, true);

    const struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 |
                                              FYPCF_JSON_NONE | FYPCF_ALLOW_DUPLICATE_KEYS,
                                     .diag = fy};
    struct fy_parser *parser = fy_parser_create(&cfg);
    if (parser == NULL || fy_parser_set_string(parser, text, bytes) != 0) {
        r->status = cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "no memory for the YAML parser");
    } else {
        for (bool more = true; more;) {
            struct fy_event *event = fy_parser_parse(parser);

            if (event == NULL) {
                if (fy_parser_get_stream_error(parser) || r->documents == 0 || r->depth > 0)
                    syntax_error(r, fy);
                break;
            }
            more = event->type != FYET_STREAM_END && take(r, event);
            fy_parser_event_free(parser, event);
        }
    }
    if (parser != NULL)
        fy_parser_destroy(parser);
    fy_diag_destroy(fy);
}

/* The number of bytes of the UTF-8 character at text, 0 where there is none. */
static size_t utf8_bytes(const unsigned char *text, size_t left)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

    for (size_t n = 0; n < sizeof forms / sizeof forms[0]; n++) {
        if ((text[0] & forms[n].mask) != forms[n].lead)
            continue;
        uint32_t code = text[0] & (unsigned char)~forms[n].mask;
        if (n >= left)
            return 0;
        for (size_t i = 1; i <= n; i++) {
            if ((text[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (text[i] & 0x3fu);
        }
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        return code < forms[n].least || code > 0x10ffff || surrogate ? 0 : n + 1;
    }
    return 0;
}

/* What no text file has; the parser is not asked about such input. */
static bool check_characters(reader *r, const char *text, size_t bytes)
{
    struct fy_mark mark = {0};

    for (size_t i = 0; i < bytes;) {
        unsigned char c = (unsigned char)text[i];
        size_t step = utf8_bytes((const unsigned char *)text + i, bytes - i);

        if (step == 0)
            return fail(r, &mark, "not UTF-8 text");
        if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f)
            return fail(r, &mark, "a control character");
        mark.column = c == '\n' ? 0 : mark.column + 1;
        mark.line += c == '\n';
        i += step;
    }
    return true;
}

cs_status cs_yaml_parse(cs_yaml *yaml, const char *text, size_t bytes, const char *where,
                        bool places, cs_yaml_node **root, cs_diag *diag)
{
    reader r = {.yaml = yaml, .places = places, .text = text, .diag = diag, .status = CS_OK};

    *root = NULL;
    r.where = cs_yaml_copy(yaml, where, strlen(where), diag);
    if (r.where == NULL)
        return CS_ERR_NO_MEMORY;
    if (bytes > CS_YAML_MAX_BYTES)
        return cs_diag_set(diag, CS_ERR_SCENARIO, where,
                           "%zu bytes is more than the %zu that a scenario can have", bytes,
                           CS_YAML_MAX_BYTES);
    if (check_characters(&r, text, bytes))
        read_events(&r, text, bytes);
    if (r.status != CS_OK)
        return r.status;
    if (r.root == NULL) {
        fail(&r, NULL, "the document is empty");
        return r.status;
    }
    *root = r.root;
    return CS_OK;
}
