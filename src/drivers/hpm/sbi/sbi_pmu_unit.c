// SPDX-License-Identifier: Apache-2.0
/* Counters that are no CSRs: those of units that the harts share, as firmware counters
 * (docs/drivers/sbi_pmu.md, "Counters of shared units"). Each hart has counters of a unit for itself, so
 * that no two firmwares write one register. */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define CTL 0x008u
#define SELECT(n) (0x100u + 8u * (n))
#define COUNT(n) (0x200u + 8u * (n))
#define CTL_EN 1u
#define SELECT_ON 0x10000u
#define EVENT(data) ((data)&0xffffu)
#define UNIT(data) ((data) >> 16 & 0xffffu)

static bool sbi_unit_store(const cs_sbi_pmu *fw, cs_hart *hart, unsigned unit, unsigned offset,
                           uint64_t value)
{
    const uint64_t address = fw->config.units[unit].address + offset;
    const uint8_t low[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                            (uint8_t)(value >> 24)};

    return cs_hart_store(hart, address, low, sizeof low) == CS_BUS_OKAY;
}

static bool sbi_unit_load32(cs_hart *hart, uint64_t address, uint64_t *value)
{
    uint8_t data[4];

    if (cs_hart_load(hart, address, data, sizeof data) != CS_BUS_OKAY)
        return false;
    *value = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
    return true;
}

/* With XLEN 32 in halves: high, low, high, until both highs agree. */
static bool sbi_unit_load(const cs_sbi_pmu *fw, cs_hart *hart, const cs_sbi_counter *c,
                          uint64_t *value)
{
    const uint64_t address = fw->config.units[c->unit].address + COUNT(c->number);
    uint64_t before, high, low;

    if (fw->xlen == 64)
        return cs_hart_load64(hart, address, value) == CS_BUS_OKAY;
    if (!sbi_unit_load32(hart, address + 4, &high))
        return false;
    do {
        before = high;
        if (!sbi_unit_load32(hart, address, &low) || !sbi_unit_load32(hart, address + 4, &high))
            return false;
    } while (high != before);
    *value = high << 32 | low;
    return true;
}

bool cs_sbi_is_unit_event(const cs_sbi_pmu *fw, uint64_t event_idx, uint64_t data)
{
    return event_idx == (CS_SBI_TYPE_FW << 16 | CS_SBI_FW_PLATFORM) && data >> 32 == 1 &&
           UNIT(data) < fw->config.nr_units;
}

/* A counter of the unit that is this hart's and free; as many as the unit has: none. */
static unsigned free_of(const cs_sbi_pmu *fw, unsigned unit, uint64_t but)
{
    const unsigned harts = fw->config.harts != 0 ? fw->config.harts : 1;
    const unsigned counters = fw->config.units[unit].counters;
    uint32_t taken = 0;

    for (unsigned i = fw->nr_hardware; i < fw->nr_counters; i++)
        if (i != but && fw->counters[i].has_unit && fw->counters[i].unit == unit)
            taken |= 1u << fw->counters[i].number;
    for (unsigned n = fw->config.hart; n < counters; n += harts)
        if ((taken >> n & 1) == 0)
            return n;
    return counters;
}

bool cs_sbi_unit_has_room(const cs_sbi_pmu *fw, uint64_t index, uint64_t data)
{
    const unsigned unit = (unsigned)UNIT(data);

    return free_of(fw, unit, index) < fw->config.units[unit].counters;
}

void cs_sbi_unit_boot(const cs_sbi_pmu *fw, cs_hart *hart)
{
    for (unsigned i = 0; i < fw->config.nr_units; i++)
        sbi_unit_store(fw, hart, i, CTL, CTL_EN);
}

bool cs_sbi_unit_release(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index)
{
    cs_sbi_counter *c = &fw->counters[index];

    if (!c->has_unit)
        return true;
    c->has_unit = false;
    return sbi_unit_store(fw, hart, c->unit, SELECT(c->number), 0);
}

bool cs_sbi_unit_take(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index, uint64_t data)
{
    cs_sbi_counter *c = &fw->counters[index];

    c->unit = (uint8_t)UNIT(data);
    c->number = (uint8_t)free_of(fw, c->unit, index);
    c->has_unit = true;
    return sbi_unit_store(fw, hart, c->unit, SELECT(c->number), SELECT_ON | EVENT(data));
}

bool cs_sbi_unit_begin(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index)
{
    cs_sbi_counter *c = &fw->counters[index];

    return !c->has_unit || sbi_unit_load(fw, hart, c, &c->since);
}

bool cs_sbi_unit_look(cs_sbi_pmu *fw, cs_hart *hart, uint64_t index)
{
    cs_sbi_counter *c = &fw->counters[index];
    uint64_t now;

    if (!c->has_unit || !c->cell.started)
        return true;
    if (!sbi_unit_load(fw, hart, c, &now))
        return false;
    c->cell.value += (now - c->since) & UINT64_MAX >> (64 - fw->config.units[c->unit].width);
    c->since = now;
    return true;
}
