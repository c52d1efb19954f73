// SPDX-License-Identifier: Apache-2.0
/* The uncore block as an object, and its registers: docs/hw/uncore.md. */
#include <countersink/models/uncore/uncore.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/require.h"
#include "models/uncore/uncore_internal.h"

#define PLACE "uncore"

#define ID_OFFSET 0x000u
#define CTL_OFFSET 0x008u
#define OVF_OFFSET 0x010u
#define IE_OFFSET 0x018u
#define SELECT_OFFSET 0x100u
#define COUNT_OFFSET 0x200u
#define MATCH_OFFSET 0x300u
#define MASK_OFFSET 0x400u

#define REGISTER_BYTES 8u

/* ---- the object ---- */

static cs_status check(const cs_uncore_config *config, cs_diag *diag)
{
    if (config->counters < 1 || config->counters > CS_UNCORE_MAX_COUNTERS)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "counters is %u: must be 1..%u",
                           config->counters, CS_UNCORE_MAX_COUNTERS);
    if (config->width < CS_UNCORE_MIN_WIDTH || config->width > CS_UNCORE_MAX_WIDTH)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "width is %u: must be %u..%u", config->width,
                           CS_UNCORE_MIN_WIDTH, CS_UNCORE_MAX_WIDTH);
    return CS_OK;
}

static cs_status check_env(const cs_uncore_config *config, const cs_uncore_env *env, cs_diag *diag)
{
    if (config->extended && (env == NULL || env->tagged.sum == NULL))
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "env: tagged.sum must be set, as extended is on");
    if (!config->extended && (env == NULL || env->events.sum == NULL || env->events.reach == NULL))
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "env: events.sum and events.reach must be set");
    return CS_OK;
}

cs_status cs_uncore_create(const cs_uncore_config *config, const cs_uncore_env *env,
                           cs_uncore **out, cs_diag *diag)
{
    cs_status status = check(config, diag);

    *out = NULL;
    if (status == CS_OK)
        status = check_env(config, env, diag);
    if (status != CS_OK)
        return status;
    cs_uncore *uncore = calloc(1, sizeof(*uncore));
    if (uncore == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, PLACE, "out of memory");
    uncore->config = *config;
    uncore->events = env->events;
    uncore->probe = env->probe;
    uncore->tagged = env->tagged;
    *out = uncore;
    return CS_OK;
}

void cs_uncore_destroy(cs_uncore *uncore)
{
    free(uncore);
}

void cs_uncore_reset(cs_uncore *uncore, cs_cycle now)
{
    CS_REQUIRE(now >= uncore->now,
               PLACE ": a reset in cycle %" PRIu64 ": must be in %" PRIu64 " or later", now,
               uncore->now);
    if (now > uncore->now)
        cs_uncore_advance(uncore, now - 1); /* what would be seen first in `now` is not */
    uncore->now = now;
    uncore->free = now;
    uncore->ctl = 0;
    uncore->ovf = 0;
    uncore->ie = 0;
    for (unsigned n = 0; n < CS_UNCORE_MAX_COUNTERS; n++)
        uncore->counter[n] = (cs_uncore_counter){.since = now};
    cs_uncore_show_line(uncore);
}

cs_cycle cs_uncore_now(const cs_uncore *uncore)
{
    return uncore->now;
}

bool cs_uncore_irq(const cs_uncore *uncore)
{
    return uncore->line;
}

void cs_uncore_show_line(cs_uncore *uncore)
{
    const bool line = (uncore->ovf & uncore->ie) != 0;

    if (line == uncore->line)
        return;
    uncore->line = line;
    const cs_probe_record record = {
        .cycle = uncore->now, .kind = CS_PROBE_IRQ, .source = uncore->config.unit, .value = line};
    cs_probe_emit(uncore->probe, &record);
}

/* ---- registers ---- */

typedef enum reg { NOTHING, ID, CTL, OVF, IE, SELECT, COUNT, MATCH, MASK } reg;

/* Those that each counter has; the last two with `extended`. */
static const struct {
    uint32_t offset;
    reg which;
} of_counters[] = {
    {SELECT_OFFSET, SELECT}, {COUNT_OFFSET, COUNT}, {MATCH_OFFSET, MATCH}, {MASK_OFFSET, MASK}};

/* The register at an offset; *n is its counter. */
static reg find(const cs_uncore *uncore, uint32_t offset, unsigned *n)
{
    const uint32_t first = offset - offset % REGISTER_BYTES;

    *n = 0;
    switch (first) {
    case ID_OFFSET:
        return ID;
    case CTL_OFFSET:
        return CTL;
    case OVF_OFFSET:
        return OVF;
    case IE_OFFSET:
        return IE;
    default:
        break;
    }
    for (size_t i = 0; i < (uncore->config.extended ? 4u : 2u); i++)
        if (first - of_counters[i].offset < REGISTER_BYTES * uncore->config.counters) {
            *n = (first - of_counters[i].offset) / REGISTER_BYTES;
            return of_counters[i].which;
        }
    return NOTHING;
}

/* A 4-byte access reaches a half of its register: which bits, and where bit 0 of the access is. */
static unsigned shift_of(uint32_t offset, bool wide)
{
    return !wide && offset % REGISTER_BYTES != 0 ? 32 : 0;
}

static uint64_t bits_of(uint32_t offset, bool wide)
{
    return wide ? UINT64_MAX : UINT64_C(0xffffffff) << shift_of(offset, wide);
}

static bool is_refused(uint32_t offset, bool wide)
{
    return offset % (wide ? 8 : 4) != 0;
}

