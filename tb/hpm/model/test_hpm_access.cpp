// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, sections 4 and 7: who may. Test names are lines of the fact sheet.
#include <string>

#include "hart.hpp"

namespace
{

const unsigned XLENS[] = {32, 64};
const unsigned BELOW_M[] = {S, U, VS, VU};

// ---- the counter table: 1.4-1 .. -14, a row a test

struct Row {
    const char *name;
    unsigned modes; // strap
    unsigned mode;
    int m, h, s; // the bit in mcounteren, hcounteren, scounteren; -1: both
    int exception;
};

void PrintTo(const Row &row, std::ostream *out)
{
    *out << row.name;
}

class HpmCounterTable : public testing::TestWithParam<Row>
{
};

// With the bit itself, and with all bits but it the other way round, so that another counter's
// bit does not do.
void check(const Row &row, unsigned xlen, unsigned n, bool m, bool h, bool s)
{
    Hart hart(straps(xlen, row.modes));
    const auto word = [&](bool bit) { return bit ? 1u << n : ~(1u << n); };
    hart.time = 0x300000005;
    hart.write(INHIBIT, ~0u);
    if (n != 1)
        hart.counter(n, 0x300000005);
    if (row.modes >= 1)
        hart.write(MCOUNTEREN, word(m));
    if (row.modes >= 2)
        hart.write(SCOUNTEREN, word(s));
    if (row.modes == 3)
        hart.write(HCOUNTEREN, word(h));
    for (unsigned high : {0u, 0x80u}) {
        const cs_hpm_result r = hart.access_in(row.mode, 0xC00 + high + n, CS_HPM_OP_READ);
        if (high != 0 && xlen == 64) {
            EXPECT_EQ(ILL, static_cast<int>(r.exception));
            continue;
        }
        EXPECT_EQ(row.exception, static_cast<int>(r.exception)) << "counter " << n << ", " << high;
        const uint64_t value = high != 0 ? 3 : xlen == 32 ? 5 : 0x300000005;
        EXPECT_EQ(row.exception == NONE ? value : 0, r.value) << "counter " << n << ", " << high;
    }
}

TEST_P(HpmCounterTable, Row)
{
    const Row &row = GetParam();
    for (unsigned xlen : XLENS)
        for (unsigned n = 0; n < 32; n++)
            for (unsigned free = 0; free < 8; free++) {
                const bool m = row.m < 0 ? free & 1 : row.m, h = row.h < 0 ? free & 2 : row.h,
                           s = row.s < 0 ? free & 4 : row.s;
                check(row, xlen, n, m, h, s);
            }
}

INSTANTIATE_TEST_SUITE_P(
    Hpm, HpmCounterTable,
    testing::Values(Row{"f1_4_1", 3, M, -1, -1, -1, NONE}, Row{"f1_4_2", 3, S, 0, -1, -1, ILL},
                    Row{"f1_4_3", 3, S, 1, -1, -1, NONE}, Row{"f1_4_4_0", 1, U, 0, -1, -1, ILL},
                    Row{"f1_4_4_1", 1, U, 1, -1, -1, NONE}, Row{"f1_4_5", 3, U, 0, -1, -1, ILL},
                    Row{"f1_4_6", 3, U, 1, -1, 0, ILL}, Row{"f1_4_7", 3, U, 1, -1, 1, NONE},
                    Row{"f1_4_8", 3, VS, 0, -1, -1, ILL}, Row{"f1_4_9", 3, VS, 1, 0, -1, VIRT},
                    Row{"f1_4_10", 3, VS, 1, 1, -1, NONE}, Row{"f1_4_11", 3, VU, 0, -1, -1, ILL},
                    Row{"f1_4_12", 3, VU, 1, 0, -1, VIRT}, Row{"f1_4_13", 3, VU, 1, 1, 0, VIRT},
                    Row{"f1_4_14", 3, VU, 1, 1, 1, NONE}, Row{"f1_4_6_no_H", 2, U, 1, -1, 0, ILL},
                    Row{"f1_4_7_no_H", 2, U, 1, -1, 1, NONE}),
    [](const testing::TestParamInfo<Row> &info) { return std::string(info.param.name); });

TEST(HpmAccess, f1_4_15_f1_4_16_HighHalvesByXlen)
{
    for (bool open : {false, true}) {
        Hart h32(straps(32)), h64(straps(64));
        for (Hart *h : {&h32, &h64})
            for (unsigned csr : {MCOUNTEREN, HCOUNTEREN, SCOUNTEREN})
                h->write(csr, open ? ~0u : csr == MCOUNTEREN ? ~0u : 0);
        for (unsigned n = 0; n < 32; n++)
            for (unsigned mode : {M, S, U, VS, VU}) {
                EXPECT_EQ(h32.exception(mode, 0xC00 + n), h32.exception(mode, 0xC80 + n));
                EXPECT_EQ(ILL, h64.exception(mode, 0xC80 + n)); // never virtual
            }
        EXPECT_EQ(open ? NONE : VIRT, h32.exception(VU, 0xC85));
    }
}

TEST(HpmAccess, f1_4_17_WritesToShadows)
{
    for (unsigned xlen : XLENS)
        for (bool open : {false, true}) {
            Hart h(straps(xlen));
            for (unsigned csr : {MCOUNTEREN, HCOUNTEREN, SCOUNTEREN})
                h.write(csr, open || csr == MCOUNTEREN ? ~0u : 0);
            h.counter(3, 77);
            for (unsigned n = 0; n < 32; n++)
                for (unsigned high : {0u, 0x80u})
                    for (unsigned mode : {M, S, U, VS, VU})
                        for (int op : {1, 2, 3})
                            EXPECT_EQ(ILL, h.exception(mode, 0xC00 + high + n, op));
            EXPECT_EQ(77u, h.counter(3));
        }
}

// The hart's xtval needs the kind, and no value: and the probe has the number.
TEST(HpmAccess, f1_4_18_TheKindOfException)
{
    Hart h;
    h.write(MCOUNTEREN, ~0u);
    h.records.clear();
    const cs_cycle at = h.t;
    for (int op : {0, 1, 2, 3}) {
        const cs_hpm_result r = h.access_in(VS, HCOUNTEREN, op, ~0ull);
        EXPECT_EQ(CS_HPM_EXCEPTION_VIRTUAL, r.exception);
        EXPECT_EQ(0u, r.value);
    }
    const cs_hpm_result r = h.access_in(S, MIE, 1, ~0ull);
    EXPECT_EQ(CS_HPM_EXCEPTION_ILLEGAL, r.exception);
    ASSERT_EQ(5u, h.records.size());
    for (unsigned i = 0; i < 5; i++) {
        const cs_probe_record &record = h.records[i];
        EXPECT_EQ(at + i, record.cycle);
        EXPECT_EQ(CS_PROBE_REG, record.kind);
        EXPECT_EQ(i == 0 ? 0 : 1, record.write);
        EXPECT_EQ(i == 4 ? 1 : 2, record.resp);
        EXPECT_EQ(i == 4 ? MIE : HCOUNTEREN, record.addr);
        EXPECT_EQ(0u, record.value);
        EXPECT_EQ(8u, record.bytes);
        EXPECT_EQ(0x400u, record.source);
    }
    EXPECT_EQ(0u, h.read(HCOUNTEREN)); // nothing changed
}

TEST(HpmAccess, f1_4_19_GuestTime)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        for (unsigned csr : {MCOUNTEREN, HCOUNTEREN, SCOUNTEREN})
            h.write(csr, 2);
        h.write64(HTIMEDELTA, HTIMEDELTAH, 0xFFFFFFFF80000001);
        h.time = 0x00000001FFFFFFFF;
        const struct {
            unsigned mode;
            uint64_t value;
        } table[] = {{M, 0x1FFFFFFFF},
                     {S, 0x1FFFFFFFF},
                     {U, 0x1FFFFFFFF},
                     {VS, 0x180000000},
                     {VU, 0x180000000}}; // wraps mod 2^64
        for (const auto &row : table) {
            EXPECT_EQ(xlen == 32 ? row.value & 0xFFFFFFFF : row.value, h.read_in(row.mode, 0xC01));
            if (xlen == 32) {
                EXPECT_EQ(row.value >> 32, h.read_in(row.mode, 0xC81));
            }
        }
        EXPECT_EQ(xlen == 32 ? 0x80000001 : 0xFFFFFFFF80000001, h.read(HTIMEDELTA));
    }
}

