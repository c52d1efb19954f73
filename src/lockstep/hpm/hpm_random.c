// SPDX-License-Identifier: Apache-2.0
/* Random scenarios with RISC-V harts: their extensions and sizes, drivers and firmware of all kinds,
 * perf commands that count and sample on them, guests. */
#include <string.h>

#include "lockstep/random/random.h"

typedef struct hpm_random {
    unsigned harts, counters, width;
    bool hypervisor; /* harts have the modes of guests */
    bool rv64, guest, kvm, sscofpmf, smcdeleg, aia, knows_no_cde;
    bool turns;     /* events that find no counter take turns */
    unsigned units; /* off the harts, whose counters the firmware offers */
    bool snapshot;  /* a page tells the guest of its counters */
} hpm_random;

static hpm_random *of(void *u)
{
    return u;
}

static bool shape(cs_draw *d, const cs_die_shape *die, void *u)
{
    hpm_random *p = of(u);
    const unsigned harts = cs_die_shape_get(die, "hpm", "NrHart");

    /* With others it takes them as long as itself. */
    if (harts == 0 || !(cs_draw_get(d, "wanted") != 0 || cs_draw_chance(d, 25)))
        return false;
    cs_draw_set(d, "slow", 0);
    cs_draw_set(d, "others", 1);
    p->harts = (unsigned)cs_draw_between(d, 1, harts);
    p->counters = (unsigned)cs_draw_between(
        d, 0, cs_draw_chance(d, 70) ? 8 : cs_die_shape_get(die, "hpm", "NrCounter"));
    p->rv64 = cs_draw_flag(d, "hpm.rv64", 60);
    p->sscofpmf = cs_draw_flag(d, "hpm.sscofpmf", 85);
    p->smcdeleg = cs_draw_flag(d, "hpm.smcdeleg", 75);
    p->hypervisor = cs_draw_flag(d, "hpm.hypervisor", 75);
    p->guest = p->hypervisor && p->sscofpmf && cs_draw_flag(d, "hpm.guest", 30);
    p->aia = p->sscofpmf && cs_draw_flag(d, "hpm.aia", p->guest ? 60 : 40);
    p->turns = cs_draw_flag(d, "hpm.turns", 30);
    p->kvm = p->guest && p->rv64 && cs_draw_flag(d, "hpm.kvm", 45);
    p->width = !cs_draw_flag(d, "hpm.narrow", 40) ? 64
               : cs_draw_flag(d, "hpm.tiny", 30)  ? (unsigned)cs_draw_between(d, 4, 9)
                                                  : (unsigned)cs_draw_between(d, 10, 40);
    return true;
}

static unsigned cpus(const void *u)
{
    return ((const hpm_random *)u)->harts;
}

/* ---- the harts ---- */

static void harts(cs_draw *d, const hpm_random *p)
{
    cs_draw_line(
        d,
        "harts: {count: %u, xlen: %u, modes: %s, counters: %u, width: %u, sscofpmf: %s, smcntrpmf: "
        "%s, smcdeleg: %s, aia: %s, lcofi_latency: %u, csr_cycles: %u, trap_cycles: %u, "
        "return_cycles: %u, irq_latency_cycles: %u, timebase_start: 0x%" PRIx64 "}",
        p->harts, p->rv64 ? 64 : 32, p->hypervisor ? "msuh" : "msu", p->counters, p->width,
        p->sscofpmf ? "true" : "false", cs_draw_bool(d, "hpm.smcntrpmf", 80),
        p->smcdeleg ? "true" : "false", p->aia ? "true" : "false",
        cs_draw_chance(d, 50) ? 0 : (unsigned)cs_draw_below(d, 32),
        (unsigned)cs_draw_between(d, 1, 9), (unsigned)cs_draw_between(d, 1, 60),
        (unsigned)cs_draw_between(d, 1, 60), (unsigned)cs_draw_between(d, 0, 20), cs_draw_any(d));
}

/* ---- their software ---- */

