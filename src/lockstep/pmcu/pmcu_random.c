// SPDX-License-Identifier: Apache-2.0
/* Random scenarios with PMCUs and the PMUs of their cores: legal and illegal programs, accesses to
 * cores, BRK and faults at random cycles, lost reads and writes of each walk, cores that go off. */
#include <stdio.h>
#include <string.h>

#include "lockstep/random/random.h"
#include <countersink/base/numbers.h>
#include <countersink/regs/corepmu_regs.h>
#include <countersink/regs/pmcu_regs.h>

#define EVENTS (CS_RANDOM_RAM + 0x1000u)
#define OUTPUT (CS_RANDOM_RAM + 0x10000u)
#define CORES CS_CLUSTER_BASE
#define LAST_SLOT 15u /* writes go to all slots of the cluster */

typedef struct pmcu_random {
    unsigned dies, clusters, slots, lanes, counters, hpmn;
    unsigned die; /* whose PMCU is meant */
    unsigned events;
    unsigned turns, busy; /* busy: dies that were started, as bits */
    bool ext64, broadcast, outages, driver, perf, guest, comp; /* comp: perf's counters are below */
} pmcu_random;

/* Large dies are slow: seldom. */
static unsigned small(cs_draw *d, unsigned most)
{
    return (unsigned)cs_draw_between(d, 1, most > 2 && cs_draw_chance(d, 70) ? 2 : most);
}

static bool shape(cs_draw *d, const cs_die_shape *die, void *u)
{
    pmcu_random *p = u;
    const unsigned dies = cs_die_shape_get(die, "pmcu", "NrDie");
    const unsigned clusters = cs_die_shape_get(die, "pmcu", "NrCluster");

    if (clusters == 0 || !(cs_draw_get(d, "wanted") != 0 || cs_draw_chance(d, 80)))
        return false;
    p->dies = dies > 1 && cs_draw_chance(d, 85) ? 2 : 1;
    p->clusters = p->dies * small(d, clusters / (dies > 1 ? dies : 1));
    p->slots = small(d, cs_die_shape_get(die, "pmcu", "NrSlot"));
    cs_draw_set(d, "others", 1);
    cs_draw_set(d, "managers", p->clusters * p->slots); /* the first CPUs: they may run anything */
    p->lanes = (unsigned)cs_draw_between(d, 1, cs_die_shape_get(die, "pmcu", "NrLane"));
    p->counters = (unsigned)cs_draw_between(d, 1, cs_die_shape_get(die, "pmcu", "NrCounter"));
    p->hpmn = (unsigned)cs_draw_between(d, 0, p->counters);
    p->ext64 = cs_draw_flag(d, "pmcu.ext64", 40);
    p->broadcast = cs_draw_flag(d, "pmcu.broadcast", 40);
    /* Other cores cannot do so much in a bus cycle. */
    cs_draw_set(d, "slow", cs_draw_chance(d, 15));
    return true;
}

static unsigned cpus(const void *u)
{
    return ((const pmcu_random *)u)->clusters * ((const pmcu_random *)u)->slots;
}

static unsigned scripts(const void *u)
{
    return ((const pmcu_random *)u)->outages ? 1 : cpus(u);
}

/* ---- sections ---- */

/* Each kind, at times of a run's length; those of a CPU one after the other. A die's first CPU is its
 * driver's; it may go off under a script. */
