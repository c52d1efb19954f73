// SPDX-License-Identifier: Apache-2.0
// A timeline against the obvious: a walk over all cycles, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "support.hpp"
#include <countersink/base/stream/timeline.h>

namespace
{

struct Destroy {
    void operator()(cs_timeline *tl) const
    {
        cs_timeline_destroy(tl);
    }
};
using Timeline = std::unique_ptr<cs_timeline, Destroy>;

constexpr uint32_t kRandom = 0x11, kRate = 0x8, kPartly = 0xffff, kUnknown = 0x77;
constexpr cs_cycle kWalk = 6000;

// A workload of three segments and two handlers, one of two segments.
class Core : public testing::Test
{
  protected:
    Pool pool_;
    std::vector<cs_function> hot_ = {{"main", 0x400000, 400, 1, nullptr, 0, 0},
                                     {"loop", 0x401000, 64, 3, nullptr, 0, 0}};
    std::vector<cs_function> irq_ = {{"irq", 0xffff000000000000, 4, 1, nullptr, 0, 0}};
    std::vector<std::vector<cs_segment_event>> events_ = {
        {{kRandom, pool_.random(3, 2, "a")}, {kRate, pool_.rate(1, 3)}},
        {{kRandom, pool_.random(1, 5, "b")},
         {kRate, pool_.rate(2, 1)},
         {kPartly, pool_.rate(1, 7)}},
        {{kRandom, pool_.random(8, 1, "c")}},
        {{kRandom, pool_.random(1, 1, "d")}, {kRate, pool_.rate(1, 1)}},
        {{kRandom, pool_.random(1, 2, "e")}, {kRate, nullptr}},
        {{kRandom, pool_.random(4, 1, "f")}, {kPartly, pool_.rate(1, 1)}},
    };
    std::vector<cs_segment> work_ = {
        segment(200, CS_MODE_EL0, 100, hot_, events_[0]),
        segment(131, CS_MODE_EL1, 100, hot_, events_[1]),
        segment(64, CS_MODE_EL0, 200, {}, events_[2]),
    };
    std::vector<cs_segment> one_ = {segment(50, CS_MODE_EL1, 7, irq_, events_[3])};
    std::vector<cs_segment> two_ = {
        segment(10, CS_MODE_EL2, 8, irq_, events_[4]),
        segment(21, CS_MODE_EL3, 9, irq_, events_[5]),
    };
    std::vector<cs_track> tracks_ = {
        {"workload", work_.data(), work_.size()},
        {"pmu irq", one_.data(), one_.size()},
        {"firmware", two_.data(), two_.size()},
    };
    cs_timeline_desc desc_ = {1, 0, 0, tracks_.data(), tracks_.size(), nullptr, 0, CS_MODE_EL0};

    static cs_segment segment(uint64_t length, cs_privilege mode, uint32_t cid,
                              const std::vector<cs_function> &functions,
                              const std::vector<cs_segment_event> &events)
    {
        return {length,           mode,          cid,           cid + 1, functions.data(),
                functions.size(), events.data(), events.size(), false,   cid + 2};
    }

    Timeline make()
    {
        cs_timeline *out = nullptr;
        cs_diag diag{};
        EXPECT_EQ(cs_timeline_create(&desc_, &out, &diag), CS_OK) << printed(diag);
        return Timeline(out);
    }
};

struct Stay {
    cs_cycle enter, leave;
    unsigned track;
};

// Without power.
const cs_segment kNobody = {1, CS_MODE_EL3, 0, 0, nullptr, 0, nullptr, 0, false, 0};

// Who runs and what counts at each cycle of [0, kWalk), by walking.
struct Walk {
    struct Step {
        unsigned track;
        uint64_t local;
        const cs_segment *segment;
    };
    std::vector<Step> steps;
    std::vector<uint8_t> counts[3];

    static constexpr uint32_t kEvents[3] = {kRandom, kRate, kPartly};

