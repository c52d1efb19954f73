// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, sections 3 and 6: when an increment counts, and what an access in its cycle
// sees and does. Test names are lines of the fact sheet.
#include "hart.hpp"

namespace
{

const unsigned XLENS[] = {32, 64};
const int WRITES[] = {CS_HPM_OP_WRITE, CS_HPM_OP_SET, CS_HPM_OP_CLEAR};

// Counters 0, 2 and 5 count 3 a cycle.
void count_by_three(Hart &h)
{
    h.event(5, 9);
    for (unsigned event : {1u, 2u, 9u})
        h.inc(event, 3);
}

TEST(HpmCounting, f1_2_13_WhatTrapsIsNotCounted)
{
    Hart h;
    // The hart leaves what traps out; the block adds nothing of its own.
    h.pulse(2, 0, 1);
    EXPECT_EQ(NONE, h.exception(M, MCYCLE)); // retires in cycle 0
    EXPECT_EQ(ILL, h.exception(U, MCYCLE));  // does not
    h.pulse(2, 2, 1);
    EXPECT_EQ(1u, h.read(MINSTRET));
    EXPECT_EQ(2u, h.read(MINSTRET));
    EXPECT_EQ(2u, h.read(MINSTRET));
}

TEST(HpmCounting, f1_2_14_HighLowHigh)
{
    for (unsigned add : {1u, 7u, 15u})
        for (unsigned before = 0; before < 8; before++) {
            Hart h(straps(32));
            h.inc(1, add);
            h.write(0xB80, 5);
            h.write(0xB00, 0xFFFFFFFF - before * add);
            const cs_cycle zero = h.t; // the low half holds what was written
            uint64_t high = h.read(0xB80), low, again;
            cs_cycle at;
            for (;;) {
                at = h.t;
                low = h.read(0xB00);
                again = h.read(0xB80);
                if (high == again)
                    break;
                high = again;
            }
            EXPECT_EQ(0x5FFFFFFFF - before * add + add * (at - zero), high << 32 | low);
        }
}

TEST(HpmCounting, f1_3_1_f1_3_8_ReadsSeeTheirCycleAndChangeNothing)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        count_by_three(h);
        const cs_cycle zero = h.t;
        const auto counted = [&] { return (h.t - zero) * 3; };
        for (unsigned n : {0u, 2u, 5u}) {
            const uint64_t expected = counted();
            EXPECT_EQ(expected, h.read(MHPM + n)) << n;
        }
        // However many reads there are, of whatever kind.
        h.write(MCOUNTEREN, ~0u);
        for (unsigned csr = 0; csr < 0x1000; csr++)
            h.access(csr, CS_HPM_OP_READ);
        for (unsigned n : {0u, 2u, 5u}) {
            const uint64_t expected = counted();
            EXPECT_EQ(expected, h.read(MHPM + n)) << n;
        }
        const uint64_t expected = counted();
        EXPECT_EQ(expected, h.read_in(S, 0xC05));
    }
}

TEST(HpmCounting, f1_3_2_f1_3_4_f1_3_5_AWriteTakesTheIncrement)
{
    for (unsigned xlen : XLENS)
        for (unsigned n : {0u, 2u, 5u}) {
            Hart h(straps(xlen));
            count_by_three(h);
            h.run(4);
            h.write(MHPM + n, 1000);
            EXPECT_EQ(1000u, h.read(MHPM + n));
            EXPECT_EQ(1003u, h.set(MHPM + n, 0x10000));
            EXPECT_EQ(1003u | 0x10000, h.clear(MHPM + n, 0x10003));
            EXPECT_EQ((1003u | 0x10000) & ~0x10003u, h.read(MHPM + n));
            if (xlen == 64)
                continue;
            // A half: the other keeps its value of that cycle, without a carry.
            h.write(MHPMH + n, 7);
            const uint64_t low = 0xFFFFFFFE;
            h.write(MHPM + n, low);
            EXPECT_EQ(7u, h.read(MHPMH + n)); // now it has carried
            EXPECT_EQ(8u, h.read(MHPMH + n));
            h.write(MHPM + n, low);
            EXPECT_EQ(8u, h.write(MHPMH + n, 20)); // carries in this very cycle: dropped
            EXPECT_EQ(low, h.read(MHPM + n));
            EXPECT_EQ(21u, h.read(MHPMH + n));
        }
}

