// SPDX-License-Identifier: Apache-2.0
// The proposal of July 2020 (docs/drivers/sbi_pmu.md, "The proposal").
#include "firmware.hpp"

using namespace cs_test;

namespace
{

enum : uint64_t {
    kGetCsr = CS_SBI_V3_COUNTER_GET_CSR,
    kSetEvent = CS_SBI_V3_COUNTER_SET_EVENT,
    kSetAddress = CS_SBI_V3_COUNTER_SET_PHYS_ADDR,
    kV3Start = CS_SBI_V3_COUNTER_START,
    kV3Stop = CS_SBI_V3_COUNTER_STOP,
    kV3Config = CS_SBI_V3_COUNTER_CONFIG_MATCHING
};

constexpr uint64_t kSoftware = 0xf0000;

// There are 0, 2, 3, 4, 6 and software counters 7, 8.
Options v3(unsigned xlen = 64)
{
    Options o = small(0x58, xlen);

    o.fw.form = CS_SBI_PROPOSAL_V3;
    o.fw.firmware_counters = 2;
    return o;
}

struct Case {
    const char *name;
    Options options;
    uint64_t fid;
    std::array<uint64_t, 6> args;
    int64_t error;
    uint64_t value;
    const char *log;
};

void expect(const Case &row)
{
    SCOPED_TRACE(row.name);
    Machine m(row.options);

    EXPECT_EQ(m.call(row.fid, row.args), row.error);
    EXPECT_EQ(m.value, row.value);
    EXPECT_EQ(m.log, row.log);
    EXPECT_EQ(m.transfers, 0u);
}

} // namespace

