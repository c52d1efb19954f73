// SPDX-License-Identifier: Apache-2.0
// The model against the reference: random programmings in random worlds.
#include <algorithm>

#include "bench.hpp"
#include "reference.hpp"

namespace
{

constexpr unsigned shards = 6;
constexpr unsigned seeds_a_shard = 250;

// ---- threads ----

// Some events do nothing, some count in every cycle, some now and then, some so much that 32 bits
// wrap.
void set_thread(Thread &thread, uint64_t seed, unsigned number)
{
    const uint64_t key = mix(seed, number, 0x7EAD);
    const bool huge = key % 4 == 0;
    const unsigned mode_log2 = key >> 8 & 7;

    thread.increment = [key, huge](uint32_t event, cs_cycle t) -> uint64_t {
        const uint64_t of = mix(key, event);
        switch (of % 6) {
        case 0:
            return 0;
        case 1:
            return 1;
        case 2:
            return of >> 8 & 15;
        case 3:
            return mix(of, t) & 15;
        case 4:
            return huge ? mix(of, t) >> 33 : mix(of, t >> 3) & 15;
        default:
            return mix(of, t) % 64 == 0 ? 15 : 0;
        }
    };
    thread.mode = [key, mode_log2](cs_cycle t) {
        return static_cast<unsigned>(mix(key, t >> mode_log2, 1) & 3);
    };
    thread.pc = [key](cs_cycle t) { return mix(key, t, 2); };
    thread.pid = static_cast<uint32_t>(mix(key, 3));
    thread.lpid = static_cast<uint32_t>(mix(key, 4));
}

void set_threads(std::vector<Thread> &threads, uint64_t seed, cs_cycle end)
{
    for (unsigned i = 0; i < threads.size(); i++) {
        set_thread(threads[i], seed, i);
        threads[i].horizon = end + 1;
    }
}

void set_bus(Bus &bus, uint64_t seed)
{
    Random random{seed * 31'337};
    const uint64_t least = random(3) ? 1 + random(12) : 0;
    const uint64_t spread = 1 + random(random(3) ? 8 : 80);
    const uint64_t errors = random(2) ? 2 + random(20) : 0;

    bus.latency = [seed, least, spread](unsigned n, cs_cycle request) {
        return cs_cycle{least + mix(seed, n, request) % spread};
    };
    bus.error = [seed, errors](unsigned n) -> uint8_t {
        const uint64_t dice = mix(seed, n, 5);
        if (errors == 0 || dice % errors != 0)
            return CS_BUS_OKAY;
        return dice >> 63 ? CS_BUS_SLVERR : CS_BUS_DECERR;
    };
}

// ---- registers ----

// Bits that have no meaning are set at random: they are kept, and do nothing.
uint64_t noise(Random &random)
{
    return random.one_in(3) ? mix(random(~0ull)) : 0;
}

uint64_t any_htm(Random &random, bool calm)
{
    const uint64_t other = noise(random) & ~htm_on;
    if (calm || random(4))
        return htm_on | other;
    return random(2) ? other : mix(random(~0ull));
}

uint64_t any_event_mask(Random &random, bool calm)
{
    uint64_t value = random(2) ? all_sets : mix(random(~0ull)) & ~field(0x3FF, 39);

    value = (value & ~field(7, 32)) | field(random(3) ? random(2) : random(8), 32);
    if (random.one_in(3))
        value |= disable_wrap;
    if (!calm && random.one_in(4))
        value |= freeze;
    if (random.one_in(4))
        value |= field(1, 38) | field(random(4), 40) | field(random(32), 45);
    return value;
}

uint64_t any_trace(Random &random)
{
    static const uint32_t spans[] = {1, 40, 100, 400, 1000, 2000, 9000};
    const TraceFields fields = {
        static_cast<unsigned>(random(4)), 0u - static_cast<uint32_t>(1 + random(spans[random(7)])),
        static_cast<unsigned>(random(128)), static_cast<unsigned>(random(128)),
        static_cast<unsigned>(random(8))};

    return random.one_in(20) ? mix(random(~0ull)) : fields.value() | (noise(random) & 0x1FFF);
}

// Some near the end of 56 bits.
uint64_t any_address(Random &random)
{
    const uint64_t value = mix(random(~0ull));
    return random.one_in(3) ? value | 0x00FFFFFFFFFFC000u : value;
}

uint64_t any_ldbar(Random &random)
{
    const uint64_t mode = random(5) == 0   ? 0
                          : random(2) == 0 ? ldbar_enable
                                           : ldbar_trace | (random(2) ? ldbar_enable : 0);
    return mode | (any_address(random) & ~(ldbar_enable | ldbar_trace));
}

uint64_t any_value(Random &random, unsigned reg, bool calm)
{
    switch (reg) {
    case CS_IMC_REG_HTM_MODE:
        return any_htm(random, calm);
    case CS_IMC_REG_EVENT_MASK:
        return any_event_mask(random, calm);
    case CS_IMC_REG_TRACE:
        return any_trace(random);
    case CS_IMC_REG_PDBAR:
        return any_address(random);
    case CS_IMC_REG_STATUS:
    case CS_IMC_REG_FIR:
    case CS_IMC_REG_ERR_RPT:
        return random(2) ? 0 : mix(random(~0ull));
    default:
        return any_ldbar(random);
    }
}

unsigned any_reg(Random &random, unsigned threads)
{
    static const unsigned often[] = {CS_IMC_REG_HTM_MODE, CS_IMC_REG_EVENT_MASK, CS_IMC_REG_TRACE,
                                     CS_IMC_REG_PDBAR};
    if (random(2))
        return CS_IMC_REG_LDBAR + static_cast<unsigned>(random(threads));
    return random(2) ? often[random(4)] : static_cast<unsigned>(random(16));
}

void add_write(Program &p, Random &random, cs_cycle cycle, unsigned reg, bool calm)
{
    p.accesses.push_back({cycle, true, reg, any_value(random, reg, calm)});
}

// The registers are set in any order at first; then one program changes them often, another
// hardly ever, and a calm one leaves the core on.
void set_accesses(Program &p, Random &random)
{
    const bool calm = random(3) != 0;
    const uint64_t gap = 1 + p.end / (1 + random(random(2) ? 60 : 6));
    const unsigned threads = p.config.threads;
    cs_cycle t = random(30);

    for (unsigned reg :
         {CS_IMC_REG_PDBAR, CS_IMC_REG_EVENT_MASK, CS_IMC_REG_TRACE, CS_IMC_REG_HTM_MODE})
        add_write(p, random, t++, reg, true);
    for (unsigned v = 0; v < threads; v++)
        add_write(p, random, t += random(20), CS_IMC_REG_LDBAR + v, true);
    for (t += 1 + random(gap); t < p.end; t += random.one_in(3) ? 1 + random(3) : 1 + random(gap)) {
        const unsigned reg = any_reg(random, threads);

        add_write(p, random, t, reg, calm);
        if (reg < CS_IMC_REG_LDBAR && random(3) == 0) // both bridges in one cycle
            add_write(p, random, t, CS_IMC_REG_LDBAR + static_cast<unsigned>(random(threads)),
                      calm);
    }
    for (unsigned i = 0; i < 200; i++)
        p.accesses.push_back(
            {random(p.end), false, random(2) ? 1u : static_cast<unsigned>(random(16)), 0});
    std::stable_sort(p.accesses.begin(), p.accesses.end(),
                     [](const Access &a, const Access &b) { return a.cycle < b.cycle; });
    while (p.accesses.back().cycle >= p.end)
        p.accesses.pop_back();
}

void set_power(Program &p, Random &random)
{
    cs_cycle t = 1 + random(p.end);

    for (uint64_t cuts = random(4); cuts > 0 && t < p.end; cuts--) {
        p.power.push_back({t, false});
        t += 1 + random(random(2) ? 3 : 300);
        p.power.push_back({t, true});
        t += 1 + random(random(3) ? 5000 : 3);
        for (unsigned reg :
             {CS_IMC_REG_PDBAR, CS_IMC_REG_EVENT_MASK, CS_IMC_REG_TRACE, CS_IMC_REG_HTM_MODE})
            add_write(p, random, t++, reg, true);
        for (unsigned v = 0; v < p.config.threads; v++)
            add_write(p, random, t++, CS_IMC_REG_LDBAR + v, true);
    }
}

void set_timebase(cs_imc_timebase &tb, Random &random)
{
    static const cs_imc_timebase usual[] = {{0, 1, 1}, {0, 512, 1000}, {0, 65535, 65535}};

    tb = usual[random(3)];
    if (random(2)) {
        tb.den = static_cast<uint32_t>(1 + random(random(2) ? 20 : 65535));
        tb.num = static_cast<uint32_t>(tb.den - random(tb.den) / 2);
    }
    // A boundary of every tap soon, or the end of 64 bits.
    if (random(2))
        tb.start = (mix(random(~0ull)) << (4 + random(30))) - random(3000);
}

Program any_program(uint64_t seed)
{
    Random random{seed * 100'003};
    Program p = {};

    p.config = config_of(1u << random(3), random(2) != 0);
    p.config.tap_log2 = static_cast<unsigned>(2 + (random(3) ? random(3) : random(6)));
    set_timebase(p.config.timebase, random);
    p.end = 3000 + random(9000);
    if (random.one_in(3))
        set_power(p, random);
    set_accesses(p, random);
    return p;
}

// ---- the comparison ----

// Power is told when its cycle comes, or up to 40 cycles ahead.
void tell_power(Bench &bench, const Program &p, size_t &at, cs_cycle until)
{
    for (; at < p.power.size() && p.power[at].first <= until; at++) {
        const auto [cycle, on] = p.power[at];
        const cs_cycle ahead = at == 0 ? 0 : mix(cycle) % 40;
        const cs_cycle last = at == 0 ? 0 : p.power[at - 1].first;

        bench.run(std::max(last, cycle - std::min(cycle, ahead)));
        cs_imc_core_set_power(bench.model(), cycle, on);
    }
}

std::vector<Answer> run_model(Bench &bench, const Program &p, Random &random, bool in_pieces)
{
    std::vector<Answer> answers;
    size_t power = 0;

    for (const Access &a : p.accesses) {
        tell_power(bench, p, power, a.cycle);
        while (in_pieces && bench.now() < a.cycle)
            bench.run(std::min(a.cycle, bench.now() + 1 + random(random(2) ? 3 : 500)));
        bench.run(a.cycle);
        Answer answer = {false, 0};
        if (a.write)
            answer.good = cs_imc_core_write(bench.model(), a.cycle, a.reg, a.value) == CS_BUS_OKAY;
        else
            answer.good =
                cs_imc_core_read(bench.model(), a.cycle, a.reg, &answer.value) == CS_BUS_OKAY;
        answers.push_back(answer);
    }
    tell_power(bench, p, power, p.end - 1);
    bench.run(p.end);
    EXPECT_EQ(p.end, bench.now());
    sort_records(bench.records);
    return answers;
}

template <typename T>
void expect_same(const char *what, const std::vector<T> &expected, const std::vector<T> &found)
{
    for (size_t i = 0; i < std::min(expected.size(), found.size()); i++)
        ASSERT_TRUE(expected[i] == found[i])
            << what << " " << i << "\nexpected " << expected[i] << "\nfound    " << found[i];
    ASSERT_EQ(expected.size(), found.size()) << what;
}

// A record that the last cycle makes for the one after it is not in both.
void cut(std::vector<cs_probe_record> &records, cs_cycle end)
{
    while (!records.empty() && records.back().cycle >= end)
        records.pop_back();
}

using Prepare = std::function<void(std::vector<Thread> &, Bus &)>;

void compare(const Program &p, uint64_t seed, const std::vector<Style> &styles, Coverage &coverage,
             const Prepare &prepare)
{
    std::vector<Thread> threads(p.config.threads);
    Bus bus;
    prepare(threads, bus);
    Outcome outcome = reference_run(p, threads, bus);
    cut(outcome.records, p.end);
    coverage.add(outcome.coverage);

    for (Style style : styles) {
        Random random{seed};
        Bench bench(p.config, style);
        prepare(bench.threads, bench.bus);
        const std::vector<Answer> answers = run_model(bench, p, random, seed % 3 == 0);
        cut(bench.records, p.end);
        expect_same("transfer", bus.log, bench.bus.log);
        expect_same("record", outcome.records, bench.records);
        expect_same("answer", outcome.answers, answers);
        ASSERT_FALSE(testing::Test::HasFailure())
            << "seed " << seed << ", style " << static_cast<int>(style);
    }
}

struct Expected {
    const char *what;
    size_t at_least;
};

void expect_seen(const Coverage &coverage, const std::vector<Expected> &list)
{
    for (const Expected &e : list) {
        const auto at = coverage.seen.find(e.what);
        EXPECT_GE(at == coverage.seen.end() ? 0 : at->second, e.at_least) << e.what;
    }
}

class ImcRandom : public testing::TestWithParam<unsigned>
{
};

TEST_P(ImcRandom, AsTheReference)
{
    Coverage coverage;

    for (unsigned i = 0; i < seeds_a_shard; i++) {
        const uint64_t seed = 1 + GetParam() * seeds_a_shard + i;
        std::vector<Style> styles = {Style::at_once};
        if (i % 4 == 0)
            styles = {Style::at_once, Style::later, Style::later_copied};
        const Program p = any_program(seed);
        const auto prepare = [&p, seed](std::vector<Thread> &threads, Bus &bus) {
            set_threads(threads, seed, p.end);
            set_bus(bus, seed);
        };
        compare(p, seed, styles, coverage, prepare);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    for (const auto &[what, times] : coverage.seen)
        RecordProperty(what, std::to_string(times));
    expect_seen(coverage, {{"overflow", 10'000},
                           {"snapshot", 5000},
                           {"lost", 1000},
                           {"overflow in a snapshot", 1000},
                           {"lost by a write", 100},
                           {"lost and dropped", 50},
                           {"dropped", 100},
                           {"taken in the cycle of an LDBAR write", 20},
                           {"into trace", 500},
                           {"out of trace", 500},
                           {"trace to trace", 500},
                           {"not in trace", 500},
                           {"trace wrap", 1000},
                           {"core post, set 0", 1000},
                           {"core post, set 1", 1000},
                           {"core post, set 2", 1000},
                           {"core post, set 3", 500},
                           {"thread post", 1000},
                           {"split", 500},
                           {"one event", 1000},
                           {"round", 20},
                           {"done", 10},
                           {"timeout", 1000},
                           {"window wrap", 1000},
                           {"window of a thread that traces", 1000},
                           {"post before record", 500},
                           {"turn passed on", 1000},
                           {"DECERR", 500},
                           {"SLVERR", 500},
                           {"state 0", 50},
                           {"state 3", 10},
                           {"state 4", 20},
                           {"tap 1", 1000},
                           {"tap 2", 50},
                           {"tap 3", 20},
                           {"cycles without power", 1000},
                           {"power lost in a transfer", 50}});
}

INSTANTIATE_TEST_SUITE_P(Shards, ImcRandom, testing::Range(0u, shards));

// ---- long enough for a buffer to be full ----

// A sample every few cycles, and a bus that takes them.
Program long_program(uint64_t seed)
{
    Random random{seed * 7919};
    Program p = {};
    const unsigned sampsel = static_cast<unsigned>(random(4));

    p.config = config_of(1u << random(3), random(2) != 0);
    p.end = 70'000;
    p.accesses.push_back({1, true, CS_IMC_REG_TRACE, TraceFields{sampsel, ~0u, 3, 4, 0}.value()});
    for (unsigned v = 0; v < p.config.threads; v++)
        p.accesses.push_back(
            {2 + v, true, CS_IMC_REG_LDBAR + v, ldbar_trace | (any_address(random) >> 2)});
    p.accesses.push_back({9, true, CS_IMC_REG_HTM_MODE, htm_on});
    for (cs_cycle t = 20'000; t < p.end; t += 3000 + random(6000)) {
        const unsigned size = static_cast<unsigned>(random(3) ? random(2) : random(8));

        p.accesses.push_back(
            {t, true, CS_IMC_REG_TRACE, TraceFields{sampsel, ~0u, 3, 4, size}.value()});
    }
    return p;
}

TEST(ImcLong, AsTheReference)
{
    Coverage coverage;

    for (uint64_t seed = 1; seed <= 16; seed++) {
        const Program p = long_program(seed);
        const auto prepare = [](std::vector<Thread> &threads, Bus &bus) {
            for (Thread &t : threads)
                t.increment = [](uint32_t, cs_cycle c) { return c % 4 != 0; };
            bus.latency = [](unsigned, cs_cycle) { return cs_cycle{1}; };
        };
        compare(p, seed, {Style::at_once}, coverage, prepare);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    expect_seen(coverage, {{"index wraps", 16}, {"index not below the limit", 4}});
}

} // namespace
