// SPDX-License-Identifier: Apache-2.0
/* Two cores' events: what a program asks for, and Arm's number of what the streams have. Numbers
 * on the left are those of the kernel's ABI and of the processors' manuals
 * (docs/drivers/perf.md, "Events"). */
#include "software/perf/corepmu/corepmu_pmu.h"
#include "software/perf/counters/core_map.h"

/* Arm's numbers. */
enum arm_event {
    ARM_L1I_CACHE_REFILL = 0x01,
    ARM_L1D_CACHE_REFILL = 0x03,
    ARM_L1D_CACHE = 0x04,
    ARM_LD_RETIRED = 0x06,
    ARM_ST_RETIRED = 0x07,
    ARM_INST_RETIRED = 0x08,
    ARM_PC_WRITE_RETIRED = 0x0c,
    ARM_BR_RETURN_RETIRED = 0x0e,
    ARM_CPU_CYCLES = 0x11,
    ARM_MEM_ACCESS = 0x13,
    ARM_L1I_CACHE = 0x14,
    ARM_L2D_CACHE = 0x16,
    ARM_L2D_CACHE_REFILL = 0x17,
    ARM_BUS_CYCLES = 0x1d,
    ARM_BR_RETIRED = 0x21,
    ARM_BR_MIS_PRED_RETIRED = 0x22,
    ARM_STALL_FRONTEND = 0x23,
    ARM_STALL_BACKEND = 0x24,
    ARM_L3D_CACHE_REFILL = 0x2a,
    ARM_L3D_CACHE = 0x2b,
    ARM_DTLB_WALK = 0x34,
    ARM_ITLB_WALK = 0x35,
    ARM_OP_RETIRED = 0x3a,
    ARM_OP_SPEC = 0x3b,
    ARM_STALL_SLOT_FRONTEND = 0x3e,
    NOTHING = 0xffff /* no stream is called so */
};

/* ---- x86 ---- */

static const cs_perf_map x86_maps[] = {
    HARDWARE(0, ARM_CPU_CYCLES),
    HARDWARE(1, ARM_INST_RETIRED),
    HARDWARE(2, ARM_L3D_CACHE),
    HARDWARE(3, ARM_L3D_CACHE_REFILL),
    HARDWARE(4, ARM_BR_RETIRED),
    HARDWARE(5, ARM_BR_MIS_PRED_RETIRED),
    HARDWARE(6, ARM_BUS_CYCLES),
    HARDWARE(9, ARM_CPU_CYCLES),
    CACHE(L1D, READ, ACCESS, ARM_LD_RETIRED),
    CACHE(L1D, READ, MISS, ARM_L1D_CACHE_REFILL),
    CACHE(L1D, WRITE, ACCESS, ARM_ST_RETIRED),
    CACHE(L1I, READ, MISS, ARM_L1I_CACHE_REFILL),
    CACHE(LL, READ, ACCESS, ARM_L3D_CACHE),
    CACHE(LL, READ, MISS, ARM_L3D_CACHE_REFILL),
    CACHE(DTLB, READ, ACCESS, ARM_LD_RETIRED),
    CACHE(DTLB, READ, MISS, ARM_DTLB_WALK),
    CACHE(DTLB, WRITE, ACCESS, ARM_ST_RETIRED),
    CACHE(ITLB, READ, MISS, ARM_ITLB_WALK),
    CACHE(BPU, READ, ACCESS, ARM_BR_RETIRED),
    CACHE(BPU, READ, MISS, ARM_BR_MIS_PRED_RETIRED),
    /* Intel's: unit mask and event. All branches are conditional here. */
    RAW(0x003c, ARM_CPU_CYCLES),
    RAW(0x013c, ARM_BUS_CYCLES),
    RAW(0x0300, ARM_CPU_CYCLES),
    RAW(0x00c0, ARM_INST_RETIRED),
    RAW(0x01c0, ARM_INST_RETIRED),
    RAW(0x00c4, ARM_BR_RETIRED),
    RAW(0x01c4, ARM_BR_RETIRED),
    RAW(0x08c4, ARM_BR_RETURN_RETIRED),
    RAW(0x20c4, ARM_PC_WRITE_RETIRED),
    RAW(0x00c5, ARM_BR_MIS_PRED_RETIRED),
    RAW(0x01c5, ARM_BR_MIS_PRED_RETIRED),
    RAW(0x81d0, ARM_LD_RETIRED),
    RAW(0x82d0, ARM_ST_RETIRED),
    RAW(0x83d0, ARM_MEM_ACCESS),
    RAW(0x08d1, ARM_L1D_CACHE_REFILL),
    RAW(0x10d1, ARM_L2D_CACHE_REFILL),
    RAW(0x20d1, ARM_L3D_CACHE_REFILL),
    RAW(0x0151, ARM_L1D_CACHE_REFILL),
    RAW(0xe124, ARM_L2D_CACHE),
    RAW(0xff24, ARM_L2D_CACHE),
    RAW(0x2124, ARM_L2D_CACHE_REFILL),
    RAW(0x3f24, ARM_L2D_CACHE_REFILL),
    RAW(0x1ff1, ARM_L2D_CACHE_REFILL),
    RAW(0x4f2e, ARM_L3D_CACHE),
    RAW(0x412e, ARM_L3D_CACHE_REFILL),
    RAW(0x0280, ARM_L1I_CACHE_REFILL),
    RAW(0x0283, ARM_L1I_CACHE_REFILL),
    RAW(0x0108, ARM_DTLB_WALK),
    RAW(0x0e08, ARM_DTLB_WALK),
    RAW(0x0185, ARM_ITLB_WALK),
    RAW(0x0e85, ARM_ITLB_WALK),
    RAW(0x010e, ARM_OP_SPEC),
    RAW(0x02c2, ARM_OP_RETIRED),
    RAW(0x019c, ARM_STALL_SLOT_FRONTEND),
    RAW(0x40004a3, ARM_STALL_BACKEND),
    /* AMD's, where they are others. */
    RAW(0x0076, ARM_CPU_CYCLES),
    RAW(0x00c1, ARM_OP_RETIRED),
    RAW(0x00c2, ARM_BR_RETIRED),
    RAW(0x00c3, ARM_BR_MIS_PRED_RETIRED),
    RAW(0x0129, ARM_LD_RETIRED),
    RAW(0x0229, ARM_ST_RETIRED),
    RAW(0x0329, ARM_MEM_ACCESS),
    RAW(0x0040, ARM_L1D_CACHE),
};