    Walk(const cs_timeline_desc &desc, const std::vector<Stay> &stays)
    {
        std::vector<uint64_t> local(desc.nr_tracks);
        std::vector<std::vector<uint64_t>> spent(desc.nr_tracks);
        for (size_t i = 0; i < desc.nr_tracks; i++)
            spent[i].resize(desc.tracks[i].nr_segments);
        for (size_t i = 0; local[0] < desc.begun; i++) { // within the first lap
            spent[0][i] = std::min(desc.begun - local[0], desc.tracks[0].segments[i].length_cycles);
            local[0] += spent[0][i];
        }

        for (cs_cycle t = 0; t < kWalk; t++) {
            if (std::any_of(desc.off, desc.off + desc.nr_off, [t](const cs_timeline_off &off) {
                    return t >= off.from && t < off.to;
                })) {
                steps.push_back({0, 0, &kNobody});
                for (auto &count : counts)
                    count.push_back(0);
                continue;
            }
            unsigned track = 0;
            for (const Stay &stay : stays)
                if (t >= stay.enter && t < stay.leave)
                    track = stay.track;
            const cs_track &program = desc.tracks[track];
            uint64_t period = 0;
            for (size_t i = 0; i < program.nr_segments; i++)
                period += program.segments[i].length_cycles;
            uint64_t rest = local[track] % period;
            size_t i = 0;
            while (rest >= program.segments[i].length_cycles)
                rest -= program.segments[i++].length_cycles;
            const cs_segment &segment = program.segments[i];
            steps.push_back({track, local[track], &segment});
            for (int e = 0; e < 3; e++) {
                const cs_stream *stream = nullptr;
                for (size_t k = 0; k < segment.nr_events; k++)
                    if (segment.events[k].event == kEvents[e])
                        stream = segment.events[k].stream;
                uint64_t at = spent[track][i];
                counts[e].push_back(stream != nullptr ? uint8_t(cs_stream_sum(stream, at, at + 1))
                                                      : 0);
            }
            spent[track][i]++;
            local[track]++;
        }
    }

    uint64_t sum(int event, uint32_t mask, cs_cycle from, cs_cycle to) const
    {
        uint64_t sum = 0;
        for (cs_cycle t = from; t < to; t++)
            if (CS_MODE_MASK(steps[t].segment->mode) & mask)
                sum += counts[event][t];
        return sum;
    }
};

constexpr uint32_t kMasks[] = {CS_MODE_ALL, CS_MODE_MASK(CS_MODE_EL0), CS_MODE_MASK(CS_MODE_EL1),
                               CS_MODE_MASK(CS_MODE_EL2) | CS_MODE_MASK(CS_MODE_EL3), 0};

void expect_same(cs_timeline *tl, const Walk &walk, Numbers &numbers)
{
    for (int i = 0; i < 400; i++) {
        int e = int(numbers.below(3));
        uint32_t mask = kMasks[numbers.below(5)];
        cs_cycle from = numbers.below(kWalk);
        cs_cycle to = from + numbers.below(kWalk - from);
        uint64_t expected = walk.sum(e, mask, from, to);
        if (numbers.below(2) == 0) // changes no answer
            cs_timeline_prepare(tl, Walk::kEvents, 3, mask, from, to);
        ASSERT_EQ(cs_timeline_sum(tl, Walk::kEvents[e], mask, from, to), expected)
            << from << ".." << to << " event " << e << " mask " << mask;

        // The first cycle with that sum, where it lies within the walk.
        if (expected > 0) {
            cs_cycle t = to;
            while (walk.sum(e, mask, t - 1, t) == 0)
                t--;
            ASSERT_EQ(cs_timeline_reach(tl, Walk::kEvents[e], mask, from, expected), t);
        }
        uint64_t more = walk.sum(e, mask, from, kWalk) + 1 + numbers.below(1000);
        cs_cycle beyond = cs_timeline_reach(tl, Walk::kEvents[e], mask, from, more);
        ASSERT_GT(beyond, kWalk);
        if (beyond != CS_NEVER) {
            ASSERT_GE(cs_timeline_sum(tl, Walk::kEvents[e], mask, from, beyond), more);
            ASSERT_LT(cs_timeline_sum(tl, Walk::kEvents[e], mask, from, beyond - 1), more);
        }

        std::vector<uint8_t> out(to - from + 1, 0xa5);
        cs_timeline_increments(tl, Walk::kEvents[e], from, to - from, out.data());
        ASSERT_EQ(out.back(), 0xa5);
        ASSERT_TRUE(std::equal(out.begin(), out.end() - 1, walk.counts[e].begin() + long(from)));
    }
}

TEST_F(Core, WithoutInsertionsIsItsWorkload)
{
    Timeline tl = make();
    Numbers numbers(5);
    expect_same(tl.get(), Walk(desc_, {}), numbers);
}

TEST_F(Core, WithInsertionsIsTheWalk)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        desc_.begun = seed % 5 * 45;
        Timeline tl = make();
        Numbers numbers(seed);
        std::vector<Stay> stays;
        cs_cycle at = 0;
        // Short and long stays, none at all between some, some of no length.
        while (stays.size() < 1 + seed) {
            cs_cycle enter = at + numbers.below(3) * numbers.below(200);
            cs_cycle leave = enter + numbers.below(3) * numbers.below(100);
            unsigned track = 1 + unsigned(numbers.below(2));
            ASSERT_EQ(cs_timeline_enter(tl.get(), enter, track, nullptr), CS_OK);
            EXPECT_TRUE(cs_timeline_inserted(tl.get()));
            stays.push_back({enter, CS_NEVER, track});
            if (seed % 4 == 0)
                expect_same(tl.get(), Walk(desc_, stays), numbers);
            if (stays.size() == 1 + seed && seed % 3 == 0)
                break;
            ASSERT_EQ(cs_timeline_leave(tl.get(), leave, nullptr), CS_OK);
            EXPECT_FALSE(cs_timeline_inserted(tl.get()));
            stays.back().leave = leave;
            at = leave;
        }
        expect_same(tl.get(), Walk(desc_, stays), numbers);
    }
}

