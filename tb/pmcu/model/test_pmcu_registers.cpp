// SPDX-License-Identifier: Apache-2.0
// The register file, and what a trigger does with it.
#include <string>

#include "reference.hpp"
#include "support/refused_calloc.hpp"
#include "support/still.hpp"

namespace
{

struct Register {
    uint32_t offset, reset, kept;
};

// docs/hw/pmcu.md, "Registers": all that has a name.
const Register registers[] = {
    {0x000, 0, 0},         {0x004, 0, 0x000FFFFF}, {0x008, 0, ~0u}, {0x00C, 0, ~0u},
    {0x010, 0, ~0u},       {0x014, 0, ~0u},        {0x018, 0, ~0u}, {0x01C, 0, ~0u},
    {0x020, 0x249F0, ~0u}, {0x038, 0, 0},          {0x03C, 0, 0},   {0x044, 0, 1},
    {0x100, 0, 3},         {0x104, 0, 3},          {0x108, 0, 0},   {0x10C, 0, 0},
    {0x200, 0xC1, 0xE1},   {0x204, 0, 0xFF000000},
};

const Register *find(uint32_t offset)
{
    for (const Register &r : registers)
        if (r.offset == offset)
            return &r;
    return nullptr;
}

const cs_pmcu_config small = {1,    1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE,
                              false};

TEST(PmcuRegisters, ResetAndKeptBitsOfEveryOffset)
{
    for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
        const Register *r = find(offset);
        Die die(small);
        EXPECT_EQ(r ? r->reset : 0, die.read(0, offset)) << std::hex << offset;
        if (offset == 0x38 || offset == 0x3C)
            continue;
        die.write(1, offset, ~0u);
        EXPECT_EQ(r ? r->reset : 0, die.read(1, offset)) << "acts one cycle later";
        EXPECT_EQ(r ? r->kept : 0, die.read(2, offset)) << std::hex << offset;
        die.write(2, offset, 0x5A5A5A5A);
        EXPECT_EQ(r ? r->kept & 0x5A5A5A5A : 0, die.read(3, offset)) << std::hex << offset;
        if (offset < 0x300 || offset % 0x1000 < 0x210) // all others, that nothing moved
            for (const Register &other : registers)
                if (other.offset != offset) {
                    ASSERT_EQ(other.reset, die.read(3, other.offset)) << std::hex << offset;
                }
    }
}

TEST(PmcuRegisters, WideAccessIsAnError)
{
    Die die(small);
    uint64_t data = 1;
    EXPECT_EQ(CS_BUS_SLVERR, cs_pmcu_read(die.pmcu(), 5, CS_PMCU_WAIT_CNT, true, &data));
    EXPECT_EQ(0u, data);
    EXPECT_EQ(5u, die.now());
    EXPECT_EQ(CS_BUS_SLVERR, cs_pmcu_write(die.pmcu(), 6, CS_PMCU_WAIT_CNT, true, 7));
    EXPECT_EQ(0x249F0u, die.read(8, CS_PMCU_WAIT_CNT));
}

TEST(PmcuRegisters, TriggerAndBrkNeedBitZero)
{
    Die die(small);
    die.write(1, CS_PMCU_FSM_CTRL, ~1u);
    die.write(2, CS_PMCU_FSM_BRK, ~1u);
    EXPECT_EQ(0u, die.read(6, CS_PMCU_FSM_STATUS));
    EXPECT_EQ(0u, die.read(6, CS_PMCU_INT_STAT));
}

// In each cycle of a run, and behind it: with requests out, a write that is posted, errors, flags and
// the line. Nothing is left of them, and the next run is like the first.
void reset_in(Die &die, const cs_pmcu_config &config, cs_cycle delay)
{
    const Program p;

    put_events(die.world, p);
    const cs_cycle start = put_program(die, p, 0);
    die.write(start, CS_PMCU_INT_EN, 3);
    die.write(start + 1, CS_PMCU_FSM_CTRL, 1); // lost
    const cs_cycle t = start + 2 + delay;
    die.write(t, CS_PMCU_FSM_BRK, delay % 2);
    die.write(t + 1, CS_PMCU_WAIT_CNT, 7);
    const size_t states = die.states.size(), irqs = die.irqs.size();

    cs_pmcu_reset(die.pmcu(), t + 3);
    EXPECT_EQ(t + 3, die.now());
    EXPECT_FALSE(cs_pmcu_irq(die.pmcu()));
    EXPECT_EQ(CS_NEVER, cs_pmcu_next(die.pmcu()));
    die.run(t + 40); // what was out comes back, and finds nobody
    for (const Register &r : registers)
        EXPECT_EQ(r.reset, die.read(t + 40, r.offset)) << std::hex << r.offset;
    EXPECT_EQ(states, die.states.size());
    EXPECT_EQ(irqs, die.irqs.size());
    EXPECT_EQ(irqs, die.irq_calls.size());

    die.states.clear();
    die.samples.clear();
    die.world.log.clear();
    const cs_cycle again = put_program(die, p, t + 41);
    World world = die.world;
    const Outcome outcome = reference_run(config, p, world, again);
    EXPECT_EQ(outcome.end, die.run_to_idle());
    expect_same(outcome, die);
}

