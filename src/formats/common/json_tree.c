// SPDX-License-Identifier: Apache-2.0
#include "formats/common/json_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"

#define TEXT_BLOCK (1u << 20)

typedef struct block {
    struct block *next;
    size_t used, room;
    char bytes[];
} block;

struct cs_jsontree {
    cs_jsontree_value root;
    block *texts, *lists; /* what texts and values lie in */
    size_t nr_values;
};

/* Values that wait for the end of what they are in, one list behind the other. */
typedef struct reading {
    cs_jsontree *tree;
    cs_json *json;
    const char *name;
    cs_jsontree_value *waiting;
    size_t nr_waiting, room;
} reading;

static void *take(block **list, size_t bytes)
{
    const size_t whole = (bytes + 15) & ~(size_t)15;

    if (*list == NULL || (*list)->room - (*list)->used < whole) {
        const size_t room = whole > TEXT_BLOCK ? whole : TEXT_BLOCK;
        block *fresh = malloc(sizeof *fresh + room);

        if (fresh == NULL)
            return NULL;
        *fresh = (block){.next = *list, .room = room};
        *list = fresh;
    }
    char *out = (*list)->bytes + (*list)->used;
    (*list)->used += whole;
    return out;
}

static void free_blocks(block *list)
{
    while (list != NULL) {
        block *next = list->next;

        free(list);
        list = next;
    }
}

static cs_status no_memory(const reading *r, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, r->name, "no memory for so large a file");
}

static const char *keep(reading *r, const cs_json_token *token)
{
    char *out = take(&r->tree->texts, token->bytes + 1);

    if (out != NULL) {
        memcpy(out, token->text, token->bytes);
        out[token->bytes] = '\0';
    }
    return out;
}

static cs_status read_value(reading *r, const cs_json_token *token, cs_jsontree_value *out,
                            cs_diag *diag);

/* What is in an object or array, up to its end. */
static cs_status read_inside(reading *r, cs_json_kind end, cs_jsontree_value *out, cs_diag *diag)
{
    const size_t first = r->nr_waiting;
    cs_json_token token;
    cs_status status;

    while ((status = cs_json_next(r->json, &token, diag)) == CS_OK && token.kind != end) {
        cs_jsontree_value value = {0};
        const char *key = NULL;

        if (token.kind == CS_JSON_KEY) {
            if ((key = keep(r, &token)) == NULL)
                return no_memory(r, diag);
            status = cs_json_next(r->json, &token, diag);
        }
        if (status == CS_OK)
            status = read_value(r, &token, &value, diag);
        if (status != CS_OK)
            return status;
        value.key = key;
        cs_jsontree_value *waiting = cs_room(r->waiting, &r->room, r->nr_waiting, sizeof *waiting);
        if (waiting == NULL)
            return no_memory(r, diag);
        r->waiting = waiting;
        waiting[r->nr_waiting++] = value;
    }
    if (status != CS_OK)
        return status;
    out->nr = r->nr_waiting - first;
    if (out->nr != 0) {
        cs_jsontree_value *values = take(&r->tree->lists, out->nr * sizeof *values);

        if (values == NULL)
            return no_memory(r, diag);
        memcpy(values, &r->waiting[first], out->nr * sizeof *values);
        out->values = values;
    }
    r->nr_waiting = first;
    return CS_OK;
}

static cs_status read_value(reading *r, const cs_json_token *token, cs_jsontree_value *out,
                            cs_diag *diag)
{
    out->kind = token->kind;
    out->offset = token->offset;
    if (++r->tree->nr_values > CS_JSONTREE_MOST_VALUES)
        return cs_diag_set(diag, CS_ERR_FORMAT, r->name,
                           "byte 0x%llx: found more than %u values, expected a profile",
                           (unsigned long long)token->offset, CS_JSONTREE_MOST_VALUES);
    if (token->kind == CS_JSON_OBJECT)
        return read_inside(r, CS_JSON_OBJECT_END, out, diag);
    if (token->kind == CS_JSON_ARRAY)
        return read_inside(r, CS_JSON_ARRAY_END, out, diag);
    if (token->text != NULL && (out->text = keep(r, token)) == NULL)
        return no_memory(r, diag);
    return CS_OK;
}

cs_status cs_jsontree_read(const cs_byte_source *source, const char *name, cs_jsontree **out,
                           cs_diag *diag)
{
    reading r = {.tree = calloc(1, sizeof *r.tree), .name = name};
    cs_json_token token = {0};
    cs_status status;

    *out = NULL;
    if (r.tree == NULL)
        return no_memory(&r, diag);
    status = cs_json_open(source, name, false, &r.json, diag);
    if (status == CS_OK)
        status = cs_json_next(r.json, &token, diag);
    if (status == CS_OK && token.kind == CS_JSON_END)
        status = cs_diag_set(diag, CS_ERR_FORMAT, name, "byte 0x0: the file is empty");
    if (status == CS_OK)
        status = read_value(&r, &token, &r.tree->root, diag);
    if (status == CS_OK)
        status = cs_json_next(r.json, &token, diag); /* nothing may follow */
    cs_json_close(r.json);
    free(r.waiting);
    if (status != CS_OK) {
        cs_jsontree_free(r.tree);
        return status;
    }
    *out = r.tree;
    return CS_OK;
}

void cs_jsontree_free(cs_jsontree *tree)
{
    if (tree == NULL)
        return;
    free_blocks(tree->texts);
    free_blocks(tree->lists);
    free(tree);
}

const cs_jsontree_value *cs_jsontree_root(const cs_jsontree *tree)
{
    return &tree->root;
}

const cs_jsontree_value *cs_jsontree_get(const cs_jsontree_value *object, const char *key)
{
    if (object == NULL || object->kind != CS_JSON_OBJECT)
        return NULL;
    for (size_t i = object->nr; i-- > 0;)
        if (strcmp(object->values[i].key, key) == 0)
            return &object->values[i];
    return NULL;
}

bool cs_jsontree_whole(const cs_jsontree_value *value, uint64_t *out)
{
    char *end;

    if (value == NULL || value->kind != CS_JSON_NUMBER || value->text[0] == '-')
        return false;
    errno = 0;
    *out = strtoull(value->text, &end, 10);
    return errno == 0 && *end == '\0';
}