// ---- scountovf

void overflow_all(Hart &h)
{
    for (unsigned n = 3; n < 32; n++)
        h.event(n, OF);
}

TEST(HpmAccess, f2_12_f2_13_f2_14_Scountovf)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        for (unsigned n = 3; n < 32; n++) {
            h.event(n, OF);
            EXPECT_EQ(1u << n, h.read(SCOUNTOVF));
            h.event(n, 0xFFFF | MINH);
            EXPECT_EQ(0u, h.read(SCOUNTOVF));
        }
        overflow_all(h);
        h.write(MCOUNTEREN, 0x0FF0F0FF);
        h.write(HCOUNTEREN, 0x33333333);
        h.write(SCOUNTEREN, 0);
        EXPECT_EQ(0xFFFFFFF8u, h.read_in(M, SCOUNTOVF));
        EXPECT_EQ(0x0FF0F0F8u, h.read_in(S, SCOUNTOVF));
        EXPECT_EQ(0x0FF0F0F8u & 0x33333333, h.read_in(VS, SCOUNTOVF));
        EXPECT_EQ(ILL, h.exception(U, SCOUNTOVF));
        EXPECT_EQ(VIRT, h.exception(VU, SCOUNTOVF));
        for (unsigned mode : {M, S, U, VS, VU})
            for (int op : {1, 2, 3})
                EXPECT_EQ(ILL, h.exception(mode, SCOUNTOVF, op, 0));
    }
}

