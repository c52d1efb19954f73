// SPDX-License-Identifier: Apache-2.0
#include "scenario/imc/imc_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imc/catalog/catalog.h"
#include "nest_rows.h"
#include "scenario/scenario.h"
#include "scenario/yaml/number.h"

#define SLOT_BYTES 64u
#define FIRST_WORD 3u /* of CPMC1 in a slot */
#define QUADRANT 32u

bool cs_imc_is_posted_with(bool power10, uint32_t offset, uint64_t units)
{
    const cs_nest_program *program = &cs_nest_programs[power10];

    for (size_t i = 0; i < program->nr_rows; i++) {
        const cs_nest_row *row = &program->rows[i];

        if (row->kind == CS_NEST_COUNTERS && offset >= row->offset &&
            offset < row->offset + 8u * row->count)
            return offset % 8 == 0 && (row->units & units) != 0;
    }
    return false;
}

bool cs_imc_is_posted(bool power10, uint32_t offset)
{
    return cs_imc_is_posted_with(power10, offset, UINT64_MAX);
}

void cs_imc_default_events(uint16_t event_of[CS_IMC_EVENTS])
{
    for (unsigned n = 0; n < CS_IMC_EVENTS; n++)
        event_of[n] = (uint16_t)n;
    for (unsigned cpmc = 0; cpmc < 2; cpmc++)
        for (unsigned slot = 2 * QUADRANT; slot < CS_IMC_CODES; slot++)
            event_of[cpmc * CS_IMC_CODES + slot] =
                (uint16_t)(cpmc * CS_IMC_CODES + QUADRANT + slot % QUADRANT);
}

/* The event number of the counter at `offset` of a core's memory. */
static bool number_at(uint32_t offset, uint32_t *number)
{
    uint32_t slot = offset / SLOT_BYTES, word = offset % SLOT_BYTES / 8;

    if (offset % 8 != 0 || slot >= CS_IMC_CODES || word < FIRST_WORD || word > FIRST_WORD + 3)
        return false;
    unsigned cpmc = word - FIRST_WORD;
    *number = cpmc < 2 ? cpmc * CS_IMC_CODES + slot : CS_IMC_NON_IDLE_INST + cpmc - 2;
    return true;
}

/* The event whose user or kernel share this one is; NULL if it is none. */
static const cs_imc_event *whole_of(const cs_imc_event *event)
{
    static const char *const suffixes[] = {"_USER", "_KERNEL"};
    size_t length = strlen(event->name);
    char name[CS_IMC_MAX_NAME + 1];

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t n = strlen(suffixes[i]);

        if (length <= n || length > CS_IMC_MAX_NAME ||
            strcmp(event->name + length - n, suffixes[i]) != 0)
            continue;
        memcpy(name, event->name, length - n);
        name[length - n] = '\0';
        return cs_imc_unit_event(event->of, name);
    }
    return NULL;
}

void cs_imc_catalog_events(const struct cs_imc_catalog *catalog, uint16_t event_of[CS_IMC_EVENTS])
{
    const cs_imc_unit *core = cs_imc_catalog_pmu(catalog, "core_imc");

    for (size_t i = 0; core != NULL && i < core->nr_events; i++) {
        const cs_imc_event *event = &core->events[i], *whole = whole_of(event);
        uint32_t share, number;

        if (whole != NULL && number_at(event->value, &share) && number_at(whole->value, &number))
            event_of[share] = (uint16_t)number;
    }
}

/* "cpmc1:5" and the like; *known: the name has this form. */
static bool read_form(bool power10, const char *name, uint32_t *number, bool *known, char why[160])
{
    uint64_t value = 0;

    *known = true;
    if (strcmp(name, "cpmc3") == 0 || strcmp(name, "cpmc4") == 0) {
        *number = CS_EVENT_IMC(name[4] == '3' ? CS_IMC_NON_IDLE_INST : CS_IMC_NON_IDLE_CYCLES);
        return true;
    }
    if (strncmp(name, "cpmc1:", 6) == 0 || strncmp(name, "cpmc2:", 6) == 0) {
        if (cs_number_read(name + 6, strlen(name + 6), &value) == CS_NUMBER_OK &&
            value < CS_IMC_CODES) {
            *number = CS_EVENT_IMC((uint32_t)value + (name[4] == '2' ? CS_IMC_CODES : 0));
            return true;
        }
        snprintf(why, 160, "%.60s: the code must be 0..%u", name, CS_IMC_CODES - 1);
        return false;
    }
    if (strncmp(name, "nest:", 5) == 0) {
        if (cs_number_read(name + 5, strlen(name + 5), &value) == CS_NUMBER_OK &&
            value <= UINT32_MAX && cs_imc_is_posted(power10, (uint32_t)value)) {
            *number = CS_EVENT_NEST((uint32_t)value / 8);
            return true;
        }
        snprintf(why, 160, "%.60s: no engine posts a counter there (docs/hw/gen/nest_%srows.md)",
                 name, power10 ? "p10_" : "");
        return false;
    }
    *known = false;
    return false;
}

bool cs_imc_event_number(const struct cs_imc_catalog *catalog, bool power10,
                         const uint16_t event_of[CS_IMC_EVENTS], const char *name, uint32_t *number,
                         char why[160])
{
    const cs_imc_event *event;
    cs_diag diag = {0};
    uint32_t n = 0;
    bool known;

    why[0] = '\0';
    if (!read_form(power10, name, number, &known, why)) {
        if (known || catalog == NULL)
            return false;
        /* A name that core_imc and thread_imc share means the core's. */
        const cs_imc_unit *core = cs_imc_catalog_pmu(catalog, "core_imc");

        event = core != NULL ? cs_imc_unit_event(core, name) : NULL;
        if (event == NULL && cs_imc_catalog_find(catalog, name, &event, &diag) != CS_OK)
            return false;
        if (event->of->domain == CS_IMC_DOMAIN_NEST) {
            if (!cs_imc_is_posted(power10, event->value)) {
                snprintf(why, 160, "%.80s at 0x%x is posted by no engine", name, event->value);
                return false;
            }
            *number = CS_EVENT_NEST(event->value / 8);
            return true;
        }
        if (event->of->domain == CS_IMC_DOMAIN_TRACE || !number_at(event->value, &n)) {
            snprintf(why, 160, "%.80s is no counter of a core", name);
            return false;
        }
        *number = CS_EVENT_IMC(n);
    }
    if (*number >= CS_EVENT_IMC(0) && *number < CS_EVENT_NEST(0)) {
        n = *number - CS_EVENT_IMC(0);
        if (event_of[n] != n) {
            snprintf(why, 160,
                     "%.60s is a user or kernel share; give the stream of the whole event", name);
            return false;
        }
    }
    return true;
}