static void outages(cs_draw *d, const pmcu_random *p)
{
    static const char *const kinds[] = {"hotplug", "power_down", "clock_stop"};
    const bool slow = cs_draw_get(d, "slow") != 0;
    bool begun = false;

    for (unsigned cpu = p->driver; cpu < p->clusters * p->slots; cpu++) {
        uint64_t at = cs_draw_between(d, 1, slow ? 400 : 40);

        if (p->driver && cpu % (p->clusters * p->slots / p->dies) == 0)
            continue;
        for (uint64_t n = cs_draw_chance(d, 50) ? cs_draw_between(d, 1, 2) : 0; n > 0; n--) {
            const uint64_t length = cs_draw_between(d, 1, slow ? 100 : 20);
            const uint64_t unlock = cs_draw_below(d, cs_draw_chance(d, 30) ? 30 : 4);

            cs_draw_put(d, "%s{cpu: %u, at_us: %u, for_us: %u, kind: %s, unlock_us: %u}",
                        begun ? ", " : ", outages: [", cpu, (unsigned)at, (unsigned)length,
                        kinds[cs_draw_pick(d, "pmcu.outage", 3)], (unsigned)unlock);
            begun = true;
            at += length + unlock + cs_draw_between(d, 1, 30);
        }
    }
    if (begun)
        cs_draw_put(d, "]");
}

/* A debug bus slower than the fabric, whose bridges may keep writes. */
static void debug_bus(cs_draw *d)
{
    if (!cs_draw_flag(d, "core.debug_bus", 40))
        return;
    cs_draw_put(d, ", bus_ratio: %u, bus_access_cycles: %u, bus_posted: %u",
                cs_draw_chance(d, 30) ? 1 : (unsigned)cs_draw_between(d, 2, 16),
                (unsigned)cs_draw_between(d, 1, 6),
                cs_draw_flag(d, "core.posted", 70) ? (unsigned)cs_draw_between(d, 1, 8) : 0);
}

static void cores(cs_draw *d, pmcu_random *p)
{
    const unsigned nr = p->clusters * p->slots;

    cs_draw_set(d, "clock", 2600);
    cs_draw_put(
        d,
        "corepmu: {clock_mhz: 2600, counters: %u, map: %s, hpmn: %u, hpme: %s, hpmd: %s, "
        "spme: %s, wfi_clock: %s, vhe: %s",
        p->counters, p->ext64 ? "ext64" : "ext32", p->hpmn, cs_draw_bool(d, "core.hpme", 50),
        cs_draw_bool(d, "core.hpmd", 50), cs_draw_bool(d, "core.spme", 50),
        cs_draw_flag(d, "core.wfi", 50) ? "stands" : "runs", cs_draw_bool(d, "core.vhe", 50));
    debug_bus(d);
    p->perf = cs_draw_flag(d, "pmcu.perf", 30);
    p->driver = cs_draw_flag(d, "pmcu.driver", p->perf ? 35 : 12);
    if (cs_draw_get(d, "steady") != 0) {
        cs_draw_line(d, "}");
        return;
    }
    if (cs_draw_flag(d, "pmcu.outages", 20)) {
        p->outages = true;
        outages(d, p);
    } else if (cs_draw_chance(d, 15)) {
        p->outages = true;
        if (nr > 1 && cs_draw_chance(d, 60))
            cs_draw_put(d, ", offline: [%u]", nr - 1);
        if (cs_draw_chance(d, 50))
            cs_draw_put(d, ", locked: [0]");
    }
    cs_draw_line(d, "}");
}

static void sections(cs_draw *d, void *u)
{
    static const char *const orders[] = {"die", "core", "counter", "running"};
    pmcu_random *p = u;

    cores(d, p);
    cs_draw_line(d,
                 "pmcu: {dies: %u, clusters: %u, slots: %u, lanes: %u, broadcast: %s, prefetch: "
                 "%s, order: %s, tick_cycles: %u}",
                 p->dies, p->clusters / p->dies, p->slots, p->lanes,
                 p->broadcast ? "true" : "false", cs_draw_bool(d, "pmcu.prefetch", 50),
                 orders[cs_draw_pick(d, "pmcu.order", 4)],
                 (unsigned)cs_draw_between(d, 1, cs_draw_chance(d, 40) ? 2 : 30));
}

