// SPDX-License-Identifier: Apache-2.0
#include "lockstep/exercise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "scenario/machine/compare_spec.h"

#define SOURCES 0x10000u

struct cs_exercise {
    cs_exercised *parts;
    size_t nr_parts, part_room;
    uint16_t *part_of; /* of a source: 1 + the number of its part */
    cs_exercised_register *registers;
    size_t nr_registers, register_room;
    bool lost;
};

cs_status cs_exercise_create(cs_exercise **out, cs_diag *diag)
{
    cs_exercise *e = calloc(1, sizeof *e);

    *out = e;
    if (e != NULL)
        e->part_of = calloc(SOURCES, sizeof *e->part_of);
    if (e != NULL && e->part_of != NULL)
        return CS_OK;
    cs_exercise_destroy(e);
    *out = NULL;
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what is exercised");
}

void cs_exercise_destroy(cs_exercise *e)
{
    if (e == NULL)
        return;
    free(e->parts);
    free(e->part_of);
    free(e->registers);
    free(e);
}

cs_status cs_exercise_add(cs_exercise *e, cs_part part, cs_diag *diag)
{
    cs_exercised *parts = cs_room(e->parts, &e->part_room, e->nr_parts, sizeof *parts);
    cs_exercised *row;

    if (parts == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what is exercised");
    e->parts = parts;
    row = &parts[e->nr_parts++];
    *row = (cs_exercised){.part = part, .idle = true};
    char buffer[sizeof row->name];
    snprintf(row->name, sizeof row->name, "%s",
             cs_probe_source_name(CS_PROBE_REG, part.source, buffer, sizeof buffer));
    e->part_of[part.source] = e->part_of[part.also] = (uint16_t)e->nr_parts;
    return CS_OK;
}

/* ---- records ---- */

static int order(const cs_exercised_register *a, const cs_probe_record *r)
{
    if (a->source != r->source)
        return a->source < r->source ? -1 : 1;
    if (a->addr != r->addr)
        return a->addr < r->addr ? -1 : 1;
    return (int)a->write - (int)r->write;
}

/* The row of an access, made where it is missing; NULL: no memory. */
static cs_exercised_register *row_of(cs_exercise *e, const cs_probe_record *r)
{
    size_t low = 0, high = e->nr_registers;
    cs_exercised_register *rows;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        const int way = order(&e->registers[middle], r);

        if (way == 0)
            return &e->registers[middle];
        if (way < 0)
            low = middle + 1;
        else
            high = middle;
    }
    rows = cs_room(e->registers, &e->register_room, e->nr_registers, sizeof *rows);
    if (rows == NULL)
        return NULL;
    e->registers = rows;
    memmove(&rows[low + 1], &rows[low], (e->nr_registers - low) * sizeof *rows);
    e->nr_registers++;
    rows[low] =
        (cs_exercised_register){.source = r->source, .write = r->write != 0, .addr = r->addr};
    return &rows[low];
}

void cs_exercise_record(cs_exercise *e, const cs_probe_record *r)
{
    cs_exercised *part;

    if (r->kind == CS_PROBE_BUS)
        return;
    if (r->kind == CS_PROBE_REG) {
        cs_exercised_register *row = row_of(e, r);

        e->lost = e->lost || row == NULL;
        if (row == NULL)
            return;
        row->times++;
        row->errors += r->resp != 0;
    }
    if (e->part_of[r->source] == 0)
        return;
    part = &e->parts[e->part_of[r->source] - 1];
    part->idle = false;
    part->reads += r->kind == CS_PROBE_REG && r->write == 0;
    part->writes += r->kind == CS_PROBE_REG && r->write != 0;
    part->states += r->kind == CS_PROBE_STATE;
    part->edges += r->kind == CS_PROBE_IRQ;
    part->samples += r->kind == CS_PROBE_SAMPLE;
}

/* ---- what is meant to be idle ---- */

/* "core 3" is named by itself, by "core" and by "all". */
static bool names(const char *name, const cs_exercised *part)
{
    const size_t length = strlen(name);

    if (strcmp(name, "all") == 0 || strcmp(name, part->name) == 0)
        return true;
    return strncmp(part->name, name, length) == 0 && part->name[length] == ' ' &&
           part->name[length + 1] >= '0' && part->name[length + 1] <= '9';
}

cs_status cs_exercise_end(cs_exercise *e, const cs_scenario *scenario, cs_diag *diag)
{
    const cs_compare_spec *spec = scenario->compare;

    if (e->lost)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for what is exercised");
    for (size_t i = 0; i < spec->nr_idle; i++) {
        size_t there = 0, idle = 0;

        for (size_t k = 0; k < e->nr_parts; k++) {
            if (!names(spec->idle[i], &e->parts[k]))
                continue;
            there++;
            idle += e->parts[k].idle;
            e->parts[k].on_purpose = true;
        }
        if (there == 0)
            return cs_diag_set(diag, CS_ERR_SCENARIO, scenario->source,
                               "compare.idle.%zu: there is no part '%s' in this die", i,
                               spec->idle[i]);
        if (idle == 0)
            return cs_diag_set(diag, CS_ERR_SCENARIO, scenario->source,
                               "compare.idle.%zu: '%s' is not idle in this scenario", i,
                               spec->idle[i]);
    }
    return CS_OK;
}

/* ---- asking ---- */

const cs_exercised *cs_exercise_at(const cs_exercise *e, size_t at)
{
    return at < e->nr_parts ? &e->parts[at] : NULL;
}

size_t cs_exercise_registers(const cs_exercise *e, const cs_exercised_register **out)
{
    *out = e->registers;
    return e->nr_registers;
}

size_t cs_exercise_idle(const cs_exercise *e, char *buffer, size_t size)
{
    size_t nr = 0, used = 0;

    buffer[0] = '\0';
    for (size_t i = 0; i < e->nr_parts; i++) {
        if (!e->parts[i].idle || e->parts[i].on_purpose)
            continue;
        if (used < size)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", nr != 0 ? ", " : "",
                                     e->parts[i].name);
        nr++;
    }
    return nr;
}
