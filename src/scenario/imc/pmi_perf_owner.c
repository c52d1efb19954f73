// SPDX-License-Identifier: Apache-2.0
#include "scenario/imc/pmi_perf_owner.h"

#include <string.h>

#include "scenario/cpus.h"
#include "scenario/imc/imc_spec.h"

/* As Linux calls it; and of a die that has such a PMU of others, too. */
static const char *pmu(const cs_scenario *s, size_t nr)
{
    static const char *const names[] = {CS_CPU_PMU_NAME, "power"};

    return s->imc->cores != 0 && nr < sizeof names / sizeof names[0] ? names[nr] : NULL;
}

static const char *event_name(const cs_scenario *s, size_t of, size_t nr)
{
    (void)s, (void)of;
    return nr == 0 ? "cycles" : NULL;
}

static void write(cs_asked_part *part)
{
    const cs_asked_event *event = &part->events[0];

    cs_asked_at_event(part, event);
    if (part->command->nr_stat != 0)
        cs_asked_fail(part, "found stat; expected record: counts of these cores are core_imc's");
    if (part->nr_events != 1 || event->group != 0 || strcmp(event->what, "cycles") != 0)
        cs_asked_fail(part, "found %s; expected cycles, alone", event->what);
    cs_asked_put_key(part, "cpus", "cpus");
    cs_asked_put_key(part, "period", "period");
    cs_asked_put_key(part, "freq", "freq");
    if (part->command->period == 0 && part->command->freq == 0)
        cs_asked_put_text(part, part->to, "freq", "%u", CS_PERF_DEFAULT_FREQ);
    cs_asked_at_key(part, "stop");
    cs_asked_put_text(part, part->to, "stop_us", "%llu",
                      (unsigned long long)part->command->stop_us);
}

static const cs_perf_refusal refusals[] = {{0}};

const cs_perf_owner cs_pmi_perf_owner = {.of = "a POWER core",
                                         .keys = "record cpus period freq",
                                         .modifiers = "",
                                         .core = true,
                                         .single = "cpus period freq stop_us",
                                         .refusals = refusals,
                                         .pmu = pmu,
                                         .event = event_name,
                                         .write = write};
