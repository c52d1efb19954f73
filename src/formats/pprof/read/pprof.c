// SPDX-License-Identifier: Apache-2.0
#include "formats/pprof/read/pprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "formats/common/gzip_read.h"
#include "formats/common/proto_read.h"

#define MOST_TYPES 4096u

/* What has an id: a function's name, a location's address and lines. */
typedef struct entry {
    uint64_t id;
    uint64_t value; /* of a function: the string of its name; of a location: its address */
    cs_protoread_field message;
} entry;

typedef struct entries {
    entry *list;
    size_t nr, room;
} entries;

typedef struct fields {
    cs_protoread_field *list;
    size_t nr, room;
} fields;

typedef struct pprof {
    const char *name;
    uint8_t *bytes;
    size_t size;
    fields strings, types, samples;
    entries functions, locations;
    size_t sample, value; /* that come next */
    uint64_t values[MOST_TYPES];
    size_t nr_values;
    char event[512], weight[24];
    cs_profileread_text stack;
    cs_profileread_row row;
} pprof;

/* ---- fields ---- */

static const cs_protoread_spec of_function[] = {{1, CS_PROTO_NUMBER, "Function.id"},
                                                {2, CS_PROTO_NUMBER, "Function.name"}};
static const cs_protoread_spec of_location[] = {{1, CS_PROTO_NUMBER, "Location.id"},
                                                {3, CS_PROTO_NUMBER, "Location.address"}};
static const cs_protoread_spec of_type[] = {{1, CS_PROTO_NUMBER, "ValueType.type"}};
static const cs_protoread_spec of_label[] = {{1, CS_PROTO_NUMBER, "Label.key"},
                                             {2, CS_PROTO_NUMBER, "Label.str"},
                                             {3, CS_PROTO_NUMBER, "Label.num"}};
static const cs_protoread_spec of_line[] = {{1, CS_PROTO_NUMBER, "Line.function_id"}};
static const cs_protoread_spec location_ids = {1, CS_PROTO_NUMBERS, "Sample.location_id"};
static const cs_protoread_spec sample_values = {2, CS_PROTO_NUMBERS, "Sample.value"};
static const cs_protoread_spec sample_labels = {3, CS_PROTO_TEXT, "Sample.label"};
static const cs_protoread_spec location_lines = {4, CS_PROTO_TEXT, "Location.line"};

static cs_status no_memory(const pprof *p, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, p->name, "no memory for a profile");
}

static cs_status wrong(const pprof *p, uint64_t offset, const char *what, uint64_t found,
                       const char *expected, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                       "byte 0x%llx (unpacked): %s is %llu, expected %s",
                       (unsigned long long)offset, what, (unsigned long long)found, expected);
}

static cs_protoread whole(const pprof *p, cs_diag *diag)
{
    return (cs_protoread){.bytes = p->bytes, .left = p->size, .name = p->name, .diag = diag};
}

static cs_protoread inside(const pprof *p, const cs_protoread_field *field, cs_diag *diag)
{
    const cs_protoread parent = whole(p, diag);

    return cs_protoread_begin(&parent, field);
}

/* ---- tables ---- */

static cs_status keep(pprof *p, fields *to, const cs_protoread_field *field, cs_diag *diag)
{
    cs_protoread_field *list = cs_room(to->list, &to->room, to->nr, sizeof *list);

    if (list == NULL)
        return no_memory(p, diag);
    to->list = list;
    list[to->nr++] = *field;
    return CS_OK;
}

static cs_status keep_entry(pprof *p, entries *to, const cs_protoread_spec specs[2],
                            const cs_protoread_field *field, cs_diag *diag)
{
    cs_protoread_field found[2];
    cs_status status = cs_protoread_take(inside(p, field, diag), specs, 2, found);

    if (status != CS_OK)
        return status;
    if (found[0].value == 0)
        return wrong(p, field->offset, specs[0].name, 0, "a number from 1 on", diag);
    entry *list = cs_room(to->list, &to->room, to->nr, sizeof *list);
    if (list == NULL)
        return no_memory(p, diag);
    to->list = list;
    list[to->nr++] = (entry){found[0].value, found[1].value, *field};
    return CS_OK;
}

static int by_id(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static const entry *entry_of(const entries *of, uint64_t id)
{
    const entry key = {.id = id};

    return of->nr != 0 ? bsearch(&key, of->list, of->nr, sizeof key, by_id) : NULL;
}

static cs_status take_field(pprof *p, const cs_protoread_field *field, cs_diag *diag)
{
    static const char *const names[] = {"",         "sample_type", "sample",      "mapping",
                                        "location", "function",    "string_table"};

    if (field->number > 6)
        return CS_OK;
    if (field->wire != CS_PROTO_BYTES)
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte 0x%llx (unpacked): Profile.%s has wire type %u, expected 2",
                           (unsigned long long)field->offset, names[field->number],
                           (unsigned)field->wire);
    switch (field->number) {
    case 1:
        return keep(p, &p->types, field, diag);
    case 2:
        return keep(p, &p->samples, field, diag);
    case 4:
        return keep_entry(p, &p->locations, of_location, field, diag);
    case 5:
        return keep_entry(p, &p->functions, of_function, field, diag);
    case 6:
        return keep(p, &p->strings, field, diag);
    default:
        return CS_OK;
    }
}

