// SPDX-License-Identifier: Apache-2.0
// docs/hw/hart.md, "Operations": every row of the table, and the times around it.
#include "hart_bench.hpp"

using namespace cs_test;
using Log = HartBench::Log;

namespace
{

// Given a first operation, the cycles of the next: s is 1.
struct Row {
    const char *name;
    void (*operation)(cs_hart *hart);
    Log expected;  // what others see
    cs_cycle next; // the cycle in which the next operation begins
};

void expect_rows(const std::vector<Row> &rows, const cs_hart_costs &costs,
                 const std::vector<HartBench::Level> &levels = {})
{
    for (const Row &row : rows)
        for (Way way : kWays) {
            SCOPED_TRACE(std::string(row.name) + ", way " + std::to_string(static_cast<int>(way)));
            HartBench b;
            cs_cycle next = 0;

            b.config.costs = costs;
            b.levels = levels;
            EXPECT_EQ(b.run(way,
                            [&](cs_hart *hart) {
                                row.operation(hart);
                                next = cs_hart_now(hart);
                            }),
                      row.expected);
            EXPECT_EQ(next, row.next);
            EXPECT_EQ(cs_hart_ended(b.hart), way != Way::kDirect);
            EXPECT_EQ(cs_hart_end_cycle(b.hart), way != Way::kDirect ? row.next : CS_NEVER);
        }
}

unsigned waited(cs_hart *hart, cs_cycle until, unsigned lines, cs_cycle *end = nullptr)
{
    const unsigned high = cs_hart_wait(hart, until, lines);

    if (end != nullptr)
        *end = cs_hart_now(hart) - 1;
    return high;
}

} // namespace

TEST(HartOperations, EndWhereTheTableSays)
{
    expect_rows(
        {
            {"nothing", [](cs_hart *) {}, {}, 1},
            {"CSR",
             [](cs_hart *h) { cs_hart_csr_write(h, 0x320, 5); },
             {"csr 320 op 1 value 5 mode 0 time 3 @3"},
             4},
            {"load",
             [](cs_hart *h) {
                 uint64_t value;
                 cs_hart_load64(h, 0x1000, &value);
             },
             {"load 1000 1x8 @21"},
             26},
            {"store",
             [](cs_hart *h) { cs_hart_store64(h, 0x1000, 0); },
             {"store 1000 1x8 @21"},
             26},
            {"two transfers",
             [](cs_hart *h) { cs_hart_store64(h, 0x1004, 0); },
             {"store 1004 1x4 @21", "store 1008 1x4 @46"},
             51},
            {"work", [](cs_hart *h) { cs_hart_work(h, 9); }, {}, 10},
            {"no work", [](cs_hart *h) { cs_hart_work(h, 0); }, {}, 1},
            {"run", [](cs_hart *h) { cs_hart_run(h, CS_HART_GUEST); }, {"run 3 @1"}, 1},
            {"run what runs", [](cs_hart *h) { cs_hart_run(h, CS_HART_WORKLOAD); }, {}, 1},
            {"wait", [](cs_hart *h) { EXPECT_EQ(cs_hart_wait(h, 12, 7), 0u); }, {}, 13},
            {"trap", [](cs_hart *h) { cs_hart_trap(h, CS_HART_KERNEL); }, {"run 1 @1"}, 71},
            {"trap and return",
             [](cs_hart *h) { cs_hart_return(h, cs_hart_trap(h, CS_HART_FIRMWARE)); },
             {"run 2 @1", "run 0 @121"},
             121},
        },
        kCosts);
}

TEST(HartOperations, CostNothingButTheirCycle)
{
    expect_rows(
        {
            {"CSR",
             [](cs_hart *h) { cs_hart_csr_read(h, 0xb00); },
             {"csr b00 op 0 value 0 mode 0 time 1 @1"},
             2},
            {"store", [](cs_hart *h) { cs_hart_store64(h, 0, 0); }, {"store 0 1x8 @1"}, 6},
            {"trap and return",
             [](cs_hart *h) { cs_hart_return(h, cs_hart_trap(h, CS_HART_FIRMWARE)); },
             {"run 2 @1", "run 0 @1"},
             1},
        },
        kNoCosts);
}

