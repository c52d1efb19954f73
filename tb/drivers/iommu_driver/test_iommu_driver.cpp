// SPDX-License-Identifier: Apache-2.0
// docs/drivers/iommu_driver.md: the driver on a C model of one monitor whose only source counts 240
// of each event in every cycle. An access rises, has its effect 2 cycles later, and ends after 4.
#include <gtest/gtest.h>

#include <vector>

#include "drivers/iommu_hpm/iommu_driver.h"
#include "scenario/machine/bus_spec.h"
#include <countersink/models/iommu_hpm/iommu_hpm.h>

namespace
{

constexpr uint32_t kIpsr = 0x54, kIocountinh = 0x5c, kIohpmctr = 0x68, kIohpmevt = 0x160;
constexpr uint64_t kRate = 240;

struct Access {
    bool write;
    uint32_t offset;
    uint64_t value;
};

class Rig
{
  public:
    std::vector<Access> log;
    std::vector<cs_count> counts; // as told

    Rig(unsigned width, std::vector<uint32_t> events, uint64_t stop, uint64_t interval = 0)
    {
        for (const uint32_t event : events) {
            specs_.push_back({});
            specs_.back().event = CS_EVENT_IOMMU(event);
            specs_.back().config = event;
        }
        perf_.events = specs_.data();
        perf_.nr_events = specs_.size();
        perf_.nr_units = 1;
        perf_.start_us = 1;
        perf_.stop_us = stop;
        perf_.interval_us = interval;
        unit_.counters = 2;
        unit_.width = width;
        units_ = {&unit_, 1};
        driver_spec_ = {1000000, 10, 0, &perf_, 1};

        const cs_iommu_hpm_config config = {2, width, CS_UNIT_IOMMU(0)};
        const cs_iommu_hpm_env env = {[](void *, uint64_t evt, cs_cycle from, cs_cycle to) {
                                          return cs_iommu_hpm_event(evt) == 0 ? 0
                                                                              : kRate * (to - from);
                                      },
                                      nullptr, nullptr};
        EXPECT_EQ(CS_OK, cs_iommu_hpm_create(&config, &env, &iommu_, nullptr));
        const cs_iommu_driver_config driver = {&driver_spec_, &units_, 0, false, 1, 1, 7, &soft_};
        EXPECT_EQ(CS_OK, cs_iommu_driver_create(&driver, &driver_, nullptr));
    }
    Rig(const Rig &) = delete;
    Rig &operator=(const Rig &) = delete;
    ~Rig()
    {
        cs_iommu_driver_destroy(driver_);
        cs_iommu_hpm_destroy(iommu_);
    }

    const cs_rotating_report &run()
    {
        const cs_software software = cs_iommu_driver_software(driver_);
        cs_op_result result = {};
        cs_cycle now = 0;
        cs_op op = {};

        for (bool first = true;; first = false) {
            software.next(software.ctx, now, first ? nullptr : &result, &op);
            result = {};
            if (op.kind == CS_OP_END)
                return *cs_iommu_driver_get_report(driver_);
            now = carry_out(op, now, result);
        }
    }

  private:
    cs_cycle carry_out(const cs_op &op, cs_cycle now, cs_op_result &result)
    {
        if (op.kind == CS_OP_READ || op.kind == CS_OP_WRITE) {
            access(op, now + 2, result);
            return now + 4;
        }
        if (op.kind != CS_OP_WAIT_IRQ)
            return now + op.cycles;
        cs_iommu_hpm_advance(iommu_, now);
        cs_cycle next = cs_iommu_hpm_irq(iommu_) ? now : cs_iommu_hpm_next(iommu_);
        result.irq = next <= now + op.cycles;
        result.lines = result.irq ? op.lines : 0;
        EXPECT_EQ(op.lines, CS_LINE(CS_LINE_IOMMU(0)));
        return (result.irq ? next : now + op.cycles) + 1;
    }
    void access(const cs_op &op, cs_cycle effect, cs_op_result &result)
    {
        const auto offset = static_cast<uint32_t>(op.addr - CS_IOMMU_BASE);

        EXPECT_EQ(4u, op.size);
        if (op.kind == CS_OP_WRITE)
            result.resp = cs_iommu_hpm_write(iommu_, effect, offset, false, op.value);
        else
            result.resp = cs_iommu_hpm_read(iommu_, effect, offset, false, &result.value);
        EXPECT_EQ(CS_BUS_OKAY, result.resp);
        log.push_back(
            {op.kind == CS_OP_WRITE, offset, op.kind == CS_OP_WRITE ? op.value : result.value});
    }

