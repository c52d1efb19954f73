#include "random_ports.hpp"

#include "random_yaml.hpp"

namespace
{

constexpr uint64_t kRam = 0x80000000;
constexpr uint64_t kOutput = kRam + 0x10000;

class Ports : RandomYaml
{
  public:
    explicit Ports(uint64_t seed) : RandomYaml(seed) {}

    std::string text(uint64_t seed);

  private:
    unsigned cpus_ = 2;

    void die();
    void walk();
    void access();
    void step(unsigned cpu);
    void program(unsigned cpu);
};

void Ports::die()
{
    cpus_ = chance(50) ? 2 : 4;
    line(
        "bus: {arbitration: %s, forward_cycles: %u, return_cycles: %u, register_access_cycles: %u}",
        chance(50) ? "shared" : "per_target", (unsigned)below(4), (unsigned)below(4),
        (unsigned)between(1, 12));
    line("corepmu: {counters: 4}");
    line("pmcu: {clusters: 1, slots: 4, lanes: 2, prefetch: %s, tick_cycles: %u}",
         chance(50) ? "true" : "false", (unsigned)between(1, 30));
    line("uncore:\n"
         "  bridges: [{access_cycles: %u}]\n"
         "  units:\n"
         "    - name: mc\n"
         "      segments: [{events: [{event: \"uncore:1\", kind: random, rate: 0.7}]}]",
         (unsigned)between(1, 60));
    line("memory: {read_cycles: %u, write_cycles: %u, gap_cycles: %u}", (unsigned)below(20),
         (unsigned)below(8), (unsigned)below(3));
    line("workloads:\n"
         "  - {name: mix, cpus: all, segments: [{events: [{event: 0x08, kind: random, rate: 1.1},"
         " {event: 0x20, kind: spread, rate: 0.01, rate_high: 2}]}]}");
}

// A PMCU program, and perhaps its end.
void Ports::walk()
{
    const unsigned events = (unsigned)between(1, 4);

    for (unsigned i = 0; i < 8; i++)
        poke(kRam + 0x1000 + 4 * i, 4, chance(50) ? 0x20 : 0x08);
    line("  - write: {at: pmcu.EVENT_BASE_L, value: 0x80001000}");
    line("  - write: {at: pmcu.PMCR, value: 0xc1}");
    line("  - write: {at: pmcu.INT_EN, value: 3}");
    line("  - write: {at: pmcu.FSM_CFG, value: 0x%x}", events | 1 << 8 | events << 16);
    line("  - write: {at: pmcu.WAIT_CNT, value: %u}", (unsigned)below(40));
    line("  - write: {at: pmcu.STORE_BASE_L, value: 0x%" PRIx64 "}", kOutput + 8 * below(600));
    line("  - write: {at: pmcu.KILL_BASE_L, value: 0x%" PRIx64 "}", kOutput + 0x8000);
    line("  - write: {at: pmcu.FSM_CTRL, value: 1}");
    if (chance(70))
        line("  - wait_irq: %u", (unsigned)between(1, 6000));
    line("  - write: {at: pmcu.INT_CLR, value: 3}");
}

void Ports::access()
{
    static const unsigned core[] = {0x000, 0x018, 0x200, 0x400, 0xc00, 0xe04};
    static const unsigned uncore[] = {0x000, 0x008, 0x010, 0x100, 0x108, 0x200, 0x208};
    uint64_t addr = 0;

    switch (below(4)) {
    case 0:
        addr = 0x20000000 + 0x10000 * below(5) + core[below(6)];
        break;
    case 1:
        addr = 0x40000000 + 0x10000 * below(2) + uncore[below(7)];
        break;
    case 2:
        addr = 0x10000000 + 4 * below(8);
        break;
    default:
        addr = kRam + 8 * below(4); // what all share
        break;
    }
    if (chance(50))
        peek(addr, 4);
    else
        poke(addr, 4, addr < kRam && chance(50) ? 0x10001 : bits());
}

void Ports::step(unsigned cpu)
{
    switch (below(12)) {
    case 0: {
        const unsigned lock = (unsigned)below(2);

        line("  - lock: %u", lock);
        for (uint64_t n = below(4); n > 0; n--)
            access();
        if (chance(50))
            pause(1, 300);
        line("  - unlock: %u", lock);
        break;
    }
    case 1:
        line("  - signal: %u", (unsigned)below(cpus_));
        break;
    case 2:
        line("  - wait_signal: %u", (unsigned)between(1, 2000));
        break;
    case 3:
        line("  - wait_irq: %u", (unsigned)between(1, 500));
        break;
    case 4:
    case 5:
        pause(1, 400);
        break;
    case 6:
        if (cpu == 0) {
            walk();
            break;
        }
        [[fallthrough]];
    default:
        access();
        break;
    }
}

void Ports::program(unsigned cpu)
{
    line("  - cpu: %u", cpu);
    access();
    for (uint64_t n = between(5, 40); n > 0; n--)
        step(cpu);
}

std::string Ports::text(uint64_t seed)
{
    line("name: ports-%" PRIu64, seed);
    line("seed: %" PRIu64, seed);
    die();
    line("software: {kind: script, ports: per_cpu, ipi_cycles: %u}",
         (unsigned)(chance(50) ? between(1, 5) : between(1, 800)));
    line("script:");
    for (unsigned cpu = 0; cpu < cpus_; cpu++)
        program(cpu);
    return out_;
}

class Managers : RandomYaml
{
  public:
    explicit Managers(uint64_t seed) : RandomYaml(seed) {}

