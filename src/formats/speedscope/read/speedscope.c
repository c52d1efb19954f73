// SPDX-License-Identifier: Apache-2.0
#include "formats/speedscope/read/speedscope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/json_tree.h"

#define SCHEMA "speedscope.app/file-format-schema.json"

typedef struct speedscope {
    const char *name;
    cs_jsontree *tree;
    const cs_jsontree_value *frames, *profiles;
    size_t profile, sample; /* that come next */
    const cs_jsontree_value *samples, *weights;
    char event[512];
    cs_profileread_text stack;
    cs_profileread_row row;
} speedscope;

static cs_status wrong(const speedscope *s, const cs_jsontree_value *at, const char *expected,
                       cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, s->name, "byte 0x%llx: expected %s",
                       (unsigned long long)(at != NULL ? at->offset : 0), expected);
}

/* What must be an array in an object; NULL: it is none. */
static const cs_jsontree_value *array_of(const cs_jsontree_value *object, const char *key)
{
    const cs_jsontree_value *value = cs_jsontree_get(object, key);

    return value != NULL && value->kind == CS_JSON_ARRAY ? value : NULL;
}

static void close_speedscope(void *reader)
{
    speedscope *s = reader;

    cs_jsontree_free(s->tree);
    free(s->stack.text);
    free(s);
}

static cs_status open_speedscope(const cs_byte_source *source, const char *name, void **reader,
                                 cs_diag *diag)
{
    speedscope *s = calloc(1, sizeof *s);
    cs_status status;

    *reader = NULL;
    if (s == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    s->name = name;
    status = cs_jsontree_read(source, name, &s->tree, diag);
    if (status == CS_OK) {
        const cs_jsontree_value *root = cs_jsontree_root(s->tree);

        s->frames = array_of(cs_jsontree_get(root, "shared"), "frames");
        s->profiles = array_of(root, "profiles");
        if (s->frames == NULL)
            status = wrong(s, root, "'shared' with an array 'frames'", diag);
        else if (s->profiles == NULL)
            status = wrong(s, root, "an array 'profiles'", diag);
    }
    if (status != CS_OK) {
        close_speedscope(s);
        return status;
    }
    *reader = s;
    return CS_OK;
}

static cs_status begin_profile(speedscope *s, cs_diag *diag)
{
    const cs_jsontree_value *profile = &s->profiles->values[s->profile];
    const cs_jsontree_value *type = cs_jsontree_get(profile, "type");
    const cs_jsontree_value *name = cs_jsontree_get(profile, "name");

    if (type == NULL || type->kind != CS_JSON_STRING)
        return wrong(s, profile, "a profile with its 'type'", diag);
    if (strcmp(type->text, "evented") == 0)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, s->name,
                           "byte 0x%llx: profiles of type 'evented' are not read, only 'sampled'",
                           (unsigned long long)type->offset);
    if (strcmp(type->text, "sampled") != 0)
        return wrong(s, type, "'sampled'", diag);
    s->samples = array_of(profile, "samples");
    s->weights = array_of(profile, "weights");
    if (s->samples == NULL || s->weights == NULL || s->samples->nr != s->weights->nr)
        return wrong(s, profile, "arrays 'samples' and 'weights' of one length", diag);
    snprintf(s->event, sizeof s->event, "%s",
             name != NULL && name->kind == CS_JSON_STRING ? name->text : "");
    return CS_OK;
}

/* "instructions, CPU 3" */
static void split_event(speedscope *s)
{
    char *comma = strrchr(s->event, ',');
    unsigned cpu;
    int end = 0;

    s->row.event = s->event;
    if (comma == NULL || sscanf(comma, ", CPU %9u%n", &cpu, &end) != 1 || comma[end] != '\0')
        return;
    s->row.has_cpu = true;
    s->row.cpu = cpu;
    *comma = '\0';
}

/* Of the first frame "server (4711)" the number, and the frame is "server". */
static size_t split_process(speedscope *s, const char *name, bool first)
{
    const char *bracket = strrchr(name, '(');
    char *end;

    if (!first || bracket == NULL || bracket - name < 2 || bracket[-1] != ' ')
        return strlen(name);
    errno = 0;
    const long long pid = strtoll(bracket + 1, &end, 10);
    if (errno != 0 || end == bracket + 1 || strcmp(end, ")") != 0)
        return strlen(name);
    s->row.has_pid = true;
    s->row.pid = pid;
    return (size_t)(bracket - name) - 1;
}

static cs_status take_stack(speedscope *s, const cs_jsontree_value *sample, cs_diag *diag)
{
    if (sample->kind != CS_JSON_ARRAY)
        return wrong(s, sample, "an array of numbers of frames", diag);
    if (!cs_profileread_clear(&s->stack))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, s->name, "no memory for a stack");
    for (size_t i = 0; i < sample->nr; i++) {
        uint64_t number;

        if (!cs_jsontree_whole(&sample->values[i], &number) || number >= s->frames->nr)
            return wrong(s, &sample->values[i], "the number of a frame", diag);
        const cs_jsontree_value *name = cs_jsontree_get(&s->frames->values[number], "name");
        if (name == NULL || name->kind != CS_JSON_STRING)
            return wrong(s, &s->frames->values[number], "a frame with its 'name'", diag);
        if (!cs_profileread_push(&s->stack, name->text, split_process(s, name->text, i == 0)))
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, s->name, "no memory for a stack");
    }
    return CS_OK;
}

static cs_status next(void *reader, const cs_profileread_row **row, cs_diag *diag)
{
    speedscope *s = reader;
    cs_status status = CS_OK;

    *row = NULL;
    while (s->samples == NULL || s->sample == s->samples->nr) {
        if (s->samples != NULL)
            s->profile++;
        s->samples = NULL;
        s->sample = 0;
        if (s->profile == s->profiles->nr)
            return CS_OK;
        if ((status = begin_profile(s, diag)) != CS_OK) {
            s->samples = NULL;
            return status;
        }
        s->row = (cs_profileread_row){0};
        split_event(s);
    }
    const cs_jsontree_value *sample = &s->samples->values[s->sample];
    const cs_jsontree_value *weight = &s->weights->values[s->sample];
    uint64_t number = 0;

    s->sample++;
    if (weight->kind != CS_JSON_NUMBER)
        return wrong(s, weight, "a number, the sample's weight", diag);
    s->row.has_pid = false;
    status = take_stack(s, sample, diag);
    if (status != CS_OK)
        return status;
    s->row.offset = sample->offset;
    s->row.weight = weight->text;
    s->row.is_whole = cs_jsontree_whole(weight, &number) && number <= INT64_MAX;
    s->row.number = (int64_t)number;
    s->row.stack = s->stack.text;
    *row = &s->row;
    return CS_OK;
}

const cs_profileread_class cs_speedscoperead = {open_speedscope, next, close_speedscope};

bool cs_speedscoperead_looks_so(const uint8_t *look, size_t bytes)
{
    const size_t length = strlen(SCHEMA);

    for (size_t i = 0; i + length <= bytes && bytes != 0 && look[0] == '{'; i++)
        if (memcmp(look + i, SCHEMA, length) == 0)
            return true;
    return false;
}