static const char *driver_kind(cs_draw *d, hpm_random *p)
{
    static const char *const kinds[] = {"sbi", "legacy", "delegated", "delegated_posted"};
    const bool delegates = p->smcdeleg && p->sscofpmf && !p->knows_no_cde;
    const unsigned kind = cs_draw_pick(d, "hpm.driver", delegates ? 4 : 2);

    p->turns = p->turns && (p->guest || kind != 1); /* the legacy driver has none */
    return kinds[p->guest && kind == 1 ? 0 : kind];
}

static void driver_keys(cs_draw *d, unsigned base)
{
    cs_draw_put(
        d, "base: 0x%x, ring_bytes: 8 KiB, handler_cycles: %u, event_cycles: %u, sample_cycles: %u",
        base, (unsigned)cs_draw_between(d, 1, 90), (unsigned)cs_draw_between(d, 1, 60),
        (unsigned)cs_draw_between(d, 1, 60));
}

/* Events of units off the harts: more of one than it has counters, or of several. */
static void unit_events(cs_draw *d, const hpm_random *p)
{
    static const char *const before[] = {"", "cycles, ", "instructions, "};

    cs_draw_put(d, "[%s", before[cs_draw_pick(d, "hpm.unit_events", 3)]);
    for (uint64_t n = cs_draw_between(d, 0, 3); n > 0; n--)
        cs_draw_put(d, "\"u%u:%u\", ", (unsigned)cs_draw_below(d, p->units),
                    (unsigned)cs_draw_below(d, 5));
    if (p->turns && cs_draw_flag(d, "hpm.unit_group", 40))
        cs_draw_put(d, "\"{u0:1,u0:0}\"]");
    else
        cs_draw_put(d, "\"u0:1\"]");
}

static void command(cs_draw *d, const hpm_random *p, bool samples)
{
    static const char *const events[] = {"cycles",
                                         "instructions",
                                         "[cycles, instructions]",
                                         "L1-dcache-load-misses",
                                         "branches",
                                         "[instructions, branches, L1-dcache-load-misses]",
                                         "[cycles, fw_set_timer]",
                                         "[instructions, instructions, branches]",
                                         "[\"{instructions,branches}\", cycles, branches]",
                                         "[\"branches:D\", instructions, branches]"};
    static const char *const sampled[] = {"instructions", "L1-dcache-load-misses", "branches",
                                          "[instructions, branches]"};
    const unsigned start = (unsigned)cs_draw_between(d, 5, 70);
    const unsigned i = cs_draw_pick(d, samples ? "hpm.sampled" : "hpm.events",
                                    samples    ? 4
                                    : p->turns ? 10
                                               : 8);
    const char *list = samples ? sampled[i] : events[i];
    const bool bare = list[0] != '[';
    const bool units = p->units != 0 && !samples && cs_draw_flag(d, "hpm.units", 60);

    cs_draw_put(d, "    - {events: ");
    if (units)
        unit_events(d, p);
    else
        cs_draw_put(d, "%s%s%s", bare ? "[" : "", list, bare ? "]" : "");
    cs_draw_put(d, ", start_us: %u, stop_us: %u", start,
                start + (unsigned)cs_draw_between(d, 10, 60));
    if (samples)
        cs_draw_put(d, ", sample_period: %u", (unsigned)cs_draw_between(d, 300, 4000));
    else if (cs_draw_chance(d, 50))
        cs_draw_put(d, ", interval_us: %u", (unsigned)cs_draw_between(d, 8, 40));
    if (cs_draw_flag(d, "hpm.mmapped", 25))
        cs_draw_put(d, ", mmapped: true");
    if (cs_draw_flag(d, "hpm.user_only", 25))
        cs_draw_put(d, ", exclude_kernel: true");
    else if (cs_draw_flag(d, "hpm.kernel_only", 20))
        cs_draw_put(d, ", exclude_user: true");
    if (p->harts > 1 && cs_draw_chance(d, 25))
        cs_draw_put(d, ", cpus: %u",
                    (unsigned)cs_draw_get(d, "first hart") + (unsigned)cs_draw_below(d, p->harts));
    /* A guest of kvm samples where interrupts can be injected. */
    const bool cannot =
        p->kvm && ((samples && !(p->aia && p->snapshot)) || units || strstr(list, "fw_") != NULL);
    if (p->guest && !cannot && cs_draw_flag(d, "hpm.in_guest", 45))
        cs_draw_put(d, ", guest: true");
    else if (p->guest && cs_draw_flag(d, "hpm.of_guest", 50))
        cs_draw_put(d, ", guest_events: true, exclude_host: true");
    cs_draw_line(d, "}");
}