    std::string text(uint64_t seed);

  private:
    void workloads();
    void units();
    void commands();
};

void Managers::workloads()
{
    line("workloads:");
    for (unsigned cpu = 0; cpu < 4; cpu++)
        line(
            "  - {name: w%u, cpus: [%u], segments: [{cycles: %u, wfi: %s}, {cycles: %u, wfi: %s}]}",
            cpu, cpu, (unsigned)between(2000, 40000), chance(50) ? "true" : "false",
            (unsigned)between(2000, 40000), chance(50) ? "true" : "false");
}

void Managers::units()
{
    line("uncore:\n"
         "  bridges:\n"
         "    - {access_cycles: %u, near: [0, 1], remote_cycles: %u}\n"
         "    - {access_cycles: %u, near: [2], reach: [2, 3], remote_cycles: %u}\n"
         "  units:",
         (unsigned)between(1, 60), (unsigned)below(400), (unsigned)between(1, 400),
         (unsigned)below(400));
    for (unsigned unit = 0; unit < 3; unit++)
        line("    - {name: u%u, bridge: %u, counters: %u, width: %u, divider: %u,"
             " segments: [{events: [{event: \"uncore:1\", kind: random, rate: 0.7},"
             " {event: \"uncore:2\", rate: 0.3}]}]}",
             unit, unit == 2, (unsigned)between(1, 3), chance(30) ? 16 : 48,
             (unsigned)between(1, 3));
}

void Managers::commands()
{
    for (uint64_t n = between(1, 3); n > 0; n--) {
        const unsigned start = (unsigned)between(1, 60);

        line("    - {start_us: %u, stop_us: %u, interval_us: %u, events: [{event: \"uncore:1\"},"
             " {event: \"uncore:2\", pinned: %s}, {event: \"uncore:0\"}, {event: \"uncore:1\"}]}",
             start, start + (unsigned)between(1, 80), chance(50) ? 0 : (unsigned)between(5, 30),
             chance(20) ? "true" : "false");
    }
}

std::string Managers::text(uint64_t seed)
{
    static const char *const lists[] = {"per_pmu", "global", "contexts"};
    static const char *const choices[] = {"load", "nearest", "busy", "idle"};

    line("name: managers-%" PRIu64, seed);
    line("seed: %" PRIu64, seed);
    line("bus: {arbitration: %s}", chance(50) ? "shared" : "per_target");
    line("corepmu: {counters: 4}\npmcu: {clusters: 1, slots: 4, lanes: 2}");
    workloads();
    units();
    line("software: {kind: uncore, ports: per_cpu, ipi_cycles: %u, access_cycles: %u}",
         (unsigned)(chance(50) ? between(1, 20) : between(1, 3000)), (unsigned)below(40));
    line("uncore_driver:\n  list: %s\n  manager: %s\n  look_us: %u\n  tick_us: %u\n"
         "  poll_cycles: 2000\n  handler_cycles: %u",
         lists[below(3)], choices[below(4)], (unsigned)between(1, 20), (unsigned)between(4, 30),
         (unsigned)between(1, 900));
    if (chance(60))
        line("  hotplug: [{cpu: %u, at_us: %u, for_us: %u}, {cpu: %u, at_us: %u, for_us: %u}]",
             (unsigned)below(2), (unsigned)between(1, 100), (unsigned)below(40),
             (unsigned)between(2, 3), (unsigned)between(1, 100), (unsigned)below(40));
    line("  perf:");
    commands();
    return out_;
}

} // namespace

std::string random_managers(uint64_t seed)
{
    return Managers(seed).text(seed);
}

std::string random_ports(uint64_t seed)
{
    return Ports(seed).text(seed);
}
