// The RTL system: the verilated die in the environment of the scenario. In each cycle:
// rising edge; what the registers ask is answered; pass-throughs settle; what can be
// observed leaves as records; the CPU port executes the same cycle.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/probe.h"
#include "bus/system.h"
#include "drivers/cpu.h"
#include "lockstep/core_feed.hpp"
#include "lockstep/cpu_pins.hpp"
#include "lockstep/hart_feed.hpp"
#include "lockstep/imc_feed.hpp"
#include "lockstep/manager_monitor.hpp"
#include "lockstep/rtl_die.hpp"
#include "lockstep/uncore_feed.hpp"

namespace cs
{

struct RtlSystem {
    cs_system base;
    cs_environment *environment;
    std::unique_ptr<RtlDie> die;
    CpuBus cpu_bus;
    cs_cpu *cpu = nullptr;
    cycle_t now = 0;
    bool irq = false;
    unsigned state = 0;
    std::vector<unsigned> imc_states; // by core
    unsigned nest_status = 0;
    std::vector<ManagerMonitor> monitors;
    std::vector<uint16_t> manager_numbers;           // of the RTL's managers
    std::vector<std::unique_ptr<CoreFeed>> feeds;    // of the PMCU's CPUs, by CPU number
    std::vector<std::unique_ptr<ImcFeed>> imc_feeds; // of the IMC cores' threads
    std::unique_ptr<NestFeed> nest_feed;             // NULL without a nest
    std::vector<std::unique_ptr<HartFeed>> harts;
    std::vector<std::unique_ptr<UncoreFeed>> units;
    // Beats of the write burst that the memory controller has not committed yet.
    struct Beat {
        uint64_t addr;
        uint64_t data;
        uint8_t enables;
    };
    std::array<Beat, CS_BUS_MAX_BEATS> beats;
    size_t nr_beats = 0;

    explicit RtlSystem(cs_environment *env) : base{}, environment(env) {}

    ~RtlSystem()
    {
        cs_cpu_destroy(cpu);
    }

    const cs_scenario &scenario() const
    {
        return *environment->scenario;
    }

    void emit(const cs_probe_record &record) const
    {
        cs_probe_emit(environment->probe, &record);
    }