static void workloads(cs_draw *d, void *u, unsigned first)
{
    const unsigned most = cs_draw_get(d, "slow") != 0 ? 255 : 15;

    cs_draw_line(d,
                 "  - name: arm\n"
                 "    cpus: \"%u-%u\"\n"
                 "    segments:\n"
                 "      - cycles: %u\n"
                 "        mode: el0\n"
                 "        %s: 0x10\n"
                 "        functions: [{name: f, base: 0x%x000, size: 0x400}]\n"
                 "        events:\n"
                 "          - {event: 0x08, kind: random, rate: 1.1, max_increment: %u}\n"
                 "          - {event: \"0x20-0x2f\", kind: spread, rate: 0.001, rate_high: 2, "
                 "max_increment: %u}\n"
                 "      - {cycles: %u, mode: el%u, cid1: 0x11, cid2: 0x7, events: [{event: 0x08, "
                 "rate: 0.7}]}",
                 first, first + cpus(u) - 1, (unsigned)cs_draw_between(d, 50, 3000),
                 cs_draw_flag(d, "core.pid", 50) ? "pid" : "cid1",
                 (unsigned)cs_draw_between(d, 1, 0xffff), most, most,
                 (unsigned)cs_draw_between(d, 20, 900), 1 + cs_draw_pick(d, "core.mode", 3));
    if (cs_draw_flag(d, "core.idle", 40))
        cs_draw_line(d, "      - {cycles: %u, wfi: true, cid1: 0x12}",
                     (unsigned)cs_draw_between(d, 20, 2000));
}

/* ---- software ---- */

/* Who owns the counters beside the PMCU's driver. */
static void owner(cs_draw *d, pmcu_random *p)
{
    static const char *const owners[] = {"none", "yield", "refuse", "partition"};
    const unsigned most = p->hpmn <= 3 && p->counters >= 5 ? 4 : 3;
    const unsigned i = p->driver ? cs_draw_pick(d, "perf.owner", most) : 0;

    p->comp = i == 3;
    p->guest = (i == 0 || i == 3) && cs_draw_flag(d, "perf.guest", 40);
    cs_draw_line(d, "  owner: %s\n  guest: %s", owners[i], p->guest ? "true" : "false");
}

/* perf and the kernel's driver of the cores' PMUs, in the same cycles as all else. */
static void perf(cs_draw *d, pmcu_random *p)
{
    static const char *const commands[] = {"stat", "task", "record"};
    const unsigned command = cs_draw_pick(d, "perf.command", 3);
    unsigned events, most;

    cs_draw_set(d, "one port", 1);
    cs_draw_line(d, "arm_pmu:\n  command: %s", commands[command]);
    owner(d, p);
    most = p->guest || p->comp ? p->hpmn : p->counters;
    events = (unsigned)cs_draw_below(d, most + 1);
    cs_draw_put(d, "  events: \"%s", events == 0 || cs_draw_chance(d, 60) ? "0x11" : "");
    for (unsigned i = 0; i < events; i++)
        cs_draw_put(d, " %x", 0x20 + (unsigned)cs_draw_below(d, 16));
    cs_draw_line(d, "\"");
    if (command == 1)
        cs_draw_line(d, "  process: 0x1%u", (unsigned)cs_draw_below(d, 2));
    if (command == 2)
        cs_draw_line(d, "  period: %u", (unsigned)cs_draw_between(d, 500, 9000));
    if (command == 0 && cs_draw_chance(d, 60))
        cs_draw_line(d, "  interval_us: %u", (unsigned)cs_draw_between(d, 2, 9));
    cs_draw_line(d,
                 "  start_us: %u\n  stop_us: %u\n  register_read_cycles: %u\n"
                 "  register_write_cycles: %u\n  irq_entry_cycles: %u\n  visit_cycles: %u",
                 (unsigned)cs_draw_below(d, 8), (unsigned)cs_draw_between(d, 9, 40),
                 (unsigned)cs_draw_between(d, 1, 12), (unsigned)cs_draw_between(d, 1, 12),
                 (unsigned)cs_draw_between(d, 1, 90), (unsigned)cs_draw_between(d, 1, 300));
    if (most != 0 && cs_draw_chance(d, 50)) /* events take turns */
        cs_draw_line(d, "  mux_us: 3\n  counters: %u", (unsigned)cs_draw_between(d, 1, most));
}

