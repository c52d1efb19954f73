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
#include "bus/model_system.hpp"
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
    bool failed = false;

    void build(cs_environment *environment, bool early_completion);
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
        clusters.push_back(
            std::make_unique<RegisterBridge>(("cluster_" + std::to_string(cluster)).c_str(), period,
                                             std::move(slots), base.environment->probe));
        clusters.back()->access.enable_broadcast(static_cast<uint16_t>(CS_UNIT_BROADCAST(cluster)));
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

void ModelSystem::build(cs_environment *environment, bool early_completion)
{
    const cs_scenario &s = *environment->scenario;
    cs_cpu_env cpu_env = {};

    base.environment = environment;
    period = period_of(s);
    build_cores();
    pmcu = std::make_unique<PmcuModule>("pmcu", period, pmcu_config(s), environment->probe);
    FabricConfig config = fabric_config(*environment);
    config.targets[1].owner = pmcu.get();
    config.early_completion = early_completion;
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

// SystemC pauses when the software has ended; what is left then is run up to its end.
cycle_t ModelSystem::run(cycle_t until)
{
    const cycle_t last = CS_NEVER / period.value() - 1; // what SystemC's time can hold

    for (;;) {
        const cycle_t end = std::min({until, cpu->end_cycle(), last});
        if (end <= now)
            return now;
        fabric->set_limit(end);
        const uint64_t begin = sc_core::sc_time_stamp().value();
        sc_core::sc_start(sc_core::sc_time::from_value(end * period.value() - begin));
        const cycle_t finished = sc_core::sc_time_stamp().value() / period.value();
        now = std::min(finished, cpu->end_cycle());
    }
}

namespace
{

ModelSystem *of(cs_system *system)
{
    return reinterpret_cast<ModelSystem *>(system);
}

// A failure ends the run where it happened; the environment keeps the status.
void fail(ModelSystem &system, cs_status status)
{
    system.failed = true;
    if (system.base.environment->status == CS_OK)
        system.base.environment->status = status;
}

cycle_t run(cs_system *system, cycle_t until)
{
    ModelSystem &s = *of(system);

    if (s.failed)
        return s.now;
    try {
        return s.run(until);
    } catch (const std::bad_alloc &) {
        fail(s, CS_ERR_NO_MEMORY);
    } catch (const sc_core::sc_report &) { // MemoryTarget's, the only one of a running system
        fail(s, CS_ERR_NO_MEMORY);
    } catch (const std::exception &) {
        fail(s, CS_ERR_UNSUPPORTED);
    }
    return s.now;
}

cycle_t end_cycle(const cs_system *system)
{
    const ModelSystem &s = *reinterpret_cast<const ModelSystem *>(system);
    return s.failed ? s.now : s.cpu->end_cycle();
}

void destroy(cs_system *system)
{
    delete of(system);
}

const cs_system_ops ops = {destroy, run, end_cycle};

bool built = false; // SystemC elaborates once in a process

} // namespace

cs_status make_model_system(cs_environment *environment, bool early_completion, cs_system **out,
                            cs_diag *diag)
{
    const char *name = environment->scenario->name;

    *out = nullptr;
    if (built || sc_core::sc_get_status() != sc_core::SC_ELABORATION)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, name,
                           "SystemC simulates one system in a process, and this process has had "
                           "one: use a process for each");
    built = true;
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    sc_core::sc_report_handler::set_handler(report);
    try {
        auto system = std::make_unique<ModelSystem>();
        system->base.ops = &ops;
        system->build(environment, early_completion);
        *out = &system.release()->base;
        return CS_OK;
    } catch (const std::bad_alloc &) {
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for the model system");
    } catch (const sc_core::sc_report &what) {
        return cs_diag_set(diag, CS_ERR_RANGE, name, "%s", what.get_msg());
    } catch (const std::exception &what) {
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, name, "SystemC: %s", what.what());
    }
}

} // namespace cs

extern "C" cs_status cs_model_system_create(cs_environment *environment, cs_system **out,
                                            cs_diag *diag)
{
    return cs::make_model_system(environment, true, out, diag);
}
