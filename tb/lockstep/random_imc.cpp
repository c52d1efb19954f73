#include "random_imc.hpp"

#include <set>

#include "base/numbers.h"
#include "models/imc/imc_core.h"
#include "models/imc/imc_scom.h"
#include "random_yaml.hpp"

namespace
{

constexpr uint64_t kRam = 0x80000000;
constexpr uint64_t kBuffers = kRam + 0x100000;
constexpr uint64_t kRamEnd = kRam + (1ull << 30);
constexpr uint64_t kNest = kRam + 0x8000000;
constexpr uint64_t kControl = kNest + 0x3fc00;

constexpr uint64_t kOn = 0xe800000000000000;
constexpr uint64_t kOff = 0xe000000000000000;

class Script : RandomYaml
{
  public:
    Script(uint64_t seed, unsigned chips) : RandomYaml(seed), chips_(chips) {}

    std::string text(uint64_t seed);

  private:
    bool power10_ = false;
    bool nest_ = false;
    unsigned chips_; // of one core each, where there are several
    unsigned cores_ = 1;
    unsigned threads_ = 4;

    void die();
    void deep_stops();
    void faults();
    void workload();
    uint64_t scom_at(unsigned core, unsigned reg) const;
    void scom(unsigned core, unsigned reg, uint64_t value);
    uint64_t address();
    void event_mask(unsigned core);
    void trace(unsigned core);
    void ldbar(unsigned core, unsigned thread);
    void program(unsigned core);
    void meddle();
    void nest();
};

void Script::die()
{
    static const unsigned threads[] = {1, 2, 4};
    static const uint64_t starts[] = {0, (1ull << 42) - 40, ~0ull - 60, 1ull << 20};
    const unsigned timebase = chance(50) ? 512 : static_cast<unsigned>(between(40, 1000));

    cores_ = static_cast<unsigned>(between(1, 2));
    threads_ = threads[below(3)];
    power10_ = chance(35);
    nest_ = (chips_ == 1 || !power10_) && chance(chips_ == 1 ? 35 : 80);
    if (chips_ > 1) {
        cores_ = chips_;
        threads_ = threads_ == 4 ? 2 : threads_;
    }
    line(
        "bus: {arbitration: %s, forward_cycles: %u, return_cycles: %u, register_access_cycles: %u}",
        chance(50) ? "shared" : "per_target", (unsigned)below(4), (unsigned)below(4),
        (unsigned)between(1, 6));
    line("imc:\n  cores: %u\n  threads: %u\n  variant: %s\n  tap_log2: %u\n  timebase_mhz: %u\n"
         "  timebase_start: 0x%" PRIx64,
         cores_, threads_, power10_ ? "power10" : "power9", (unsigned)between(2, 8), timebase,
         starts[below(4)]);
    if (chips_ > 1)
        line("  chips: %u", chips_);
    if (chance(40))
        deep_stops();
    if (!nest_)
        return;
    if (power10_) {
        line("nest:\n  present: true\n  base: 0x%" PRIx64 "\n  tick_cycles: %u\n  units: 0x%" PRIx64
             "\n  segments:\n    - cycles: 700\n      events:",
             kNest, (unsigned)between(16, 250), chance(30) ? UINT64_C(0xFFF6DBB7FFFFFFC0) : bits());
        for (unsigned offset : {0x10, 0x40, 0xb8, 0x118, 0x228, 0x448, 0x7b8, 0x888, 0x980, 0x998})
            line("        - {event: \"nest:0x%x\", kind: random, rate: 2.5}", offset);
        line("    - {cycles: 300}");
        return;
    }
    line("nest:\n  present: true\n  base: 0x%" PRIx64 "\n  tick_cycles: %u\n  segments:\n"
         "    - cycles: 700\n      events:\n"
         "        - {event: \"nest:0x80\", rate: %u}\n"
         "        - {event: \"nest:0xc8\", kind: random, rate: 2}\n"
         "        - {event: \"nest:0x338\", kind: random, rate: 1.5}\n"
         "        - {event: \"nest:0x448\", rate: 3}\n"
         "        - {event: \"nest:0x458\", kind: random, rate: 0.7}",
         kNest, (unsigned)(chance(30) ? between(16, 80) : between(200, 1500)),
         (unsigned)between(1, 3));
    line("        - {event: \"nest:0x118\", rate: 2.5}\n"
         "        - {event: \"nest:0x4a8\", kind: random, rate: 3}\n"
         "        - {event: \"nest:0x630\", rate: 1}\n"
         "        - {event: \"nest:0x748\", rate: 0.1}\n"
         "    - {cycles: 300}");
}

// Each core loses its power up to three times.
void Script::deep_stops()
{
    line("  deep_stops:");
    for (unsigned core = 0; core < cores_; core++)
        for (uint64_t n = between(1, 3), at = 0; n > 0; n--) {
            const uint64_t begin = at + between(1, 5), lasts = between(1, 3);

            line("    - {core: %u, at_us: %u, for_us: %u}", core, (unsigned)begin, (unsigned)lasts);
            at = begin + lasts;
        }
}

void Script::faults()
{
    line("memory:\n  read_cycles: %u\n  write_cycles: %u\n  gap_cycles: %u", (unsigned)below(20),
         (unsigned)below(12), (unsigned)below(3));
    if (!chance(60))
        return;
    line("  faults:");
    for (uint64_t n = between(1, 3); n > 0; n--) {
        const std::string action =
            chance(55) ? "error" : "stall, stall_cycles: " + std::to_string(between(1, 900));

        line("    - {base: 0x%" PRIx64 ", size: %s, access: %s, nth: %u, count: %u, action: %s}",
             chance(nest_ ? 50 : 90) ? kBuffers : kNest, "4 MiB",
             chance(40)   ? "any"
             : chance(60) ? "write"
                          : "read",
             (unsigned)between(1, 30), (unsigned)between(1, 6), action.c_str());
    }
}

void Script::workload()
{
    static const char *const modes[] = {"guest_kernel", "guest_user", "host_kernel", "host_user"};

    line("corepmu: {clock_mhz: %u}", (unsigned)between(1000, 4000));
    line("workloads:\n  - name: mix\n    cpus: all\n    segments:");
    for (uint64_t n = between(1, 3); n > 0; n--) {
        line("      - cycles: %u\n        mode: %s\n        cid1: 0x%x\n        cid2: 0x%x\n"
             "        functions: [{name: f, base: 0xc00000000%05x00, size: 0x400}]\n"
             "        events:",
             (unsigned)between(30, 2500), modes[below(4)], (unsigned)bits(), (unsigned)bits(),
             (unsigned)below(0xfffff));
        line("          - {event: \"cpmc1:4\", kind: random, rate: 0.9}\n"
             "          - {event: \"cpmc2:2\", rate: %u.3}\n"
             "          - {event: \"cpmc1:35\", rate: 1.7}\n"
             "          - {event: \"cpmc2:40\", kind: bursts, rate: 2, length_cycles: 20, "
             "period_cycles: 90}\n"
             "          - {event: cpmc3, kind: random, rate: 1.2}",
             (unsigned)below(3));
    }
}

uint64_t Script::scom_at(unsigned core, unsigned reg) const
{
    const unsigned chip = chips_ == 1 ? 0 : core, own = chips_ == 1 ? core : 0;

    return CS_SCOM_BASE_OF(chip, power10_) + 8ull * cs_imc_scom_address(power10_, own, reg);
}

void Script::scom(unsigned core, unsigned reg, uint64_t value)
{
    poke(scom_at(core, reg), chance(97) ? 8 : 4, value);
}

// Mostly a buffer; else RAM's end, or anywhere.
uint64_t Script::address()
{
    if (chance(85))
        return kBuffers + 0x2000 * below(64);
    return chance(60) ? kRamEnd - 0x2000 * between(1, 3) : bits() & 0x00ffffffffffffff;
}

void Script::event_mask(unsigned core)
{
    const uint64_t sets = chance(70) ? 0x0402010000000000 : bits() & 0xfffffffc00000000;
    uint64_t value = sets | below(chance(80) ? 2 : 8) << 31;

    if (chance(25))
        value |= 1ull << 30; // DISABLE_WRAP
    if (chance(10))
        value |= 1ull << 29; // FREEZE
    if (chance(30))
        value |= (1ull << 25) | below(4) << 23 | below(32) << 18;
    scom(core, CS_IMC_REG_EVENT_MASK, value);
}

void Script::trace(unsigned core)
{
    const uint64_t load = 0xffffffff - between(0, chance(60) ? 900 : 60);
    const uint64_t sampsel = below(4);

    scom(core, CS_IMC_REG_TRACE,
         sampsel << 62 | load << 30 | (chance(50) ? 4 : below(128)) << 23 |
             (chance(50) ? 2 : below(128)) << 16 | below(8) << 13 | below(chance(20) ? 8192 : 1));
}

void Script::ldbar(unsigned core, unsigned thread)
{
    static const uint64_t modes[] = {1ull << 63, 1ull << 62, 3ull << 62, 0};
    const uint64_t mode = modes[chance(40) ? 0 : chance(70) ? 1 : below(4)];
    const uint64_t at =
        CS_SPR_BASE + 0x2000 * (4 * core + thread) + 8 * (chance(97) ? 850 : below(900));

    if (chance(15))
        peek(at, 8);
    poke(at, 8, address() | mode | below(chance(10) ? 0x2000 : 1));
}

void Script::program(unsigned core)
{
    scom(core, CS_IMC_REG_PDBAR, address() | (chance(20) ? 1ull << 62 : 0));
    event_mask(core);
    trace(core);
    for (unsigned thread = 0; thread < threads_; thread++)
        if (chance(70))
            ldbar(core, thread);
    scom(core, CS_IMC_REG_HTM_MODE, chance(90) ? kOn : bits());
}

void Script::meddle()
{
    const unsigned core = static_cast<unsigned>(below(cores_ + (chance(10) ? 1 : 0)));
    const unsigned reg = static_cast<unsigned>(below(7));

    switch (below(9)) {
    case 0:
        scom(core, CS_IMC_REG_HTM_MODE, chance(60) ? kOff : kOn);
        break;
    case 1:
        event_mask(core);
        break;
    case 2:
        trace(core);
        break;
    case 3:
    case 4:
        ldbar(core, static_cast<unsigned>(below(threads_)));
        break;
    case 5:
        scom(core, reg, chance(50) ? 0 : bits());
        break;
    default:
        peek(chance(95) ? scom_at(core, reg) : CS_SCOM_BASE + 8ull * below(0x40000000), 8);
        break;
    }
}

static uint64_t swapped(uint64_t value)
{
    return __builtin_bswap64(value);
}

void Script::nest()
{
    const uint64_t control = kControl + 0x400000 * (chips_ == 1 ? 0 : below(chips_));

    switch (below(5)) {
    case 0:
    case 1:
        poke(control + 0x08, 8, swapped(chance(90) ? below(4) : bits()));
        break;
    case 2:
        poke(control + 0x10, 8, swapped(chance(85) ? below(12) : below(20)));
        break;
    case 3:
        poke(control + 0x18, 8, chance(50) ? 0 : bits());
        break;
    default:
        poke(control + 0x20, 8, swapped(chance(90) ? below(2) : below(4)));
        break;
    }
}

std::string Script::text(uint64_t seed)
{
    line("name: random-imc-%" PRIu64, seed);
    line("seed: %" PRIu64, seed);
    die();
    faults();
    workload();
    line("software: {kind: script}");
    line("script:");
    for (unsigned core = 0; core < cores_; core++)
        program(core);
    for (uint64_t n = between(3, 14); n > 0; n--) {
        pause(1, 1800);
        meddle();
        if (nest_ && chance(50))
            nest();
    }
    pause(1, 4000);
    return out_;
}

// OPAL, the kernel and perf with a port a CPU. Workloads name processes as it comes, so that CPUs often
// wait for one that another still runs.
class Tasks : RandomYaml
{
  public:
    explicit Tasks(uint64_t seed) : RandomYaml(seed) {}