TEST(SbiProposal, EachCall)
{
    Options wide = v3();
    wide.hpm.width[3] = 40;
    const uint64_t x40 = 0x20000;
    const Case rows[] = {
        {"number", v3(), 0, {}, 0, 9, ""},
        {"csr of mcycle", v3(), kGetCsr, {0}, 0, 0xc00 | 64 << 12, ""},
        {"csr of minstret", v3(), kGetCsr, {2}, 0, 0xc02 | 64 << 12, ""},
        {"csr of a narrow one", wide, kGetCsr, {3}, 0, 0xc03 | 40 << 12, ""},
        {"csr of software", v3(), kGetCsr, {7}, 0, 0xfff | 64 << 12, ""},
        {"csr of software, 32", v3(32), kGetCsr, {8}, 0, 0xfff | 64 << 12, ""},
        {"csr of 1", v3(), kGetCsr, {1}, kInvalidParam, 0, ""},
        {"csr of a hole", v3(), kGetCsr, {5}, kInvalidParam, 0, ""},
        {"csr beyond", v3(), kGetCsr, {9}, kInvalidParam, 0, ""},
        {"csr far beyond", v3(), kGetCsr, {kOnes}, kInvalidParam, 0, ""},

        {"event: cycles are 0", v3(), kSetEvent, {3, 0}, 0, 0, "E3=1"},
        {"event: the last general one", v3(), kSetEvent, {3, 9}, 0, 0, "E3=a"},
        {"event: none beyond", v3(), kSetEvent, {3, 10}, kNotSupported, 0, ""},
        {"event: not in the map", v3(), kSetEvent, {3, 6}, kNotSupported, 0, ""},
        {"event: cache", v3(), kSetEvent, {4, 0x10001}, 0, 0, "E4=4"},
        {"event: cache not in the map", v3(), kSetEvent, {4, 0x10002}, kNotSupported, 0, ""},
        {"event: no cache", v3(), kSetEvent, {4, 0x10038}, kNotSupported, 0, ""},
        {"event: raw", v3(), kSetEvent, {4, x40, 0x40}, 0, 0, "E4=40"},
        {"event: raw, 32", v3(32), kSetEvent, {4, x40, 0x40}, 0, 0, "E4=40 E4h=0"},
        {"event: raw of none", v3(), kSetEvent, {4, x40, 0x10000}, kNotSupported, 0, ""},
        {"event: raw v2", v3(), kSetEvent, {4, 0x30000, 0x40}, kNotSupported, 0, ""},
        {"event: bit 20", v3(), kSetEvent, {4, 0x100000}, kNotSupported, 0, ""},
        {"event: mcycle keeps its own", v3(), kSetEvent, {0, 0}, 0, 0, ""},
        {"event: mcycle has one", v3(), kSetEvent, {0, 1}, kNotSupported, 0, ""},
        {"event: minstret keeps its own", v3(), kSetEvent, {2, 1}, 0, 0, ""},
        {"event: minstret has one", v3(), kSetEvent, {2, 0}, kNotSupported, 0, ""},
        {"event: software", v3(), kSetEvent, {7, kSoftware}, 0, 0, ""},
        {"event: the last of software", v3(), kSetEvent, {7, kSoftware + 11}, 0, 0, ""},
        {"event: none beyond", v3(), kSetEvent, {7, kSoftware + 12}, kNotSupported, 0, ""},
        {"event: software on hardware", v3(), kSetEvent, {3, kSoftware}, kNotSupported, 0, ""},
        {"event: hardware on software", v3(), kSetEvent, {7, 0}, kNotSupported, 0, ""},
        {"event: bit 20 of software",
         v3(),
         kSetEvent,
         {7, kSoftware | 1 << 20},
         kNotSupported,
         0,
         ""},
        {"event: 1", v3(), kSetEvent, {1, 0}, kInvalidParam, 0, ""},
        {"event: hole", v3(), kSetEvent, {5, 99}, kInvalidParam, 0, ""},
        {"event: beyond", v3(), kSetEvent, {9, kSoftware}, kInvalidParam, 0, ""},

        {"address", v3(), kSetAddress, {7, kMemory + 8}, 0, 0, ""},
        {"address: the last", v3(), kSetAddress, {8, kMemory + kMemoryBytes - 8}, 0, 0, ""},
        {"address: hardware", v3(), kSetAddress, {3, kMemory}, kInvalidParam, 0, ""},
        {"address: hole", v3(), kSetAddress, {5, kMemory}, kInvalidParam, 0, ""},
        {"address: beyond", v3(), kSetAddress, {9, kMemory}, kInvalidParam, 0, ""},
        {"address: odd", v3(), kSetAddress, {7, kMemory + 4}, kInvalidParam, 0, ""},
        {"address: odd and nowhere", v3(), kSetAddress, {7, 4}, kInvalidParam, 0, ""},
        {"address: nowhere", v3(), kSetAddress, {7, kMemory - 8}, kInvalidAddress, 0, ""},
        {"address: behind", v3(), kSetAddress, {7, kMemory + kMemoryBytes}, kInvalidAddress, 0, ""},

        {"start", v3(), kV3Start, {4, 0x99}, 0, 0, "E4=0 C4=99 I=4d"},
        {"start, 32", v3(32), kV3Start, {4, 0x99, 0x88}, 0, 0, "E4h=0 C4=0 C4=99 C4h=88 I=4d"},
        {"start without of", without_of(v3()), kV3Start, {4, 0x99}, 0, 0, "C4=99 I=4d"},
        {"start of mcycle", v3(), kV3Start, {0, 0x99}, 0, 0, "C0=99 I=5c"},
        {"start of software", v3(), kV3Start, {7, 0x99}, 0, 0, ""},
        {"start of 1", v3(), kV3Start, {1, 0x99}, kInvalidParam, 0, ""},
        {"start of a hole", v3(), kV3Start, {5, 0x99}, kInvalidParam, 0, ""},
        {"start beyond", v3(), kV3Start, {9, 0x99}, kInvalidParam, 0, ""},
        {"stop", v3(), kV3Stop, {4}, 0, 0, "I=5d"},
        {"stop of software", v3(), kV3Stop, {7}, 0, 0, ""},
        {"stop of 1", v3(), kV3Stop, {1}, kInvalidParam, 0, ""},
        {"stop of a hole", v3(), kV3Stop, {5}, kInvalidParam, 0, ""},
        {"stop beyond", v3(), kV3Stop, {9}, kInvalidParam, 0, ""},

        {"match: the lowest", v3(), kV3Config, {0, 0x1dd, 0}, 0, 0, ""},
        {"match: instructions", v3(), kV3Config, {0, 0x1dd, 1}, 0, 2, ""},
        {"match: mhpmcounter", v3(), kV3Config, {0, 0x1dd, 2}, 0, 3, "E3=3"},
        {"match: relative", v3(), kV3Config, {4, 0x5, x40, 0x40}, 0, 4, "E4=40"},
        {"match: software", v3(), kV3Config, {0, 0x1dd, kSoftware + 3}, 0, 7, ""},
        {"match: none can", v3(), kV3Config, {7, 3, 0}, kNotSupported, 0, ""},
        {"match: empty", v3(), kV3Config, {3, 0, 0}, kInvalidParam, 0, ""},
        {"match: 1", v3(), kV3Config, {0, 3, 0}, kInvalidParam, 0, ""},
        {"match: hole", v3(), kV3Config, {3, 7, 0}, kInvalidParam, 0, ""},
        {"match: wraps", v3(), kV3Config, {kOnes, 0x10, 0}, kInvalidParam, 0, ""},
        {"no such call", v3(), 7, {}, kNotSupported, 0, ""},
        {"no such call", v3(), 8, {}, kNotSupported, 0, ""},
        {"no such call", v3(), kOnes, {}, kNotSupported, 0, ""},
    };

    for (const Case &row : rows)
        expect(row);
}

