// SPDX-License-Identifier: Apache-2.0
// Other people's initiators, targets and platforms on the same sockets.
#include <cstring>
#include <functional>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "bus/machine/cpu_module.hpp"
#include "support/forked.hpp"
#include "world.hpp"
#include <countersink/bus/corepmu/corepmu_port.hpp>
#include <countersink/bus/pmcu/pmcu_module.hpp>
#include <countersink/bus/uncore/uncore_port.hpp>

namespace
{

using world::ns;

// A loosely timed initiator: a thread that runs a function.
class LooseInitiator : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(LooseInitiator);

    LooseInitiator(const sc_core::sc_module_name &name, std::function<void(LooseInitiator &)> body)
        : sc_core::sc_module(name), socket("socket"), body_(std::move(body))
    {
        SC_THREAD(run);
    }

    tlm_utils::simple_initiator_socket<LooseInitiator, 64> socket;
    bool finished = false;

    tlm::tlm_response_status transfer(tlm::tlm_command command, uint64_t addr, void *data,
                                      unsigned bytes, sc_core::sc_time delay = {})
    {
        tlm::tlm_generic_payload payload;
        world::fill(payload, command, addr, data, bytes);
        socket->b_transport(payload, delay);
        left_over = delay;
        if (delay > sc_core::SC_ZERO_TIME)
            sc_core::wait(delay);
        return payload.get_response_status();
    }
    unsigned debug(tlm::tlm_command command, uint64_t addr, void *data, unsigned bytes)
    {
        tlm::tlm_generic_payload payload;
        world::fill(payload, command, addr, data, bytes);
        return socket->transport_dbg(payload);
    }
    void write32(uint64_t addr, uint32_t value)
    {
        EXPECT_EQ(transfer(tlm::TLM_WRITE_COMMAND, addr, &value, 4), tlm::TLM_OK_RESPONSE);
    }
    uint32_t read32(uint64_t addr)
    {
        uint32_t value = 0;
        EXPECT_EQ(transfer(tlm::TLM_READ_COMMAND, addr, &value, 4), tlm::TLM_OK_RESPONSE);
        return value;
    }

    sc_core::sc_time left_over; // what the last transfer annotated

  private:
    void run()
    {
        body_(*this);
        finished = true;
    }

    std::function<void(LooseInitiator &)> body_;
};

// A memory that knows nothing of this project.
class ForeignMemory : public sc_core::sc_module
{
  public:
    ForeignMemory(const sc_core::sc_module_name &name, const sc_core::sc_time &delay)
        : sc_core::sc_module(name), socket("socket"), delay_(delay)
    {
        socket.register_b_transport(this, &ForeignMemory::b_transport);
    }

    tlm_utils::simple_target_socket<ForeignMemory, 64> socket;
    std::map<uint64_t, uint8_t> bytes;
    std::vector<sc_core::sc_time> called;

    uint64_t load(uint64_t addr, unsigned count) const
    {
        uint64_t value = 0;
        for (unsigned i = 0; i < count; i++)
            if (bytes.count(addr + i) != 0)
                value |= uint64_t(bytes.at(addr + i)) << (8 * i);
        return value;
    }

  private:
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
    {
        called.push_back(sc_core::sc_time_stamp() + delay);
        for (unsigned i = 0; i < payload.get_data_length(); i++) {
            uint8_t &byte = bytes[payload.get_address() + i];
            if (payload.is_write())
                byte = payload.get_data_ptr()[i];
            else
                payload.get_data_ptr()[i] = byte;
        }
        delay += delay_;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    sc_core::sc_time delay_;
};

} // namespace

