#include "random_script.hpp"

#include "random_yaml.hpp"

namespace
{

constexpr uint64_t kRam = 0x80000000;
constexpr uint64_t kEvents = kRam + 0x1000;
constexpr uint64_t kOutput = kRam + 0x10000;

class Script : RandomYaml
{
  public:
    explicit Script(uint64_t seed) : RandomYaml(seed), dies_(seed % 6 == 0 ? 2 : 1) {}

    std::string text(uint64_t seed);

  private:
    const unsigned dies_;
    unsigned die_ = 0;      // whose PMCU is meant
    bool two_ = false;      // the kernel's driver for core PMUs beside the script
    unsigned clusters_ = 1; // of all dies
    unsigned slots_ = 1;
    uint64_t events_ = 0; // their array
    bool ext64_ = false;
    bool broadcast_ = false;
    bool slow_bus_ = false;
    unsigned counters_ = 1, hpmn_ = 0;

    void write(const char *reg, uint64_t value);

    void die();
    std::string outages();
    std::string debug_bus();
    void workload();
    void faults();
    void core_fault();
    void event_array();
    void event_base();
    void program();
    void touch_core();
    void meddle();
    void trigger();
    void run();
    void perf();
};

void Script::write(const char *reg, uint64_t value)
{
    line("  - write: {at: pmcu.%s%s, value: 0x%" PRIx64 "}", die_ != 0 ? "1." : "", reg,
         value & 0xffffffff);
}

// Each kind, at times of a run's length; those of a CPU one after the other.
std::string Script::outages()
{
    static const char *const kinds[] = {"hotplug", "power_down", "clock_stop"};
    const unsigned cpus = clusters_ * slots_;
    std::string text;

    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        uint64_t at = between(1, slow_bus_ ? 400 : 40);

        for (uint64_t n = chance(50) ? between(1, 2) : 0; n > 0; n--) {
            const uint64_t length = between(1, slow_bus_ ? 100 : 20), unlock = below(4);

            text += (text.empty() ? "" : ", ") + std::string("{cpu: ") + std::to_string(cpu) +
                    ", at_us: " + std::to_string(at) + ", for_us: " + std::to_string(length) +
                    ", kind: " + kinds[below(3)] + ", unlock_us: " + std::to_string(unlock) + "}";
            at += length + unlock + between(1, 30);
        }
    }
    return text.empty() ? "" : ", outages: [" + text + "]";
}

std::string Script::debug_bus()
{
    if (!chance(40))
        return "";
    return ", bus_ratio: " + std::to_string(chance(30) ? 1 : between(2, 16)) +
           ", bus_access_cycles: " + std::to_string(between(1, 6)) +
           ", bus_posted: " + std::to_string(chance(30) ? 0 : between(1, 8));
}

void Script::die()
{
    static const char *const orders[] = {"die", "core", "counter", "running"};
    const unsigned counters = static_cast<unsigned>(between(1, 8));
    std::string broken;

    counters_ = counters;
    hpmn_ = static_cast<unsigned>(between(0, counters));
    clusters_ = static_cast<unsigned>(between(1, 2));
    slots_ = static_cast<unsigned>(between(1, dies_ > 1 ? 2 : 4));
    clusters_ *= dies_;
    ext64_ = chance(40);
    // CPU 0 runs the script.
    if (clusters_ * slots_ > 1 && chance(20))
        broken += ", offline: [" + std::to_string(clusters_ * slots_ - 1) + "]";
    if (chance(20))
        broken += ", locked: [0]";
    slow_bus_ = chance(15);
    two_ = dies_ == 1 && chance(40);
    if (!two_ && broken.empty() && chance(30))
        broken = outages();
    broadcast_ = chance(40);
    line("bus: {clock_mhz: %u, arbitration: %s, forward_cycles: %u, return_cycles: %u, "
         "register_access_cycles: %u}",
         slow_bus_ ? 100 : 1000, chance(50) ? "shared" : "per_target", (unsigned)below(4),
         (unsigned)below(4), (unsigned)between(1, 6));
    line(
        "corepmu: {clock_mhz: 2600, counters: %u, map: %s, hpmn: %u, hpme: %s, hpmd: %s, spme: %s, "
        "wfi_clock: %s%s%s}",
        counters, ext64_ ? "ext64" : "ext32", hpmn_, chance(50) ? "true" : "false",
        chance(50) ? "true" : "false", chance(50) ? "true" : "false",
        chance(50) ? "stands" : "runs", broken.c_str(), debug_bus().c_str());
    line("pmcu: {dies: %u, clusters: %u, slots: %u, lanes: %u, broadcast: %s, prefetch: %s, "
         "order: %s, tick_cycles: %u}",
         dies_, clusters_ / dies_, slots_, (unsigned)between(1, 2), broadcast_ ? "true" : "false",
         chance(50) ? "true" : "false", orders[below(4)], (unsigned)between(1, 30));
}

