// SPDX-License-Identifier: Apache-2.0
#include "drivers/count.h"

#include <inttypes.h>

CS_SOFT_PRINTED(count, cs_count, "count")
{
    char name[40];
    fprintf(out,
            "command %u, %s/%s/, from %" PRIu64 " to %" PRIu64 ", enabled %" PRIu64
            ", running %" PRIu64 ", value %" PRIu64 "%s%s",
            what->command, what->pmu, cs_count_name(what, name, sizeof name), what->from, what->to,
            what->enabled, what->running, what->raw, what->pinned ? ", pinned" : "",
            what->final ? ", final" : "");
}

const char *cs_count_name(const cs_count *c, char *buffer, size_t size)
{
    return c->name != NULL ? c->name : c->family->event_name(c->event, buffer, size);
}

uint64_t cs_count_truth(const cs_count *c, cs_timeline *const timelines[])
{
    const cs_count_family *family = c->family;
    const unsigned timeline = family->timeline + (family->of_cpus ? c->cpu : c->unit);

    if (family->truth != NULL)
        return family->truth(c, timelines);
    return cs_timeline_sum(timelines[timeline], family->first_event + c->event, CS_MODE_ALL,
                           c->from, c->to);
}

void cs_rotating_report_add(cs_rotating_report *all, const cs_rotating_report *r)
{
    all->ticks += r->ticks;
    all->rotations += r->rotations;
    all->late_ticks += r->late_ticks;
    all->rotating_cycles += r->rotating_cycles;
    all->register_accesses += r->register_accesses;
    all->bus_cycles += r->bus_cycles;
    all->interrupts += r->interrupts;
    all->overdue_reads += r->overdue_reads;
    all->failed_accesses += r->failed_accesses;
}
