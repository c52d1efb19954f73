// SPDX-License-Identifier: Apache-2.0
// POWER's cores as an agent (include/countersink/bus/imc/imc_module.hpp), and their SCOM and SPR bridges.
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "agents.hpp"
#include "models/imc/imc_scom.h"
#include "support/forked.hpp"
#include <countersink/bus/imc/imc_module.hpp>

using namespace agents;

namespace
{

struct Host : sc_core::sc_module {
    explicit Host(const sc_core::sc_module_name &name) : sc_core::sc_module(name) {}

    bool access(bool write, uint64_t addr, uint64_t &value, unsigned bytes = 8)
    {
        tlm::tlm_generic_payload payload;
        sc_core::sc_time delay;

        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(addr);
        payload.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        socket->b_transport(payload, delay);
        return payload.is_response_ok();
    }
    bool write(uint64_t addr, uint64_t value)
    {
        return access(true, addr, value);
    }

    tlm_utils::simple_initiator_socket<Host, 64> socket{"socket"};
};

// Two chips of four cores with two threads. Core 4 has no power from cycle 5 on, the other three
// of its chip have none from 300 on.
struct Imc {
    Imc() : imc("imc", ns(1), config())
    {
        for (unsigned chip = 0; chip < 2; chip++)
            at[chip].socket.bind(imc.scom(chip));
        at[2].socket.bind(imc.spr);
        for (unsigned core = 0; core < 8; core++)
            imc.socket(core).bind(memory[core].socket);
        sc_core::sc_start(ns(10));
    }
    static cs::ImcConfig config()
    {
        cs::ImcConfig config;

        config.chips = 2;
        config.cores = 8;
        config.core.threads = 2;
        config.core.tap_log2 = 6;
        config.core.timebase = {0, 1, 1};
        config.core.unit = CS_UNIT_IMC(0);
        config.events.assign(8, {steady(), steady()});
        config.power = {{5, 4, false}, {300, 5, false}, {300, 6, false}, {300, 7, false}};
        return config;
    }
    bool access(unsigned where, bool write, uint64_t addr, uint64_t &value, unsigned bytes)
    {
        const bool good = at[where].access(write, addr, value, bytes);

        sc_core::sc_start(ns(10)); // the next access is made later
        return good;
    }
    bool write(unsigned where, uint64_t addr, uint64_t value, unsigned bytes = 8)
    {
        return access(where, true, addr, value, bytes);
    }
    // CS_NEVER: an error.
    uint64_t read(unsigned where, uint64_t addr, unsigned bytes = 8)
    {
        uint64_t value = 1;

        return access(where, false, addr, value, bytes) ? value : CS_NEVER;
    }

    Host at[3]{Host("chip_0"), Host("chip_1"), Host("sprs")};
    cs::ImcModule imc;
    SlowMemory memory[8]{SlowMemory("m0"), SlowMemory("m1"), SlowMemory("m2"), SlowMemory("m3"),
                         SlowMemory("m4"), SlowMemory("m5"), SlowMemory("m6"), SlowMemory("m7")};
};

constexpr unsigned kSpr = 2;
constexpr uint64_t kHtmOn =
    0xe800000000000000; // bits 0:4 are 11101 (docs/hw/imc.md, "Counters and states")

uint64_t scom(unsigned core, unsigned reg)
{
    return uint64_t(cs_imc_scom_address(false, core, reg)) << 3;
}

uint64_t ldbar(unsigned core, unsigned thread)
{
    return (4 * core + thread) * 0x2000 + 850 * 8;
}

} // namespace

// docs/hw/imc.md, "Access": each chip has its own cores.
TEST(ImcModule, FindsTheCoreOfAnAddress)
{
    cs_test::in_child([] {
        constexpr uint64_t kTrace = 0x4000000000000000;
        Imc b;

        EXPECT_TRUE(b.write(1, scom(1, CS_IMC_REG_PDBAR), 0x12000)); // core 5
        EXPECT_TRUE(b.write(0, scom(2, CS_IMC_REG_PDBAR), 0x34000));
        for (unsigned chip = 0; chip < 2; chip++)
            for (unsigned core = 0; core < 4; core++)
                EXPECT_EQ(b.read(chip, scom(core, CS_IMC_REG_PDBAR)),
                          chip == 1 && core == 0   ? CS_NEVER // no power
                          : chip == 1 && core == 1 ? 0x12000
                          : chip == 0 && core == 2 ? 0x34000
                                                   : 0)
                    << chip << ' ' << core;
        EXPECT_FALSE(b.write(0, scom(4, CS_IMC_REG_PDBAR), 1)) << "a chip has four";
        EXPECT_FALSE(b.write(0, scom(0, CS_IMC_REG_PDBAR), 0x1000, 4)) << "not half of it";
        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_PDBAR), 4), CS_NEVER);
        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_PDBAR)), 0u);
        EXPECT_EQ(b.read(0, 0x8), CS_NEVER);

        EXPECT_TRUE(b.write(kSpr, ldbar(5, 1), kTrace));
        EXPECT_EQ(b.read(kSpr, ldbar(5, 1)), kTrace);
        EXPECT_EQ(b.read(kSpr, ldbar(5, 0)), 0u);
        EXPECT_EQ(b.read(kSpr, ldbar(1, 1)), 0u);
        EXPECT_EQ(b.read(kSpr, ldbar(5, 2)), CS_NEVER) << "a core has two threads";
        EXPECT_EQ(b.read(kSpr, ldbar(8, 0)), CS_NEVER) << "there are eight cores";
        EXPECT_FALSE(b.write(kSpr, ldbar(8, 0), kTrace));
        EXPECT_EQ(b.read(kSpr, ldbar(4, 0)), CS_NEVER) << "no power";
    });
}

