// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Access" and the registers; the object itself.
#include "bench.hpp"
#include "support/still.hpp"

namespace
{

constexpr uint64_t all = ~uint64_t{0};

TEST(ImcObject, RefusesWhatItCannotBe)
{
    const cs_event_source still = still_events();
    const cs_event_source events[4] = {still, still, still, still};
    const cs_imc_core_env env = {silent_bus(), 0, events, nullptr};
    const cs_imc_core_config good = {false, 4, 18, {0, 512, 1000}, imc_unit};
    const struct {
        const char *what;
        cs_imc_core_config config;
    } cases[] = {
        {"threads is 0", {false, 0, 18, {0, 512, 1000}, 0}},
        {"threads is 3", {false, 3, 18, {0, 512, 1000}, 0}},
        {"threads is 8", {false, 8, 18, {0, 512, 1000}, 0}},
        {"tap_log2 is 1", {false, 4, 1, {0, 512, 1000}, 0}},
        {"tap_log2 is 19", {false, 4, 19, {0, 512, 1000}, 0}},
        {"tb_num is 0", {false, 4, 18, {0, 0, 1000}, 0}},
        {"tb_den is 0", {false, 4, 18, {0, 1, 0}, 0}},
        {"tb_den is 65536", {false, 4, 18, {0, 1, 65536}, 0}},
        {"tb_num, with this tb_den, is 1001", {false, 4, 18, {0, 1001, 1000}, 0}},
    };
    cs_imc_core *core = nullptr;

    for (const auto &c : cases) {
        cs_diag diag = {};
        core = reinterpret_cast<cs_imc_core *>(1);
        EXPECT_EQ(CS_ERR_RANGE, cs_imc_core_create(&c.config, &env, &core, &diag)) << c.what;
        EXPECT_EQ(nullptr, core);
        EXPECT_NE(std::string::npos, std::string(diag.text).find(c.what)) << diag.text;
        EXPECT_EQ(CS_ERR_RANGE, cs_imc_core_create(&c.config, &env, &core, nullptr));
    }
    EXPECT_EQ(CS_OK, cs_imc_core_create(&good, &env, &core, nullptr));
    EXPECT_EQ(0u, cs_imc_core_now(core));
    EXPECT_EQ(CS_NEVER, cs_imc_core_next(core));
    for (unsigned thread = 5; thread-- > 0;) {
        cs_imc_core_events_changed(core, thread);
        EXPECT_EQ(CS_NEVER, cs_imc_core_next(core)) << thread;
    }
    EXPECT_EQ(1000u, cs_imc_core_advance(core, 1000));
    EXPECT_EQ(1000u, cs_imc_core_advance(core, 10));
    cs_imc_core_destroy(core);
    cs_imc_core_destroy(nullptr);
}

TEST(ImcRegisters, ResetIsZero)
{
    Bench bench(config_of(4));

    for (unsigned reg : {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11})
        EXPECT_EQ(0u, bench.read(0, reg)) << reg;
}

// Given a value in cycle e, e reads the old one and e + 1 the new.
TEST(ImcRegisters, KeepWhatIsTheirs)
{
    const struct {
        unsigned reg;
        uint64_t kept;
    } cases[] = {
        {CS_IMC_REG_HTM_MODE, all},     {CS_IMC_REG_PDBAR, all},
        {CS_IMC_REG_EVENT_MASK, all},   {CS_IMC_REG_TRACE, all},
        {CS_IMC_REG_FIR, field(3, 13)}, {CS_IMC_REG_ERR_RPT, field(1, 24)},
        {CS_IMC_REG_LDBAR, all},        {CS_IMC_REG_LDBAR + 3, all},
    };

    for (const auto &c : cases) {
        Bench bench(config_of(4));
        EXPECT_TRUE(bench.write(10, c.reg, all));
        EXPECT_EQ(10u, cs_imc_core_next(bench.model()));
        EXPECT_EQ(0u, bench.read(10, c.reg)) << c.reg;
        EXPECT_EQ(c.kept, bench.read(11, c.reg)) << c.reg;
        EXPECT_TRUE(bench.write(12, c.reg, 0x123456789ABCDEF0));
        EXPECT_EQ(0x123456789ABCDEF0 & c.kept, bench.read(13, c.reg)) << c.reg;
        for (unsigned other : {0, 2, 3, 4, 5, 6, 8, 9, 10, 11})
            if (other != c.reg) {
                EXPECT_EQ(0u, bench.read(13, other)) << c.reg << " " << other;
            }
    }
}

TEST(ImcRegisters, ErrorsChangeNothing)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        Bench bench(config_of(threads));
        for (unsigned reg = 0; reg < 40; reg++) {
            const bool is = reg <= 6 || (reg >= 8 && reg < 8 + threads);
            EXPECT_EQ(!is, !bench.write(10, reg, 0) && reg != CS_IMC_REG_STATUS) << reg;
            if (!is) {
                EXPECT_TRUE(bench.read_fails(10, reg)) << reg;
            }
        }
        EXPECT_FALSE(bench.write(10, CS_IMC_REG_STATUS, all));
        EXPECT_EQ(0u, bench.read(11, CS_IMC_REG_STATUS));
    }
}

