// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/hart.h"

#include <stdlib.h>
#include <string.h>

#include "guest/hpm/pins.h"

#define ENTRIES 16384u
#define FAR_AWAY (UINT64_C(1) << 40)
#define MIP 0x344u
#define MIE 0x304u
#define MCYCLE 0xb00u
#define MCOUNTINHIBIT 0x320u
#define OF (UINT64_C(1) << 63)
#define VUINH 58u /* the first of five bits */
#define SCOUNTOVF 0xda0u
#define BRANCHES_TRAPS (CS_RISCV_OUTCOME(TAKEN) | CS_RISCV_OUTCOME(NOT_TAKEN) | TRAPS)
#define TRAPS (CS_RISCV_OUTCOME(EXCEPTION) | CS_RISCV_OUTCOME(INTERRUPT))

/* What had been executed in cycles below. */
typedef struct entry {
    cs_cycle below;
    hart_executed executed;
} entry;

struct hart {
    cs_hpm *hpm;
    hart_event events[HART_EVENTS];
    uint8_t cost[CS_RISCV_KINDS];
    uint8_t dearest;
    uint8_t width[CS_HPM_COUNTERS]; /* 0: it is not there */
    entry *entries;                 /* a ring */
    uint64_t nr;
    uint64_t settled; /* entries, when all counters were last up to date */
    bool modes[HART_MODES];
    uint64_t left[HART_MODES], outcomes_left;
    pins *pins;            /* NULL: nobody records */
    hart_instruction last; /* that was told, */
    bool told;             /* and is not recorded yet */
    const char *failed;
};

/* ---- what was executed ---- */

static entry *entry_of(const hart *h, uint64_t nr)
{
    return &h->entries[nr % ENTRIES];
}

static void put(hart *h, cs_cycle below, const hart_executed *executed)
{
    if (entry_of(h, h->nr - 1)->below != below)
        h->nr++;
    entry_of(h, h->nr - 1)->below = below;
    entry_of(h, h->nr - 1)->executed = *executed;
}

/* The last entry that is not above; nothing happens between two that anybody asks for. */
static const entry *entry_at(hart *h, cs_cycle cycle)
{
    uint64_t low = h->nr > ENTRIES ? h->nr - ENTRIES : 0, high = h->nr;
    const uint64_t oldest = low;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (entry_of(h, middle)->below <= cycle)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == oldest) {
        h->failed = "a counter asked for a time that is forgotten";
        return entry_of(h, oldest);
    }
    return entry_of(h, low - 1);
}

uint64_t hart_executed_in(const hart_executed *executed, unsigned mode)
{
    uint64_t sum = 0;

    for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
        sum += executed->of[mode][kind];
    return sum;
}

static cs_cycle cycles_of(const hart *h, const hart_executed *executed)
{
    cs_cycle cycles = 0;

    for (unsigned mode = 0; mode < HART_MODES; mode++)
        for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
            cycles += executed->of[mode][kind] * h->cost[kind];
    return cycles;
}

static uint64_t count(const hart *h, const hart_event *event, uint32_t modes,
                      const hart_executed *executed)
{
    uint64_t sum = 0;

    for (unsigned mode = 0; mode < HART_MODES; mode++)
        for (unsigned kind = 0; kind < CS_RISCV_KINDS && (modes >> mode & 1) != 0; kind++)
            if ((event->kinds >> kind & 1) != 0)
                sum += executed->of[mode][kind] * (event->cycles ? h->cost[kind] : 1);
    for (unsigned mode = 0; mode < HART_MODES && event->outcomes != 0; mode++)
        for (unsigned i = 0; i < CS_RISCV_OUTCOMES && (modes >> mode & 1) != 0; i++)
            if ((event->outcomes >> i & 1) != 0)
                sum += executed->outcomes[mode][i];
    return sum;
}

static bool is_counted(const hart *h, uint32_t event)
{
    return event < HART_EVENTS && (h->events[event].kinds | h->events[event].outcomes) != 0;
}

/* ---- the counters' event source ---- */

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    hart *h = ctx;

    if (!is_counted(h, event) || to <= from)
        return 0;
    return count(h, &h->events[event], modes, &entry_at(h, to)->executed) -
           count(h, &h->events[event], modes, &entry_at(h, from)->executed);
}

/* The counters must look again when the event may have come so often. In each mode that it counts in it
 * may come with every instruction; the first mode that has its share of them has all look. Outcomes are
 * counted down themselves; an event of both kinds looks when either has its half. */
static void want(hart *h, const hart_event *event, uint32_t modes, uint64_t count)
{
    const unsigned most = event->cycles ? h->dearest : 1;
    unsigned nr = 0;

    if (event->outcomes != 0 && event->kinds != 0)
        count = (count + 1) / 2;
    if (event->outcomes != 0 && count < h->outcomes_left)
        h->outcomes_left = count;
    if (event->kinds == 0)
        return;
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        nr += h->modes[mode] && (modes >> mode & 1) != 0;
    for (unsigned mode = 0; mode < HART_MODES; mode++) {
        const uint64_t left = nr == 0 ? FAR_AWAY : (count - 1) / (nr * most) + 1;

        if (h->modes[mode] && (modes >> mode & 1) != 0 && left < h->left[mode])
            h->left[mode] = left;
    }
}