static void begin(cs_uncore *uncore, cs_cycle cycle)
{
    CS_REQUIRE(cycle >= uncore->now && cycle >= uncore->free,
               PLACE ": an access in cycle %" PRIu64 ": must be in %" PRIu64 " or later", cycle,
               uncore->now > uncore->free ? uncore->now : uncore->free);
    cs_uncore_advance(uncore, cycle);
    uncore->free = cycle + 1;
}

/* The register in cycle `now`. */
static uint64_t value_of(cs_uncore *uncore, reg which, unsigned n)
{
    switch (which) {
    case ID:
        return uncore->config.counters | uncore->config.width << 8 |
               (uint32_t)uncore->config.extended << 15 | (uint32_t)uncore->config.id << 16;
    case CTL:
        return uncore->ctl;
    case OVF:
        cs_uncore_settle(uncore, cs_uncore_existing(uncore), uncore->now);
        return uncore->ovf;
    case IE:
        return uncore->ie;
    case SELECT:
        return uncore->counter[n].select;
    case COUNT:
        cs_uncore_settle(uncore, 1u << n, uncore->now);
        return uncore->counter[n].value;
    case MATCH:
        return uncore->counter[n].match;
    case MASK:
        return uncore->counter[n].mask;
    default:
        return 0;
    }
}

cs_bus_resp cs_uncore_read(cs_uncore *uncore, cs_cycle cycle, uint32_t offset, bool wide,
                           uint64_t *data)
{
    unsigned n;

    begin(uncore, cycle);
    *data = 0;
    if (!is_refused(offset, wide)) {
        const reg which = find(uncore, offset, &n);
        const uint64_t value = value_of(uncore, which, n) & bits_of(offset, wide);

        *data = value >> shift_of(offset, wide);
    }
    return is_refused(offset, wide) ? CS_BUS_SLVERR : CS_BUS_OKAY;
}

/* The copy has no line: nobody hears of it. */
cs_bus_resp cs_uncore_ask(const cs_uncore *uncore, uint32_t offset, bool wide, uint64_t *data)
{
    cs_uncore copy = *uncore;

    copy.free = copy.now;
    return cs_uncore_read(&copy, copy.now, offset, wide, data);
}

/* Counts cycle `now` under its own EN, ON, EVENT and FREEZE, but not in the counters of
 * `dropped`; those of `asked` are brought up to date. Returns whether EN falls. */
static bool count_cycle(cs_uncore *uncore, uint32_t asked, uint32_t dropped)
{
    const cs_cycle to = uncore->now + 1;
    const uint32_t counted = cs_uncore_existing(uncore) & ~dropped;
    const uint32_t first = counted & (asked | cs_uncore_near(uncore, to));

    if (cs_uncore_settle(uncore, first, to) == 0 || !(uncore->ctl & CS_UNCORE_CTL_FREEZE))
        return false;
    cs_uncore_settle(uncore, counted, to);
    return true;
}

static void set_value(cs_uncore *uncore, unsigned n, uint64_t value, cs_cycle since)
{
    uncore->counter[n].value = value & cs_uncore_value_mask(uncore);
    uncore->counter[n].since = since;
}

/* A write to `bits` of a register (docs/hw/uncore.md, "Writes against counting"). */
static void write_register(cs_uncore *uncore, reg which, unsigned n, uint64_t bits, uint64_t data)
{
    const uint32_t all = cs_uncore_existing(uncore);
    const bool resets = which == CTL && (data & CS_UNCORE_CTL_RESET);
    const uint32_t cleared = which == OVF ? (uint32_t)data & all : 0;
    const uint32_t dropped = which == COUNT ? 1u << n : resets ? all : 0;
    const bool chooses = which == SELECT || which == MATCH || which == MASK;
    const uint32_t asked = chooses ? 1u << n : which == COUNT ? 0 : all;

    /* 1. The cycles before: a flag of theirs stays, or is cleared. */
    cs_uncore_settle(uncore, cleared | dropped, uncore->now);
    uncore->ovf &= ~cleared;
    const uint64_t merged = (value_of(uncore, which, n) & ~bits) | data;

    /* 2. This cycle, as if nothing were written. */
    const bool freezes = count_cycle(uncore, asked, dropped);

    /* 3. What is written. */
    if (which == CTL)
        uncore->ctl = (uint32_t)merged & (CS_UNCORE_CTL_EN | CS_UNCORE_CTL_FREEZE);
    else if (which == IE)
        uncore->ie = (uint32_t)merged & all;
    else if (which == SELECT)
        uncore->counter[n].select =
            (uint32_t)merged & (CS_UNCORE_SELECT_EVENT | CS_UNCORE_SELECT_ON);
    else if (which == MATCH)
        uncore->counter[n].match = merged;
    else if (which == MASK)
        uncore->counter[n].mask = merged;
    else if (which == COUNT)
        set_value(uncore, n, merged, uncore->now + 1);
    for (unsigned i = 0; resets && i < uncore->config.counters; i++)
        set_value(uncore, i, 0, uncore->now + 1);

    /* 4. The freeze wins. */
    if (freezes)
        uncore->ctl &= ~CS_UNCORE_CTL_EN;
    uncore->now++;
    cs_uncore_show_line(uncore);
}

cs_bus_resp cs_uncore_write(cs_uncore *uncore, cs_cycle cycle, uint32_t offset, bool wide,
                            uint64_t data)
{
    const uint64_t came = wide ? data : (uint32_t)data;
    unsigned n = 0;

    begin(uncore, cycle);
    const reg which = is_refused(offset, wide) ? NOTHING : find(uncore, offset, &n);
    write_register(uncore, which, n, bits_of(offset, wide), came << shift_of(offset, wide));
    return is_refused(offset, wide) ? CS_BUS_SLVERR : CS_BUS_OKAY;
}