static cs_status read_tables(pprof *p, cs_diag *diag)
{
    cs_protoread message = whole(p, diag);
    cs_protoread_field field;
    cs_status status;

    while ((status = cs_protoread_next(&message, &field)) == CS_OK && field.number != 0)
        if ((status = take_field(p, &field, diag)) != CS_OK)
            return status;
    if (status != CS_OK)
        return status;
    if (p->types.nr == 0 || p->strings.nr == 0 || p->strings.list[0].length != 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "found no kinds of values, or a table of texts that does not begin with "
                           "an empty one, expected a pprof profile");
    if (p->types.nr > MOST_TYPES)
        return wrong(p, p->types.list[0].offset, "the number of kinds of values", p->types.nr,
                     "at most 4096", diag);
    if (p->functions.nr != 0)
        qsort(p->functions.list, p->functions.nr, sizeof(entry), by_id);
    if (p->locations.nr != 0)
        qsort(p->locations.list, p->locations.nr, sizeof(entry), by_id);
    return CS_OK;
}

static void close_pprof(void *reader)
{
    pprof *p = reader;

    free(p->bytes);
    free(p->strings.list);
    free(p->types.list);
    free(p->samples.list);
    free(p->functions.list);
    free(p->locations.list);
    free(p->stack.text);
    free(p);
}

static cs_status open_pprof(const cs_byte_source *source, const char *name, void **reader,
                            cs_diag *diag)
{
    pprof *p = calloc(1, sizeof *p);
    cs_status status;

    *reader = NULL;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    p->name = name;
    status = cs_gzip_read(source, name, &p->bytes, &p->size, diag);
    if (status == CS_OK)
        status = read_tables(p, diag);
    if (status != CS_OK) {
        close_pprof(p);
        return status;
    }
    *reader = p;
    return CS_OK;
}

/* ---- samples ---- */

static cs_status string_at(const pprof *p, uint64_t number, uint64_t offset,
                           const cs_protoread_field **out, cs_diag *diag)
{
    *out = &p->strings.list[0];
    if (number >= p->strings.nr)
        return wrong(p, offset, "the number of a text", number, "one of the table's", diag);
    *out = &p->strings.list[number];
    return CS_OK;
}

/* The lines of a location, of which the last has called the others; without any its address. */
static cs_status push_location(pprof *p, const entry *location, cs_diag *diag)
{
    cs_protoread message = inside(p, &location->message, diag);
    cs_protoread_field field, found, lines[64];
    const cs_protoread_field *name = NULL;
    char address[24];
    size_t nr = 0;
    cs_status status;

    while ((status = cs_protoread_find(&message, &location_lines, &field)) == CS_OK &&
           field.number != 0)
        if (nr < sizeof lines / sizeof lines[0])
            lines[nr++] = field;
    for (size_t i = nr; i-- > 0 && status == CS_OK;) {
        status = cs_protoread_take(inside(p, &lines[i], diag), of_line, 1, &found);
        const entry *function = entry_of(&p->functions, found.value);
        if (status == CS_OK && function == NULL)
            return wrong(p, lines[i].offset, "Line.function_id", found.value, "a function's id",
                         diag);
        if (status == CS_OK)
            status = string_at(p, function->value, function->message.offset, &name, diag);
        if (status == CS_OK &&
            !cs_profileread_push(&p->stack, (const char *)name->bytes, name->length))
            return no_memory(p, diag);
    }
    if (status != CS_OK || nr != 0)
        return status;
    snprintf(address, sizeof address, "0x%" PRIx64, location->value);
    return cs_profileread_push(&p->stack, address, strlen(address)) ? CS_OK : no_memory(p, diag);
}

static cs_status take_locations(pprof *p, const cs_protoread_field *sample, cs_diag *diag)
{
    enum { MOST = 4096 };
    cs_protoread message = inside(p, sample, diag), packed = {0};
    const size_t outside = p->stack.used;
    uint64_t ids[MOST];
    size_t nr = 0;
    bool there;
    cs_status status;

    for (;;) {
        status =
            cs_protoread_number(&message, &location_ids, &packed, &ids[nr < MOST ? nr : 0], &there);
        if (status != CS_OK || !there)
            break;
        if (++nr == MOST)
            return wrong(p, sample->offset, "the depth of a stack", nr, "less", diag);
    }
    for (size_t i = nr; i-- > 0 && status == CS_OK;) {
        const entry *location = entry_of(&p->locations, ids[i]);

        if (location == NULL)
            return wrong(p, sample->offset, "Sample.location_id", ids[i], "a location's id", diag);
        status = push_location(p, location, diag);
        p->row.has_address = true;
        p->row.address = location->value;
    }
    if (status == CS_OK && nr == 1 && p->row.address == 0 &&
        strcmp(p->stack.text + outside + (outside != 0), CS_PROFILEREAD_NO_ADDRESS) == 0) {
        p->stack.text[p->stack.used = outside] = '\0';
        p->row.has_address = false;
    }
    return status;
}