// One after the other: each begins in the cycle after the end of the one before.
TEST(HartOperations, FollowEachOther)
{
    expect_rows({{"all of them",
                  [](cs_hart *h) {
                      cs_hart_csr_set(h, 0x320, 8);      // 1..3
                      cs_hart_work(h, 10);               // 4..13
                      cs_hart_store64(h, 0x2000, 1);     // 14..33, 34..38
                      cs_hart_trap(h, CS_HART_KERNEL);   // 39..108
                      cs_hart_csr_clear(h, 0x320, 8);    // 109..111
                      cs_hart_wait(h, 120, 1);           // 112..120
                      cs_hart_trap(h, CS_HART_FIRMWARE); // 121..190
                      cs_hart_csr_read(h, 0xb03);        // 191..193
                      cs_hart_return(h, CS_HART_KERNEL); // 194..243
                      cs_hart_csr_read(h, 0xc03);        // 244..246
                  },
                  {"csr 320 op 2 value 8 mode 0 time 3 @3", "store 2000 1x8 @34", "run 1 @39",
                   "csr 320 op 3 value 8 mode 1 time 111 @111", "run 2 @121",
                   "csr b03 op 0 value 0 mode 3 time 193 @193", "run 1 @244",
                   "csr c03 op 0 value 0 mode 1 time 246 @246"},
                  247}},
                kCosts);
}

// ---- CSR instructions ----

TEST(HartCsr, HasTheModeOfTheTrackInTheCycleOfTheEffect)
{
    const struct {
        cs_hart_track track;
        cs_cycle effect;
        unsigned mode;
    } rows[] = {
        {CS_HART_KERNEL, 50, CS_HPM_MODE_S},    {CS_HART_FIRMWARE, 50, CS_HPM_MODE_M},
        {CS_HART_GUEST, 50, CS_HPM_MODE_VS},    {CS_HART_WORKLOAD, 15, CS_HPM_MODE_U},
        {CS_HART_WORKLOAD, 16, CS_HPM_MODE_VU}, // begins in U
        {CS_HART_WORKLOAD, 18, CS_HPM_MODE_VU}, {CS_HART_WORKLOAD, 32, CS_HPM_MODE_U},
    };

    for (const auto &row : rows)
        for (Way way : kWays) {
            HartBench b;
            const Log &log = b.run(way, [&](cs_hart *h) {
                cs_hart_run(h, row.track);
                cs_hart_work(h, row.effect - 3);
                cs_hart_csr_read(h, 0x123);
            });
            EXPECT_EQ(log.back(), "csr 123 op 0 value 0 mode " + std::to_string(row.mode) +
                                      " time " + std::to_string(row.effect) + " @" +
                                      std::to_string(row.effect));
        }
}

TEST(HartCsr, GivesTheOldValueAndTheException)
{
    for (Way way : kWays) {
        HartBench b;
        b.exceptions = {{0x111, CS_HPM_EXCEPTION_ILLEGAL}, {0x222, CS_HPM_EXCEPTION_VIRTUAL}};
        b.run(way, [](cs_hart *h) {
            const cs_hpm_result none = cs_hart_csr(h, 0x333, CS_HPM_OP_SET, 1);
            EXPECT_EQ(none.exception, CS_HPM_EXCEPTION_NONE);
            EXPECT_EQ(none.value, 0x1000003u);
            EXPECT_EQ(cs_hart_csr(h, 0x111, CS_HPM_OP_READ, 0).exception, CS_HPM_EXCEPTION_ILLEGAL);
            EXPECT_EQ(cs_hart_csr(h, 0x222, CS_HPM_OP_READ, 0).exception, CS_HPM_EXCEPTION_VIRTUAL);
            EXPECT_EQ(cs_hart_csr_read(h, 0x333), 0x100000cu);
            EXPECT_EQ(cs_hart_csr_set(h, 0x333, 1), 0x100000fu);
            EXPECT_EQ(cs_hart_csr_clear(h, 0x333, 1), 0x1000012u);
        });
        EXPECT_EQ(cs_hart_failed(b.hart), nullptr);
    }
}

TEST(HartCsr, RemembersTheFirstThatTrapped)
{
    using Call = void (*)(cs_hart *);
    const Call calls[] = {
        [](cs_hart *h) { EXPECT_EQ(cs_hart_csr_read(h, 0x0b3), 0u); },
        [](cs_hart *h) { cs_hart_csr_write(h, 0x0b3, 0); },
        [](cs_hart *h) { EXPECT_EQ(cs_hart_csr_set(h, 0x0b3, 0), 0u); },
        [](cs_hart *h) { EXPECT_EQ(cs_hart_csr_clear(h, 0x0b3, 0), 0u); },
    };

    for (cs_hpm_exception exception : {CS_HPM_EXCEPTION_ILLEGAL, CS_HPM_EXCEPTION_VIRTUAL})
        for (Call call : calls) {
            HartBench b;
            b.exceptions = {{0x0b3, exception}, {0x111, exception}};
            b.run(Way::kDirect, [&](cs_hart *h) {
                cs_hart_csr(h, 0x111, CS_HPM_OP_READ, 0);
                EXPECT_EQ(cs_hart_failed(h), nullptr) << "of cs_hart_csr the caller knows";
                call(h);
                cs_hart_csr_read(h, 0x111);
                cs_hart_csr_read(h, 0x333);
            });
            EXPECT_STREQ(cs_hart_failed(b.hart), "an instruction for CSR 0x0b3 trapped");
        }
}