static const char *driver(cs_draw *d, void *u)
{
    pmcu_random *p = u;

    if (p->perf)
        perf(d, p);
    if (!p->driver)
        return p->perf ? "arm_pmu" : NULL;
    cs_draw_line(d,
                 "pmcu_driver: {aux_base: 0x%x, user_events: \"08 20-%x\", nr_sample: %u, "
                 "sample_period_ticks: %u, "
                 "pmccfiltr: 0x%x, aux_buffer_bytes: 8 KiB, comp: %s}",
                 CS_RANDOM_RAM + 0x6000000, 0x20 + (unsigned)cs_draw_below(d, 12),
                 (unsigned)cs_draw_between(d, 1, 6), (unsigned)cs_draw_between(d, 60, 200),
                 (unsigned)cs_draw_below(d, 64) << 2,
                 p->comp || (p->counters >= 5 && cs_draw_flag(d, "pmcu.comp", 20)) ? "true"
                                                                                   : "false");
    return p->perf ? "pmcu_driver, arm_pmu" : "pmcu_driver";
}

static bool driven(const void *u)
{
    return ((const pmcu_random *)u)->driver;
}

/* ---- faults ---- */

/* On one of the registers that the walks access, in one slot or all of a cluster: which state it
 * meets depends on its number. */
static void core_fault(cs_draw *d, const pmcu_random *p)
{
    static const struct {
        unsigned ext32, ext64, most; /* accesses of the slot */
        const char *access;
    } registers[] = {
        {CS_COREPMU_EXT32_PMCNTENCLR, CS_COREPMU_EXT64_PMCNTENCLR, 6, "write"},
        {CS_COREPMU_EXT32_PMCCFILTR, CS_COREPMU_EXT64_PMCCFILTR, 2, "write"},
        {CS_COREPMU_EXT32_PMCR, CS_COREPMU_EXT64_PMCR, 6, "write"},
        {CS_COREPMU_EXT32_PMOVSCLR, CS_COREPMU_EXT64_PMOVSCLR, 2, "write"},
        {CS_COREPMU_EXT32_PMEVTYPER, CS_COREPMU_EXT64_PMEVTYPER, 5, "write"},
        {CS_COREPMU_EXT32_PMEVTYPER + 12, CS_COREPMU_EXT64_PMEVTYPER + 24, 5, "write"},
        {CS_COREPMU_EXT32_PMCNTENSET, CS_COREPMU_EXT64_PMCNTENSET, 5, "write"},
        {0x018, 0x018, 9, "write"},
        {CS_COREPMU_EXT32_PMPCSR, CS_COREPMU_EXT64_PMPCSR, 5, "read"},
        {CS_COREPMU_EXT32_PMCID2SR, CS_COREPMU_EXT64_PMCID1SR_ALIAS, 5, "read"},
        {CS_COREPMU_EXT32_PMEVCNTR, CS_COREPMU_EXT64_PMEVCNTR, 5, "read"},
        {CS_COREPMU_EXT32_PMCCNTR + 4, CS_COREPMU_EXT64_PMCCNTR, 5, "read"},
    };
    const unsigned i = cs_draw_pick(d, "core.fault", sizeof registers / sizeof registers[0]);
    const uint64_t slot =
        p->broadcast && cs_draw_chance(d, 30) ? LAST_SLOT : cs_draw_below(d, p->slots);

    cs_draw_line(d,
                 "    - {base: 0x%" PRIx64 ", size: 4, access: %s, nth: %u, count: %u, action: "
                 "error}",
                 CORES + 0x100000 * cs_draw_below(d, p->clusters) + 0x10000 * slot +
                     (p->ext64 ? registers[i].ext64 : registers[i].ext32),
                 registers[i].access, (unsigned)cs_draw_between(d, 1, registers[i].most),
                 (unsigned)cs_draw_between(d, 1, 2));
}