// A register that the cores of a chip share answers as long as one of them has power.
TEST(ImcModule, IsAskedForWhatCoresShare)
{
    cs_test::in_child([] {
        Imc b;

        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_FIR)), 0u);
        EXPECT_EQ(b.read(1, scom(0, CS_IMC_REG_FIR)), 0u) << "core 4 has no power, the others have";
        EXPECT_TRUE(b.write(1, scom(0, CS_IMC_REG_FIR), 0));
        sc_core::sc_start(ns(300));
        EXPECT_EQ(b.read(1, scom(0, CS_IMC_REG_FIR)), CS_NEVER);
        EXPECT_FALSE(b.write(1, scom(0, CS_IMC_REG_FIR), 0));
        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_FIR)), 0u);
    });
}

// A window that ends posts: while that is out nobody may rely on what the cores do next.
TEST(ImcModule, CannotTellWhileATransferIsOut)
{
    cs_test::in_child([] {
        Imc b;

        EXPECT_TRUE(b.write(0, scom(1, CS_IMC_REG_PDBAR), kBase));
        EXPECT_TRUE(b.write(0, scom(1, CS_IMC_REG_HTM_MODE), kHtmOn));
        expect_care(b.imc, b.memory[1], 30, 3000);
    });
}

namespace
{

// Eight cores of one chip on a fabric, twice: running ahead, and the long way.
struct Twice {
    static constexpr unsigned kCores = 8;
    using Cores = Alone<cs::ImcModule, kCores>;

    Twice()
    {
        for (unsigned i = 0; i < 2; i++) {
            scom_of[i].socket.bind(both[i]->module->scom());
            spr_of[i].socket.bind(both[i]->module->spr);
        }
        run(10);
    }
    static cs::ImcConfig config()
    {
        cs::ImcConfig config = Imc::config();

        config.chips = 1;
        config.core.tap_log2 = 12;
        config.power = {{9000, 3, false}, {17000, 3, true}};
        return config;
    }
    void run(cs_cycle to) // whoever looks meanwhile says so
    {
        for (Cores *cores : both)
            cores->fabric->set_limit(to);
        sc_core::sc_start(ns(static_cast<double>(to - now)));
        now = to;
    }
    void start(unsigned core) // it posts at the end of each window
    {
        for (const auto &[reg, value] :
             {std::pair(CS_IMC_REG_PDBAR, kBase + 0x2000 * core), {CS_IMC_REG_HTM_MODE, kHtmOn}}) {
            for (Host &host : scom_of)
                EXPECT_TRUE(host.write(scom(core, reg), value));
            run(now + 10);
        }
    }

    Cores early{"early", true, config()}, late{"late", false, config()};
    Cores *both[2] = {&early, &late};
    Host scom_of[2] = {Host("scom_a"), Host("scom_b")}, spr_of[2] = {Host("spr_a"), Host("spr_b")};
    cs_cycle now = 0;
};

} // namespace

// All cores post at the end of the same windows: each waits for its turn, and none goes the long way.
TEST(ImcModule, RunsAheadWithoutATrace)
{
    cs_test::in_child([] {
        Twice b;

        for (unsigned core = 0; core < Twice::kCores; core++) {
            if (core + 1 == Twice::kCores)
                b.run(5000); // the last begins a window later, and has its turn first
            b.start(core);
        }
        b.run(Twice::Cores::kEnd);
        expect_same(b.early, b.late);
        EXPECT_EQ(b.early.module->earliest(), b.late.module->earliest());
    });
}

// Posts that somebody looks into go the long way, those after them do not.
TEST(ImcModule, RunsAheadAgainAfterTheLongWay)
{
    cs_test::in_child([] {
        Twice b;

        for (unsigned core = 0; core < Twice::kCores; core++)
            b.start(core);
        while (b.now < 20000)
            b.run(b.now + 97);
        const uint64_t cut_short = b.early.fabric->completed_late();
        const uint64_t before = b.early.fabric->completed_early();
        EXPECT_GT(cut_short, 0u);
        b.run(Twice::Cores::kEnd);
        EXPECT_EQ(b.early.fabric->completed_late(), cut_short);
        EXPECT_GT(b.early.fabric->completed_early(), before);
        EXPECT_EQ(world::difference(b.early.records, b.late.records), "");
    });
}

TEST(ImcModule, RefusesWhatItsModelRefuses)
{
    cs_test::in_child([] {
        cs::ImcConfig imc = Imc::config();

        imc.core.threads = 3;
        EXPECT_THROW(cs::ImcModule("imc", ns(1), imc), sc_core::sc_report);
    });
}
