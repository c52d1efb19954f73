// SPDX-License-Identifier: Apache-2.0
// What tests of the modules as agents share (include/countersink/bus/fabric/agent.hpp).
#ifndef CS_TB_BUS_TLM_AGENTS_HPP
#define CS_TB_BUS_TLM_AGENTS_HPP

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "world.hpp"
#include <countersink/base/stream/events.h>

namespace agents
{

using world::ns;

constexpr uint64_t kBase = 0x80000000, kSize = 0x100000;

// One of each event in each cycle.
inline cs_event_source steady()
{
    cs_event_source source = {};

    source.sum = [](void *, uint32_t, uint32_t mask, cs_cycle from, cs_cycle to) -> uint64_t {
        return to > from && mask != 0 ? to - from : 0;
    };
    source.reach = [](void *, uint32_t, uint32_t, cs_cycle from, uint64_t n) { return from + n; };
    source.context = [](void *, cs_cycle, cs_context *out) { *out = {}; };
    return source;
}

// A memory that takes 7 ns for a transfer, and is busy meanwhile.
class SlowMemory : public sc_core::sc_module
{
  public:
    explicit SlowMemory(const sc_core::sc_module_name &name) : sc_core::sc_module(name)
    {
        socket.register_b_transport(this, &SlowMemory::b_transport);
    }
    tlm_utils::simple_target_socket<SlowMemory, 64> socket{"socket"};
    bool busy = false;
    unsigned transfers = 0;

  private:
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &)
    {
        busy = true;
        sc_core::wait(ns(7));
        busy = false;
        transfers++;
        if (payload.is_read())
            std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

// While a transfer is out, what a module does next may begin in the next cycle. Then it is known
// again.
template <class Module>
void expect_care(Module &module, const SlowMemory &memory, cs_cycle from, cs_cycle to)
{
    unsigned waits = 0, knows = 0;

    for (cs_cycle now = from + 1; now <= to; now++) {
        sc_core::sc_start(ns(1));
        ASSERT_GT(module.earliest(), now);
        if (memory.busy) {
            ASSERT_EQ(module.earliest(), now + 1);
        }
        waits += memory.busy;
        knows += memory.transfers >= 3 && module.earliest() > now + 1;
    }
    EXPECT_GE(waits, 7 * memory.transfers);
    EXPECT_GT(knows, 20u);
    EXPECT_GE(memory.transfers, 3u);
}

// A fabric with a memory on a path of its own, and nothing else than the module.
template <class Module, unsigned kManagers = 1> class Alone
{
  public:
    template <class... Arguments>
    Alone(const std::string &name, bool early, const Arguments &...arguments)
        : sink_{[](void *ctx, const cs_probe_record *r) {
                    static_cast<Alone *>(ctx)->records.push_back(*r);
                },
                this, false, nullptr}
    {
        cs::FabricConfig config;
        cs::TargetConfig ram;

        cs_memory_create(&memory, nullptr);
        target_ = std::make_unique<cs::MemoryTarget>((name + "_ram").c_str(), memory, 0, true);
        config.period = ns(1);
        rom_ = std::make_unique<cs::MemoryTarget>((name + "_rom").c_str(), memory);
        config.managers = kManagers;
        config.per_target = true;
        config.early_completion = early;
        config.probe = &sink_;
        ram.size = 0x1000;
        config.targets.push_back(ram);
        ram.base = kBase;
        ram.size = kSize;
        ram.adds = true;
        ram.memory = memory;
        ram.timing = {cs::TargetKind::memory, 5, 2, 1, 1};
        config.targets.push_back(ram);
        fabric = std::make_unique<cs::Fabric>((name + "_fabric").c_str(), config);
        fabric->target[0].bind(rom_->socket);
        fabric->target[1].bind(target_->socket);
        fabric->set_limit(kEnd);
        module = std::make_unique<Module>(name.c_str(), ns(1), arguments...);
        for (unsigned i = 0; i < kManagers; i++)
            module->connect(*fabric, i, i);
    }
    ~Alone()
    {
        cs_memory_destroy(memory);
    }

    static constexpr cs_cycle kEnd = 30000;

    std::vector<cs_probe_record> records;
    std::unique_ptr<cs::Fabric> fabric;
    std::unique_ptr<Module> module;
    cs_memory *memory = nullptr;

  private:
    cs_probe_sink sink_;
    std::unique_ptr<cs::MemoryTarget> target_, rom_;
};

template <class Alone> void expect_same(Alone &early, Alone &late)
{
    const auto cut = [](std::vector<cs_probe_record> records) {
        records.erase(std::remove_if(records.begin(), records.end(),
                                     [](const auto &r) { return r.cycle >= Alone::kEnd; }),
                      records.end());
        return records;
    };

    EXPECT_GT(early.records.size(), 10u);
    EXPECT_EQ(world::difference(cut(early.records), cut(late.records)), "");
    EXPECT_TRUE(cs_memory_equal(early.memory, late.memory, nullptr, nullptr, nullptr));
    EXPECT_EQ(early.fabric->completed_late(), 0u) << "nobody else is there";
    EXPECT_EQ(late.fabric->completed_early(), 0u);
    EXPECT_EQ(early.fabric->completed_early(), late.fabric->completed_late());
}

} // namespace agents

#endif
