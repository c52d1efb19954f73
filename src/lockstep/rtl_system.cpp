// SPDX-License-Identifier: Apache-2.0
// The RTL system: a verilated die in the environment of the scenario. In each cycle:
// rising edge; what the registers ask is answered; pass-throughs settle; what can be
// observed leaves as records; the CPU port executes the same cycle.
#include "lockstep/rtl_system.h"

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>
#include <vector>

#include "lockstep/cpu_pins.hpp"
#include "lockstep/manager_monitor.hpp"
#include "lockstep/units.hpp"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/die.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/machine/software_spec.h"

namespace cs
{

constexpr unsigned kMostCpuPorts = 16; // docs/hw/cpu.md, "A port a CPU"

struct RtlSystem {
    cs_system base = {};
    RtlContext context;
    // A CPU port: its number, its manager's place, the bundle that it drives.
    struct CpuPort {
        RtlSystem *system;
        unsigned number, place;
        RequestPins request;
        CpuBus bus;
    };
    std::vector<CpuPort> cpu_ports;
    cs_cycle now = 0;
    std::vector<std::unique_ptr<RtlUnit>> units;
    // A manager of the scenario, and its place in the RTL.
    struct Watched {
        ManagerMonitor monitor;
        unsigned place;
        uint16_t number;
    };
    std::vector<Watched> managers;
    // Beats of the write burst that the memory controller has not committed yet.
    struct Beat {
        uint64_t addr;
        uint64_t data;
        uint8_t enables;
    };
    std::array<Beat, CS_BUS_MAX_BEATS> beats;
    size_t nr_beats = 0;

    cs_waves_view *waves = nullptr;
    bool waving = false; // the file is open

    Pin check_valid, check_write, check_addr, check_bytes, check_error, check_stall;
    Pin read, read_addr, read_data, write, write_addr, write_data, write_enables, commit;

    ~RtlSystem()
    {
        if (waving)
            context.die->close_waves();
        units.clear();
        for (cs_cpu *cpu : context.cpus)
            cs_cpu_destroy(cpu);
    }