TEST(HartCsr, IsGoneWhenItIsDone)
{
    HartBench b;

    b.run(Way::kDirect, [](cs_hart *h) {
        cs_hart_csr_read(h, 0x320);
        EXPECT_EQ(cs_hart_access(h, 3), nullptr);
    });
}

// ---- what a hypervisor carries out ----

namespace
{

struct Emulated {
    std::string log;
    bool does = true;

    static bool emulate(void *ctx, cs_hart *hart, uint16_t csr, cs_hpm_op op, uint64_t value,
                        uint64_t *old)
    {
        Emulated &e = *static_cast<Emulated *>(ctx);
        char text[100];

        snprintf(text, sizeof text, "%03x op %d value %llu track %d @%llu; ", csr, op,
                 static_cast<unsigned long long>(value), cs_hart_running(hart),
                 static_cast<unsigned long long>(cs_hart_now(hart)));
        e.log += text;
        cs_hart_return(hart, cs_hart_trap(hart, CS_HART_KERNEL));
        *old = 99;
        return e.does;
    }
};

} // namespace

TEST(HartEmulator, CarriesOutVirtualInstructions)
{
    for (Way way : kWays) {
        HartBench b;
        Emulated e;

        b.exceptions = {{0xda0, CS_HPM_EXCEPTION_VIRTUAL}, {0x111, CS_HPM_EXCEPTION_ILLEGAL}};
        b.run(way, [&](cs_hart *h) {
            cs_hart_run(h, CS_HART_GUEST);
            cs_hart_emulate(h, Emulated::emulate, &e);
            EXPECT_EQ(cs_hart_csr_set(h, 0xda0, 5), 99u); // 1..3, 4..123
            EXPECT_EQ(cs_hart_now(h), 124u);
            EXPECT_EQ(cs_hart_running(h), CS_HART_GUEST);
            cs_hart_csr_write(h, 0xda0, 6);                    // 124..126, 127..246
            EXPECT_EQ(cs_hart_csr_read(h, 0x333), 0x10000f9u); // 247..249
            EXPECT_EQ(cs_hart_csr(h, 0xda0, CS_HPM_OP_READ, 0).exception, CS_HPM_EXCEPTION_VIRTUAL);
            EXPECT_EQ(cs_hart_failed(h), nullptr);
            EXPECT_EQ(cs_hart_csr_read(h, 0x111), 0u);
        });
        EXPECT_EQ(e.log, "da0 op 2 value 5 track 3 @4; da0 op 1 value 6 track 3 @127; ");
        EXPECT_STREQ(cs_hart_failed(b.hart), "an instruction for CSR 0x111 trapped");
    }
}

TEST(HartEmulator, MayRefuseAndMayBeTakenAway)
{
    HartBench b;
    Emulated e;

    b.exceptions = {{0xda0, CS_HPM_EXCEPTION_VIRTUAL}, {0xda1, CS_HPM_EXCEPTION_VIRTUAL}};
    e.does = false;
    b.run(Way::kDirect, [&](cs_hart *h) {
        cs_hart_emulate(h, Emulated::emulate, &e);
        EXPECT_EQ(cs_hart_csr_read(h, 0xda0), 0u);
    });
    EXPECT_STREQ(cs_hart_failed(b.hart), "an instruction for CSR 0xda0 trapped");
    e.does = true;
    e.log.clear();
    b.run(Way::kDirect, [&](cs_hart *h) {
        cs_hart_emulate(h, Emulated::emulate, &e);
        cs_hart_emulate(h, nullptr, nullptr);
        EXPECT_EQ(cs_hart_csr_read(h, 0xda1), 0u);
    });
    EXPECT_EQ(e.log, "");
    EXPECT_STREQ(cs_hart_failed(b.hart), "an instruction for CSR 0xda1 trapped");
}

// ---- waits ----