/* An error that is late, so that there is time for BRK before it. */
static void late_error(cs_draw *d)
{
    const bool fetch = cs_draw_flag(d, "pmcu.late_fetch", 60);
    const unsigned nth = (unsigned)cs_draw_between(d, 1, cs_draw_chance(d, 60) ? 1 : 4);

    for (unsigned i = 0; i < 2; i++) {
        cs_draw_put(d, "    - {base: 0x%x, size: 0x8000, access: %s, nth: %u, count: 4, action: ",
                    fetch ? EVENTS : OUTPUT, fetch ? "read" : "write", nth);
        if (i == 0)
            cs_draw_line(d, "stall, stall_cycles: %u}", (unsigned)cs_draw_between(d, 50, 1500));
        else
            cs_draw_line(d, "error}");
    }
}

static void fault(cs_draw *d, void *u)
{
    static const uint64_t bases[] = {EVENTS, OUTPUT, CORES};
    const unsigned where = cs_draw_pick(d, "pmcu.fault", 6);

    if (where == 5)
        late_error(d);
    else if (where >= 3)
        core_fault(d, u);
    else
        cs_random_fault(d, bases[where], where == 2 ? 0x100000 : 0x8000, 25);
}

/* ---- the script: the PMCU ---- */

static void put(cs_draw *d, const pmcu_random *p, const char *reg, uint64_t value)
{
    cs_draw_line(d, "  - write: {at: pmcu.%s%s, value: 0x%x}", p->die != 0 ? "1." : "", reg,
                 (unsigned)value);
}

static void event_base(cs_draw *d, const pmcu_random *p)
{
    put(d, p, "EVENT_BASE_H", 0);
    put(d, p, "EVENT_BASE_L", p->events + (cs_draw_chance(d, 10) ? cs_draw_below(d, 4) : 0));
}

static void program(cs_draw *d, void *u)
{
    pmcu_random *p = u;

    p->events = (unsigned)(EVENTS + 4 * cs_draw_below(d, 3));
    for (unsigned i = 0; i < 24; i++) {
        const uint64_t event = cs_draw_chance(d, 80)   ? cs_draw_between(d, 0x20, 0x2f)
                               : cs_draw_chance(d, 50) ? 0x08
                                                       : 0x11;

        cs_draw_write(d, p->events + 4 * i, 4, event);
    }
}

static void configure(cs_draw *d, const pmcu_random *p)
{
    const bool legal = cs_draw_flag(d, "pmcu.legal", 80);
    const bool comp = cs_draw_flag(d, "pmcu.compat", 30);
    const unsigned limit = comp ? 5 : 8;
    uint64_t wide = cs_draw_between(d, 1, limit), events = cs_draw_between(d, 1, 12);
    uint64_t loops = cs_draw_between(d, 1, 2);
    const uint64_t store = OUTPUT + 0x20000 * p->die + 8 * cs_draw_below(d, 600);

    /* One thing is wrong, by one where it can. */
    if (!legal)
        switch (cs_draw_pick(d, "pmcu.illegal", 5)) {
        case 0:
        case 1:
            wide = limit + 1;
            break;
        case 2:
            wide = cs_draw_below(d, 16);
            break;
        case 3:
            events = cs_draw_below(d, 2) * 24;
            break;
        default:
            loops = 0;
            break;
        }
    put(d, p, "COMP", comp);
    put(d, p, "PMCR", cs_draw_chance(d, 85) ? 0xc1 : cs_draw_any(d));
    put(d, p, "PMCCFILTR", cs_draw_chance(d, 50) ? 0 : cs_draw_any(d) << 24);
    put(d, p, "INT_EN", cs_draw_chance(d, 80) ? 3 : cs_draw_below(d, 4));
    put(d, p, "INT_MSK", cs_draw_chance(d, 80) ? 0 : cs_draw_below(d, 4));
    put(d, p, "FSM_CFG", events | loops << 8 | wide << 16);
    put(d, p, "WAIT_CNT", cs_draw_below(d, cs_draw_chance(d, 40) ? 4 : 40));
    put(d, p, "STORE_BASE_H", 0);
    put(d, p, "STORE_BASE_L", store + (cs_draw_chance(d, 10) ? cs_draw_below(d, 8) : 0));
    put(d, p, "KILL_BASE_H", 0);
    put(d, p, "KILL_BASE_L",
        cs_draw_chance(d, 70) ? store + 0x8000 : store - 64 + 8 * cs_draw_below(d, 400));
    event_base(d, p);
    put(d, p, "FSM_CTRL", 1);
    /* Broken in one of its first states, and looked at then. */
    if (cs_draw_flag(d, "pmcu.soon", 25)) {
        cs_draw_pause(d, 1, cs_draw_chance(d, 50) ? 120 : 900);
        put(d, p, "FSM_BRK", 1);
        cs_draw_pause(d, 1, 300);
        cs_draw_line(d, "  - read: {at: pmcu.%u.INT_STAT}", p->die);
    }
}