// Also where the half has no bit to write, and with the window's numbers.
TEST(HpmCounting, f1_3_2_AWriteOfNothingTakesItToo)
{
    for (int op : WRITES)
        for (unsigned csr : {0xB85u, SIREG4}) {
            cs_hpm_config c = widths(straps(32), 20);
            Hart h(c);
            h.write(MCOUNTEREN, ~0u);
            h.cde(true);
            h.write(SISELECT, 0x45);
            h.event(5, 9);
            h.write(MHPM + 5, 0xFFFFE);
            h.pulse(9, h.t, 5);
            h.access(csr, op, ~0ull);
            EXPECT_EQ(0xFFFFEu, h.read(MHPM + 5)) << std::hex << csr << " " << op;
            EXPECT_FALSE(h.of(5));
            EXPECT_EQ(0u, h.read(MIP));
        }
    Hart h;
    h.write(MCOUNTEREN, ~0u);
    h.cde(true);
    h.write(SISELECT, 0x45);
    h.event(5, 9);
    h.inc(9, 2);
    h.access_in(S, SIREG, CS_HPM_OP_WRITE, 50);
    EXPECT_EQ(50u, h.read(MHPM + 5));
    EXPECT_EQ(52u, h.read_in(S, SIREG));
}

TEST(HpmCounting, f1_3_3_InhibitAgainstItsOwnInstruction)
{
    for (unsigned csr : {INHIBIT, SCOUNTINHIBIT})
        for (unsigned n : {0u, 2u, 5u}) {
            Hart h;
            h.write(MCOUNTEREN, ~0u);
            h.cde(true);
            count_by_three(h);
            h.write(MHPM + n, 0);
            h.set(csr, 1u << n); // counted
            EXPECT_EQ(3u, h.read(MHPM + n));
            h.run(5);
            h.clear(csr, 1u << n); // not counted
            EXPECT_EQ(3u, h.read(MHPM + n));
            EXPECT_EQ(6u, h.read(MHPM + n));
        }
}

TEST(HpmCounting, f1_3_6_ReadsDropNothingZeroOperandsDo)
{
    for (unsigned n : {0u, 2u, 5u}) {
        Hart h;
        count_by_three(h);
        h.write(MHPM + n, 100);
        EXPECT_EQ(100u, h.read(MHPM + n));
        EXPECT_EQ(103u, h.set(MHPM + n, 0));
        EXPECT_EQ(103u, h.clear(MHPM + n, 0));
        EXPECT_EQ(103u, h.read(MHPM + n));
        EXPECT_EQ(106u, h.read(MHPM + n));
    }
}

TEST(HpmCounting, f1_3_7_AWriteNeverOverflows)
{
    for (unsigned xlen : XLENS)
        for (unsigned width : {8u, 32u, 40u, 64u}) {
            const uint64_t ones = width == 64 ? ~0ull : (1ull << width) - 1;
            Hart h(widths(straps(xlen), width));
            h.event(5, 9);
            h.counter(5, ones);
            for (uint64_t value : {uint64_t{0}, ones, uint64_t{0}, uint64_t{1}}) {
                h.pulse(9, h.t, 15); // of the first of the two halves, and of the only one
                h.counter(5, value);
                EXPECT_FALSE(h.of(5));
                EXPECT_EQ(0u, h.read(MIP));
            }
        }
}

TEST(HpmCounting, f2_3_WrapsAtItsWidth)
{
    for (unsigned width : {1u, 5u, 31u, 32u, 33u, 63u, 64u}) {
        const uint64_t ones = width == 64 ? ~0ull : (1ull << width) - 1;
        Hart h(widths(straps(), width));
        h.event(5, 9);
        h.write(MHPM + 5, ones - 1 > ones ? ones : ones - 1);
        h.inc(9, 1);
        for (unsigned i = 0; i < 6; i++)
            EXPECT_EQ((ones - 1 + i) & ones, h.read(MHPM + 5)) << width;
        EXPECT_TRUE(h.of(5));
    }
}

