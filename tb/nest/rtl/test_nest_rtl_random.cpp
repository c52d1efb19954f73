// SPDX-License-Identifier: Apache-2.0
// Whole runs against the page, cycle by cycle: delays, errors and a host that writes whenever it
// likes.
#include <algorithm>
#include <ostream>

#include "numbers.hpp"
#include "oracle.hpp"

namespace
{

struct Plan {
    uint32_t tick_cycles;
    unsigned delay;    // up to, before a handshake
    unsigned error;    // one beat in so many; 0: none
    unsigned interval; // cycles between two writes of the host, up to; 0: it writes once
    uint64_t cycles;
};

void PrintTo(const Plan &plan, std::ostream *out)
{
    *out << "TicksOf" << plan.tick_cycles;
}

uint64_t some_speed(Numbers &numbers)
{
    switch (numbers.below(8)) {
    case 0:
        return 12 + numbers.below(2);
    case 1:
        return numbers.wide(); // far too much
    case 2:
        return 8 + numbers.below(4);
    default:
        return numbers.below(3);
    }
}

// POWER10: all units, with links of all kinds.
constexpr uint64_t usual_units = power10 ? 0xFFF77BBDDFFFFFC0 : default_units;

uint64_t some_units(Numbers &numbers)
{
    switch (numbers.below(4)) {
    case 0:
        return 0;
    case 1:
        return numbers.wide();
    default:
        return usual_units;
    }
}

uint64_t some_command(Numbers &numbers)
{
    return numbers.one_in(8) ? uint64_t{1} << numbers.below(64) : numbers.below(5);
}

uint64_t some_mode(Numbers &numbers)
{
    return numbers.one_in(6) ? uint64_t{1} << numbers.below(64) : numbers.below(2);
}

void host_writes(Nest &nest, Numbers &numbers)
{
    switch (numbers.below(6)) {
    case 0:
        nest.put(block_speed, some_speed(numbers));
        break;
    case 1:
        nest.put(block_units, some_units(numbers));
        break;
    case 2:
        nest.put(block_mode, some_mode(numbers));
        break;
    case 3:
        nest.put(block_command, RESUME);
        nest.put(block_mode, 0);
        nest.put(block_speed, numbers.below(2));
        break;
    default:
        nest.put(block_command, some_command(numbers));
        break;
    }
}

void prepare(Nest &nest, Numbers &numbers, const Plan &plan)
{
    for (unsigned n = 0; n < nr_counter; n++) {
        bool quiet = numbers.one_in(8), full = numbers.one_in(8);
        for (unsigned at = 0; at < Increments::period; at++)
            nest.increments.set(n, at, quiet ? 0 : full ? 15 : numbers.below(16));
        if (!numbers.one_in(3)) // near to its end, whatever its width
            nest.preset(n, ~uint64_t{0} - numbers.below(1u << (4 + numbers.below(18))));
    }
    nest.memory.delay = [&numbers, plan] {
        return plan.delay == 0 || numbers.one_in(3) ? 0 : numbers.below(plan.delay + 1);
    };
    nest.memory.response = [&numbers, plan](const Transfer &, unsigned) {
        return plan.error != 0 && numbers.one_in(plan.error) ? 2 + numbers.below(2) : 0;
    };
    nest.put(block_speed, numbers.below(2));
    nest.put(block_units, some_units(numbers));
}

void run(Nest &nest, Numbers &numbers, const Plan &plan)
{
    while (nest.cycle < plan.cycles) {
        uint64_t pause = plan.interval == 0 ? plan.cycles : 1 + numbers.below(plan.interval);
        nest.run_to(std::min(plan.cycles, nest.cycle + pause));
        host_writes(nest, numbers);
    }
}

class NestRtlRuns : public testing::Test
{
  protected:
    Oracle::Seen seen;

    // A run from a seed; false at the first difference.
    bool agrees(const Plan &plan, unsigned seed)
    {
        Numbers numbers(plan.tick_cycles * 1000 + seed);
        uint64_t some_base = (numbers.wide() >> 12 << 12) & (add_bit - 1);
        Nest nest(plan.tick_cycles, seed == 0 ? Nest::default_base : some_base);
        prepare(nest, numbers, plan);
        run(nest, numbers, plan);
        nest.expect_no_complaints();
        Oracle oracle(nest);
        bool same = oracle.replay();
        seen += oracle.seen;
        return same;
    }
};

class NestRtlRandom : public NestRtlRuns, public testing::WithParamInterface<Plan>
{
};

TEST_P(NestRtlRandom, AsThePageSays)
{
    for (unsigned seed = 0; seed < 6; seed++) {
        SCOPED_TRACE(seed);
        ASSERT_TRUE(agrees(GetParam(), seed));
    }
    EXPECT_GT(seen.ticks, 60u);
    EXPECT_GT(seen.postings[1], 5u);
}

const Plan plans[] = {
    {16, 0, 0, 0, 30000},        // ticks faster than the engine
    {17, 3, 50, 4000, 60000},    //
    {97, 0, 0, 5000, 60000},     //
    {250, 1, 0, 0, 60000},       // undisturbed
    {331, 4, 200, 20000, 80000}, //
    {512, 2, 30, 9000, 80000},   //
    {1000, 0, 0, 30000, 120000}, //
    {777, 20, 400, 6000, 80000}, // a slow bus
    // A host that does not leave it alone; POWER10 takes longer to begin.
    {701, 1, 0, power10 ? 40000 : 2500, 150000},
};

// What there is to be seen is seen.
TEST_F(NestRtlRuns, MeetEverything)
{
    for (unsigned seed = 100; seed < 120; seed++) {
        SCOPED_TRACE(seed);
        const Plan plan = power10 ? Plan{100 + seed, 1, 900, 20000, 120000}
                                  : Plan{400 + 7 * seed, 2, 300, 6000, 100000};
        ASSERT_TRUE(agrees(plan, seed));
    }
    EXPECT_GT(seen.failed_looks, 20u);
    EXPECT_GT(seen.cleans, 20u);
    EXPECT_GT(seen.pauses, 20u);
    EXPECT_GT(seen.errors, 20u);
    EXPECT_GT(seen.debug_postings, 5u);
    for (unsigned group = 1; group <= nr_group; group++)
        EXPECT_GT(seen.postings[group], 5u) << "group " << group;
}

INSTANTIATE_TEST_SUITE_P(Plans, NestRtlRandom, testing::ValuesIn(plans));

} // namespace
