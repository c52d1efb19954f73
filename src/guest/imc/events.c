// SPDX-License-Identifier: Apache-2.0
#include "guest/imc/events.h"

#include <stdlib.h>
#include <string.h>

#include <countersink/base/stream/events.h>
#include <countersink/models/imc/imc_core.h>

#define ENTRIES 16384u
#define ALL_MODES ((1u << EVENTS_MODES) - 1)
#define CODE_32MHZ 2u

/* 32 MHz, of cycles of 1 ns: 4 ticks in 125. */
#define TICKS 4u
#define TICK_CYCLES 125u

cs_status events_create(events *e, unsigned nr_cpus, cs_diag *diag)
{
    memset(e, 0, sizeof *e);
    e->nr_cpus = nr_cpus;
    e->threads = 1;
    e->entries = calloc(ENTRIES, sizeof *e->entries);
    e->executed = calloc((size_t)ENTRIES * nr_cpus, sizeof *e->executed);
    e->look = CS_NEVER;
    events_cost(e, (const uint8_t[CS_POWER_KINDS]){1, 1, 1, 1});
    if (e->entries == NULL || e->executed == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "counts of a guest");
    e->core[CS_IMC_EVENT_CPMC1(CODE_32MHZ)] = EVENTS_TICKS;
    e->core[CS_IMC_EVENT_CPMC2(CODE_32MHZ)] = EVENTS_TICKS;
    e->core[CS_IMC_EVENT_CPMC3] = EVENTS_INSTRUCTIONS;
    e->core[CS_IMC_EVENT_CPMC4] = EVENTS_CYCLES;
    e->nr_entries = 1; /* there was nothing below 0 */
    return CS_OK;
}

void events_destroy(events *e)
{
    free(e->idle);
    free(e->entries);
    free(e->executed);
}

void events_cost(events *e, const uint8_t cycles[CS_POWER_KINDS])
{
    unsigned most = 0;

    memcpy(e->cycles, cycles, sizeof e->cycles);
    e->cheapest = cycles[0];
    for (unsigned kind = 0; kind < CS_POWER_KINDS; kind++) {
        most = cycles[kind] > most ? cycles[kind] : most;
        e->cheapest = cycles[kind] < e->cheapest ? cycles[kind] : e->cheapest;
    }
    e->unit = most == 1;
}

/* ---- time ---- */

static uint64_t idle_of_instruction(const events *e, uint64_t instruction)
{
    for (size_t i = e->nr_idle; i-- > 0;)
        if (e->idle[i].instruction <= instruction)
            return e->idle[i].cycles;
    return 0;
}

cs_cycle events_cycle(const events *e, uint64_t instruction)
{
    return instruction + idle_of_instruction(e, instruction);
}

uint64_t events_busy(const events *e, cs_cycle cycle)
{
    for (size_t i = e->nr_idle; i-- > 0;) {
        const uint64_t before = i > 0 ? e->idle[i - 1].cycles : 0;
        const cs_cycle from = e->idle[i].instruction + before; /* it stands still from here, */
        const cs_cycle to = e->idle[i].instruction + e->idle[i].cycles; /* to here */

        if (cycle >= to)
            return cycle - e->idle[i].cycles;
        if (cycle >= from)
            return e->idle[i].instruction;
    }
    return cycle;
}

static cs_cycle cycle_after(const events *e, uint64_t cycles)
{
    return cycles == 0 ? 0 : events_cycle(e, cycles - 1) + 1;
}

bool events_stood(events *e, uint64_t instruction, cs_cycle cycle)
{
    events_idle *more = realloc(e->idle, (e->nr_idle + 1) * sizeof *more);

    if (more == NULL)
        return false;
    e->idle = more;
    e->idle[e->nr_idle++] = (events_idle){instruction, cycle - instruction};
    return true;
}

/* ---- what was executed ---- */

static events_executed *entry(const events *e, uint64_t nr)
{
    return &e->executed[(size_t)(nr % ENTRIES) * e->nr_cpus];
}

static void put(events *e, events_entry what, const events_executed all[])
{
    if (e->entries[(e->nr_entries - 1) % ENTRIES].below != what.below)
        e->nr_entries++;
    e->entries[(e->nr_entries - 1) % ENTRIES] = what;
    memcpy(entry(e, e->nr_entries - 1), all, e->nr_cpus * sizeof *all);
}

