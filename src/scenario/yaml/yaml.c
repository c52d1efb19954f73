// SPDX-License-Identifier: Apache-2.0
#include "scenario/yaml/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 65536u

typedef struct chunk chunk;
struct chunk {
    chunk *next;
    size_t used;
    size_t size;
    max_align_t data[];
};

struct cs_yaml {
    chunk *chunks;
};

cs_status cs_yaml_create(cs_yaml **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a YAML document");
    return CS_OK;
}

void cs_yaml_destroy(cs_yaml *yaml)
{
    if (yaml == NULL)
        return;
    for (chunk *c = yaml->chunks; c != NULL;) {
        chunk *next = c->next;

        free(c);
        c = next;
    }
    free(yaml);
}

void *cs_yaml_alloc(cs_yaml *yaml, size_t bytes, cs_diag *diag)
{
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    chunk *c = yaml->chunks;
    if (c == NULL || c->size - c->used < bytes) {
        size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;

        c = calloc(1, sizeof *c + size);
        if (c == NULL) {
            cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a YAML document");
            return NULL;
        }
        c->size = size;
        c->next = yaml->chunks;
        yaml->chunks = c;
    }
    void *memory = (char *)c->data + c->used;
    c->used += bytes;
    return memory;
}

char *cs_yaml_copy(cs_yaml *yaml, const char *text, size_t bytes, cs_diag *diag)
{
    char *copy = cs_yaml_alloc(yaml, bytes + 1, diag);

    if (copy != NULL && bytes > 0)
        memcpy(copy, text, bytes);
    return copy;
}

void cs_yaml_append(cs_yaml_node *parent, cs_yaml_node *child)
{
    if (parent->last == NULL)
        parent->first = child;
    else
        parent->last->next = child;
    parent->last = child;
    parent->count++;
}

static bool is_key(const cs_yaml_node *node, const char *step, size_t bytes)
{
    return strncmp(node->key, step, bytes) == 0 && node->key[bytes] == '\0';
}

/* 0, 1, 2 ...; false for anything else. */
static bool is_number(const char *step, size_t bytes, size_t *number)
{
    *number = 0;
    if (bytes == 0 || bytes > 9 || (bytes > 1 && step[0] == '0'))
        return false;
    for (size_t i = 0; i < bytes; i++) {
        if (step[i] < '0' || step[i] > '9')
            return false;
        *number = *number * 10 + (size_t)(step[i] - '0');
    }
    return true;
}

cs_yaml_node *cs_yaml_child(const cs_yaml_node *parent, const char *step, size_t bytes)
{
    size_t number;

    if (parent->kind == CS_YAML_MAP) {
        for (cs_yaml_node *node = parent->first; node != NULL; node = node->next)
            if (is_key(node, step, bytes))
                return node;
    } else if (parent->kind == CS_YAML_LIST && is_number(step, bytes, &number)) {
        for (cs_yaml_node *node = parent->first; node != NULL; node = node->next)
            if (number-- == 0)
                return node;
    }
    return NULL;
}

cs_yaml_node *cs_yaml_find(cs_yaml_node *root, const char *path, cs_yaml_node **nearest)
{
    cs_yaml_node *node = root;

    if (nearest != NULL)
        *nearest = node;
    while (*path != '\0') {
        size_t bytes = strcspn(path, ".");

        node = cs_yaml_child(node, path, bytes);
        if (node == NULL)
            return NULL;
        if (nearest != NULL)
            *nearest = node;
        path += bytes + (path[bytes] == '.');
    }
    return node;
}

void cs_yaml_written(cs_yaml_node *root, const char *path, char *out, size_t size)
{
    const char *rest = path;

    snprintf(out, size, "%s", path);
    for (const cs_yaml_node *node = root; *rest != '\0' && node != NULL;) {
        const size_t bytes = strcspn(rest, ".");

        node = cs_yaml_child(node, rest, bytes);
        rest += bytes + (rest[bytes] == '.');
        if (node != NULL && node->written != NULL)
            snprintf(out, size, "%s%s%s", node->written, *rest != '\0' ? "." : "", rest);
    }
}