void Script::workload()
{
    line(
        "workloads:\n"
        "  - name: mix\n"
        "    cpus: all\n"
        "    segments:\n"
        "      - {cycles: %u, mode: el0, cid1: 0x10, events: [{event: 0x08, kind: random, rate: "
        "1.1, max_increment: %u},"
        " {event: \"0x20-0x2f\", kind: spread, rate: 0.001, rate_high: 2, max_increment: %u}]}\n"
        "      - {cycles: %u, mode: el%u, cid1: 0x11, cid2: 0x7, events: [{event: 0x08, kind: rate,"
        " rate: 0.7}]}",
        (unsigned)between(50, 3000), slow_bus_ ? 200 : 15, slow_bus_ ? 255 : 15,
        (unsigned)between(20, 900), (unsigned)between(1, 3));
    if (chance(40))
        line("      - {cycles: %u, wfi: true, cid1: 0x12}", (unsigned)between(20, 2000));
}

// An error on one of the registers that the walks access, in one slot or all of a cluster: which
// state it meets depends on its number.
void Script::core_fault()
{
    static const struct {
        unsigned ext32, ext64, most; // most: accesses of the slot
        const char *access;
    } registers[] = {
        {0xc20, 0xc20, 6, "write"}, {0xc20, 0xc20, 6, "write"}, {0x47c, 0x4f8, 2, "write"},
        {0xe04, 0xe10, 6, "write"}, {0xc80, 0xc80, 2, "write"}, {0x400, 0x400, 5, "write"},
        {0x40c, 0x418, 5, "write"}, {0xc00, 0xc00, 5, "write"}, {0x018, 0x018, 9, "write"},
        {0x200, 0x200, 5, "read"},  {0x22c, 0x228, 5, "read"},  {0x000, 0x000, 5, "read"},
        {0x0fc, 0x0f8, 5, "read"},
    };
    const auto &reg = registers[below(sizeof registers / sizeof registers[0])];
    const uint64_t slot = broadcast_ && chance(30) ? 15 : below(slots_);

    line("    - {base: 0x%" PRIx64 ", size: 4, access: %s, nth: %u, count: %u, action: error}",
         0x20000000 + 0x100000 * below(clusters_) + 0x10000 * slot +
             (ext64_ ? reg.ext64 : reg.ext32),
         reg.access, (unsigned)between(1, reg.most), (unsigned)between(1, 2));
}

void Script::faults()
{
    line("memory:\n"
         "  read_cycles: %u\n"
         "  write_cycles: %u\n"
         "  gap_cycles: %u",
         (unsigned)below(20), (unsigned)below(8), (unsigned)below(3));
    const uint64_t core_faults = chance(50) ? between(1, 4) : 0;
    const bool others = chance(45);

    if (core_faults != 0 || others)
        line("  faults:");
    for (uint64_t n = core_faults; n > 0; n--)
        core_fault();
    if (!others)
        return;
    for (uint64_t n = between(1, 3); n > 0; n--) {
        static const uint64_t bases[] = {kEvents, kOutput, 0x20000000};
        const uint64_t base = bases[below(3)];

        const std::string action =
            chance(55) ? "error" : "stall, stall_cycles: " + std::to_string(between(1, 300));

        line("    - {base: 0x%" PRIx64 ", size: %s, access: %s, nth: %u, count: %u, action: %s}",
             base, base == 0x20000000 ? "1 MiB" : "32 KiB",
             chance(50) ? "any" : (chance(50) ? "read" : "write"), (unsigned)between(1, 25),
             (unsigned)between(1, 3), action.c_str());
    }
}

void Script::event_array()
{
    events_ = kEvents + 4 * below(3);
    for (unsigned i = 0; i < 24; i++)
        poke(events_ + 4 * i, 4, chance(80) ? between(0x20, 0x2f) : (chance(50) ? 0x08 : 0x11));
    event_base();
}

void Script::event_base()
{
    write("EVENT_BASE_H", 0);
    write("EVENT_BASE_L", events_ + (chance(10) ? below(4) : 0));
}

void Script::program()
{
    const bool legal = chance(80);
    const bool comp = chance(30);
    const unsigned p = static_cast<unsigned>(legal ? between(1, comp ? 5 : 8) : below(16));
    const unsigned ev_len = static_cast<unsigned>(legal ? between(1, 12) : below(24));
    const unsigned loops = static_cast<unsigned>(legal ? between(1, 2) : below(3));
    const uint64_t store = kOutput + 0x20000 * die_ + 8 * below(600);

    write("COMP", comp);
    write("PMCR", chance(85) ? 0xc1 : bits());
    write("PMCCFILTR", chance(70) ? 0 : bits());
    write("INT_EN", chance(80) ? 3 : below(4));
    write("INT_MSK", chance(80) ? 0 : below(4));
    write("FSM_CFG", ev_len | loops << 8 | p << 16);
    write("WAIT_CNT", below(40));
    write("STORE_BASE_H", 0);
    write("STORE_BASE_L", store + (chance(10) ? below(8) : 0));
    write("KILL_BASE_H", 0);
    write("KILL_BASE_L", chance(70) ? store + 0x8000 : store - 64 + 8 * below(400));
}