static const cs_perf_file x86_formats[] = {
    {"event", "config:0-7"}, {"umask", "config:8-15"},  {"edge", "config:18"},
    {"inv", "config:23"},    {"cmask", "config:24-31"},
};

static const cs_perf_file x86_events[] = {
    {"cpu-cycles", "event=0x3c"},
    {"instructions", "event=0xc0"},
    {"cache-references", "event=0x2e,umask=0x4f"},
    {"cache-misses", "event=0x2e,umask=0x41"},
    {"branch-instructions", "event=0xc4"},
    {"branch-misses", "event=0xc5"},
    {"bus-cycles", "event=0x3c,umask=0x01"},
    {"ref-cycles", "event=0x00,umask=0x03"},
};

static const cs_perf_file x86_caps[] = {{"max_precise", "0"}};

const cs_perf_core cs_perf_core_x86 = {
    .driver = &cs_perf_corepmu_driver,
    .name = "cpu",
    .type = CS_PERF_TYPE_RAW,
    .counters = 4,
    .cycle_counter = true,
    .maps = x86_maps,
    .nr_maps = COUNT(x86_maps),
    .raw_mask = 0xff84ffff,
    .raw_other = NOTHING,
    .formats = x86_formats,
    .nr_formats = COUNT(x86_formats),
    .events = x86_events,
    .nr_events = COUNT(x86_events),
    .caps = x86_caps,
    .nr_caps = COUNT(x86_caps),
};

/* ---- Arm ---- */

static const cs_perf_map arm_maps[] = {
    HARDWARE(0, ARM_CPU_CYCLES),
    HARDWARE(1, ARM_INST_RETIRED),
    HARDWARE(2, ARM_L1D_CACHE),
    HARDWARE(3, ARM_L1D_CACHE_REFILL),
    HARDWARE(4, ARM_BR_RETIRED),
    HARDWARE(5, ARM_BR_MIS_PRED_RETIRED),
    HARDWARE(6, ARM_BUS_CYCLES),
    HARDWARE(7, ARM_STALL_FRONTEND),
    HARDWARE(8, ARM_STALL_BACKEND),
    CACHE(L1D, READ, ACCESS, ARM_L1D_CACHE),
    CACHE(L1D, READ, MISS, ARM_L1D_CACHE_REFILL),
    CACHE(L1I, READ, ACCESS, ARM_L1I_CACHE),
    CACHE(L1I, READ, MISS, ARM_L1I_CACHE_REFILL),
    CACHE(LL, READ, ACCESS, ARM_L3D_CACHE),
    CACHE(LL, READ, MISS, ARM_L3D_CACHE_REFILL),
    CACHE(DTLB, READ, MISS, ARM_DTLB_WALK),
    CACHE(ITLB, READ, MISS, ARM_ITLB_WALK),
    CACHE(BPU, READ, ACCESS, ARM_BR_RETIRED),
    CACHE(BPU, READ, MISS, ARM_BR_MIS_PRED_RETIRED),
};

static const cs_perf_file arm_formats[] = {{"event", "config:0-15"}};

static const cs_perf_file arm_events[] = {
    {"cpu_cycles", "event=0x0011"},     {"inst_retired", "event=0x0008"},
    {"ld_retired", "event=0x0006"},     {"st_retired", "event=0x0007"},
    {"l1d_cache", "event=0x0004"},      {"l1d_cache_refill", "event=0x0003"},
    {"l1i_cache", "event=0x0014"},      {"l1i_cache_refill", "event=0x0001"},
    {"br_retired", "event=0x0021"},     {"br_mis_pred_retired", "event=0x0022"},
    {"l3d_cache", "event=0x002b"},      {"l3d_cache_refill", "event=0x002a"},
    {"stall_frontend", "event=0x0023"}, {"stall_backend", "event=0x0024"},
    {"dtlb_walk", "event=0x0034"},      {"itlb_walk", "event=0x0035"},
    {"bus_cycles", "event=0x001d"},
};

const cs_perf_core cs_perf_core_arm = {
    .driver = &cs_perf_corepmu_driver,
    .name = "armv8_pmuv3_0",
    .type = 8,
    .counters = 6,
    .cycle_counter = true,
    .maps = arm_maps,
    .nr_maps = COUNT(arm_maps),
    .raw_mask = 0xffff,
    .formats = arm_formats,
    .nr_formats = COUNT(arm_formats),
    .events = arm_events,
    .nr_events = COUNT(arm_events),
};