TEST(HpmCounting, f2_15_FixedCountersOverflowInSilence)
{
    Hart h;
    h.write(MIE, LCOFI);
    for (unsigned n : {0u, 2u}) {
        h.counter(n, ~0ull);
        h.pulse(n == 0 ? 1 : 2, h.t, 1);
        h.run(1);
        EXPECT_EQ(0u, h.counter(n));
        EXPECT_EQ(0u, h.event(n));
    }
    h.run(40);
    EXPECT_EQ(0u, h.read(MIP));
    EXPECT_EQ(0u, h.read(SCOUNTOVF));
    EXPECT_TRUE(h.edges(0, 1).empty());
    // Without sscofpmf all are silent.
    cs_hpm_config c = straps();
    c.sscofpmf = false;
    Hart none(c);
    none.event(5, 9);
    none.counter(5, ~0ull);
    none.pulse(9, none.t, 2);
    none.run(3);
    EXPECT_EQ(1u, none.counter(5));
    EXPECT_EQ(9u, none.event(5));
    EXPECT_EQ(0u, none.read(MIP));
}

TEST(HpmCounting, f3_1_CycleAndInstretConfiguration)
{
    const struct {
        uint64_t bit;
        unsigned mode;
    } filters[] = {{MINH, M}, {SINH, S}, {UINH, U}, {VSINH, VS}, {VUINH, VU}};
    for (unsigned xlen : XLENS)
        for (unsigned n : {0u, 2u}) {
            Hart h(straps(xlen));
            h.event(n, ~0ull);
            EXPECT_EQ(MINH | SINH | UINH | VSINH | VUINH, h.event(n)); // bit 63 is 0
            h.inc(n == 0 ? 1 : 2, 2);
            for (const auto &filter : filters) {
                h.event(n, ~0ull);
                h.counter(n, 0);
                for (const auto &running : filters) {
                    // What M does meanwhile is kept out, but for its own row.
                    h.event(n, filter.bit | MINH);
                    const uint64_t before = h.counter(n);
                    h.mode(running.mode);
                    h.run(10);
                    h.mode(M);
                    const bool out = running.mode == filter.mode || running.mode == M;
                    EXPECT_EQ(before + (out ? 0 : 20), h.counter(n));
                }
            }
        }
    // An xRET belongs to the mode that it leaves: its cycle is the last of that mode.
    Hart h;
    h.event(2, MINH);
    const uint64_t before = h.counter(2);
    h.pulse(2, h.t, 1);     // mret retires in M
    h.pulse(2, h.t + 1, 1); // the first of S
    h.run(1);
    h.mode(S);
    h.run(1);
    h.pulse(2, h.t, 1); // sret leaves S
    h.run(1);
    h.mode(M);
    EXPECT_EQ(before + 2, h.counter(2));
    // Without smcntrpmf every mode passes and the registers are not there.
    cs_hpm_config c = straps();
    c.smcntrpmf = false;
    Hart none(c);
    EXPECT_EQ(ILL, none.exception(M, 0x321, CS_HPM_OP_WRITE, ~0ull));
    EXPECT_EQ(ILL, none.exception(M, 0x322));
}

// The map stands outside: of what an encoding means the block sees the increments only, and
// none of encoding 0.
TEST(HpmCounting, f3_5_TheBlockKnowsNoEncodingButZero)
{
    for (uint32_t event : {0u, 1u, 2u, 3u, 7u, 24u, 25u, 31u, 32u, 0x8000u, 0xFFFFu}) {
        Hart h;
        h.event(6, event);
        EXPECT_EQ(event, h.event(6));
        const uint64_t before = h.counter(6);
        h.run(5);
        EXPECT_EQ(before, h.counter(6)); // no increments: a reserved one
        h.inc(event, 4);
        h.run(5);
        EXPECT_EQ(before + (event == 0 ? 0 : 20), h.counter(6)) << event;
    }
}

TEST(HpmCounting, f7_1_f7_2_OffByOneAtTheInhibit)
{
    Hart h;
    h.inc(2, 1);
    h.write(MINSTRET, 0);
    h.run(4);
    h.write(INHIBIT, 4); // the fifth instruction stops the counter and is counted
    h.run(3);
    EXPECT_EQ(5u, h.read(MINSTRET));
    h.write(INHIBIT, 0); // not counted
    h.run(2);
    EXPECT_EQ(7u, h.read(MINSTRET));
}

TEST(HpmCounting, f7_3_OldModeOnAModeChange)
{
    for (unsigned n : {2u, 5u})
        for (unsigned first : {M, S, U, VS, VU})
            for (unsigned second : {M, S, U, VS, VU}) {
                if (first == second)
                    continue;
                const uint64_t bit[] = {UINH, SINH, 0, MINH, VUINH, VSINH};
                Hart h;
                h.event(n, bit[first] | (n == 5 ? 2 : 0));
                const uint64_t before = h.counter(n);
                h.pulse(2, h.t, 1);
                h.pulse(2, h.t + 1, 1);
                h.mode(first);
                h.run(1);
                h.mode(second);
                h.run(1);
                h.mode(M);
                EXPECT_EQ(before + 1, h.counter(n)) << first << " to " << second;
            }
}