TEST(HpmAccess, f3_2_10_ScountovfWithCde)
{
    Hart h;
    overflow_all(h);
    h.write(MCOUNTEREN, ~0u);
    h.write(HCOUNTEREN, ~0u);
    h.cde(true);
    EXPECT_EQ(0xFFFFFFF8u, h.read_in(M, SCOUNTOVF));
    EXPECT_EQ(0xFFFFFFF8u, h.read_in(S, SCOUNTOVF));
    EXPECT_EQ(ILL, h.exception(U, SCOUNTOVF));
    EXPECT_EQ(VIRT, h.exception(VS, SCOUNTOVF));
    EXPECT_EQ(VIRT, h.exception(VU, SCOUNTOVF));
    EXPECT_EQ(ILL, h.exception(VS, SCOUNTOVF, CS_HPM_OP_SET, 0));
    EXPECT_EQ(ILL, h.exception(VU, SCOUNTOVF, CS_HPM_OP_SET, 0));
}

TEST(HpmAccess, f7_5_MachineScountovfIsWhole)
{
    Hart h;
    overflow_all(h);
    EXPECT_EQ(0xFFFFFFF8u, h.read(SCOUNTOVF)); // with all enables 0
    EXPECT_EQ(0u, h.read_in(S, SCOUNTOVF));
    // And the window's numbers are these and no others.
    h.write(MCOUNTEREN, ~0u);
    h.cde(true);
    h.write(SISELECT, 0x43);
    h.write(MHPM + 3, 0x1234);
    EXPECT_EQ(0x1234u, h.read_in(S, SIREG));
    EXPECT_EQ(OF, h.read_in(S, SIREG2));
    for (unsigned csr : {0x153u, 0x154u, 0x155u, 0x156u, 0x157u, 0x158u})
        EXPECT_EQ(ILL, h.exception(S, csr)) << std::hex << csr;
}

