// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, sections 1, 5 and 7: which registers there are and what they hold. Test names
// are lines of the fact sheet, as in section 13.
#include <initializer_list>

#include "hart.hpp"
#include "random_program.hpp"

namespace
{

const unsigned XLENS[] = {32, 64};
const unsigned MODES[] = {0, 1, 2, 3};

// Every machine counter holds a value of its own, and stands still.
uint64_t own_value(unsigned n)
{
    return 0x1111111100000000u * (n % 7 + 1) + 0x01010101u * n + 0x0BAD0000;
}

void fill(Hart &h)
{
    h.write(INHIBIT, ~0u);
    for (unsigned n = 0; n < 32; n++)
        if (n != 1)
            h.counter(n, own_value(n));
}

TEST(HpmRegisters, f1_1_1_f1_1_2_f1_1_3_UserShadows)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        fill(h);
        h.time = 0xFEDCBA9876543210;
        for (unsigned n = 0; n < 32; n++) {
            const uint64_t value = n == 1 ? h.time : own_value(n);
            EXPECT_EQ(xlen == 32 ? value & 0xFFFFFFFF : value, h.read(0xC00 + n)) << n;
            if (xlen == 32)
                EXPECT_EQ(value >> 32, h.read(0xC80 + n)) << n;
            else
                EXPECT_EQ(ILL, h.exception(M, 0xC80 + n)) << n;
        }
    }
}

// docs/hw/hpm.md, "Other mhpmevents". What is beside the event is written as ever, and the registers of
// mcycle have none.
TEST(HpmRegisters, MhpmeventsThatKeepLess)
{
    const struct {
        uint16_t holes;
        uint64_t legal;
        bool stays;
        uint64_t written[3], read[3]; // one after the other
    } cases[] = {
        {0xFFC0, 0, false, {0x7F, MINH | 0x40, 0x15}, {0x3F, MINH, 0x15}},
        {0, 0x3E, false, {5, MINH | 6, 64}, {5, MINH, 0}},
        {0, 0x3E, true, {5, MINH | 6, 64}, {5, MINH | 5, 5}},
        {0, 1ull << 63 | 2, true, {63, 0, 65}, {63, 63, 63}},
        {0, 1, false, {64, MINH | 64, 1}, {0, MINH, 0}},
    };

    for (const auto &c : cases) {
        cs_hpm_config config = straps();
        config.event_holes = c.holes;
        config.legal_events = c.legal;
        config.illegal_stays = c.stays;
        Hart h(config);

        for (int i = 0; i < 3; i++) {
            h.write(EVENT + 5, c.written[i]);
            EXPECT_EQ(c.read[i], h.read(EVENT + 5)) << c.written[i];
        }
        h.write(EVENT + 1, MINH);
        EXPECT_EQ(MINH, h.read(EVENT + 1));
    }

    cs_hpm_config alone = straps(); // nothing beside the event, either
    alone.event_holes = 0x8001;
    alone.sscofpmf = false;
    Hart h(alone);
    h.write(EVENT + 5, ~0ull);
    EXPECT_EQ(0x7FFEu, h.read(EVENT + 5));
}

TEST(HpmRegisters, f1_1_4_f1_1_5_f1_1_6_MachineCounters)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        fill(h);
        for (unsigned n = 0; n < 32; n++) {
            if (n == 1) {
                EXPECT_EQ(ILL, h.exception(M, 0xB01));
                EXPECT_EQ(ILL, h.exception(M, 0xB81));
                continue;
            }
            EXPECT_EQ(xlen == 32 ? own_value(n) & 0xFFFFFFFF : own_value(n), h.read(0xB00 + n));
            if (xlen == 32)
                EXPECT_EQ(own_value(n) >> 32, h.read(0xB80 + n)) << n;
            else
                EXPECT_EQ(ILL, h.exception(M, 0xB80 + n)) << n;
        }
    }
}