// Nothing runs then, no track goes on, and software that comes or goes meanwhile takes no time.
TEST_F(Core, NobodyRunsWithoutPower)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Numbers numbers(seed);
        std::vector<cs_timeline_off> off;
        for (cs_cycle at = numbers.below(50); off.size() < 1 + seed % 7;) {
            off.push_back({at, at + 1 + numbers.below(700)});
            at = off.back().to + 1 + numbers.below(400);
        }
        desc_.off = off.data();
        desc_.nr_off = off.size();
        desc_.off_mode = kNobody.mode;
        Timeline tl = make();
        std::vector<Stay> stays;
        for (cs_cycle at = numbers.below(100); stays.size() < seed;) {
            stays.push_back({at, at + numbers.below(300), 1 + unsigned(numbers.below(2))});
            ASSERT_EQ(cs_timeline_enter(tl.get(), at, stays.back().track, nullptr), CS_OK);
            ASSERT_EQ(cs_timeline_leave(tl.get(), stays.back().leave, nullptr), CS_OK);
            at = stays.back().leave + numbers.below(200);
        }
        const Walk walk(desc_, stays);
        expect_same(tl.get(), walk, numbers);
        for (cs_cycle t = 0; t + 500 < kWalk; t++) {
            const cs_segment *segment = walk.steps[t].segment;
            cs_context context;
            cs_cycle until = t + 1;

            cs_timeline_context(tl.get(), t, &context);
            ASSERT_EQ(context.cid1, segment->cid1) << t;
            ASSERT_EQ(context.pid, segment->pid) << t;
            ASSERT_EQ(context.mode, segment->mode) << t;
            while (walk.steps[until].segment == segment)
                until++;
            ASSERT_LE(cs_timeline_until(tl.get(), t), until) << t;
            if (segment == &kNobody) {
                ASSERT_EQ(context.pc, 0u);
                ASSERT_EQ(cs_timeline_until(tl.get(), t), until) << t;
            }
        }
    }
}

TEST_F(Core, RefusesImpossiblePower)
{
    const std::vector<std::vector<cs_timeline_off>> bad = {
        {{5, 5}}, {{5, 4}}, {{5, 9}, {9, 12}}, {{5, 9}, {1, 2}}, {{5, CS_STREAM_END}}};
    for (const auto &off : bad) {
        cs_timeline *out = nullptr;
        desc_.off = off.data();
        desc_.nr_off = off.size();
        EXPECT_EQ(cs_timeline_create(&desc_, &out, nullptr), CS_ERR_RANGE);
    }
}

