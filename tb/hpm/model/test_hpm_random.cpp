// SPDX-License-Identifier: Apache-2.0
// Random CSR programs: the model against the cycle-by-cycle reference, in all results, lines
// and probe records.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "coverage.hpp"

namespace
{

constexpr uint64_t SHARE = 1000;

struct Deleter {
    void operator()(cs_hpm *hpm) const
    {
        cs_hpm_destroy(hpm);
    }
};

std::string text(const cs_probe_record &record)
{
    char buffer[256];
    return cs_probe_print(&record, buffer, sizeof buffer);
}

bool before(const cs_probe_record &a, const cs_probe_record &b)
{
    return cs_probe_order(&a, &b) < 0;
}

struct Counts {
    unsigned accesses = 0, refused = 0, edges = 0, foretold = 0;
};

void run(uint64_t seed, Counts *counts)
{
    RandomProgram program(seed);
    const cs_event_source source = program.hart.source();
    std::vector<cs_probe_record> records;
    cs_probe_sink sink = {};
    sink.record = [](void *ctx, const cs_probe_record *record) {
        static_cast<std::vector<cs_probe_record> *>(ctx)->push_back(*record);
    };
    sink.ctx = &records;
    cs_hpm *made = nullptr;
    const cs_hpm_env env = {source, &sink};
    ASSERT_EQ(CS_OK, cs_hpm_create(&program.config, &env, &made, nullptr));
    const std::unique_ptr<cs_hpm, Deleter> hpm(made);
    Reference reference(program.config, program.increments());
    Random random{seed ^ 0xABCDEF};
    cs_cycle foretold = 0; // by the model, while no access came; 0: not asked

    for (cs_cycle t = 0; t < RandomProgram::CYCLES; t++) {
        const Pins p = program.pins(t);
        if (random.one_in(3)) {
            ASSERT_EQ(t, cs_hpm_advance(hpm.get(), t));
            ASSERT_EQ(reference.lines, cs_hpm_irq(hpm.get())) << "seed " << seed << " " << t;
        }
        if (foretold == 0 && cs_hpm_now(hpm.get()) == t && random.one_in(3)) {
            foretold = cs_hpm_next(hpm.get());
            ASSERT_GT(foretold, t);
        }
        if (p.op >= 0) {
            const cs_hpm_access access = {static_cast<uint16_t>(p.csr),
                                          static_cast<uint8_t>(p.op),
                                          static_cast<uint8_t>(p.mode),
                                          p.operand,
                                          p.time,
                                          p.stateen_m,
                                          p.stateen_h};
            const cs_hpm_result found = cs_hpm_access_csr(hpm.get(), t, &access);
            const unsigned old_lines = reference.lines;
            const Answer expected = reference.step(p);
            ASSERT_EQ(expected.exception, found.exception)
                << "seed " << seed << " cycle " << t << std::hex << " csr " << p.csr << " mode "
                << p.mode << " op " << p.op << " by " << expected.rule;
            ASSERT_EQ(expected.value, found.value)
                << "seed " << seed << " cycle " << t << std::hex << " csr " << p.csr << " mode "
                << p.mode << " op " << p.op << " by " << expected.rule;
            ASSERT_EQ(p.op > 0 && expected.exception == 0 ? t + 1 : t, cs_hpm_now(hpm.get()));
            counts->accesses++;
            counts->refused += expected.exception != 0;
            counts->edges += old_lines != reference.lines;
            foretold = 0; // an access may change anything
            continue;
        }
        const unsigned old_lines = reference.lines;
        reference.step(p);
        counts->edges += old_lines != reference.lines;
        const bool edge = old_lines != reference.lines;
        if (foretold == 0)
            continue;
        ASSERT_EQ(edge, foretold == t + 1) << "seed " << seed << " cycle " << t + 1;
        if (edge) {
            counts->foretold++;
            foretold = 0;
        }
    }
    cs_hpm_advance(hpm.get(), RandomProgram::CYCLES);
    EXPECT_EQ(reference.lines, cs_hpm_irq(hpm.get()));
    std::sort(records.begin(), records.end(), before);
    std::sort(reference.records.begin(), reference.records.end(), before);
    for (size_t i = 0; i < std::min(records.size(), reference.records.size()); i++) {
        const char *field =
            cs_probe_difference(&reference.records[i], &records[i], nullptr, nullptr);
        ASSERT_EQ(nullptr, field) << "seed " << seed << ", " << field << "\nexpected "
                                  << text(reference.records[i]) << "\nfound    "
                                  << text(records[i]);
    }
    ASSERT_EQ(reference.records.size(), records.size()) << "seed " << seed;
}

// Seeds as the name says, in shares that can run side by side.
class HpmRandom : public testing::TestWithParam<uint64_t>
{
};

TEST_P(HpmRandom, AgainstACycleByCycleReference)
{
    Counts counts;
    for (uint64_t seed = GetParam(); seed < GetParam() + SHARE; seed++) {
        ASSERT_NO_FATAL_FAILURE(run(seed, &counts));
    }
    EXPECT_GT(counts.accesses, 200000u);
    EXPECT_GT(counts.accesses - counts.refused, 100000u);
    EXPECT_GT(counts.edges, 7000u);
    EXPECT_GT(counts.foretold, 900u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, HpmRandom, testing::Range<uint64_t>(0, 8 * SHARE, SHARE));

// All that the page tells apart is met by these programs.
TEST(HpmCoverage, IsComplete)
{
    Coverage coverage;
    for (uint64_t seed = 0; seed < 8 * SHARE; seed++)
        coverage.program(seed);
    for (const Coverage::Cells *cells :
         {&coverage.rules, &coverage.counters, &coverage.pairs, &coverage.requests})
        for (const auto &[name, hits] : *cells)
            EXPECT_GT(hits, 0u) << name;
    // And nothing that was thought to be impossible.
    EXPECT_EQ(72u, coverage.rules.size());
    EXPECT_EQ(132u, coverage.counters.size());
    EXPECT_EQ(144u, coverage.pairs.size());
    EXPECT_EQ(24u, coverage.requests.size());
}

} // namespace
