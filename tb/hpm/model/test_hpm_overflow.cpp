// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, section 8: OF, the request and LCOFIP. Test names are lines of the fact sheet.
#include <algorithm>

#include "hart.hpp"

namespace
{

using Cycles = std::vector<cs_cycle>;

const unsigned XLENS[] = {32, 64};
const int WRITES[] = {CS_HPM_OP_WRITE, CS_HPM_OP_SET, CS_HPM_OP_CLEAR};

cs_hpm_config with_latency(unsigned cycles, unsigned xlen = 64)
{
    cs_hpm_config c = straps(xlen);
    c.lcofi_latency = cycles;
    return c;
}

// Counter n counts event 9 and carries with the next increment.
void arm(Hart &h, unsigned n = 5)
{
    h.event(n, 9);
    h.counter(n, ~0ull);
}

// A set's increments add up to more than one event has; mcycle is no set.
TEST(HpmOverflow, OfASetOfEvents)
{
    cs_hpm_config config = straps();
    config.event_sets = true;
    Hart h(config);
    h.write(MIE, LCOFI);
    h.event(5, 0x8001);
    h.counter(5, ~0ull - 100);
    const cs_cycle at = h.t;
    h.pulse(CS_HPM_EVENT_SET | 0x8001, at, 200);
    h.pulse(0x8001, at, 50); // is another event
    h.pulse(CS_HPM_EVENT_CYCLES, at, 7);
    const uint64_t cycles = h.read(MCYCLE);
    EXPECT_TRUE(h.of(5));
    EXPECT_EQ(Cycles{at + 1}, h.edges(0, 1));
    EXPECT_EQ(99u, h.read(MHPM + 5));
    EXPECT_EQ(cycles + 7, h.read(MCYCLE));
}

TEST(HpmOverflow, f2_4_f2_5_f2_6_Sticky)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        h.write(MIE, LCOFI);
        arm(h);
        const cs_cycle at = h.t;
        h.pulse(9, at, 1);
        h.run(1);
        EXPECT_TRUE(h.of(5));
        h.run(100);
        EXPECT_TRUE(h.of(5));
        EXPECT_EQ(Cycles{at + 1}, h.edges(0, 1));
        // OF is 1: a wrap is silent, counting goes on.
        h.write(MIP, 0);
        h.counter(5, ~0ull - 1);
        h.pulse(9, h.t, 5);
        h.run(1);
        EXPECT_EQ(3u, h.counter(5));
        EXPECT_TRUE(h.of(5));
        EXPECT_EQ(0u, h.read(MIP));
        // Software's own 0 to 1, and 1 to 0, raise nothing; and they disarm and arm.
        h.event(5, 9);
        h.event(5, OF | 9);
        h.run(40);
        EXPECT_EQ(0u, h.read(MIP));
        h.counter(5, ~0ull);
        h.pulse(9, h.t, 1);
        h.run(2);
        EXPECT_EQ(0u, h.read(MIP));
        arm(h);
        h.pulse(9, h.t, 1);
        h.run(2);
        EXPECT_EQ(LCOFI, h.read(MIP));
        EXPECT_TRUE(h.of(5));
    }
}

TEST(HpmOverflow, f2_7_Latency)
{
    for (unsigned latency = 0; latency <= 31; latency++) {
        Hart h(with_latency(latency));
        h.write(MIE, LCOFI);
        arm(h, 5);
        arm(h, 6);
        const cs_cycle at = h.t;
        h.pulse(9, at, 1);
        const cs_cycle set = at + 1 + latency;
        h.t = at + 1;
        EXPECT_EQ(1u << 5 | 1u << 6, h.read(SCOUNTOVF)); // OF comes first
        if (latency >= 2) {
            h.t = set - 1;
            EXPECT_EQ(0u, h.lines());
            EXPECT_EQ(0u, h.read(MIP));
        }
        h.t = std::max(h.t, set);
        EXPECT_EQ(1u, h.lines());
        EXPECT_EQ(LCOFI, h.read(MIP));
        EXPECT_EQ(Cycles{set}, h.edges(0, 1));
    }
}