/* ---- CSR instructions beside those of software ---- */

/* What programs read: counters, and their high halves; and registers that are not theirs. */
static unsigned read_by_workload(cs_draw *d)
{
    static const unsigned others[] = {0x106, 0x120, 0xda0, 0x606, 0x306, 0x320, 0xb00, 0x151};

    if (cs_draw_chance(d, 25))
        return others[cs_draw_below(d, sizeof others / sizeof others[0])];
    return 0xc00 + 0x80 * (unsigned)cs_draw_below(d, 2) + (unsigned)cs_draw_below(d, 32);
}

/* The interrupt's aliases: mvien, mvip and what shows them; mie and mip are the software's own. */
static unsigned alias(cs_draw *d)
{
    static const unsigned csrs[] = {0x308, 0x309, 0x308, 0x309, 0x144, 0x104, 0x344,
                                    0x644, 0x645, 0x608, 0x244, 0x204, 0x603, 0x303};

    return csrs[cs_draw_pick(d, "hpm.alias", sizeof csrs / sizeof csrs[0])];
}

static void access_line(cs_draw *d, const char *by, unsigned csr, const char *op, uint64_t value)
{
    cs_draw_line(d, "    - {by: %s, csr: 0x%03x, op: %s, value: 0x%" PRIx64 ", every_us: %u}", by,
                 csr, op, value, (unsigned)cs_draw_between(d, 3, 40));
}

static void accesses(cs_draw *d, const hpm_random *p)
{
    static const char *const ops[] = {"read", "write", "set", "clear"};
    static const char *const by[] = {"kernel", "firmware"};

    cs_draw_line(d, "  accesses:");
    for (uint64_t n = cs_draw_between(d, 2, 6); n > 0; n--)
        switch (cs_draw_pick(d, "hpm.access", 3)) {
        case 0:
            access_line(d, "workload", read_by_workload(d), "read", 0);
            break;
        case 1: /* bit 13 is that of LCOFI */
            access_line(d, by[cs_draw_below(d, 2)], alias(d), ops[cs_draw_below(d, 4)],
                        cs_draw_chance(d, 70) ? 0x2000 : cs_draw_bits(d));
            break;
        default: /* CDE, also where there is none */
            access_line(d, "firmware", p->rv64 ? 0x30a : 0x31a, ops[cs_draw_below(d, 4)],
                        UINT64_C(1) << (p->rv64 ? 60 : 28));
            break;
        }
}