void events_tell(events *e, uint64_t below, const events_executed all[],
                 const events_current *current)
{
    const unsigned cost = current != NULL ? e->cycles[current->kind] : 1;

    e->first = below - cost;
    if (cost > 1) {
        events_executed *now;

        put(e, (events_entry){e->first, true, (uint8_t)e->running, (uint8_t)current->mode}, all);
        now = &entry(e, e->nr_entries - 1)[e->running];
        now->of[current->mode][CS_POWER_INSTRUCTIONS]--;
        if (current->kind != CS_POWER_INSTRUCTIONS)
            now->of[current->mode][current->kind]--;
    }
    put(e, (events_entry){.below = below}, all);
}

void events_turn(events *e, unsigned cpu)
{
    e->turn_ended[e->running] = e->entries[(e->nr_entries - 1) % ENTRIES].below;
    e->running = cpu;
}

static uint64_t oldest(const events *e)
{
    return e->nr_entries > ENTRIES ? e->nr_entries - ENTRIES : 0;
}

/* The last entry that is not above. */
static uint64_t entry_below(events *e, uint64_t below)
{
    uint64_t low = oldest(e), high = e->nr_entries;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (e->entries[middle % ENTRIES].below <= below)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > oldest(e)) {
        const events_entry *found = &e->entries[(low - 1) % ENTRIES];

        if (found->below == below || (found->inside && low < e->nr_entries))
            return low - 1;
    }
    e->unknown = true;
    return e->nr_entries - 1;
}

uint64_t events_sum(const events_executed all[], events_cpus cpus, unsigned kind, uint32_t modes)
{
    uint64_t sum = 0;

    for (unsigned cpu = cpus.first; cpu < cpus.first + cpus.nr; cpu++)
        for (unsigned mode = 0; mode < EVENTS_MODES; mode++)
            if ((modes & CS_MODE_MASK(mode)) != 0)
                sum += all[cpu].of[mode][kind];
    return sum;
}

/* Of instructions that have ended; differences of kinds may be below 0. */
static uint64_t cycles_of(const events *e, const events_executed *all, events_cpus cpus,
                          uint32_t modes)
{
    const unsigned other = e->cycles[CS_POWER_INSTRUCTIONS];
    uint64_t sum = other * events_sum(all, cpus, CS_POWER_INSTRUCTIONS, modes);

    for (unsigned kind = 1; kind < CS_POWER_KINDS && !e->unit; kind++)
        sum += (uint64_t)((int64_t)e->cycles[kind] - (int64_t)other) *
               events_sum(all, cpus, kind, modes);
    return sum;
}

/* Of all CPUs it is the cycle's number. */
static uint64_t cycles(events *e, events_cpus cpus, uint32_t modes, uint64_t below)
{
    uint64_t sum;

    if (cpus.nr == e->nr_cpus && (modes & ALL_MODES) == ALL_MODES)
        return below;
    const uint64_t nr = entry_below(e, below);
    const events_entry *found = &e->entries[nr % ENTRIES];

    sum = cycles_of(e, entry(e, nr), cpus, modes);
    if (found->inside && found->cpu - cpus.first < cpus.nr &&
        (modes & CS_MODE_MASK(found->mode)) != 0)
        sum += below - found->below;
    return sum;
}

static uint64_t executed(events *e, events_cpus cpus, unsigned kind, uint32_t modes, uint64_t below)
{
    if (kind == CS_POWER_INSTRUCTIONS && e->unit)
        return cycles(e, cpus, modes, below);
    return events_sum(entry(e, entry_below(e, below)), cpus, kind, modes);
}

/* ---- events ---- */

static uint64_t ticks(uint64_t of)
{
    return of * TICKS / TICK_CYCLES;
}

static events_cpus core_of(const events *e, events_cpus cpus)
{
    return (events_cpus){cpus.first - cpus.first % e->threads, e->threads};
}