    const cs_soft_sink soft_ = {[](void *rig, const cs_soft_record *r) {
                                    if (r->kind == &cs_soft_count)
                                        static_cast<Rig *>(rig)->counts.push_back(
                                            *cs_told_count(r));
                                },
                                this};
    std::vector<cs_iommu_event_spec> specs_;
    cs_iommu_perf_spec perf_ = {};
    cs_iommu_spec unit_ = {};
    cs_iommu_hpm_spec units_ = {};
    cs_iommu_driver_spec driver_spec_ = {};
    cs_iommu_hpm *iommu_ = nullptr;
    cs_iommu_driver *driver_ = nullptr;
};

TEST(IommuDriver, FindsWhatThereIs)
{
    Rig rig(40, {4}, 100);
    rig.run();
    // iocountinh, then the widths of iohpmcycles and of iohpmctr 1, the upper halves first.
    const std::vector<std::pair<uint32_t, uint64_t>> expected = {
        {kIocountinh, 0xffffffff}, {kIocountinh, 7},   {0x64, 0x7fffffff},
        {0x60, 0xffffffff},        {0x64, 0xff},       {0x60, 0xffffffff},
        {0x6c, 0xffffffff},        {0x68, 0xffffffff}, {0x6c, 0xff},
        {0x68, 0xffffffff}};
    ASSERT_GT(rig.log.size(), expected.size());
    for (size_t i = 0; i < expected.size(); i++) {
        EXPECT_EQ(expected[i].first, rig.log[i].offset) << i;
        EXPECT_EQ(expected[i].second, rig.log[i].value) << i;
    }
}

TEST(IommuDriver, StartsAnEventWhenItsCounterStandsStill)
{
    Rig rig(64, {4}, 100);
    rig.run();
    const std::vector<Access> expected = {
        {true, kIohpmctr + 4, 0x7fffffff}, {true, kIohpmctr, 0xffffffff},
        {true, kIohpmevt + 4, 0},          {true, kIohpmevt, 4},
        {false, kIocountinh, 7},           {true, kIocountinh, 5}};
    for (size_t i = 0; i < expected.size(); i++) {
        EXPECT_EQ(expected[i].write, rig.log[10 + i].write) << i;
        EXPECT_EQ(expected[i].offset, rig.log[10 + i].offset) << i;
        EXPECT_EQ(expected[i].value, rig.log[10 + i].value) << i;
    }
    ASSERT_EQ(1u, rig.counts.size());
    EXPECT_EQ(kRate * rig.counts[0].running, rig.counts[0].raw);
}

// Whenever the lower half carries into the upper one while both are read.
TEST(IommuDriver, NoReadIsTornByACarry)
{
    // The counter starts with a lower half of ones and passes 2^32 after so many cycles.
    const uint64_t carry = (uint64_t{1} << 32) / kRate;
    unsigned again = 0;

    for (uint64_t interval = carry - 60; interval < carry + 150; interval++) {
        Rig rig(64, {4}, interval + 4000, interval);
        const cs_rotating_report report = rig.run();

        ASSERT_GE(rig.counts.size(), 2u);
        // It counts from the cycle after the write on, and is read in the cycle of the read.
        EXPECT_EQ(kRate * (rig.counts[0].running - 1), rig.counts[0].raw) << interval;
        again += report.register_accesses > 10 + 6 + 3 + 2 + 3;
    }
    EXPECT_GT(again, 5u) << "the carry was met";
    EXPECT_LT(again, 60u);
}

// 2^31 / 240 cycles to each interrupt; what the handler does not count is its own time.
TEST(IommuDriver, TakesOverflows)
{
    Rig rig(32, {4, 0}, 30000000);
    const cs_rotating_report report = rig.run();

    EXPECT_EQ(3u, report.interrupts);
    ASSERT_EQ(2u, rig.counts.size());
    for (const cs_count &count : rig.counts) {
        const uint64_t rate = count.event == 0 ? 1 : kRate;
        EXPECT_GT(rate * count.running, count.raw);
        EXPECT_LT(rate * count.running - count.raw, rate * 3 * 150);
    }
    // The handler: pmip is seen, all stop, and are let go at the end.
    size_t at = 0;
    while (rig.log[at].offset != kIpsr)
        at++;
    EXPECT_EQ(4u, rig.log[at].value);
    EXPECT_EQ(kIocountinh, rig.log[at + 1].offset);
    EXPECT_EQ(4u, rig.log[at + 1].value);
    EXPECT_EQ(0xffffffffu, rig.log[at + 2].value);
    while (rig.log[at].offset != kIpsr || !rig.log[at].write)
        at++;
    EXPECT_EQ(kIocountinh, rig.log[at + 1].offset);
    EXPECT_EQ(4u, rig.log[at + 1].value);
}

TEST(IommuDriver, CyclesAndEventsHaveCountersOfTheirOwn)
{
    Rig rig(64, {0, 4, 7}, 500);
    rig.run();
    ASSERT_EQ(3u, rig.counts.size());
    for (const cs_count &count : rig.counts)
        EXPECT_EQ((count.event == 0 ? 1 : kRate) * count.running, count.raw) << count.event;
}

} // namespace
