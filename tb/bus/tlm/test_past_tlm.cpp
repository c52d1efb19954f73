// SPDX-License-Identifier: Apache-2.0
// Which transfers of our own modules go past TLM (include/countersink/bus/fabric/agent.hpp, DirectBus): here memory
// and registers are not behind the sockets, so that it shows which way was taken.
#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "support/forked.hpp"
#include "world.hpp"

namespace
{

using world::ns;

// What is behind a socket: it counts, and answers nothing of use.
struct Counter : sc_core::sc_module {
    explicit Counter(const sc_core::sc_module_name &name) : sc_core::sc_module(name)
    {
        socket.register_b_transport(this, &Counter::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &)
    {
        calls++;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm_utils::simple_target_socket<Counter, 64> socket{"socket"};
    unsigned calls = 0;
};

enum class Way { past, by_tlm, refused };
enum class With { nothing, guard, long_way, stranger, owner };

struct Case {
    const char *name;
    traffic::Item item;
    bool write;
    With with;
    Way way;
};

constexpr uint64_t kRam = traffic::kRam, kUnit = traffic::kPmcu + 0x100;

const Case cases[] = {
    {"memory", {4, kRam + 8, 8, 1, 3}, false, With::nothing, Way::past},
    {"memory, written", {4, kRam + 8, 8, 1, 3}, true, With::nothing, Way::past},
    {"a byte", {4, kRam + 7, 1, 1, 3}, true, With::nothing, Way::past},
    {"two bytes, not aligned", {4, kRam + 7, 2, 1, 3}, true, With::nothing, Way::refused},
    {"four bytes, not aligned", {4, kRam + 2, 4, 1, 3}, true, With::nothing, Way::refused},
    {"a burst up to 4 KiB", {4, kRam + 0xf80, 8, 16, 3}, true, With::nothing, Way::past},
    {"a burst beyond", {4, kRam + 0xf88, 8, 16, 3}, true, With::nothing, Way::refused},
    {"a narrow burst", {4, kRam, 4, 2, 3}, true, With::nothing, Way::refused},
    {"a hole", {4, traffic::kHole, 8, 1, 3}, true, With::nothing, Way::refused},
    {"memory adds", {4, CS_BUS_ADD | kRam, 8, 1, 3}, true, With::nothing, Way::past},
    {"memory with a guard", {4, kRam, 8, 1, 3}, true, With::guard, Way::by_tlm},
    {"memory the long way", {4, kRam, 8, 1, 3}, true, With::long_way, Way::by_tlm},
    {"memory beside a stranger", {4, kRam, 8, 1, 3}, true, With::stranger, Way::by_tlm},
    {"a register", {4, kUnit, 8, 1, 3}, false, With::nothing, Way::past},
    {"a register, written", {4, kUnit, 4, 1, 3}, true, With::nothing, Way::past},
    {"half a register", {4, kUnit, 2, 1, 3}, true, With::nothing, Way::by_tlm},
    {"two registers", {4, kUnit, 8, 2, 3}, true, With::nothing, Way::by_tlm},
    {"a register with a guard", {4, kUnit, 8, 1, 3}, true, With::guard, Way::by_tlm},
    {"a register of its own", {4, kUnit, 8, 1, 3}, true, With::owner, Way::by_tlm},
};

void expect_way(const Case &c)
{
    traffic::Managers managers(1);
    std::vector<cs_probe_record> records;
    const cs_probe_sink sink = {[](void *ctx, const cs_probe_record *r) {
                                    static_cast<std::vector<cs_probe_record> *>(ctx)->push_back(*r);
                                },
                                &records, false, nullptr};
    cs::FabricConfig config;
    cs::TargetConfig target;
    cs_memory *memory = nullptr;
    world::UnitPort unit;
    const std::vector<cs_guard_fault> faults = {{0x1000, 8, CS_GUARD_ANY, 1, 0, CS_GUARD_ERROR, 0}};

    managers[0].rows[c.write].push_back(c.item);
    cs_memory_create(&memory, nullptr);
    if (c.with == With::guard) {
        ASSERT_EQ(cs_guard_create(nullptr, 0, faults.data(), 1, &config.guard, nullptr), CS_OK);
    }
    world::Player player("player", ns(1), managers[0]);
    const cs::Clock clock(ns(1));
    cs::RegisterAccess registers(clock, {{&unit, 1}}, &sink);
    Counter behind_memory("behind_memory"), behind_bridge("behind_bridge");
    config.period = ns(1);
    config.managers = c.with == With::stranger ? 2 : 1;
    config.early_completion = c.with != With::long_way;
    config.probe = &sink;
    target.base = kRam;
    target.size = traffic::kRamSize;
    target.timing.kind = cs::TargetKind::memory;
    target.memory = memory;
    target.adds = true;
    config.targets.push_back(target);
    target.base = traffic::kPmcu;
    target.size = traffic::kPmcuSize;
    target.timing.kind = cs::TargetKind::registers;
    target.memory = nullptr;
    target.registers = &registers;
    target.adds = false;
    target.owner = c.with == With::owner ? &player : nullptr;
    config.targets.push_back(target);
    cs::Fabric fabric("fabric", config);
    fabric.target[0].bind(behind_memory.socket);
    fabric.target[1].bind(behind_bridge.socket);
    player.connect(fabric, 0);
    const traffic::Manager none;
    std::unique_ptr<world::Player> stranger;
    if (c.with == With::stranger) { // no agent, as far as the fabric knows
        stranger = std::make_unique<world::Player>("stranger", ns(1), none);
        stranger->socket().bind(fabric.manager[1]);
    }
    fabric.set_limit(1000);
    sc_core::sc_start(ns(1000));

    EXPECT_EQ(behind_memory.calls + behind_bridge.calls, c.way == Way::by_tlm);
    const auto bus = std::find_if(records.begin(), records.end(),
                                  [](const auto &r) { return r.kind == CS_PROBE_BUS; });
    ASSERT_NE(bus, records.end());
    EXPECT_EQ(bus->request, 5u);
    EXPECT_EQ(bus->grant, 6u);
    EXPECT_EQ(bus->resp == CS_BUS_OKAY, c.way != Way::refused);
    EXPECT_EQ(fabric.completed_early() + fabric.completed_late(), 1u);
    cs_memory_destroy(memory);
    cs_guard_destroy(config.guard);
}

} // namespace

TEST(PastTlm, GoesWhatNobodyElseCanSee)
{
    for (const Case &c : cases) {
        SCOPED_TRACE(c.name);
        cs_test::in_child([&c] { expect_way(c); });
    }
}