static bool is_text(const cs_protoread_field *string, const char *text)
{
    return string->length == strlen(text) && memcmp(string->bytes, text, string->length) == 0;
}

/* A label's number, which may stand as a text. */
static bool number_of(const cs_protoread_field *text, const cs_protoread_field *num, int64_t *out)
{
    char digits[24], *end;

    *out = (int64_t)num->value;
    if (text->length == 0)
        return num->number != 0;
    if (text->length >= sizeof digits)
        return false;
    memcpy(digits, text->bytes, text->length);
    digits[text->length] = '\0';
    *out = strtoll(digits, &end, 10);
    return *end == '\0';
}

/* Those that are known: cpu, pid; the process stands in front of the stack, as in other formats. */
static cs_status take_labels(pprof *p, const cs_protoread_field *sample, cs_diag *diag)
{
    cs_protoread message = inside(p, sample, diag);
    cs_protoread_field field, found[3];
    const cs_protoread_field *key = NULL, *text = NULL;
    int64_t number;
    cs_status status;

    while ((status = cs_protoread_find(&message, &sample_labels, &field)) == CS_OK &&
           field.number != 0) {
        status = cs_protoread_take(inside(p, &field, diag), of_label, 3, found);
        if (status == CS_OK)
            status = string_at(p, found[0].value, field.offset, &key, diag);
        if (status == CS_OK)
            status = string_at(p, found[1].value, field.offset, &text, diag);
        if (status != CS_OK)
            return status;
        if (is_text(key, "cpu")) {
            p->row.has_cpu = number_of(text, &found[2], &number);
            p->row.cpu = (uint32_t)number;
        } else if (is_text(key, "pid")) {
            p->row.has_pid = number_of(text, &found[2], &number);
            p->row.pid = number;
        } else if (is_text(key, "process") && p->stack.used == 0 &&
                   !cs_profileread_push(&p->stack, (const char *)text->bytes, text->length)) {
            return no_memory(p, diag);
        }
    }
    return status;
}

static cs_status take_values(pprof *p, const cs_protoread_field *sample, cs_diag *diag)
{
    cs_protoread message = inside(p, sample, diag), packed = {0};
    uint64_t value;
    bool there;
    cs_status status;

    p->nr_values = 0;
    while ((status = cs_protoread_number(&message, &sample_values, &packed, &value, &there)) ==
               CS_OK &&
           there) {
        if (p->nr_values == p->types.nr)
            return wrong(p, sample->offset, "the number of a sample's values", p->nr_values + 1,
                         "one of each kind", diag);
        p->values[p->nr_values++] = value;
    }
    if (status == CS_OK && p->nr_values != p->types.nr)
        return wrong(p, sample->offset, "the number of a sample's values", p->nr_values,
                     "one of each kind", diag);
    return status;
}

static cs_status take_sample(pprof *p, cs_diag *diag)
{
    const cs_protoread_field *sample = &p->samples.list[p->sample];
    cs_status status;

    p->row = (cs_profileread_row){.offset = sample->offset};
    if (!cs_profileread_clear(&p->stack))
        return no_memory(p, diag);
    status = take_values(p, sample, diag);
    if (status == CS_OK)
        status = take_labels(p, sample, diag);
    return status == CS_OK ? take_locations(p, sample, diag) : status;
}

static cs_status next(void *reader, const cs_profileread_row **row, cs_diag *diag)
{
    pprof *p = reader;
    cs_protoread_field found;
    const cs_protoread_field *name = NULL;
    cs_status status;

    *row = NULL;
    for (;;) {
        if (p->sample == p->samples.nr)
            return CS_OK;
        if (p->value == 0 && (status = take_sample(p, diag)) != CS_OK)
            return status;
        while (p->value < p->nr_values && p->values[p->value] == 0)
            p->value++;
        if (p->value < p->nr_values)
            break;
        p->sample++;
        p->value = 0;
    }
    const cs_protoread_field *type = &p->types.list[p->value];
    status = cs_protoread_take(inside(p, type, diag), of_type, 1, &found);
    if (status == CS_OK)
        status = string_at(p, found.value, type->offset, &name, diag);
    if (status != CS_OK)
        return status;
    snprintf(p->event, sizeof p->event, "%.*s", (int)(name->length < 511 ? name->length : 511),
             (const char *)name->bytes);
    p->row.event = p->event;
    p->row.is_whole = true;
    p->row.number = (int64_t)p->values[p->value];
    snprintf(p->weight, sizeof p->weight, "%" PRId64, p->row.number);
    p->row.weight = p->weight;
    p->row.stack = p->stack.text;
    p->value++;
    *row = &p->row;
    return CS_OK;
}

const cs_profileread_class cs_pprofread = {open_pprof, next, close_pprof};
