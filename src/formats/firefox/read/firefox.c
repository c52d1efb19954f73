// SPDX-License-Identifier: Apache-2.0
#include "formats/firefox/read/firefox.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/gzip_read.h"
#include "formats/common/json_tree.h"

#define VERSION_KEY "\"preprocessedProfileVersion\""
#define MOST_FRAMES 4096u

/* Columns of a thread that are needed; those that are not there are NULL. */
typedef struct columns {
    const cs_jsontree_value *stack, *time, *deltas, *weight; /* of samples */
    const cs_jsontree_value *prefix, *offset, *frame;        /* of stacks */
    const cs_jsontree_value *address, *func;                 /* of frames */
    const cs_jsontree_value *name;                           /* of functions */
    const cs_jsontree_value *strings;
} columns;

typedef struct firefox {
    const char *name;
    uint8_t *bytes;
    size_t size, at; /* of the file, as the JSON reader takes it */
    cs_jsontree *tree;
    const cs_jsontree_value *threads;
    size_t thread, sample; /* that come next */
    bool open;             /* `thread` has begun */
    columns of;
    double ms; /* of the last sample, where times are deltas */
    char event[512], process[128];
    cs_profileread_text stack;
    cs_profileread_row row;
} firefox;

static cs_status wrong(const firefox *f, const cs_jsontree_value *at, const char *expected,
                       cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, f->name, "byte 0x%llx: expected %s",
                       (unsigned long long)(at != NULL ? at->offset : 0), expected);
}

static cs_status give(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    firefox *f = ctx;

    (void)diag;
    *got = bytes < f->size - f->at ? bytes : f->size - f->at;
    if (*got != 0)
        memcpy(out, f->bytes + f->at, *got);
    f->at += *got;
    return CS_OK;
}

static void close_firefox(void *reader)
{
    firefox *f = reader;

    cs_jsontree_free(f->tree);
    free(f->bytes);
    free(f->stack.text);
    free(f);
}

static cs_status open_tree(firefox *f, cs_diag *diag)
{
    const cs_byte_source source = {give, f};
    cs_status status = cs_jsontree_read(&source, f->name, &f->tree, diag);

    if (status != CS_OK)
        return status;
    const cs_jsontree_value *root = cs_jsontree_root(f->tree);
    const cs_jsontree_value *version =
        cs_jsontree_get(cs_jsontree_get(root, "meta"), "preprocessedProfileVersion");
    if (version == NULL)
        return wrong(f, root, "a processed profile: 'meta' with 'preprocessedProfileVersion'",
                     diag);
    f->threads = cs_jsontree_get(root, "threads");
    if (f->threads == NULL || f->threads->kind != CS_JSON_ARRAY)
        return wrong(f, root, "an array 'threads'", diag);
    return CS_OK;
}