    void build_feeds();
    void answer_guard();
    void read_storage();
    void write_storage();
    void feed_cores();
    void drive_power();
    void observe_unit();
    void observe_imc();
    void observe_nest();
    void observe_access(const AccessPins &pins, unsigned source, uint64_t addr) const;
    void observe_accesses();
    void observe_bus();
    void cycle();
    void forget(unsigned cpu);
    cycle_t end_cycle() const;
};

// 1. What the fabric asks in CHECK, lower paths first.
void RtlSystem::answer_guard()
{
    const unsigned paths = die->size().paths();

    for (unsigned path = 0; path < paths; path++) {
        bool write;
        uint64_t addr;
        uint32_t bytes;

        if (!die->check(path, write, addr, bytes))
            continue;
        uint64_t stall = 0;
        cs_bus_resp resp = cs_guard_check(environment->guard, write, addr, bytes, &stall);
        die->answer_check(path, resp != CS_BUS_OKAY, static_cast<uint32_t>(stall));
    }
}

// 2. Storage behind the memory controller: reads at once, a write burst when it is committed (a
// write that adds is known only when what is there has been read).
void RtlSystem::read_storage()
{
    uint64_t addr;

    if (!die->storage_read(addr))
        return;
    uint64_t data;

    cs_memory_read(environment->memory, addr, 8, reinterpret_cast<uint8_t *>(&data));
    die->answer_storage(data);
}

void RtlSystem::write_storage()
{
    Beat beat;

    if (die->storage_write(beat.addr, beat.data, beat.enables))
        beats[nr_beats++ % CS_BUS_MAX_BEATS] = beat;
    if (!die->storage_commit())
        return;
    for (size_t i = 0; i < nr_beats; i++) {
        uint8_t enables[8];

        for (unsigned bit = 0; bit < 8; bit++)
            enables[bit] = beats[i].enables >> bit & 1;
        cs_memory_write(environment->memory, beats[i].addr, 8,
                        reinterpret_cast<const uint8_t *>(&beats[i].data), enables);
    }
    nr_beats = 0;
}

// 3. What the cores do in this cycle, where somebody counts or captures it.
void RtlSystem::feed_cores()
{
    for (const auto &feed : feeds)
        feed->drive(*die, now);
    for (const auto &feed : imc_feeds)
        feed->drive(*die, now);
    if (nest_feed)
        nest_feed->drive(*die, now);
    for (const auto &hart : harts)
        hart->drive(*die, now);
    for (const auto &unit : units)
        unit->drive(*die, now);
}

void RtlSystem::drive_power()
{
    const cs_scenario &s = scenario();

    for (size_t i = 0; i < s.imc->nr_deep_stops; i++) {
        const cs_deep_stop_spec &stop = s.imc->deep_stops[i];

        if (now == cs_scenario_us(&s, stop.at_us))
            die->imc_power(stop.core, false);
        if (now == cs_scenario_us(&s, stop.at_us + stop.for_us))
            die->imc_power(stop.core, true);
    }
}

void RtlSystem::observe_unit()
{
    bool level = die->irq();
    unsigned new_state = die->state();
    cs_probe_record record = {};

    record.cycle = now;
    record.source = CS_UNIT_PMCU;
    if (new_state != state) {
        record.kind = CS_PROBE_STATE;
        record.value = new_state;
        emit(record);
        state = new_state;
    }
    if (level != irq) {
        record.kind = CS_PROBE_IRQ;
        record.value = level;
        emit(record);
        irq = level;
        cs_cpu_irq(cpu, now, level);
    }
    uint64_t addr;
    uint32_t number;
    uint32_t bytes;
    if (die->sample(addr, number, bytes)) {
        record.kind = CS_PROBE_SAMPLE;
        record.addr = addr;
        record.value = number;
        record.bytes = bytes;
        emit(record);
    }
}

void RtlSystem::observe_imc()
{
    cs_probe_record record = {};
    SamplePins sample;

    for (unsigned core = 0; core < scenario().imc->cores; core++) {
        record = {};
        record.cycle = now;
        record.source = static_cast<uint16_t>(CS_UNIT_IMC(core));
        const unsigned level = die->imc_state(core);
        if (level != imc_states[core]) {
            record.kind = CS_PROBE_STATE;
            record.value = imc_states[core] = level;
            emit(record);
        }
        record.kind = CS_PROBE_SAMPLE;
        if (die->imc_sample(core, sample)) {
            record.index = static_cast<uint16_t>(sample.stream);
            record.addr = sample.addr;
            record.value = sample.number;
            record.bytes = sample.bytes;
            record.resp = sample.resp;
            record.request = sample.snapshot;
            emit(record);
        }
        record.value = 0;
        record.bytes = 0;
        record.resp = CS_SAMPLE_LOST;
        for (unsigned thread = 0; thread < scenario().imc->threads; thread++) {
            const unsigned index = die->thread_index(core, thread);

            record.index = static_cast<uint16_t>(thread);
            if (die->imc_lost(index)) {
                record.addr = 0;
                record.request = now;
                emit(record);
            }
            if (die->imc_dropped(index, record.addr, record.request))
                emit(record);
        }
    }
}

void RtlSystem::observe_nest()
{
    cs_probe_record record = {};
    SamplePins sample;

    if (!scenario().nest->present)
        return;
    record.cycle = now;
    record.source = CS_UNIT_NEST;
    if (die->nest_status() != nest_status) {
        record.kind = CS_PROBE_STATE;
        record.value = nest_status = die->nest_status();
        emit(record);
    }
    if (!die->nest_sample(sample))
        return;
    record.kind = CS_PROBE_SAMPLE;
    record.index = static_cast<uint16_t>(sample.stream);
    record.addr = sample.addr;
    record.value = sample.number;
    record.bytes = sample.bytes;
    record.resp = sample.resp;
    record.request = sample.snapshot;
    emit(record);
}

void RtlSystem::observe_access(const AccessPins &pins, unsigned source, uint64_t addr) const
{
    cs_probe_record record = {};

    record.cycle = now;
    record.kind = CS_PROBE_REG;
    record.write = pins.write;
    record.resp = pins.err ? CS_BUS_SLVERR : CS_BUS_OKAY;
    record.source = static_cast<uint16_t>(source);
    record.addr = addr;
    record.value = pins.write ? pins.wdata : pins.rdata;
    if (!pins.wide)
        record.value &= 0xffffffff;
    record.bytes = pins.wide ? 8 : 4;
    emit(record);
}

void RtlSystem::observe_accesses()
{
    const unsigned slots = scenario().pmcu->slots;

    for (unsigned bridge = 0; die->size().pmcu() && bridge < die->size().clusters + 1; bridge++) {
        AccessPins pins = die->access(bridge);

        if (!pins.valid)
            continue;
        unsigned slot = pins.addr >> 16 & 0xf;
        unsigned source = CS_UNIT_PMCU;
        if (bridge != 0)
            source = slot == 15 ? CS_UNIT_BROADCAST(bridge - 1)
                                : CS_UNIT_CORE(slot + slots * (bridge - 1));
        observe_access(pins, source, pins.addr & 0xffff);
    }
    for (unsigned bridge = 0; bridge < scenario().uncore->nr_bridges; bridge++) {
        const AccessPins pins = die->uncore_access(bridge);
        const unsigned slot = pins.addr >> 16 & 0xf;

        if (pins.valid)
            observe_access(pins,
                           slot == 15 ? CS_UNIT_UNCORE_ALL(bridge)
                                      : CS_UNIT_UNCORE(slot + CS_UNCORE_SLOTS * bridge),
                           pins.addr & 0xffff);
    }
    for (unsigned scom = 0; scom < 2 && die->size().imc_cores != 0; scom++) {
        AccessPins pins = die->imc_access(scom != 0);

        if (pins.valid)
            observe_access(pins, scom ? CS_UNIT_SCOM : CS_UNIT_SPR,
                           scom ? pins.addr >> 3 : pins.addr);
    }
}

void RtlSystem::observe_bus()
{
    for (unsigned m = 0; m < monitors.size(); m++)
        monitors[m].observe(die->manager(m), now, manager_numbers[m], environment->probe);
}

void RtlSystem::cycle()
{
    die->rise();
    answer_guard();
    read_storage();
    drive_power();
    feed_cores();
    die->port(0, cpu_bus.pins(now));
    die->settle();
    write_storage();
    observe_unit();
    observe_imc();
    observe_nest();
    for (const auto &unit : units)
        unit->observe(*die, now, environment->probe);
    observe_accesses();
    observe_bus();
    if (const cs_bus_txn *done = cpu_bus.observe(die->manager(CS_MANAGER_CPU), now))
        cs_cpu_bus_done(cpu, done);
    cs_cpu_advance(cpu, now + 1);
    for (const auto &hart : harts)
        hart->step(*die, now);
    now++;
}

// What was fetched ahead for this CPU may no longer hold.
void RtlSystem::forget(unsigned cpu)
{
    if (cpu < feeds.size())
        feeds[cpu]->forget();
    else
        imc_feeds[cpu - feeds.size()]->forget();
}

void RtlSystem::build_feeds()
{
    const cs_scenario &s = scenario();
    const DieSize &size = die->size();

    for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(&s); cpu++)
        feeds.push_back(std::make_unique<CoreFeed>(
            environment->timelines[cpu], die->core_index(cpu / s.pmcu->slots, cpu % s.pmcu->slots),
            size.counters));
    for (unsigned core = 0; core < s.imc->cores; core++)
        for (unsigned thread = 0; thread < s.imc->threads; thread++)
            imc_feeds.push_back(std::make_unique<ImcFeed>(
                environment->timelines[cs_scenario_imc_cpu(&s, core, thread)], s.imc->event_of,
                die->thread_index(core, thread)));
    if (s.nest->present)
        nest_feed = std::make_unique<NestFeed>(environment->timelines[CS_NEST_TIMELINE]);
    imc_states.assign(size.imc_cores, 0);
    for (unsigned i = 0; i < s.uncore->nr_units; i++) {
        const cs_uncore_unit_spec &unit = s.uncore->units[i];

        units.push_back(std::make_unique<UncoreFeed>(
            environment->timelines[CS_UNCORE_TIMELINE(i)], die->unit_index(unit.bridge, unit.slot),
            static_cast<uint16_t>(CS_UNIT_UNCORE(cs_uncore_place(&unit)))));
    }