    std::string text(uint64_t seed);

  private:
    void die();
    void workloads();
    void commands();
    std::set<unsigned> processes_; // that some workload has
};

constexpr unsigned kCpus = 4, kProcesses = 5;

void Tasks::die()
{
    line("catalog: power9_small.dts");
    line(
        "bus: {arbitration: %s, forward_cycles: %u, return_cycles: %u, register_access_cycles: %u}",
        chance(50) ? "shared" : "per_target", (unsigned)below(4), (unsigned)below(4),
        (unsigned)between(1, 6));
    line("imc: {cores: 2, threads: 2, tap_log2: %u}", (unsigned)between(2, 7));
    line("corepmu: {clock_mhz: %u}", (unsigned)between(1000, 4000));
    line("memory:\n  read_cycles: %u\n  write_cycles: %u", (unsigned)below(20),
         (unsigned)below(12));
    if (chance(30)) // START and STOP write registers; counters are read
        line("  faults:\n    - {base: 0x%" PRIx64 ", size: 4 MiB, access: any, nth: %u, count: 3, "
             "action: error}",
             kRam + (16u << 20), (unsigned)between(1, 400));
}

void Tasks::workloads()
{
    static const char *const modes[] = {"guest_user", "host_kernel", "host_user"};

    line("workloads:");
    for (unsigned cpu = 0; cpu < kCpus; cpu++) {
        line("  - name: w%u\n    cpus: %u\n    segments:", cpu, cpu);
        for (uint64_t n = between(1, 5) + 1; n > 0; n--) {
            const unsigned pid = n == 1 ? 50 + cpu : (unsigned)between(1, kProcesses);

            processes_.insert(pid);
            line("      - {cycles: %u, mode: %s, cid1: %u, functions: [{name: f, base: 0x10001000, "
                 "size: 0x800}], events: [{event: CPM_CS_PCYC, rate: 0.9}, {event: CPM_CS_INST, "
                 "kind: random, rate: 1.2}, {event: CPM_32MHZ_CYC, rate: 0.3}]}",
                 (unsigned)between(100, 6000), modes[below(3)], pid);
        }
    }
}

void Tasks::commands()
{
    const bool trace = chance(25);

    for (uint64_t n = between(1, 3); n > 0; n--) {
        const unsigned start = (unsigned)between(1, 20);

        line("    - pmu: %s\n      start_us: %u\n      stop_us: %u\n      interval_us: %u",
             trace ? "trace" : "thread", start, start + (unsigned)between(1, 50),
             chance(40) ? (unsigned)between(3, 20) : 0);
        if (trace)
            line("      events: [trace_cycles]\n      sample_period: 1");
        else
            line("      events: [CPM_CS_PCYC_USER, CPM_CS_INST_USER]");
        if (chance(20)) {
            line("      task: true\n      cpus: [%u, 3]", (unsigned)below(3));
            continue;
        }
        std::string list;
        for (unsigned pid : processes_)
            if (list.empty() || chance(60))
                list += (list.empty() ? "{pid: " : ", {pid: ") + std::to_string(pid) + "}";
        line("      inherit: %s\n      processes: [%s]", chance(70) ? "true" : "false",
             list.c_str());
    }
}

std::string Tasks::text(uint64_t seed)
{
    line("name: imc-tasks-%" PRIu64, seed);
    line("seed: %" PRIu64, seed);
    die();
    workloads();
    line("software: {kind: imc, ports: per_cpu, ipi_cycles: %u}",
         (unsigned)(chance(50) ? between(1, 20) : between(1, 2000)));
    line("imc_driver:\n  opal_cycles: %u\n  cross_call_cycles: %u\n  switch_cycles: %u\n"
         "  record_cycles: %u\n  trace_scom: 0x7FFFFFE142020000\n  perf:",
         (unsigned)between(1, 200), (unsigned)between(1, 400), (unsigned)between(1, 600),
         (unsigned)between(1, 40));
    commands();
    return out_;
}

} // namespace

std::string random_imc_tasks(uint64_t seed)
{
    return Tasks(seed).text(seed);
}

std::string random_imc(uint64_t seed, unsigned chips)
{
    return Script(seed, chips).text(seed);
}
