// SPDX-License-Identifier: Apache-2.0
/* What the driver does to the die: OPAL calls, LDBAR, boot, and what is given back after
 * a deep stop. */
#include "drivers/imc/imc_driver_impl.h"

#include "drivers/told.h"
#include "models/imc/imc_scom.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_registers.h"
#include "scenario/imc/imc_spec.h"
#include <countersink/base/numbers.h>
#include <countersink/models/imc/imc_core.h>

#define LDBAR_SPR 850u
#define LDBAR_ENABLE 0x8000000000000000u
#define LDBAR_TRACE 0x4000000000000000u

/* The firmware's PIR of a core: the chip's number, then the core's in it, then two bits of the
 * thread. */
static uint32_t pir_of(const cs_imc_driver *d, unsigned core)
{
    const unsigned chip = cs_imc_chip_of(d->config.imc, core);

    return chip << 8 | (core - chip * cs_imc_chip_cores(d->config.imc)) << 2;
}

static bool carry_out(cs_imc_driver *d, const cs_opal_write *w)
{
    return cs_imc_write_word(d, w->addr, w->memory ? cs_imc_as_bus(w->value) : w->value);
}

/* False: the first access that failed has ended it. */
static bool call_opal(cs_imc_driver *d, cs_opal_token token, cs_opal_type type, uint64_t addr,
                      unsigned core)
{
    const cs_opal_answer answer = cs_opal_call(&d->opal, token, type, addr, pir_of(d, core));
    uint64_t status;
    bool good = true;

    d->report.opal_calls++;
    cs_imc_work(d, d->config.spec->opal_cycles);
    if (answer.looks)
        good = cs_imc_read_word(d, answer.look_at, &status) && status != 0;
    for (unsigned i = 0; i < answer.nr_writes && good; i++)
        good = carry_out(d, &answer.writes[i]);
    d->report.opal_errors += answer.status != CS_OPAL_SUCCESS || !good;
    return good;
}

#define WARN(...) cs_soft_warn(d->config.soft, d->now, t->cpu, __VA_ARGS__)
#define COMMAND "imc_driver.perf.%u: "

/* What a user would take for hardware's doing. */
static void warn_of_trouble(const cs_imc_driver *d, const cs_imc_trouble *t)
{
    switch (t->kind) {
    case CS_IMC_START_FAILED:
        WARN(COMMAND "OPAL could not start the engine for CPU %u (OPAL_HARDWARE): the kernel "
                     "refuses the event there, and nothing is counted",
             t->command, t->cpu);
        break;
    case CS_IMC_STOP_FAILED:
        WARN(COMMAND "OPAL could not stop the engine for CPU %u (OPAL_HARDWARE): it goes on",
             t->command, t->cpu);
        break;
    case CS_IMC_LATE:
        if (d->nr_workers != 0) {
            WARN(COMMAND
                 "CPU %u had its turn %llu us late: it was still at work for what came before",
                 t->command, t->cpu, (unsigned long long)(t->late / d->config.clock_mhz));
            break;
        }
        WARN(COMMAND
             "CPU %u had its turn %llu us late: one CPU port carries out one thing at a "
             "time, boot included; real CPUs work side by side (docs/drivers/imc_driver.md, "
             "\"perf\")",
             t->command, t->cpu, (unsigned long long)(t->late / d->config.clock_mhz));
        break;
    case CS_IMC_HTM_LOST:
        WARN(COMMAND "the core of CPU %u lost HTM_MODE in a deep stop: it counts nothing until "
                     "its next START (imc_driver.restore)",
             t->command, t->cpu);
        break;
    case CS_IMC_LEFT_OUT:
        WARN(COMMAND
             "CPU %u is still in trace mode, as the kernel leaves it (LDBAR): core_imc "
             "counts nothing of it (docs/drivers/imc_driver.md, \"What trace mode leaves\")",
             t->command, t->cpu);
        break;
    case CS_IMC_ENABLE_LOST:
        WARN(COMMAND "another command of thread_imc has ended on CPU %u and has taken ENABLE out "
                     "of LDBAR, as the kernel does: nothing more is counted there",
             t->command, t->cpu);
        break;
    case CS_IMC_NEST_LOST:
        WARN("imc_driver.boot_cycles: the nest's engine had not begun when OPAL came to pause it: "
             "OPAL removes its nodes");
        break;
    case CS_IMC_INIT_FAILED:
        WARN("OPAL's INIT failed for the core of CPU %u (OPAL_HARDWARE): the kernel has no PMU for "
             "it",
             t->cpu);
        break;
    case CS_IMC_TROUBLES:
        break;
    }
}