TEST(HpmAccess, f7_4_f7_12_f7_20_EachEnableAloneRefuses)
{
    const struct {
        unsigned mode;
        unsigned register_that_is_0;
        int exception;
    } table[] = {
        {S, MCOUNTEREN, ILL},   {U, MCOUNTEREN, ILL},   {U, SCOUNTEREN, ILL},
        {VS, MCOUNTEREN, ILL},  {VS, HCOUNTEREN, VIRT}, {VU, MCOUNTEREN, ILL},
        {VU, HCOUNTEREN, VIRT}, {VU, SCOUNTEREN, VIRT}, {S, SCOUNTEREN, NONE},
        {S, HCOUNTEREN, NONE},  {U, HCOUNTEREN, NONE},  {VS, SCOUNTEREN, NONE},
    };
    for (const auto &row : table) {
        Hart h;
        for (unsigned csr : {MCOUNTEREN, HCOUNTEREN, SCOUNTEREN})
            h.write(csr, csr == row.register_that_is_0 ? 0 : ~0u);
        for (unsigned n = 0; n < 32; n++)
            EXPECT_EQ(row.exception, h.exception(row.mode, 0xC00 + n))
                << "mode " << row.mode << std::hex << " without " << row.register_that_is_0;
    }
}

// ---- delegation

TEST(HpmAccess, f3_2_1_f3_2_2_CdeAndSelect)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        h.write(MCOUNTEREN, ~0u);
        h.write(INHIBIT, ~0u);
        // siselect and vsiselect are there without CDE, and hold 12 bits.
        for (unsigned csr : {SISELECT, VSISELECT})
            for (uint64_t value : {0x41ull, 0xFFFull, ~0ull, 0xABCD1234ull}) {
                h.write(csr, value);
                EXPECT_EQ(value & 0xFFF, h.read(csr));
            }
        h.write(SISELECT, 0x45);
        EXPECT_EQ(ILL, h.exception(S, SIREG));
        EXPECT_EQ(ILL, h.exception(S, SCOUNTINHIBIT));
        h.cde(true);
        EXPECT_EQ(NONE, h.exception(S, SIREG));
        h.clear(MCOUNTEREN, 1u << 5);
        EXPECT_EQ(ILL, h.exception(S, SIREG));
        h.set(MCOUNTEREN, 1u << 5);
        for (unsigned s = 0; s < 0x100; s++) {
            h.write(SISELECT, s);
            EXPECT_EQ(s >= 0x40 && s <= 0x5F && s != 0x41 ? NONE : ILL, h.exception(S, SIREG))
                << std::hex << s;
        }
        h.cde(false);
        h.write(SISELECT, 0x45);
        EXPECT_EQ(ILL, h.exception(M, SIREG));
    }
}

