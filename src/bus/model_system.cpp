// The model system: the C models behind the TLM fabric, in the environment of the scenario.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "bus/corepmu_port.hpp"
#include "bus/cpu_module.hpp"
#include "bus/fabric.hpp"
#include "bus/memory_target.hpp"
#include "bus/pmcu_module.hpp"
#include "bus/system.h"
#include "drivers/environment.h"

namespace cs
{

namespace
{

// docs/hw/bus.md, "Targets and the address map"
constexpr uint64_t kPmcuBase = 0x10000000;
constexpr uint64_t kPmcuSize = 0x10000;
constexpr uint64_t kClusterBase = 0x20000000;
constexpr uint64_t kClusterSize = 0x100000;
constexpr unsigned kFirstClusterTarget = 2;

constexpr char kId[] = "/countersink/system";

// SystemC's reports: what is worse than a warning is thrown, nothing is printed.
void report(const sc_core::sc_report &what, const sc_core::sc_actions &)
{
    if (what.get_severity() >= sc_core::SC_ERROR)
        throw sc_core::sc_report(what);
}

sc_core::sc_time period_of(const cs_scenario &scenario)
{
    return sc_core::sc_time(1e6 / scenario.bus.clock_mhz, sc_core::SC_PS);
}

FabricConfig fabric_config(const cs_environment &environment)
{
    const cs_scenario &s = *environment.scenario;
    FabricConfig config;
    TargetConfig ram;
    TargetConfig registers;

    config.period = period_of(s);
    config.per_target = s.bus.per_target;
    config.forward_cycles = s.bus.forward_cycles;
    config.return_cycles = s.bus.return_cycles;
    config.managers = 1 + s.pmcu.lanes;
    config.guard = environment.guard;
    config.probe = environment.probe;
    ram.base = s.memory.base;
    ram.size = s.memory.size;
    ram.timing.kind = TargetKind::memory;
    ram.timing.read_cycles = s.memory.read_cycles;
    ram.timing.write_cycles = s.memory.write_cycles;
    ram.timing.gap_cycles = s.memory.gap_cycles;
    config.targets.push_back(ram);
    registers.base = kPmcuBase;
    registers.size = kPmcuSize;
    registers.timing.kind = TargetKind::registers;
    registers.timing.access_cycles = s.bus.register_access_cycles;
    config.targets.push_back(registers);
    for (unsigned cluster = 0; cluster < s.pmcu.clusters; cluster++) {
        registers.base = kClusterBase + cluster * kClusterSize;
        registers.size = kClusterSize;
        config.targets.push_back(registers);
    }
    return config;
}

cs_pmcu_config pmcu_config(const cs_scenario &s)
{
    cs_pmcu_config config = {};

    config.clusters = s.pmcu.clusters;
    config.slots = s.pmcu.slots;
    config.lanes = s.pmcu.lanes;
    config.broadcast = s.pmcu.broadcast;
    config.prefetch = s.pmcu.prefetch;
    config.ext64 = s.core.ext64;
    config.tick_cycles = s.pmcu.tick_cycles;
    return config;
}

} // namespace

struct ModelSystem {
    cs_system base = {};
    std::vector<std::unique_ptr<CorePmuPort>> cores; // by CPU number; NULL: absent
    std::unique_ptr<Fabric> fabric;
    std::unique_ptr<MemoryTarget> memory;
    std::unique_ptr<PmcuModule> pmcu;
    std::unique_ptr<CpuModule> cpu;
    std::vector<std::unique_ptr<RegisterBridge>> clusters;
    sc_core::sc_time period;
    cycle_t now = 0; // all cycles below are finished

    void build(cs_environment *environment);
    cycle_t run(cycle_t until);