TEST(HpmRegisters, f1_1_7_f1_1_8_f1_1_9_f1_1_10_NumbersAndStraps)
{
    for (unsigned xlen : XLENS)
        for (unsigned modes : MODES)
            for (unsigned bits = 0; bits < 4; bits++) {
                cs_hpm_config c = straps(xlen, modes);
                c.sscofpmf = bits & 1;
                c.smcntrpmf = bits & 2;
                Hart h(c);
                const bool r32 = xlen == 32;
                const struct {
                    unsigned csr;
                    bool exists;
                } table[] = {
                    {0x320, true},
                    {0x321, c.smcntrpmf},
                    {0x322, c.smcntrpmf},
                    {0x721, r32 && c.smcntrpmf},
                    {0x722, r32 && c.smcntrpmf},
                    {0x323, true},
                    {0x33F, true},
                    {0x723, r32 && c.sscofpmf},
                    {0x73F, r32 && c.sscofpmf},
                    {0x720, false},
                    {0x306, modes >= 1},
                    {0x106, modes >= 2},
                    {0x606, modes == 3},
                    {0x340, false},
                    {0x740, false},
                };
                for (const auto &row : table)
                    EXPECT_EQ(row.exists ? NONE : ILL, h.exception(M, row.csr))
                        << std::hex << row.csr << " xlen " << xlen << " modes " << modes;
            }
}

TEST(HpmRegisters, f1_1_11_f1_1_12_f1_1_13_SupervisorNumbers)
{
    for (unsigned modes : MODES)
        for (bool delegates : {false, true})
            for (bool overflows : {false, true}) {
                cs_hpm_config c = straps(32, modes);
                const bool s = modes >= 2, hyp = modes == 3;
                c.smcdeleg = delegates && s;
                c.sscofpmf = overflows;
                Hart h(c);
                if (c.smcdeleg)
                    h.cde(true);
                h.exception(M, MCOUNTEREN, CS_HPM_OP_WRITE, ~0ull);
                h.exception(M, SISELECT, CS_HPM_OP_WRITE, 0x43);
                const bool dg = c.smcdeleg;
                const struct {
                    unsigned csr;
                    bool answers;
                } table[] = {
                    {0x120, dg},        {0xDA0, s && overflows},
                    {0x150, dg},        {0x350, dg},
                    {0x151, dg},        {0x152, dg},
                    {0x153, false},     {0x154, false},
                    {0x155, dg},        {0x156, dg && overflows},
                    {0x157, false},     {0x158, false},
                    {0x250, hyp && dg}, {0x251, false},
                    {0x252, false},     {0x253, false},
                    {0x254, false},     {0x255, false},
                    {0x256, false},     {0x257, false},
                };
                for (const auto &row : table)
                    EXPECT_EQ(row.answers ? NONE : ILL, h.exception(M, row.csr))
                        << std::hex << row.csr << " modes " << modes << " " << delegates
                        << overflows;
            }
}

TEST(HpmRegisters, f1_1_14_f1_1_16_f1_1_17_WhatIsAbsent)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        for (unsigned csr : {0x34Eu, 0x14Eu, 0x24Eu, 0x14Fu, 0x15Fu, 0x181u, 0x351u, 0x352u, 0x353u,
                             0x354u, 0x355u, 0x356u, 0x357u})
            for (unsigned mode : {M, S, U, VS, VU})
                for (int op = 0; op < 4; op++)
                    EXPECT_EQ(ILL, h.exception(mode, csr, op)) << std::hex << csr;
    }
}

TEST(HpmRegisters, f1_1_14_MiselectIsZero)
{
    for (unsigned xlen : XLENS)
        for (bool delegates : {false, true}) {
            cs_hpm_config c = straps(xlen);
            c.smcdeleg = delegates;
            Hart h(c);
            for (int op = 0; op < 4; op++)
                EXPECT_EQ(delegates ? NONE : ILL, h.exception(M, 0x350, op, ~0ull)) << op;
            for (unsigned mode : {S, U, VS, VU})
                EXPECT_EQ(ILL, h.exception(mode, 0x350));
            if (delegates) {
                EXPECT_EQ(0u, h.read(0x350));
            }
        }
}