void cs_imc_tell(cs_imc_driver *d, cs_imc_trouble_kind kind, unsigned command, unsigned cpu,
                 cs_cycle late)
{
    const cs_imc_trouble trouble = {kind, command, cpu, late};

    if (command != CS_IMC_NO_COMMAND) {
        if (d->commands[command].told[kind])
            return;
        d->commands[command].told[kind] = true;
    }
    cs_tell_imc_trouble(d->config.soft, d->now, cpu, &trouble);
    warn_of_trouble(d, &trouble);
}

/* As if the command had never come to the CPU. */
static void forget_start(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    imc_command *c = &d->commands[number];
    const unsigned core = cs_imc_core_of(d, cpu);

    c->dead[cpu] = true;
    switch (c->spec->pmu) {
    case CS_PERF_NEST:
        d->nest_references[cs_imc_chip(d, cpu)]--;
        break;
    case CS_PERF_TRACE:
        d->trace_references[core]--;
        break;
    default:
        d->core_references[core]--;
        break;
    }
    cs_imc_tell(d, CS_IMC_START_FAILED, number, cpu, 0);
}

static void write_ldbar(cs_imc_driver *d, unsigned cpu, uint64_t value)
{
    const uint64_t thread =
        (uint64_t)CS_IMC_THREADS * cs_imc_core_of(d, cpu) + cs_imc_thread_of(d, cpu);

    d->ldbar[cpu] = value;
    cs_imc_write_word(d, CS_SPR_BASE + 0x2000 * thread + 8 * LDBAR_SPR, value);
}

/* ---- the kernel: add, del ---- */

/* An engine as commands use it. */
typedef struct engine {
    cs_opal_type type;
    unsigned *references;
    cs_lock *lock;
} engine;

static engine engine_of(cs_imc_driver *d, const imc_command *c, unsigned cpu)
{
    const unsigned core = cs_imc_core_of(d, cpu), chip = cs_imc_chip(d, cpu);

    if (c->spec->pmu == CS_PERF_NEST)
        return (engine){CS_OPAL_NEST, &d->nest_references[chip], &d->nest_locks[chip]};
    if (c->spec->pmu == CS_PERF_TRACE)
        return (engine){CS_OPAL_TRACE, &d->trace_references[core], &d->trace_locks[core]};
    return (engine){CS_OPAL_CORE, &d->core_references[core], &d->core_locks[core]};
}

/* A command begins to use an engine, or no longer does. */
static void change_engine(cs_imc_driver *d, unsigned number, unsigned cpu, bool takes)
{
    const engine e = engine_of(d, &d->commands[number], cpu);
    const unsigned core = cs_imc_core_of(d, cpu);
    const unsigned before = *e.references;

    *e.references += takes ? 1u : -1u;
    if (takes ? before != 0 : before != 1)
        return;
    if (e.type != CS_OPAL_NEST)
        d->htm_mode[core] = takes ? CS_HTM_ENABLE : CS_HTM_DISABLE;
    if (call_opal(d, takes ? CS_OPAL_IMC_START : CS_OPAL_IMC_STOP, e.type, 0, core))
        return;
    if (takes)
        forget_start(d, number, cpu);
    else
        cs_imc_tell(d, CS_IMC_STOP_FAILED, number, cpu, 0);
}

/* CPUs side by side look at the references under the engine's lock, as the kernel does. */
static void change_locked(cs_imc_driver *d, const imc_command *c, unsigned cpu, bool takes)
{
    const bool locks = d->nr_workers != 0;
    cs_lock *lock = engine_of(d, c, cpu).lock;

    if (locks)
        cs_imc_perform(d, (cs_op){.kind = CS_OP_LOCK, .lock = lock});
    change_engine(d, (unsigned)(c - d->commands), cpu, takes);
    if (locks)
        cs_imc_perform(d, (cs_op){.kind = CS_OP_UNLOCK, .lock = lock});
}

/* Threads of the CPU's core that trace mode has left as it is. */
static void look_for_left_out(cs_imc_driver *d, const imc_command *c, unsigned cpu)
{
    for (unsigned thread = 0; thread < d->config.imc->threads; thread++) {
        const unsigned one = cs_imc_cpu_of(d, cs_imc_core_of(d, cpu), thread);

        if ((d->ldbar[one] & LDBAR_TRACE) != 0)
            cs_imc_tell(d, CS_IMC_LEFT_OUT, (unsigned)(c - d->commands), one, 0);
    }
}

