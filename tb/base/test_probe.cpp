// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/probe/probe_log.h"
#include "support.hpp"
#include <countersink/base/probe/probe.h>

namespace
{

cs_probe_record record(cs_cycle cycle, uint8_t kind, uint16_t source, uint16_t index = 0,
                       uint8_t write = 0)
{
    cs_probe_record r{};
    r.cycle = cycle;
    r.kind = kind;
    r.source = source;
    r.index = index;
    r.write = write;
    return r;
}

TEST(ProbeHash, IsFnv1a)
{
    // The published test vectors of 64-bit FNV-1a.
    EXPECT_EQ(cs_probe_hash(nullptr, 0), 0xcbf29ce484222325u);
    EXPECT_EQ(cs_probe_hash(reinterpret_cast<const uint8_t *>("a"), 1), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(cs_probe_hash(reinterpret_cast<const uint8_t *>("foobar"), 6), 0x85944171f73967e8u);
}

TEST(ProbeOrder, IsByCycleKindSourceIndexWrite)
{
    // Given records in order, each larger than the one before by one field
    const cs_probe_record ordered[] = {
        record(1, 9, 9, 9, 1),      record(2, 0, 9, 9, 1), record(2, 1, 0, 9, 1),
        record(2, 1, 1, 0, 1),      record(2, 1, 1, 1, 0), record(2, 1, 1, 1, 1),
        record(CS_NEVER - 1, 0, 0),
    };
    const size_t n = sizeof ordered / sizeof ordered[0];

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            int order = cs_probe_order(&ordered[i], &ordered[k]);
            EXPECT_EQ((order > 0) - (order < 0), (i > k) - (i < k)) << i << " " << k;
        }
}

TEST(ProbeDifference, NamesTheFirstField)
{
    using Change = void (*)(cs_probe_record &);
    const struct {
        const char *name;
        Change change;
    } cases[] = {
        {"cycle", [](cs_probe_record &r) { r.cycle = 77; }},
        {"kind", [](cs_probe_record &r) { r.kind = 77; }},
        {"source", [](cs_probe_record &r) { r.source = 77; }},
        {"index", [](cs_probe_record &r) { r.index = 77; }},
        {"write", [](cs_probe_record &r) { r.write = 77; }},
        {"addr", [](cs_probe_record &r) { r.addr = 77; }},
        {"bytes", [](cs_probe_record &r) { r.bytes = 77; }},
        {"resp", [](cs_probe_record &r) { r.resp = 77; }},
        {"request", [](cs_probe_record &r) { r.request = 77; }},
        {"grant", [](cs_probe_record &r) { r.grant = 77; }},
        {"value", [](cs_probe_record &r) { r.value = 77; }},
        {"reserved", [](cs_probe_record &r) { r.reserved = 77; }},
        {"reserved2", [](cs_probe_record &r) { r.reserved2 = 77; }},
    };
    const cs_probe_record a = record(5, CS_PROBE_BUS, 1);
    uint64_t value_a = 0, value_b = 0;

    EXPECT_EQ(cs_probe_difference(&a, &a, &value_a, &value_b), nullptr);
    for (const auto &c : cases) {
        cs_probe_record b = a;
        c.change(b);
        EXPECT_STREQ(cs_probe_difference(&a, &b, &value_a, &value_b), c.name);
        EXPECT_EQ(value_b, 77u);
        EXPECT_NE(value_a, 77u);
        EXPECT_STREQ(cs_probe_difference(&b, &a, nullptr, nullptr), c.name);
    }
}

TEST(ProbePrint, IsALineForPeople)
{
    cs_probe_record bus = record(120, CS_PROBE_BUS, CS_MANAGER_PMCU(1), 0, 1);
    bus.addr = 0x80001000;
    bus.bytes = 64;
    bus.request = 100;
    bus.grant = 102;
    bus.value = 0xabc;
    bus.resp = CS_BUS_SLVERR;
    cs_probe_record reg = record(7, CS_PROBE_REG, CS_UNIT_CORE(5));
    reg.addr = 0x20;
    reg.value = 3;
    reg.bytes = 4;
    cs_probe_record state = record(8, CS_PROBE_STATE, CS_UNIT_PMCU, 2);
    state.value = 4;
    cs_probe_record irq = record(9, CS_PROBE_IRQ, CS_UNIT_PMCU, 1);
    irq.value = 1;
    cs_probe_record sample = record(10, CS_PROBE_SAMPLE, CS_UNIT_BROADCAST(2));
    sample.value = 17;
    sample.addr = 0x1000;
    sample.bytes = 48;
    const struct {
        cs_probe_record record;
        const char *expected;
    } cases[] = {
        {bus, "cycle 120: pmcu lane 1 write 0x80001000 64 bytes SLVERR, request 100, grant 102, "
              "data hash 0x0000000000000abc"},
        {reg, "cycle 7: core 5 register read +0x20 = 0x3 4 bytes OKAY"},
        {state, "cycle 8: pmcu lane 2 state 4"},
        {irq, "cycle 9: pmcu interrupt line 1 level 1"},
        {sample, "cycle 10: broadcast 2 stream 0 sample 17 at 0x1000 48 bytes OKAY, snapshot 0"},
        {record(11, 99, 0), "cycle 11: record of unknown kind 99"},
    };

    for (const auto &c : cases) {
        char buffer[200];
        EXPECT_STREQ(cs_probe_print(&c.record, buffer, sizeof buffer), c.expected);
    }
    char small[10];
    EXPECT_STREQ(cs_probe_print(&bus, small, sizeof small), "cycle 120");
}

TEST(ProbeSourceName, KnowsAllUnits)
{
    const struct {
        uint8_t kind;
        uint16_t source;
        const char *expected;
    } cases[] = {
        {CS_PROBE_BUS, 0, "cpu"},
        {CS_PROBE_BUS, 1, "pmcu lane 0"},
        {CS_PROBE_BUS, 2, "pmcu lane 1"},
        {CS_PROBE_REG, 0, "pmcu"},
        {CS_PROBE_IRQ, 0x100, "core 0"},
        {CS_PROBE_STATE, 0x1ff, "core 255"},
        {CS_PROBE_SAMPLE, 0x200, "broadcast 0"},
        {CS_PROBE_REG, 0x300, "imc core 0"},
        {CS_PROBE_REG, 5, "unit 0x5"},
    };
    char buffer[32];

    for (const auto &c : cases)
        EXPECT_STREQ(cs_probe_source_name(c.kind, c.source, buffer, sizeof buffer), c.expected);
}

TEST(ProbeSourceKind, IsTheNameAndTheNumber)
{
    const struct {
        uint8_t kind;
        uint16_t source;
        const char *expected;
        unsigned number;
    } cases[] = {
        {CS_PROBE_BUS, 2, "pmcu lane", 1},
        {CS_PROBE_BUS, CS_MANAGER_NEST, "nest", 0},
        {CS_PROBE_REG, 0, "pmcu", 0},
        {CS_PROBE_IRQ, 0x105, "core", 5},
        {CS_PROBE_STATE, 0x301, "imc core", 1},
        {CS_PROBE_REG, 0x503, "uncore", 3},
        {CS_PROBE_REG, 0x541, "uncore broadcast", 1},
        {CS_PROBE_REG, 5, nullptr, 0},
    };

    for (const auto &c : cases) {
        unsigned number = 99;

        EXPECT_STREQ(cs_probe_source_kind(c.kind, c.source, &number), c.expected);
        EXPECT_EQ(number, c.number);
    }
}

// ---- the log ----

struct Destroy {
    void operator()(cs_probe_log *log) const
    {
        cs_probe_log_destroy(log);
    }
};
using Log = std::unique_ptr<cs_probe_log, Destroy>;

Log make()
{
    cs_probe_log *out = nullptr;
    EXPECT_EQ(cs_probe_log_create(&out, nullptr), CS_OK);
    return Log(out);
}

TEST(ProbeLog, GivesOutWhatIsFinishedInOrder)
{
    Log log = make();
    cs_probe_sink sink = cs_probe_log_sink(log.get());
    Numbers numbers(4);
    std::vector<cs_probe_record> all;
    for (int i = 0; i < 5000; i++) {
        cs_probe_record r = record(numbers.below(1000), uint8_t(numbers.below(5)),
                                   uint16_t(numbers.below(3)), uint16_t(numbers.below(2)));
        r.addr = numbers.below(3);
        r.value = numbers.below(1000000);
        all.push_back(r);
        cs_probe_emit(&sink, &r);
    }
    ASSERT_EQ(cs_probe_log_count(log.get()), all.size());

    std::vector<cs_probe_record> taken;
    for (cs_cycle below :
         {cs_cycle{0}, cs_cycle{1}, cs_cycle{500}, cs_cycle{500}, cs_cycle{999}, CS_NEVER}) {
        const cs_probe_record *records;
        size_t n = cs_probe_log_take(log.get(), below, &records);
        for (size_t i = 0; i < n; i++)
            ASSERT_LT(records[i].cycle, below);
        taken.insert(taken.end(), records, records + n);
        for (const auto &r : taken)
            ASSERT_LT(r.cycle, below);
        ASSERT_EQ(cs_probe_log_count(log.get()), all.size() - taken.size());
    }
    ASSERT_EQ(taken.size(), all.size());
    for (size_t i = 1; i < taken.size(); i++)
        ASSERT_LE(cs_probe_order(&taken[i - 1], &taken[i]), 0);
    EXPECT_EQ(cs_probe_log_status(log.get()), CS_OK);
}

TEST(ProbeLog, TheOrderOfArrivalHasNoSay)
{
    // Given records that the probe's order leaves equal, in two orders of arrival
    std::vector<cs_probe_record> records;
    for (int i = 0; i < 40; i++) {
        cs_probe_record r = record(5, CS_PROBE_REG, 0, 0, 1);
        r.addr = unsigned(i) % 4;
        r.value = unsigned(i) % 7;
        r.bytes = unsigned(i) % 3;
        r.grant = unsigned(i) % 5;
        records.push_back(r);
    }
    Log forward = make(), backward = make();
    for (size_t i = 0; i < records.size(); i++) {
        cs_probe_log_append(forward.get(), &records[i]);
        cs_probe_log_append(backward.get(), &records[records.size() - 1 - i]);
    }

    const cs_probe_record *a, *b;
    size_t n = cs_probe_log_take(forward.get(), CS_NEVER, &a);
    ASSERT_EQ(cs_probe_log_take(backward.get(), CS_NEVER, &b), n);
    for (size_t i = 0; i < n; i++)
        EXPECT_EQ(cs_probe_difference(&a[i], &b[i], nullptr, nullptr), nullptr) << i;
}

TEST(ProbeLog, IsEmptyAfterReset)
{
    Log log = make();
    cs_probe_record r = record(1, 0, 0);
    const cs_probe_record *records;

    EXPECT_EQ(cs_probe_log_take(log.get(), CS_NEVER, &records), 0u);
    cs_probe_log_append(log.get(), &r);
    cs_probe_log_reset(log.get());
    EXPECT_EQ(cs_probe_log_count(log.get()), 0u);
}

TEST(ProbeEmit, AllowsNoSink)
{
    cs_probe_record r = record(1, 0, 0);
    cs_probe_sink none{};
    cs_probe_emit(nullptr, &r);
    cs_probe_emit(&none, &r);
}

} // namespace
