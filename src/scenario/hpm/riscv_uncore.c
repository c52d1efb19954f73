// SPDX-License-Identifier: Apache-2.0
#include "scenario/hpm/riscv_units.h"

#include <string.h>

#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/scenario.h"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/yaml/number.h"
#include "scenario/yaml/suggest.h"
#include <countersink/base/numbers.h>

#define SLOT_BYTES 0x10000u
#define PERF_RAW 4u
#define PLATFORM (UINT64_C(3) << 62) /* of perf's raw config */
#define UNIT_EVENT (UINT64_C(1) << 32)
#define MOST_EVENT 0xffffu

static const cs_uncore_unit_spec *unit_named(const cs_scenario *s, const char *name,
                                             unsigned *number, cs_suggest *suggest)
{
    for (unsigned i = 0; i < s->uncore->nr_units; i++) {
        if (strcmp(s->uncore->units[i].name, name) == 0) {
            *number = i;
            return &s->uncore->units[i];
        }
        cs_suggest_offer(suggest, s->uncore->units[i].name);
    }
    return NULL;
}

static cs_status check_unit(cs_check *check, size_t i)
{
    cs_scenario *s = check->scenario;
    const char *name = s->riscv->firmware.unit_names[i];
    cs_suggest suggest = cs_suggest_begin(name);
    unsigned number = 0;
    const cs_uncore_unit_spec *unit = unit_named(s, name, &number, &suggest);
    const char *near = cs_suggest_end(&suggest);

    cs_check_at(check, "riscv.firmware.units.%zu", i);
    if (unit == NULL)
        return cs_check_fail(check, "there is no unit %s in uncore.units%s%s%s", name,
                             near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                             near != NULL ? "?" : "");
    for (size_t k = 0; k < i; k++)
        if (strcmp(s->riscv->firmware.unit_names[k], name) == 0)
            return cs_check_fail(check, "%s stands there twice", name);
    s->riscv->firmware.units[i] = (cs_riscv_unit_spec){
        .name = name,
        .address = CS_UNCORE_BASE + (uint64_t)unit->bridge * CS_UNCORE_BYTES +
                   (uint64_t)unit->slot * SLOT_BYTES,
        .counters = unit->counters,
        .width = unit->width,
        .source = (uint16_t)CS_UNIT_UNCORE(cs_uncore_place(unit)),
        .timeline = CS_UNCORE_TIMELINE(number),
        .event = CS_EVENT_UNCORE(0),
    };
    return CS_OK;
}

cs_status cs_riscv_units_check(cs_check *check)
{
    const cs_riscv_spec *r = check->scenario->riscv;
    cs_status status = CS_OK;

    cs_check_at(check, "riscv.firmware.units");
    if (r->firmware.nr_units == 0)
        return CS_OK;
    if (r->firmware.nr_units > CS_RISCV_MAX_UNITS)
        return cs_check_fail(check, "found %zu, expected at most %u", r->firmware.nr_units,
                             CS_RISCV_MAX_UNITS);
    if (r->firmware.proposal_v3)
        return cs_check_fail(check, "needs riscv.firmware.form ratified");
    for (size_t i = 0; i < r->firmware.nr_units && status == CS_OK; i++)
        status = check_unit(check, i);
    return status;
}

bool cs_riscv_units_event(const cs_scenario *s, const char *name, cs_riscv_perf_config *out)
{
    const char *colon = strchr(name, ':');
    uint64_t event;

    if (colon == NULL || cs_number_read(colon + 1, strlen(colon + 1), &event) != CS_NUMBER_OK ||
        event > MOST_EVENT)
        return false;
    for (size_t i = 0; i < s->riscv->firmware.nr_units; i++) {
        const char *unit = s->riscv->firmware.unit_names[i];

        if (strlen(unit) != (size_t)(colon - name) || strncmp(unit, name, strlen(unit)) != 0)
            continue;
        *out = (cs_riscv_perf_config){.type = PERF_RAW,
                                      .config = PLATFORM | UNIT_EVENT | i << 16 | event};
        return true;
    }
    return false;
}

bool cs_riscv_units_of(const cs_scenario *s, const cs_riscv_perf_config *config, unsigned *unit,
                       uint32_t *event)
{
    const uint64_t data = config->config & ~PLATFORM;

    *unit = (unsigned)(data >> 16 & MOST_EVENT);
    *event = (uint32_t)(data & MOST_EVENT);
    return config->type == PERF_RAW && (config->config & PLATFORM) == PLATFORM &&
           data >> 32 == UNIT_EVENT >> 32 && *unit < s->riscv->firmware.nr_units;
}