TEST_F(Core, ContextsAreThoseOfTheSegment)
{
    Timeline tl = make();
    std::vector<Stay> stays = {{70, 300, 1}, {300, 345, 2}, {1000, 1000, 1}, {1001, 1002, 2}};
    for (const Stay &stay : stays) {
        ASSERT_EQ(cs_timeline_enter(tl.get(), stay.enter, stay.track, nullptr), CS_OK);
        ASSERT_EQ(cs_timeline_leave(tl.get(), stay.leave, nullptr), CS_OK);
    }
    Walk walk(desc_, stays);

    for (cs_cycle t = 0; t < kWalk; t++) {
        const cs_segment &segment = *walk.steps[t].segment;
        cs_context context;
        cs_timeline_context(tl.get(), t, &context);
        ASSERT_EQ(context.cid1, segment.cid1) << t;
        ASSERT_EQ(context.cid2, segment.cid2);
        ASSERT_EQ(context.mode, segment.mode);
        bool inside = segment.nr_functions == 0 && context.pc == 0;
        for (size_t i = 0; i < segment.nr_functions; i++)
            inside |= context.pc >= segment.functions[i].base &&
                      context.pc - segment.functions[i].base < segment.functions[i].size;
        ASSERT_TRUE(inside) << t << " pc " << context.pc;
        ASSERT_EQ(context.pc % 4, 0u);
        uint64_t local;
        ASSERT_EQ(cs_timeline_track(tl.get(), t, &local), walk.steps[t].track);
        ASSERT_EQ(local, walk.steps[t].local);
    }
    EXPECT_EQ(cs_timeline_track(tl.get(), 345, nullptr), 0u);
}

// What an interrupted workload was is what it goes on with.
TEST_F(Core, TheWorkloadIsWhoWasInterrupted)
{
    const uint64_t returns[] = {0x400010, 0x400020};
    hot_[1].returns = returns;
    hot_[1].nr_returns = 2;
    Timeline tl = make();
    std::vector<Stay> stays = {{70, 300, 1}, {300, 345, 2}, {1001, 1002, 2}};
    for (const Stay &stay : stays) {
        ASSERT_EQ(cs_timeline_enter(tl.get(), stay.enter, stay.track, nullptr), CS_OK);
        ASSERT_EQ(cs_timeline_leave(tl.get(), stay.leave, nullptr), CS_OK);
    }
    Walk walk(desc_, stays);
    const auto same = [](const cs_context &a, const cs_context &b) {
        return a.pc == b.pc && a.cid1 == b.cid1 && a.cid2 == b.cid2 && a.mode == b.mode &&
               a.function == b.function;
    };

    for (cs_cycle t = 0; t < 1500; t++) {
        cs_context workload, goes_on;
        cs_cycle next = t;

        while (walk.steps[next].track != CS_TIMELINE_WORKLOAD)
            next++;
        cs_timeline_workload(tl.get(), t, &workload);
        cs_timeline_context(tl.get(), next, &goes_on);
        ASSERT_TRUE(same(workload, goes_on)) << t;
        const cs_function *f = workload.function;
        ASSERT_EQ(f == nullptr, workload.pc == 0) << t;
        if (f == nullptr)
            continue;
        ASSERT_GE(workload.pc, f->base);
        ASSERT_LT(workload.pc, f->base + f->size);
        ASSERT_EQ(f->nr_returns, f == &hot_[1] ? 2u : 0u);
    }
}

TEST_F(Core, UntilIsTheNextChange)
{
    Timeline tl = make();
    std::vector<Stay> stays = {{70, 300, 1}, {300, 345, 2}, {1001, 1002, 2}};
    for (const Stay &stay : stays) {
        ASSERT_EQ(cs_timeline_enter(tl.get(), stay.enter, stay.track, nullptr), CS_OK);
        ASSERT_EQ(cs_timeline_leave(tl.get(), stay.leave, nullptr), CS_OK);
    }
    Walk walk(desc_, stays);

    for (cs_cycle t = 0; t + 500 < kWalk; t++) {
        cs_cycle expected = t + 1;
        while (walk.steps[expected].segment == walk.steps[t].segment)
            expected++;
        ASSERT_EQ(cs_timeline_until(tl.get(), t), expected) << t;
    }
}