unsigned cs_yaml_turn(const cs_yaml_node *root, const char *path)
{
    unsigned latest = 0;

    for (const cs_yaml_node *node = root; *path != '\0' && node != NULL;) {
        size_t bytes = strcspn(path, ".");

        node = cs_yaml_child(node, path, bytes);
        if (node != NULL && node->turn > latest)
            latest = node->turn;
        path += bytes + (path[bytes] == '.');
    }
    return latest;
}

void cs_yaml_remove(cs_yaml_node *root, const char *path)
{
    const size_t bytes = strcspn(path, ".");
    cs_yaml_node *gone = cs_yaml_child(root, path, bytes), *last = NULL;

    if (gone == NULL)
        return;
    if (path[bytes] == '.') {
        cs_yaml_remove(gone, path + bytes + 1);
        if (gone->kind != CS_YAML_MAP || gone->count > 0)
            return;
    }
    for (cs_yaml_node **at = &root->first; *at != NULL;) {
        if (*at == gone) {
            *at = gone->next;
        } else {
            last = *at;
            at = &last->next;
        }
    }
    root->last = last;
    root->count--;
}

/* "--set a.b=c" */
static const char *set_name(cs_yaml *yaml, const char *assignment, cs_diag *diag)
{
    size_t bytes = strlen(assignment);
    char *name = cs_yaml_alloc(yaml, bytes + sizeof "--set ", diag);

    if (name != NULL) {
        memcpy(name, "--set ", 6);
        memcpy(name + 6, assignment, bytes);
    }
    return name;
}

cs_status cs_yaml_set(cs_yaml *yaml, cs_yaml_node *root, const char *assignment, unsigned turn,
                      cs_diag *diag)
{
    const char *equals = strchr(assignment, '=');
    const char *where = set_name(yaml, assignment, diag);
    cs_yaml_node *value;

    if (where == NULL)
        return CS_ERR_NO_MEMORY;
    if (equals == NULL || equals == assignment || equals[-1] == '.' || assignment[0] == '.')
        return cs_diag_set(diag, CS_ERR_SCENARIO, where,
                           "a.b.c=value is expected, the path of a key and its new value");
    cs_status status =
        cs_yaml_parse(yaml, equals + 1, strlen(equals + 1), where, false, &value, diag);
    if (status != CS_OK)
        return status;

    cs_yaml_node *node = root;
    for (const char *step = assignment; step < equals;) {
        size_t bytes = strcspn(step, ".=");
        int shown = (int)(step - assignment + (ptrdiff_t)bytes);
        cs_yaml_node *child = cs_yaml_child(node, step, bytes);
        size_t number;

        if (child == NULL) {
            if (node->kind == CS_YAML_SCALAR)
                return cs_diag_set(diag, CS_ERR_SCENARIO, where,
                                   "%.*s: what is above it is a value", shown, assignment);
            if (node->kind == CS_YAML_LIST &&
                (!is_number(step, bytes, &number) || number != node->count))
                return cs_diag_set(diag, CS_ERR_SCENARIO, where,
                                   "%.*s: the list has %zu elements, 0 to %zu can be set (%zu "
                                   "appends)",
                                   shown, assignment, node->count, node->count, node->count);
            child = cs_yaml_alloc(yaml, sizeof *child, diag);
            if (child == NULL)
                return CS_ERR_NO_MEMORY;
            child->kind = CS_YAML_MAP;
            child->where = where;
            if (node->kind == CS_YAML_MAP) {
                child->key = cs_yaml_copy(yaml, step, bytes, diag);
                if (child->key == NULL)
                    return CS_ERR_NO_MEMORY;
            }
            cs_yaml_append(node, child);
        }
        node = child;
        step += bytes + 1;
    }

    /* The new value in the old one's place. */
    value->key = node->key;
    value->turn = turn;
    value->next = node->next;
    *node = *value;
    return CS_OK;
}

cs_status cs_yaml_read(const char *path, char **text, size_t *bytes, cs_diag *diag)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    cs_status status = CS_OK;

    *text = NULL;
    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot be opened: %s", strerror(errno));
    *text = malloc(CS_YAML_MAX_BYTES + 1);
    errno = 0;
    if (*text == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a YAML document");
    else
        *bytes = fread(*text, 1, CS_YAML_MAX_BYTES + 1, file);
    if (status == CS_OK && ferror(file))
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot be read: %s", strerror(errno));
    if (!standard)
        fclose(file);
    if (status != CS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
