// SPDX-License-Identifier: Apache-2.0
#include "results/common/switches.h"

/* Whether a process is seen to run at the cycle. */
static bool look(const cs_switches *s, cs_cycle cycle, uint32_t *pid)
{
    uint64_t local;
    cs_context at;

    if (cs_timeline_track(s->timeline, cycle, &local) != CS_TIMELINE_WORKLOAD)
        return false;
    cs_timeline_context(s->timeline, cycle, &at);
    *pid = at.pid;
    return !s->guest || at.mode == CS_MODE_VS || at.mode == CS_MODE_VU;
}

void cs_switches_begin(cs_switches *s, cs_timeline *timeline, bool guest)
{
    *s = (cs_switches){.timeline = timeline, .guest = guest};
    s->known = look(s, 0, &s->pid);
}

bool cs_switches_next(cs_switches *s, cs_cycle until, cs_switch *out)
{
    for (;;) {
        const cs_cycle edge = cs_timeline_until(s->timeline, s->seen);
        uint32_t pid = 0;

        if (edge > until)
            return false;
        s->seen = edge;
        if (!look(s, edge, &pid) || (s->known && pid == s->pid))
            continue;
        const bool first = !s->known;
        *out = (cs_switch){s->begun, edge, s->pid, pid};
        s->known = true;
        s->pid = pid;
        s->begun = edge;
        if (!first)
            return true;
    }
}