TEST(HartWait, EndsWithTheLineOrTheCycle)
{
    const struct {
        const char *name;
        std::vector<HartBench::Level> levels;
        cs_cycle until;
        unsigned lines;
        cs_cycle end;
        unsigned high;
    } rows[] = {
        // the wait begins in cycle 100
        {"no line", {}, 150, 7, 150, 0},
        {"a line rises", {{130, 140, 2}}, 150, 7, 130, 2},
        {"two rise", {{130, 140, 2}, {130, 131, 4}}, 150, 7, 130, 6},
        {"of two one is asked for", {{130, 140, 6}}, 150, 4, 130, 4},
        {"another line", {{130, 140, 1}}, 150, 6, 150, 0},
        {"the second", {{110, 120, 1}, {130, 140, 2}}, 150, 6, 130, 2},
        {"high already", {{90, 120, 2}}, 150, 2, 100, 2},
        {"high in the first cycle only", {{100, 101, 2}}, 150, 2, 100, 2},
        {"too early", {{90, 100, 2}}, 150, 2, 150, 0},
        {"with the cycle", {{150, 151, 2}}, 150, 2, 150, 2},
        {"after the cycle", {{151, 200, 2}}, 150, 2, 150, 0},
        {"one cycle", {}, 100, 7, 100, 0},
        {"one cycle, line", {{100, 200, 1}}, 100, 7, 100, 1},
        {"until has gone", {}, 99, 7, 100, 0},
        {"until has long gone, line", {{100, 200, 1}}, 0, 7, 100, 1},
        {"until has gone, line rises later", {{101, 200, 1}}, 99, 7, 100, 0},
        {"no line asked for", {{0, 500, 7}}, 150, 0, 150, 0},
        {"for ever", {{900, 901, 4}}, CS_NEVER, 7, 900, 4},
        {"nearly for ever", {{900, 901, 4}}, CS_NEVER - 1, 7, 900, 4},
    };

    for (const auto &row : rows)
        for (Way way : kWays)
            for (uint64_t seed = 1; seed < 6; seed++) {
                SCOPED_TRACE(std::string(row.name) + ", way " +
                             std::to_string(static_cast<int>(way)));
                HartBench b;
                cs_cycle end = 0;
                unsigned high = 99;

                b.levels = row.levels;
                b.run(
                    way,
                    [&](cs_hart *h) {
                        cs_hart_work(h, 99);
                        high = waited(h, row.until, row.lines, &end);
                    },
                    seed);
                EXPECT_EQ(end, row.end);
                EXPECT_EQ(high, row.high);
            }
}

// An interrupt: the wait ends in 30, 400 cycles more of the workload, then the trap.
TEST(HartWait, AndTheInterruptAfterIt)
{
    for (Way way : kWays) {
        HartBench b;

        b.levels = {{30, CS_NEVER, CS_HART_LCOFI_S}};
        const Log &log = b.run(way, [](cs_hart *h) {
            EXPECT_EQ(cs_hart_wait(h, 1000, CS_HART_LCOFI_S), CS_HART_LCOFI_S);
            cs_hart_work(h, cs_hart_get_costs(h)->irq_latency_cycles);
            cs_hart_trap(h, CS_HART_KERNEL);
            cs_hart_csr_read(h, 0xda0);
        });
        EXPECT_EQ(log, (Log{"run 1 @431", "csr da0 op 0 value 0 mode 1 time 503 @503"}));
    }
}

// ---- who was interrupted ----

TEST(HartContext, IsTheWorkloadsOfTheFirstCycleOfTheTrap)
{
    for (Way way : kWays) {
        HartBench b;

        b.run(way, [](cs_hart *h) {
            cs_context c;

            cs_hart_work(h, 20);
            cs_hart_context(h, &c);
            EXPECT_EQ(c.pc, 0x10000 + 4 * 21u) << "of the workload itself: of now";
            cs_hart_trap(h, CS_HART_KERNEL);
            for (int i = 0; i < 2; i++) {
                cs_hart_context(h, &c);
                EXPECT_EQ(c.pc, 0x10000 + 4 * 21u) << "of the trap's first cycle";
                EXPECT_EQ(c.mode, CS_HPM_MODE_VU);
                EXPECT_EQ(c.cid1, 7u);
                cs_hart_csr_read(h, 0xda0);
                cs_hart_trap(h, CS_HART_FIRMWARE); // from software: nobody else is interrupted
            }
            cs_hart_return(h, CS_HART_WORKLOAD); // 21 + 70 + 2 x (3 + 70) + 50
            cs_hart_context(h, &c);
            EXPECT_EQ(c.pc, 0x10000 + 4 * 287u);
        });
    }
}

// ---- time ----