/* Commands that go on counting a thread whose LDBAR says no more that it is to be counted. */
static void look_for_others(cs_imc_driver *d, const imc_command *c, unsigned cpu)
{
    for (unsigned i = 0; i < d->nr_commands; i++) {
        const imc_command *other = &d->commands[i];
        bool on = other->totals != NULL && (d->at->there >> i & 1u) != 0;

        for (unsigned k = 0; k < other->nr_counters && other->totals == NULL && !other->ended; k++)
            on = on || (other->counters[k].cpu == cpu && other->counters[k].started);
        if (other != c && on && other->spec->pmu == CS_PERF_THREAD)
            cs_imc_tell(d, CS_IMC_ENABLE_LOST, i, cpu, 0);
    }
}

void cs_imc_add_event(cs_imc_driver *d, const imc_command *c, unsigned cpu)
{
    const cs_imc_memory *memory = &d->config.memory;

    if (c->spec->pmu == CS_PERF_CORE)
        look_for_left_out(d, c, cpu);
    if (c->spec->pmu == CS_PERF_THREAD)
        write_ldbar(d, cpu,
                    (cs_imc_thread_memory(memory, cpu) & CS_IMC_ADDRESS_MASK) | LDBAR_ENABLE);
    if (c->spec->pmu == CS_PERF_TRACE)
        write_ldbar(d, cpu, (cs_imc_trace_buffer(memory, cpu) & CS_IMC_ADDRESS_MASK) | LDBAR_TRACE);
    change_locked(d, c, cpu, true);
}

/* Of trace LDBAR stays as it is. */
void cs_imc_delete_event(cs_imc_driver *d, const imc_command *c, unsigned cpu)
{
    change_locked(d, c, cpu, false);
    if (c->spec->pmu == CS_PERF_THREAD) {
        write_ldbar(d, cpu, d->ldbar[cpu] & ~LDBAR_ENABLE);
        look_for_others(d, c, cpu);
    }
}

/* ---- debugfs ---- */

cs_cycle cs_imc_debugfs_due(const cs_imc_driver *d)
{
    const cs_imc_driver_spec *spec = d->config.spec;

    return d->written < spec->nr_debugfs ? cs_imc_us(d, spec->debugfs[d->written].at_us) : CS_NEVER;
}

/* The kernel stores the word as it is, and knows nothing of what it means. */
void cs_imc_write_debugfs(cs_imc_driver *d)
{
    static const uint64_t offsets[] = {
        [CS_DEBUGFS_IMC_CMD] = CS_NEST_COMMAND_OFFSET, [CS_DEBUGFS_IMC_MODE] = CS_NEST_MODE_OFFSET};
    const cs_imc_debugfs_spec *w = &d->config.spec->debugfs[d->written++];

    cs_imc_tell_late(d);
    d->at->serving = CS_IMC_NO_COMMAND;
    cs_imc_enter(d, d->config.tool_cpu);
    cs_imc_write_word(
        d, d->config.nest_base[w->file / CS_DEBUGFS_FILES] + offsets[w->file % CS_DEBUGFS_FILES],
        cs_imc_as_bus(w->value));
    cs_imc_leave(d, d->config.tool_cpu);
}

/* ---- boot, and waking ---- */

void cs_imc_hostboot(cs_imc_driver *d)
{
    for (unsigned chip = 0; chip < cs_imc_chips(d->config.imc); chip++)
        if (d->config.nest_units[chip] != 0)
            cs_imc_write_word(d, d->config.nest_base[chip] + CS_NEST_UNITS_OFFSET,
                              cs_imc_as_bus(d->config.nest_units[chip]));
}

/* What OPAL knows of the nests' units is the boot chip's vector as the engine has left it. It comes
 * before the pause, which is OPAL's, of all chips; the kernel's follows with each chip's first CPU. */
static void boot_nests(cs_imc_driver *d, unsigned chip)
{
    const unsigned chips = cs_imc_chips(d->config.imc);

    d->nest = cs_imc_read_word(d, d->config.nest_base[chip] + CS_NEST_UNITS_OFFSET, &d->units);
    for (unsigned i = 0; i < 2 * chips; i++) {
        const unsigned core = i % chips * cs_imc_chip_cores(d->config.imc);

        if (call_opal(d, CS_OPAL_IMC_STOP, CS_OPAL_NEST, 0, core) || d->nest_lost)
            continue;
        d->nest = false;
        d->nest_lost = true;
        cs_imc_tell(d, CS_IMC_NEST_LOST, CS_IMC_NO_COMMAND, d->config.tool_cpu, 0);
    }
}