// Two bridges can act in one cycle.
TEST(ImcRegisters, TwoWritesOfOneCycle)
{
    Bench bench(config_of(2));

    bench.write(10, CS_IMC_REG_PDBAR, 7);
    bench.write(10, CS_IMC_REG_LDBAR + 1, 8);
    EXPECT_EQ(7u, bench.read(11, CS_IMC_REG_PDBAR));
    EXPECT_EQ(8u, bench.read(11, CS_IMC_REG_LDBAR + 1));
}

// ---- power ----

TEST(ImcPower, AccessesFailFromItsCycleAndStateIsReset)
{
    Bench bench(config_of(2));

    for (unsigned reg : {0, 2, 3, 4, 5, 6, 8, 9})
        bench.write(10 + reg, reg, all);
    cs_imc_core_set_power(bench.model(), 40, false);
    EXPECT_EQ(all, bench.read(39, CS_IMC_REG_PDBAR));
    EXPECT_TRUE(bench.read_fails(40, CS_IMC_REG_PDBAR));
    EXPECT_FALSE(bench.write(40, CS_IMC_REG_PDBAR, 1));
    EXPECT_TRUE(bench.read_fails(45, CS_IMC_REG_LDBAR));
    cs_imc_core_set_power(bench.model(), 50, true);
    EXPECT_TRUE(bench.read_fails(49, CS_IMC_REG_STATUS));
    for (unsigned reg : {0, 1, 2, 3, 4, 5, 6, 8, 9})
        EXPECT_EQ(0u, bench.read(50, reg)) << reg;
    bench.write(50, CS_IMC_REG_PDBAR, 3);
    EXPECT_EQ(3u, bench.read(51, CS_IMC_REG_PDBAR));
}

TEST(ImcPower, OneCycleIsEnough)
{
    Bench bench(config_of(1));

    bench.write(10, CS_IMC_REG_HTM_MODE, htm_on);
    bench.power(20, false);
    bench.power(21, true);
    EXPECT_EQ(0u, bench.read(21, CS_IMC_REG_HTM_MODE));
    bench.run(100);
    const std::vector<cs_probe_record> states = {state_record(11, SYNC), state_record(13, RUN),
                                                 state_record(21, OFF)};
    EXPECT_EQ(states, bench.records_of(CS_PROBE_STATE));
}

// Of a write that power takes in its own cycle nothing is left, not even for the next one.
TEST(ImcPower, AWriteOfItsCycleIsLost)
{
    Bench bench(config_of(1));

    EXPECT_TRUE(bench.write(20, CS_IMC_REG_PDBAR, 7));
    bench.power(20, false);
    bench.power(30, true);
    bench.run(31);
    EXPECT_EQ(CS_NEVER, cs_imc_core_next(bench.model()));
    EXPECT_TRUE(bench.write(40, CS_IMC_REG_LDBAR, 8));
    EXPECT_EQ(0u, bench.read(41, CS_IMC_REG_PDBAR));
    EXPECT_EQ(8u, bench.read(41, CS_IMC_REG_LDBAR));
    EXPECT_EQ(CS_NEVER, cs_imc_core_next(bench.model()));
}

// Told early, and the next before the first has come.
TEST(ImcPower, ChangesMayBeToldAhead)
{
    Bench bench(config_of(1));

    bench.write(10, CS_IMC_REG_PDBAR, 1);
    bench.run(11);
    cs_imc_core_set_power(bench.model(), 100, false);
    cs_imc_core_set_power(bench.model(), 200, true);
    EXPECT_TRUE(bench.read_fails(150, CS_IMC_REG_PDBAR));
    EXPECT_EQ(0u, bench.read(200, CS_IMC_REG_PDBAR));
}

} // namespace