    void load(const char *path, const cs_die &die);
    void find_pins();
    void find_cpu_ports();
    void strap(const cs_die &die);
    cs_status create_software(cs_diag *diag);
    void answer_guard();
    void read_storage();
    void write_storage();
    void cycle();
    void show_waves();
    void forget(unsigned cpu);
    cs_cycle end_cycle() const;
};

// 1. What the fabric asks in CHECK, lower paths first.
void RtlSystem::answer_guard()
{
    constexpr unsigned kBytesBits = 8;
    const unsigned paths = context.die->paths();

    for (uint64_t asking = check_valid.get(0, paths); asking != 0; asking &= asking - 1) {
        const auto path = static_cast<unsigned>(__builtin_ctzll(asking));
        uint64_t stall = 0;
        const cs_bus_resp resp = cs_guard_check(
            context.environment->guard, check_write.bit(path), check_addr.field(path, 64),
            static_cast<uint32_t>(check_bytes.field(path, kBytesBits)), &stall);

        check_error.set(path, 1, resp != CS_BUS_OKAY);
        check_stall.set_field(path, 16, stall);
    }
}

// 2. Storage behind the memory controller: reads at once, a write burst when it is committed (a
// write that adds is known only when what is there has been read).
void RtlSystem::read_storage()
{
    uint64_t data;

    if (!read.bit(0))
        return;
    cs_memory_read(context.environment->memory, read_addr.get(0, 64), 8,
                   reinterpret_cast<uint8_t *>(&data));
    read_data.set(0, 64, data);
}

void RtlSystem::write_storage()
{
    if (write.bit(0))
        beats[nr_beats++ % CS_BUS_MAX_BEATS] = {write_addr.get(0, 64), write_data.get(0, 64),
                                                static_cast<uint8_t>(write_enables.get(0, 8))};
    if (!commit.bit(0))
        return;
    for (size_t i = 0; i < nr_beats; i++) {
        uint8_t enables[8];

        for (unsigned bit = 0; bit < 8; bit++)
            enables[bit] = beats[i].enables >> bit & 1;
        cs_memory_write(context.environment->memory, beats[i].addr, 8,
                        reinterpret_cast<const uint8_t *>(&beats[i].data), enables);
    }
    nr_beats = 0;
}

// The window's first cycle opens the file; what cannot be written stays away.
void RtlSystem::show_waves()
{
    const cs_waves_request *request = cs_waves_view_request(waves);
    size_t nr = 0;

    if (now < request->from || now >= request->to)
        return;
    if (now == request->from)
        if (cs_die_signal *signals = cs_waves_view_signals(waves, &nr))
            waving = context.die->open_waves(request->path, signals, nr);
    cs_waves_view_show(waves, now);
    if (waving)
        context.die->dump_waves(now);
}

void RtlSystem::cycle()
{
    context.die->rise();
    answer_guard();
    read_storage();
    for (const auto &unit : units)
        unit->drive(now);
    for (CpuPort &port : cpu_ports)
        port.request.drive(port.bus.pins(now));
    context.die->settle();
    write_storage();
    for (const auto &unit : units)
        unit->observe(now);
    for (Watched &manager : managers)
        manager.monitor.observe(context.managers.at(manager.place), now, manager.number,
                                context.environment->probe);
    for (CpuPort &port : cpu_ports)
        if (const cs_bus_txn *done = port.bus.observe(context.managers.at(port.place), now))
            cs_cpu_bus_done(context.cpus[port.number], done);
    for (cs_cpu *cpu : context.cpus)
        cs_cpu_advance(cpu, now + 1);
    for (const auto &unit : units)
        unit->step(now);
    if (waves != nullptr)
        show_waves();
    now++;
}

void RtlSystem::forget(unsigned cpu)
{
    for (const auto &unit : units)
        unit->forget(cpu);
}

// The last software's; CS_NEVER while some goes on.
cs_cycle RtlSystem::end_cycle() const
{
    cs_cycle end = 0;

    for (const cs_cpu *cpu : context.cpus)
        end = std::max(end, cs_cpu_end_cycle(cpu));
    for (const auto &unit : units)
        end = std::max(end, unit->end());
    return end;
}

// ---- from the scenario's die ----

void RtlSystem::find_pins()
{
    const RtlDie &die = *context.die;

    context.managers = ManagerPort(die.pin("m_req_o"), die.pin("m_rsp_o"));
    check_valid = die.pin("chk_valid_o");
    check_write = die.pin("chk_write_o");
    check_addr = die.pin("chk_addr_o");
    check_bytes = die.pin("chk_bytes_o");
    check_error = die.pin("chk_error_i");
    check_stall = die.pin("chk_stall_i");
    read = die.pin("mem_read_o");
    read_addr = die.pin("mem_raddr_o");
    read_data = die.pin("mem_rdata_i");
    write = die.pin("mem_write_o");
    write_addr = die.pin("mem_waddr_o");
    write_data = die.pin("mem_wdata_o");
    write_enables = die.pin("mem_wstrb_o");
    commit = die.pin("mem_commit_o");
}

// Port 0 is the die's own, the others are those of its unit "ports". Who has no software asks for
// nothing.
void RtlSystem::find_cpu_ports()
{
    constexpr char kUnit[] = "ports";
    const unsigned others = context.die->size(kUnit, "NrPort");

    for (unsigned i = 0; i < context.environment->nr_ports; i++)
        cpu_ports.push_back({this,
                             i,
                             i == 0 ? 0 : context.die->manager(kUnit, {nullptr, 0, i - 1}),
                             i == 0 ? RequestPins(context.die->pin("cpu_req_i"), 0)
                                    : RequestPins(context.die->pin("ports_req_i"), i - 1),
                             {}});
    RequestPins(context.die->pin("cpu_req_i"), 0).drive({});
    for (unsigned i = 0; i < others; i++)
        RequestPins(context.die->pin("ports_req_i"), i).drive({});
}

void RtlSystem::strap(const cs_die &die)
{
    const cs_scenario &s = context.scenario();
    const RtlDie &rtl = *context.die;

    rtl.pin("strap_shared_i").set(0, 1, !s.bus->per_target);
    rtl.pin("strap_forward_cycles_i").set(0, 8, s.bus->forward_cycles);
    rtl.pin("strap_return_cycles_i").set(0, 8, s.bus->return_cycles);
    rtl.pin("strap_adds_i").set(0, 1, die.adds);
    rtl.pin("strap_read_cycles_i").set(0, 10, s.memory->read_cycles);
    rtl.pin("strap_write_cycles_i").set(0, 10, s.memory->write_cycles);
    rtl.pin("strap_gap_cycles_i").set(0, 4, s.memory->gap_cycles);
    for (unsigned i = 0; i < die.nr_targets; i++) {
        const cs_die_target &target = die.targets[i];
        const unsigned place = rtl.target(target.unit, target.place);

        rtl.pin("strap_base_i").set_field(place, 64, target.base);
        rtl.pin("strap_size_i").set_field(place, 64, target.size);
    }
}

// Arbitration follows the places: both sides have to have the same order.
static void check_order(unsigned place, unsigned before)
{
    if (place <= before)
        throw WrongDie("the RTL has its units in another order (src/rtl/units.txt)");
}

void RtlSystem::load(const char *path, const cs_die &die)
{
    context.die = std::make_unique<RtlDie>(path);
    if (!context.die->holds(die.shape))
        throw WrongDie(std::string(path) + " is not as large as its name says");
    find_pins();
    for (unsigned i = 0; i < die.nr_managers; i++) {
        const cs_die_manager &manager = die.managers[i];
        const unsigned place = context.die->manager(manager.unit, manager.place);

        if (i != 0)
            check_order(place, managers.back().place);
        managers.push_back({ManagerMonitor(), place, manager.number});
    }
    for (unsigned i = 1; i < die.nr_targets; i++)
        check_order(context.die->target(die.targets[i].unit, die.targets[i].place),
                    context.die->target(die.targets[i - 1].unit, die.targets[i - 1].place));

#define CS_MAKE_RTL_UNIT(name)                                                                     \
    if (auto unit = make_##name(context))                                                          \
        units.push_back(std::move(unit));
    CS_RTL_UNITS(CS_MAKE_RTL_UNIT)
#undef CS_MAKE_RTL_UNIT

    strap(die);
    for (const auto &unit : units)
        unit->strap();
    find_cpu_ports();
}

// The software's core also has to forget increments that were fetched ahead.
static void enter(void *ctx, cs_cycle cycle, unsigned core)
{
    const auto *port = static_cast<RtlSystem::CpuPort *>(ctx);
    cs_environment *environment = port->system->context.environment;

    core = cs_environment_core(environment, port->number, core);
    cs_environment_enter(environment, cycle, core);
    port->system->forget(core - 1);
}

static void leave(void *ctx, cs_cycle cycle, unsigned core)
{
    const auto *port = static_cast<RtlSystem::CpuPort *>(ctx);
    cs_environment *environment = port->system->context.environment;

    core = cs_environment_core(environment, port->number, core);
    cs_environment_leave(environment, cycle, core);
    port->system->forget(core - 1);
}

static void signal(void *ctx, cs_cycle cycle, unsigned core, uint64_t lines)
{
    const auto *port = static_cast<RtlSystem::CpuPort *>(ctx);
    const RtlContext &context = port->system->context;

    core = cs_environment_core(context.environment, port->number, core);
    cs_cpu_signal(context.cpus[cs_environment_port(context.environment, core - 1)],
                  cycle + context.scenario().software->ipi_cycles, lines);
}

cs_status RtlSystem::create_software(cs_diag *diag)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < cpu_ports.size() && status == CS_OK; i++) {
        cs_cpu_env env = {};
        cs_cpu *cpu = nullptr;

        env.bus = cpu_ports[i].bus.port();
        env.software = context.environment->ports[i].software;
        env.enter = enter;
        env.leave = leave;
        env.signal = signal;
        env.core_ctx = &cpu_ports[i];
        status = cs_cpu_create(&env, &cpu, diag);
        if (cpu != nullptr)
            context.cpus.push_back(cpu);
    }
    for (size_t i = 0; i < units.size() && status == CS_OK; i++)
        status = units[i]->create(diag);
    return status;
}

