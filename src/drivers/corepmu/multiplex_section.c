// SPDX-License-Identifier: Apache-2.0
/* What a CPU does in the kernel with interrupts off: exception entry, work up to the moment that
 * matters, what follows from it, exception exit (docs/drivers/software_way.md, "Costs"). Register accesses are
 * those of the arm64 driver. */
#include "drivers/corepmu/multiplex_impl.h"
#include "scenario/corepmu/multiplex_spec.h"

typedef struct work {
    uint64_t cycles;
    unsigned reads;
    unsigned writes;
} work;

/* Of PMCR.E: read, modify, write; the way on also writes PMUSERENR. */
static const work pmu_off = {0, 1, 1};
static const work pmu_on = {0, 1, 2};

static work times(work w, unsigned n)
{
    return (work){w.cycles * n, w.reads * n, w.writes * n};
}

static work plus(work a, work b)
{
    return (work){a.cycles + b.cycles, a.reads + b.reads, a.writes + b.writes};
}

/* PMCNTENCLR, PMINTENCLR, PMOVSCLR; PMEVCNTR is read. */
static work out_of_counters(const cs_multiplex_spec *s, unsigned events)
{
    return times((work){s->event_out_cycles, 1, 3}, events);
}

/* PMEVCNTR, PMCNTENCLR, PMEVTYPER, PMINTENSET, PMCNTENSET. */
static work into_counters(const cs_multiplex_spec *s, unsigned events)
{
    return times((work){s->event_in_cycles, 0, 5}, events);
}

/* Flexible events leave their counters, and the list is walked to its end. */
static work reschedule(const cs_multiplex_spec *s, unsigned out, unsigned in, unsigned skipped)
{
    const work walk = {(uint64_t)s->event_skip_cycles * skipped, 0, 0};

    return plus(plus(out_of_counters(s, out), into_counters(s, in)), walk);
}

static uint64_t spend(cs_multiplex *m, work w)
{
    const cs_multiplex_spec *s = m->spec;

    m->report.rotating.register_accesses += w.reads + w.writes;
    return w.cycles + (uint64_t)s->register_read_cycles * w.reads +
           (uint64_t)s->register_write_cycles * w.writes;
}

/* ---- entry, exit ---- */

void cs_mux_section_begin(cs_multiplex *m, cs_mux_cpu *cpu, cs_mux_body body, bool interrupt,
                          unsigned event)
{
    cs_mux_tool_preempted(m, cpu);
    cpu->overflow_due = CS_NEVER;
    cpu->section = (cs_mux_section){
        .active = true,
        .body = body,
        .interrupt = interrupt,
        .event = event,
        .phase = CS_MUX_ENTRY,
        .due = m->now + (interrupt ? m->spec->irq_entry_cycles : 0),
    };
    if (interrupt)
        m->report.rotating.interrupts++;
}

static void end(cs_multiplex *m, cs_mux_cpu *cpu)
{
    cpu->section.active = false;
    cpu->stale = true;
    cs_mux_tool_resumed(m, cpu);
}

/* ---- up to the moment ---- */

/* The timer's next expiry is the first multiple of the tick that lies ahead. */
static work begin_tick(cs_multiplex *m, cs_mux_cpu *cpu)
{
    const work timer = {m->spec->timer_cycles, 0, 0};

    m->report.rotating.ticks++;
    m->report.rotating.late_ticks += (m->now - cpu->tick_due) / m->tick;
    cpu->tick_due = (m->now / m->tick + 1) * m->tick;
    cpu->section.rotates = cs_rotation_tick(cpu->pmu.rotation) != 0;
    m->report.rotating.rotations += cpu->section.rotates;
    return cpu->section.rotates ? plus(timer, pmu_off) : timer;
}

static work first(cs_multiplex *m, cs_mux_cpu *cpu)
{
    switch (cpu->section.body) {
    case CS_MUX_TICK:
        return begin_tick(m, cpu);
    case CS_MUX_OVERFLOW: /* PMOVSCLR is read and written */
        return plus((work){0, 1, 1}, pmu_off);
    case CS_MUX_READ:
        return (work){0, 1, 0};
    case CS_MUX_ENABLE:
    case CS_MUX_DISABLE:
        break;
    }
    return pmu_off;
}

