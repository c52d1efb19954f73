// SPDX-License-Identifier: Apache-2.0
// Random programs: the model against the reference that goes cycle by cycle. Many accesses are
// aimed at the cycle of an overflow, or beside it.
#include <algorithm>
#include <random>

#include "reference.hpp"
#include "unit.hpp"

namespace
{

constexpr unsigned kPrograms = 3000;
constexpr cs_cycle kCycles = 1500;

class Random
{
  public:
    explicit Random(uint64_t seed) : engine_(seed) {}
    uint64_t bits()
    {
        return engine_();
    }
    uint64_t below(uint64_t n)
    {
        return engine_() % n;
    }
    bool once_in(uint64_t n)
    {
        return below(n) == 0;
    }

  private:
    std::mt19937_64 engine_;
};

Streams any_streams(Random &random)
{
    Streams streams;

    for (unsigned i = 0; i < Streams::kStreams; i++) {
        const unsigned kind = i == 0 ? 0 : static_cast<unsigned>(1 + random.below(5));
        for (cs_cycle t = 0; t < kCycles; t++) {
            const unsigned any = static_cast<unsigned>(random.below(16));
            const unsigned by_kind[] = {
                1, any, 15, random.once_in(20) ? any : 0, t / 64 % 2 != 0 ? any : 0, any % 2};
            streams.increments[i].push_back(static_cast<uint8_t>(by_kind[kind]));
        }
    }
    return streams;
}

cs_uncore_config any_straps(Random &random)
{
    static const unsigned widths[] = {8, 8, 8, 9, 10, 12, 16, 31, 32, 33, 40, 48, 63, 64};
    const unsigned counters = static_cast<unsigned>(1 + random.below(random.once_in(3) ? 16 : 4));

    return straps(counters, widths[random.below(std::size(widths))],
                  static_cast<uint16_t>(random.bits()));
}

// The model behind prefix sums of the streams.
class Model
{
  public:
    std::vector<cs_probe_record> records;

    Model(const cs_uncore_config &config, const Streams &streams)
    {
        for (unsigned i = 0; i < Streams::kStreams; i++) {
            before_[i].push_back(0);
            for (uint8_t increment : streams.increments[i])
                before_[i].push_back(before_[i].back() + increment);
        }
        const cs_event_source source = {
            [](void *ctx, uint32_t event, uint32_t, cs_cycle from, cs_cycle to) {
                const Model &m = *static_cast<Model *>(ctx);
                return m.before(event, to) - m.before(event, from);
            },
            [](void *ctx, uint32_t event, uint32_t, cs_cycle from, uint64_t n) {
                return static_cast<Model *>(ctx)->reach(event, from, n);
            },
            nullptr, this, nullptr};
        sink_ = {[](void *ctx, const cs_probe_record *record) {
                     static_cast<Model *>(ctx)->records.push_back(*record);
                 },
                 this, false, nullptr};
        const cs_uncore_env env = {source, &sink_, {}};
        EXPECT_EQ(CS_OK, cs_uncore_create(&config, &env, &uncore_, nullptr));
    }
    Model(const Model &) = delete;
    Model &operator=(const Model &) = delete;
    ~Model()
    {
        cs_uncore_destroy(uncore_);
    }
    cs_uncore *operator()()
    {
        return uncore_;
    }

  private:
    uint64_t before(uint32_t event, cs_cycle t) const
    {
        const unsigned i = Streams::stream(event);
        return i == Streams::kStreams ? 0 : before_[i][std::min(t, kCycles)];
    }
    cs_cycle reach(uint32_t event, cs_cycle from, uint64_t n) const
    {
        const unsigned i = Streams::stream(event);
        if (i == Streams::kStreams || before_[i].back() - before(event, from) < n)
            return CS_NEVER;
        const uint64_t wanted = before(event, from) + n;
        return static_cast<cs_cycle>(
            std::lower_bound(before_[i].begin(), before_[i].end(), wanted) - before_[i].begin());
    }