/* *lost: it has failed, for a core at least. */
static void init_core(cs_imc_driver *d, cs_opal_type type, uint64_t addr, unsigned core, bool *lost)
{
    if (call_opal(d, CS_OPAL_IMC_INIT, type, addr, core))
        return;
    if (!*lost)
        cs_imc_tell(d, CS_IMC_INIT_FAILED, CS_IMC_NO_COMMAND, cs_imc_cpu_of(d, core, 0), 0);
    *lost = true;
}

void cs_imc_boot(cs_imc_driver *d)
{
    const unsigned first = d->config.memory.first_cpu, end = cs_imc_end_cpu(&d->config.memory);
    const unsigned named = d->config.tool_cpu;
    const unsigned cpu = named >= first && named < end ? named : first;
    const bool trace = cs_imc_catalog_pmu(d->config.catalog, "trace_imc") != NULL;

    cs_imc_enter(d, cpu);
    d->booted = true;
    for (unsigned core = 0; core < d->config.imc->cores; core++)
        d->htm_mode[core] = CS_HTM_DISABLE;
    if (d->config.nest)
        boot_nests(d, cs_imc_chip(d, cpu));
    for (unsigned core = 0; core < d->config.imc->cores; core++)
        init_core(d, CS_OPAL_CORE, cs_imc_core_memory(&d->config.memory, core), core,
                  &d->core_lost);
    for (unsigned i = first; i < end; i++)
        write_ldbar(d, i, 0);
    for (unsigned core = 0; core < d->config.imc->cores && trace; core++)
        init_core(d, CS_OPAL_TRACE, 0, core, &d->trace_lost);
    cs_imc_leave(d, cpu);
}

/* Who looks after a core that wakes: with a port a CPU its first thread. */
static bool looks_after(const cs_imc_driver *d, unsigned core)
{
    return d->nr_workers == 0 || (d->at->worker && d->at->cpu == cs_imc_cpu_of(d, core, 0));
}

cs_cycle cs_imc_wakes(const cs_imc_driver *d)
{
    while (d->at->woken < d->config.imc->nr_deep_stops &&
           !looks_after(d, d->by_end[d->at->woken]->core))
        d->at->woken++;
    if (d->at->woken == d->config.imc->nr_deep_stops)
        return CS_NEVER;
    const cs_deep_stop_spec *stop = d->by_end[d->at->woken];
    return cs_imc_us(d, stop->at_us + stop->for_us) + 1;
}

static uint64_t htm_mode_of(const cs_imc_driver *d, unsigned core)
{
    return cs_imc_core_scom(d->config.imc, core, CS_IMC_REG_HTM_MODE);
}

/* What counts on the core stands still until its next START. */
static void tell_lost(cs_imc_driver *d, unsigned core)
{
    for (unsigned i = 0; i < d->nr_commands && d->htm_mode[core] == CS_HTM_ENABLE; i++) {
        const imc_command *c = &d->commands[i];

        for (unsigned k = 0; k < c->nr_cpus; k++)
            if (c->opened && !c->ended && c->spec->pmu != CS_PERF_NEST &&
                cs_imc_core_of(d, c->cpus[k]) == core)
                cs_imc_tell(d, CS_IMC_HTM_LOST, i, c->cpus[k], 0);
    }
}

void cs_imc_wake(cs_imc_driver *d)
{
    const unsigned core = d->by_end[d->at->woken++]->core;
    const cs_restore restore = d->config.spec->restore;

    if (restore != CS_RESTORE_HTM_MODE)
        tell_lost(d, core);
    if (restore == CS_RESTORE_NONE)
        return;
    const cs_opal_answer answer = cs_opal_wake(&d->opal, core);
    cs_imc_work(d, d->config.spec->opal_cycles);
    for (unsigned i = 0; i < answer.nr_writes; i++)
        carry_out(d, &answer.writes[i]);
    if (restore == CS_RESTORE_HTM_MODE)
        cs_imc_write_word(d, htm_mode_of(d, core), d->htm_mode[core]);
    for (unsigned thread = 0; thread < d->config.imc->threads; thread++) {
        const unsigned cpu = cs_imc_cpu_of(d, core, thread);

        if (restore != CS_RESTORE_NO_LDBAR && d->ldbar[cpu] != 0)
            write_ldbar(d, cpu, d->ldbar[cpu]);
    }
}