// ---- bus/system.h ----

static RtlSystem *of(cs_system *system)
{
    return reinterpret_cast<RtlSystem *>(system);
}

static void destroy(cs_system *system)
{
    delete of(system);
}

static cs_cycle run(cs_system *system, cs_cycle until)
{
    RtlSystem *s = of(system);

    while (s->now < until && s->now < s->end_cycle())
        s->cycle();
    return std::min(s->end_cycle(), s->now);
}

static cs_cycle end_cycle(const cs_system *system)
{
    return reinterpret_cast<const RtlSystem *>(system)->end_cycle();
}

static const cs_system_ops ops = {destroy, run, end_cycle, nullptr};

} // namespace cs

extern "C" cs_status cs_rtl_system_create(cs_environment *environment,
                                          const cs_die_options *options, cs_system **out,
                                          cs_diag *diag)
{
    auto system = std::make_unique<cs::RtlSystem>();
    char path[CS_DIE_PATH];
    cs_die die;
    cs_status status;

    *out = nullptr;
    system->base.ops = &cs::ops;
    system->base.environment = environment;
    system->context.environment = environment;
    if (environment->nr_ports > cs::kMostCpuPorts)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, environment->scenario->name,
                           "software runs on %u CPU ports; the RTL has at most %u (fewer CPUs that "
                           "run software, or software.ports one)",
                           environment->nr_ports, cs::kMostCpuPorts);
    cs_die_of(environment->scenario, &die);
    status = cs_die_find(&die.shape, options, path, diag);
    if (status != CS_OK)
        return status;
    try {
        system->load(path, die);
    } catch (const cs::WrongDie &wrong) {
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, path, "%s", wrong.what());
    } catch (const std::system_error &refused) { /* Verilator's code starts one */
        return cs_diag_set(diag, CS_ERR_IO, path, "no thread for the die: %s", refused.what());
    }
    status = system->create_software(diag);
    if (status != CS_OK)
        return status;
    system->context.die->reset();
    *out = &system.release()->base;
    return CS_OK;
}