TEST(HpmAccess, f3_2_3_f3_2_4_f3_2_5_WhatTheWindowShows)
{
    for (unsigned xlen : XLENS)
        for (unsigned bits = 0; bits < 4; bits++) {
            cs_hpm_config c = straps(xlen);
            c.sscofpmf = bits & 1;
            c.smcntrpmf = bits & 2;
            Hart h(c);
            h.write(INHIBIT, ~0u);
            h.write(MCOUNTEREN, ~0u);
            h.cde(true);
            for (unsigned n = 0; n < 32; n++) {
                if (n == 1)
                    continue;
                const bool config = n < 3 ? c.smcntrpmf : true;
                const bool high = xlen == 32 && (n < 3 ? c.smcntrpmf : c.sscofpmf);
                h.write(SISELECT, 0x40 + n);
                EXPECT_EQ(NONE, h.exception(S, SIREG));
                EXPECT_EQ(xlen == 32 ? NONE : ILL, h.exception(S, SIREG4));
                EXPECT_EQ(config ? NONE : ILL, h.exception(S, SIREG2)) << n;
                EXPECT_EQ(high ? NONE : ILL, h.exception(S, SIREG5)) << n;

                // Counter and window are one; written from either side.
                h.counter(n, 0x5500000000ull + n);
                EXPECT_EQ(xlen == 32 ? n : 0x5500000000ull + n, h.read_in(S, SIREG));
                h.access_in(S, SIREG, CS_HPM_OP_WRITE, 0x99);
                if (xlen == 32) {
                    EXPECT_EQ(0x55u, h.read_in(S, SIREG4));
                    h.access_in(S, SIREG4, CS_HPM_OP_WRITE, 0x77);
                }
                EXPECT_EQ(xlen == 32 ? 0x7700000099u : 0x99u, h.counter(n));
                if (!config)
                    continue;

                // MINH reads 0 and keeps its value; all else as with the machine register.
                const uint64_t all = (n < 3 ? 0 : 0xFFFF) |
                                     (n < 3 || c.sscofpmf ? SINH | UINH | VSINH | VUINH : 0) |
                                     (n >= 3 && c.sscofpmf ? OF : 0);
                const uint64_t minh = n < 3 || c.sscofpmf ? MINH : 0;
                const uint64_t mask = xlen == 32 ? 0xFFFFFFFF : ~0ull;
                for (uint64_t before : {uint64_t{0}, minh, all | minh}) {
                    h.event(n, before);
                    EXPECT_EQ(before & ~MINH & mask, h.read_in(S, SIREG2));
                    h.access_in(S, SIREG2, CS_HPM_OP_WRITE, ~0ull);
                    if (high) {
                        EXPECT_EQ((before & ~MINH) >> 32, h.read_in(S, SIREG5));
                        h.access_in(S, SIREG5, CS_HPM_OP_WRITE, ~0ull);
                    }
                    EXPECT_EQ(all | (before & MINH), h.event(n)) << n;
                    h.access_in(S, SIREG2, CS_HPM_OP_CLEAR, ~0ull);
                    if (high)
                        h.access_in(S, SIREG5, CS_HPM_OP_CLEAR, ~0ull);
                    EXPECT_EQ(before & MINH, h.event(n)) << n;
                }
            }
        }
}

TEST(HpmAccess, f3_2_6_WindowRules)
{
    for (unsigned xlen : XLENS)
        for (unsigned mode : {M, S}) {
            cs_hpm_config c = straps(xlen);
            c.counters &= ~(1u << 9);
            Hart h(c);
            h.write(MCOUNTEREN, ~(1u << 7));
            h.cde(true);
            const int high = xlen == 32 ? NONE : ILL;
            const struct {
                unsigned select;
                int answers[6]; // sireg .. sireg6
            } table[] = {
                {0x3F, {ILL, ILL, ILL, ILL, ILL, ILL}},  // D1
                {0x60, {ILL, ILL, ILL, ILL, ILL, ILL}},  // D1
                {0x840, {ILL, ILL, ILL, ILL, ILL, ILL}}, // D1
                {0x41, {ILL, ILL, ILL, ILL, ILL, ILL}},  // D5
                {0x47, {ILL, ILL, ILL, ILL, ILL, ILL}},  // D6
                {0x49, {ILL, ILL, ILL, ILL, ILL, ILL}},  // D6: not there
                {0x40, {NONE, NONE, ILL, high, high, ILL}},
                {0x42, {NONE, NONE, ILL, high, high, ILL}},
                {0x43, {NONE, NONE, ILL, high, high, ILL}},
                {0x5F, {NONE, NONE, ILL, high, high, ILL}},
            };
            const unsigned window[] = {SIREG, SIREG2, SIREG3, SIREG4, SIREG5, SIREG6};
            for (bool cde : {true, false}) {
                h.cde(cde);
                for (const auto &row : table) {
                    h.write(SISELECT, row.select);
                    for (unsigned i = 0; i < 6; i++)
                        for (int op : {0, 1, 2, 3})
                            EXPECT_EQ(cde ? row.answers[i] : ILL, h.exception(mode, window[i], op))
                                << std::hex << row.select << " " << window[i];
                }
            }
        }
}