/* ---- the script: registers by hand ---- */

static void touch_core(cs_draw *d, pmcu_random *p)
{
    static const unsigned offsets[] = {0x000, 0x004, 0x008, 0x018, 0x0f8, 0x0fc, 0x200, 0x204,
                                       0x208, 0x20c, 0x220, 0x224, 0x228, 0x22c, 0x400, 0x404,
                                       0x40c, 0x47c, 0x4f8, 0xc00, 0xc20, 0xc40, 0xc60, 0xc80,
                                       0xcc0, 0xe00, 0xe04, 0xe10, 0xffc};
    const unsigned i = cs_draw_pick(d, "core.offset", sizeof offsets / sizeof offsets[0]);
    const uint64_t slot = cs_draw_chance(d, 15)   ? LAST_SLOT
                          : cs_draw_chance(d, 95) ? cs_draw_below(d, p->slots)
                                                  : p->slots % LAST_SLOT;
    const uint64_t cluster = cs_draw_below(d, p->clusters + (cs_draw_chance(d, 5) ? 1 : 0));
    const unsigned size = cs_draw_chance(d, 75) ? 4 : cs_draw_chance(d, 70) ? 8 : 2;
    const uint64_t addr =
        CORES + 0x100000 * cluster + 0x10000 * slot + (offsets[i] & (size == 8 ? ~7u : ~0u));

    if (cs_draw_flag(d, "core.read", 50))
        cs_draw_read(d, addr, size);
    else
        cs_draw_write(d, addr, size,
                      cs_draw_chance(d, 40)   ? ~UINT64_C(0)
                      : cs_draw_chance(d, 50) ? cs_draw_bits(d)
                                              : cs_draw_any(d));
}