// Requests closer than L: each has its own cycle.
TEST(HpmOverflow, f2_7_TwoRequestsOnTheirWay)
{
    for (unsigned distance : {1u, 2u, 5u, 30u, 31u}) {
        Hart h(with_latency(31));
        h.write(MIE, LCOFI);
        arm(h, 5);
        h.event(6, 10);
        h.counter(6, ~0ull);
        const cs_cycle at = h.t;
        h.pulse(9, at, 1);
        h.pulse(10, at + distance, 1);
        h.t = at + 32;
        EXPECT_EQ(1u, h.lines());
        // Cleared in e = t + L of the second, it loses; later it does not.
        h.write(MIP, 0);
        EXPECT_EQ(distance == 1 ? Cycles{} : Cycles{at + 33}, h.edges(0, 0));
        h.t = at + distance + 32;
        EXPECT_EQ(1u, h.lines());
        h.write(MIP, 0);
        h.run(100);
        EXPECT_EQ(0u, h.lines());
        EXPECT_EQ(distance == 1 ? 1u : 2u, h.edges(0, 1).size());
        EXPECT_EQ(at + distance + 33, h.edges(0, 0).back());
    }
}

// Every operation through every alias, against a set in the same cycle.
TEST(HpmOverflow, f2_16_SameCycle)
{
    const struct {
        unsigned mode, csr;
    } aliases[] = {{M, MIP}, {M, SIP}, {S, SIP}, {M, VSIP}, {S, VSIP}, {VS, SIP}};
    for (unsigned latency : {0u, 1u, 7u, 31u})
        for (const auto &alias : aliases)
            for (int op : WRITES)
                for (uint64_t operand : {uint64_t{0}, LCOFI})
                    for (bool was : {false, true})
                        for (int late : {-1, 0, 1}) {
                            Hart h(with_latency(latency));
                            h.write(MIDELEG, LCOFI);
                            h.write(HIDELEG, LCOFI);
                            h.write(MIP, was ? LCOFI : 0);
                            arm(h);
                            const cs_cycle at = h.t + 2;
                            h.pulse(9, at, 1);
                            const cs_cycle set = at + latency; // LCOFIP is 1 after it
                            h.t = set + late;
                            const bool before = was || late > 0;
                            const cs_hpm_result r = h.access_in(alias.mode, alias.csr, op, operand);
                            EXPECT_EQ(CS_HPM_EXCEPTION_NONE, r.exception);
                            EXPECT_EQ(before ? LCOFI : 0, r.value);
                            const bool written = op == CS_HPM_OP_WRITE ? operand != 0
                                                 : operand == 0        ? before
                                                                       : op == CS_HPM_OP_SET;
                            const bool expected = late == 0 || written;
                            EXPECT_EQ(expected ? LCOFI : 0, h.read(MIP))
                                << "L " << latency << " op " << op << " late " << late;
                            h.t = set + 40;
                            EXPECT_EQ(late < 0 || expected ? LCOFI : 0, h.read(MIP));
                        }
}

// OF against writes of mhpmevent in the cycle of a carry, directly and through the window.
TEST(HpmOverflow, f2_16_OverflowAgainstAWriteOfOf)
{
    for (unsigned xlen : XLENS)
        for (bool window : {false, true})
            for (bool was : {false, true})
                for (int op : WRITES)
                    for (bool bit : {false, true})
                        for (bool low : {false, true}) {
                            if (low && xlen == 64)
                                continue;
                            Hart h(straps(xlen));
                            h.write(MCOUNTEREN, ~0u);
                            h.cde(true);
                            h.write(SISELECT, 0x45);
                            h.event(5, (was ? OF : 0) | 9);
                            h.counter(5, ~0ull);
                            h.pulse(9, h.t, 1);
                            const bool high = xlen == 32 && !low;
                            const unsigned csr =
                                window ? high ? SIREG5 : SIREG2 : (high ? EVENTH : EVENT) + 5;
                            // Without OF the write still does the rest: the event becomes 3.
                            const uint64_t rest = high ? 0 : 3;
                            const uint64_t of = xlen == 32 ? 1u << 31 : OF;
                            h.access(csr, op, rest | (bit && !low ? of : 0));
                            const bool written = op == CS_HPM_OP_WRITE ? bit
                                                 : !bit                ? was
                                                                       : op == CS_HPM_OP_SET;
                            const bool expected = !was ? true : low ? true : written;
                            const uint64_t event = high                    ? 9
                                                   : op == CS_HPM_OP_WRITE ? 3
                                                   : op == CS_HPM_OP_SET   ? 9 | 3
                                                                           : 9 & ~3;
                            EXPECT_EQ((expected ? OF : 0) | event, h.event(5))
                                << "was " << was << " op " << op << " bit " << bit << " low "
                                << low;
                            EXPECT_EQ(was ? 0 : LCOFI, h.read(MIP)); // no request when it was 1
                            EXPECT_EQ(0u, h.counter(5));
                        }
}