TEST_F(Core, AloneAndUniformNeverChanges)
{
    tracks_[0].nr_segments = 1;
    Timeline tl = make();
    EXPECT_EQ(cs_timeline_until(tl.get(), 0), CS_NEVER);
    ASSERT_EQ(cs_timeline_enter(tl.get(), 9, 1, nullptr), CS_OK);
    EXPECT_EQ(cs_timeline_until(tl.get(), 0), 9u);
    EXPECT_EQ(cs_timeline_until(tl.get(), 9), CS_NEVER);
}

TEST_F(Core, FunctionsAreChosenByWeight)
{
    Timeline tl = make();
    int loop = 0;
    constexpr int kQuanta = 4000;

    for (int i = 0; i < kQuanta; i++) {
        cs_context context;
        // Cycle 0 of each period of 395 cycles is in the first segment.
        cs_timeline_context(tl.get(), cs_cycle(i) * 395, &context);
        loop += context.pc >= 0x401000;
    }
    // Weights 1 and 3; five standard errors of 4000 draws.
    EXPECT_NEAR(double(loop) / kQuanta, 0.75, 5 * 0.433 / 63.2);
}

TEST_F(Core, ProgramCountersDependOnSeedAndCore)
{
    auto trace = [&](uint64_t seed, uint32_t core) {
        desc_.seed = seed;
        desc_.core = core;
        Timeline tl = make();
        std::vector<uint64_t> pcs;
        for (cs_cycle t = 0; t < 5000; t++) {
            cs_context context;
            cs_timeline_context(tl.get(), t, &context);
            pcs.push_back(context.pc);
        }
        return pcs;
    };
    auto first = trace(1, 0);
    EXPECT_EQ(trace(1, 0), first);
    EXPECT_NE(trace(2, 0), first);
    EXPECT_NE(trace(1, 1), first);
}

// Given answers for a far future, when software is inserted, then no cache keeps
// what was true before.
TEST_F(Core, SoftwareInsertedLaterChangesTheFutureOnly)
{
    Timeline tl = make();
    uint64_t before = cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 0, 1000);
    cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 1000, 5000);
    ASSERT_EQ(cs_timeline_enter(tl.get(), 1000, 2, nullptr), CS_OK);
    ASSERT_EQ(cs_timeline_leave(tl.get(), 3000, nullptr), CS_OK);

    Walk walk(desc_, {{1000, 3000, 2}});
    EXPECT_EQ(cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 0, 1000), before);
    EXPECT_EQ(cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 1000, 5000),
              walk.sum(0, CS_MODE_ALL, 1000, 5000));
    cs_timeline_reset(tl.get());
    EXPECT_EQ(cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 0, 5000),
              Walk(desc_, {}).sum(0, CS_MODE_ALL, 0, 5000));
}

TEST_F(Core, ManyInsertionsFarOut)
{
    Timeline a = make();
    Timeline b = make();
    Numbers numbers(3);
    cs_cycle at = cs_cycle{1} << 40;
    const cs_cycle start = at;

    for (int i = 0; i < 3000; i++) {
        cs_cycle enter = at + 10000 + numbers.below(1000);
        at = enter + numbers.below(700);
        for (cs_timeline *tl : {a.get(), b.get()}) {
            ASSERT_EQ(cs_timeline_enter(tl, enter, 1 + i % 2, nullptr), CS_OK);
            ASSERT_EQ(cs_timeline_leave(tl, at, nullptr), CS_OK);
        }
        // a is asked all the way, b only at the end.
        cs_timeline_sum(a.get(), kRandom, 1, enter - 5000, at);
    }
    for (int i = 0; i < 500; i++) {
        cs_cycle x = start + numbers.below(at - start);
        cs_cycle y = start + numbers.below(at - start);
        cs_cycle low = std::min(x, y), high = std::max(x, y);
        uint64_t sum = cs_timeline_sum(a.get(), kRandom, CS_MODE_ALL, low, high);
        ASSERT_EQ(cs_timeline_sum(b.get(), kRandom, CS_MODE_ALL, low, high), sum);
        if (sum == 0)
            continue;
        cs_cycle t = cs_timeline_reach(a.get(), kRandom, CS_MODE_ALL, low, sum);
        ASSERT_LE(t, high);
        ASSERT_GE(cs_timeline_sum(b.get(), kRandom, CS_MODE_ALL, low, t), sum);
        ASSERT_LT(cs_timeline_sum(b.get(), kRandom, CS_MODE_ALL, low, t - 1), sum);
    }
}