/* One counter of a core: from short of its end on, with a filter; then how it stands. */
static void count(cs_draw *d, pmcu_random *p)
{
    const unsigned n = (unsigned)cs_draw_below(d, p->counters);
    const uint64_t core =
        CORES + 0x100000 * cs_draw_below(d, p->clusters) + 0x10000 * cs_draw_below(d, p->slots);
    const bool cycles = cs_draw_flag(d, "core.cycles", 25);
    const uint64_t bit = UINT64_C(1) << (cycles ? 31 : n);
    const uint64_t value = core + (cycles ? 0x0f8 : 8 * n);
    const unsigned control = p->ext64 ? CS_COREPMU_EXT64_PMCR : CS_COREPMU_EXT32_PMCR;
    const unsigned filter = (unsigned)cs_draw_below(d, 64) << 26;

    if (cycles)
        cs_draw_write(d, core + (p->ext64 ? 0x4f8 : 0x47c), 4,
                      cs_draw_flag(d, "core.filter", 50) ? filter : 0);
    else
        cs_draw_write(d, core + 0x400 + (p->ext64 ? 8 : 4) * n, 4,
                      (cs_draw_flag(d, "core.filter", 50) ? filter : 0) |
                          (cs_draw_chance(d, 60)   ? cs_draw_between(d, 0x20, 0x2f)
                           : cs_draw_chance(d, 50) ? 0x08
                                                   : 0x11));
    cs_draw_write(d, value, 4, ~UINT64_C(0) - cs_draw_below(d, cs_draw_chance(d, 50) ? 4 : 900));
    cs_draw_write(d, value + 4, 4, cs_draw_flag(d, "core.high", 50) ? ~UINT64_C(0) : 0);
    cs_draw_write(d, core + CS_COREPMU_EXT32_PMINTENSET, 4, bit);
    cs_draw_write(d, core + control, 4,
                  1 | (cs_draw_any(d) & (cs_draw_chance(d, 70) ? 0xd0 : 0xff)));
    cs_draw_write(d, core + CS_COREPMU_EXT32_PMCNTENSET, 4, bit);
    cs_draw_pause(d, 1, 900);
    if (cs_draw_chance(d, 50))
        cs_draw_write(d, core + CS_COREPMU_EXT32_PMCNTENCLR, 4, bit);
    cs_draw_read(d, core + CS_COREPMU_EXT32_PMOVSCLR, 4);
    cs_draw_read(d, value, 4);
    cs_draw_read(d, value + 4, 4);
    if (cs_draw_chance(d, 50))
        cs_draw_write(d, core + CS_COREPMU_EXT32_PMOVSCLR, 4, bit);
    cs_draw_read(d, core + CS_COREPMU_EXT32_PMOVSSET, 4);
}

/* A counter that is at its end again and again, and accesses that meet it there. */
static void race(cs_draw *d, pmcu_random *p)
{
    const unsigned n = (unsigned)cs_draw_below(d, p->counters);
    const uint64_t core =
        CORES + 0x100000 * cs_draw_below(d, p->clusters) + 0x10000 * cs_draw_below(d, p->slots);
    const bool cycles = cs_draw_flag(d, "core.race_cycles", 30);
    const uint64_t bit = UINT64_C(1) << (cycles ? 31 : n);
    const uint64_t value = core + (cycles ? 0x0f8 : 8 * n);
    const unsigned control = p->ext64 ? CS_COREPMU_EXT64_PMCR : CS_COREPMU_EXT32_PMCR;
    const unsigned most = cs_draw_chance(d, 60) ? 60 : 250;

    cs_draw_write(d, core + 0x400 + (p->ext64 ? 8 : 4) * n, 4, 0x11);
    cs_draw_write(d, core + control, 4, 1);
    cs_draw_write(d, core + CS_COREPMU_EXT32_PMCNTENSET, 4, bit);
    for (uint64_t times = cs_draw_between(d, 4, 12); times > 0; times--) {
        cs_draw_write(d, value, 4, ~UINT64_C(0) - cs_draw_below(d, most));
        switch (cs_draw_pick(d, "core.race", 5)) {
        case 0:
        case 1:
            cs_draw_write(d, core + CS_COREPMU_EXT32_PMOVSCLR, 4, bit);
            break;
        case 2:
            cs_draw_write(d, value, 4, cs_draw_below(d, 256));
            break;
        case 3:
            cs_draw_write(d, core + control, 4, 1 | (cycles ? 4 : 2));
            break;
        default:
            cs_draw_write(d, core + CS_COREPMU_EXT32_PMCNTENCLR, 4, bit);
            cs_draw_write(d, core + CS_COREPMU_EXT32_PMCNTENSET, 4, bit);
            break;
        }
        cs_draw_read(d, core + CS_COREPMU_EXT32_PMOVSCLR, 4);
    }
    cs_draw_read(d, value, 4);
}