    cs_probe_sink sink_ = {};
    cs_uncore *uncore_ = nullptr;
    std::array<std::vector<uint64_t>, Streams::kStreams> before_;
};

uint32_t any_offset(Random &random, const cs_uncore_config &config)
{
    const unsigned n = static_cast<unsigned>(random.below(config.counters));

    switch (random.below(12)) {
    case 0:
        return ID;
    case 1:
    case 2:
        return CTL;
    case 3:
    case 4:
        return OVF;
    case 5:
        return IE;
    case 6:
    case 7:
        return SELECT(n);
    case 8:
    case 9:
    case 10:
        return COUNT(n);
    default:
        return static_cast<uint32_t>(8 * random.below(0x300 / 8));
    }
}

uint64_t any_data(Random &random, const cs_uncore_config &config, uint32_t offset)
{
    static const uint64_t events[] = {0, 1, 2, 0x8000, 0xFFFF, 0x0100, 0x0001, 0x0002, 0x7777};

    if (random.once_in(20))
        return random.bits();
    if (offset == CTL)
        return (random.once_in(6) ? 0 : EN) | (random.once_in(2) ? FREEZE : 0) |
               (random.once_in(6) ? RESET : 0);
    if (offset == OVF || offset == IE)
        return random.once_in(3) ? random.bits() : random.once_in(2) ? ~0ull : 1;
    if (offset >= SELECT(0) && offset < SELECT(16))
        return events[random.below(std::size(events))] | (random.once_in(6) ? 0 : ON);
    // Not far below 2^W.
    return all_ones(config.width) - random.below(random.once_in(2) ? 40 : 900);
}

Access any_access(Random &random, const cs_uncore_config &config)
{
    Access a;

    a.write = !random.once_in(3);
    a.offset = any_offset(random, config);
    a.data = any_data(random, config, a.offset);
    a.wide = !random.once_in(3);
    if (!a.wide && random.once_in(2)) {
        a.offset += 4;
        a.data >>= 32;
    }
    if (random.once_in(40))
        a.offset += static_cast<uint32_t>(random.below(8));
    return a;
}

// The cycle of the next overflow, if nobody comes.
cs_cycle next_overflow(Reference reference)
{
    for (; reference.now() < kCycles; reference.edge())
        if (reference.met().overflow)
            return reference.now() - 1;
    return CS_NEVER;
}

cs_cycle next_level(Reference reference)
{
    const bool level = reference.irq();

    for (; reference.now() <= kCycles; reference.edge())
        if (reference.irq() != level)
            return reference.now();
    return CS_NEVER;
}

struct Seen {
    unsigned overflow, cleared_and_set, dropped_overflow, freeze_against_en, freeze,
        half_of_counting, reset_drops, levels, aimed, nexts;

    void add(const Reference::Met &met)
    {
        overflow += met.overflow;
        cleared_and_set += met.cleared_and_set;
        dropped_overflow += met.dropped_overflow;
        freeze_against_en += met.freeze_against_en;
        freeze += met.freeze;
        half_of_counting += met.half_of_counting;
        reset_drops += met.reset_drops;
    }
};

class Program
{
  public:
    Program(uint64_t seed, Seen &seen)
        : random_(seed), seen_(seen), config_(any_straps(random_)), streams_(any_streams(random_)),
          model_(config_, streams_),
          reference_(config_.counters, config_.width, config_.id, &streams_)
    {
    }

    void run()
    {
        set_up();
        while (reference_.now() < kCycles - 50 && !testing::Test::HasFatalFailure())
            step();
        for (unsigned n = 0; n < config_.counters && !testing::Test::HasFatalFailure(); n++)
            access({false, true, COUNT(n), 0}, reference_.now());
        compare_levels();
    }

  private:
    void set_up()
    {
        for (unsigned n = 0; n < config_.counters; n++) {
            for (uint32_t offset : {COUNT(n), SELECT(n)})
                access({true, true, offset, any_data(random_, config_, offset)}, reference_.now());
        }
        access({true, true, IE, any_data(random_, config_, IE)}, reference_.now());
        access({true, true, CTL, EN | any_data(random_, config_, CTL)}, reference_.now());
    }

