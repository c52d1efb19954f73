// SPDX-License-Identifier: Apache-2.0
// Random programs: the model against the reference that goes cycle by cycle. Many accesses are aimed
// at the cycle of a wrap, and IDs are of few kinds, so that filters hit.
#include <algorithm>
#include <random>

#include "unit.hpp"

namespace
{

constexpr unsigned kPrograms = 1500;
constexpr cs_cycle kCycles = 600;

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

// IDs near to each other.
uint32_t any_id(Random &random)
{
    static constexpr uint32_t ids[] = {0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0xfffff};
    return ids[random.below(std::size(ids))];
}

Record any_record(Random &random)
{
    Record r;
    const bool dense = random.once_in(2);

    for (unsigned event = 1; event <= 8; event++)
        if (dense || random.once_in(3))
            r.inc[event] = static_cast<uint8_t>(random.below(16));
    r.did = random.once_in(8) ? 0xffffff : any_id(random);
    r.pid = any_id(random);
    r.gscid = any_id(random) & 0xffff;
    r.pscid = any_id(random);
    r.pv = random.once_in(2);
    r.gscv = random.once_in(2);
    r.pscv = random.once_in(2);
    return r;
}

Traffic any_traffic(Random &random)
{
    Traffic traffic(kCycles);
    const unsigned most = static_cast<unsigned>(1 + random.below(4));

    for (auto &records : traffic)
        for (uint64_t i = random.below(most + 1); i > 0; i--)
            records.push_back(any_record(random));
    return traffic;
}

uint64_t any_evt(Random &random)
{
    uint64_t evt = random.once_in(12) ? random.bits() & 0x7fff : 1 + random.below(8);

    for (const uint64_t bit : {DMASK, PV, DV, IDT, OF})
        if (random.once_in(3))
            evt |= bit;
    return evt | process(any_id(random)) | device(random.once_in(6) ? 0xffffff : any_id(random));
}

// A counter that will wrap soon.
uint64_t any_count(Random &random, unsigned width)
{
    const uint64_t top = ~0ull >> (64 - width), back = random.below(random.once_in(3) ? 500 : 60);

    return random.once_in(6) ? random.bits() : top - back;
}

Access any_access(Random &random, unsigned counters, unsigned width)
{
    const unsigned n = static_cast<unsigned>(random.below(counters + (random.once_in(20) ? 2 : 1)));
    Access a;

    a.write = !random.once_in(3);
    a.wide = !random.once_in(3);
    switch (random.below(10)) {
    case 0:
    case 1:
        a.offset = IPSR;
        break;
    case 2:
        a.offset = IOCOUNTOVF;
        break;
    case 3:
        a.offset = IOCOUNTINH;
        a.data = random.once_in(2) ? 0 : 1ull << random.below(32);
        break;
    case 4:
    case 5:
    case 6:
        a.offset = CTR(n);
        a.data = any_count(random, n == 0 && width == 64 ? 63 : width);
        break;
    case 7:
    case 8:
        a.offset = EVT(std::max(n, 1u));
        a.data = any_evt(random);
        break;
    default:
        a.offset = static_cast<uint32_t>(random.below(random.once_in(2) ? 0x300 : 0x1000));
    }
    if (a.offset == IPSR)
        a.data = random.once_in(4) ? random.bits() : PMIP;
    if (a.offset < CYCLES && !random.once_in(10))
        a.wide = false;
    if (!a.wide && a.offset >= CYCLES && random.once_in(2)) {
        a.offset += 4;
        a.data >>= 32;
    }
    return a;
}

// The model behind the traffic.
class Model
{
  public:
    std::vector<std::pair<cs_cycle, uint64_t>> levels;

    Model(unsigned counters, unsigned width, const Traffic &traffic) : traffic_(traffic)
    {
        const cs_iommu_hpm_config config = {counters, width, UNIT};
        sink_ = {[](void *ctx, const cs_probe_record *record) {
                     static_cast<Model *>(ctx)->levels.emplace_back(record->cycle, record->value);
                 },
                 this, false, nullptr};
        const cs_iommu_hpm_env env = {sum, this, &sink_};
        EXPECT_EQ(CS_OK, cs_iommu_hpm_create(&config, &env, &iommu_, nullptr));
    }
    Model(const Model &) = delete;
    Model &operator=(const Model &) = delete;
    ~Model()
    {
        cs_iommu_hpm_destroy(iommu_);
    }
    cs_iommu_hpm *operator()()
    {
        return iommu_;
    }