TEST(HartTime, IsFlooredFromTheClock)
{
    const struct {
        uint64_t start;
        unsigned time_mhz, clock_mhz;
    } rows[] = {{0, 1, 1}, {0, 10, 1000}, {5, 3, 7}, {UINT64_C(1) << 62, 24, 1100}, {9, 100, 33}};
    const cs_cycle cycles[] = {
        1, 2, 3, 6, 7, 8, 99, 100, 1099, 1100, UINT64_C(1) << 40, (UINT64_C(1) << 60) - 1};

    for (const auto &row : rows)
        for (cs_cycle cycle : cycles) {
            HartBench b;
            b.config.time_start = row.start;
            b.config.time_mhz = row.time_mhz;
            b.config.clock_mhz = row.clock_mhz;
            const auto expected = [&](cs_cycle t) {
                return static_cast<uint64_t>(row.start + static_cast<unsigned __int128>(t) *
                                                             row.time_mhz / row.clock_mhz);
            };
            const Log &log = b.run(Way::kDirect, [&](cs_hart *h) {
                cs_hart_work(h, cycle - 1);
                EXPECT_EQ(cs_hart_time(h), expected(cycle));
                cs_hart_csr_read(h, 0xc01);
            });
            EXPECT_EQ(log.back(), "csr c01 op 0 value 0 mode " +
                                      std::to_string(HartBench::mode_at(cycle + 2)) + " time " +
                                      std::to_string(expected(cycle + 2)) + " @" +
                                      std::to_string(cycle + 2))
                << "time of the effect's cycle";
        }
}

TEST(HartSmall, ToldIsWhatWasGiven)
{
    HartBench b;

    b.config.number = 6;
    b.config.xlen = 32;
    b.create(false, {});
    EXPECT_EQ(cs_hart_number(b.hart), 6u);
    EXPECT_EQ(cs_hart_xlen(b.hart), 32u);
    EXPECT_EQ(memcmp(cs_hart_get_costs(b.hart), &kCosts, sizeof kCosts), 0);
    EXPECT_EQ(cs_hart_running(b.hart), CS_HART_WORKLOAD);
    EXPECT_EQ(cs_hart_run(b.hart, CS_HART_GUEST), CS_HART_WORKLOAD);
    EXPECT_EQ(cs_hart_run(b.hart, CS_HART_GUEST), CS_HART_GUEST);
    EXPECT_EQ(cs_hart_trap(b.hart, CS_HART_FIRMWARE), CS_HART_GUEST);
    EXPECT_EQ(cs_hart_running(b.hart), CS_HART_FIRMWARE);
    cs_hart_destroy(nullptr);
}

// ---- who had the cycles ----

TEST(HartCycles, AddUpToAll)
{
    for (Way way : kWays) {
        HartBench b;

        b.run(way, [](cs_hart *h) {
            cs_hart_work(h, 10);                 // workload: 0..10
            cs_hart_trap(h, CS_HART_KERNEL);     // 11..80
            cs_hart_trap(h, CS_HART_FIRMWARE);   // 81..150
            cs_hart_csr_read(h, 0xb00);          // 151..153
            cs_hart_return(h, CS_HART_KERNEL);   // 154..203
            cs_hart_return(h, CS_HART_WORKLOAD); // kernel: 204..253
            cs_hart_run(h, CS_HART_GUEST);
            cs_hart_work(h, 7); // 254..260
            cs_hart_run(h, CS_HART_WORKLOAD);
            cs_hart_work(h, 1000); // 261..1260
        });
        const struct {
            cs_cycle now;
            uint64_t cycles[CS_HART_TRACKS];
        } rows[] = {{1261, {1011, 120, 123, 7}}, {2000, {1750, 120, 123, 7}}};

        EXPECT_EQ(cs_hart_now(b.hart), 1261u);
        for (const auto &row : rows)
            for (unsigned i = 0; i < CS_HART_TRACKS; i++)
                EXPECT_EQ(cs_hart_cycles(b.hart, static_cast<cs_hart_track>(i), row.now),
                          row.cycles[i])
                    << i;
        EXPECT_EQ(cs_hart_cycles(b.hart, CS_HART_WORKLOAD, 261), 11u) << "of a track that begins";
        EXPECT_EQ(cs_hart_cycles(b.hart, CS_HART_WORKLOAD, 260), 11u) << "that is yet to begin";
    }
}

// ---- what a caller without a stack of its own may not do ----

TEST(HartDeathTest, NobodyIsThereToWaitFor)
{
    HartBench b;

    b.bus = Bus::kLaterAlways;
    b.create(false, {});
    EXPECT_DEATH(cs_hart_store64(b.hart, 0, 0), "hart: a transfer is pending: ");
    EXPECT_DEATH(cs_hart_wait(b.hart, CS_NEVER, 0), "hart: a wait without an end: ");
}