  private:
    void build_cores();
    void build_clusters();
    void connect();
};

void ModelSystem::build_cores()
{
    const cs_environment &environment = *base.environment;
    const cs_scenario &s = *environment.scenario;

    for (unsigned number = 0; number < environment.nr_cpus; number++) {
        cores.emplace_back();
        if (s.core.absent[number])
            continue;
        const cs_event_source events = cs_timeline_event_source(environment.timelines[number]);
        cs_corepmu_config config = {};
        cs_corepmu *core = nullptr;
        cs_diag diag = {};

        config.counters = s.core.counters;
        config.ext64 = s.core.ext64;
        config.hpmn = s.core.hpmn;
        config.hpme = environment.hpme;
        config.offline = s.core.offline[number];
        config.locked = s.core.locked[number];
        if (cs_corepmu_create(&config, &events, &core, &diag) != CS_OK)
            SC_REPORT_ERROR(kId, diag.text);
        cores.back() = std::make_unique<CorePmuPort>(core);
    }
}

void ModelSystem::build_clusters()
{
    const cs_scenario &s = *base.environment->scenario;

    for (unsigned cluster = 0; cluster < s.pmcu.clusters; cluster++) {
        std::vector<RegisterSlot> slots(s.pmcu.slots);
        for (unsigned slot = 0; slot < s.pmcu.slots; slot++) {
            const unsigned number = slot + s.pmcu.slots * cluster;
            slots[slot] = {cores[number].get(), static_cast<uint16_t>(CS_UNIT_CORE(number))};
        }
        clusters.push_back(std::make_unique<RegisterBridge>(
            ("cluster_" + std::to_string(cluster)).c_str(), period, std::move(slots),
            base.environment->probe));
        clusters.back()->access.enable_broadcast(
            static_cast<uint16_t>(CS_UNIT_BROADCAST(cluster)));
    }
}

void ModelSystem::connect()
{
    fabric->target[0].bind(memory->socket);
    fabric->target[1].bind(pmcu->registers);
    for (unsigned i = 0; i < clusters.size(); i++)
        fabric->target[kFirstClusterTarget + i].bind(clusters[i]->socket);

    cpu->socket().bind(fabric->manager[CS_MANAGER_CPU]);
    fabric->attach(CS_MANAGER_CPU, *cpu);
    cpu->set_lookahead(fabric.get());
    for (unsigned i = 0; i < base.environment->scenario->pmcu.lanes; i++) {
        pmcu->lane(i).bind(fabric->manager[CS_MANAGER_PMCU(i)]);
        fabric->attach(CS_MANAGER_PMCU(i), *pmcu);
    }
    pmcu->set_lookahead(fabric.get());
    pmcu->on_irq = [this](cycle_t cycle, bool level) { cpu->set_irq(cycle, level); };
    cpu->on_end = [this](cycle_t cycle) {
        fabric->set_limit(cycle);
        sc_core::sc_pause();
    };
}

void ModelSystem::build(cs_environment *environment)
{
    const cs_scenario &s = *environment->scenario;
    cs_cpu_env cpu_env = {};

    base.environment = environment;
    period = period_of(s);
    build_cores();
    pmcu = std::make_unique<PmcuModule>("pmcu", period, pmcu_config(s), environment->probe);
    FabricConfig config = fabric_config(*environment);
    config.targets[1].owner = pmcu.get();
    fabric = std::make_unique<Fabric>("fabric", config);
    memory = std::make_unique<MemoryTarget>("memory", environment->memory);
    build_clusters();
    cpu_env.software = environment->software;
    cpu_env.enter = cs_environment_enter;
    cpu_env.leave = cs_environment_leave;
    cpu_env.core_ctx = environment;
    cpu = std::make_unique<CpuModule>("cpu", period, cpu_env);
    connect();
}

// SystemC stops in between when the software has ended; then the rest, up to its end, is run.
cycle_t ModelSystem::run(cycle_t until)
{
    for (;;) {
        const cycle_t end = std::min(until, cpu->end_cycle());
        if (end <= now)
            return now;
        fabric->set_limit(end);
        const uint64_t units = end * period.value() - sc_core::sc_time_stamp().value();
        sc_core::sc_start(sc_core::sc_time::from_value(units));
        now = std::min(end, cpu->end_cycle());
        const uint64_t finished = sc_core::sc_time_stamp().value() / period.value();
        now = std::min<cycle_t>(now, finished);
    }
}

namespace
{

ModelSystem *of(cs_system *system)
{
    return reinterpret_cast<ModelSystem *>(system);
}

// A failure ends the run: the environment keeps the status.
cycle_t run(cs_system *system, cycle_t until)
{
    ModelSystem *s = of(system);

    if (system->environment->status != CS_OK && s->now != 0)
        return s->now;
    try {
        return s->run(until);
    } catch (const std::bad_alloc &) {
        system->environment->status = CS_ERR_NO_MEMORY;
    } catch (const std::exception &) {
        system->environment->status = CS_ERR_UNSUPPORTED;
    }
    return s->now;
}

cycle_t end_cycle(const cs_system *system)
{
    return reinterpret_cast<const ModelSystem *>(system)->cpu->end_cycle();
}

void destroy(cs_system *system)
{
    delete of(system);
}

const cs_system_ops ops = {destroy, run, end_cycle};

bool built = false;

} // namespace

} // namespace cs