TEST_F(Core, TellsItsEvents)
{
    Timeline tl = make();
    std::multiset<uint32_t> events;
    size_t at = 0;
    uint32_t event;

    while (cs_timeline_next_event(tl.get(), &at, &event))
        events.insert(event);
    EXPECT_EQ(events, (std::multiset<uint32_t>{kRate, kRandom, kPartly}));
}

TEST_F(Core, UnknownEventsAndOddArguments)
{
    Timeline tl = make();
    uint8_t out[4] = {1, 1, 1, 1};
    cs_event_source source = cs_timeline_event_source(tl.get());

    EXPECT_EQ(cs_timeline_sum(tl.get(), kUnknown, CS_MODE_ALL, 0, 100), 0u);
    EXPECT_EQ(cs_timeline_sum(tl.get(), 0x10011, CS_MODE_ALL, 0, 100), 0u);
    EXPECT_EQ(cs_timeline_reach(tl.get(), kUnknown, CS_MODE_ALL, 5, 1), CS_NEVER);
    EXPECT_EQ(cs_timeline_reach(tl.get(), kUnknown, CS_MODE_ALL, 5, 0), 5u);
    EXPECT_EQ(cs_timeline_reach(tl.get(), kRandom, 0, 5, 1), CS_NEVER);
    EXPECT_EQ(cs_timeline_reach(tl.get(), kRandom, CS_MODE_ALL, 5, UINT64_MAX), CS_NEVER);
    EXPECT_EQ(cs_timeline_reach(tl.get(), kRandom, CS_MODE_ALL, CS_NEVER, 1), CS_NEVER);
    EXPECT_EQ(cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 100, 100), 0u);
    EXPECT_EQ(cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 101, 100), 0u);
    EXPECT_GT(cs_timeline_sum(tl.get(), kRandom, CS_MODE_ALL, 0, CS_NEVER), 0u);
    cs_timeline_increments(tl.get(), kUnknown, 0, 4, out);
    EXPECT_EQ(out[3], 0);
    cs_timeline_increments(tl.get(), kRandom, CS_STREAM_END, 4, out);
    EXPECT_EQ(out[0], 0);
    EXPECT_EQ(source.sum(source.ctx, kRate, CS_MODE_ALL, 3, 777),
              cs_timeline_sum(tl.get(), kRate, CS_MODE_ALL, 3, 777));
    EXPECT_EQ(source.reach(source.ctx, kRate, CS_MODE_ALL, 3, 7),
              cs_timeline_reach(tl.get(), kRate, CS_MODE_ALL, 3, 7));
    cs_context a, b;
    source.context(source.ctx, 99, &a);
    cs_timeline_context(tl.get(), 99, &b);
    EXPECT_EQ(a.pc, b.pc);
}