TEST(Foreign, LooselyTimedInitiator)
{
    cs_test::in_child([] {
        // A fabric of which manager 0 is somebody else's and manager 1 a player.
        reference::Parameters p;
        traffic::Managers managers(1);
        managers[0].rows[0].push_back({500, traffic::kRam, 8, 1, 0});
        cs::FabricConfig config;
        cs::TargetConfig ram;
        config.period = ns(1);
        config.managers = 2;
        ram.base = traffic::kRam;
        ram.size = traffic::kRamSize;
        ram.timing.kind = cs::TargetKind::memory;
        ram.timing.read_cycles = 20;
        ram.timing.write_cycles = 4;
        config.targets.push_back(ram);
        std::vector<cs_guard_fault> faults = {
            {traffic::kRam + 0x100, 8, CS_GUARD_ANY, 1, 0, CS_GUARD_ERROR, 0}};
        ASSERT_EQ(cs_guard_create(nullptr, 0, faults.data(), 1, &config.guard, nullptr), CS_OK);
        cs_memory *memory;
        ASSERT_EQ(cs_memory_create(&memory, nullptr), CS_OK);
        cs::Fabric fabric("fabric", config);
        cs::MemoryTarget target("target", memory);
        world::Player player("player", ns(1), managers[0]);
        LooseInitiator cpu("cpu", [](LooseInitiator &self) {
            uint64_t data = 0x1122334455667788;
            sc_core::wait(ns(10));
            // Annotated 2.5 cycles: seen in cycle 13. a = 13 + 5, w = a + 1.
            EXPECT_EQ(self.transfer(tlm::TLM_WRITE_COMMAND, traffic::kRam, &data, 8, ns(2.5)),
                      tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(sc_core::sc_time_stamp(), ns(13 + 5 + 1 + 2 + 4 + 2));
            EXPECT_EQ(self.left_over, sc_core::SC_ZERO_TIME);
            data = 0;
            const double begin = sc_core::sc_time_stamp().to_seconds() * 1e9;
            EXPECT_EQ(self.transfer(tlm::TLM_READ_COMMAND, traffic::kRam, &data, 8),
                      tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(sc_core::sc_time_stamp(), ns(begin + 1 + 5 + 2 + 20 + 2));
            EXPECT_EQ(data, 0x1122334455667788u);
            EXPECT_EQ(self.transfer(tlm::TLM_READ_COMMAND, traffic::kRam + 0x100, &data, 8),
                      tlm::TLM_GENERIC_ERROR_RESPONSE);
            EXPECT_EQ(data, 0u);
            EXPECT_EQ(self.transfer(tlm::TLM_READ_COMMAND, traffic::kHole, &data, 8),
                      tlm::TLM_ADDRESS_ERROR_RESPONSE);
            EXPECT_EQ(self.transfer(tlm::TLM_READ_COMMAND, traffic::kRam + 1, &data, 4),
                      tlm::TLM_GENERIC_ERROR_RESPONSE);
            EXPECT_EQ(self.transfer(tlm::TLM_READ_COMMAND, traffic::kRam, &data, 0),
                      tlm::TLM_BURST_ERROR_RESPONSE);

            const auto now = sc_core::sc_time_stamp();
            uint8_t bytes[16] = {};
            data = 0xa5;
            EXPECT_EQ(self.debug(tlm::TLM_WRITE_COMMAND, traffic::kRam + 3, &data, 1), 1u);
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, traffic::kRam, bytes, 16), 16u);
            EXPECT_EQ(bytes[0], 0x88);
            EXPECT_EQ(bytes[3], 0xa5);
            const uint64_t end = traffic::kRam + traffic::kRamSize;
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, end - 4, bytes, 16), 4u);
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, traffic::kHole, bytes, 16), 0u);
            EXPECT_EQ(sc_core::sc_time_stamp(), now);
        });
        fabric.target[0].bind(target.socket);
        cpu.socket.bind(fabric.manager[0]);
        player.connect(fabric, 1);
        sc_core::sc_start(ns(2000));
        EXPECT_TRUE(cpu.finished);
        EXPECT_EQ(fabric.completed_early(), 0u) << "a manager without an agent may ask at any time";
        EXPECT_EQ(fabric.completed_late(), 6u);
        cs_memory_destroy(memory);
        cs_guard_destroy(config.guard);
    });
}

