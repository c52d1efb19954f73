// SPDX-License-Identifier: Apache-2.0
/* Harts on timelines: interrupts of their counters, accesses to them, and the samples of the driver. */
#include "drivers/hpm/riscv.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "traces/timeline/view_unit.h"

static const char *const lines[] = {"LCOFI to M", "LCOFI to S", "LCOFI to VS"};

/* ---- samples that the driver took ---- */

static const cs_field_label no_yes[] = {{0, "no"}, {1, "yes"}};
static const cs_field sample[] = {CS_VIEW_DECIMAL("command", 16), CS_VIEW_DECIMAL("event", 16),
                                  CS_VIEW_HEX("ip", 64),          CS_VIEW_DECIMAL("pid", 32),
                                  CS_VIEW_DECIMAL("period", 64),  CS_VIEW_ENUM("lost", no_yes)};
static const cs_view_class sample_class = CS_VIEW_CLASS("hart_sample", CS_VIEW_INSTANT, sample);
const cs_view_kind_info cs_view_kind_profile = {.instance = "cpu_id",
                                                .owner = CS_VIEW_OF_CPU,
                                                CS_VIEW_NAMES("samples", "guest samples"),
                                                CS_VIEW_ONE(sample_class)};

static void told(cs_view *v, const cs_soft_record *record)
{
    const cs_riscv_taken *taken = cs_told_riscv_sample(record);
    const cs_riscv_which *which = &taken->which;
    const cs_riscv_sample *s = taken->sample;
    const cs_scenario *scenario = cs_view_scenario(v);
    const cs_riscv_perf_spec *command = &scenario->riscv->perf[which->command];
    const cs_field_value values[] = {{which->command}, {which->event}, {s->ip},
                                     {s->pid},         {s->period},    {s->lost}};
    cs_view_place *place = cs_view_place_of(
        v, CS_VIEW_PROFILE, cs_scenario_hart_cpu(scenario, which->hart), command->guest);

    if (place != NULL)
        cs_view_tell(v, place, 0, command->events[which->event], s->cycle, s->cycle, values);
}

/* ---- CSR instructions ---- */

static const cs_field_label directions[] = CS_VIEW_DIRECTIONS;
static const cs_field_label exceptions[] = {
    {0, "none"}, {1, "illegal instruction"}, {2, "virtual instruction"}};
static const cs_field csr[] = {CS_VIEW_ENUM("direction", directions), CS_VIEW_HEX("csr", 16),
                               CS_VIEW_HEX("value", 64), CS_VIEW_ENUM("exception", exceptions)};
static const cs_view_class csr_class = CS_VIEW_CLASS("csr", CS_VIEW_INSTANT, csr);
const cs_view_kind_info cs_view_kind_csrs = {
    .instance = "unit_id", .owner = CS_VIEW_OF_UNIT, CS_VIEW_NAMES("csrs"), CS_VIEW_ONE(csr_class)};

static void access(cs_view *v, const cs_probe_record *r)
{
    const cs_field_value values[] = {{r->write}, {r->addr}, {r->value}, {r->resp}};
    cs_view_place *place = cs_view_place_of(v, CS_VIEW_CSRS, r->source, 0);

    if (place != NULL)
        cs_view_tell(v, place, 0, r->write ? "csr write" : "csr read", r->cycle, r->cycle, values);
}

const cs_view_unit cs_view_unit_hart = {
    .first = CS_UNIT_HART(0),
    .count = CS_MAX_HARTS,
    .lines = lines,
    .nr_lines = sizeof lines / sizeof lines[0],
    .access = access,
    .soft = &cs_soft_riscv_sample,
    .told = told,
};