TEST(HpmRegisters, f1_1_15_Menvcfg)
{
    for (unsigned xlen : XLENS)
        for (unsigned modes : MODES)
            for (bool delegates : {false, true}) {
                cs_hpm_config c = straps(xlen, modes);
                c.smcdeleg = delegates && modes >= 2;
                Hart h(c);
                if (modes == 0) {
                    EXPECT_EQ(ILL, h.exception(M, MENVCFG));
                    EXPECT_EQ(ILL, h.exception(M, MENVCFGH));
                    continue;
                }
                h.write(MENVCFG, ~0ull);
                EXPECT_EQ(xlen == 64 && c.smcdeleg ? CDE : 0, h.read(MENVCFG));
                EXPECT_EQ(xlen == 32 ? NONE : ILL,
                          h.exception(M, MENVCFGH, CS_HPM_OP_WRITE, ~0ull));
                if (xlen == 32) {
                    EXPECT_EQ(c.smcdeleg ? 1u << 28 : 0, h.read(MENVCFGH));
                }
                EXPECT_EQ(ILL, h.exception(M, 0x60A));
                EXPECT_EQ(ILL, h.exception(M, 0x61A));
            }
}

TEST(HpmRegisters, f1_2_1_SixtyFourBitsZeroAfterReset)
{
    for (unsigned xlen : XLENS) {
        cs_hpm_config c = straps(xlen);
        c.aia = true;
        Hart h(c);
        for (unsigned csr = 0; csr < 0x1000; csr++) {
            const cs_hpm_result r = h.access(csr, CS_HPM_OP_READ);
            EXPECT_EQ(0u, r.value) << std::hex << csr;
        }
        for (unsigned n : {0u, 2u}) {
            h.counter(n, ~0ull);
            EXPECT_EQ(~0ull, h.counter(n));
        }
        h.inc(1, 1);
        h.inc(2, 1);
        h.run(1);
        EXPECT_EQ(0u, h.counter(0) >> 32);
        cs_hpm_reset(h.hpm(), h.t + 3);
        h.t += 3;
        EXPECT_EQ(0u, h.read(MCYCLE));
        EXPECT_EQ(1u, h.read(MINSTRET)); // the increments of the reset's cycle count
    }
}

TEST(HpmRegisters, f1_2_2_OneHartsClocks)
{
    Hart a, b;
    a.pulse(1, 3, 15);
    a.pulse(1, 5, 1);
    b.pulse(1, 3, 2);
    a.run(10);
    b.run(10);
    EXPECT_EQ(16u, a.read(MCYCLE));
    EXPECT_EQ(2u, b.read(MCYCLE));
    a.write(MCYCLE, 100);
    a.write(INHIBIT, 1);
    b.inc(1, 1);
    b.run(1);
    EXPECT_EQ(3u, b.read(MCYCLE));
}

TEST(HpmRegisters, f1_2_3_f1_2_4_WidthsAndWhatIsNotThere)
{
    for (unsigned xlen : XLENS) {
        cs_hpm_config c = straps(xlen);
        c.counters = 0x5A5A5A58;
        for (unsigned n = 3; n < 32; n++)
            c.width[n] = static_cast<uint8_t>(1 + (n * 7) % 64);
        Hart h(c);
        for (unsigned n = 3; n < 32; n++) {
            const bool there = c.counters >> n & 1;
            const uint64_t ones = c.width[n] == 64 ? ~0ull : (1ull << c.width[n]) - 1;
            h.event(n, ~0ull);
            h.counter(n, ~0ull);
            EXPECT_EQ(there ? ones : 0, h.counter(n)) << n;
            EXPECT_EQ(there ? 0xFC0000000000FFFF : 0, h.event(n)) << n;
            h.event(n, 0);
            EXPECT_EQ(0u, h.event(n));
        }
        EXPECT_EQ(0x5A5A5A5Du, (h.write(INHIBIT, ~0ull), h.read(INHIBIT)));
    }
}

TEST(HpmRegisters, f1_2_5_ShadowOfWhatIsNotThere)
{
    for (unsigned xlen : XLENS) {
        cs_hpm_config c = straps(xlen);
        c.counters = 0x08;
        Hart h(c);
        h.write(MCOUNTEREN, ~0u);
        h.write(SCOUNTEREN, ~0u);
        h.write(HCOUNTEREN, ~0u);
        for (unsigned n = 4; n < 32; n++)
            for (unsigned csr : {0xC00 + n, 0xC80 + n}) {
                if (csr >= 0xC80 && xlen == 64)
                    continue;
                EXPECT_EQ(0u, h.read(csr));
                for (unsigned mode : {S, U, VS, VU})
                    EXPECT_EQ(ILL, h.exception(mode, csr)) << n;
            }
        for (unsigned mode : {S, U, VS, VU})
            EXPECT_EQ(NONE, h.exception(mode, 0xC03));
    }
}

