// The model system: the C models behind the TLM fabric, in the environment of the scenario.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/map.h"
#include "bus/corepmu_port.hpp"
#include "bus/cpu_module.hpp"
#include "bus/fabric.hpp"
#include "bus/hart_module.hpp"
#include "bus/imc_module.hpp"
#include "bus/memory_target.hpp"
#include "bus/model_system.hpp"
#include "bus/nest_module.hpp"
#include "bus/pmcu_module.hpp"
#include "bus/system.h"
#include "bus/uncore_port.hpp"
#include "drivers/environment.h"
#include "scenario/machine/die.h"

namespace cs
{

namespace
{

constexpr char kId[] = "/countersink/system";

// SystemC's reports: what is worse than a warning is thrown, nothing is printed.
void report(const sc_core::sc_report &what, const sc_core::sc_actions &)
{
    if (what.get_severity() >= sc_core::SC_ERROR)
        throw sc_core::sc_report(what);
}

sc_core::sc_time period_of(const cs_scenario &scenario)
{
    return sc_core::sc_time(1e6 / scenario.bus->clock_mhz, sc_core::SC_PS);
}

// Managers and targets are those of the die, in its order.
FabricConfig fabric_config(const cs_environment &environment, const cs_die &die)
{
    const cs_scenario &s = *environment.scenario;
    FabricConfig config;

    config.period = period_of(s);
    config.per_target = s.bus->per_target;
    config.forward_cycles = s.bus->forward_cycles;
    config.return_cycles = s.bus->return_cycles;
    config.managers = die.nr_managers;
    for (unsigned i = 0; i < die.nr_managers; i++)
        config.manager_numbers.push_back(die.managers[i].number);
    config.guard = environment.guard;
    config.probe = environment.probe;
    for (unsigned i = 0; i < die.nr_targets; i++) {
        const cs_die_target &place = die.targets[i];
        TargetConfig target;

        target.base = place.base;
        target.size = place.size;
        if (place.kind == CS_TARGET_MEMORY) {
            target.adds = die.adds;
            target.memory = environment.memory;
            target.timing.kind = TargetKind::memory;
            target.timing.read_cycles = s.memory->read_cycles;
            target.timing.write_cycles = s.memory->write_cycles;
            target.timing.gap_cycles = s.memory->gap_cycles;
        } else {
            target.timing.kind = TargetKind::registers;
            target.timing.access_cycles = place.kind == CS_TARGET_UNCORE
                                              ? s.uncore->bridges[place.number].access_cycles
                                              : s.bus->register_access_cycles;
        }
        config.targets.push_back(target);
    }
    return config;
}

cs_pmcu_config pmcu_config(const cs_scenario &s)
{
    cs_pmcu_config config = {};

    config.clusters = s.pmcu->clusters;
    config.slots = s.pmcu->slots;
    config.lanes = s.pmcu->lanes;
    config.broadcast = s.pmcu->broadcast;
    config.prefetch = s.pmcu->prefetch;
    config.ext64 = s.corepmu->ext64;
    config.tick_cycles = s.pmcu->tick_cycles;
    return config;
}

ImcConfig imc_config(const cs_environment &environment)
{
    const cs_scenario &s = *environment.scenario;
    ImcConfig config;

    config.cores = s.imc->cores;
    config.core.power10 = s.imc->power10;
    config.core.threads = s.imc->threads;
    config.core.tap_log2 = s.imc->tap_log2;
    config.core.tb = {s.imc->timebase_start, s.imc->timebase_mhz, s.bus->clock_mhz};
    config.core.unit = CS_UNIT_IMC(0);
    config.probe = environment.probe;
    for (unsigned core = 0; core < s.imc->cores; core++) {
        config.events.emplace_back();
        for (unsigned thread = 0; thread < s.imc->threads; thread++)
            config.events.back().push_back(
                cs_environment_events(&environment, cs_scenario_imc_cpu(&s, core, thread)));
    }
    for (size_t i = 0; i < s.imc->nr_deep_stops; i++) {
        const cs_deep_stop_spec &stop = s.imc->deep_stops[i];

        config.power.push_back({cs_scenario_us(&s, stop.at_us), stop.core, false});
        config.power.push_back({cs_scenario_us(&s, stop.at_us + stop.for_us), stop.core, true});
    }
    std::stable_sort(config.power.begin(), config.power.end(),
                     [](const PowerChange &a, const PowerChange &b) { return a.cycle < b.cycle; });
    return config;
}

} // namespace

struct ModelSystem {
    cs_system base = {};
    std::vector<std::unique_ptr<CorePmuPort>> cores; // by CPU number; NULL: absent
    std::unique_ptr<Fabric> fabric;
    std::unique_ptr<MemoryTarget> memory;
    std::unique_ptr<PmcuModule> pmcu; // NULL: the die has none
    std::unique_ptr<CpuModule> cpu;
    std::vector<std::unique_ptr<RegisterBridge>> clusters;
    std::unique_ptr<ImcModule> imc;   // NULL: the die has none
    std::unique_ptr<NestModule> nest; // the same
    std::vector<std::unique_ptr<HartModule>> harts;
    std::vector<std::unique_ptr<UncorePort>> units; // in the scenario's order
    std::vector<std::unique_ptr<RegisterBridge>> uncore;
    cs_die die = {};
    sc_core::sc_time period;
    cycle_t now = 0; // all cycles below are finished
    bool failed = false;