TEST(HpmAccess, f3_2_7_Guests)
{
    const unsigned window[] = {0x151, 0x152, 0x153, 0x155, 0x156, 0x157};
    for (unsigned xlen : XLENS)
        for (bool cde : {false, true}) {
            Hart h(straps(xlen));
            h.write(MCOUNTEREN, ~0u);
            h.cde(cde);
            h.write(SISELECT, 0x43);
            for (unsigned select : {0x3Fu, 0x40u, 0x41u, 0x5Fu, 0x60u}) {
                h.write(VSISELECT, select);
                const bool inside = select >= 0x40 && select <= 0x5F;
                for (unsigned csr : window) {
                    EXPECT_EQ(inside && cde ? VIRT : ILL, h.exception(VS, csr));
                    EXPECT_EQ(VIRT, h.exception(VU, csr));
                    EXPECT_EQ(ILL, h.exception(U, csr));
                    // By its own name: vsireg*.
                    EXPECT_EQ(VIRT, h.exception(VS, csr + 0x100));
                    EXPECT_EQ(VIRT, h.exception(VU, csr + 0x100));
                    EXPECT_EQ(ILL, h.exception(U, csr + 0x100));
                    EXPECT_EQ(ILL, h.exception(S, csr + 0x100));
                    EXPECT_EQ(ILL, h.exception(M, csr + 0x100));
                }
            }
            // In VS siselect is vsiselect; the two hold values of their own.
            h.access_in(VS, SISELECT, CS_HPM_OP_WRITE, 0x51);
            EXPECT_EQ(0x51u, h.read_in(VS, SISELECT));
            EXPECT_EQ(0x51u, h.read(VSISELECT));
            EXPECT_EQ(0x43u, h.read(SISELECT));
            EXPECT_EQ(VIRT, h.exception(VS, VSISELECT));
            EXPECT_EQ(VIRT, h.exception(VU, VSISELECT));
            EXPECT_EQ(VIRT, h.exception(VU, SISELECT));
            EXPECT_EQ(ILL, h.exception(U, SISELECT));
            EXPECT_EQ(ILL, h.exception(U, VSISELECT));
            EXPECT_EQ(NONE, h.exception(S, VSISELECT));
        }
}

TEST(HpmAccess, f3_2_8_StateenComesFirst)
{
    const struct {
        bool m, h;
        unsigned mode;
        int siselect, sireg, vsiselect, vsireg;
    } table[] = {
        {false, false, M, NONE, NONE, NONE, ILL},  {false, false, S, ILL, ILL, ILL, ILL},
        {false, true, VS, ILL, ILL, ILL, ILL},     {false, true, VU, ILL, ILL, ILL, ILL},
        {false, true, U, ILL, ILL, ILL, ILL},      {true, false, S, NONE, NONE, NONE, ILL},
        {true, false, VS, VIRT, VIRT, VIRT, VIRT}, {true, false, VU, VIRT, VIRT, VIRT, VIRT},
        {true, false, U, ILL, ILL, ILL, ILL},      {true, true, S, NONE, NONE, NONE, ILL},
        {true, true, VS, NONE, ILL, VIRT, VIRT},   {true, true, VU, VIRT, VIRT, VIRT, VIRT},
    };
    for (const auto &row : table) {
        Hart h;
        h.write(MCOUNTEREN, ~0u);
        h.cde(true);
        h.write(SISELECT, 0x43);
        h.stateen_m = row.m;
        h.stateen_h = row.h;
        EXPECT_EQ(row.siselect, h.exception(row.mode, SISELECT)) << row.mode << row.m << row.h;
        EXPECT_EQ(row.sireg, h.exception(row.mode, SIREG)) << row.mode << row.m << row.h;
        EXPECT_EQ(row.vsiselect, h.exception(row.mode, VSISELECT)) << row.mode << row.m << row.h;
        EXPECT_EQ(row.vsireg, h.exception(row.mode, VSISELECT + 1)) << row.mode << row.m << row.h;
        // Nothing else depends on them.
        EXPECT_EQ(row.mode == U                    ? ILL
                  : row.mode == M || row.mode == S ? NONE
                                                   : VIRT,
                  h.exception(row.mode, SCOUNTINHIBIT));
    }
}