static cs_cycle reach(void *ctx, uint32_t number, uint32_t modes, cs_cycle from, uint64_t n)
{
    hart *h = ctx;
    const hart_event *event = &h->events[is_counted(h, number) ? number : 0];
    uint64_t low, high = h->nr - 1;

    if (n == 0)
        return from;
    if (!is_counted(h, number))
        return CS_NEVER;
    const uint64_t before = count(h, event, modes, &entry_at(h, from)->executed);
    const uint64_t so_far = count(h, event, modes, &entry_of(h, high)->executed) - before;

    if (so_far < n) {
        want(h, event, modes, n - so_far);
        return CS_NEVER;
    }
    for (low = h->nr > ENTRIES ? h->nr - ENTRIES : 0; low < high;) {
        const uint64_t middle = low + (high - low) / 2;

        if (count(h, event, modes, &entry_of(h, middle)->executed) < before + n)
            low = middle + 1;
        else
            high = middle;
    }
    return entry_of(h, low)->below;
}

static void context(void *ctx, cs_cycle cycle, cs_context *out)
{
    (void)ctx, (void)cycle;
    *out = (cs_context){0};
}

/* ---- create, destroy ---- */

cs_status hart_create(const cs_hpm_config *config, const hart_event events[HART_EVENTS],
                      const uint8_t cost[CS_RISCV_KINDS], hart **out, cs_diag *diag)
{
    hart *h = calloc(1, sizeof *h);
    const cs_hpm_env env = {.events = {sum, reach, context, h, NULL}};
    cs_status status;

    *out = NULL;
    if (h != NULL)
        h->entries = calloc(ENTRIES, sizeof *h->entries);
    if (h == NULL || h->entries == NULL) {
        free(h);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "hart", "counts of a guest");
    }
    memcpy(h->events, events, sizeof h->events);
    memcpy(h->cost, cost, sizeof h->cost);
    for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
        h->dearest = cost[kind] > h->dearest ? cost[kind] : h->dearest;
    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++)
        h->width[n] = (config->counters >> n & 1) != 0 ? config->width[n] : 0;
    h->modes[CS_HPM_MODE_M] = true;
    h->modes[CS_HPM_MODE_U] = config->modes >= CS_HPM_MODES_M_U;
    h->modes[CS_HPM_MODE_S] = config->modes >= CS_HPM_MODES_M_S_U;
    h->modes[CS_HPM_MODE_VU] = h->modes[CS_HPM_MODE_VS] = config->modes >= CS_HPM_MODES_H;
    h->nr = 1; /* there was nothing below 0 */
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        h->left[mode] = FAR_AWAY;
    h->outcomes_left = FAR_AWAY;
    status = cs_hpm_create(config, &env, &h->hpm, diag);
    if (status != CS_OK) {
        hart_destroy(h);
        return status;
    }
    *out = h;
    return CS_OK;
}

void hart_destroy(hart *h)
{
    if (h == NULL)
        return;
    cs_hpm_destroy(h->hpm);
    free(h->entries);
    free(h);
}

/* ---- time ---- */

static uint64_t ask(hart *h, uint16_t csr)
{
    const cs_hpm_access read = {
        .csr = csr, .mode = CS_HPM_MODE_M, .stateen_m = true, .stateen_h = true};

    return cs_hpm_ask(h->hpm, &read).value;
}

/* Counters that nobody looks at are brought up to date before what they count from is forgotten. */
static void settle(hart *h)
{
    if (h->nr - h->settled < ENTRIES / 2)
        return;
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        ask(h, (uint16_t)(MCYCLE + n));
    h->settled = h->nr;
}

/* While no line can move an overflow is looked for, too: it will have been at its instruction. */
static void want_overflows(hart *h)
{
    const uint64_t inhibited = ask(h, MCOUNTINHIBIT);

    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++) {
        if (h->width[n] == 0 || (inhibited >> n & 1) != 0)
            continue;
        const hart_setting setting = hart_setting_of(h, n);
        const uint64_t all = h->width[n] < 64 ? (UINT64_C(1) << h->width[n]) - 1 : UINT64_MAX;

        if (setting.counting && (ask(h, (uint16_t)(MCOUNTINHIBIT + n)) & OF) == 0)
            want(h, &h->events[setting.event], setting.modes, all - hart_value(h, n) + 1);
    }
}

