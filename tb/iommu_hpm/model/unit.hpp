// SPDX-License-Identifier: Apache-2.0
// A monitor for the tests by hand: records are told for cycles, and accesses follow one another, one
// a cycle.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include <countersink/base/numbers.h>
#include <countersink/models/iommu_hpm/iommu_hpm.h>

#include "reference.hpp"

constexpr uint32_t IPSR = 0x054, IOCOUNTOVF = 0x058, IOCOUNTINH = 0x05c, CYCLES = 0x060;
constexpr uint64_t PMIP = 4, OF = 1ull << 63;
constexpr uint16_t UNIT = CS_UNIT_IOMMU(2);

constexpr uint32_t CTR(unsigned n)
{
    return 0x060 + 8 * n;
}
constexpr uint32_t EVT(unsigned n)
{
    return 0x158 + 8 * n;
}

// Fields of iohpmevt.
constexpr uint64_t DMASK = 1ull << 15, PV = 1ull << 60, DV = 1ull << 61, IDT = 1ull << 62;
constexpr uint64_t process(uint64_t id)
{
    return id << 16;
}
constexpr uint64_t device(uint64_t id)
{
    return id << 36;
}

inline cs_iommu_hpm_ids ids_of(const Record &r)
{
    return {r.did, r.pid, r.gscid, r.pscid, r.pv, r.gscv, r.pscv};
}

class Unit
{
  public:
    cs_cycle t = 0; // the cycle that comes next
    std::vector<cs_probe_record> records;

    explicit Unit(unsigned counters = 7, unsigned width = 64)
    {
        const cs_iommu_hpm_config config = {counters, width, UNIT};
        sink_ = {[](void *ctx, const cs_probe_record *record) {
                     static_cast<Unit *>(ctx)->records.push_back(*record);
                 },
                 this, false, nullptr};
        const cs_iommu_hpm_env env = {sum, this, &sink_};
        EXPECT_EQ(CS_OK, cs_iommu_hpm_create(&config, &env, &iommu_, nullptr));
    }
    Unit(const Unit &) = delete;
    Unit &operator=(const Unit &) = delete;
    ~Unit()
    {
        cs_iommu_hpm_destroy(iommu_);
    }
    cs_iommu_hpm *iommu()
    {
        return iommu_;
    }

    // What happens in a cycle.
    void at(cs_cycle cycle, const Record &record)
    {
        traffic_[cycle].push_back(record);
    }
    // Event e, once or more often, of nobody that has IDs.
    void pulse(cs_cycle cycle, unsigned event, uint8_t increment = 1)
    {
        Record record;
        record.inc[event] = increment;
        at(cycle, record);
    }
    void run_to(cs_cycle cycle)
    {
        t = cycle;
        cs_iommu_hpm_advance(iommu_, t);
    }
    bool irq() const
    {
        return cs_iommu_hpm_irq(iommu_);
    }
    cs_cycle next() const
    {
        return cs_iommu_hpm_next(iommu_);
    }

    // One access in the next cycle.
    uint64_t read(uint32_t offset)
    {
        return read_of(offset, offset >= CYCLES);
    }
    uint64_t read4(uint32_t offset)
    {
        return read_of(offset, false);
    }
    void write(uint32_t offset, uint64_t data)
    {
        write_of(offset, offset >= CYCLES, data);
    }
    void write4(uint32_t offset, uint64_t data)
    {
        write_of(offset, false, data);
    }

    // The changes of the line: cycle and level.
    std::vector<std::pair<cs_cycle, uint64_t>> levels() const
    {
        std::vector<std::pair<cs_cycle, uint64_t>> result;

        for (const cs_probe_record &r : records) {
            EXPECT_EQ(CS_PROBE_IRQ, r.kind);
            EXPECT_EQ(UNIT, r.source);
            result.emplace_back(r.cycle, r.value);
        }
        return result;
    }

  private:
    uint64_t read_of(uint32_t offset, bool wide)
    {
        uint64_t data = ~0ull;

        EXPECT_EQ(CS_BUS_OKAY, cs_iommu_hpm_read(iommu_, t++, offset, wide, &data))
            << std::hex << offset;
        return data;
    }
    void write_of(uint32_t offset, bool wide, uint64_t data)
    {
        EXPECT_EQ(CS_BUS_OKAY, cs_iommu_hpm_write(iommu_, t++, offset, wide, data))
            << std::hex << offset;
    }
    static uint64_t sum(void *ctx, uint64_t evt, cs_cycle from, cs_cycle to)
    {
        const auto &traffic = static_cast<Unit *>(ctx)->traffic_;
        uint64_t total = 0;

        EXPECT_LE(to, cs_cycle{1} << 56) << "nobody tells what is behind it";
        for (auto it = traffic.lower_bound(from); it != traffic.end() && it->first < to; ++it)
            for (const Record &record : it->second) {
                const cs_iommu_hpm_ids ids = ids_of(record);
                if (cs_iommu_hpm_fits(evt, &ids))
                    total += record.inc[cs_iommu_hpm_event(evt)];
            }
        return total;
    }

    cs_probe_sink sink_ = {};
    cs_iommu_hpm *iommu_ = nullptr;
    std::map<cs_cycle, std::vector<Record>> traffic_;
};