    void build(cs_environment *environment, bool early_completion);
    cycle_t run(cycle_t until);
    cycle_t end_cycle() const; // of the last software; CS_NEVER: some has not ended

  private:
    void build_cores();
    void build_clusters();
    void build_pmcu();
    void build_imc();
    void build_harts();
    void build_uncore();
    void software_ended();
    static void enter(void *ctx, cycle_t cycle, unsigned core);
    static void leave(void *ctx, cycle_t cycle, unsigned core);
    void software_moved(unsigned core);
    void attach(uint16_t number, AgentModule &agent, ManagerPort &port);
    void connect();
};

void ModelSystem::build_cores()
{
    const cs_environment &environment = *base.environment;
    const cs_scenario &s = *environment.scenario;

    for (unsigned number = 0; number < cs_scenario_arm_cpus(&s); number++) {
        cores.emplace_back();
        if (s.corepmu->absent[number])
            continue;
        const cs_event_source events = cs_timeline_event_source(environment.timelines[number]);
        cs_corepmu_config config = {};
        cs_corepmu *core = nullptr;
        cs_diag diag = {};

        config.counters = s.corepmu->counters;
        config.ext64 = s.corepmu->ext64;
        config.hpmn = s.corepmu->hpmn;
        config.hpme = environment.hpme;
        config.offline = s.corepmu->offline[number];
        config.locked = s.corepmu->locked[number];
        if (cs_corepmu_create(&config, &events, &core, &diag) != CS_OK)
            SC_REPORT_ERROR(kId, diag.text);
        cores.back() = std::make_unique<CorePmuPort>(core);
    }
}

void ModelSystem::build_clusters()
{
    const cs_scenario &s = *base.environment->scenario;

    for (unsigned cluster = 0; cluster < s.pmcu->clusters; cluster++) {
        std::vector<RegisterSlot> slots(s.pmcu->slots);
        for (unsigned slot = 0; slot < s.pmcu->slots; slot++) {
            const unsigned number = slot + s.pmcu->slots * cluster;
            slots[slot] = {cores[number].get(), static_cast<uint16_t>(CS_UNIT_CORE(number))};
        }
        clusters.push_back(
            std::make_unique<RegisterBridge>(("cluster_" + std::to_string(cluster)).c_str(), period,
                                             std::move(slots), base.environment->probe));
        clusters.back()->access.enable_broadcast(static_cast<uint16_t>(CS_UNIT_BROADCAST(cluster)));
    }
}

void ModelSystem::build_pmcu()
{
    const cs_scenario &s = *base.environment->scenario;

    if (!cs_scenario_has_pmcu(&s))
        return;
    build_cores();
    build_clusters();
    pmcu = std::make_unique<PmcuModule>("pmcu", period, pmcu_config(s), base.environment->probe);
}

void ModelSystem::build_imc()
{
    const cs_environment &environment = *base.environment;
    const cs_scenario &s = *environment.scenario;

    if (s.imc->cores != 0)
        imc = std::make_unique<ImcModule>("imc", period, imc_config(environment));
    if (!s.nest->present)
        return;
    const cs_nest_config config = {s.nest->base, static_cast<uint32_t>(s.nest->tick_cycles),
                                   CS_UNIT_NEST};
    nest = std::make_unique<NestModule>("nest", period, config,
                                        cs_environment_events(&environment, CS_NEST_TIMELINE),
                                        environment.probe);
}

void ModelSystem::build_harts()
{
    cs_environment *environment = base.environment;
    const cs_scenario &s = *environment->scenario;

    for (unsigned i = 0; i < s.harts->count; i++) {
        HartConfig config;

        config.hart = cs_environment_hart(environment, i);
        config.hpm = cs_environment_hpm(environment, i);
        config.events = cs_environment_events(environment, cs_scenario_hart_cpu(&s, i));
        config.probe = environment->probe;
        config.on_run = [environment, i](cycle_t cycle, cs_hart_track track) {
            cs_environment_hart_run(environment, i, cycle, track);
        };
        harts.push_back(
            std::make_unique<HartModule>(("hart_" + std::to_string(i)).c_str(), period, config));
        harts.back()->on_end = [this](cycle_t) { software_ended(); };
    }
}

void ModelSystem::build_uncore()
{
    const cs_environment &environment = *base.environment;
    const cs_scenario &s = *environment.scenario;
    std::vector<std::vector<RegisterSlot>> slots(s.uncore->nr_bridges);

    for (unsigned i = 0; i < s.uncore->nr_units; i++) {
        const cs_uncore_unit_spec &unit = s.uncore->units[i];
        const auto source = static_cast<uint16_t>(CS_UNIT_UNCORE(cs_uncore_place(&unit)));
        const cs_uncore_config config = {unit.counters, unit.width, static_cast<uint16_t>(unit.id),
                                         source};
        const cs_event_source events = cs_environment_events(&environment, CS_UNCORE_TIMELINE(i));
        cs_uncore *model = nullptr;
        cs_diag diag = {};

        if (cs_uncore_create(&config, &events, environment.probe, &model, &diag) != CS_OK)
            SC_REPORT_ERROR(kId, diag.text);
        units.push_back(std::make_unique<UncorePort>(model));
        slots[unit.bridge].push_back({units.back().get(), source});
    }
    for (unsigned bridge = 0; bridge < s.uncore->nr_bridges; bridge++) {
        uncore.push_back(
            std::make_unique<RegisterBridge>(("uncore_" + std::to_string(bridge)).c_str(), period,
                                             std::move(slots[bridge]), environment.probe));
        uncore.back()->access.enable_broadcast(static_cast<uint16_t>(CS_UNIT_UNCORE_ALL(bridge)));
    }
}

cycle_t ModelSystem::end_cycle() const
{
    cycle_t end = cpu->end_cycle();

    for (const auto &hart : harts)
        end = std::max(end, hart->end_cycle());
    return end;
}

// The last one to end ends the run; a hart's end may lie ahead.
void ModelSystem::software_ended()
{
    const cycle_t end = end_cycle();

    if (end == CS_NEVER)
        return;
    fabric->set_limit(end);
    sc_core::sc_pause();
}

// The manager with this number is a socket of the agent.
void ModelSystem::attach(uint16_t number, AgentModule &agent, ManagerPort &port)
{
    const unsigned index = cs_die_manager_place(&die, number);

    port.socket.bind(fabric->manager[index]);
    port.set_direct(fabric.get(), index);
    fabric->attach(index, agent);
    agent.set_lookahead(fabric.get());
}

void ModelSystem::connect()
{
    const cs_scenario &s = *base.environment->scenario;

    for (unsigned i = 0; i < die.nr_targets; i++) {
        switch (die.targets[i].kind) {
        case CS_TARGET_MEMORY:
            fabric->target[i].bind(memory->socket);
            break;
        case CS_TARGET_PMCU:
            fabric->target[i].bind(pmcu->registers);
            break;
        case CS_TARGET_CLUSTER:
            fabric->target[i].bind(clusters[die.targets[i].number]->socket);
            break;
        case CS_TARGET_SPR:
            fabric->target[i].bind(imc->spr);
            break;
        case CS_TARGET_SCOM:
            fabric->target[i].bind(imc->scom);
            break;
        case CS_TARGET_UNCORE:
            fabric->target[i].bind(uncore[die.targets[i].number]->socket);
            break;
        }
    }
    attach(CS_MANAGER_CPU, *cpu, cpu->manager_port());
    for (unsigned i = 0; pmcu && i < s.pmcu->lanes; i++)
        attach(static_cast<uint16_t>(CS_MANAGER_PMCU(i)), *pmcu, pmcu->manager_port(i));
    for (unsigned i = 0; i < s.imc->cores; i++)
        attach(static_cast<uint16_t>(CS_MANAGER_IMC(i)), *imc, imc->manager_port(i));
    if (nest)
        attach(CS_MANAGER_NEST, *nest, nest->manager_port());
    for (unsigned i = 0; i < harts.size(); i++)
        attach(static_cast<uint16_t>(CS_MANAGER_HART(i)), *harts[i], harts[i]->manager_port());
    if (pmcu)
        pmcu->on_irq = [this](cycle_t cycle, bool level) { cpu->set_irq(cycle, level); };
    cpu->on_end = [this](cycle_t) { software_ended(); };
}

// An IMC core has said when its counters will overflow: it has to look again.
void ModelSystem::software_moved(unsigned core)
{
    const cs_scenario &s = *base.environment->scenario;
    const unsigned cpu = cs_environment_cpu(base.environment, core);
    const unsigned arm = cs_scenario_arm_cpus(&s);

    if (cs_scenario_cpu_kind(&s, cpu) == CS_CPU_IMC)
        imc->events_changed((cpu - arm) / s.imc->threads, (cpu - arm) % s.imc->threads);
}

void ModelSystem::enter(void *ctx, cycle_t cycle, unsigned core)
{
    auto *system = static_cast<ModelSystem *>(ctx);

    cs_environment_enter(system->base.environment, cycle, core);
    system->software_moved(core);
}

void ModelSystem::leave(void *ctx, cycle_t cycle, unsigned core)
{
    auto *system = static_cast<ModelSystem *>(ctx);

    cs_environment_leave(system->base.environment, cycle, core);
    system->software_moved(core);
}

// Registers that an agent owns: while it is at work nobody reaches them early.
static const Agent *owner_of(const ModelSystem &system, cs_target_kind kind)
{
    switch (kind) {
    case CS_TARGET_PMCU:
        return system.pmcu.get();
    case CS_TARGET_SPR:
    case CS_TARGET_SCOM:
        return system.imc.get();
    default:
        return nullptr;
    }
}

void ModelSystem::build(cs_environment *environment, bool early_completion)
{
    const cs_scenario &s = *environment->scenario;
    cs_cpu_env cpu_env = {};

    base.environment = environment;
    period = period_of(s);
    cs_die_of(&s, &die);
    build_pmcu();
    build_imc();
    build_harts();
    build_uncore();
    FabricConfig config = fabric_config(*environment, die);
    for (unsigned i = 0; i < die.nr_targets; i++)
        config.targets[i].owner = owner_of(*this, die.targets[i].kind);
    config.early_completion = early_completion;
    fabric = std::make_unique<Fabric>("fabric", config);
    memory = std::make_unique<MemoryTarget>("memory", environment->memory, 0, die.adds);
    cpu_env.software = environment->software;
    cpu_env.enter = enter;
    cpu_env.leave = leave;
    cpu_env.core_ctx = this;
    cpu = std::make_unique<CpuModule>("cpu", period, cpu_env);
    connect();
}

// SystemC pauses when the software has ended; what is left then is run up to its end.
cycle_t ModelSystem::run(cycle_t until)
{
    const cycle_t last = CS_NEVER / period.value() - 1; // what SystemC's time can hold

    for (;;) {
        const cycle_t end = std::min({until, end_cycle(), last});
        if (end <= now) {
            for (const auto &hart : harts)
                hart->finish(now);
            for (const auto &unit : units)
                unit->finish(now);
            return now;
        }
        fabric->set_limit(end);
        const uint64_t begin = sc_core::sc_time_stamp().value();
        sc_core::sc_start(sc_core::sc_time::from_value(end * period.value() - begin));
        const cycle_t finished = sc_core::sc_time_stamp().value() / period.value();
        now = std::min(finished, end_cycle());
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
    return s.failed ? s.now : s.end_cycle();
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