void Script::touch_core()
{
    static const unsigned offsets[] = {0x000, 0x004, 0x018, 0x0f8, 0x0fc, 0x200, 0x204, 0x208,
                                       0x228, 0x22c, 0x400, 0x40c, 0x47c, 0x4f8, 0xc00, 0xc20,
                                       0xc80, 0xcc0, 0xe00, 0xe04, 0xe10, 0xffc};
    const uint64_t slot = chance(15) ? 15 : below(slots_ + 1);
    const unsigned size = chance(75) ? 4 : (chance(70) ? 8 : 2);
    uint64_t addr = 0x20000000 + 0x100000 * below(clusters_ + 1) + 0x10000 * slot +
                    offsets[below(sizeof offsets / sizeof offsets[0])];

    if (size == 8)
        addr &= ~7ull;
    if (chance(50))
        peek(addr, size);
    else
        poke(addr, size, chance(50) ? ~0ull : bits());
}

void Script::meddle()
{
    static const char *const registers[] = {"FSM_CFG", "WAIT_CNT",    "STORE_BASE_L", "KILL_BASE_L",
                                            "COMP",    "PMCR",        "FSM_CTRL",     "FSM_BRK",
                                            "INT_CLR", "EVENT_BASE_L"};
    static const unsigned offsets[] = {0x000, 0x004, 0x020, 0x108, 0x10c, 0x200, 0x024, 0x300};

    switch (below(5)) {
    case 0:
        line("  - read: {at: pmcu.FSM_STATUS}");
        break;
    case 1:
        if (chance(85))
            peek(0x10000000 + 0x100000 * die_ + offsets[below(8)], 4);
        else
            peek((0x10000000 + 0x100000 * die_ + offsets[below(8)]) & ~7ull, 8);
        break;
    case 2:
        write(registers[below(10)], chance(40) ? 1 : bits());
        break;
    default:
        touch_core();
        break;
    }
}

// On a die; with several the other one mostly gets work, too, before or while this one runs.
void Script::trigger()
{
    program();
    if (dies_ > 1)
        event_base();
    write("FSM_CTRL", 1);
}

void Script::run()
{
    trigger();
    if (dies_ > 1 && chance(75)) {
        if (chance(50))
            line("  - delay: %u", (unsigned)between(1, 1500));
        die_ ^= 1;
        trigger();
    }
    for (uint64_t n = below(6); n > 0; n--) {
        line("  - delay: %u", (unsigned)between(1, 1500));
        meddle();
    }
    if (chance(35)) {
        line("  - delay: %u", (unsigned)between(1, 4000));
        write("FSM_BRK", 1);
    }
    line("  - wait_irq: %u", (unsigned)between(3000, 12000));
    for (unsigned die = 0; die < dies_; die++) {
        line("  - read: {at: pmcu.%u.FSM_STATUS}", die);
        line("  - read: {at: pmcu.%u.INT_STAT}", die);
    }
    for (unsigned die = 0; die < dies_; die++, die_ = (die_ + 1) % dies_)
        write("INT_CLR", chance(85) ? 3 : below(4));
}

// The kernel's driver on the cores' system registers, in the same cycles as all else.
void Script::perf()
{
    static const char *const commands[] = {"stat", "task", "record"};
    const bool guest = chance(40);
    const unsigned room = guest ? hpmn_ : counters_;
    const unsigned events = static_cast<unsigned>(below(room + 1));
    const unsigned command = static_cast<unsigned>(below(3));
    std::string list = events == 0 || chance(60) ? "0x11" : "";

    for (unsigned i = 0; i < events; i++)
        list += " " + std::to_string(20 + (bits() & 7));
    line("arm_pmu:");
    line("  command: %s", commands[command]);
    line("  events: \"%s\"", list.c_str());
    line("  guest: %s", guest ? "true" : "false");
    if (command == 1)
        line("  process: 0x1%u", (unsigned)below(2));
    if (command == 2)
        line("  period: %u", (unsigned)between(500, 9000));
    if (command == 0 && chance(60))
        line("  interval_us: %u", (unsigned)between(2, 9));
    line("  start_us: %u", (unsigned)below(8));
    line("  stop_us: %u", (unsigned)between(9, 40));
    line("  register_read_cycles: %u", (unsigned)between(1, 12));
    line("  register_write_cycles: %u", (unsigned)between(1, 12));
    line("  irq_entry_cycles: %u", (unsigned)between(1, 90));
    line("  visit_cycles: %u", (unsigned)between(1, 300));
}

std::string Script::text(uint64_t seed)
{
    line("name: random-%" PRIu64, seed);
    line("seed: %" PRIu64, seed);
    die();
    faults();
    workload();
    if (two_)
        perf();
    line("software: {kind: %s}", two_ ? "[script, arm_pmu]" : "script");
    line("script:");
    event_array();
    for (uint64_t n = between(1, 3); n > 0; n--)
        run();
    return out_;
}

} // namespace

std::string random_script(uint64_t seed)
{
    return Script(seed).text(seed);
}
