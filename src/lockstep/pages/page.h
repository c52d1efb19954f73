// SPDX-License-Identifier: Apache-2.0
/* What docs/hw/points/<unit>.txt says of a unit, as data: who its records are from, its registers, the
 * sections of its page, its states, and the points that a comparison is to reach. The texts are part
 * of the program (cs_pages_texts); their grammar is in docs/verification.md, "Points". */
#ifndef CS_LOCKSTEP_PAGE_H
#define CS_LOCKSTEP_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/files/embedded.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PAGE_ADDRESSES 8u
#define CS_PAGE_CONDITIONS 4u
#define CS_PAGE_EVENTS 4u

/* Records of this name (countersink/base/numbers.h). Which of several units of a kind: number / divisor. */
typedef struct cs_page_source {
    const char *name;
    bool manager;        /* of BUS records; else of all others */
    bool by_register;    /* which one: by the place of the register */
    const char *variant; /* of its registers, whatever the scenario's is; NULL: that */
    unsigned first;      /* added to the number */
    unsigned divisor;
} cs_page_source;

typedef struct cs_page_value {
    const char *name;
    uint64_t value;
} cs_page_value;

typedef struct cs_page_field {
    const char *name;
    unsigned lsb, width;
    size_t first_value, nr_values; /* that have names, in values */
} cs_page_field;

/* Of several of a kind: `count` of them, `stride` apart, from each of the addresses. */
typedef struct cs_page_register {
    const char *name;    /* with the number in <>, as "PMEVTYPER<0>" */
    const char *key;     /* without it */
    const char *variant; /* "": of all */
    uint64_t addresses[CS_PAGE_ADDRESSES];
    unsigned nr_addresses;
    unsigned count, divisor;
    uint64_t stride;
    unsigned bits;
    unsigned span; /* how many addresses it takes: its bytes, or 1 where registers have numbers */
    bool writes;   /* its access word lets software write */
    size_t first_field, nr_fields;
} cs_page_register;

typedef enum cs_page_topic {
    CS_PAGE_REGISTER, /* of a register; REG */
    CS_PAGE_STATE,
    CS_PAGE_IRQ,
    CS_PAGE_SAMPLE,
    CS_PAGE_TRANSFER /* BUS */
} cs_page_topic;

/* Which section of the page governs it. `what`: a register's key or a state; "": all others. */
typedef struct cs_page_section {
    cs_page_topic topic;
    const char *what;
    const char *page;
    const char *heading;
} cs_page_section;

typedef enum cs_event_kind {
    CS_EVENT_WRITE, /* of a register */
    CS_EVENT_READ,
    CS_EVENT_REFUSED, /* an access with an error */
    CS_EVENT_ENTER,   /* a state */
    CS_EVENT_ARC,
    CS_EVENT_TRANSFER,
    CS_EVENT_LINE,
    CS_EVENT_SAMPLED
} cs_event_kind;

/* What may be looked for in one record. */
typedef struct cs_page_event {
    cs_event_kind kind;
    const char *key;   /* register; NULL: any */
    const char *field; /* NULL: the whole register */
    uint64_t low, high;
    bool any_value, is_max; /* is_max: all bits of the field */
    bool any_direction, write;
    bool any_resp;
    uint8_t resp;
    uint64_t from, to; /* states */
    unsigned line;
    bool level;
} cs_page_event;

typedef enum cs_condition_kind {
    CS_WHILE_STATE,
    CS_WHILE_NOT_STATE,
    CS_WHILE_FLAG,
    CS_WHILE_NO_FLAG
} cs_condition_kind;

typedef struct cs_page_condition {
    cs_condition_kind kind;
    uint64_t state;
    size_t flag;
} cs_page_condition;

/* Events, of which one is enough, while all conditions hold. */
typedef struct cs_page_rule {
    cs_page_event events[CS_PAGE_EVENTS];
    size_t nr_events;
    cs_page_condition conditions[CS_PAGE_CONDITIONS];
    size_t nr_conditions;
} cs_page_rule;

typedef struct cs_page_point {
    const char *group;
    const char *name;
    const char *reason; /* why it is not asked for; NULL: it is */
    cs_page_rule rule;
} cs_page_point;

/* Remembers, of each unit of the kind, that `set` has been and `clear` has not been since. */
typedef struct cs_page_flag {
    const char *name;
    cs_page_rule set, clear;
} cs_page_flag;

typedef struct cs_page {
    char *texts[4]; /* that all strings lie in */
    size_t nr_texts;
    const char *unit;
    const char *page; /* "docs/hw/x.md" */
    cs_page_source *sources;
    size_t nr_sources, room_sources;
    cs_page_register *registers;
    size_t nr_registers, room_registers;
    cs_page_field *fields;
    size_t nr_fields, room_fields;
    cs_page_value *values;
    size_t nr_values, room_values;
    cs_page_section *sections;
    size_t nr_sections, room_sections;
    cs_page_value *states;
    size_t nr_states, room_states;
    cs_page_flag *flags;
    size_t nr_flags, room_flags;
    cs_page_point *points;
    size_t nr_points, room_points;
} cs_page;

extern const cs_embedded cs_page_texts[];  /* docs/hw/points */
extern const cs_embedded cs_page_tables[]; /* docs/hw/gen: registers */

/* Reads `text` (copied); `name` stands in messages. CS_ERR_FORMAT: with the line. */
cs_status cs_page_read(const char *name, const char *text, cs_page **out, cs_diag *diag);
void cs_page_destroy(cs_page *page); /* NULL is allowed */

/* All units' pages. */
typedef struct cs_pages {
    cs_page **list;
    size_t count;
} cs_pages;

cs_status cs_pages_create(cs_pages *out, cs_diag *diag);
void cs_pages_destroy(cs_pages *pages);

/* ---- asking ---- */

/* Whose record it is, and which of several (number). NULL: no page is about it. */
const cs_page *cs_pages_of(const cs_pages *pages, const cs_probe_record *record, unsigned *number);

/* Which of the registers' variants the scenario has; NULL: there is but one. */
struct cs_scenario;
const char *cs_page_variant(const cs_page *page, const struct cs_scenario *scenario);

/* A register of an access (a REG record). */
typedef struct cs_page_place {
    const cs_page_register *reg;
    unsigned index; /* of several */
    unsigned shift; /* bits of the register below the first that was accessed */
} cs_page_place;

/* `variant` may be NULL: the first that fits. False: there is no register. */
bool cs_page_find(const cs_page *page, const char *variant, const cs_probe_record *record,
                  cs_page_place *out);
const char *cs_page_register_name(const cs_page_place *place, char *buffer, size_t size);
/* NULL: it has no name. */
const char *cs_page_state_name(const cs_page *page, uint64_t state);
const char *cs_page_value_name(const cs_page *page, const cs_page_field *field, uint64_t value);
/* NULL: the page says nothing. */
const cs_page_section *cs_page_governs(const cs_page *page, const char *variant,
                                       const cs_probe_record *record);

#ifdef __cplusplus
}
#endif

#endif
