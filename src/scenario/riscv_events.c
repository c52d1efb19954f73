#include "scenario/riscv_events.h"

#include <string.h>

#include "scenario/number.h"

static const cs_riscv_event events[] = {
    {1, "CYCLES.HART"},
    {2, "INST.RET"},
    {3, "CACHE.L1.RD.DATA.ACCESS"},
    {4, "CACHE.L1.RD.DATA.MISS"},
    {5, "INST.BRJMP.SPEC"},
    {6, "INST.MISPRED.SPEC"},
    {10, "CYCLES.REF"},
    {11, "CACHE.L1I.RD.CODE.ACCESS"},
    {12, "CACHE.L1I.RD.CODE.MISS"},
    {13, "CACHE.LL.RD.DATA.ACCESS"},
    {14, "CACHE.LL.RD.DATA.MISS"},
    {15, "TLB.L1.LDST.ACCESS"},
    {16, "TLB.L1.LDST.MISS"},
    {17, "TLB.L1I.CODE.ACCESS"},
    {18, "TLB.L1I.CODE.MISS"},
    {19, "INST.BRJMP.TK.RET"},
    {20, "TOPDOWN.SLOTS"},
    {21, "TOPDOWN.RETIRING.SLOTS"},
    {22, "TOPDOWN.FRONTEND_BOUND.SLOTS"},
    {23, "TOPDOWN.BACKEND_BOUND.SLOTS"},
    {24, "TOPDOWN.BAD_SPECULATION.SLOTS"},
};

#define NR_EVENTS (sizeof events / sizeof events[0])

size_t cs_riscv_event_count(void)
{
    return NR_EVENTS;
}

const cs_riscv_event *cs_riscv_event_at(size_t index)
{
    return index < NR_EVENTS ? &events[index] : NULL;
}

const char *cs_riscv_event_name(uint32_t number)
{
    for (size_t i = 0; i < NR_EVENTS; i++)
        if (events[i].number == number)
            return events[i].name;
    return NULL;
}

bool cs_riscv_event_number(const char *name, uint32_t *number)
{
    uint64_t value;

    if (strncmp(name, "hpm:", 4) == 0 &&
        cs_number_read(name + 4, strlen(name + 4), &value) == CS_NUMBER_OK && value != 0 &&
        value <= UINT16_MAX) {
        *number = (uint32_t)value;
        return true;
    }
    for (size_t i = 0; i < NR_EVENTS; i++) {
        if (strcmp(events[i].name, name) == 0) {
            *number = events[i].number;
            return true;
        }
    }
    return false;
}
