// SPDX-License-Identifier: Apache-2.0
// The checker itself, held against managers that break the rules, and channels at the extremes.
#include "Vbus_tb_top.h"
#include "bench.hpp"
#include "pins.hpp"

#include <gtest/gtest.h>

namespace
{

// Runs a manager by hand: the bench has nothing posted, so it leaves the other pins alone.
class Rogue
{
  public:
    Rogue() : bench_({true, 0, 0, 0, 0, 0, 1})
    {
        bench_.step();
    }

    Vbus_tb_top &pins()
    {
        return bench_.top();
    }
    void clock()
    {
        Vbus_tb_top &t = pins();
        t.clk_i = 0;
        t.eval();
        t.clk_i = 1;
        t.eval();
    }
    std::string violations()
    {
        pins().eval();
        return bench_.violations();
    }
    void read(uint64_t addr, unsigned beats)
    {
        put_pin(pins().m_araddr_i, 0, 64, addr);
        put_pin(pins().m_arlen_i, 0, 8, beats - 1);
        put_pin(pins().m_arsize_i, 0, 3, 3);
        put_pin(pins().m_arburst_i, 0, 2, 1);
        put_pin(pins().m_arvalid_i, 0, 1, 1);
    }
    void write(uint64_t addr, unsigned beats)
    {
        put_pin(pins().m_awaddr_i, 0, 64, addr);
        put_pin(pins().m_awlen_i, 0, 8, beats - 1);
        put_pin(pins().m_awsize_i, 0, 3, 3);
        put_pin(pins().m_awburst_i, 0, 2, 1);
        put_pin(pins().m_awvalid_i, 0, 1, 1);
    }
    void beat(uint64_t data, bool last)
    {
        put_pin(pins().m_wdata_i, 0, 64, data);
        put_pin(pins().m_wstrb_i, 0, 8, 0xff);
        put_pin(pins().m_wlast_i, 0, 1, last);
        put_pin(pins().m_wvalid_i, 0, 1, 1);
    }