TEST(HpmRegisters, f1_2_6_Halves)
{
    Hart h(straps(32));
    h.write(INHIBIT, ~0u);
    for (unsigned n = 0; n < 32; n++) {
        if (n == 1)
            continue;
        h.write(0xB80 + n, 0xAAAA0000 + n);
        h.write(0xB00 + n, 0x55550000 + n);
        EXPECT_EQ(0xAAAA0000 + n, h.write(0xB80 + n, 0x12345678));
        EXPECT_EQ(0x55550000 + n, h.read(0xB00 + n));
        EXPECT_EQ(0x55550000 + n,
                  h.set(0xB00 + n, 0xFFFFFFFF0000000Full)); // only 31:0 is looked at
        EXPECT_EQ(0x12345678u, h.read(0xB80 + n));
    }
}

TEST(HpmRegisters, f1_2_7_f1_2_8_f1_2_9_f1_2_10_Enables)
{
    for (unsigned xlen : XLENS) {
        cs_hpm_config c = straps(xlen);
        c.counters = 0x80F0FF38;
        Hart h(c);
        for (unsigned csr : {MCOUNTEREN, SCOUNTEREN, HCOUNTEREN}) {
            EXPECT_EQ(0u, h.write(csr, ~0ull));
            EXPECT_EQ(0x80F0FF3Fu, h.read(csr)) << std::hex << csr;
        }
        // Each is a register of its own.
        h.write(MCOUNTEREN, 0);
        h.write(SCOUNTEREN, 0x12);
        h.write(HCOUNTEREN, 0x24);
        EXPECT_EQ(0u, h.read(MCOUNTEREN));
        EXPECT_EQ(0x12u, h.read(SCOUNTEREN));
        EXPECT_EQ(0x24u, h.read(HCOUNTEREN));
        // They hide, they do not stop.
        h.write(SCOUNTEREN, 0);
        h.write(HCOUNTEREN, 0);
        h.event(3, 7);
        h.inc(1, 1);
        h.inc(7, 2);
        const uint64_t cycles = h.read(MCYCLE), events = h.read(MHPM + 3);
        h.mode(VU);
        h.run(50);
        h.mode(M);
        EXPECT_EQ(cycles + 52, h.read(MCYCLE));
        EXPECT_EQ(events + 2 * 52, h.read(MHPM + 3));
    }
}

TEST(HpmRegisters, f1_2_11_f1_2_12_Inhibit)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        for (unsigned n = 3; n < 32; n++)
            h.event(n, n);
        const cs_cycle start = h.t;
        for (unsigned e = 1; e < 32; e++)
            h.inc(e, 1 + e % 15);
        h.run(20);
        h.time = 1000;
        const cs_cycle stopped = h.t;
        EXPECT_EQ(0u, h.write(INHIBIT, ~0ull));
        std::vector<uint64_t> values;
        for (unsigned n = 0; n < 32; n++)
            if (n != 1)
                values.push_back(h.read(MHPM + n));
        EXPECT_EQ(0xFFFFFFFDu, h.read(INHIBIT));         // bit 1 is none
        EXPECT_EQ((stopped + 1 - start) * 2, values[0]); // its own cycle is counted
        h.run(100);
        for (unsigned n = 0, i = 0; n < 32; n++)
            if (n != 1) {
                EXPECT_EQ(values[i++], h.read(MHPM + n)) << n; // all of one cycle
            }
        h.write(MCOUNTEREN, ~0u);
        EXPECT_EQ(NONE, h.exception(S, 0xC03)); // access stays free
        h.time = 1101;
        EXPECT_EQ(1101u, h.read(0xC01));
        h.write(MHPM + 3, 5);
        EXPECT_EQ(5u, h.read(MHPM + 3));
    }
}