TEST_F(Core, RefusesImpossibleSoftware)
{
    Timeline tl = make();
    cs_diag diag{};

    EXPECT_EQ(cs_timeline_leave(tl.get(), 5, &diag), CS_ERR_RANGE);
    EXPECT_EQ(printed(diag), "core 0: leave at cycle 5: no handler runs");
    EXPECT_EQ(cs_timeline_enter(tl.get(), 5, 0, &diag), CS_ERR_RANGE);
    EXPECT_EQ(printed(diag), "core 0: enter of track 0: the handlers are 1..2");
    EXPECT_EQ(cs_timeline_enter(tl.get(), 5, 3, nullptr), CS_ERR_RANGE);
    EXPECT_EQ(cs_timeline_enter(tl.get(), CS_STREAM_END, 1, nullptr), CS_ERR_RANGE);
    ASSERT_EQ(cs_timeline_enter(tl.get(), 5, 1, &diag), CS_OK);
    EXPECT_EQ(cs_timeline_enter(tl.get(), 6, 1, &diag), CS_ERR_RANGE);
    EXPECT_EQ(printed(diag),
              "core 0: enter at cycle 6 while a handler runs: leave must come first");
    EXPECT_EQ(cs_timeline_leave(tl.get(), 4, &diag), CS_ERR_RANGE);
    EXPECT_EQ(printed(diag), "core 0: leave at cycle 4: must be 5..2^56-1 (not before its enter)");
    ASSERT_EQ(cs_timeline_leave(tl.get(), 8, nullptr), CS_OK);
    EXPECT_EQ(cs_timeline_enter(tl.get(), 7, 1, &diag), CS_ERR_RANGE);
    EXPECT_EQ(printed(diag),
              "core 0: enter at cycle 7: must be 8..2^56-1 (not before the last leave)");
}

TEST_F(Core, RefusesImpossibleDescriptions)
{
    auto refused = [&]() {
        cs_timeline *out = nullptr;
        cs_diag diag{};
        EXPECT_EQ(cs_timeline_create(&desc_, &out, &diag), CS_ERR_RANGE);
        EXPECT_EQ(out, nullptr);
        return printed(diag);
    };

    desc_.nr_tracks = 0;
    EXPECT_EQ(refused(), "0 tracks: must be 1..16");
    desc_.nr_tracks = 3;
    tracks_[2].nr_segments = 0;
    EXPECT_EQ(refused(), "firmware: 0 segments: a track must have at least 1");
    tracks_[2].nr_segments = 2;
    work_[1].length_cycles = 0;
    EXPECT_EQ(refused(), "workload: segment 2 of 0 cycles: must be 1..2^56, all segments together "
                         "at most 2^56");
    work_[1].length_cycles = CS_STREAM_END;
    EXPECT_NE(refused(), "");
    work_[1].length_cycles = 10;
    work_[2].mode = static_cast<cs_privilege>(16);
    EXPECT_EQ(refused(), "workload: segment 3: mode 16: must be 0..15");
    work_[2].mode = CS_MODE_EL0;
    events_[0].push_back({0x100000, nullptr});
    work_[0].events = events_[0].data();
    work_[0].nr_events = events_[0].size();
    EXPECT_EQ(refused(), "workload: segment 1: event 0x100000: must be 0..0xfffff");
    events_[0].back() = {kRate, pool_.rate(1, 1)};
    EXPECT_EQ(refused(), "workload: segment 1: event 0x8 is listed more than once");
    work_[0].nr_events--;
    irq_[0].size = 6;
    EXPECT_EQ(refused(), "pmu irq: segment 1: function irq at 0xffff000000000000 of 6 bytes: both "
                         "must be multiples of 4, the size at least 4, the end within 64 bits");
    irq_[0].size = 4;
    irq_[0].weight = 0;
    EXPECT_EQ(refused(), "pmu irq: segment 1: the weights of its 1 functions are all 0: at least "
                         "one must be more");
}

} // namespace

// Which of the workload's segments take no interrupts is a bit each.
TEST_F(Core, WhereInterruptsAreOn)
{
    for (unsigned mask = 0; mask < 7; mask++) {
        for (unsigned i = 0; i < 3; i++)
            work_[i].irqs_off = (mask >> i & 1) != 0;
        Timeline tl = make();

        for (cs_cycle t = 0; t < 500; t++) {
            cs_context who;
            cs_cycle expected = t;

            for (cs_timeline_context(tl.get(), expected, &who); who.irqs_off;)
                cs_timeline_context(tl.get(), ++expected, &who);
            EXPECT_EQ(cs_timeline_irqs_on(tl.get(), t), expected) << mask << " " << t;
        }
    }
}