TEST(HpmOverflow, f7_6_OverflowDoesRaise)
{
    for (unsigned mode : {M, S, U, VS, VU}) {
        Hart h;
        h.write(MIE, LCOFI);
        arm(h);
        h.mode(mode);
        const cs_cycle at = h.t + 3;
        h.pulse(9, at, 1);
        h.run(6);
        EXPECT_EQ(Cycles{at + 1}, h.edges(0, 1));
        h.mode(M);
        h.write(MCOUNTEREN, 1u << 5);
        EXPECT_EQ(1u << 5, h.read_in(S, SCOUNTOVF));
        EXPECT_EQ(0u, h.read_in(VS, SCOUNTOVF)); // hcounteren is in the guest's mask
        h.write(HCOUNTEREN, 1u << 5);
        EXPECT_EQ(1u << 5, h.read_in(VS, SCOUNTOVF));
    }
}

TEST(HpmOverflow, f7_7_NoRequestIsLostToAWrite)
{
    for (unsigned mode : {M, S})
        for (int op : WRITES) {
            Hart h;
            h.write(MIDELEG, LCOFI);
            h.write(MIE, LCOFI);
            arm(h);
            const cs_cycle at = h.t;
            h.pulse(9, at, 1);
            h.access_in(mode, mode == M ? MIP : SIP, op, op == CS_HPM_OP_CLEAR ? LCOFI : 0);
            EXPECT_EQ(2u, h.lines());
            EXPECT_EQ(Cycles{at + 1}, h.edges(1, 1));
            EXPECT_TRUE(h.of(5)); // never OF without LCOFIP
        }
}

TEST(HpmOverflow, f7_28_f7_31_ARequestComesAfterTheStop)
{
    const unsigned latency = 10;
    for (unsigned stop = 0; stop < 4; stop++) {
        Hart h(with_latency(latency));
        h.write(MIE, LCOFI);
        arm(h);
        const cs_cycle at = h.t;
        h.pulse(9, at, 1);
        h.run(1);
        if (stop == 0)
            h.write(INHIBIT, ~0u);
        if (stop == 1)
            h.event(5, 9); // OF cleared
        if (stop == 2)
            h.event(5, 0);
        if (stop == 3)
            h.write(MIP, 0);
        h.run(50);
        EXPECT_EQ(Cycles{at + 1 + latency}, h.edges(0, 1)) << stop;
        EXPECT_EQ(stop == 1 || stop == 2 ? 0u : 1u << 5, h.read(SCOUNTOVF));
    }
    // Reset does stop it.
    Hart h(with_latency(latency));
    h.write(MIE, LCOFI);
    arm(h);
    h.pulse(9, h.t, 1);
    h.run(3);
    cs_hpm_reset(h.hpm(), h.t);
    h.write(MIE, LCOFI);
    h.run(50);
    EXPECT_TRUE(h.edges(0, 1).empty());
}

TEST(HpmOverflow, f7_39_NoSecondRequestWithOf)
{
    Hart h;
    h.write(MIE, LCOFI);
    arm(h);
    h.pulse(9, h.t, 1);
    h.run(1);
    EXPECT_EQ(LCOFI, h.read(MIP));
    // Started anew with OF kept: it wraps in silence, also after LCOFIP was cleared.
    h.counter(5, ~0ull);
    h.write(MIP, 0);
    h.pulse(9, h.t, 1);
    h.run(60);
    EXPECT_EQ(0u, h.counter(5));
    EXPECT_EQ(0u, h.read(MIP));
    EXPECT_EQ(1u, h.edges(0, 1).size());
}

// OF is armed and disarmed from the cycle after the write.
TEST(HpmOverflow, ArmsFromTheNextCycleOn)
{
    for (bool arms : {false, true})
        for (int late : {0, 1}) {
            Hart h;
            h.event(5, (arms ? OF : 0) | 9);
            h.counter(5, ~0ull);
            const cs_cycle e = h.t;
            h.pulse(9, e + static_cast<cs_cycle>(late), 1);
            h.event(5, (arms ? 0 : OF) | 9);
            h.run(2);
            EXPECT_EQ(arms == (late == 1) ? LCOFI : 0, h.read(MIP)) << arms << late;
        }
}

} // namespace