// Called in the cycle of the address; what it annotates is rounded up to cycles.
TEST(Foreign, TargetThatAnnotatesDelay)
{
    cs_test::in_child([] {
        traffic::Managers managers(1);
        managers[0].rows[1].push_back({9, traffic::kRam + 0x40, 8, 2, 5}); // request in 10
        struct Side {
            Side(const std::string &name, const traffic::Manager &manager, bool early, double delay)
                : target((name + "_target").c_str(), ns(delay)),
                  player((name + "_player").c_str(), ns(1), manager)
            {
                cs::FabricConfig config;
                cs::TargetConfig plain;
                sink = {[](void *ctx, const cs_probe_record *r) {
                            static_cast<Side *>(ctx)->record = *r;
                        },
                        this, false, nullptr};
                config.period = ns(1);
                config.early_completion = early;
                config.probe = &sink;
                plain.base = traffic::kRam;
                plain.size = 0x1000;
                plain.local_address = true;
                config.targets.push_back(plain);
                fabric = std::make_unique<cs::Fabric>((name + "_fabric").c_str(), config);
                fabric->target[0].bind(target.socket);
                player.connect(*fabric, 0);
            }
            ForeignMemory target;
            world::Player player;
            cs_probe_sink sink;
            cs_probe_record record = {};
            std::unique_ptr<cs::Fabric> fabric;
        };
        Side early("early", managers[0], true, 2.3);
        Side late("late", managers[0], false, 2.3);
        Side ideal("ideal", managers[0], true, 0);
        // Limited to the cycle in which it would be complete without the delay.
        Side cut("cut", managers[0], true, 2.3);
        const cs_cycle a = 10 + 3 + 2;
        cut.fabric->set_limit(a + 2 + 1 + 2 + 1);
        sc_core::sc_start(ns(100));
        EXPECT_EQ(ideal.record.cycle, a + 2 + 1 + 2);
        for (Side *side : {&early, &late, &cut}) {
            EXPECT_EQ(side->record.cycle, ideal.record.cycle + 3);
            ASSERT_EQ(side->target.called.size(), 1u);
            EXPECT_EQ(side->target.called[0], ns(a));
            EXPECT_EQ(side->target.bytes.begin()->first, 0x40u);
            EXPECT_EQ(side->target.bytes.size(), 16u);
        }
        EXPECT_EQ(early.fabric->completed_early(), 1u);
        EXPECT_EQ(late.fabric->completed_early(), 0u);
        EXPECT_EQ(cut.fabric->completed_early(), 0u);
    });
}

namespace
{

// An initiator of the base protocol that takes its time to end a response.
class SlowInitiator : public sc_core::sc_module, public tlm::tlm_mm_interface
{
  public:
    SC_HAS_PROCESS(SlowInitiator);

    explicit SlowInitiator(const sc_core::sc_module_name &name)
        : sc_core::sc_module(name), socket("socket")
    {
        socket.register_nb_transport_bw(this, &SlowInitiator::nb_transport_bw);
        SC_THREAD(run);
    }

    tlm_utils::simple_initiator_socket<SlowInitiator, 64> socket;
    std::vector<sc_core::sc_time> responses;
    unsigned freed = 0;

    void free(tlm::tlm_generic_payload *) override
    {
        freed++;
    }