static cs_status open_firefox(const cs_byte_source *source, const char *name, void **reader,
                              cs_diag *diag)
{
    firefox *f = calloc(1, sizeof *f);

    *reader = NULL;
    if (f == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    f->name = name;
    cs_status status = cs_gzip_read(source, name, &f->bytes, &f->size, diag);
    if (status == CS_OK)
        status = open_tree(f, diag);
    if (status != CS_OK) {
        close_firefox(f);
        return status;
    }
    *reader = f;
    return CS_OK;
}

/* ---- threads ---- */

static const cs_jsontree_value *array_of(const cs_jsontree_value *object, const char *key)
{
    const cs_jsontree_value *value = cs_jsontree_get(object, key);

    return value != NULL && value->kind == CS_JSON_ARRAY ? value : NULL;
}

static const char *text_of(const cs_jsontree_value *value)
{
    return value != NULL && value->kind == CS_JSON_STRING ? value->text : "";
}

/* A table of the thread's own, or that of all. */
static const cs_jsontree_value *table_of(const firefox *f, const cs_jsontree_value *thread,
                                         const char *key)
{
    const cs_jsontree_value *own = cs_jsontree_get(thread, key);

    return own != NULL ? own
                       : cs_jsontree_get(cs_jsontree_get(cs_jsontree_root(f->tree), "shared"), key);
}

/* "instructions, CPU 3" */
static void split_event(firefox *f)
{
    char *comma = strrchr(f->event, ',');
    unsigned cpu;
    int end = 0;

    f->row.event = f->event;
    if (comma == NULL || sscanf(comma, ", CPU %9u%n", &cpu, &end) != 1 || comma[end] != '\0')
        return;
    f->row.has_cpu = true;
    f->row.cpu = cpu;
    *comma = '\0';
}

static void take_process(firefox *f, const cs_jsontree_value *thread)
{
    const cs_jsontree_value *pid = cs_jsontree_get(thread, "pid");
    char *end;

    snprintf(f->process, sizeof f->process, "%s", text_of(cs_jsontree_get(thread, "processName")));
    if (pid == NULL || (pid->kind != CS_JSON_STRING && pid->kind != CS_JSON_NUMBER))
        return;
    f->row.pid = strtoll(pid->text, &end, 10);
    f->row.has_pid = end != pid->text && *end == '\0';
}

static cs_status begin_thread(firefox *f, cs_diag *diag)
{
    const cs_jsontree_value *thread = &f->threads->values[f->thread];
    const cs_jsontree_value *samples = cs_jsontree_get(thread, "samples");
    const cs_jsontree_value *stacks = table_of(f, thread, "stackTable"),
                            *frames = table_of(f, thread, "frameTable"),
                            *functions = table_of(f, thread, "funcTable");

    f->of = (columns){
        .stack = array_of(samples, "stack"),
        .time = array_of(samples, "time"),
        .deltas = array_of(samples, "timeDeltas"),
        .weight = array_of(samples, "weight"),
        .prefix = array_of(stacks, "prefix"),
        .offset = array_of(stacks, "prefixOffset"),
        .frame = array_of(stacks, "frame"),
        .address = array_of(frames, "address"),
        .func = array_of(frames, "func"),
        .name = array_of(functions, "name"),
        .strings = table_of(f, thread, "stringArray"),
    };
    if (f->of.stack == NULL)
        return wrong(f, thread, "a thread with 'samples' and their 'stack'", diag);
    if ((f->of.prefix == NULL && f->of.offset == NULL) || f->of.frame == NULL ||
        f->of.func == NULL || f->of.name == NULL || f->of.strings == NULL ||
        f->of.strings->kind != CS_JSON_ARRAY)
        return wrong(f, thread, "tables of stacks, frames, functions and strings", diag);
    snprintf(f->event, sizeof f->event, "%s", text_of(cs_jsontree_get(thread, "name")));
    f->row = (cs_profileread_row){0};
    split_event(f);
    take_process(f, thread);
    f->sample = 0;
    f->ms = 0;
    f->open = true;
    return CS_OK;
}

/* ---- samples ---- */

/* Number `at` of a column of numbers. */
static bool number_at(const cs_jsontree_value *column, uint64_t at, uint64_t *out)
{
    return column != NULL && at < column->nr && cs_jsontree_whole(&column->values[at], out);
}

/* Stack `*at` is that of its caller; false: it has none. */
static bool turn_to_caller(const firefox *f, uint64_t *at)
{
    uint64_t number;

    if (f->of.prefix != NULL) {
        if (!number_at(f->of.prefix, *at, &number))
            return false;
        *at = number;
        return true;
    }
    if (!number_at(f->of.offset, *at, &number) || number == 0 || number > *at)
        return false;
    *at -= number;
    return true;
}

static cs_status take_stack(firefox *f, const cs_jsontree_value *stack, cs_diag *diag)
{
    uint64_t at, frames[MOST_FRAMES], func, name;
    size_t nr = 0;

    if (!cs_profileread_clear(&f->stack) ||
        (f->process[0] != '\0' && !cs_profileread_push(&f->stack, f->process, strlen(f->process))))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, f->name, "no memory for a stack");
    f->row.has_address = false;
    if (stack->kind == CS_JSON_NULL)
        return CS_OK;
    if (!cs_jsontree_whole(stack, &at))
        return wrong(f, stack, "the number of a stack, or null", diag);
    do {
        if (nr == MOST_FRAMES || !number_at(f->of.frame, at, &frames[nr]))
            return wrong(f, stack, "a stack of at most 4096 frames of the table", diag);
        nr++;
    } while (turn_to_caller(f, &at));
    for (size_t i = nr; i-- > 0;) {
        if (!number_at(f->of.func, frames[i], &func) || !number_at(f->of.name, func, &name) ||
            name >= f->of.strings->nr)
            return wrong(f, stack, "a frame with a function that has a name", diag);
        const char *text = text_of(&f->of.strings->values[name]);
        if (strcmp(text, CS_PROFILEREAD_NO_ADDRESS) == 0 && nr == 1)
            return CS_OK;
        if (!cs_profileread_push(&f->stack, text, strlen(text)))
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, f->name, "no memory for a stack");
    }
    f->row.has_address = number_at(f->of.address, frames[0], &f->row.address);
    return CS_OK;
}

/* Milliseconds as a text of JSON. */
static void take_time(firefox *f)
{
    const cs_jsontree_value *times = f->of.time != NULL ? f->of.time : f->of.deltas;
    char *end;

    f->row.has_time = false;
    if (times == NULL || f->sample >= times->nr || times->values[f->sample].kind != CS_JSON_NUMBER)
        return;
    const double ms = strtod(times->values[f->sample].text, &end);
    f->ms = f->of.time != NULL ? ms : f->ms + ms;
    if (!(f->ms >= 0) || f->ms > 1e13)
        return;
    f->row.has_time = true;
    f->row.time_ns = (uint64_t)llround(f->ms * 1e6);
}

static cs_status next(void *reader, const cs_profileread_row **row, cs_diag *diag)
{
    firefox *f = reader;
    cs_status status;

    *row = NULL;
    while (!f->open || f->sample == f->of.stack->nr) {
        f->thread += f->open;
        f->open = false;
        if (f->thread == f->threads->nr)
            return CS_OK;
        if ((status = begin_thread(f, diag)) != CS_OK)
            return status;
    }
    const cs_jsontree_value *stack = &f->of.stack->values[f->sample];
    uint64_t number = 1;

    status = take_stack(f, stack, diag);
    if (status != CS_OK)
        return status;
    take_time(f);
    f->row.offset = stack->offset;
    f->row.weight = "1";
    f->row.is_whole = true;
    if (f->of.weight != NULL && f->sample < f->of.weight->nr) {
        const cs_jsontree_value *weight = &f->of.weight->values[f->sample];

        if (weight->kind != CS_JSON_NUMBER)
            return wrong(f, weight, "a number, the sample's weight", diag);
        f->row.weight = weight->text;
        f->row.is_whole = cs_jsontree_whole(weight, &number) && number <= INT64_MAX;
    }
    f->row.number = (int64_t)number;
    f->row.stack = f->stack.text;
    f->sample++;
    *row = &f->row;
    return CS_OK;
}

const cs_profileread_class cs_firefoxread = {open_firefox, next, close_firefox};

bool cs_firefoxread_looks_so(const uint8_t *look, size_t bytes)
{
    const size_t length = strlen(VERSION_KEY);

    for (size_t i = 0; i + length <= bytes && look[0] == '{'; i++)
        if (memcmp(look + i, VERSION_KEY, length) == 0)
            return true;
    return false;
}
