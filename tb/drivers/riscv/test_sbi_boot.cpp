// SPDX-License-Identifier: Apache-2.0
// Creating, booting, and what can be asked before any counter is touched.
#include <gtest/gtest.h>

#include "firmware.hpp"

using namespace cs_test;

namespace
{

// How boot looks for counters.
std::string discovery(unsigned xlen, bool leaves_first)
{
    const std::string ones = xlen == 32 ? "=ffffffff" : "=ffffffffffffffff";
    std::string text;

    for (unsigned n = 3; n < 32; n++)
        for (const char *half : {"", "h"}) {
            const std::string c = "C" + std::to_string(n) + half;

            if (*half == '\0' || xlen == 32)
                text += " " + c + ones + " " + c + (leaves_first && n == 3 ? "" : " " + c + "=0");
        }
    return text;
}

} // namespace

TEST(SbiCreate, DefaultsAreTheRatifiedForm)
{
    const cs_sbi_pmu_config c = cs_sbi_pmu_defaults();

    EXPECT_EQ(c.form, CS_SBI_RATIFIED);
    EXPECT_EQ(c.version, CS_SBI_VERSION_3_0);
    EXPECT_EQ(c.deviations, 0u);
    EXPECT_EQ(c.firmware_counters, 16u);
    EXPECT_EQ(c.specific_events, 0u);
    EXPECT_EQ(c.platform_events, 0u);
    EXPECT_EQ(c.map, nullptr);
    EXPECT_TRUE(c.sscofpmf && c.smcntrpmf && c.hypervisor && !c.smcdeleg);
    EXPECT_EQ(c.memory_size, 0u);
}

TEST(SbiCreate, RefusesWhatIsOutOfRange)
{
    const struct {
        void (*change)(cs_sbi_pmu_config &c);
        const char *text; // "": it is allowed
    } rows[] = {
        {[](cs_sbi_pmu_config &) {}, ""},
        {[](cs_sbi_pmu_config &c) { c.form = CS_SBI_PROPOSAL_V3; }, ""},
        {[](cs_sbi_pmu_config &c) { c.form = static_cast<cs_sbi_form>(2); },
         "no such form of the SBI PMU: 2"},
        {[](cs_sbi_pmu_config &c) { c.firmware_counters = 0; }, ""},
        {[](cs_sbi_pmu_config &c) { c.firmware_counters = 64; }, ""},
        {[](cs_sbi_pmu_config &c) { c.firmware_counters = 65; },
         "expected at most 64 firmware counters, found 65"},
        {[](cs_sbi_pmu_config &c) { c.specific_events = 65279; }, ""},
        {[](cs_sbi_pmu_config &c) { c.specific_events = 65280; },
         "expected at most 65279 specific firmware events, found 65280"},
    };

    for (const auto &row : rows) {
        cs_sbi_pmu_config c = cs_sbi_pmu_defaults();
        cs_sbi_pmu *fw = nullptr;
        cs_diag diag = {};

        row.change(c);
        EXPECT_EQ(cs_sbi_pmu_create(&c, &fw, &diag), *row.text == '\0' ? CS_OK : CS_ERR_RANGE);
        EXPECT_STREQ(diag.text, row.text);
        EXPECT_EQ(fw != nullptr, *row.text == '\0');
        cs_sbi_pmu_destroy(fw);
    }
    cs_sbi_pmu_destroy(nullptr);
}

