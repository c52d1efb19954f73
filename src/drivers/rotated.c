// SPDX-License-Identifier: Apache-2.0
#include "drivers/rotated.h"

#include <inttypes.h>

CS_SOFT_PRINTED(rotated, cs_rotated_count, "rotated count")
{
    char name[40];
    fprintf(out,
            "command %u, %s/%s/ on cpu %u, from %" PRIu64 " to %" PRIu64 ", running %" PRIu64
            ", value %" PRIu64 "%s%s",
            what->command, what->pmu, cs_rotated_name(what, name, sizeof name), what->cpu,
            what->from, what->to, what->running, what->raw, what->pinned ? ", pinned" : "",
            what->final ? ", final" : "");
}

const char *cs_rotated_name(const cs_rotated_count *c, char *buffer, size_t size)
{
    return c->name != NULL ? c->name : c->family->event_name(c->event, buffer, size);
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