    void step()
    {
        cs_cycle e = reference_.now() + random_.below(random_.once_in(4) ? 90 : 6);
        if (random_.once_in(3)) {
            const cs_cycle overflow = next_overflow(reference_);
            if (overflow < kCycles - 60) {
                e = std::max(reference_.now(),
                             overflow + (random_.once_in(2) ? 0 : random_.below(4) - 1));
                seen_.aimed++;
            }
        }
        if (random_.once_in(8)) {
            seen_.nexts++;
            cs_uncore_advance(model_(), reference_.now());
            ASSERT_EQ(next_level(reference_), cs_uncore_next(model_()));
        }
        if (random_.once_in(4)) {
            run_to(e);
            cs_uncore_advance(model_(), e);
            ASSERT_EQ(reference_.irq(), cs_uncore_irq(model_()));
            ASSERT_EQ(e, cs_uncore_now(model_()));
        }
        if (random_.once_in(150)) {
            reset(e);
            return;
        }
        access(any_access(random_, config_), e);
    }

    // Executes the cycles below `to`.
    void run_to(cs_cycle to)
    {
        while (reference_.now() < to)
            edge(nullptr);
    }
    void edge(const Access *a)
    {
        reference_.edge(a);
        seen_.add(reference_.met());
        look();
    }
    void look()
    {
        if (reference_.irq() != level_) {
            level_ = reference_.irq();
            levels_.emplace_back(reference_.now(), level_);
            seen_.levels++;
        }
    }

    void access(const Access &a, cs_cycle e)
    {
        run_to(e);
        if (a.write) {
            ASSERT_EQ(Reference::is_error(a),
                      cs_uncore_write(model_(), e, a.offset, a.wide, a.data) != CS_BUS_OKAY);
        } else {
            uint64_t data = ~0ull;
            ASSERT_EQ(Reference::is_error(a),
                      cs_uncore_read(model_(), e, a.offset, a.wide, &data) != CS_BUS_OKAY);
            ASSERT_EQ(reference_.read(a), data)
                << std::hex << "offset " << a.offset << std::dec << " cycle " << e << " counters "
                << config_.counters << " width " << config_.width;
        }
        edge(&a);
        if (a.write) {
            ASSERT_EQ(reference_.irq(), cs_uncore_irq(model_())) << "cycle " << e + 1;
        }
    }

    // A reset in a cycle that nobody has come to: the line of that cycle is 0.
    void reset(cs_cycle e)
    {
        e = std::max(e, reference_.now() + 1);
        run_to(e - 1);
        reference_.reset(e);
        look();
        cs_uncore_reset(model_(), e);
        ASSERT_FALSE(cs_uncore_irq(model_()));
    }

    void compare_levels()
    {
        std::vector<std::pair<cs_cycle, bool>> found;

        cs_uncore_advance(model_(), reference_.now());
        for (const cs_probe_record &r : model_.records) {
            EXPECT_EQ(CS_PROBE_IRQ, r.kind);
            EXPECT_EQ(UNIT, r.source);
            found.emplace_back(r.cycle, r.value != 0);
        }
        EXPECT_EQ(levels_, found);
    }

    Random random_;
    Seen &seen_;
    cs_uncore_config config_;
    Streams streams_;
    Model model_;
    Reference reference_;
    bool level_ = false;
    std::vector<std::pair<cs_cycle, bool>> levels_;
};

TEST(UncoreRandom, AgainstACycleByCycleReference)
{
    Seen seen = {};

    for (uint64_t seed = 1; seed <= kPrograms; seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Program(seed, seen).run();
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(seen.overflow, 20000u);
    EXPECT_GT(seen.freeze, 5000u);
    EXPECT_GT(seen.levels, 5000u);
    EXPECT_GT(seen.cleared_and_set, 500u);
    EXPECT_GT(seen.dropped_overflow, 200u);
    EXPECT_GT(seen.reset_drops, 100u);
    EXPECT_GT(seen.freeze_against_en, 150u);
    EXPECT_GT(seen.half_of_counting, 1000u);
    EXPECT_GT(seen.nexts, 5000u);
    RecordProperty("overflows", static_cast<int>(seen.overflow));
}

} // namespace
