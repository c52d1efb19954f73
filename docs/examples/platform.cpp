// SPDX-License-Identifier: Apache-2.0
// Our PMCU, a core PMU and our fabric in somebody's platform: a CPU and a memory that know nothing of
// this project (docs/yours/packages.md).
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <countersink/bus/corepmu/corepmu_port.hpp>
#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/bus/pmcu/pmcu_module.hpp>
#include <countersink/regs/pmcu_regs.h>

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr uint64_t kPmcu = 0x10000000, kCores = 0x20000000, kRam = 0x80000000;
constexpr uint32_t kEvents = 0x80000100, kStore = 0x80001000;

// A memory of yours.
struct Memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<Memory, 64> socket{"socket"};
    unsigned char bytes[0x10000] = {};

    explicit Memory(const sc_core::sc_module_name &name) : sc_module(name)
    {
        socket.register_b_transport(this, &Memory::transport);
    }
    void transport(tlm::tlm_generic_payload &p, sc_time &delay)
    {
        unsigned char *place = bytes + p.get_address();

        if (p.is_write())
            std::memcpy(place, p.get_data_ptr(), p.get_data_length());
        else
            std::memcpy(p.get_data_ptr(), place, p.get_data_length());
        delay += sc_time(12, SC_NS);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

// A CPU of yours: programs one event, starts the PMCU, waits for its interrupt.
struct Cpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Cpu, 64> socket{"socket"};
    sc_core::sc_in<bool> irq{"irq"};

    SC_HAS_PROCESS(Cpu);
    explicit Cpu(const sc_core::sc_module_name &name) : sc_module(name)
    {
        SC_THREAD(software);
    }
    void write(uint64_t address, uint32_t value)
    {
        tlm::tlm_generic_payload p;
        sc_time delay;

        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(address);
        p.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
        p.set_data_length(4);
        p.set_streaming_width(4);
        socket->b_transport(p, delay);
        wait(delay);
    }
    void software()
    {
        write(kPmcu + CS_PMCU_FSM_CFG, 1u << 16 | 1u << 8 | 1u); // one event, one sample
        write(kPmcu + CS_PMCU_EVENT_BASE_L, kEvents);
        write(kPmcu + CS_PMCU_STORE_BASE_L, kStore);
        write(kPmcu + CS_PMCU_KILL_BASE_L, kStore + 0x1000);
        write(kPmcu + CS_PMCU_WAIT_CNT, 50);
        write(kPmcu + CS_PMCU_INT_EN, 1);
        write(kPmcu + CS_PMCU_FSM_CTRL, 1);
        wait(irq.posedge_event());
        std::printf("interrupt at %.0f ns\n", sc_core::sc_time_stamp() / sc_time(1, SC_NS));
    }
};

// What the core does: an instruction a cycle in EL0, of a process whose context ID is 0x1234.
cs_event_source steady_core()
{
    cs_event_source source = {};

    source.sum = [](void *, uint32_t, uint32_t modes, cs_cycle from, cs_cycle to) -> uint64_t {
        return to > from && (modes & CS_MODE_MASK(CS_MODE_EL0)) != 0 ? to - from : 0;
    };
    source.reach = [](void *, uint32_t, uint32_t, cs_cycle from, uint64_t n) { return from + n; };
    source.context = [](void *, cs_cycle, cs_context *out) {
        *out = {0x4000, 0x1234, 0, CS_MODE_EL0, nullptr, false, 0};
    };
    return source;
}

cs::FabricConfig map()
{
    cs::FabricConfig config;
    cs::TargetConfig target;

    config.period = sc_time(1, SC_NS);
    config.managers = 2; // your CPU, the PMCU
    target.base = kRam;
    target.size = sizeof Memory::bytes;
    target.local_address = true;
    config.targets.push_back(target); // plain: your memory
    target.local_address = false;
    target.timing.kind = cs::TargetKind::registers;
    target.timing.access_cycles = 10;
    target.base = kPmcu;
    config.targets.push_back(target);
    target.base = kCores;
    target.size = 0x100000;
    config.targets.push_back(target);
    return config;
}

int sc_main(int, char **)
{
    const sc_time period(1, SC_NS);
    cs_pmcu_config die = {};
    cs_corepmu_config counters = {};
    die.clusters = die.slots = die.lanes = 1;
    die.tick_cycles = 20;
    counters.counters = counters.hpmn = 8;

    cs::CorePmuPort core(counters, steady_core());
    cs::Fabric fabric("fabric", map());
    cs::PmcuModule pmcu("pmcu", period, die, nullptr);
    cs::RegisterBridge cluster("cluster", period, {{&core, CS_UNIT_CORE(0)}}, nullptr);
    Memory memory("memory");
    Cpu cpu("cpu");
    sc_core::sc_signal<bool> irq("irq");

    fabric.target[0].bind(memory.socket);
    fabric.target[1].bind(pmcu.registers);
    fabric.target[2].bind(cluster.socket);
    cpu.socket.bind(fabric.manager[0]);
    pmcu.connect(fabric, 1);
    pmcu.irq.bind(irq);
    cpu.irq.bind(irq);
    sc_core::sc_start(1, sc_core::SC_MS);

    uint64_t sample[3];
    std::memcpy(sample, memory.bytes + (kStore - kRam), sizeof sample);
    std::printf("context ID 0x%" PRIx64 ", %" PRIu64 " of the event, %" PRIu64 " cycles\n",
                sample[0] & 0xffffffff, sample[1], sample[2]);
    return 0;
}