// docs/drivers/sbi_pmu.md, "Boot": all of it, in its order.
TEST(SbiBoot, AccessesInTheirOrder)
{
    const struct {
        const char *name;
        Options options;
        std::string rest; // after the discovery
    } rows[] = {
        {"64", small(0x18),
         " cyclecfg=0 instretcfg=0 E3=0 E4=0 mcounteren=1f mip=0 mideleg=2000"
         " hideleg=0"},
        {"32", small(0x18, 32),
         " cyclecfgh=0 instretcfgh=0 E3=0 E3h=0 E4=0 E4h=0 mcounteren=1f mip=0 mideleg=2000"
         " hideleg=0"},
        {"hole", small(0x30),
         " cyclecfg=0 instretcfg=0 E4=0 E5=0 mcounteren=37 mip=0 mideleg=2000"
         " hideleg=0"},
        {"none", small(0), " cyclecfg=0 instretcfg=0 mcounteren=7 mip=0 mideleg=2000 hideleg=0"},
        {"32 without of, cf", without_cf(without_of(small(0x18, 32))), " E3=0 E4=0 mcounteren=1f"},
        {"without cf", without_cf(small(0x18)),
         " E3=0 E4=0 mcounteren=1f mip=0 mideleg=2000 hideleg=0"},
        {"without of", without_of(small(0x18)), " cyclecfg=0 instretcfg=0 E3=0 E4=0 mcounteren=1f"},
        {"without H",
         [] {
             Options s = small(0x8);
             s.hpm.modes = CS_HPM_MODES_M_S_U;
             s.fw.hypervisor = false;
             return s;
         }(),
         " cyclecfg=0 instretcfg=0 E3=0 mcounteren=f mip=0 mideleg=2000"},
        {"delegation",
         [] {
             Options s = small(0x8);
             s.fw.smcdeleg = true;
             return s;
         }(),
         " cyclecfg=0 instretcfg=0 E3=0 mcounteren=f mip=0 mideleg=2000 hideleg=0"
         " menvcfg=1000000000000000"},
        {"delegation, 32",
         [] {
             Options s = small(0x8, 32);
             s.fw.smcdeleg = true;
             return s;
         }(),
         " cyclecfgh=0 instretcfgh=0 E3=0 E3h=0 mcounteren=f mip=0 mideleg=2000 hideleg=0"
         " menvcfgh=10000000"},
        {"boot_writes", small(0x8, 64, CS_SBI_DEV_BOOT_WRITES),
         " cyclecfg=0 instretcfg=0 E3=c000000000000000 mcounteren=f scounteren=2 mip=0"
         " mideleg=2000 hideleg=0"},
        {"boot_writes without of", without_of(small(0x8, 64, CS_SBI_DEV_BOOT_WRITES)),
         " cyclecfg=0 instretcfg=0 E3=0 mcounteren=f scounteren=2"},
        {"fixed_running", without_of(small(0x8, 64, CS_SBI_DEV_FIXED_RUNNING)),
         " cyclecfg=0 instretcfg=0 E3=0 mcounteren=f I=fffffff8"},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        const unsigned xlen = row.options.hpm.xlen;
        Machine m(row.options);

        const bool leaves_first = (row.options.fw.deviations & CS_SBI_DEV_BOOT_WRITES) != 0;

        EXPECT_EQ(m.log, "I=ffffffff" + discovery(xlen, leaves_first) + row.rest);
        EXPECT_EQ(m.elapsed, 3 * m.when.size());
    }
}

TEST(SbiBoot, EverythingStandsAtZeroAndLcofiIsSupervisors)
{
    Options s = options();
    s.boots = false;
    Machine m(s);

    m.csr(0x344, kLcofi); // left over from before
    m.csr(0x603, kLcofi);
    m.csr(0x323, kOf | 7);
    m.csr(0x321, kOf >> 1);
    m.boot();
    EXPECT_EQ(m.inhibit(), 0xfffffffdu);
    EXPECT_EQ(m.csr(0x344), 0u);
    EXPECT_EQ(m.csr(0x303), kLcofi);
    EXPECT_EQ(m.csr(0x603), 0u);
    EXPECT_EQ(m.csr(0x306), 0xffffffffu);
    EXPECT_EQ(m.csr(0x106), 0u); // the driver's
    EXPECT_EQ(m.csr(0x321), 0u);
    for (unsigned n = 3; n < 32; n++) {
        EXPECT_EQ(m.counter(n), 0u) << n;
        EXPECT_EQ(m.selector(n), 0u) << n;
    }
}

// Beyond a hole it sees nothing, but opens what is there.
TEST(SbiBoot, ContiguousOnly)
{
    Machine seen(small(0x68)), not_seen(small(0x68, 64, CS_SBI_DEV_CONTIGUOUS_ONLY));

    EXPECT_EQ(seen.csr(0x306), 0x6fu);
    EXPECT_EQ(not_seen.csr(0x306), 0x6fu);
    EXPECT_EQ(seen.ecall(CS_SBI_EID_PMU, kNumCounters).value, 7u + 16);
    EXPECT_EQ(not_seen.ecall(CS_SBI_EID_PMU, kNumCounters).value, 4u + 16);
}

TEST(SbiBoot, NothingIsAnsweredBefore)
{
    Options s = options();
    s.boots = false;
    Machine m(s);

    EXPECT_EQ(m.call(kNumCounters), kNotSupported);
    EXPECT_EQ(m.value, 0u);
    EXPECT_EQ(m.ecall(CS_SBI_EID_BASE, CS_SBI_BASE_GET_SPEC_VERSION).error, kNotSupported);
    m.boot();
    EXPECT_EQ(m.call(kNumCounters), kSuccess);
}