// Every combination of the straps: made or refused, and every CSR number answers as it must.
TEST(HpmRegisters, f1_2_15_EveryStrapCombination)
{
    unsigned made = 0, refused = 0;
    for (unsigned xlen : XLENS)
        for (unsigned modes : MODES)
            for (unsigned bits = 0; bits < 16; bits++)
                for (uint32_t counters : {0u, 0xFFFFFFF8u, 0x90001018u}) {
                    cs_hpm_config c = widths(cs_hpm_default_config(), 40);
                    c.xlen = xlen;
                    c.modes = modes;
                    c.counters = counters;
                    c.sscofpmf = bits & 1;
                    c.smcntrpmf = bits & 2;
                    c.smcdeleg = bits & 4;
                    c.aia = bits & 8;
                    const bool legal =
                        (!c.smcdeleg || modes >= 2) && (!c.aia || (modes >= 2 && c.sscofpmf));
                    TableHart hart(bits, modes, 10);
                    const cs_event_source source = hart.source();
                    cs_hpm *hpm = nullptr;
                    const cs_hpm_env env = {source, nullptr};
                    ASSERT_EQ(legal ? CS_OK : CS_ERR_RANGE, cs_hpm_create(&c, &env, &hpm, nullptr));
                    ASSERT_EQ(legal, hpm != nullptr);
                    made += legal;
                    refused += !legal;
                    if (!legal)
                        continue;
                    Reference reference(
                        c, [&](unsigned e, cs_cycle t) { return hart.increment(e, t); });
                    const std::vector<std::vector<unsigned>> there = {
                        {M}, {M, U}, {M, S, U}, {M, S, U, VS, VU}};
                    Random random{bits};
                    Pins p;
                    // Numbers in ascending order, written with ones or read, in any mode.
                    for (p.csr = 0; p.csr < 0x1000; p.csr++, p.t++) {
                        const bool is_enable = (p.csr & 0xFF) == 0x06 || p.csr == MENVCFG;
                        p.mode = random(3) && !is_enable ? random.of(there[modes]) : M;
                        p.op = static_cast<int>(random(4));
                        p.operand = ~0ull;
                        const cs_hpm_access access = {static_cast<uint16_t>(p.csr),
                                                      static_cast<uint8_t>(p.op),
                                                      static_cast<uint8_t>(p.mode),
                                                      p.operand,
                                                      p.time,
                                                      true,
                                                      true};
                        const cs_hpm_result found = cs_hpm_access_csr(hpm, p.t, &access);
                        const Answer expected = reference.step(p);
                        ASSERT_EQ(expected.exception, found.exception)
                            << std::hex << p.csr << " mode " << p.mode << " op " << p.op;
                        ASSERT_EQ(expected.value, found.value)
                            << std::hex << p.csr << " mode " << p.mode << " op " << p.op;
                    }
                    cs_hpm_destroy(hpm);
                }
    EXPECT_EQ(2u * 3 * (2 * 4 + 2 * 12), made); // M, MU: of, cf; with S: and dg, and aia with of
    EXPECT_EQ(2u * 4 * 16 * 3 - made, refused);
}

TEST(HpmRegisters, f2_17_AllOnesTellTheWidth)
{
    for (unsigned xlen : XLENS) {
        cs_hpm_config c = straps(xlen);
        for (unsigned n = 3; n < 32; n++)
            c.width[n] = static_cast<uint8_t>(36 + n % 29);
        Hart h(c);
        for (unsigned n = 3; n < 32; n++) {
            h.counter(n, ~0ull);
            EXPECT_EQ(c.width[n] == 64 ? ~0ull : (1ull << c.width[n]) - 1, h.counter(n)) << n;
        }
    }
}