    manager_numbers.push_back(CS_MANAGER_CPU);
    for (unsigned lane = 0; size.pmcu() && lane < size.lanes; lane++)
        manager_numbers.push_back(static_cast<uint16_t>(CS_MANAGER_PMCU(lane)));
    for (unsigned core = 0; core < size.imc_cores; core++)
        manager_numbers.push_back(static_cast<uint16_t>(CS_MANAGER_IMC(core)));
    if (size.nest)
        manager_numbers.push_back(CS_MANAGER_NEST);
    for (unsigned hart = 0; hart < size.harts; hart++)
        manager_numbers.push_back(static_cast<uint16_t>(CS_MANAGER_HART(hart)));
    monitors.resize(size.managers());
}

static RtlSystem *of(cs_system *system)
{
    return reinterpret_cast<RtlSystem *>(system);
}

static void destroy(cs_system *system)
{
    delete of(system);
}

// The last software's; CS_NEVER while some goes on.
cycle_t RtlSystem::end_cycle() const
{
    cycle_t end = cs_cpu_end_cycle(cpu);

    for (const auto &hart : harts)
        end = std::max(end, cs_hart_end_cycle(hart->hart()));
    return end;
}

static cycle_t run(cs_system *system, cycle_t until)
{
    RtlSystem *s = of(system);

    while (s->now < until && s->now < s->end_cycle())
        s->cycle();
    return std::min(s->end_cycle(), s->now);
}

