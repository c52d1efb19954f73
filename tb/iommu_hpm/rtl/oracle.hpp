// SPDX-License-Identifier: Apache-2.0
// docs/hw/iommu_hpm.md as a machine of one step a cycle, of which nothing is clever.
#ifndef CS_TB_IOMMU_HPM_RTL_ORACLE_HPP
#define CS_TB_IOMMU_HPM_RTL_ORACLE_HPP

#include "bench.hpp"

class Oracle
{
  public:
    explicit Oracle(const Straps &straps) : straps_(straps) {}

    bool irq() const
    {
        return pmip_;
    }

    static bool is_refused(const Access &a)
    {
        return a.offset % (a.wide ? 8 : 4) != 0 ||
               (a.wide && (a.offset == 0x050 || a.offset == 0x058));
    }

    Answer answer(const Access &a) const
    {
        if (is_refused(a))
            return {0, true};
        if (a.write)
            return {0, false};
        const uint64_t low = word(a.offset);
        return {a.wide ? low | uint64_t{word(a.offset + 4u)} << 32 : low, false};
    }

    // The end of a cycle with these records, and an access or none.
    void step(const std::vector<Record> &records, const Access *access)
    {
        const bool writes = access != nullptr && access->write && !is_refused(*access);
        const Oracle before = *this;
        std::array<bool, 32> written = {};

        if (writes) {
            write(access->offset, static_cast<uint32_t>(access->data), written);
            if (access->wide)
                write(access->offset + 4u, static_cast<uint32_t>(access->data >> 32), written);
        }
        for (unsigned n = 0; n <= straps_.counters; n++) {
            if (written[n] || (before.inhibit_ >> n & 1) != 0)
                continue;
            count(n, n == 0 ? 1 : before.amount(n, records), before.of(n));
        }
    }

  private:
    unsigned width(unsigned n) const
    {
        return n == 0 && straps_.width == 64 ? 63 : straps_.width;
    }
    bool of(unsigned n) const
    {
        return (n == 0 ? cycles_of_ : evt_[n] >> 63) != 0;
    }

    void count(unsigned n, unsigned by, bool had_of)
    {
        for (; by > 0; by--) {
            if (value_[n] != all_of(width(n))) {
                value_[n]++;
                continue;
            }
            value_[n] = 0;
            if (n == 0)
                cycles_of_ = true;
            else
                evt_[n] |= bit(63);
            if (!had_of)
                pmip_ = true;
        }
    }

    unsigned amount(unsigned n, const std::vector<Record> &records) const
    {
        const unsigned event = evt_[n] & 0x7FFF;
        unsigned sum = 0;

        for (const Record &record : records)
            if (record.valid && event != 0 && fits(evt_[n], record))
                sum += record.inc[event];
        return sum;
    }

    static bool fits(uint64_t evt, const Record &r)
    {
        const unsigned event = evt & 0x7FFF;
        const bool by_address_space = (evt >> 62 & 1) != 0;
        const Id device = by_address_space ? r.gscid : Id{true, r.did};
        const Id process = by_address_space ? r.pscid : r.pid;

        if (by_address_space && event != 4 && event != 7 && event != 8)
            return false;
        if ((evt >> 60 & 1) != 0 && !(process.valid && process.id == (evt >> 16 & 0xFFFFF)))
            return false;
        if ((evt >> 61 & 1) == 0)
            return true;
        const uint64_t wanted = evt >> 36 & 0xFFFFFF;
        unsigned skipped = 0; // low bits that are not compared
        if ((evt >> 15 & 1) != 0) {
            while (skipped < 24 && (wanted >> skipped & 1) != 0)
                skipped++;
            skipped++;
        }
        return device.valid && device.id >> skipped == wanted >> skipped;
    }

    uint32_t word(unsigned offset) const
    {
        uint32_t ovf = 0;

        switch (offset) {
        case 0x054:
            return pmip_ ? 4 : 0;
        case 0x058:
            for (unsigned n = 0; n <= straps_.counters; n++)
                ovf |= uint32_t{of(n)} << n;
            return ovf;
        case 0x05C:
            return inhibit_;
        default:
            break;
        }
        const unsigned shift = offset % 8 * 8;
        if (offset >= 0x060 && offset < 0x068 + 8 * straps_.counters) {
            const unsigned n = (offset - 0x060) / 8;
            const uint64_t top = n == 0 && cycles_of_ ? bit(63) : 0;
            return static_cast<uint32_t>((value_[n] | top) >> shift);
        }
        if (offset >= 0x160 && offset < 0x160 + 8 * straps_.counters)
            return static_cast<uint32_t>(evt_[(offset - 0x158) / 8] >> shift);
        return 0;
    }

    void write(unsigned offset, uint32_t data, std::array<bool, 32> &written)
    {
        if (offset == 0x054)
            pmip_ = pmip_ && (data & 4) == 0;
        if (offset == 0x05C)
            inhibit_ = static_cast<uint32_t>(data & (bit(straps_.counters + 1) - 1));
        if (offset >= 0x060 && offset < 0x068 + 8 * straps_.counters) {
            const unsigned n = (offset - 0x060) / 8;
            put(value_[n], offset, data);
            value_[n] &= all_of(width(n));
            if (n == 0 && offset % 8 == 4)
                cycles_of_ = data >> 31 != 0;
            written[n] = true;
        }
        if (offset >= 0x160 && offset < 0x160 + 8 * straps_.counters) {
            uint64_t &evt = evt_[(offset - 0x158) / 8];
            put(evt, offset, data);
            if ((evt & 0x7FFF) > 8)
                evt &= ~uint64_t{0x7FFF};
        }
    }
    static void put(uint64_t &whole, unsigned offset, uint32_t data)
    {
        const unsigned shift = offset % 8 * 8;
        whole = (whole & ~(uint64_t{0xFFFFFFFF} << shift)) | uint64_t{data} << shift;
    }

    Straps straps_;
    std::array<uint64_t, 32> value_ = {}, evt_ = {};
    uint32_t inhibit_ = 0;
    bool cycles_of_ = false, pmip_ = false;
};

#endif