// "lower 20 bits are event_idx": where the map says which counters, but not the value.
TEST(SbiProposal, TheDefaultForMhpmevent)
{
    cs_riscv_pmu_map map = {};
    map.nr_ranges = 1;
    map.ranges[0] = {0x1, 0x10030, CS_RISCV_PMU_HPMCOUNTERS};
    map.nr_raws = 1;
    map.raws[0] = {0, 0, CS_RISCV_PMU_HPMCOUNTERS};
    Options o64 = v3(), o32 = v3(32);
    o64.fw.map = o32.fw.map = &map;
    const Case rows[] = {
        {"general", o64, kSetEvent, {3, 2, 0x12345}, 0, 0, "E3=1234500002"},
        {"cache", o64, kSetEvent, {3, 0x10001, 1}, 0, 0, "E3=110001"},
        {"44 bits of info", o64, kSetEvent, {3, 1, kOnes}, 0, 0, "E3=fffffffffff00001"},
        {"12 bits of info", o32, kSetEvent, {3, 1, 0xffffffff}, 0, 0, "E3=fff00001 E3h=0"},
        {"none beyond the last", o64, kSetEvent, {3, 10, 1}, kNotSupported, 0, ""},
        {"raw as it is", o64, kSetEvent, {3, 0x20000, kOnes}, 0, 0, "E3=ffffffffffffffff"},
        {"raw as it is, 32", o32, kSetEvent, {3, 0x20000, 0xffffffff}, 0, 0, "E3=ffffffff E3h=0"},
    };

    for (const Case &row : rows)
        expect(row);
    map.nr_selects = 1;
    map.selects[0] = {3, 0x77}; // the ratified number
    expect({"the map's", o64, kSetEvent, {3, 2, 0x12345}, 0, 0, "E3=77"});
}