static void software(cs_draw *d, hpm_random *p)
{
    static const char *const deviations[] = {"opensbi_1_1", "opensbi_1_6", "opensbi_1_9"};

    cs_draw_line(d, "riscv:");
    cs_draw_put(d, "  firmware: {call_cycles: %u, counters: %u", (unsigned)cs_draw_below(d, 60),
                (unsigned)cs_draw_below(d, 17));
    p->knows_no_cde = false;
    if (cs_draw_flag(d, "hpm.deviations", 25)) {
        const unsigned release = cs_draw_pick(d, "hpm.opensbi", 3);

        p->knows_no_cde = release == 0;
        cs_draw_put(d, ", deviations: [%s]", deviations[release]);
    }
    p->units = (unsigned)cs_draw_get(d, "free units");
    if (p->units != 0 && cs_draw_flag(d, "hpm.offered", 60)) {
        p->units = (unsigned)cs_draw_between(d, 1, p->units < 8 ? p->units : 8);
        for (unsigned i = 0; i < p->units; i++)
            cs_draw_put(d, "%su%u", i == 0 ? ", units: [" : ", ", i);
        cs_draw_put(d, "]");
    } else {
        p->units = 0;
    }
    cs_draw_put(d, "}\n  driver: {kind: %s, ", driver_kind(d, p));
    if (cs_draw_flag(d, "hpm.user_access", 20))
        cs_draw_put(d, "user_access: legacy, ");
    if (p->turns)
        cs_draw_put(d, "mux_us: %u, ", (unsigned)cs_draw_between(d, 5, 40));
    driver_keys(d, CS_RANDOM_RAM + 0x4000000);
    cs_draw_line(d, "}\n  firmware_events: [{event: fw_set_timer, every_us: %u}]",
                 (unsigned)cs_draw_between(d, 5, 40));
    if (cs_draw_flag(d, "hpm.accesses", 45))
        accesses(d, p);
    if (p->guest) {
        cs_draw_put(d, "  has_guest: true\n  guest: {");
        if (p->turns)
            cs_draw_put(d, "mux_us: %u, ", (unsigned)cs_draw_between(d, 5, 40));
        driver_keys(d, CS_RANDOM_RAM + 0x5000000);
        p->snapshot = cs_draw_flag(d, "hpm.snapshot", p->kvm ? 80 : 30);
        cs_draw_line(d, ", snapshot: %s}", p->snapshot ? "true" : "false");
        if (p->kvm)
            cs_draw_line(d, "  hypervisor: kvm\n  exit_cycles: %u",
                         (unsigned)cs_draw_between(d, 1, 300));
    }
    cs_draw_line(d, "  perf:");
    for (uint64_t n = cs_draw_between(d, 1, 4); n > 0; n--)
        command(d, p, p->sscofpmf && cs_draw_flag(d, "hpm.samples", 50));
}

static void sections(cs_draw *d, void *u)
{
    const unsigned mhz = (unsigned)cs_draw_between(d, 900, 3000);

    cs_random_clock(d, mhz);
    harts(d, of(u));
}

static void workloads(cs_draw *d, void *u, unsigned first)
{
    static const char *const modes[] = {"u", "s", "vu", "vs"};
    const hpm_random *p = of(u);

    cs_draw_set(d, "first hart", first);
    cs_draw_line(d, "  - name: riscv\n    cpus: \"%u-%u\"\n    segments:", first,
                 first + p->harts - 1);
    for (uint64_t n = cs_draw_between(d, 2, 4); n > 0; n--)
        cs_draw_line(d,
                     "      - cycles: %u\n        mode: %s\n        cid1: 4711\n"
                     "        functions: [{name: f, base: 0x%x000, size: 0x800}]\n"
                     "        events:\n"
                     "          - {event: INST.RET, kind: random, rate: 0.%u, max_increment: 4}\n"
                     "          - {event: CACHE.L1.RD.DATA.MISS, kind: random, rate: 0.%02u}\n"
                     "          - {event: INST.BRJMP.SPEC, kind: random, rate: 0.13}",
                     (unsigned)cs_draw_between(d, 200, 4000),
                     modes[cs_draw_pick(d, "hpm.mode", p->guest ? 4 : 2)],
                     (unsigned)cs_draw_between(d, 16, 4096), (unsigned)cs_draw_between(d, 2, 9),
                     (unsigned)cs_draw_between(d, 1, 30));
}

static const char *driver(cs_draw *d, void *u)
{
    software(d, of(u));
    return NULL;
}

const cs_random_unit cs_random_hpm = {
    .name = "hpm",
    .bytes = sizeof(hpm_random),
    .shape = shape,
    .cpus = cpus,
    .sections = sections,
    .workloads = workloads,
    .driver = driver,
};