TEST(PmcuRegisters, ResetOfARunningUnit)
{
    const cs_pmcu_config config = {2, 1, 2, false, false, true, 1, 0, CS_PMCU_ORDER_DIE, false};

    for (Style style : {Style::at_once, Style::later})
        for (cs_cycle delay = 0; delay < 160; delay++) {
            Die die(config, style);

            reset_in(die, config, delay);
            ASSERT_FALSE(HasFailure()) << delay;
        }
}

// docs/hw/pmcu.md, "Parameters": the least and the most, and one beyond.
TEST(PmcuCreate, HoldsItsLimits)
{
    struct Limit {
        const char *name;
        unsigned low, high;
        void (*set)(cs_pmcu_config &config, unsigned value);
    };
    const Limit limits[] = {
        {"clusters", 1, CS_PMCU_MAX_CLUSTERS, [](auto &c, unsigned v) { c.clusters = v; }},
        {"slots", 1, CS_PMCU_MAX_SLOTS, [](auto &c, unsigned v) { c.slots = v; }},
        {"lanes", 1, CS_PMCU_MAX_LANES, [](auto &c, unsigned v) { c.lanes = v; }},
        {"tick_cycles", 1, 65535, [](auto &c, unsigned v) { c.tick_cycles = v; }},
        {"order", 0, CS_PMCU_ORDER_RUNNING,
         [](auto &c, unsigned v) { c.order = static_cast<cs_pmcu_order>(v); }},
        {"die", 0, CS_PMCU_MAX_DIES - 1,
         [](auto &c, unsigned v) { c.die = static_cast<uint16_t>(v); }},
    };
    const cs_pmcu_env env = {silent_bus(), nullptr, nullptr, nullptr};

    for (const Limit &limit : limits)
        for (unsigned value : {limit.low, limit.high, limit.high + 1, 0u}) {
            const bool good = value >= limit.low && value <= limit.high;
            cs_pmcu_config config = small;
            cs_pmcu *pmcu = reinterpret_cast<cs_pmcu *>(1);
            cs_diag diag = {};

            config.die = 0;
            limit.set(config, value);
            EXPECT_EQ(good ? CS_OK : CS_ERR_RANGE, cs_pmcu_create(&config, &env, &pmcu, &diag))
                << limit.name << " " << value;
            EXPECT_EQ(good, pmcu != nullptr);
            if (!good) {
                EXPECT_NE(std::string(diag.text).find(limit.name), std::string::npos) << diag.text;
            }
            cs_pmcu_destroy(pmcu);
        }
}

#ifndef __SANITIZE_ADDRESS__
TEST(PmcuCreate, TellsThatThereIsNoMemory)
{
    cs_pmcu_config config = small;
    const cs_pmcu_env env = {silent_bus(), nullptr, nullptr, nullptr};

    config.die = 0;
    expect_no_memory<cs_pmcu>("PMCU", [&](cs_pmcu **out, cs_diag *diag) {
        return cs_pmcu_create(&config, &env, out, diag);
    });
}
#endif

TEST(PmcuCreate, NeedsABus)
{
    const cs_pmcu_env none = {};
    cs_pmcu_config config = small;

    config.die = 0;
    for (const cs_pmcu_env *env : std::initializer_list<const cs_pmcu_env *>{nullptr, &none}) {
        cs_pmcu *pmcu = reinterpret_cast<cs_pmcu *>(1);
        cs_diag diag = {};

        EXPECT_EQ(CS_ERR_RANGE, cs_pmcu_create(&config, env, &pmcu, &diag));
        EXPECT_EQ(nullptr, pmcu);
        EXPECT_STREQ("env: bus.submit must be set", diag.text);
    }
}