TEST(HpmCounting, f7_11_AnInhibitedCycleCounterStands)
{
    Hart h;
    h.inc(1, 1);
    h.inc(2, 3);
    h.write(INHIBIT, 1);
    const uint64_t cycles = h.counter(0), instret = h.counter(2);
    h.run(50);
    EXPECT_EQ(cycles, h.counter(0));
    EXPECT_EQ(instret + 3 * 52, h.counter(2));
}

TEST(HpmCounting, f7_14_LargeIncrementsAndOtherCountersWrites)
{
    Hart h;
    for (unsigned n = 3; n < 32; n++)
        h.event(n, 9);
    h.write(INHIBIT, ~0u);
    for (unsigned n = 3; n < 32; n++)
        h.counter(n, 0);
    h.write(INHIBIT, 0);
    const cs_cycle start = h.t;
    h.inc(9, 15);
    // Writes of counter 3 cost the others nothing, whatever they are.
    for (unsigned i = 0; i < 30; i++)
        h.access(MHPM + 3, WRITES[i % 3], 1);
    for (unsigned n = 4; n < 32; n++) {
        const uint64_t expected = (h.t - start) * 15;
        EXPECT_EQ(expected, h.read(MHPM + n)) << n;
    }
    h.write(MHPM + 3, 0);
    EXPECT_EQ(0u, h.read(MHPM + 3));
    EXPECT_EQ(15u, h.read(MHPM + 3));
}

TEST(HpmCounting, f7_15_MinstretHoldsWhatWasWritten)
{
    for (unsigned retire : {1u, 2u, 15u}) {
        Hart h;
        h.inc(2, retire);
        h.run(3);
        h.write(MINSTRET, 42);
        EXPECT_EQ(42u, h.read(MINSTRET));
        EXPECT_EQ(42 + retire, h.read(MINSTRET));
        h.inc(2, 0);
        h.run(10);
        EXPECT_EQ(42 + 2 * retire, h.read(MINSTRET)); // and nothing comes late
    }
}

TEST(HpmCounting, f7_17_EventZero)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        h.inc(0, 15);
        h.inc(9, 1);
        h.counter(5, ~0ull);
        h.run(20);
        EXPECT_EQ(~0ull, h.counter(5));
        h.event(5, 9);
        h.event(5, SINH); // the cycle of this write counts under the old event
        h.event(5, 0);
        const uint64_t value = h.counter(5);
        h.run(20);
        EXPECT_EQ(value, h.counter(5));
    }
    // The write's own cycle.
    Hart h;
    h.inc(9, 1);
    h.event(5, 9);
    EXPECT_EQ(9u, h.write(EVENT + 5, 0));
    EXPECT_EQ(1u, h.counter(5));
}

TEST(HpmCounting, f7_18_CarryAndNoTickLost)
{
    for (unsigned xlen : XLENS)
        for (unsigned n : {0u, 2u, 5u}) {
            Hart h(straps(xlen));
            count_by_three(h);
            h.counter(n, 0x1FFFFFFFEu);
            const cs_cycle zero = h.t;
            // Accesses of all kinds to all but this counter.
            for (unsigned i = 0; i < 40; i++) {
                h.write(INHIBIT, i & 1 ? 1u << 9 : 0);
                h.write(MCOUNTEREN, i);
                h.write(EVENT + 7, i);
                h.read(SCOUNTOVF);
            }
            const uint64_t expected = 0x1FFFFFFFEu + 3 * (h.t - zero);
            const uint64_t low = h.read(MHPM + n);
            EXPECT_EQ(xlen == 32 ? expected & 0xFFFFFFFF : expected, low);
            if (xlen == 32) {
                EXPECT_EQ(2u, h.read(MHPMH + n));
            }
        }
}

TEST(HpmCounting, f7_21_ShadowsOverACarry)
{
    Hart h(straps(32));
    h.inc(1, 1);
    h.counter(0, 0x4FFFFFFF0);
    const cs_cycle zero = h.t;
    for (unsigned i = 0; i < 12; i++) {
        const auto value = [&] { return 0x4FFFFFFF0 + (h.t - zero); };
        uint64_t expected = value();
        EXPECT_EQ(expected & 0xFFFFFFFF, h.read(0xC00));
        expected = value();
        EXPECT_EQ(expected >> 32, h.read(0xC80));
        expected = value();
        EXPECT_EQ(expected & 0xFFFFFFFF, h.read(MCYCLE));
        expected = value();
        EXPECT_EQ(expected >> 32, h.read(0xB80));
    }
}