uint64_t events_all(events *e, events_cpus cpus, unsigned what, uint32_t modes, cs_cycle cycle)
{
    static const uint8_t kinds[EVENTS_WHATS] = {
        [EVENTS_LOADS] = CS_POWER_LOADS,
        [EVENTS_STORES] = CS_POWER_STORES,
        [EVENTS_BRANCHES] = CS_POWER_BRANCHES,
    };
    uint64_t below;

    if (what == EVENTS_NOTHING || what >= EVENTS_WHATS)
        return 0;
    if (what == EVENTS_CLOCK)
        return cycle;
    below = events_busy(e, cycle);
    if (what == EVENTS_IDLE)
        return cycle - cycles(e, core_of(e, cpus), CS_MODE_ALL, below);
    if (what == EVENTS_CYCLES)
        return cycles(e, cpus, modes, below);
    if (what == EVENTS_TICKS)
        return ticks(cycles(e, cpus, modes, below));
    return executed(e, cpus, kinds[what], modes, below);
}

uint64_t events_core(events *e, unsigned cpu, uint32_t event, uint32_t modes, cs_cycle from,
                     cs_cycle to)
{
    const unsigned what = event < EVENTS_CORE ? e->core[event] : EVENTS_NOTHING;
    const events_cpus of = {cpu, 1};

    if (what == EVENTS_NOTHING || from == to)
        return 0;
    return events_all(e, of, what, modes, to) - events_all(e, of, what, modes, from);
}

/* The engine goes on where it looked last, which may be long ago. */
uint64_t events_nest(events *e, uint32_t event, cs_cycle from, cs_cycle to)
{
    const unsigned what = event < EVENTS_NEST ? e->nest[event] : EVENTS_NOTHING;
    const events_cpus all = {0, e->nr_cpus};
    uint64_t before;

    if (what == EVENTS_NOTHING)
        return 0;
    before = from == e->nest_sums[event].to ? e->nest_sums[event].value
                                            : events_all(e, all, what, CS_MODE_ALL, from);
    e->nest_sums[event].to = to;
    e->nest_sums[event].value = events_all(e, all, what, CS_MODE_ALL, to);
    return e->nest_sums[event].value - before;
}

/* The end of the cycle in which a CPU has executed for as many in all, as far as it is its turn. */
static cs_cycle cycle_of(const events *e, unsigned cpu, uint64_t count)
{
    const events_cpus of = {cpu, 1};
    const uint64_t last = e->nr_entries - 1, told = e->entries[last % ENTRIES].below;
    const uint64_t until = cpu == e->running ? told : e->turn_ended[cpu];
    const uint64_t so_far = cycles_of(e, entry(e, last), of, CS_MODE_ALL);

    if (count > so_far && cpu != e->running)
        return CS_NEVER;
    return cycle_after(e, until + count - so_far);
}

/* The end of its instruction of that number, once it has been told: those to come cost what they will. */
static cs_cycle end_of(events *e, unsigned cpu, uint64_t count)
{
    const events_cpus of = {cpu, 1};
    uint64_t low = oldest(e), high = e->nr_entries, left;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (events_sum(entry(e, middle), of, CS_POWER_INSTRUCTIONS, CS_MODE_ALL) < count)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < e->nr_entries)
        return cycle_after(e, e->entries[low % ENTRIES].below);
    left = count - events_sum(entry(e, low - 1), of, CS_POWER_INSTRUCTIONS, CS_MODE_ALL);
    left = e->entries[(low - 1) % ENTRIES].below + left * e->cheapest - 1;
    if (cpu == e->running && left < e->look)
        e->look = left;
    return CS_NEVER;
}

cs_cycle events_reach(events *e, unsigned cpu, uint32_t event, cs_cycle from, uint64_t count)
{
    const unsigned what = event < EVENTS_CORE ? e->core[event] : EVENTS_NOTHING;
    const events_cpus of = {cpu, 1};
    const uint64_t below = events_busy(e, from);
    uint64_t want;

    if (count == 0)
        return from;
    if (what != EVENTS_TICKS && what != EVENTS_CYCLES && what != EVENTS_INSTRUCTIONS)
        return CS_NEVER;
    if (what == EVENTS_INSTRUCTIONS && !e->unit)
        return end_of(e, cpu, executed(e, of, CS_POWER_INSTRUCTIONS, CS_MODE_ALL, below) + count);
    want = cycles(e, of, CS_MODE_ALL, below);
    if (what == EVENTS_TICKS)
        want = ((ticks(want) + count) * TICK_CYCLES + TICKS - 1) / TICKS;
    else
        want += count;
    return e->nr_cpus == 1 ? cycle_after(e, want) : cycle_of(e, cpu, want);
}
