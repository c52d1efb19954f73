// The RTL system: the verilated die in the environment of the scenario. In each cycle:
// rising edge; what the registers ask is answered; pass-throughs settle; what can be
// observed leaves as records; the CPU port executes the same cycle.
#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "base/probe.h"
#include "bus/system.h"
#include "drivers/cpu.h"
#include "lockstep/core_feed.hpp"
#include "lockstep/cpu_pins.hpp"
#include "lockstep/manager_monitor.hpp"
#include "lockstep/rtl_die.hpp"

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
    unsigned managers;
    std::array<ManagerMonitor, kMaxManagers> monitors;
    std::array<std::unique_ptr<CoreFeed>, kMaxCpus> feeds; // by CPU number
    // Beats of the write burst that the memory controller has not committed yet.
    struct Beat {
        uint64_t addr;
        uint64_t data;
        uint8_t enables;
    };
    std::array<Beat, CS_BUS_MAX_BEATS> beats;
    size_t nr_beats = 0;

    explicit RtlSystem(cs_environment *env) : base{}, environment(env), managers(0) {}

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

    void answer_guard();
    void answer_storage();
    void feed_cores();
    void observe_unit();
    void observe_accesses();
    void observe_bus();
    void cycle();
};

// 1. What the fabric asks in CHECK, lower paths first.
void RtlSystem::answer_guard()
{
    const unsigned paths = die->size().clusters + 3;

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

// 2. Storage behind the memory controller: reads at once, a write burst when it is committed.
void RtlSystem::answer_storage()
{
    Beat beat;

    if (die->storage_write(beat.addr, beat.data, beat.enables))
        beats[nr_beats++ % CS_BUS_MAX_BEATS] = beat;
    if (die->storage_commit()) {
        for (size_t i = 0; i < nr_beats; i++) {
            uint8_t enables[8];

            for (unsigned bit = 0; bit < 8; bit++)
                enables[bit] = beats[i].enables >> bit & 1;
            cs_memory_write(environment->memory, beats[i].addr, 8,
                            reinterpret_cast<const uint8_t *>(&beats[i].data), enables);
        }
        nr_beats = 0;
    }
    uint64_t addr;
    if (die->storage_read(addr)) {
        uint64_t data;

        cs_memory_read(environment->memory, addr, 8, reinterpret_cast<uint8_t *>(&data));
        die->answer_storage(data);
    }
}

// 3. What the cores do in this cycle, where somebody counts or captures it.
void RtlSystem::feed_cores()
{
    for (unsigned number = 0; number < environment->nr_cpus; number++)
        feeds[number]->drive(*die, now);
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

void RtlSystem::observe_accesses()
{
    const unsigned slots = scenario().pmcu.slots;

    for (unsigned bridge = 0; bridge < die->size().clusters + 1; bridge++) {
        AccessPins pins = die->access(bridge);

        if (!pins.valid)
            continue;
        unsigned slot = pins.addr >> 16 & 0xf;
        unsigned source = CS_UNIT_PMCU;
        if (bridge != 0)
            source = slot == 15 ? CS_UNIT_BROADCAST(bridge - 1)
                                : CS_UNIT_CORE(slot + slots * (bridge - 1));
        cs_probe_record record = {};
        record.cycle = now;
        record.kind = CS_PROBE_REG;
        record.write = pins.write;
        record.resp = pins.err ? CS_BUS_SLVERR : CS_BUS_OKAY;
        record.source = static_cast<uint16_t>(source);
        record.addr = pins.addr & 0xffff;
        record.value = pins.write ? pins.wdata : pins.rdata;
        if (!pins.wide)
            record.value &= 0xffffffff;
        record.bytes = pins.wide ? 8 : 4;
        emit(record);
    }
}

void RtlSystem::observe_bus()
{
    for (unsigned m = 0; m < managers; m++)
        monitors[m].observe(die->manager(m), now, m, environment->probe);
}

void RtlSystem::cycle()
{
    die->rise();
    answer_guard();
    answer_storage();
    feed_cores();
    die->cpu(cpu_bus.pins(now));
    die->settle();
    observe_unit();
    observe_accesses();
    observe_bus();
    if (const cs_bus_txn *done = cpu_bus.observe(die->manager(CS_MANAGER_CPU), now))
        cs_cpu_bus_done(cpu, done);
    cs_cpu_advance(cpu, now + 1);
    now++;
}

static RtlSystem *of(cs_system *system)
{
    return reinterpret_cast<RtlSystem *>(system);
}

static void destroy(cs_system *system)
{
    delete of(system);
}

static cycle_t run(cs_system *system, cycle_t until)
{
    RtlSystem *s = of(system);

    while (s->now < until && !cs_cpu_ended(s->cpu))
        s->cycle();
    cycle_t end = cs_cpu_end_cycle(s->cpu);
    return end < s->now ? end : s->now;
}

static cycle_t end_cycle(const cs_system *system)
{
    return cs_cpu_end_cycle(reinterpret_cast<const RtlSystem *>(system)->cpu);
}

// The software's core also has to forget increments that were fetched ahead.
static void enter(void *ctx, cycle_t cycle)
{
    auto *s = static_cast<RtlSystem *>(ctx);

    cs_environment_enter(s->environment, cycle);
    s->feeds[s->scenario().software.cpu]->forget();
}

static void leave(void *ctx, cycle_t cycle)
{
    auto *s = static_cast<RtlSystem *>(ctx);

    cs_environment_leave(s->environment, cycle);
    s->feeds[s->scenario().software.cpu]->forget();
}

static const cs_system_ops ops = {destroy, run, end_cycle};

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
                           "no RTL of this build holds a die of %u clusters x %u slots, %u "
                           "counters, %u lanes; there is: %s",
                           scenario.pmcu.clusters, scenario.pmcu.slots, scenario.core.counters,
                           scenario.pmcu.lanes, sizes.c_str());
    for (unsigned number = 0; number < environment->nr_cpus; number++)
        system->feeds[number] = std::make_unique<cs::CoreFeed>(
            environment->timelines[number],
            system->die->core_index(number / scenario.pmcu.slots, number % scenario.pmcu.slots),
            system->die->size().counters);
    system->managers = 1 + system->die->size().lanes;

    cs_cpu_env env = {};
    env.bus = system->cpu_bus.port();
    env.software = environment->software;
    env.enter = cs::enter;
    env.leave = cs::leave;
    env.core_ctx = system.get();
    cs_status status = cs_cpu_create(&env, &system->cpu, diag);
    if (status != CS_OK)
        return status;
    system->die->reset(*environment);
    *out = &system.release()->base;
    return CS_OK;
}
