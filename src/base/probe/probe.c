// SPDX-License-Identifier: Apache-2.0
#include <countersink/base/probe/probe.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <countersink/base/numbers.h>

uint64_t cs_probe_hash(const uint8_t *data, unsigned bytes)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (unsigned i = 0; i < bytes; i++)
        hash = (hash ^ data[i]) * 0x00000100000001b3u;
    return hash;
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int cs_probe_order(const cs_probe_record *a, const cs_probe_record *b)
{
    if (a->cycle != b->cycle)
        return order(a->cycle, b->cycle);
    if (a->kind != b->kind)
        return order(a->kind, b->kind);
    if (a->source != b->source)
        return order(a->source, b->source);
    if (a->index != b->index)
        return order(a->index, b->index);
    return order(a->write, b->write);
}

const char *cs_probe_difference(const cs_probe_record *a, const cs_probe_record *b,
                                uint64_t *value_a, uint64_t *value_b)
{
    /* What a reader asks first comes first: when, what, who, and then the rest. */
    const struct {
        const char *name;
        uint64_t a, b;
    } fields[] = {
        {"cycle", a->cycle, b->cycle},
        {"kind", a->kind, b->kind},
        {"source", a->source, b->source},
        {"index", a->index, b->index},
        {"write", a->write, b->write},
        {"addr", a->addr, b->addr},
        {"bytes", a->bytes, b->bytes},
        {"resp", a->resp, b->resp},
        {"request", a->request, b->request},
        {"grant", a->grant, b->grant},
        {"value", a->value, b->value},
        {"reserved", a->reserved, b->reserved},
        {"reserved2", a->reserved2, b->reserved2},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].a == fields[i].b)
            continue;
        if (value_a != NULL)
            *value_a = fields[i].a;
        if (value_b != NULL)
            *value_b = fields[i].b;
        return fields[i].name;
    }
    return NULL;
}

static const char *resp_name(uint8_t resp)
{
    switch (resp) {
    case CS_BUS_OKAY:
        return "OKAY";
    case CS_BUS_SLVERR:
        return "SLVERR";
    case CS_BUS_DECERR:
        return "DECERR";
    default:
        return "resp?";
    }
}

const char *cs_probe_print(const cs_probe_record *record, char *buffer, unsigned long size)
{
    char name[32];
    const char *source = cs_probe_source_name(record->kind, record->source, name, sizeof name);
    const char *direction = record->write ? "write" : "read";

    switch (record->kind) {
    case CS_PROBE_BUS:
        snprintf(buffer, size,
                 "cycle %" PRIu64 ": %s %s 0x%" PRIx64 " %" PRIu32 " bytes %s, request %" PRIu64
                 ", grant %" PRIu64 ", data hash 0x%016" PRIx64,
                 record->cycle, source, direction, record->addr, record->bytes,
                 resp_name(record->resp), record->request, record->grant, record->value);
        break;
    case CS_PROBE_REG:
        snprintf(buffer, size,
                 "cycle %" PRIu64 ": %s register %s +0x%" PRIx64 " = 0x%" PRIx64 " %" PRIu32
                 " bytes %s",
                 record->cycle, source, direction, record->addr, record->value, record->bytes,
                 resp_name(record->resp));
        break;
    case CS_PROBE_STATE:
        snprintf(buffer, size, "cycle %" PRIu64 ": %s lane %u state %" PRIu64, record->cycle,
                 source, record->index, record->value);
        break;
    case CS_PROBE_IRQ:
        snprintf(buffer, size, "cycle %" PRIu64 ": %s interrupt line %u level %" PRIu64,
                 record->cycle, source, record->index, record->value);
        break;
    case CS_PROBE_SAMPLE:
        if (record->resp == CS_SAMPLE_LOST)
            snprintf(buffer, size,
                     "cycle %" PRIu64 ": %s stream %u sample of cycle %" PRIu64 " lost",
                     record->cycle, source, record->index, record->request);
        else
            snprintf(buffer, size,
                     "cycle %" PRIu64 ": %s stream %u sample %" PRIu64 " at 0x%" PRIx64 " %" PRIu32
                     " bytes %s, snapshot %" PRIu64,
                     record->cycle, source, record->index, record->value, record->addr,
                     record->bytes, resp_name(record->resp), record->request);
        break;
    default:
        snprintf(buffer, size, "cycle %" PRIu64 ": record of unknown kind %u", record->cycle,
                 record->kind);
        break;
    }
    return buffer;
}

/* Numbers from `first` on have the name; `counted`: and a number from 0. */
typedef struct source_name {
    uint16_t first;
    uint16_t count;
    const char *name;
} source_name;

#define MANAGER(first, count, name) {first, count, name},
#define NO_ROW(first, count, name)
static const source_name managers[] = {CS_SOURCES(MANAGER, NO_ROW)};
static const source_name units[] = {CS_SOURCES(NO_ROW, MANAGER)};

static const source_name *sources_of(uint8_t kind, size_t *count)
{
    const bool bus = kind == CS_PROBE_BUS;

    *count = bus ? sizeof managers / sizeof managers[0] : sizeof units / sizeof units[0];
    return bus ? managers : units;
}

unsigned cs_probe_sources(uint8_t kind)
{
    size_t count;
    const source_name *names = sources_of(kind, &count);
    unsigned end = 0;

    for (size_t i = 0; i < count; i++)
        if (names[i].first + names[i].count > end)
            end = names[i].first + names[i].count;
    return end;
}

/* NULL: no source has this number. */
static const source_name *find_source(uint8_t kind, uint16_t source)
{
    size_t count;
    const source_name *names = sources_of(kind, &count);

    for (size_t i = 0; i < count; i++)
        if (source >= names[i].first && source - names[i].first < names[i].count)
            return &names[i];
    return NULL;
}

const char *cs_probe_source_kind(uint8_t kind, uint16_t source, unsigned *number)
{
    const source_name *n = find_source(kind, source);

    *number = n != NULL ? (unsigned)(source - n->first) : 0;
    return n != NULL ? n->name : NULL;
}

const char *cs_probe_source_name(uint8_t kind, uint16_t source, char *buffer, unsigned long size)
{
    const source_name *n = find_source(kind, source);

    if (n != NULL && n->count == 1)
        return n->name;
    if (n != NULL)
        snprintf(buffer, size, "%s %u", n->name, source - n->first);
    else
        snprintf(buffer, size, "%s 0x%x", kind == CS_PROBE_BUS ? "manager" : "unit", source);
    return buffer;
}

const char *cs_probe_unit_at(unsigned long nr, unsigned *count)
{
    const bool is_there = nr < sizeof units / sizeof units[0];

    *count = is_there ? units[nr].count : 0;
    return is_there ? units[nr].name : NULL;
}
