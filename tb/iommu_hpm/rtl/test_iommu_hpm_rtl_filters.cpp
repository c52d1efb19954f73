// SPDX-License-Identifier: Apache-2.0
// docs/hw/iommu_hpm.md, "Counting": which records a counter takes.
#include <gtest/gtest.h>

#include "Viommu_hpm.h"
#include "Viommu_hpm_16.h"
#include "bench.hpp"

namespace
{

using Unit = Iommu<Viommu_hpm>;
using Wide = Iommu<Viommu_hpm_16, 16>;

// A record of device 0x12345, process 0x54321, GSCID 0x678, PSCID 0x9ABCD: event e happens e times.
Record all_events()
{
    Record r;
    for (uint8_t e = 1; e <= 8; e++)
        r.inc[e] = e;
    r.did = 0x012345;
    r.pid = {true, 0x54321};
    r.gscid = {true, 0x678};
    r.pscid = {true, 0x9ABCD};
    return r;
}

// What counter 1 with this iohpmevt adds in a cycle with this record.
uint64_t counted(uint64_t evt, const Record &record)
{
    Unit u;
    u.write(at::evt(1), evt);
    u.report(record);
    u.step();
    return u.value(1);
}

bool has_address_space(unsigned event)
{
    return event == 4 || event == 7 || event == 8;
}

TEST(Filters, EachEventHasItsIncrement)
{
    EXPECT_EQ(counted(0, all_events()), 0u);
    for (unsigned event = 1; event <= 8; event++)
        EXPECT_EQ(counted(event, all_events()), event);
}

TEST(Filters, WithoutARecordNothingCounts)
{
    Record none = all_events();
    none.valid = false;
    for (unsigned event = 0; event <= 8; event++)
        EXPECT_EQ(counted(event, none), 0u);
}

TEST(Filters, ByDevice)
{
    const uint64_t fits = dv_gscv | did_gscid(0x012345);
    for (unsigned event = 1; event <= 8; event++) {
        EXPECT_EQ(counted(event | fits, all_events()), event);
        for (unsigned b = 0; b < 24; b++) {
            EXPECT_EQ(counted(event | (fits ^ did_gscid(bit(b))), all_events()), 0u) << b;
            EXPECT_EQ(counted(event | ((fits ^ did_gscid(bit(b))) & ~dv_gscv), all_events()), event)
                << "it is not compared";
        }
    }
}

TEST(Filters, ByProcess)
{
    const uint64_t fits = pv_pscv | pid_pscid(0x54321);
    for (unsigned event = 1; event <= 8; event++) {
        EXPECT_EQ(counted(event | fits, all_events()), event);
        for (unsigned b = 0; b < 20; b++) {
            EXPECT_EQ(counted(event | (fits ^ pid_pscid(bit(b))), all_events()), 0u) << b;
            EXPECT_EQ(counted(event | ((fits ^ pid_pscid(bit(b))) & ~pv_pscv), all_events()), event)
                << "it is not compared";
        }
        Record without = all_events();
        without.pid.valid = false;
        EXPECT_EQ(counted(event | fits, without), 0u);
        EXPECT_EQ(counted(event, without), event);
    }
}

TEST(Filters, ByAddressSpace)
{
    for (unsigned event = 1; event <= 8; event++) {
        const unsigned some = has_address_space(event) ? event : 0;
        const uint64_t both = pv_pscv | pid_pscid(0x9ABCD) | dv_gscv | did_gscid(0x678);

        for (uint64_t compared : {uint64_t{0}, pv_pscv, dv_gscv, pv_pscv | dv_gscv}) {
            const uint64_t evt = event | idt | (both & ~(pv_pscv | dv_gscv)) | compared;
            EXPECT_EQ(counted(evt, all_events()), some);
            Record no_guest = all_events(), no_space = all_events();
            no_guest.gscid.valid = false;
            no_space.pscid.valid = false;
            EXPECT_EQ(counted(evt, no_guest), (compared & dv_gscv) != 0 ? 0u : some);
            EXPECT_EQ(counted(evt, no_space), (compared & pv_pscv) != 0 ? 0u : some);
            for (unsigned b = 0; b < 20; b++)
                EXPECT_EQ(counted(evt ^ pid_pscid(bit(b)), all_events()),
                          (compared & pv_pscv) != 0 ? 0u : some);
            for (unsigned b = 0; b < 24; b++) // a GSCID has zeros above its 16 bits
                EXPECT_EQ(counted(evt ^ did_gscid(bit(b)), all_events()),
                          (compared & dv_gscv) != 0 ? 0u : some);
        }
    }
}

// Where the other IDs fit, and those that are asked for do not.
TEST(Filters, IdtChoosesTheIds)
{
    const uint64_t devices = 4 | dv_gscv | did_gscid(0x012345),
                   spaces = 4 | dv_gscv | did_gscid(0x678);
    EXPECT_EQ(counted(devices | idt, all_events()), 0u);
    EXPECT_EQ(counted(spaces, all_events()), 0u);
    EXPECT_EQ(counted(4 | pv_pscv | pid_pscid(0x54321) | idt, all_events()), 0u);
    EXPECT_EQ(counted(4 | pv_pscv | pid_pscid(0x9ABCD), all_events()), 0u);
}

TEST(Filters, DmaskLeavesOutTheBitsUpToTheLowestZero)
{
    Record r = all_events();
    for (unsigned low = 0; low <= 24; low++) {
        // The low `low` bits are 1, and the next is 0.
        const uint64_t id =
            ((bit(low) - 1) | (uint64_t{0xA5A5A5} & ~(bit(low + 1) - 1))) & 0xFFFFFF;
        for (unsigned b = 0; b < 24; b++) {
            r.did = static_cast<uint32_t>(id ^ bit(b));
            EXPECT_EQ(counted(2 | dmask | dv_gscv | did_gscid(id), r), b <= low ? 2u : 0u)
                << low << " " << b;
        }
        r.did = static_cast<uint32_t>(id);
        EXPECT_EQ(counted(2 | dmask | dv_gscv | did_gscid(id), r), 2u) << low;
    }
}

TEST(Filters, DmaskOfAGscid)
{
    Record r = all_events();
    r.gscid.id = 0xABCD;
    EXPECT_EQ(counted(7 | dmask | dv_gscv | idt | did_gscid(0xABDF), r), 7u); // 5 bits and the 0
    EXPECT_EQ(counted(7 | dmask | dv_gscv | idt | did_gscid(0xAB9F), r), 0u);
    EXPECT_EQ(counted(7 | dmask | dv_gscv | idt | did_gscid(0x01FFFF), r), 7u)
        << "only bits above 17 are compared, which are 0";
    EXPECT_EQ(counted(7 | dmask | dv_gscv | idt | did_gscid(0x80FFFF), r), 0u);
}

TEST(Filters, AllRecordsOfACycleCount)
{
    Wide u({5, 64});
    u.write(at::evt(1), 6);
    u.write(at::evt(2), 6 | dv_gscv | did_gscid(3));
    u.write(at::evt(3), 6 | dv_gscv | dmask | did_gscid(3)); // devices 0 to 7
    u.write(at::evt(5), 5);
    for (unsigned r = 0; r < 16; r++) {
        Record record;
        record.inc[6] = 15;
        record.inc[5] = static_cast<uint8_t>(r);
        record.did = r;
        u.report(record, r);
    }
    u.step();
    EXPECT_EQ(u.value(1), 240u);
    EXPECT_EQ(u.value(2), 15u);
    EXPECT_EQ(u.value(3), 120u);
    EXPECT_EQ(u.value(4), 0u);
    EXPECT_EQ(u.value(5), 120u);
}

} // namespace
