// SPDX-License-Identifier: Apache-2.0
// docs/hw/iommu_hpm.md, "Counting": filters (Checks 3, 4, 5, 11) and when a count begins and ends.
#include "unit.hpp"

namespace
{

// How often a counter with this iohpmevt counts one record that has an increment of its event.
uint64_t counted(uint64_t evt, Record record)
{
    Unit unit(1);
    record.inc[evt & 0xf] = 1;
    unit.write(EVT(1), evt);
    unit.at(5, record);
    unit.run_to(10);
    return unit.read(CTR(1));
}

Record with(uint32_t did, bool pv = false, uint32_t pid = 0, bool gscv = false, uint32_t gscid = 0,
            bool pscv = false, uint32_t pscid = 0)
{
    Record record;
    record.did = did;
    record.pv = pv;
    record.pid = pid;
    record.gscv = gscv;
    record.gscid = gscid;
    record.pscv = pscv;
    record.pscid = pscid;
    return record;
}

TEST(IommuHpmCounting, EachEventIsItsOwn)
{
    for (unsigned event = 1; event <= 8; event++) {
        Unit unit(8);
        for (unsigned n = 1; n <= 8; n++)
            unit.write(EVT(n), n);
        unit.pulse(20, event, 15);
        unit.pulse(21, event, 4);
        unit.run_to(30);
        for (unsigned n = 1; n <= 8; n++)
            EXPECT_EQ(n == event ? 19u : 0u, unit.read(CTR(n))) << event << n;
    }
}

TEST(IommuHpmCounting, NothingFitsWithoutAnEvent)
{
    const cs_iommu_hpm_ids ids = {1, 0, 0, 0, false, true, true};

    for (const uint64_t evt : {uint64_t{0}, uint64_t{9}, 5 | IDT, DV | device(1)}) {
        EXPECT_FALSE(cs_iommu_hpm_fits(evt, &ids)) << evt;
        EXPECT_EQ(0u, cs_iommu_hpm_event(evt)) << evt;
    }
    EXPECT_TRUE(cs_iommu_hpm_fits(4 | IDT, &ids));
}

TEST(IommuHpmCounting, AllRecordsOfACycleCount)
{
    Unit unit(1);
    unit.write(EVT(1), 4);
    for (unsigned i = 0; i < 16; i++)
        unit.pulse(9, 4, 15);
    unit.run_to(10);
    EXPECT_EQ(240u, unit.read(CTR(1)));
}

// Check 3: without and with a filter, with and without valid IDs; all eight events.
TEST(IommuHpmCounting, FiltersByDeviceAndProcess)
{
    const Record mine = with(0x123456, true, 0xabcde), without = with(0x123456),
                 other_process = with(0x123456, true, 0xabcdf),
                 other_device = with(0x123457, true, 0xabcde);

    for (unsigned event = 1; event <= 8; event++) {
        const uint64_t by_device = event | DV | device(0x123456),
                       by_process = event | PV | process(0xabcde), by_both = by_device | by_process;

        for (const Record &r : {mine, without, other_process, other_device})
            EXPECT_EQ(1u, counted(event | device(7) | process(9), r)); // the IDs without PV, DV
        EXPECT_EQ(1u, counted(by_device, mine));
        EXPECT_EQ(1u, counted(by_device, without));
        EXPECT_EQ(1u, counted(by_device, other_process));
        EXPECT_EQ(0u, counted(by_device, other_device));
        EXPECT_EQ(1u, counted(by_process, mine));
        EXPECT_EQ(0u, counted(by_process, without));
        EXPECT_EQ(0u, counted(by_process, other_process));
        EXPECT_EQ(1u, counted(by_process, other_device));
        EXPECT_EQ(1u, counted(by_both, mine));
        EXPECT_EQ(0u, counted(by_both, without));
        EXPECT_EQ(0u, counted(by_both, other_process));
        EXPECT_EQ(0u, counted(by_both, other_device));
    }
    // A process_id of 0 is one, too.
    EXPECT_EQ(1u, counted(1 | PV, with(1, true, 0)));
    EXPECT_EQ(0u, counted(1 | PV, with(1, false, 0)));
}

// Checks 3 and 5: IDT.
TEST(IommuHpmCounting, FiltersByAddressSpace)
{
    // The device_id and process_id would fit: they are not looked at.
    const Record mine = with(0x1234, true, 0x56789, true, 0x1234, true, 0x56789),
                 no_gscid = with(0x1234, true, 0x56789, false, 0x1234, true, 0x56789),
                 no_pscid = with(0x1234, true, 0x56789, true, 0x1234, false, 0x56789),
                 others = with(0x1234, true, 0x56789, true, 0x1235, true, 0x56788);

    for (unsigned event = 1; event <= 8; event++) {
        const bool has = event == 4 || event == 7 || event == 8;
        const uint64_t by_guest = event | IDT | DV | device(0x1234),
                       by_process = event | IDT | PV | process(0x56789);

        for (const Record &r : {mine, no_gscid, no_pscid, others})
            EXPECT_EQ(has ? 1u : 0u, counted(event | IDT, r)) << event;
        EXPECT_EQ(has ? 1u : 0u, counted(by_guest, mine)) << event;
        EXPECT_EQ(0u, counted(by_guest, no_gscid)) << event;
        EXPECT_EQ(has ? 1u : 0u, counted(by_guest, no_pscid)) << event;
        EXPECT_EQ(0u, counted(by_guest, others)) << event;
        EXPECT_EQ(has ? 1u : 0u, counted(by_process, mine)) << event;
        EXPECT_EQ(has ? 1u : 0u, counted(by_process, no_gscid)) << event;
        EXPECT_EQ(0u, counted(by_process, no_pscid)) << event;
        EXPECT_EQ(0u, counted(by_process, others)) << event;
    }
    // A GSCID has 16 bits: above them zeros are compared.
    EXPECT_EQ(0u, counted(4 | IDT | DV | device(0x011234), mine));
}

// Check 4.
TEST(IommuHpmCounting, DmaskTakesABlockOfDevices)
{
    struct Case {
        uint32_t id, first, last; // devices that fit
    };
    for (const Case &c : {Case{0x000100, 0x000100, 0x000101}, // no low ones: the lowest 0 is bit 0
                          Case{0x000101, 0x000100, 0x000103}, Case{0x00017f, 0x000100, 0x0001ff},
                          Case{0xabff7f, 0xabff00, 0xabffff}, Case{0x7fffff, 0x000000, 0xffffff}}) {
        const uint64_t evt = 2 | DV | DMASK | device(c.id);

        EXPECT_EQ(1u, counted(evt, with(c.first))) << c.id;
        EXPECT_EQ(1u, counted(evt, with(c.last))) << c.id;
        EXPECT_EQ(c.first == 0, counted(evt, with((c.first - 1) & 0xffffff)) != 0) << c.id;
        EXPECT_EQ(c.first == 0, counted(evt, with((c.last + 1) & 0xffffff)) != 0) << c.id;
    }
    for (const uint32_t id : {0u, 1u, 0x5a5a5au, 0xffffffu})
        EXPECT_EQ(1u, counted(2 | DV | DMASK | device(0xffffff), with(id))); // all ones: all
    EXPECT_EQ(0u, counted(2 | DMASK | DV | PV | device(0xffffff), with(1))); // PV still counts
    // Without DV it means nothing; of a GSCID there has to be one.
    EXPECT_EQ(1u, counted(2 | DMASK | device(0x100), with(0x777)));
    EXPECT_EQ(0u, counted(4 | IDT | DV | DMASK | device(0xffffff), with(1)));
    EXPECT_EQ(1u, counted(4 | IDT | DV | DMASK | device(0x33), with(1, false, 0, true, 0x37)));
}

TEST(IommuHpmCounting, AWriteActsInTheNextCycle)
{
    for (const bool inhibits : {false, true}) {
        Unit unit(1);
        for (cs_cycle t = 0; t < 40; t++)
            unit.pulse(t, 3);
        unit.write(EVT(1), 3); // cycle 0: counts from 1 on
        unit.run_to(10);
        if (inhibits)
            unit.write(IOCOUNTINH, 2); // cycle 10 still counts
        else
            unit.write(EVT(1), 0);
        unit.run_to(20);
        EXPECT_EQ(10u, unit.read(CTR(1)));
        if (inhibits)
            unit.write(IOCOUNTINH, 0); // cycle 21 does not count yet
        else
            unit.write(EVT(1), 3);
        unit.run_to(30);
        EXPECT_EQ(18u, unit.read(CTR(1)));
    }
}

TEST(IommuHpmCounting, AWrittenCounterDropsTheIncrementOfItsCycle)
{
    for (const int half : {-1, 0, 4}) {
        Unit unit(2, 40);
        for (cs_cycle t = 0; t < 40; t++)
            unit.pulse(t, 3, 7);
        unit.write(EVT(1), 3);
        unit.write(EVT(2), 3);
        unit.run_to(10); // counter 1 has 9 * 7 = 63
        if (half < 0)
            unit.write(CTR(1), 1000);
        else
            unit.write4(CTR(1) + static_cast<unsigned>(half), half == 0 ? 1000 : 2);
        unit.run_to(12);
        EXPECT_EQ(half == 4 ? (2ull << 32) + 63 + 7 : 1000u + 7, unit.read(CTR(1)));
        EXPECT_EQ(11u * 7, unit.read(CTR(2))); // of 2..12
    }
    Unit narrow(1, 32);
    narrow.pulse(5, 1);
    narrow.write(EVT(1), 1);
    narrow.run_to(5);
    narrow.write4(CTR(1) + 4, 9); // a half that has no bits
    EXPECT_EQ(0u, narrow.read(CTR(1)));
}

} // namespace