static void plan(hart *h, bool quiet)
{
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        h->left[mode] = FAR_AWAY;
    h->outcomes_left = FAR_AWAY;
    const cs_cycle next = cs_hpm_next(h->hpm);
    const cs_cycle now = cs_hpm_now(h->hpm);

    /* A line that moves in a known cycle: an instruction takes one at least. */
    for (unsigned mode = 0; mode < HART_MODES && next != CS_NEVER; mode++)
        if (h->left[mode] > next - now)
            h->left[mode] = next > now ? next - now : 1;
    if (quiet)
        want_overflows(h);
    for (unsigned mode = 0; mode < HART_MODES && h->pins != NULL; mode++) {
        const uint64_t left = pins_left(h->pins, now);

        h->left[mode] = left < h->left[mode] ? left : h->left[mode];
    }
}

hart_executed hart_before(const hart_executed *executed, hart_instruction last)
{
    hart_executed before = *executed;

    before.of[last.mode][last.kind]--;
    for (unsigned i = 0; i < CS_RISCV_OUTCOMES; i++)
        before.outcomes[(TRAPS >> i & 1) != 0 ? last.from : last.mode][i] -= last.outcomes >> i & 1;
    return before;
}

void hart_tell(hart *h, const hart_executed *executed, hart_instruction last)
{
    const cs_cycle below = cycles_of(h, executed);
    const hart_executed before = hart_before(executed, last);

    put(h, below - 1, &before);
    put(h, below, executed);
    h->last = last;
    h->told = true;
    if (cs_hpm_now(h->hpm) < below - 1)
        cs_hpm_advance(h->hpm, below - 1);
}

cs_hpm_result hart_access(hart *h, const cs_hpm_access *access)
{
    const cs_cycle at = entry_of(h, h->nr - 1)->below - 1;

    if (cs_hpm_now(h->hpm) > at) {
        h->failed = "two accesses in a cycle";
        return (cs_hpm_result){CS_HPM_EXCEPTION_ILLEGAL, 0};
    }
    const cs_hpm_result result = cs_hpm_access_csr(h->hpm, at, access);

    if (h->pins != NULL)
        pins_access(h->pins, access, &result);
    return result;
}

bool hart_pending(hart *h)
{
    cs_hpm_advance(h->hpm, entry_of(h, h->nr - 1)->below);
    settle(h);
    if (h->pins != NULL && h->told)
        pins_instruction(h->pins, cs_hpm_now(h->hpm), h->last.mode, h->last.kind, h->hpm);
    h->told = false;
    const bool pending = (ask(h, MIP) >> 13 & 1) != 0;

    plan(h, pending || !hart_enabled(h));
    return pending;
}

bool hart_enabled(hart *h)
{
    return ask(h, MIE) >> 13 & 1;
}

uint32_t hart_overflowed(hart *h)
{
    return (uint32_t)ask(h, SCOUNTOVF);
}

uint64_t hart_value(hart *h, unsigned counter)
{
    return ask(h, (uint16_t)(MCYCLE + counter));
}

hart_setting hart_setting_of(hart *h, unsigned counter)
{
    static const unsigned inhibiting[] = {CS_HPM_MODE_VU, CS_HPM_MODE_VS, CS_HPM_MODE_U,
                                          CS_HPM_MODE_S, CS_HPM_MODE_M};
    const bool fixed = counter < 3;
    const uint64_t config = fixed ? 0 : ask(h, (uint16_t)(MCOUNTINHIBIT + counter));
    hart_setting setting = {.event = fixed ? counter / 2 + 1 : (uint32_t)(config & 0xffff),
                            .modes = CS_MODE_ALL};

    for (unsigned i = 0; i < sizeof inhibiting / sizeof inhibiting[0]; i++)
        if ((config >> (VUINH + i) & 1) != 0)
            setting.modes &= ~CS_MODE_MASK(inhibiting[i]);
    setting.counting = (ask(h, MCOUNTINHIBIT) >> counter & 1) == 0 && is_counted(h, setting.event);
    return setting;
}

uint64_t hart_count(const hart *h, const hart_setting *setting, const hart_executed *executed)
{
    return setting->counting ? count(h, &h->events[setting->event], setting->modes, executed) : 0;
}

uint32_t hart_wanted(hart *h)
{
    uint32_t outcomes = 0;

    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++) {
        const hart_setting setting = h->width[n] != 0 ? hart_setting_of(h, n) : (hart_setting){0};

        if (setting.counting)
            outcomes |= h->events[setting.event].outcomes;
    }
    if (h->pins != NULL && (outcomes & BRANCHES_TRAPS) != 0)
        h->failed = "guest.pins records neither taken branches nor traps, which a counter counts";
    return outcomes;
}

uint64_t hart_left(hart *h, unsigned mode)
{
    return h->left[mode];
}

uint64_t hart_outcomes_left(const hart *h)
{
    return h->outcomes_left;
}

void hart_record(hart *h, pins *pins)
{
    h->pins = pins;
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        h->left[mode] = pins_left(pins, cs_hpm_now(h->hpm));
}

cs_cycle hart_now(const hart *h)
{
    return cs_hpm_now(h->hpm);
}

const char *hart_failed(const hart *h)
{
    return h->failed;
}