  private:
    static uint64_t sum(void *ctx, uint64_t evt, cs_cycle from, cs_cycle to)
    {
        const Traffic &traffic = static_cast<Model *>(ctx)->traffic_;
        uint64_t total = 0;

        for (cs_cycle t = from; t < to && t < traffic.size(); t++)
            for (const Record &record : traffic[t]) {
                const cs_iommu_hpm_ids ids = ids_of(record);
                if (cs_iommu_hpm_fits(evt, &ids))
                    total += record.inc[cs_iommu_hpm_event(evt)];
            }
        return total;
    }

    const Traffic &traffic_;
    cs_probe_sink sink_ = {};
    cs_iommu_hpm *iommu_ = nullptr;
};

struct Seen {
    unsigned wraps = 0, with_of = 0, cleared_and_set = 0, dropped = 0, evt = 0, halves = 0,
             lines = 0;

    void add(const Reference::Met &met)
    {
        wraps += met.wrap;
        with_of += met.wrap_with_of;
        cleared_and_set += met.cleared_and_set;
        dropped += met.dropped_wrap;
        evt += met.evt_against_wrap;
        halves += met.half_of_counting;
    }
};

// One access of the program, of the model and of the reference.
void compare_access(Model &model, Reference &reference, const Access &a, uint64_t seed)
{
    const cs_cycle t = reference.now();
    const cs_bus_resp expected = Reference::is_error(a) ? CS_BUS_SLVERR : CS_BUS_OKAY;
    uint64_t data = 0;

    if (a.write) {
        ASSERT_EQ(expected, cs_iommu_hpm_write(model(), t, a.offset, a.wide, a.data)) << seed;
    } else {
        ASSERT_EQ(expected, cs_iommu_hpm_read(model(), t, a.offset, a.wide, &data)) << seed;
        ASSERT_EQ(reference.read(a), data)
            << "seed " << seed << ", cycle " << t << ", offset " << std::hex << a.offset;
    }
}

void run_program(uint64_t seed, Seen &seen)
{
    Random random(seed);
    static constexpr unsigned widths[] = {32, 32, 33, 40, 48, 63, 64, 64};
    const unsigned counters = static_cast<unsigned>(1 + random.below(random.once_in(4) ? 31 : 4)),
                   width = widths[random.below(std::size(widths))];
    const Traffic traffic = any_traffic(random);
    Model model(counters, width, traffic);
    Reference reference(counters, width, &traffic);
    std::vector<std::pair<cs_cycle, uint64_t>> levels;
    bool level = false;

    while (reference.now() < kCycles) {
        Access a = any_access(random, counters, width);
        bool near = false;

        for (unsigned n = 0; n <= counters; n++)
            near |= reference.room(n) < 30;
        const bool accesses = random.once_in(near ? 2 : 4);
        if (accesses)
            compare_access(model, reference, a, seed);
        if (testing::Test::HasFatalFailure())
            return;
        reference.edge(accesses ? &a : nullptr);
        seen.add(reference.met());
        if (random.once_in(200)) {
            const cs_cycle t = reference.now() + random.below(3);
            while (reference.now() < t) {
                if (reference.irq() != level)
                    levels.emplace_back(reference.now(), level = !level);
                reference.edge();
            }
            // What would be seen first in its cycle is not.
            reference.reset(t);
            cs_iommu_hpm_reset(model(), t);
        }
        if (reference.irq() != level)
            levels.emplace_back(reference.now(), level = !level);
    }
    cs_iommu_hpm_advance(model(), reference.now());
    seen.lines += static_cast<unsigned>(levels.size());
    // A line that a reset hides in the cycle in which it rises makes no record, or two.
    std::vector<std::pair<cs_cycle, uint64_t>> told;
    for (const auto &change : model.levels) {
        if (!told.empty() && told.back().first == change.first)
            told.pop_back();
        else
            told.push_back(change);
    }
    ASSERT_EQ(levels, told) << "seed " << seed;
}

TEST(IommuHpmRandom, TheModelIsTheReference)
{
    Seen seen;

    for (uint64_t seed = 0; seed < kPrograms && !HasFatalFailure(); seed++)
        run_program(seed, seen);
    // The programs reach what they are for.
    EXPECT_GT(seen.wraps, 5 * kPrograms);
    EXPECT_GT(seen.with_of, kPrograms);
    EXPECT_GT(seen.cleared_and_set, 100u);
    EXPECT_GT(seen.dropped, 100u);
    EXPECT_GT(seen.evt, 50u);
    EXPECT_GT(seen.halves, kPrograms);
    EXPECT_GT(seen.lines, kPrograms);
}

} // namespace
