// SPDX-License-Identifier: Apache-2.0
// Random programs on the pins, each cycle against the oracle.
#include <random>

#include <gtest/gtest.h>

#include "Viommu_hpm.h"
#include "Viommu_hpm_16.h"
#include "oracle.hpp"

namespace
{

class Program
{
  public:
    explicit Program(unsigned seed, unsigned most_counters) : random_(seed)
    {
        static const unsigned widths[] = {32, 33, 40, 63, 64};
        straps.counters = 1 + below(most_counters);
        straps.width = widths[below(5)];
    }

    uint64_t below(uint64_t n)
    {
        return random_() % n;
    }
    bool one_in(unsigned n)
    {
        return below(n) == 0;
    }

    // Few IDs, so that filters fit now and then.
    Record record()
    {
        Record r;
        r.valid = !one_in(3);
        for (unsigned e = 1; e <= 8; e++)
            r.inc[e] = static_cast<uint8_t>(one_in(2) ? below(16) : 0);
        r.did = any_id();
        r.pid = {!one_in(3), any_id() & 0xFFFFF};
        r.gscid = {!one_in(3), any_id() & 0xFFFF};
        r.pscid = {!one_in(3), any_id() & 0xFFFFF};
        return r;
    }

    Access access()
    {
        Access a = {below(4) != 0, any_offset(), 0, !one_in(3)};
        a.data = any_value(a.offset);
        if (a.wide && a.offset < 0x060 && !one_in(8))
            a.wide = false;
        if (!a.wide && a.offset >= 0x060 && one_in(3)) {
            a.offset = static_cast<uint16_t>(a.offset + 4);
            a.data >>= 32;
        }
        if (one_in(30))
            a.offset = static_cast<uint16_t>(a.offset + below(8));
        return a;
    }

    Straps straps;

  private:
    uint32_t any_id()
    {
        static const uint32_t ids[] = {0, 1, 3, 7, 0x00FFFF, 0xFFFFFF};
        return ids[below(6)];
    }

    uint16_t any_offset()
    {
        const unsigned n = static_cast<unsigned>(below(straps.counters + 1));
        switch (below(12)) {
        case 0:
            return at::ipsr;
        case 1:
            return at::ovf;
        case 2:
            return at::inh;
        case 3:
            return static_cast<uint16_t>(below(0x60) * 8);
        case 4:
        case 5:
        case 6:
            return at::counter(n);
        default:
            return at::evt(n); // of n = 0 the last counter's
        }
    }

    uint64_t any_value(uint16_t offset)
    {
        if (offset == at::inh)
            return one_in(3) ? random_() : 0;
        if (offset >= 0x060 && offset < 0x160)
            return one_in(4) ? random_() : all_of(straps.width) - below(300);
        if (offset >= 0x160)
            return (random_() & (dmask | pv_pscv | dv_gscv | idt | of)) |
                   pid_pscid(any_id() & 0xFFFFF) | did_gscid(any_id()) |
                   (one_in(10) ? below(0x8000) : below(9));
        return random_();
    }

    std::mt19937_64 random_;
};

template <class Unit, unsigned NrRecord> void run(unsigned seed, unsigned most_counters)
{
    Program p(seed, most_counters);
    Unit u(p.straps);
    Oracle oracle(p.straps);

    for (unsigned cycle = 0; cycle < 1000; cycle++) {
        std::vector<Record> records;
        for (unsigned r = 0; r < NrRecord; r++) {
            records.push_back(p.record());
            u.report(records.back(), r);
        }
        const Access access = p.access();
        const bool accessed = !p.one_in(4);
        if (accessed)
            ASSERT_EQ(u.access(access), oracle.answer(access))
                << "seed " << seed << ", cycle " << cycle << ", offset " << access.offset;
        else
            u.step();
        oracle.step(records, accessed ? &access : nullptr);
        ASSERT_EQ(u.irq(), oracle.irq()) << "seed " << seed << ", cycle " << cycle;
    }
    for (unsigned offset = 0; offset < at::end; offset += 4)
        ASSERT_EQ(u.peek(static_cast<uint16_t>(offset)),
                  oracle.answer({false, static_cast<uint16_t>(offset), 0, false}).data)
            << "seed " << seed << ", at the end, offset " << offset;
}

TEST(Random, OneRecordACycle)
{
    for (unsigned seed = 0; seed < 100; seed++)
        run<Iommu<Viommu_hpm>, 1>(seed, 31);
}

TEST(Random, SixteenRecordsACycle)
{
    for (unsigned seed = 0; seed < 20; seed++)
        run<Iommu<Viommu_hpm_16, 16>, 16>(seed, 5);
}

} // namespace