/* ---- the moment, and what it makes necessary ---- */

static work rotate(cs_multiplex *m, cs_mux_pmu *pmu)
{
    const unsigned out = pmu->nr_active;

    cs_mux_pmu_stop(pmu, m->now);
    cs_mux_pmu_reschedule(pmu, m->now);
    return plus(plus((work){m->spec->rotation_cycles, 0, 0}, pmu_on),
                reschedule(m->spec, out, pmu->nr_active, m->spec->nr_events - pmu->nr_active));
}

/* Of so many events that are enabled then. */
static work enable(const cs_multiplex *m, unsigned enabled)
{
    const unsigned in = m->fits[enabled];

    return plus(pmu_on, reschedule(m->spec, m->fits[enabled - 1], in, enabled - in));
}

static work disable(cs_multiplex *m, cs_mux_cpu *cpu)
{
    cs_mux_pmu *pmu = &cpu->pmu;
    const bool on = cs_rotation_counters(pmu->rotation)[cpu->section.event] >= 0;

    if (pmu->open) {
        cs_mux_pmu_close(pmu, m->now);
        cpu->tick_due = CS_NEVER;
    }
    return on ? plus(pmu_on, out_of_counters(m->spec, 1)) : pmu_on;
}

static work handle_overflows(cs_multiplex *m, cs_mux_pmu *pmu)
{
    cs_mux_pmu_stop(pmu, m->now);
    m->report.overflows++;
    return plus(times((work){m->spec->overflow_cycles, 1, 1}, cs_mux_pmu_overflows(pmu)), pmu_on);
}

static work rest(cs_multiplex *m, cs_mux_cpu *cpu)
{
    cs_mux_section *s = &cpu->section;

    switch (s->body) {
    case CS_MUX_TICK:
        if (s->rotates)
            return rotate(m, &cpu->pmu);
        break;
    case CS_MUX_OVERFLOW:
        return handle_overflows(m, &cpu->pmu);
    case CS_MUX_READ:
        cs_mux_pmu_read(&cpu->pmu, s->event, m->now);
        return (work){m->spec->event_read_cycles, 0, 0};
    case CS_MUX_ENABLE:
        return enable(m, s->event + 1);
    case CS_MUX_DISABLE:
        return disable(m, cpu);
    }
    return (work){0};
}

/* ---- after it ---- */

static void done(cs_multiplex *m, cs_mux_cpu *cpu)
{
    cs_mux_pmu *pmu = &cpu->pmu;
    const cs_mux_section *s = &cpu->section;

    switch (s->body) {
    case CS_MUX_TICK:
        if (s->rotates)
            cs_mux_pmu_start(pmu, m->now);
        return;
    case CS_MUX_OVERFLOW:
        cs_mux_pmu_start(pmu, m->now);
        return;
    case CS_MUX_ENABLE:
        if (s->event + 1 == m->spec->nr_events) {
            cs_mux_pmu_open(pmu, m->now);
            cs_mux_pmu_start(pmu, m->now);
            if (cs_mux_pmu_waits(pmu))
                cpu->tick_due = (m->now / m->tick + 1) * m->tick;
        }
        break;
    case CS_MUX_READ:
    case CS_MUX_DISABLE:
        break;
    }
    cs_mux_tool_served(m);
}

void cs_mux_section_step(cs_multiplex *m, cs_mux_cpu *cpu)
{
    cs_mux_section *s = &cpu->section;

    switch (s->phase) {
    case CS_MUX_ENTRY:
        s->due = m->now + spend(m, first(m, cpu));
        s->phase = CS_MUX_FIRST;
        break;
    case CS_MUX_FIRST:
        s->due = m->now + spend(m, rest(m, cpu));
        s->phase = CS_MUX_REST;
        break;
    case CS_MUX_REST:
        s->due = m->now + (s->interrupt ? m->spec->irq_exit_cycles : 0);
        s->phase = CS_MUX_EXIT;
        done(m, cpu);
        break;
    case CS_MUX_EXIT:
        end(m, cpu);
        break;
    }
}
