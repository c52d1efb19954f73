// SPDX-License-Identifier: Apache-2.0
// Whole runs against the reference: every access, every request cycle, every state.
#include <algorithm>

#include "reference.hpp"

namespace
{

struct Case {
    const char *name;
    cs_pmcu_config config;
    Program program;
};

Program program(unsigned ev_len, unsigned nr_loop, unsigned nr_pmu, bool comp = false)
{
    Program p;
    p.ev_len = ev_len;
    p.nr_loop = nr_loop;
    p.nr_pmu = nr_pmu;
    p.comp = comp;
    return p;
}

//  clusters slots lanes broadcast prefetch ext64 tick unit order
const Case cases[] = {
    {"die_two", {2, 2, 1, false, false, false, 4, 2, CS_PMCU_ORDER_DIE, false}, program(4, 2, 4)},
    {"normal",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(4, 2, 4)},
    {"padded",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(7, 1, 3)},
    {"one_counter",
     {1, 1, 1, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(3, 2, 1)},
    {"eight_counters",
     {3, 2, 1, false, false, false, 2, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(17, 1, 8)},
    {"fewer_events_than_counters",
     {2, 1, 1, false, false, false, 2, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(2, 2, 8)},
    {"comp",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(5, 2, 3, true)},
    {"comp_five",
     {2, 3, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(12, 1, 5, true)},
    {"ext64",
     {2, 2, 1, false, false, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(7, 2, 4)},
    {"ext64_comp",
     {2, 2, 1, false, false, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(7, 2, 4, true)},
    {"broadcast",
     {4, 2, 1, true, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(4, 2, 4)},
    {"prefetch",
     {2, 2, 1, false, true, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(10, 3, 4)},
    {"prefetch_one_group",
     {2, 2, 1, false, true, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(4, 3, 4)},
    {"two_lanes",
     {4, 2, 2, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(6, 2, 4)},
    {"three_lanes_four_clusters",
     {4, 2, 3, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(6, 2, 4)},
    {"four_lanes",
     {9, 3, 4, true, true, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(6, 2, 4)},
    {"more_lanes_than_clusters",
     {2, 2, 4, false, true, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(6, 2, 4, true)},
    {"core",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_CORE, false},
     program(7, 2, 4)},
    {"core_broadcast_ext64",
     {2, 2, 2, true, true, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_CORE, false},
     program(7, 2, 4)},
    {"core_comp",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_CORE, false},
     program(5, 2, 3, true)},
    {"counter",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_COUNTER, false},
     program(7, 2, 8)},
    {"counter_ext64",
     {2, 2, 2, true, true, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_COUNTER, false},
     program(7, 2, 4)},
    {"counter_comp",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_COUNTER, false},
     program(5, 2, 5, true)},
    {"running",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_RUNNING, false},
     program(7, 2, 4)},
    {"running_ext64",
     {2, 2, 2, true, true, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_RUNNING, false},
     program(7, 3, 4)},
    {"running_comp",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_RUNNING, false},
     program(5, 2, 3, true)},
    {"running_comp_ext64",
     {2, 1, 1, true, false, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_RUNNING, false},
     program(5, 2, 3, true)},
    {"running_one_group",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_RUNNING, false},
     program(4, 1, 4)},
    {"posted",
     {2, 2, 1, false, false, false, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, true},
     program(10, 1, 4)},
    {"posted_counter",
     {2, 1, 2, true, false, true, 4, CS_UNIT_PMCU, CS_PMCU_ORDER_COUNTER, true},
     program(10, 1, 4)},
    {"largest_die",
     {16, 8, 4, false, false, false, 20, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false},
     program(16, 1, 8)},
};

Outcome expected(const Case &c, const Die &die, cs_cycle start)
{
    World world = die.world; // as it is before the run
    return reference_run(c.config, c.program, world, start);
}

class Runs : public testing::TestWithParam<Case>
{
};

TEST_P(Runs, MatchTheReference)
{
    for (Style style : {Style::at_once, Style::later})
        for (unsigned max_latency : {1u, 2u, 30u})
            for (uint32_t wait : {0u, 1u, 9u}) {
                Case c = GetParam();
                Die die(c.config, style);
                die.world.max_latency = max_latency;
                c.program.wait_cnt = wait;
                put_events(die.world, c.program);

                const cs_cycle start = put_program(die, c.program, 10);
                const Outcome outcome = expected(c, die, start);
                EXPECT_EQ(outcome.end, die.run_to_idle());

                expect_same(outcome, die);
                EXPECT_EQ(0u, die.read(die.now(), CS_PMCU_FSM_STATUS));
                EXPECT_EQ(CS_PMCU_INT_STAT_DONE_MASK, die.read(die.now(), CS_PMCU_INT_STAT));
                EXPECT_EQ(CS_NEVER, die.next());
                if (HasFailure())
                    return;
            }
}

// An error on the n-th transfer of a port, for every n there is.
TEST_P(Runs, ErrorOnEachTransfer)
{
    Case c = GetParam();
    size_t transfers = 0;
    const size_t step = c.config.clusters > 4 ? 499 : 1;

    for (size_t n = 0; n == 0 || n < transfers; n += step)
        for (unsigned port = 0; port < c.config.lanes; port++) {
            Die die(c.config, n % 2 ? Style::at_once : Style::later);
            die.world.error = [=](unsigned p, unsigned number) -> uint8_t {
                if (p != port || number != n)
                    return CS_BUS_OKAY;
                return n % 3 ? CS_BUS_SLVERR : CS_BUS_DECERR;
            };
            put_events(die.world, c.program);
            const cs_cycle start = put_program(die, c.program, 10);
            const Outcome outcome = expected(c, die, start);
            transfers = std::max(transfers, outcome.transfers.size());
            EXPECT_EQ(outcome.end, die.run_to_idle());
            expect_same(outcome, die);
            EXPECT_EQ(outcome.errors, die.read(die.now(), CS_PMCU_FSM_STATUS));
            EXPECT_EQ(1u, die.read(die.now(), CS_PMCU_INT_STAT));
            ASSERT_FALSE(HasFailure()) << "port " << port << " transfer " << n;
        }
}

// Many errors at once, at random.
TEST_P(Runs, ManyErrors)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        Case c = GetParam();
        Die die(c.config);
        die.world.seed = seed;
        die.world.error = [=](unsigned port, unsigned number) -> uint8_t {
            return mix(seed, port, number) % 23 == 0 ? CS_BUS_SLVERR : CS_BUS_OKAY;
        };
        put_events(die.world, c.program);
        const cs_cycle start = put_program(die, c.program, 10);
        const Outcome outcome = expected(c, die, start);
        EXPECT_EQ(outcome.end, die.run_to_idle());
        expect_same(outcome, die);
        EXPECT_EQ(outcome.errors, die.read(die.now(), CS_PMCU_FSM_STATUS));
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Runs, testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });

// The page's own figures, by hand: one CPU, one counter, every latency 5 (complete = request
// + 5), so that neither reference nor model can be wrong in the same way unseen.
TEST(PmcuRun, TimesByHand)
{
    const cs_pmcu_config config = {
        1, 1, 1, false, false, true, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false};
    Program p = program(1, 1, 1);
    p.wait_cnt = 7;
    Die die(config);
    die.world.min_latency = die.world.max_latency = 5;
    put_events(die.world, p);
    const cs_cycle t = put_program(die, p, 0);
    die.run_to_idle();

    // INIT: 4 accesses, requests at t+1, t+7, t+13, t+19, the last complete at t+24.
    const std::vector<Edge> expected = {
        {t, 1},       // INIT
        {t + 26, 2},  // FETCH: request t+27, complete t+32
        {t + 34, 3},  // PROGRAM: one write
        {t + 42, 4},  // START: one write
        {t + 50, 5},  // WAIT: 7 cycles
        {t + 57, 6},  // STOP: one write
        {t + 65, 7},  // READ: PC, IDs, counter, cycles, PMCR: 5 accesses, last at t+95
        {t + 97, 8},  // STORE: 3 words in one burst
        {t + 105, 9}, // SWITCH
        {t + 106, 0},
    };
    EXPECT_TRUE(expected == die.states);
    const uint64_t addresses[] = {0x20000C20, 0x200004F8, 0x20000E10, 0x20000C80, 0x80001000,
                                  0x20000400, 0x20000C00, 0x20000C20, 0x20000200, 0x20000228,
                                  0x20000000, 0x200000F8, 0x20000E10, 0x80010000};
    ASSERT_EQ(std::size(addresses), die.world.log.size());
    for (size_t i = 0; i < std::size(addresses); i++)
        EXPECT_EQ(addresses[i], die.world.log[i].addr) << i;
    EXPECT_EQ(0x80000001u, die.world.log[0].data[0] | die.world.log[0].data[3] << 24);
    EXPECT_EQ(0xC7u, die.world.log[2].data[0]);
    ASSERT_EQ(1u, die.samples.size());
    EXPECT_TRUE((Sample{t + 105, 0x80010000, 0, 24}) == die.samples[0]);
    // The sample in memory: both IDs, the counter, the cycles.
    const auto &ids = die.world.log[9].data;
    const auto &counter = die.world.log[10].data;
    EXPECT_EQ(ids, std::vector<uint8_t>(die.world.log[13].data.begin(),
                                        die.world.log[13].data.begin() + 8));
    EXPECT_EQ(counter, std::vector<uint8_t>(die.world.log[13].data.begin() + 8,
                                            die.world.log[13].data.begin() + 16));
}

// "Failed slots", by hand: which of three subsamples of a die of two slots fail at slot 1 when its
// only access of a kind, in the first group, is answered with an error.
TEST(PmcuRun, FailedSlotsByHand)
{
    struct Failure {
        const char *name;
        uint32_t offset;
        bool write;
        unsigned nth; // such access of the slot
        bool fails[3];
    };
    const Failure failures[] = {
        {"INIT stop", 0xC20, true, 0, {true, true, true}},
        {"INIT filter", 0x4F8, true, 0, {true, true, true}},
        {"INIT reset", 0xE10, true, 0, {true, true, true}},
        {"INIT flags", 0xC80, true, 0, {true, true, true}},
        {"PROGRAM", 0x400, true, 0, {true, false, false}},
        {"START", 0xC00, true, 0, {true, false, false}},
        {"STOP", 0xC20, true, 1, {true, true, false}},
        {"READ capture", 0x200, false, 0, {true, false, false}},
        {"READ counter", 0x000, false, 0, {true, false, false}},
        {"READ reset", 0xE10, true, 1, {false, true, false}},
    };

    for (const Failure &f : failures) {
        const cs_pmcu_config config = {1, 2, 1, false, false, true, 1, 0, CS_PMCU_ORDER_DIE, false};
        const Program p = program(3, 1, 1);
        Die die(config);
        // The number of the access, from a run without errors.
        put_events(die.world, p);
        put_program(die, p, 0);
        die.run_to_idle();
        unsigned number = 0, seen = 0;
        for (unsigned i = 0; i < die.world.log.size(); i++) {
            const Transfer &t = die.world.log[i];
            if (t.addr == 0x20010000u + f.offset && t.write == f.write && seen++ == f.nth)
                number = i;
        }
        Die bad(config);
        bad.world.error = [=](unsigned, unsigned n) -> uint8_t {
            return n == number ? CS_BUS_SLVERR : CS_BUS_OKAY;
        };
        put_events(bad.world, p);
        put_program(bad, p, 0);
        bad.run_to_idle();

        for (unsigned n = 0; n < 3; n++) {
            const uint64_t at = 0x80010000 + 48 * n;
            for (unsigned slot = 0; slot < 2; slot++) {
                const bool failed = slot == 1 && f.fails[n];
                const bool nobody =
                    bad.world.word(at + 4 * slot) == 0 && bad.world.word(at + 8 + 4 * slot) == 0;
                bool zeros = true;
                for (unsigned word : {16u, 20u, 32u, 36u})
                    zeros = zeros && bad.world.word(at + word + 8 * slot) == 0;
                EXPECT_EQ(nobody, failed) << f.name << ", subsample " << n << ", slot " << slot;
                EXPECT_EQ(zeros, failed) << f.name << ", subsample " << n << ", slot " << slot;
            }
        }
        EXPECT_TRUE(bad.read(bad.now(), CS_PMCU_FSM_STATUS) & CS_PMCU_FSM_STATUS_CORE_ERR_MASK)
            << f.name;
    }
}

// An error in INIT fails all of a run: none of the next one.
TEST(PmcuRun, NoSlotHasFailedAtATrigger)
{
    const cs_pmcu_config config = {1, 2, 1, false, false, true, 1, 0, CS_PMCU_ORDER_DIE, false};
    const Program p = program(3, 1, 1);
    Die die(config);

    die.world.error = [](unsigned, unsigned n) -> uint8_t {
        return n == 1 ? CS_BUS_SLVERR : CS_BUS_OKAY;
    };
    put_events(die.world, p);
    for (const bool fails : {true, false}) {
        die.run(put_program(die, p, die.now()));
        die.run_to_idle();
        for (unsigned n = 0; n < 3; n++)
            EXPECT_EQ(die.world.word(0x80010000 + 48 * n) == 0, fails) << n;
    }
}

// Nobody else can ask when only one port is in use, or the last lane is still busy.
TEST(PmcuRun, Alone)
{
    for (unsigned lanes : {1u, 3u}) {
        const cs_pmcu_config config = {
            4, 2, lanes, false, false, false, 1, CS_UNIT_PMCU, CS_PMCU_ORDER_DIE, false};
        const Program p = program(4, 1, 4);
        Die die(config);
        put_events(die.world, p);
        put_program(die, p, 0);
        die.run_to_idle();

        const auto &log = die.world.log;
        for (size_t i = 0; i < log.size(); i++) {
            bool other = false; // a request of another port before this one is complete
            for (size_t j = 0; j < log.size(); j++)
                other |= log[j].port != log[i].port && log[j].request <= log[i].complete &&
                         log[j].complete >= log[i].request;
            if (die.alone[i]) {
                EXPECT_FALSE(other) << i;
            }
            if (lanes == 1) {
                EXPECT_TRUE(die.alone[i]) << i;
            }
        }
        EXPECT_NE(0, std::count(die.alone.begin(), die.alone.end(), true));
    }
}

} // namespace
