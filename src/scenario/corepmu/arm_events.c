// SPDX-License-Identifier: Apache-2.0
#include "scenario/corepmu/arm_events.h"

#include <stdio.h>
#include <string.h>

static const cs_arm_event events[] = {
    {0x0000, "SW_INCR"},
    {0x0001, "L1I_CACHE_REFILL"},
    {0x0002, "L1I_TLB_REFILL"},
    {0x0003, "L1D_CACHE_REFILL"},
    {0x0004, "L1D_CACHE"},
    {0x0005, "L1D_TLB_REFILL"},
    {0x0006, "LD_RETIRED"},
    {0x0007, "ST_RETIRED"},
    {0x0008, "INST_RETIRED"},
    {0x0009, "EXC_TAKEN"},
    {0x000a, "EXC_RETURN"},
    {0x000b, "CID_WRITE_RETIRED"},
    {0x000c, "PC_WRITE_RETIRED"},
    {0x000d, "BR_IMMED_RETIRED"},
    {0x000e, "BR_RETURN_RETIRED"},
    {0x000f, "UNALIGNED_LDST_RETIRED"},
    {0x0010, "BR_MIS_PRED"},
    {0x0011, "CPU_CYCLES"},
    {0x0012, "BR_PRED"},
    {0x0013, "MEM_ACCESS"},
    {0x0014, "L1I_CACHE"},
    {0x0015, "L1D_CACHE_WB"},
    {0x0016, "L2D_CACHE"},
    {0x0017, "L2D_CACHE_REFILL"},
    {0x0018, "L2D_CACHE_WB"},
    {0x0019, "BUS_ACCESS"},
    {0x001a, "MEMORY_ERROR"},
    {0x001b, "INST_SPEC"},
    {0x001c, "TTBR_WRITE_RETIRED"},
    {0x001d, "BUS_CYCLES"},
    {0x001e, "CHAIN"},
    {0x001f, "L1D_CACHE_ALLOCATE"},
    {0x0020, "L2D_CACHE_ALLOCATE"},
    {0x0021, "BR_RETIRED"},
    {0x0022, "BR_MIS_PRED_RETIRED"},
    {0x0023, "STALL_FRONTEND"},
    {0x0024, "STALL_BACKEND"},
    {0x0025, "L1D_TLB"},
    {0x0026, "L1I_TLB"},
    {0x0027, "L2I_CACHE"},
    {0x0028, "L2I_CACHE_REFILL"},
    {0x0029, "L3D_CACHE_ALLOCATE"},
    {0x002a, "L3D_CACHE_REFILL"},
    {0x002b, "L3D_CACHE"},
    {0x002c, "L3D_CACHE_WB"},
    {0x002d, "L2D_TLB_REFILL"},
    {0x002e, "L2I_TLB_REFILL"},
    {0x002f, "L2D_TLB"},
    {0x0030, "L2I_TLB"},
    {0x0031, "REMOTE_ACCESS"},
    {0x0032, "LL_CACHE"},
    {0x0033, "LL_CACHE_MISS"},
    {0x0034, "DTLB_WALK"},
    {0x0035, "ITLB_WALK"},
    {0x0036, "LL_CACHE_RD"},
    {0x0037, "LL_CACHE_MISS_RD"},
    {0x0038, "REMOTE_ACCESS_RD"},
    {0x0039, "L1D_CACHE_LMISS_RD"},
    {0x003a, "OP_RETIRED"},
    {0x003b, "OP_SPEC"},
    {0x003c, "STALL"},
    {0x003d, "STALL_SLOT_BACKEND"},
    {0x003e, "STALL_SLOT_FRONTEND"},
    {0x003f, "STALL_SLOT"},
    {0x0040, "L1D_CACHE_RD"},
    {0x0041, "L1D_CACHE_WR"},
    {0x0042, "L1D_CACHE_REFILL_RD"},
    {0x0043, "L1D_CACHE_REFILL_WR"},
    {0x0044, "L1D_CACHE_REFILL_INNER"},
    {0x0045, "L1D_CACHE_REFILL_OUTER"},
    {0x0046, "L1D_CACHE_WB_VICTIM"},
    {0x0047, "L1D_CACHE_WB_CLEAN"},
    {0x0048, "L1D_CACHE_INVAL"},
    {0x004c, "L1D_TLB_REFILL_RD"},
    {0x004d, "L1D_TLB_REFILL_WR"},
    {0x004e, "L1D_TLB_RD"},
    {0x004f, "L1D_TLB_WR"},
    {0x0050, "L2D_CACHE_RD"},
    {0x0051, "L2D_CACHE_WR"},
    {0x0052, "L2D_CACHE_REFILL_RD"},
    {0x0053, "L2D_CACHE_REFILL_WR"},
    {0x0056, "L2D_CACHE_WB_VICTIM"},
    {0x0057, "L2D_CACHE_WB_CLEAN"},
    {0x0058, "L2D_CACHE_INVAL"},
    {0x005c, "L2D_TLB_REFILL_RD"},
    {0x005d, "L2D_TLB_REFILL_WR"},
    {0x005e, "L2D_TLB_RD"},
    {0x005f, "L2D_TLB_WR"},
    {0x0060, "BUS_ACCESS_RD"},
    {0x0061, "BUS_ACCESS_WR"},
    {0x0062, "BUS_ACCESS_SHARED"},
    {0x0063, "BUS_ACCESS_NOT_SHARED"},
    {0x0064, "BUS_ACCESS_NORMAL"},
    {0x0065, "BUS_ACCESS_PERIPH"},
    {0x0066, "MEM_ACCESS_RD"},
    {0x0067, "MEM_ACCESS_WR"},
    {0x0068, "UNALIGNED_LD_SPEC"},
    {0x0069, "UNALIGNED_ST_SPEC"},
    {0x006a, "UNALIGNED_LDST_SPEC"},
    {0x006c, "LDREX_SPEC"},
    {0x006d, "STREX_PASS_SPEC"},
    {0x006e, "STREX_FAIL_SPEC"},
    {0x006f, "STREX_SPEC"},
    {0x0070, "LD_SPEC"},
    {0x0071, "ST_SPEC"},
    {0x0072, "LDST_SPEC"},
    {0x0073, "DP_SPEC"},
    {0x0074, "ASE_SPEC"},
    {0x0075, "VFP_SPEC"},
    {0x0076, "PC_WRITE_SPEC"},
    {0x0077, "CRYPTO_SPEC"},
    {0x0078, "BR_IMMED_SPEC"},
    {0x0079, "BR_RETURN_SPEC"},
    {0x007a, "BR_INDIRECT_SPEC"},
    {0x007c, "ISB_SPEC"},
    {0x007d, "DSB_SPEC"},
    {0x007e, "DMB_SPEC"},
    {0x0081, "EXC_UNDEF"},
    {0x0082, "EXC_SVC"},
    {0x0083, "EXC_PABORT"},
    {0x0084, "EXC_DABORT"},
    {0x0086, "EXC_IRQ"},
    {0x0087, "EXC_FIQ"},
    {0x0088, "EXC_SMC"},
    {0x008a, "EXC_HVC"},
    {0x008b, "EXC_TRAP_PABORT"},
    {0x008c, "EXC_TRAP_DABORT"},
    {0x008d, "EXC_TRAP_OTHER"},
    {0x008e, "EXC_TRAP_IRQ"},
    {0x008f, "EXC_TRAP_FIQ"},
    {0x0090, "RC_LD_SPEC"},
    {0x0091, "RC_ST_SPEC"},
    {0x00a0, "L3D_CACHE_RD"},
    {0x00a1, "L3D_CACHE_WR"},
    {0x00a2, "L3D_CACHE_REFILL_RD"},
    {0x00a3, "L3D_CACHE_REFILL_WR"},
    {0x00a6, "L3D_CACHE_WB_VICTIM"},
    {0x00a7, "L3D_CACHE_WB_CLEAN"},
    {0x00a8, "L3D_CACHE_INVAL"},
    {0x4000, "SAMPLE_POP"},
    {0x4001, "SAMPLE_FEED"},
    {0x4002, "SAMPLE_FILTRATE"},
    {0x4003, "SAMPLE_COLLISION"},
    {0x4004, "CNT_CYCLES"},
    {0x4005, "STALL_BACKEND_MEM"},
    {0x4006, "L1I_CACHE_LMISS"},
    {0x4009, "L2D_CACHE_LMISS_RD"},
    {0x400a, "L2I_CACHE_LMISS"},
    {0x400b, "L3D_CACHE_LMISS_RD"},
    {0x400c, "TRB_WRAP"},
    {0x400d, "PMU_OVFS"},
    {0x400e, "TRB_TRIG"},
    {0x400f, "PMU_HOVFS"},
    {0x4010, "TRCEXTOUT0"},
    {0x4011, "TRCEXTOUT1"},
    {0x4012, "TRCEXTOUT2"},
    {0x4013, "TRCEXTOUT3"},
    {0x4018, "CTI_TRIGOUT4"},
    {0x4019, "CTI_TRIGOUT5"},
    {0x401a, "CTI_TRIGOUT6"},
    {0x401b, "CTI_TRIGOUT7"},
    {0x4020, "LDST_ALIGN_LAT"},
    {0x4021, "LD_ALIGN_LAT"},
    {0x4022, "ST_ALIGN_LAT"},
    {0x4024, "MEM_ACCESS_CHECKED"},
    {0x4025, "MEM_ACCESS_CHECKED_RD"},
    {0x4026, "MEM_ACCESS_CHECKED_WR"},
};

#define NR_EVENTS (sizeof events / sizeof events[0])

size_t cs_arm_event_count(void)
{
    return NR_EVENTS;
}

const cs_arm_event *cs_arm_event_at(size_t index)
{
    return index < NR_EVENTS ? &events[index] : NULL;
}

const char *cs_arm_event_name(uint32_t number)
{
    size_t low = 0, high = NR_EVENTS;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (events[middle].number == number)
            return events[middle].name;
        if (events[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *cs_arm_event_text(uint32_t number, char *out, size_t size)
{
    const char *name = cs_arm_event_name(number);

    if (name != NULL)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, CS_ARM_EVENT_NUMBER, (unsigned)number);
    return out;
}

bool cs_arm_event_number(const char *name, uint32_t *number)
{
    for (size_t i = 0; i < NR_EVENTS; i++) {
        if (strcmp(events[i].name, name) == 0) {
            *number = events[i].number;
            return true;
        }
    }
    return false;
}