static cycle_t end_cycle(const cs_system *system)
{
    return reinterpret_cast<const RtlSystem *>(system)->end_cycle();
}

// The software's core also has to forget increments that were fetched ahead.
static void enter(void *ctx, cycle_t cycle, unsigned core)
{
    auto *s = static_cast<RtlSystem *>(ctx);

    cs_environment_enter(s->environment, cycle, core);
    s->forget(cs_environment_cpu(s->environment, core));
}

static void leave(void *ctx, cycle_t cycle, unsigned core)
{
    auto *s = static_cast<RtlSystem *>(ctx);

    cs_environment_leave(s->environment, cycle, core);
    s->forget(cs_environment_cpu(s->environment, core));
}

static const cs_system_ops ops = {destroy, run, end_cycle};

// What a scenario asks for, in the words that name the dies.
static std::string units_of(const cs_scenario &s)
{
    std::string text;

    if (cs_scenario_has_pmcu(&s))
        text = std::to_string(s.pmcu->clusters) + " clusters x " + std::to_string(s.pmcu->slots) +
               " slots, " + std::to_string(s.corepmu->counters) + " counters, " +
               std::to_string(s.pmcu->lanes) + " lanes";
    if (s.imc->cores != 0)
        text += std::string(text.empty() ? "" : "; ") + std::to_string(s.imc->cores) +
                " IMC cores x " + std::to_string(s.imc->threads) + " threads";
    if (s.uncore->nr_units != 0)
        text += std::string(text.empty() ? "" : "; ") + std::to_string(s.uncore->nr_units) +
                " uncore units";
    if (s.harts->count != 0)
        text += std::string(text.empty() ? "" : "; ") + std::to_string(s.harts->count) + " harts";
    return text + (s.nest->present ? ", nest" : "");
}

} // namespace cs

extern "C" cs_status cs_rtl_system_create(cs_environment *environment, cs_system **out,
                                          cs_diag *diag)
{
    auto system = std::make_unique<cs::RtlSystem>(environment);
    const cs_scenario &scenario = *environment->scenario;
    std::string sizes;

    *out = nullptr;
    system->base.ops = &cs::ops;
    system->base.environment = environment;
    system->die = cs::make_rtl_die(scenario, sizes);
    if (!system->die)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, scenario.name,
                           "no RTL of this build holds a die of %s; there is: %s",
                           cs::units_of(scenario).c_str(), sizes.c_str());
    system->build_feeds();

    cs_cpu_env env = {};
    env.bus = system->cpu_bus.port();
    env.software = environment->software;
    env.enter = cs::enter;
    env.leave = cs::leave;
    env.core_ctx = system.get();
    cs_status status = cs_cpu_create(&env, &system->cpu, diag);
    for (unsigned hart = 0; hart < scenario.harts->count && status == CS_OK; hart++) {
        system->harts.push_back(std::make_unique<cs::HartFeed>(environment, hart));
        status = system->harts.back()->create(diag);
    }
    if (status != CS_OK)
        return status;
    system->die->reset(*environment);
    *out = &system.release()->base;
    return CS_OK;
}