// Each software event stores the counter in its cell.
TEST(SbiProposal, CellsOfSoftwareCounters)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(v3(xlen));
        const uint64_t first = kMemory + 8, second = kMemory + 64;
        const uint64_t large = UINT64_C(0xfffffffff);

        EXPECT_EQ(m.call(kSetEvent, {7, kSoftware + 4}), kSuccess);
        EXPECT_EQ(m.call(kSetEvent, {8, kSoftware + 4}), kSuccess);
        EXPECT_EQ(m.call(kSetAddress, {7, first}), kSuccess);
        EXPECT_EQ(m.load(first), 0u);
        m.event(4, 9); // stands
        EXPECT_EQ(m.transfers, 0u);
        EXPECT_EQ(m.call(kV3Start, {7, xlen == 32 ? 0xffffffff : large, 0xf}), kSuccess);
        EXPECT_EQ(m.transfers, 1u);
        EXPECT_EQ(m.load(first), large);
        m.event(4);
        EXPECT_EQ(m.transfers, 1u);
        EXPECT_EQ(m.load(first), large + 1);
        m.event(5, 9);
        EXPECT_EQ(m.transfers, 0u);
        // A second counter of the event, first without a cell.
        EXPECT_EQ(m.call(kV3Start, {8, 0}), kSuccess);
        EXPECT_EQ(m.transfers, 0u);
        m.event(4, 2);
        EXPECT_EQ(m.transfers, 1u);
        EXPECT_EQ(m.call(kSetAddress, {8, second}), kSuccess);
        m.event(4, 3);
        EXPECT_EQ(m.transfers, 2u);
        EXPECT_EQ(m.load(first), large + 6);
        EXPECT_EQ(m.load(second), 5u);
        EXPECT_EQ(m.call(kV3Stop, {7}), kSuccess);
        EXPECT_EQ(m.transfers, 0u);
        m.event(4);
        EXPECT_EQ(m.load(first), large + 6);
        EXPECT_EQ(m.load(second), 6u);
        m.platform(4, 9); // the ratified form's
        EXPECT_EQ(m.load(second), 6u);
        // Started anew, with a new value, whether it runs or not.
        EXPECT_EQ(m.call(kV3Start, {8, 100, 0}), kSuccess);
        EXPECT_EQ(m.load(second), 100u);
        EXPECT_EQ(m.load(kMemory), 0u);
        EXPECT_EQ(m.load(kMemory + 16), 0u);
    }
}

TEST(SbiProposal, CellsThatCannotBeStored)
{
    Machine m(v3());

    EXPECT_EQ(m.call(kSetEvent, {7, kSoftware}), kSuccess);
    EXPECT_EQ(m.call(kSetAddress, {7, kMemory}), kSuccess);
    m.fault(kMemory);
    EXPECT_EQ(m.call(kV3Start, {7, 5}), kFailed);
    m.event(0);
    EXPECT_EQ(m.load(kMemory), 0u);
    m.fault(0, 0);
    m.event(0);
    EXPECT_EQ(m.load(kMemory), 7u); // it ran
}

TEST(SbiProposal, StartAndStopAreNeverTooLate)
{
    Machine m(v3());

    for (uint64_t n : {0, 2, 3, 4, 6, 7, 8}) {
        EXPECT_EQ(m.call(kV3Stop, {n}), kSuccess);
        EXPECT_EQ(m.call(kV3Start, {n, 5}), kSuccess);
        EXPECT_EQ(m.call(kV3Start, {n, 5}), kSuccess);
    }
    EXPECT_EQ(m.inhibit(), 0u);
    for (uint64_t n : {0, 2, 3, 4, 6, 7, 8})
        EXPECT_EQ(m.call(kV3Stop, {n}), kSuccess);
    EXPECT_EQ(m.inhibit(), 0x5du);
    // One that runs may be chosen: nobody but the driver knows.
    EXPECT_EQ(m.call(kV3Start, {3, 0}), kSuccess);
    EXPECT_EQ(m.call(kV3Config, {3, 3, 2, 0}), kSuccess);
    EXPECT_EQ(m.value, 3u);
}

TEST(SbiProposal, IsThereInAnyVersionAndHasNoDeviations)
{
    Options o = v3(), plain = v3();

    o.fw.version = 0;
    o.fw.deviations = UINT32_MAX;
    Machine m(o), p(plain);
    EXPECT_EQ(m.log, p.log);
    EXPECT_EQ(m.ecall(CS_SBI_EID_BASE, 3, {CS_SBI_EID_PMU}).value, 1u);
    EXPECT_EQ(m.call(kV3Config, {3, 7, 0, 0}), kInvalidParam);
    EXPECT_EQ(m.call(kV3Start, {3, 5}), kSuccess);
    EXPECT_EQ(m.log, "E3=0 C3=5 I=55");
}