static void touch_pmcu(cs_draw *d, const pmcu_random *p)
{
    static const char *const registers[] = {
        "FSM_STATUS",  "FSM_CFG",      "EVENT_BASE_H", "EVENT_BASE_L", "KILL_BASE_H",
        "KILL_BASE_L", "STORE_BASE_H", "STORE_BASE_L", "WAIT_CNT",     "COMP",
        "PMCR",        "PMCCFILTR",    "INT_EN",       "INT_MSK",      "INT_STAT",
        "INT_CLR",     "FSM_CTRL",     "FSM_BRK"};
    const unsigned i = cs_draw_pick(d, "pmcu.register", sizeof registers / sizeof registers[0]);

    if (cs_draw_flag(d, "pmcu.read", 55))
        cs_draw_line(d, "  - read: {at: pmcu.%s%s}", p->die != 0 ? "1." : "", registers[i]);
    else
        put(d, p, registers[i], cs_draw_chance(d, 40) ? 1 : cs_draw_any(d));
}

static void meddle(cs_draw *d, pmcu_random *p)
{
    static const unsigned offsets[] = {0x024, 0x030, 0x040, 0x300, 0xffc, 0x000, 0x108};

    switch (cs_draw_pick(d, "pmcu.meddle", 6)) {
    case 0:
        cs_draw_line(d, "  - read: {at: pmcu.%u.FSM_STATUS}", p->die);
        break;
    case 1:
        cs_draw_read(d, CS_PMCU_BASE + CS_PMCU_STRIDE * p->die + offsets[cs_draw_below(d, 7)], 4);
        break;
    case 2:
        touch_pmcu(d, p);
        break;
    case 3:
        count(d, p);
        break;
    case 4:
        race(d, p);
        break;
    default:
        touch_core(d, p);
        break;
    }
}

/* Waits for what goes on, and looks what became of it. */
static void finish(cs_draw *d, pmcu_random *p)
{
    if (cs_draw_flag(d, "pmcu.break", 35)) {
        cs_draw_pause(d, 1, 4000);
        put(d, p, "FSM_BRK", 1);
    }
    cs_draw_line(d, "  - wait_irq: %u", (unsigned)cs_draw_between(d, 3000, 12000));
    for (unsigned die = 0; die < p->dies; die++) {
        cs_draw_line(d, "  - read: {at: pmcu.%u.FSM_STATUS}", die);
        cs_draw_line(d, "  - read: {at: pmcu.%u.INT_STAT}", die);
    }
    for (p->die = 0; p->die < p->dies; p->die++)
        put(d, p, "INT_CLR", cs_draw_chance(d, 85) ? 3 : cs_draw_below(d, 4));
    p->die = 0;
    p->busy = 0;
}

static void step(cs_draw *d, void *u)
{
    pmcu_random *p = u;

    p->die = (unsigned)cs_draw_below(d, p->dies);
    if ((p->busy >> p->die & 1) == 0 && p->turns < 4 && cs_draw_flag(d, "pmcu.start", 45)) {
        p->turns++;
        p->busy |= 1u << p->die;
        configure(d, p);
    } else if (p->busy != 0 && cs_draw_chance(d, 20)) {
        finish(d, p);
    } else {
        meddle(d, p);
    }
}

static void last(cs_draw *d, void *u)
{
    pmcu_random *p = u;
    const unsigned core = (unsigned)(CORES + 0x100000 * cs_draw_below(d, p->clusters) +
                                     0x10000 * cs_draw_below(d, p->slots));
    static const unsigned offsets[] = {0x000, 0x004, 0x0f8, 0x0fc, 0xc00, 0xc40, 0xc80, 0xe00};

    if (p->busy != 0)
        finish(d, p);
    for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        cs_draw_read(d, core + offsets[i], 4);
    cs_draw_read(d, core + (p->ext64 ? 0xe10 : 0xe04), 4);
}

const cs_random_unit cs_random_pmcu = {
    .name = "pmcu",
    .alike = {"corepmu"},
    .bytes = sizeof(pmcu_random),
    .shape = shape,
    .cpus = cpus,
    .scripts = scripts,
    .sections = sections,
    .workloads = workloads,
    .driver = driver,
    .driven = driven,
    .fault = fault,
    .program = program,
    .step = step,
    .last = last,
};
