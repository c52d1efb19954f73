// SPDX-License-Identifier: Apache-2.0
// The model against the reference: random programmings in random worlds.
#include <algorithm>

#include "bench.hpp"
#include "reference.hpp"

namespace
{

constexpr unsigned shards = 6;
constexpr unsigned seeds_a_shard = 200;

uint64_t any_speed(Random &random)
{
    static const uint64_t some[] = {0, 0, 0, 0, 1, 2, 3, 7, 8, 9, 11, 12, 16, ~0ull, 1ull << 32};
    return some[random(std::size(some))];
}

uint64_t any_mode(Random &random)
{
    static const uint64_t some[] = {0, 0, 0, 1, 1, 2, ~0ull, 1ull << 32, (1ull << 32) + 1};
    return some[random(std::size(some))];
}

uint64_t any_units(Random &random)
{
    static const uint64_t some[] = {0, 0, 0xFFFF8073F007E000u, ~0ull, 1};
    return random(2) ? some[random(std::size(some))] : mix(random(1u << 30));
}

uint64_t any_command(Random &random)
{
    static const uint64_t some[] = {0, 1, 1, 2, 2, 3, 4, ~0ull, 1ull << 32};
    return some[random(std::size(some))];
}

uint64_t any_value(Random &random, Word word)
{
    switch (word) {
    case command_word:
        return any_command(random);
    case speed_word:
        return any_speed(random);
    case units_word:
        return any_units(random);
    case mode_word:
        return any_mode(random);
    default:
        return random(6);
    }
}

// One writes often, another once in a while; words that only the engine writes are scribbled
// upon too.
std::vector<HostWrite> any_host(Random &random, cs_cycle end)
{
    static const Word words[] = {command_word, command_word, command_word,    command_word,
                                 speed_word,   units_word,   mode_word,       command_word,
                                 command_word, status_word,  mode_state_word, command_word};
    const uint64_t gap = 1 + end / (1 + random(40));
    const bool calm = random(2) != 0; // commands only, once it runs
    std::vector<HostWrite> list;

    for (Word word : {speed_word, units_word, mode_word})
        if (random(3))
            list.push_back({0, word,
                            calm && word != units_word ? random(word == mode_word ? 2 : 4)
                                                       : any_value(random, word)});
    for (cs_cycle t = random(gap); t < end; t += 1 + random(2 * gap)) {
        const Word word = calm ? command_word : words[random(std::size(words))];
        list.push_back({t, word, any_value(random, word)});
    }
    return list;
}

// Many events do nothing; some count as they may; some so much that wide counters wrap.
void set_nest(Nest &nest, uint64_t seed)
{
    Random random{seed * 977};

    for (unsigned event = 0; event < Nest::events; event++) {
        const uint64_t key = mix(seed, event);
        const unsigned slow = static_cast<unsigned>(random(9));
        const unsigned bits = static_cast<unsigned>(1 + random(48));

        switch (random(24)) {
        case 0:
            nest.increment[event] = [key](cs_cycle) { return key % 16; };
            break;
        case 1:
            nest.increment[event] = [key, slow](cs_cycle t) { return mix(key, t >> slow) % 16; };
            break;
        case 2:
            nest.increment[event] = [key, bits](cs_cycle t) { return mix(key, t) >> (64 - bits); };
            break;
        case 3:
            nest.increment[event] = [key](cs_cycle t) {
                return t % (1 + key % 5000) == 0 ? 15 : 0;
            };
            break;
        default:
            break;
        }
    }
}

struct Program {
    uint32_t tick_cycles;
    cs_cycle end;
    std::vector<HostWrite> host;
};

Program any_program(uint64_t seed)
{
    Random random{seed * 100'003};
    Program p;

    p.tick_cycles = static_cast<uint32_t>(16 + random(random(3) ? 50 : 3000));
    p.end = 4000 + random(30'000);
    p.host = any_host(random, p.end);
    return p;
}

void set_world(World &world, uint64_t seed)
{
    Random random{seed * 31'337};

    world.seed = seed;
    world.min_latency = static_cast<unsigned>(1 + random(5));
    world.max_latency = world.min_latency + static_cast<unsigned>(random(random(3) ? 12 : 60));
    world.effect_at_end = random(2) != 0;
    const uint64_t one_in = random(2) ? 3 + random(60) : 0;
    if (one_in != 0)
        world.error = [seed, one_in](unsigned n) -> uint8_t {
            const uint64_t dice = mix(seed, n, 5);
            if (dice % one_in != 0)
                return CS_BUS_OKAY;
            return dice >> 63 ? CS_BUS_SLVERR : CS_BUS_DECERR;
        };
    // What was in memory before; the block may hold anything.
    for (uint32_t offset = 0; offset < 0x780; offset += 8)
        world.word(offset) = mix(seed, offset);
    world.control(command_word) = random(3) ? 0 : any_command(random);
}

void run_model(Bench &bench, const Program &p, Random &random, bool in_pieces)
{
    for (const HostWrite &w : p.host) {
        while (in_pieces && bench.now() < w.cycle)
            bench.run(std::min(w.cycle, bench.now() + 1 + random(random(2) ? 3 : 500)));
        bench.host(w.cycle, w.word, w.value);
        unsigned status = 0;
        for (const cs_probe_record &r : bench.records)
            if (r.kind == CS_PROBE_STATE && r.cycle <= bench.now())
                status = static_cast<unsigned>(r.value);
        EXPECT_EQ(status, bench.status());
    }
    bench.run(p.end);
    EXPECT_EQ(p.end, bench.now());
}

template <typename T>
void expect_same(const char *what, const std::vector<T> &expected, const std::vector<T> &found)
{
    for (size_t i = 0; i < std::min(expected.size(), found.size()); i++)
        ASSERT_TRUE(expected[i] == found[i])
            << what << " " << i << "\nexpected " << expected[i] << "\nfound    " << found[i];
    ASSERT_EQ(expected.size(), found.size()) << what;
}

// STATE is told when DECIDE is over, SAMPLE when it is there: neither before the other's cycle.
void expect_same(const Outcome &outcome, const World &world, const Bench &bench)
{
    expect_same("record", outcome.records, bench.records);
    expect_same("transfer", world.log, bench.world.log);
    EXPECT_TRUE(world.memory == bench.world.memory);
}

void add(Coverage &sum, const Coverage &c)
{
    for (size_t i = 0; i < std::size(c.postings); i++)
        sum.postings[i] += c.postings[i];
    for (size_t i = 0; i < std::size(c.epochs); i++)
        sum.epochs[i] += c.epochs[i];
    for (size_t i = 0; i < std::size(c.turns); i++)
        sum.turns[i] += c.turns[i];
    for (size_t i = 0; i < std::size(c.statuses); i++)
        sum.statuses[i] += c.statuses[i];
    sum.debug_postings += c.debug_postings;
    sum.failed_looks += c.failed_looks;
    sum.failed_writes += c.failed_writes;
    sum.full += c.full;
    sum.take_and_come += c.take_and_come;
    sum.wraps += c.wraps;
    sum.doubled += c.doubled;
    sum.stores += c.stores;
    sum.cleared_prev += c.cleared_prev;
}

void expect_all_of_it(const Coverage &c)
{
    for (unsigned g = 1; g <= 7; g++)
        EXPECT_GT(c.postings[g], 50u) << "group " << g;
    for (size_t epoch : c.epochs)
        EXPECT_GT(epoch, 20u);
    for (size_t turn : c.turns)
        EXPECT_GT(turn, 50u);
    for (size_t status : c.statuses)
        EXPECT_GT(status, 20u);
    EXPECT_GT(c.debug_postings, 20u);
    EXPECT_GT(c.failed_looks, 100u);
    EXPECT_GT(c.failed_writes, 500u);
    EXPECT_GT(c.full, 1000u);
    EXPECT_GT(c.take_and_come, 200u);
    EXPECT_GT(c.wraps, 50u);
    EXPECT_GT(c.doubled, 20u);
    EXPECT_GT(c.stores, 20u);
    EXPECT_GT(c.cleared_prev, 20u);
}

class NestRandom : public testing::TestWithParam<unsigned>
{
};

Coverage compare_all(unsigned shard, bool power10)
{
    Coverage coverage;

    for (unsigned i = 0; i < seeds_a_shard; i++) {
        const uint64_t seed = 1 + shard * seeds_a_shard + i;
        const Program p = any_program(seed);
        Nest nest;
        World world;
        set_nest(nest, seed);
        set_world(world, seed);
        const Outcome outcome = reference_run(p.tick_cycles, nest, world, p.host, p.end, power10);
        add(coverage, outcome.coverage);

        // However it is driven: an answer at once is possible where memory is looked at then.
        for (Style style : {Style::at_once, Style::later, Style::later_copied}) {
            if (style == Style::at_once ? world.effect_at_end : i % 4 != 0 && !world.effect_at_end)
                continue;
            Random random{seed};
            Bench bench(p.tick_cycles, style, power10);
            set_nest(bench.nest, seed);
            set_world(bench.world, seed);
            run_model(bench, p, random, i % 3 == 0);
            expect_same(outcome, world, bench);
            if (testing::Test::HasFailure()) {
                ADD_FAILURE() << "seed " << seed << ", style " << static_cast<int>(style);
                return coverage;
            }
        }
    }
    return coverage;
}

TEST_P(NestRandom, AsTheReference)
{
    const Coverage coverage = compare_all(GetParam(), false);

    if (!HasFailure())
        expect_all_of_it(coverage);
}

TEST_P(NestRandom, AsTheReferenceOfPower10)
{
    const Coverage c = compare_all(GetParam(), true);

    for (unsigned g = 1; g <= 13; g++)
        EXPECT_GT(c.postings[g], 20u) << "group " << g;
    for (size_t status : c.statuses)
        EXPECT_GT(status, 20u);
    EXPECT_GT(c.debug_postings, 20u);
}

INSTANTIATE_TEST_SUITE_P(Shards, NestRandom, testing::Range(0u, shards));

} // namespace