TEST(HpmAccess, f3_2_9_Scountinhibit)
{
    for (unsigned xlen : XLENS) {
        cs_hpm_config c = straps(xlen);
        c.counters = 0x00FFFFF8;
        Hart h(c);
        for (bool cde : {false, true}) {
            h.cde(cde);
            const int answers[] = {NONE, NONE, ILL, VIRT, VIRT};
            const unsigned modes[] = {M, S, U, VS, VU};
            for (unsigned i = 0; i < 5; i++)
                for (int op : {0, 2})
                    EXPECT_EQ(cde ? answers[i] : ILL, h.exception(modes[i], SCOUNTINHIBIT, op))
                        << modes[i] << cde;
        }
        for (unsigned mode : {M, S}) {
            h.write(MCOUNTEREN, 0xF0F0F0F7);
            h.write(INHIBIT, 0xFF00FF01);
            EXPECT_EQ(0x00F0F0F5u & 0xFF00FF01, h.read_in(mode, SCOUNTINHIBIT));
            h.access_in(mode, SCOUNTINHIBIT, CS_HPM_OP_WRITE, 0x0F3F00F6);
            EXPECT_EQ((0x0000FF01u & ~0x00F0F0F5u) | (0x0F3F00F6 & 0x00F0F0F5), h.read(INHIBIT));
            h.write(MCOUNTEREN, 0);
            EXPECT_EQ(0u, h.read_in(mode, SCOUNTINHIBIT));
            h.write(INHIBIT, 0);
        }
        // It does stop counters.
        h.write(MCOUNTEREN, ~0u);
        h.inc(1, 1);
        h.access_in(S, SCOUNTINHIBIT, CS_HPM_OP_SET, 1);
        const uint64_t value = h.counter(0);
        h.run(9);
        EXPECT_EQ(value, h.counter(0));
        EXPECT_EQ(1u, h.read(INHIBIT));
    }
}

TEST(HpmAccess, f3_4_NoCtr)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        h.write(MCOUNTEREN, ~0u);
        h.cde(true);
        for (unsigned select = 0x200; select < 0x300; select++) {
            h.write(SISELECT, select);
            EXPECT_EQ(select, h.read(SISELECT));
            for (unsigned csr : {0x151u, 0x152u, 0x153u, 0x155u, 0x156u, 0x157u})
                EXPECT_EQ(ILL, h.exception(S, csr));
        }
        for (unsigned csr : {0x34Eu, 0x14Eu, 0x24Eu, 0x14Fu, 0x15Fu})
            EXPECT_EQ(ILL, h.exception(M, csr));
    }
}