// Asked, it answers what a read gives: a write that is posted has not taken effect yet.
TEST(PmcuRegisters, AskedAsRead)
{
    Die die(small);
    uint64_t answer, value;

    die.write(100, CS_PMCU_WAIT_CNT, 0x1234);
    for (int round = 0; round < 2; round++) {
        for (uint32_t offset = 0; offset < 0x200; offset += 4) {
            EXPECT_EQ(CS_BUS_OKAY, cs_pmcu_ask(die.pmcu(), offset, false, &answer));
            EXPECT_EQ(CS_BUS_OKAY, cs_pmcu_read(die.pmcu(), die.now(), offset, false, &value));
            EXPECT_EQ(answer, value) << std::hex << offset;
            if (offset == CS_PMCU_WAIT_CNT) {
                EXPECT_EQ(answer, round == 0 ? 0x249F0u : 0x1234u);
            }
        }
        die.run(200);
    }
    EXPECT_EQ(CS_BUS_SLVERR, cs_pmcu_ask(die.pmcu(), 0, true, &answer));
    EXPECT_EQ(0u, answer);
}

TEST(PmcuDeathTest, NothingInThePastAndOneWriteACycle)
{
    Die die(small);
    uint64_t data;

    die.write(100, CS_PMCU_WAIT_CNT, 1);
    EXPECT_DEATH(
        cs_pmcu_write(die.pmcu(), 100, CS_PMCU_WAIT_CNT, false, 2),
        "^countersink: PMCU: a second write in cycle 100: must be in a cycle of its own\n$");
    EXPECT_DEATH(cs_pmcu_write(die.pmcu(), 99, CS_PMCU_WAIT_CNT, false, 2),
                 "^countersink: PMCU: an access in cycle 99: must be in 100 or later\n$");
    EXPECT_DEATH(cs_pmcu_read(die.pmcu(), 99, CS_PMCU_WAIT_CNT, false, &data),
                 "an access in cycle 99");
}

struct Config {
    unsigned ev_len, nr_loop, nr_pmu;
    bool comp, legal;
};

TEST(PmcuTrigger, LegalAndIllegalConfigurations)
{
    std::vector<Config> table = {{0, 1, 1, false, false},
                                 {1, 0, 1, false, false},
                                 {0, 0, 0, false, false},
                                 {255, 255, 0, false, false},
                                 {255, 1, 8, false, true}};
    for (unsigned p = 0; p < 16; p++) {
        table.push_back({1, 1, p, false, p >= 1 && p <= 8});
        table.push_back({1, 1, p, true, p >= 1 && p <= 5});
    }
    for (const Config &c : table) {
        Die die(small);
        // An error of before, which the trigger clears whatever comes of it.
        die.write(0, CS_PMCU_FSM_CFG, 1 | 1 << 8 | 1 << 16);
        die.write(1, CS_PMCU_FSM_CTRL, 1);
        die.run_to_idle();
        EXPECT_EQ(0x1000u, die.read(die.now(), CS_PMCU_FSM_STATUS));
        const cs_cycle t = die.now();
        const size_t transfers = die.world.log.size();
        die.write(t, CS_PMCU_INT_CLR, 3);
        die.write(t + 1, CS_PMCU_FSM_CFG, c.ev_len | c.nr_loop << 8 | c.nr_pmu << 16);
        die.write(t + 2, CS_PMCU_COMP, c.comp);
        die.write(t + 3, CS_PMCU_FSM_CTRL, 1);
        EXPECT_EQ(0x1000u, die.read(t + 3, CS_PMCU_FSM_STATUS));
        EXPECT_EQ(c.legal ? 0x11u : 0x100u, die.read(t + 4, CS_PMCU_FSM_STATUS)) << c.nr_pmu;
        EXPECT_EQ(c.legal ? 0u : 1u, die.read(t + 4, CS_PMCU_INT_STAT));
        die.run(t + 10);
        EXPECT_EQ(c.legal, die.world.log.size() > transfers);
    }
}

TEST(PmcuTrigger, LostInEveryStateButIdle)
{
    Program p;
    p.nr_loop = 2;
    p.wait_cnt = 2;
    World world;
    put_events(world, p);
    const cs_cycle start = 12;
    const Outcome outcome = reference_run(small, p, world, start);
    for (cs_cycle t = start; t <= outcome.end; t++) {
        Die die(small);
        put_events(die.world, p);
        ASSERT_EQ(start, put_program(die, p, 0));
        die.write(t, CS_PMCU_FSM_CTRL, 1);
        die.run(t + 1);
        const uint32_t status = die.read(t + 1, CS_PMCU_FSM_STATUS);
        if (t == outcome.end) {
            EXPECT_EQ(0x11u, status);
            continue;
        }
        EXPECT_EQ(CS_PMCU_FSM_STATUS_TRIG_LOST_MASK, status & 0x3F00);
        EXPECT_EQ(outcome.end, die.run_to_idle());
        expect_same(outcome, die);
        ASSERT_FALSE(HasFailure()) << t;
    }
}

} // namespace