extern "C" cs_status cs_rtl_system_parts(const cs_system *system, cs_exercise *exercise,
                                         cs_diag *diag)
{
    cs_status status = CS_OK;

    for (const auto &unit : reinterpret_cast<const cs::RtlSystem *>(system)->units)
        for (const cs_part part : unit->parts())
            if (status == CS_OK)
                status = cs_exercise_add(exercise, part, diag);
    return status;
}

extern "C" cs_timeline *cs_rtl_system_counts(const cs_system *system, uint16_t source)
{
    for (const auto &unit : reinterpret_cast<const cs::RtlSystem *>(system)->units)
        if (cs_timeline *timeline = unit->counts(source))
            return timeline;
    return nullptr;
}

extern "C" void cs_rtl_system_event(const cs_system *system, uint16_t source, uint32_t event,
                                    char out[CS_DIFFERENCE_NAME])
{
    for (const auto &unit : reinterpret_cast<const cs::RtlSystem *>(system)->units)
        if (unit->counts(source) != nullptr)
            snprintf(out, CS_DIFFERENCE_NAME, "%s", unit->event_name(event).c_str());
}

extern "C" cs_status cs_rtl_system_set_waves(cs_system *system, cs_waves_view *waves, cs_diag *diag)
{
    cs::RtlSystem *s = cs::of(system);

    if (!s->context.die->has_waves())
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, NULL, "the die was made without waves");
    s->waves = waves;
    return CS_OK;
}