  private:
    Bench bench_;
};

TEST(BusRtlChecker, NothingIsFine)
{
    Rogue rogue;
    for (int i = 0; i < 10; i++)
        rogue.clock();
    EXPECT_EQ(rogue.violations(), "");
}

TEST(BusRtlChecker, ValidFalls)
{
    Rogue rogue;
    rogue.read(ram_base, 1);
    rogue.clock();
    put_pin(rogue.pins().m_arvalid_i, 0, 1, 0);
    rogue.clock();
    EXPECT_EQ(rogue.violations().substr(0, 22), "manager 0: AR unstable");
}

TEST(BusRtlChecker, PayloadChanges)
{
    Rogue rogue;
    rogue.beat(1, true);
    rogue.clock();
    rogue.beat(2, true);
    rogue.clock();
    EXPECT_EQ(rogue.violations(), "manager 0: W unstable; ");
}

TEST(BusRtlChecker, SecondReadWhileOneIsOut)
{
    Rogue rogue;
    rogue.read(ram_base, 1);
    for (int i = 0; i < 4; i++)
        rogue.clock();
    EXPECT_NE(rogue.violations().find("manager 0: AR twice"), std::string::npos);
}

TEST(BusRtlChecker, LastTooEarlyAndTooLate)
{
    for (bool early : {true, false}) {
        Rogue rogue;
        rogue.write(ram_base, 2);
        rogue.beat(1, early);
        rogue.clock();
        rogue.clock();
        put_pin(rogue.pins().m_awvalid_i, 0, 1, 0);
        for (int i = 0; i < 6; i++)
            rogue.clock();
        EXPECT_NE(rogue.violations().find("manager 0: WLAST position"), std::string::npos);
    }
}

// The fabric lets nothing malformed through: the strict checkers of the targets see none of it,
// and a manager may be as slow as it likes.
TEST(BusRtlChecker, MalformedStaysOutside)
{
    Bench bench({false, 0, 0, 0, 0, 0, 1});
    for (unsigned burst = 0; burst < 4; burst++)
        for (unsigned size = 0; size < 8; size++)
            for (unsigned beats : {1u, 2u, 16u, 17u, 256u})
                for (uint64_t addr : {ram_base, ram_base + 4, ram_base + 0xff8, ram_base + 1})
                    for (bool write : {false, true})
                        bench.post(size % 3, {write, addr, beats, size, burst});
    bench.run(2000000);
    ASSERT_TRUE(bench.idle());
    EXPECT_EQ(bench.violations(), "");
    unsigned reads = 0, writes = 0;
    for (const Cycle &c : bench.history()) {
        reads += c.t_ar & 1;
        writes += c.t_aw & 1;
    }
    // What is legal: INCR, one beat of 1, 2, 4, 8 bytes where aligned; 2 and 16 beats of 8.
    EXPECT_EQ(reads, 4u + 3u + 3u + 2u + 2u);
    EXPECT_EQ(writes, reads);
}

// From reset on nobody is asked for anything that no manager has asked for.
TEST(BusRtlChannels, NothingByItself)
{
    for (bool shared : {true, false}) {
        Bench bench({shared, 0, 0, 0, 0, 0, 1});
        Vbus_tb_top &t = bench.top();
        bench.on_cycle = [&t] {
            EXPECT_EQ(t.m_arready_o | t.m_awready_o | t.m_wready_o | t.m_rvalid_o | t.m_bvalid_o,
                      0);
            EXPECT_EQ(t.t_arvalid_o | t.t_awvalid_o | t.t_wvalid_o, 0);
            EXPECT_EQ(t.t_rvalid_o | t.t_bvalid_o | t.t_wready_o, 0);
            EXPECT_EQ(t.mem_read_o | t.mem_write_o | t.mem_commit_o | t.chk_valid_o, 0);
            EXPECT_EQ(t.reg_en_o | t.acc_valid_o, 0);
        };
        for (int i = 0; i < 20; i++)
            bench.step();
    }
}

// A target takes an address when it is idle and at no other time, and of two a read.
TEST(BusRtlChannels, TargetsTakeAddressesWhenIdle)
{
    const uint64_t addresses[] = {ram_base, pmcu_base, cluster_base}; // of targets 0, 1, 2
    for (unsigned target = 0; target < 3; target++)
        for (bool write : {false, true}) {
            Bench bench({true, 1, 2, 3, 2, 0, 4});
            std::vector<unsigned> reads, writes;
            bench.on_cycle = [&] {
                reads.push_back(bench.top().t_arready_o >> target & 1);
                writes.push_back(bench.top().t_awready_o >> target & 1);
            };
            Transfer x{write, addresses[target], target == 0 ? 3u : 1u};
            x.data = {1, 2, 3};
            const Transfer &done = bench.post(0, x);
            bench.run();
            ASSERT_TRUE(done.done);
            const uint64_t taken = done.grant + 2 + 1;
            for (uint64_t n = 0; n < bench.now(); n++) {
                const bool idle = n <= taken || n > done.complete;
                EXPECT_EQ(reads[n], idle) << "cycle " << n;
                EXPECT_EQ(writes[n], idle && (write || n != taken)) << "cycle " << n;
            }
        }
}

// W data waits for its AW, however early; AW waits for W data, however late.
TEST(BusRtlChannels, DataBeforeAddressAndAfter)
{
    for (unsigned address_delay : {0u, 1u, 50u})
        for (unsigned data_delay : {0u, 1u, 50u}) {
            Bench bench({true, 2, 2, 5, 4, 1, 3});
            Transfer x{true, ram_base + 0x40, 3};
            x.data = {1, 2, 3};
            x.address_delay = address_delay;
            x.data_delay = data_delay;
            const Transfer &done = bench.post(1, x);
            bench.run();
            ASSERT_TRUE(done.done);
            EXPECT_EQ(done.grant, address_delay + 1);
            const uint64_t a = done.grant + 2 + 2;
            EXPECT_EQ(done.beat_cycles[0], std::max<uint64_t>(a + 1, data_delay));
            EXPECT_EQ(done.complete, done.beat_cycles[2] + 2 + 4 + 2);
            for (unsigned i = 0; i < 3; i++)
                EXPECT_EQ(bench.memory[ram_base + 0x40 + 8 * i], i + 1);
            EXPECT_EQ(bench.violations(), "");
        }
}

// "Hold": counted from the target's xVALID, whether the manager is willing or not.
TEST(BusRtlChannels, HoldRunsWithoutReady)
{
    for (bool write : {false, true})
        for (uint64_t addr : {ram_base, cluster_base, uint64_t(0x40000000)}) {
            Bench bench({true, 0, 6, 2, 2, 0, 2});
            bench.pace[0] = {0, 0, 100};
            const Transfer &x = bench.post(0, {write, addr});
            for (int i = 0; i < 40; i++)
                bench.step();
            ASSERT_FALSE(x.done);
            ASSERT_NE(x.first, 0u);
            bench.pace[0] = {};
            const uint64_t now = bench.now();
            bench.run();
            EXPECT_EQ(x.complete, now);
            uint64_t seen = 0; // first xVALID of the target
            for (uint64_t n = 0; n < bench.now() && seen == 0; n++)
                if (write ? bench.history()[n].t_b_valid : bench.history()[n].t_r_valid)
                    seen = n;
            if (seen != 0) {
                EXPECT_EQ(x.first, seen + 6);
            }
            EXPECT_EQ(bench.violations(), "");
        }
}

} // namespace