TEST(HpmAccess, f7_34_WindowOfEachCounter)
{
    Hart h(straps(32));
    h.cde(true);
    h.write(INHIBIT, ~0u);
    for (unsigned n = 0; n < 32; n++)
        if (n != 1) {
            h.counter(n, 0x700000000ull * n + 100 + n);
            h.event(n, (n & 1 ? SINH : UINH) | (n >= 3 ? 0x1000 + n : 0));
        }
    for (unsigned n = 0; n < 32; n++) {
        if (n == 1)
            continue;
        h.write(SISELECT, 0x40 + n);
        h.write(MCOUNTEREN, ~(1u << n)); // the others' bits do not do
        for (unsigned csr : {SIREG, SIREG2, SIREG4, SIREG5})
            EXPECT_EQ(ILL, h.exception(S, csr)) << n;
        h.write(MCOUNTEREN, 1u << n);
        EXPECT_EQ(100 + n, h.read_in(S, SIREG));
        EXPECT_EQ(7 * n, h.read_in(S, SIREG4)) << n;
        EXPECT_EQ(n >= 3 ? 0x1000 + n : 0, h.read_in(S, SIREG2));
        EXPECT_EQ((n & 1 ? SINH : UINH) >> 32, h.read_in(S, SIREG5)) << n;
    }
}

// P = 1 and P = 2 from a guest, whatever the register; and machine level below M.
TEST(HpmAccess, LevelsBelowMachine)
{
    cs_hpm_config c = straps();
    c.aia = true;
    Hart h(c);
    for (unsigned csr : {HCOUNTEREN, HTIMEDELTA, HIDELEG, VSIE, VSIP, HVIEN, HVIP}) {
        EXPECT_EQ(NONE, h.exception(S, csr));
        EXPECT_EQ(ILL, h.exception(U, csr));
        EXPECT_EQ(VIRT, h.exception(VS, csr));
        EXPECT_EQ(VIRT, h.exception(VU, csr));
    }
    for (unsigned csr : {SCOUNTEREN, SIE, SIP}) {
        EXPECT_EQ(NONE, h.exception(S, csr));
        EXPECT_EQ(ILL, h.exception(U, csr));
        EXPECT_EQ(NONE, h.exception(VS, csr));
        EXPECT_EQ(VIRT, h.exception(VU, csr));
    }
    for (unsigned csr :
         {MCYCLE, INHIBIT, MCOUNTEREN, MIE, MIP, MIDELEG, MVIEN, MVIP, MENVCFG, EVENT + 3})
        for (unsigned mode : BELOW_M)
            EXPECT_EQ(ILL, h.exception(mode, csr));
    // scounteren is one register in VS, too.
    h.access_in(VS, SCOUNTEREN, CS_HPM_OP_WRITE, 0x30);
    EXPECT_EQ(0x30u, h.read(SCOUNTEREN));
}

// To ask is no access: the same answer, and nothing is written, told or taken.
TEST(HpmAccess, AskedAndDone)
{
    Hart h;
    h.inc(7, 3);
    h.event(3, 7);
    h.write(MCOUNTEREN, 8);
    const unsigned modes[] = {U, S, M, VU, VS};
    for (unsigned mode : modes)
        for (unsigned csr : {MHPM + 3, 0xC03u, MCOUNTEREN, SCOUNTEREN, SIREG, 0x7FFu}) {
            const cs_hpm_access a = {static_cast<uint16_t>(csr),
                                     csr == 0xC03u ? uint8_t{CS_HPM_OP_READ}
                                                   : uint8_t{CS_HPM_OP_WRITE},
                                     static_cast<uint8_t>(mode),
                                     5,
                                     0,
                                     true,
                                     true};
            h.run(1);
            const size_t told = h.records.size();
            const cs_hpm_result asked = cs_hpm_ask(h.hpm(), &a);
            EXPECT_EQ(told, h.records.size());
            EXPECT_EQ(h.t, cs_hpm_now(h.hpm()));
            const cs_hpm_result done = h.access_in(mode, csr, a.op, 5);
            EXPECT_EQ(done.exception, asked.exception) << mode << " " << std::hex << csr;
            EXPECT_EQ(done.value, asked.value) << mode << " " << std::hex << csr;
        }
    EXPECT_EQ(ILL, static_cast<int>(h.access_in(U, MCOUNTEREN, CS_HPM_OP_READ).exception));
    EXPECT_LT(0u, h.read(MHPM + 3));
}

} // namespace