TEST(HpmRegisters, f2_1_f2_2_BitPlaces)
{
    const uint64_t filters[] = {MINH, MINH | UINH, MINH | UINH | SINH,
                                MINH | UINH | SINH | VSINH | VUINH};
    for (unsigned xlen : XLENS)
        for (unsigned modes : MODES) {
            Hart h(straps(xlen, modes));
            h.event(5, ~0ull);
            EXPECT_EQ(OF | filters[modes] | 0xFFFF, h.event(5));
            if (xlen == 32) {
                EXPECT_EQ((OF | filters[modes]) >> 32, h.read(EVENTH + 5));
                EXPECT_EQ(0xFFFFu, h.read(EVENT + 5));
            }
            // One at a time: a set bit stands in its own place, and keeps its own mode out.
            const struct {
                uint64_t bit;
                unsigned mode;
                unsigned needs;
            } table[] = {{MINH, M, 0}, {UINH, U, 1}, {SINH, S, 2}, {VSINH, VS, 3}, {VUINH, VU, 3}};
            for (const auto &filter : table)
                for (const auto &running : table) {
                    if (modes < running.needs || modes < filter.needs)
                        continue;
                    h.event(4, filter.bit | 9);
                    EXPECT_EQ(filter.bit | 9, h.event(4));
                    const uint64_t before = h.counter(4);
                    const cs_cycle at = h.t;
                    h.pulse(9, at, 3);
                    h.mode(running.mode);
                    h.run(1);
                    h.mode(M);
                    EXPECT_EQ(before + (filter.mode == running.mode ? 0 : 3), h.counter(4))
                        << "filter of mode " << filter.mode << " in mode " << running.mode;
                }
        }
    // All zero: every mode. Without sscofpmf there is no filter.
    cs_hpm_config c = straps();
    for (bool overflows : {false, true}) {
        c.sscofpmf = overflows;
        Hart h(c);
        h.event(4, overflows ? 9 : (OF | MINH | SINH | UINH | VSINH | VUINH | 9));
        EXPECT_EQ(9u, h.event(4));
        for (unsigned mode : {U, S, M, VU, VS}) {
            h.pulse(9, h.t, 1);
            h.mode(mode);
            h.run(1);
        }
        h.mode(M);
        EXPECT_EQ(5u, h.counter(4));
    }
}

TEST(HpmRegisters, f7_10_f7_16_f7_33_HighHalvesAreTheirOwn)
{
    Hart h(straps(32));
    fill(h);
    for (unsigned n = 3; n < 32; n++)
        h.event(n, (n & 1 ? MINH : VUINH) | (n & 2 ? OF : 0) | (n & 4 ? SINH : 0) | n);
    for (unsigned n = 0; n < 32; n++) {
        if (n == 1)
            continue;
        EXPECT_EQ(own_value(n) >> 32, h.read(MHPMH + n)) << n;
        EXPECT_EQ(own_value(n) >> 32, h.read(0xC80 + n)) << n;
        EXPECT_EQ(own_value(n) & 0xFFFFFFFF, h.read(MHPM + n)) << n;
        if (n < 3)
            continue;
        const uint64_t event = (n & 1 ? MINH : VUINH) | (n & 2 ? OF : 0) | (n & 4 ? SINH : 0);
        EXPECT_EQ(event >> 32, h.read(EVENTH + n)) << n;
        EXPECT_EQ(n, h.read(EVENT + n));
    }
}

TEST(HpmRegisters, f7_13_f7_19_NoCounterAtAll)
{
    for (unsigned xlen : XLENS) {
        cs_hpm_config c = straps(xlen);
        c.counters = 0;
        Hart h(c);
        EXPECT_EQ(0u, h.write(INHIBIT, ~0ull));
        EXPECT_EQ(5u, h.write(INHIBIT, 0));
        EXPECT_EQ(0u, h.read(INHIBIT));
        h.write(MCYCLE, 0);
        h.write(MINSTRET, 0);
        h.inc(1, 2);
        h.inc(2, 3);
        h.run(10);
        EXPECT_EQ(20u, h.read(MCYCLE));
        EXPECT_EQ(33u, h.read(MINSTRET));
        for (unsigned n = 3; n < 32; n++) {
            h.write(EVENT + n, 1);
            h.write(MHPM + n, 1);
            EXPECT_EQ(0u, h.read(EVENT + n));
            EXPECT_EQ(0u, h.read(MHPM + n));
        }
    }
}

TEST(HpmRegisters, f7_36_EveryWidth)
{
    for (unsigned width = 1; width <= 64; width++) {
        Hart h(widths(straps(), width));
        const uint64_t ones = width == 64 ? ~0ull : (1ull << width) - 1;
        h.write(MHPM + 9, ~0ull);
        EXPECT_EQ(ones, h.read(MHPM + 9));
        h.event(9, 4);
        h.pulse(4, h.t, 1);
        h.run(1);
        EXPECT_EQ(0u, h.read(MHPM + 9)) << width;
        EXPECT_TRUE(h.of(9));
        h.event(9, 4);
        h.write(MHPM + 9, ones);
        h.pulse(4, h.t, 15);
        h.run(1);
        EXPECT_EQ(14 & ones, h.read(MHPM + 9)) << width; // wraps more than once when narrow
        EXPECT_TRUE(h.of(9));
    }
}

} // namespace