  private:
    void run()
    {
        tlm::tlm_generic_payload payloads[2];
        uint64_t data[2] = {1, 2};

        for (unsigned i = 0; i < 2; i++) { // a read and a write at once
            sc_core::sc_time delay;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            payloads[i].set_mm(this);
            payloads[i].acquire();
            payloads[i].set_command(i == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
            payloads[i].set_address(traffic::kHole);
            payloads[i].set_data_ptr(reinterpret_cast<unsigned char *>(&data[i]));
            payloads[i].set_data_length(8);
            payloads[i].set_streaming_width(8);
            EXPECT_EQ(socket->nb_transport_fw(payloads[i], phase, delay), tlm::TLM_ACCEPTED);
        }
        for (auto &payload : payloads) {
            if (responses.empty() || open_ == nullptr)
                sc_core::wait(response_);
            EXPECT_EQ(open_, &payload);
            EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
            sc_core::wait(ns(100));
            sc_core::sc_time delay;
            tlm::tlm_phase phase = tlm::END_RESP;
            open_ = nullptr;
            EXPECT_EQ(socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
            payload.release();
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &)
    {
        EXPECT_EQ(phase, tlm::BEGIN_RESP);
        EXPECT_EQ(open_, nullptr) << "a second response before the end of the first";
        open_ = &payload;
        responses.push_back(sc_core::sc_time_stamp());
        response_.notify(sc_core::SC_ZERO_TIME);
        return tlm::TLM_ACCEPTED;
    }

    tlm::tlm_generic_payload *open_ = nullptr;
    sc_core::sc_event response_;
};

} // namespace

TEST(Foreign, NonBlockingInitiatorEndsResponsesLate)
{
    cs_test::in_child([] {
        cs::FabricConfig config;
        config.period = ns(1);
        cs::Fabric fabric("fabric", config);
        SlowInitiator initiator("initiator");
        initiator.socket.bind(fabric.manager[0]);
        sc_core::sc_start(ns(1000));
        // The read: request 1, a = 1 + 5, complete a + B. The write's response waits for the end
        // of the read's.
        ASSERT_EQ(initiator.responses.size(), 2u);
        EXPECT_EQ(initiator.responses[0], ns(1 + 5 + 2));
        EXPECT_EQ(initiator.responses[1], ns(1 + 5 + 2 + 100));
        EXPECT_EQ(initiator.freed, 2u);
    });
}

namespace
{

// A core that does one instruction a cycle, always in EL0.
cs_event_source steady_core()
{
    cs_event_source source = {};
    source.sum = [](void *, uint32_t, uint32_t mask, cs_cycle from, cs_cycle to) -> uint64_t {
        return to > from && (mask & CS_MODE_MASK(CS_MODE_EL0)) != 0 ? to - from : 0;
    };
    source.reach = [](void *, uint32_t, uint32_t, cs_cycle from, uint64_t n) { return from + n; };
    source.context = [](void *, cs_cycle, cs_context *out) {
        *out = {0x4000, 0x1234, 0, CS_MODE_EL0, nullptr, false, 0};
    };
    return source;
}

// Registers of docs/hw/pmcu.md.
constexpr uint64_t kFsmCfg = 0x004;
constexpr uint64_t kEventBaseL = 0x00c;
constexpr uint64_t kKillBaseL = 0x014;
constexpr uint64_t kStoreBaseL = 0x01c;
constexpr uint64_t kWaitCnt = 0x020;
constexpr uint64_t kFsmCtrl = 0x038;
constexpr uint64_t kIntEn = 0x100;
constexpr uint64_t kIntStat = 0x108;

constexpr uint32_t kEvents = 0x80000100;
constexpr uint32_t kStore = 0x80001000;

// Programs one event, triggers, waits for the pin.
void drive(LooseInitiator &self, uint64_t registers, sc_core::sc_signal<bool> &irq,
           sc_core::sc_time &raised)
{
    self.write32(registers + kFsmCfg, 1u << 16 | 1u << 8 | 1u); // one event, one loop
    self.write32(registers + kEventBaseL, kEvents);
    self.write32(registers + kStoreBaseL, kStore);
    self.write32(registers + kKillBaseL, kStore + 0x1000);
    self.write32(registers + kWaitCnt, 50);
    self.write32(registers + kIntEn, 1);
    self.write32(registers + kFsmCtrl, 1);
    sc_core::wait(irq.posedge_event());
    raised = sc_core::sc_time_stamp();
    EXPECT_EQ(self.read32(registers + kIntStat), 1u);
    EXPECT_EQ(self.read32(registers), 0u); // IDLE, no error
}

cs_pmcu_config one_core()
{
    cs_pmcu_config config = {};
    config.clusters = 1;
    config.slots = 1;
    config.lanes = 1;
    config.tick_cycles = 20;
    return config;
}

void append(void *ctx, const cs_probe_record *record)
{
    static_cast<std::vector<cs_probe_record> *>(ctx)->push_back(*record);
}

} // namespace

// Somebody's platform: our PMCU, fabric and bridge, their CPU and their memory.
TEST(Foreign, Platform)
{
    cs_test::in_child([] {
        std::vector<cs_probe_record> records;
        const cs_probe_sink sink = {append, &records, false, nullptr};
        const cs_event_source events = steady_core();
        const cs_corepmu_config core_config = {8, false, 8, false, false, false, false, false};
        cs::CorePmuPort port(core_config, events);

        cs::FabricConfig config;
        cs::TargetConfig target;
        config.period = ns(1);
        config.managers = 2;
        config.probe = &sink;
        target.base = traffic::kRam;
        target.size = 0x10000;
        config.targets.push_back(target); // plain
        target.timing.kind = cs::TargetKind::registers;
        target.timing.access_cycles = 10;
        target.base = traffic::kPmcu;
        config.targets.push_back(target);
        target.base = traffic::kCluster;
        target.size = traffic::kClusterSize;
        config.targets.push_back(target);
        cs::Fabric fabric("fabric", config);
        cs::PmcuModule pmcu("pmcu", ns(1), one_core(), &sink);
        cs::RegisterBridge cluster("cluster", ns(1), {{&port, CS_UNIT_CORE(0)}}, &sink);
        ForeignMemory memory("memory", ns(12.5));
        sc_core::sc_signal<bool> irq("irq");
        sc_core::sc_time raised;
        LooseInitiator cpu("cpu",
                           [&](LooseInitiator &self) { drive(self, traffic::kPmcu, irq, raised); });
        fabric.target[0].bind(memory.socket);
        fabric.target[1].bind(pmcu.registers);
        fabric.target[2].bind(cluster.socket);
        cpu.socket.bind(fabric.manager[0]);
        pmcu.connect(fabric, 1);
        pmcu.irq.bind(irq);
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
        ASSERT_TRUE(cpu.finished);

        // Enabled in one effect cycle, disabled in the other: all cycles between were counted.
        cs_cycle enabled = 0;
        cs_cycle disabled = 0;
        cs_cycle line = 0;
        for (const auto &r : records) {
            if (r.kind == CS_PROBE_REG && r.addr == 0xc00)
                enabled = r.cycle;
            if (r.kind == CS_PROBE_REG && r.addr == 0xc20 && enabled != 0)
                disabled = r.cycle;
            if (r.kind == CS_PROBE_IRQ && r.value == 1)
                line = r.cycle;
        }
        EXPECT_GE(disabled - enabled, 50 * 20u);
        EXPECT_EQ(memory.load(kStore, 4), 0x1234u);                 // CID1SR
        EXPECT_EQ(memory.load(kStore + 8, 8), disabled - enabled);  // the event
        EXPECT_EQ(memory.load(kStore + 16, 8), disabled - enabled); // cycles
        EXPECT_EQ(raised, ns(static_cast<double>(line)));
    });
}

// Without our fabric: lane and registers bound to somebody else's sockets directly.
TEST(Foreign, PmcuWithoutTheFabric)
{
    cs_test::in_child([] {
        cs::PmcuModule pmcu("pmcu", ns(1), one_core(), nullptr);
        ForeignMemory everything("everything", ns(7));
        sc_core::sc_signal<bool> irq("irq");
        sc_core::sc_time raised;
        LooseInitiator cpu("cpu", [&](LooseInitiator &self) { drive(self, 0, irq, raised); });
        cpu.socket.bind(pmcu.registers);
        pmcu.socket(0).bind(everything.socket);
        pmcu.irq.bind(irq);
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
        EXPECT_TRUE(cpu.finished);
        EXPECT_EQ(pmcu.earliest(), CS_NEVER) << "it is idle: whoever asks may run ahead";
        EXPECT_GT(raised, ns(50 * 20));
        EXPECT_GT(everything.called.size(), 10u);
    });
}

namespace
{

struct Waiter {
    cs_cycle ended = 0;
    bool irq = false;
    unsigned calls = 0;
};

void waiter_next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    auto *waiter = static_cast<Waiter *>(ctx);

    *op = {};
    op->kind = waiter->calls++ == 0 ? CS_OP_WAIT_IRQ : CS_OP_END;
    op->lines = CS_LINE(0);
    if (op->kind == CS_OP_END) {
        waiter->ended = now;
        waiter->irq = last->irq;
    }
}

} // namespace

// docs/hw/cpu.md: the wait ends in the first cycle with the line high, the next operation
// begins one later.
TEST(Foreign, InterruptPinOfTheCpu)
{
    cs_test::in_child([] {
        Waiter waiter;
        cs_cpu_env env = {};
        cs::FabricConfig config;
        sc_core::sc_signal<bool> irq("irq");

        env.software = {waiter_next, &waiter};
        config.period = ns(1);
        cs::Fabric fabric("fabric", config);
        cs::CpuModule cpu("cpu", ns(1), env);
        cpu.connect(fabric, 0);
        cpu.irq.bind(irq);
        sc_core::sc_start(ns(100));
        irq.write(true);
        sc_core::sc_start(ns(100));
        EXPECT_EQ(waiter.ended, 101u);
        EXPECT_TRUE(waiter.irq);
        EXPECT_EQ(cpu.end_cycle(), 101u);
    });
}

TEST(Foreign, WrongConfigurationIsReported)
{
    cs_test::in_child([] {
        cs::FabricConfig config;
        cs::TargetConfig target;

        config.period = sc_core::sc_time(1, sc_core::SC_PS); // cannot be halved
        EXPECT_THROW(cs::Fabric("a", config), sc_core::sc_report);
        config.period = ns(1);
        target.base = 0x1000;
        target.size = 0x1000;
        const struct {
            const char *name;
            uint64_t base;
            bool fits;
        } others[] = {{"below", 0, true},
                      {"last_byte", 1, false},
                      {"same", 0x1000, false},
                      {"first_byte", 0x1FFF, false},
                      {"above", 0x2000, true}};
        for (const auto &other : others) {
            cs::TargetConfig second = target;
            second.base = other.base;
            config.targets = {target, second};
            if (other.fits) {
                EXPECT_NO_THROW(cs::Fabric(other.name, config)) << other.name;
            } else {
                EXPECT_THROW(cs::Fabric(other.name, config), sc_core::sc_report) << other.name;
            }
        }
    });
}
