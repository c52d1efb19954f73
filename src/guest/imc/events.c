#include "guest/imc/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream/events.h"
#include "models/imc/imc_core.h"

#define ENTRIES 16384u
#define ALL_MODES ((1u << EVENTS_MODES) - 1)
#define CODE_32MHZ 2u

/* 32 MHz, of cycles of 1 ns: 4 ticks in 125. */
#define TICKS 4u
#define TICK_CYCLES 125u

cs_status events_create(events *e, cs_diag *diag)
{
    memset(e, 0, sizeof *e);
    e->entries = calloc(ENTRIES, sizeof *e->entries);
    if (e->entries == NULL)
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
}

/* ---- time ---- */

static uint64_t idle_of_instruction(const events *e, uint64_t instruction)
{
    for (size_t i = e->nr_idle; i-- > 0;)
        if (e->idle[i].instruction <= instruction)
            return e->idle[i].cycles;
    return 0;
}

cycle_t events_cycle(const events *e, uint64_t instruction)
{
    return instruction + idle_of_instruction(e, instruction);
}

uint64_t events_busy(const events *e, cycle_t cycle)
{
    for (size_t i = e->nr_idle; i-- > 0;) {
        const uint64_t before = i > 0 ? e->idle[i - 1].cycles : 0;
        const cycle_t from = e->idle[i].instruction + before; /* it stands still from here, */
        const cycle_t to = e->idle[i].instruction + e->idle[i].cycles; /* to here */

        if (cycle >= to)
            return cycle - e->idle[i].cycles;
        if (cycle >= from)
            return e->idle[i].instruction;
    }
    return cycle;
}

static cycle_t cycle_after(const events *e, uint64_t instructions)
{
    return instructions == 0 ? 0 : events_cycle(e, instructions - 1) + 1;
}

bool events_stood(events *e, uint64_t instruction, cycle_t cycle)
{
    events_idle *more = realloc(e->idle, (e->nr_idle + 1) * sizeof *more);

    if (more == NULL)
        return false;
    e->idle = more;
    e->idle[e->nr_idle++] = (events_idle){instruction, cycle - instruction};
    return true;
}

/* ---- what was executed ---- */

void events_tell(events *e, uint64_t below, const events_executed *executed)
{
    events_entry *last = &e->entries[(e->nr_entries - 1) % ENTRIES];

    if (last->below != below)
        last = &e->entries[e->nr_entries++ % ENTRIES];
    *last = (events_entry){below, *executed};
}

static const events_executed *executed_below(events *e, uint64_t below)
{
    uint64_t low = e->nr_entries > ENTRIES ? e->nr_entries - ENTRIES : 0, high = e->nr_entries;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const events_entry *entry = &e->entries[middle % ENTRIES];

        if (entry->below == below)
            return &entry->executed;
        if (entry->below < below)
            low = middle + 1;
        else
            high = middle;
    }
    e->unknown = true;
    return &e->entries[(e->nr_entries - 1) % ENTRIES].executed;
}

static uint64_t executed(events *e, unsigned kind, uint32_t modes, uint64_t below)
{
    const events_executed *all = executed_below(e, below);
    uint64_t sum = 0;

    for (unsigned mode = 0; mode < EVENTS_MODES; mode++)
        if ((modes & CS_MODE_MASK(mode)) != 0)
            sum += all->of[mode][kind];
    return sum;
}

/* ---- events ---- */

static uint64_t ticks(uint64_t instructions)
{
    return instructions * TICKS / TICK_CYCLES;
}

uint64_t events_all(events *e, unsigned what, uint32_t modes, cycle_t cycle)
{
    static const uint8_t kinds[EVENTS_WHATS] = {
        [EVENTS_LOADS] = CS_POWER_LOADS,
        [EVENTS_STORES] = CS_POWER_STORES,
        [EVENTS_BRANCHES] = CS_POWER_BRANCHES,
    };
    const bool of_all = kinds[what] == CS_POWER_INSTRUCTIONS && (modes & ALL_MODES) == ALL_MODES;
    uint64_t count;

    if (what == EVENTS_NOTHING || what >= EVENTS_WHATS)
        return 0;
    if (what == EVENTS_CLOCK)
        return cycle;
    count = events_busy(e, cycle);
    if (!of_all)
        count = executed(e, kinds[what], modes, count);
    return what == EVENTS_TICKS ? ticks(count) : count;
}

uint64_t events_core(events *e, uint32_t event, uint32_t modes, cycle_t from, cycle_t to)
{
    const unsigned what = event < EVENTS_CORE ? e->core[event] : EVENTS_NOTHING;

    if (what == EVENTS_NOTHING || from == to)
        return 0;
    return events_all(e, what, modes, to) - events_all(e, what, modes, from);
}

/* The engine goes on where it looked last, which may be long ago. */
uint64_t events_nest(events *e, uint32_t event, cycle_t from, cycle_t to)
{
    const unsigned what = event < EVENTS_NEST ? e->nest[event] : EVENTS_NOTHING;
    uint64_t before;

    if (what == EVENTS_NOTHING)
        return 0;
    before = from == e->nest_sums[event].to ? e->nest_sums[event].value
                                            : events_all(e, what, CS_MODE_ALL, from);
    e->nest_sums[event].to = to;
    e->nest_sums[event].value = events_all(e, what, CS_MODE_ALL, to);
    return e->nest_sums[event].value - before;
}

cycle_t events_reach(const events *e, uint32_t event, cycle_t from, uint64_t count)
{
    const unsigned what = event < EVENTS_CORE ? e->core[event] : EVENTS_NOTHING;
    const uint64_t before = events_busy(e, from);

    if (count == 0)
        return from;
    if (what == EVENTS_TICKS)
        return cycle_after(e, ((ticks(before) + count) * TICK_CYCLES + TICKS - 1) / TICKS);
    return what == EVENTS_CYCLES || what == EVENTS_INSTRUCTIONS ? cycle_after(e, before + count)
                                                                : CS_NEVER;
}
