// SPDX-License-Identifier: Apache-2.0
// What the kernel refuses, rule by rule, and which rule is first.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "drivers/imc/imc_rules.h"
#include "scenario/imc/imc_driver_spec.h"
#include <countersink/formats/perf/abi/perf.h>

namespace
{

constexpr uint32_t kSize = 0x2000;
const cs_perf_pmu kAll[] = {CS_PERF_NEST, CS_PERF_CORE, CS_PERF_THREAD, CS_PERF_TRACE};

// An event that the kernel takes.
cs_imc_request good(cs_perf_pmu pmu)
{
    cs_imc_request r = {};

    r.pmu = pmu;
    r.size = kSize;
    r.config = 0x28;
    r.sample_period = pmu == CS_PERF_TRACE ? 1 : 0;
    r.task = pmu == CS_PERF_THREAD;
    r.privileged = pmu == CS_PERF_THREAD || pmu == CS_PERF_TRACE;
    return r;
}

using Change = std::function<void(cs_imc_request &)>;

const Change no_change = [](cs_imc_request &) {};
const Change exclude = [](cs_imc_request &r) { r.exclude = true; };
const Change user = [](cs_imc_request &r) { r.privileged = false; };
const Change sampling = [](cs_imc_request &r) { r.sample_period = 1; };
const Change counting = [](cs_imc_request &r) { r.sample_period = 0; };
const Change of_task = [](cs_imc_request &r) { r.task = true; };
const Change of_cpu = [](cs_imc_request &r) { r.task = false; };
const Change beyond = [](cs_imc_request &r) { r.config = kSize + 8; };
const Change missing = [](cs_imc_request &r) { r.missing = "it is not there"; };

Change active(cs_perf_pmu pmu)
{
    return [pmu](cs_imc_request &r) { r.active = pmu; };
}

TEST(ImcRules, TakesWhatIsGood)
{
    for (cs_perf_pmu pmu : kAll) {
        const char *reason = "untouched";
        const cs_imc_request r = good(pmu);
        EXPECT_EQ(cs_imc_event_init(&r, &reason), CS_IMC_GOOD) << pmu;
        EXPECT_STREQ(reason, "untouched");
        EXPECT_EQ(cs_imc_event_init(&r, nullptr), CS_IMC_GOOD) << pmu;
    }
}

// A change of one thing at a time: what each PMU says to it.
TEST(ImcRules, EachRuleHoldsForItsPmusAndForNoOther)
{
    const struct {
        const char *name;
        Change change;
        cs_imc_error nest, core, thread, trace;
    } rules[] = {
        {"nothing", no_change, CS_IMC_GOOD, CS_IMC_GOOD, CS_IMC_GOOD, CS_IMC_GOOD},
        {"sampling", sampling, CS_IMC_EINVAL, CS_IMC_EINVAL, CS_IMC_EINVAL, CS_IMC_GOOD},
        {"counting", counting, CS_IMC_GOOD, CS_IMC_GOOD, CS_IMC_GOOD, CS_IMC_ENOENT},
        {"a task", of_task, CS_IMC_EINVAL, CS_IMC_EINVAL, CS_IMC_GOOD, CS_IMC_GOOD},
        {"a CPU", of_cpu, CS_IMC_GOOD, CS_IMC_GOOD, CS_IMC_EINVAL, CS_IMC_GOOD},
        {"a user", user, CS_IMC_GOOD, CS_IMC_GOOD, CS_IMC_EACCES, CS_IMC_EACCES},
        {"beyond", beyond, CS_IMC_EINVAL, CS_IMC_EINVAL, CS_IMC_EINVAL, CS_IMC_GOOD},
        {"no PMU", missing, CS_IMC_ENODEV, CS_IMC_ENODEV, CS_IMC_ENODEV, CS_IMC_ENODEV},
        {"exclude", exclude, CS_IMC_EINVAL, CS_IMC_EINVAL, CS_IMC_EINVAL, CS_IMC_EINVAL},
        {"core runs", active(CS_PERF_CORE), CS_IMC_GOOD, CS_IMC_GOOD, CS_IMC_EBUSY, CS_IMC_EBUSY},
        {"thread runs", active(CS_PERF_THREAD), CS_IMC_GOOD, CS_IMC_EBUSY, CS_IMC_GOOD,
         CS_IMC_EBUSY},
        {"trace runs", active(CS_PERF_TRACE), CS_IMC_GOOD, CS_IMC_EBUSY, CS_IMC_EBUSY, CS_IMC_GOOD},
    };

    for (const auto &rule : rules) {
        const cs_imc_error expected[] = {rule.nest, rule.core, rule.thread, rule.trace};
        for (unsigned i = 0; i < 4; i++) {
            SCOPED_TRACE(std::string(rule.name) + " of PMU " + std::to_string(kAll[i]));
            cs_imc_request r = good(kAll[i]);
            const char *reason = nullptr;
            rule.change(r);
            EXPECT_EQ(cs_imc_event_init(&r, &reason), expected[i]);
            EXPECT_EQ(reason != nullptr, expected[i] != CS_IMC_GOOD);
            EXPECT_EQ(cs_imc_event_init(&r, nullptr), expected[i]);
        }
    }
}

// The driver takes an offset that is the size: the counter would be behind the memory.
TEST(ImcRules, AnOffsetOfTheWholeSizeIsTaken)
{
    const struct {
        uint64_t config;
        cs_imc_error error;
    } cases[] = {
        {0, CS_IMC_GOOD},
        {kSize - 8, CS_IMC_GOOD},
        {kSize, CS_IMC_GOOD},
        {kSize + 1, CS_IMC_EINVAL},
        {0xffffffff, CS_IMC_EINVAL},
        // rvalue and mode, config:32-40, are no part of the offset
        {0x100000000 + kSize, CS_IMC_GOOD},
        {0x1ff00000000, CS_IMC_GOOD},
        {0x100000000 + kSize + 1, CS_IMC_EINVAL},
    };

    for (cs_perf_pmu pmu : {CS_PERF_NEST, CS_PERF_CORE, CS_PERF_THREAD})
        for (const auto &c : cases) {
            SCOPED_TRACE(testing::Message() << "PMU " << pmu << std::hex << " 0x" << c.config);
            cs_imc_request r = good(pmu);
            r.config = c.config;
            EXPECT_EQ(cs_imc_event_init(&r, nullptr), c.error);
        }

    cs_imc_request r = good(CS_PERF_TRACE);
    r.config = UINT64_MAX; // no offset at all
    EXPECT_EQ(cs_imc_event_init(&r, nullptr), CS_IMC_GOOD);
}

struct Step {
    const char *name;
    Change change;
    cs_imc_error error;
};

// With every step's fault and those of all steps behind it, its own is the one that is told.
void expect_order(cs_perf_pmu pmu, const std::vector<Step> &steps)
{
    std::set<std::string> reasons;

    for (size_t first = 0; first < steps.size(); first++) {
        SCOPED_TRACE(testing::Message() << "PMU " << pmu << ": " << steps[first].name);
        cs_imc_request all = good(pmu), alone = good(pmu);
        const char *reason = nullptr, *own = nullptr;

        for (size_t i = first; i < steps.size(); i++)
            steps[i].change(all);
        steps[first].change(alone);
        EXPECT_EQ(cs_imc_event_init(&all, &reason), steps[first].error);
        EXPECT_EQ(cs_imc_event_init(&alone, &own), steps[first].error);
        ASSERT_NE(reason, nullptr);
        ASSERT_NE(own, nullptr);
        EXPECT_STREQ(reason, own);
        EXPECT_TRUE(reasons.insert(reason).second) << reason;
    }
}

// The driver's own rules in its order; the exclude bits are looked at by perf's core, when the
// driver has nothing against the event.
TEST(ImcRules, TheFirstRuleThatRefusesIsTold)
{
    expect_order(CS_PERF_NEST, {{"missing", missing, CS_IMC_ENODEV},
                                {"sampling", sampling, CS_IMC_EINVAL},
                                {"task", of_task, CS_IMC_EINVAL},
                                {"beyond", beyond, CS_IMC_EINVAL},
                                {"exclude", exclude, CS_IMC_EINVAL}});
    expect_order(CS_PERF_CORE, {{"missing", missing, CS_IMC_ENODEV},
                                {"sampling", sampling, CS_IMC_EINVAL},
                                {"task", of_task, CS_IMC_EINVAL},
                                {"beyond", beyond, CS_IMC_EINVAL},
                                {"busy", active(CS_PERF_TRACE), CS_IMC_EBUSY},
                                {"exclude", exclude, CS_IMC_EINVAL}});
    expect_order(CS_PERF_THREAD, {{"missing", missing, CS_IMC_ENODEV},
                                  {"user", user, CS_IMC_EACCES},
                                  {"sampling", sampling, CS_IMC_EINVAL},
                                  {"beyond", beyond, CS_IMC_EINVAL},
                                  {"no task", of_cpu, CS_IMC_EINVAL},
                                  {"busy", active(CS_PERF_CORE), CS_IMC_EBUSY},
                                  {"exclude", exclude, CS_IMC_EINVAL}});
    expect_order(CS_PERF_TRACE, {{"missing", missing, CS_IMC_ENODEV},
                                 {"user", user, CS_IMC_EACCES},
                                 {"counting", counting, CS_IMC_ENOENT},
                                 {"busy", active(CS_PERF_THREAD), CS_IMC_EBUSY},
                                 {"exclude", exclude, CS_IMC_EINVAL}});
}

TEST(ImcRules, ErrorsAreTheKernels)
{
    const struct {
        cs_imc_error error;
        int number;
        const char *name;
    } errors[] = {
        {CS_IMC_GOOD, 0, "good"},    {CS_IMC_ENOENT, 2, "ENOENT"},  {CS_IMC_EACCES, 13, "EACCES"},
        {CS_IMC_EBUSY, 16, "EBUSY"}, {CS_IMC_ENODEV, 19, "ENODEV"}, {CS_IMC_EINVAL, 22, "EINVAL"},
    };

    for (const auto &e : errors) {
        EXPECT_EQ(int(e.error), e.number);
        EXPECT_STREQ(cs_imc_error_name(e.error), e.name);
    }
}

// docs/drivers/imc_driver.md, "Dump": tb1 rises, and tb2 is its low 42 bits.
TEST(ImcRules, RecordsThatAScanTakes)
{
    const uint64_t high = UINT64_C(1) << 42;
    uint64_t before = 0;

    EXPECT_FALSE(cs_imc_takes_record(0, 0, &before)) << "cleared by a dump";
    EXPECT_TRUE(cs_imc_takes_record(high + 5, 5, &before));
    EXPECT_EQ(before, high + 5);
    EXPECT_FALSE(cs_imc_takes_record(high + 5, 5, &before)) << "the same time";
    EXPECT_FALSE(cs_imc_takes_record(high + 6, 7, &before)) << "torn";
    EXPECT_FALSE(cs_imc_takes_record(high + 6, high + 6, &before));
    EXPECT_EQ(before, high + 5);
}

TEST(ImcRules, ModesOfRecords)
{
    const uint64_t kernel = UINT64_C(0xc000000000000000);
    const uint16_t power10[] = {CS_PERF_MISC_GUEST_KERNEL, CS_PERF_MISC_GUEST_USER,
                                CS_PERF_MISC_KERNEL, CS_PERF_MISC_USER};

    EXPECT_EQ(cs_imc_record_misc(false, kernel, 0), CS_PERF_MISC_KERNEL);
    EXPECT_EQ(cs_imc_record_misc(false, kernel - 1, UINT64_MAX), CS_PERF_MISC_USER);
    for (uint64_t mode = 0; mode < 4; mode++)
        EXPECT_EQ(cs_imc_record_misc(true, kernel, mode << 62), power10[mode]);
}

} // namespace
