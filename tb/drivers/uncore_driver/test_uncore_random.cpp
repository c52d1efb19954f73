// SPDX-License-Identifier: Apache-2.0
// Random scenarios: whatever is rotated, polled, begun and ended, no count is lost or made up.
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "uncore_rig.hpp"

#include <algorithm>
#include <random>

using namespace cs_test;

namespace
{

class Maker
{
  public:
    explicit Maker(unsigned seed) : random_(seed) {}

    std::string scenario()
    {
        const unsigned bridges = pick(1, 3), units = pick(1, 5);
        std::string text =
            "corepmu: {clock_mhz: 1000}\npmcu: {clusters: 1, slots: " + number(pick(1, 4)) +
            "}\nsoftware: {kind: uncore, access_cycles: " + number(pick(0, 40)) +
            "}\nuncore:\n  bridges:\n";

        for (unsigned i = 0; i < bridges; i++)
            text += "    - {access_cycles: " + number(pick(1, 60)) +
                    ", near: [0], remote_cycles: " + number(pick(0, 1) * pick(1, 300)) + "}\n";
        text += "  units:\n";
        for (unsigned i = 0; i < units; i++) {
            counters_.push_back(pick(1, 6));
            text += "    - {name: u" + number(i) + ", bridge: " + number(pick(0, bridges - 1)) +
                    ", counters: " + number(counters_[i]) + ", width: " + number(pick(18, 64)) +
                    ", divider: " + number(pick(1, 3)) +
                    ", segments: [{cycles: " + number(pick(500, 9000)) + ", events: [" + streams() +
                    "]}, {cycles: 700}]}\n";
        }
        text +=
            std::string("uncore_driver:\n  list: ") + (pick(0, 1) ? "global" : "per_pmu") +
            "\n  take_out: " + (pick(0, 1) ? "all" : "moved") +
            "\n  tick_us: " + number(pick(9, 60)) +
            "\n  adaptive: " + (pick(0, 1) ? "true" : "false") +
            "\n  limit_percent: 20\n  poll_cycles: 1000\n  event_cycles: " + number(pick(0, 150)) +
            "\n  perf:\n";
        for (unsigned i = pick(1, 4); i > 0; i--)
            text += command();
        return text;
    }

  private:
    unsigned pick(unsigned low, unsigned high)
    {
        return std::uniform_int_distribution<unsigned>(low, high)(random_);
    }
    static std::string number(unsigned n)
    {
        return std::to_string(n);
    }
    std::string streams()
    {
        std::string text;

        for (unsigned e = 1; e <= 6; e++)
            text += "{event: \"uncore:" + number(e) +
                    "\", kind: random, rate: " + number(pick(0, 2)) + "." + number(pick(1, 9)) +
                    ", max_increment: 15}" + (e < 6 ? ", " : "");
        return text;
    }
    // Groups are no larger than the smallest unit.
    std::string command()
    {
        const unsigned start = pick(1, 900), stop = start + pick(1, 1500);
        const unsigned least = *std::min_element(counters_.begin(), counters_.end());
        std::string text = "    - {start_us: " + number(start) + ", stop_us: " + number(stop) +
                           ", interval_us: " + number(pick(0, 1) * pick(40, 300)) + ", events: [";
        std::string separator;
        const bool pinned = pick(0, 3) == 0;

        for (unsigned group = 1, groups = pick(1, 4); group <= groups; group++)
            for (unsigned i = pick(1, least); i > 0; i--) {
                text += separator + "{event: \"uncore:" + number(pick(0, 7)) +
                        "\", group: " + number(group) +
                        ", pinned: " + (pinned && group == 1 ? "true" : "false") + "}";
                separator = ", ";
            }
        return text + "]}\n";
    }

    std::mt19937 random_;
    std::vector<unsigned> counters_;
};

// Nobody but the unit's CPU touches it; what is set is set while it stands still.
void accesses_are_in_order(const UncoreRig &rig)
{
    cs_uncore_manager managers[CS_MAX_UNCORE];
    std::map<unsigned, bool> running;

    cs_uncore_managers(rig.scenario, managers);
    for (const auto &a : rig.log) {
        ASSERT_EQ(a.cpu, managers[a.unit].cpu);
        if (a.offset == kCtl && a.write)
            running[a.unit] = a.value == 1;
        else if (a.write) {
            ASSERT_FALSE(running[a.unit]);
        }
    }
    for (const auto &[unit, runs] : running)
        EXPECT_FALSE(runs) << "unit " << unit << " goes on after the end";
}

void figures_add_up(const UncoreRig &rig)
{
    std::map<std::pair<unsigned, uint32_t>, uint64_t> sums;
    std::map<unsigned, uint64_t> running;
    uint64_t taken = 0, final_raw = 0, part_raw = 0;

    for (const auto &c : rig.counts) {
        const auto &p = rig.scenario->uncore_driver->perf[c.command];

        ASSERT_LE(c.from, c.to);
        ASSERT_LE(c.running, c.to - c.from);
        if (c.final) {
            sums[{c.unit, c.event}] += c.raw;
            running[c.unit] += c.running;
            final_raw += p.interval_us != 0 ? c.raw : 0;
        } else {
            part_raw += c.raw;
        }
    }
    for (const auto &[what, counted] : rig.counted())
        EXPECT_EQ(sums[what], counted) << "unit " << what.first << " event " << what.second;
    EXPECT_EQ(final_raw, part_raw);
    for (const auto &[unit, cycles] : running)
        EXPECT_LE(cycles, rig.scenario->uncore->units[unit].counters * rig.stays.back().to);
    for (const Stay &s : rig.stays)
        taken += s.to - s.from;
    EXPECT_EQ(rig.report().rotating_cycles, taken);
    EXPECT_EQ(rig.report().register_accesses, rig.log.size());
}

} // namespace

TEST(UncoreRandom, NothingIsLost)
{
    uint64_t rotations = 0, intervals = 0, late = 0;

    for (unsigned seed = 1; seed <= 150; seed++) {
        SCOPED_TRACE(seed);
        UncoreRig rig(Maker(seed).scenario());

        rig.run();
        ASSERT_TRUE(rig.ended());
        ASSERT_EQ(rig.report().overdue_reads, 0u);
        accesses_are_in_order(rig);
        figures_add_up(rig);
        if (testing::Test::HasFailure())
            break;
        rotations += rig.report().rotations;
        late += rig.report().late_ticks;
        intervals += rig.counts.size() - rig.finals().size();
    }
    EXPECT_GT(rotations, 1000u);
    EXPECT_GT(intervals, 1000u);
    EXPECT_GT(late, 10u);
}