TEST(HpmCounting, f7_22_OneEventManyCounters)
{
    cs_hpm_config c = widths(straps(), 40);
    c.lcofi_latency = 3;
    Hart h(c);
    h.write(INHIBIT, ~0u);
    h.write(MIE, LCOFI);
    for (unsigned n = 3; n < 32; n++) {
        h.event(n, 9);
        h.counter(n, 0xFFFFFFFFFF);
    }
    h.write(INHIBIT, 0);
    const cs_cycle at = h.t + 2;
    h.pulse(9, at, 1);
    h.run(4);
    h.write(MIP, 0);
    for (unsigned n = 3; n < 32; n++)
        EXPECT_EQ(0u, h.read(MHPM + n)); // 2^40 on XLEN 64
    EXPECT_EQ(0xFFFFFFF8u, h.read(SCOUNTOVF));
    // One request: at its one cycle LCOFIP is set, and after a clearing it stays away.
    EXPECT_EQ(std::vector<cs_cycle>{at + 4}, h.edges(0, 1));
    h.write(MIP, 0);
    h.run(50);
    EXPECT_EQ(0u, h.read(MIP));
    EXPECT_EQ(1u, h.edges(0, 1).size());
}

TEST(HpmCounting, f7_35_LowHalfWriteLeavesTheHighHalf)
{
    Hart h(straps(32));
    h.inc(1, 1);
    h.counter(0, 0x7FFFFFFFF);
    h.write(MCYCLE, 0xFFFFFFFF); // the carry of this cycle goes
    EXPECT_EQ(7u, h.read(0xB80));
    EXPECT_EQ(8u, h.read(0xB80));
    h.write(0xB80, 0x12345678);
    EXPECT_EQ(0x12345678u, h.read(0xB80));
}

// Nothing is executed for a cycle: an idle hart costs a handful of sums, however long.
TEST(HpmCounting, CostsNothingWhileNothingHappens)
{
    struct Source {
        unsigned sums = 0, reaches = 0;
    } calls;
    const cs_event_source source = {
        [](void *ctx, uint32_t, uint32_t modes, cs_cycle from, cs_cycle to) {
            static_cast<Source *>(ctx)->sums++;
            return modes & 8 ? to - from : 0;
        },
        [](void *ctx, uint32_t, uint32_t, cs_cycle from, uint64_t n) {
            static_cast<Source *>(ctx)->reaches++;
            return from + n;
        },
        nullptr, &calls, nullptr};
    const cs_hpm_config c = widths(straps(), 48);
    cs_hpm *hpm = nullptr;
    const cs_hpm_env env = {source, nullptr};
    ASSERT_EQ(CS_OK, cs_hpm_create(&c, &env, &hpm, nullptr));
    const auto write = [&](cs_cycle e, unsigned csr, uint64_t value) {
        const cs_hpm_access a = {
            static_cast<uint16_t>(csr), CS_HPM_OP_WRITE, M, value, 0, true, true};
        EXPECT_EQ(CS_HPM_EXCEPTION_NONE, cs_hpm_access_csr(hpm, e, &a).exception);
    };
    write(0, MIE, LCOFI);
    for (unsigned n = 3; n < 32; n++)
        write(n, EVENT + n, 9);
    calls = {};
    const cs_cycle overflow = 4 + (1ull << 48); // counter 3 began in cycle 4
    EXPECT_EQ(overflow, cs_hpm_next(hpm));
    for (cs_cycle t = 1000; t < 100000; t += 7)
        cs_hpm_advance(hpm, t);
    cs_hpm_advance(hpm, overflow - 1);
    EXPECT_EQ(0u, cs_hpm_irq(hpm));
    EXPECT_EQ(overflow, cs_hpm_next(hpm));
    cs_hpm_advance(hpm, overflow);
    EXPECT_EQ(1u, cs_hpm_irq(hpm));
    EXPECT_EQ(CS_NEVER, cs_hpm_next(hpm));
    EXPECT_LT(calls.sums, 100u);
    EXPECT_LT(calls.reaches, 100u);
    cs_hpm_destroy(hpm);
}

} // namespace