// docs/drivers/sbi_pmu.md, "Base extension", and the column "since".
TEST(SbiBase, VersionsAndWhatTheyHave)
{
    const struct {
        unsigned version;
        uint64_t functions; // 0 .. functions - 1
    } rows[] = {
        {0x2, 0}, {CS_SBI_VERSION_0_3, 6}, {CS_SBI_VERSION_2_0, 8}, {CS_SBI_VERSION_3_0, 9}};

    for (const auto &row : rows) {
        Options s = options();
        s.fw.version = row.version;
        Machine m(s);

        EXPECT_EQ(m.ecall(CS_SBI_EID_BASE, 0).error, kSuccess);
        EXPECT_EQ(m.value, row.version);
        EXPECT_EQ(m.ecall(CS_SBI_EID_BASE, 3, {CS_SBI_EID_PMU}).error, kSuccess);
        EXPECT_EQ(m.value, row.functions > 0 ? 1u : 0u);
        EXPECT_EQ(m.ecall(CS_SBI_EID_BASE, 3, {CS_SBI_EID_BASE}).value, 1u);
        EXPECT_EQ(m.ecall(CS_SBI_EID_BASE, 3, {0x54494d45}).value, 0u);
        for (uint64_t fid = 0; fid < 12; fid++)
            EXPECT_EQ(m.call(fid, {999, 0, 0, 0}) == kNotSupported, fid >= row.functions)
                << std::hex << row.version << " " << fid;
        for (uint64_t fid : {1, 2, 4, 5})
            EXPECT_EQ(m.ecall(CS_SBI_EID_BASE, fid).error, kNotSupported);
        EXPECT_EQ(m.ecall(0x54494d45, 0).error, kNotSupported);
        EXPECT_EQ(m.call(UINT64_C(1) << 40), kNotSupported);
    }
}

TEST(SbiBase, Xlen32HasRegistersOf32Bits)
{
    Machine m(options(32));

    EXPECT_EQ(m.ecall(CS_SBI_EID_PMU | UINT64_C(1) << 32, UINT64_C(7) << 32).error, kSuccess);
    EXPECT_EQ(m.value, 48u);
    EXPECT_EQ(m.call(kGetInfo, {UINT64_C(1) << 32 | 3}), kSuccess);
}

// docs/drivers/sbi_pmu.md, function 0.
TEST(SbiNumCounters, CountsHolesToo)
{
    const struct {
        uint32_t counters;
        unsigned firmware;
        uint64_t expected;
    } rows[] = {{0xfffffff8, 16, 48}, {0, 16, 19},   {0, 0, 3},           {0x8, 1, 5},
                {0x10, 0, 5},         {0x88, 2, 10}, {0x80000000, 64, 96}};

    for (const auto &row : rows) {
        Options s = small(row.counters);
        s.fw.firmware_counters = row.firmware;
        Machine m(s);

        EXPECT_EQ(m.call(kNumCounters, {1, 2, 3, 4, 5, 6}), kSuccess);
        EXPECT_EQ(m.value, row.expected) << row.counters;
        EXPECT_EQ(m.log, "");
        EXPECT_EQ(m.transfers, 0u);
    }
}

// docs/drivers/sbi_pmu.md, function 1.
TEST(SbiGetInfo, TellsCsrAndWidthOrFirmware)
{
    for (unsigned xlen : {32u, 64u}) {
        Options s = small(0x1a8, xlen);
        s.fw.firmware_counters = 2;
        s.hpm.width[3] = 40;
        s.hpm.width[5] = 1;
        s.hpm.width[7] = 64;
        s.hpm.width[8] = 32;
        Machine m(s);
        const uint64_t firmware = UINT64_C(1) << (xlen - 1) | 63u << 12;
        const uint64_t none = 0;
        const uint64_t expected[] = {0xc00 | 63 << 12,
                                     none,
                                     0xc02 | 63 << 12,
                                     0xc03 | 39 << 12,
                                     none,
                                     0xc05,
                                     none,
                                     0xc07 | 63 << 12,
                                     0xc08 | 31 << 12,
                                     firmware,
                                     firmware,
                                     none};

        for (uint64_t i = 0; i < std::size(expected); i++) {
            EXPECT_EQ(m.call(kGetInfo, {i}), expected[i] == none ? kInvalidParam : kSuccess) << i;
            EXPECT_EQ(m.value, expected[i]) << i;
            EXPECT_EQ(m.log, "");
        }
        for (uint64_t i : {UINT64_C(64), UINT64_C(1) << 31, kOnes})
            EXPECT_EQ(m.call(kGetInfo, {i}), kInvalidParam);
    }
}

TEST(SbiGetInfo, EveryWidth)
{
    for (unsigned xlen : {32u, 64u})
        for (unsigned base = 1; base <= 64; base += 29) {
            Options s = options(xlen);
            for (unsigned n = 3; n < 32; n++)
                s.hpm.width[n] = static_cast<uint8_t>((base + n - 4) % 64 + 1);
            Machine m(s);

            for (uint64_t n = 3; n < 32; n++) {
                EXPECT_EQ(m.call(kGetInfo, {n}), kSuccess);
                EXPECT_EQ(m.value >> 12, s.hpm.width[n] - 1u) << n;
            }
        }
}
