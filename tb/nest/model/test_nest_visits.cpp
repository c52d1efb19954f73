// SPDX-License-Identifier: Apache-2.0
// Visits: which groups and rows are posted, where, when, and what is told of it.
#include <algorithm>
#include <set>

#include "reference.hpp"
#include "steady.hpp"

namespace
{

using Groups = std::vector<unsigned>;
using Places = std::vector<uint64_t>;

// Tick of the n-th visit, from 0 on.
constexpr unsigned visit(unsigned n)
{
    return first_visit + n;
}

// The groups of the n-th visit.
Groups visited(unsigned n)
{
    const Groups ring[] = {{1, 2}, {3, 6}, {1, 2}, {3, 7}, {1, 2}, {3, 4}, {1, 2}, {3, 5}};
    return ring[n % 8];
}

// What has been posted of a group before says what is posted now.
struct Epochs {
    unsigned postings[8] = {};

    int of(unsigned group) const
    {
        return group == 2   ? static_cast<int>(postings[2] % 2)
               : group == 4 ? static_cast<int>(postings[4] % 3)
                            : -1;
    }
    // The rows of groups, by the table; all units. They are posted.
    Places post(const Groups &groups)
    {
        Places result;
        for (unsigned group : groups) {
            for (const Row &row : row_table())
                if (row.group == group && (row.epoch < 0 || row.epoch == of(group)))
                    result.push_back(row.offset);
            postings[group]++;
        }
        return result;
    }
    // Those of which a record is told when they are posted.
    Groups told(const Groups &groups) const
    {
        Groups result;
        for (unsigned group : groups)
            if (group != 2 || of(2) == 1)
                result.push_back(group);
        return result;
    }
};

// The table that the model carries is the one that people read.
TEST(NestVisits, TheTable)
{
    unsigned counters = 0;
    for (const Row &row : row_table()) {
        counters += row.kind == "counters" ? row.count : 0;
        EXPECT_LE(row.count, 9u);
        EXPECT_LE(row.offset + 8 * row.count, 0x770u);
    }
    EXPECT_EQ(62u, row_table().size());
    EXPECT_EQ(205u, counters);
}

TEST(NestVisits, Ring)
{
    Steady b;
    b.world.control(units_word) = ~uint64_t{0};
    b.ticks(visit(15));

    Epochs epochs;
    for (unsigned n = 0; n < 16; n++) {
        EXPECT_EQ(epochs.told(visited(n)), b.groups(visit(n))) << n;
        EXPECT_EQ(epochs.post(visited(n)), b.places(visit(n))) << n;
    }
}

// The alinks first, without header and trailer, then xlinks and NX: each every fourth tick.
TEST(NestVisits, AlinksInTurnWithXlinks)
{
    Steady b;
    b.world.control(units_word) = ~uint64_t{0};
    b.ticks(visit(7));

    const Places alinks = {0x4A8, 0x4E8, 0x5B8, 0x5F8};
    const Places others = {0x110, 0x118, 0x158, 0x198, 0x1D8, 0x218};
    for (unsigned n = 0; n < 8; n += 2) {
        const Places places = b.places(visit(n));
        const Places expected = n % 4 == 0 ? alinks : others;
        ASSERT_GT(places.size(), expected.size());
        EXPECT_EQ(expected, Places(places.end() - static_cast<long>(expected.size()), places.end()))
            << n;
    }
}

// Group 4 is three groups in turn.
TEST(NestVisits, Epochs)
{
    Steady b;
    b.world.control(units_word) = ~uint64_t{0};
    b.ticks(visit(8 * 6));

    for (unsigned n = 0; n < 6; n++) {
        const Places places = b.places(visit(8 * n + 5));
        const uint64_t first = 0x338 + 0x40 * (n % 3);
        const Places group_4 = {0x330, first, first + 0x20, 0x438};
        EXPECT_EQ(group_4, Places(places.end() - 4, places.end())) << n;
    }
}

struct SpeedCase {
    unsigned speed;
    unsigned every[8]; // which visit of each group posts
};

TEST(NestVisits, Speed)
{
    const SpeedCase cases[] = {{1, {0, 2, 2, 2, 1, 1, 1, 1}},
                               {3, {0, 4, 4, 4, 1, 1, 1, 1}},
                               {7, {0, 8, 8, 8, 1, 1, 1, 1}},
                               {8, {0, 9, 9, 9, 2, 2, 2, 2}},
                               {11, {0, 12, 12, 12, 2, 2, 2, 2}}};

    for (const SpeedCase &c : cases) {
        Steady b;
        b.world.control(speed_word) = c.speed;
        b.world.control(units_word) = ~uint64_t{0};
        b.ticks(visit(8 * 26));
        unsigned visits[8] = {};
        Epochs epochs;
        for (unsigned n = 0; n < 8 * 26; n++) {
            Groups groups;
            for (unsigned group : visited(n)) // the first visit posts
                if (visits[group]++ % c.every[group] == 0)
                    groups.push_back(group);
            ASSERT_EQ(epochs.told(groups), b.groups(visit(n)))
                << "speed " << c.speed << ", visit " << n;
            // The epoch goes on when a group is posted, not when it is visited.
            ASSERT_EQ(epochs.post(groups), b.places(visit(n)));
        }
    }
}

// Every bit of the vector alone, for all states and epochs.
TEST(NestVisits, Availability)
{
    std::set<unsigned> used;

    for (unsigned bit = 0; bit < 64; bit++) {
        Steady b;
        std::set<uint64_t> expected, found;

        b.world.control(units_word) = uint64_t{1} << (63 - bit);
        b.ticks(visit(23));
        for (unsigned n = 0; n < 24; n++)
            for (uint64_t place : b.places(visit(n)))
                found.insert(place);
        for (const Row &row : row_table()) {
            const bool named = std::count(row.units.begin(), row.units.end(), bit) != 0;
            if (named)
                used.insert(bit);
            if (named || row.units.empty())
                expected.insert(row.offset);
        }
        EXPECT_EQ(expected, found) << "bit " << bit;
    }
    EXPECT_EQ(30u, used.size()); // group 1 asks for none
}

// The default vector, as the page gives it: bits 0..16, 25..27, 30..35 and so on.
TEST(NestVisits, DefaultVector)
{
    Steady b;
    std::set<uint64_t> found;

    b.ticks(visit(23));
    for (unsigned n = 0; n < 24; n++)
        for (uint64_t place : b.places(visit(n)))
            found.insert(place);
    EXPECT_TRUE(found.count(0x2E8));  // bits 45..50
    EXPECT_TRUE(found.count(0x118));  // bit 25
    EXPECT_FALSE(found.count(0x1D8)); // bit 36
    EXPECT_FALSE(found.count(0x6C8)); // bit 37
    EXPECT_FALSE(found.count(0x5B8)); // bit 43
}

// A row whose units are not there takes a cycle; the burst's timing, beat by beat.
TEST(NestVisits, Times)
{
    Steady b;
    // Of groups 1 and 2: the first, which is always there.
    b.world.control(units_word) = 0x8000000000000000;
    b.ticks(visit(2));

    const struct {
        uint64_t place;
        unsigned count;
        unsigned skipped; // rows before it that are not carried out
    } rows[] = {{0x000, 1, 0}, {0x008, 8, 0}, {0x048, 7, 0}, {0x080, 9, 0}, {0x0c8, 7, 0},
                {0x100, 1, 0}, {0x108, 1, 0}, {0x110, 1, 0}, {0x218, 1, 8}};
    const std::vector<Transfer> work = b.work(visit(2));
    ASSERT_EQ(std::size(rows), work.size());
    cs_cycle scan = Steady::decide(visit(2)) + 1;
    std::vector<cs_cycle> collects;
    for (size_t i = 0; i < work.size(); i++) {
        const cs_cycle collect = scan + rows[i].skipped + 1;
        collects.push_back(collect);
        EXPECT_EQ(collect + rows[i].count + 1, work[i].request) << i;
        EXPECT_EQ(b.world.base + rows[i].place + add_bit, work[i].addr);
        EXPECT_EQ(rows[i].count, work[i].data.size());
        scan = work[i].complete + 1;
    }

    cs_probe_record first = {};
    first.cycle = work[6].complete;
    first.kind = CS_PROBE_SAMPLE;
    first.source = nest_unit;
    first.index = 1;
    first.addr = b.world.base;
    first.value = 1;
    first.request = collects[0];
    first.bytes = 8 * (1 + 8 + 7 + 9 + 7 + 1 + 1);
    cs_probe_record second = first;
    second.cycle = work[8].complete;
    second.index = 2;
    second.value = 0;
    second.addr = b.world.base + 0x110;
    second.request = collects[7];
    second.bytes = 16;
    std::vector<cs_probe_record> samples = b.samples();
    samples.erase(samples.begin(), samples.end() - 2);
    EXPECT_EQ((std::vector<cs_probe_record>{first, second}), samples);
}

// After the last row comes IDLE, in the next cycle: 45 rows and the trailer after group 2's alinks,
// 45 after its trailer, none after that of group 7.
TEST(NestVisits, End)
{
    Bench b(16); // a tick waits always
    b.world.control(units_word) = ~uint64_t{0};
    b.world.min_latency = b.world.max_latency = 3;
    b.run(20'000);

    unsigned seen = 0;
    for (size_t i = 0; i + 1 < b.world.log.size(); i++) {
        const Transfer &last = b.world.log[i];
        const Transfer &look = b.world.log[i + 1];
        if (!(last.addr & add_bit) || look.write)
            continue;
        const uint64_t place = (last.addr & ~add_bit) - b.world.base;
        unsigned left = 0;
        for (const Row &row : row_table())
            left = row.offset == place ? 0 : left + 1;
        // IDLE, LOOK, and its request.
        EXPECT_EQ(last.complete + 1 + left + 1 + 1, look.request);
        seen |= 1u << (place == 0x768 ? 7 : place == 0x218 ? 2 : place == 0x5F8 ? 1 : 0);
    }
    EXPECT_EQ(0x87u, seen);
}

// A visit without a row: 62 cycles of SCAN.
TEST(NestVisits, NothingToPost)
{
    Bench b(16);
    b.world.control(speed_word) = 11;
    b.world.min_latency = b.world.max_latency = 30; // so that a tick waits
    b.run(40'000);

    const auto run_at = std::find_if(b.records.begin(), b.records.end(),
                                     [](const cs_probe_record &r) { return r.value == RUN; });
    ASSERT_NE(b.records.end(), run_at);
    std::vector<Transfer> looks;
    for (const Transfer &t : b.world.log)
        if (!t.write && t.request > run_at->cycle)
            looks.push_back(t);
    ASSERT_GT(looks.size(), 14u);
    for (size_t i = 11; i < 14; i++) // after the first ring; DECIDE, SCAN, IDLE, LOOK
        EXPECT_EQ(looks[i - 1].complete + 1 + 1 + 62 + 1 + 1, looks[i].request);
}

// In mode 1 group 1 goes elsewhere, and the others where they always go.
TEST(NestVisits, Debug)
{
    Steady b;
    b.world.control(mode_word) = 1;
    b.ticks(visit(7));

    Steady plain;
    plain.ticks(visit(7));
    for (unsigned n = 0; n < 8; n++) {
        Places expected = plain.places(visit(n));
        for (uint64_t &place : expected)
            place += place < 0x110 ? 0x10000 : 0;
        EXPECT_EQ(expected, b.places(visit(n)));
        EXPECT_EQ(plain.groups(visit(n)), b.groups(visit(n)));
    }
    for (const cs_probe_record &r : b.samples())
        EXPECT_EQ(r.index == 1, r.addr == b.world.base + 0x10000);
    EXPECT_EQ(4u, b.world.word(0x10000));
    EXPECT_EQ(4u, b.world.word(0x10108));
    EXPECT_EQ(0u, b.world.word(0));
    EXPECT_EQ(4u, b.world.word(0x220));
}

// Header and trailer count the postings; numbers go on over all that happens.
TEST(NestVisits, Numbers)
{
    Steady b;
    b.ticks(visit(7));
    EXPECT_EQ(4u, b.world.word(0x000));
    EXPECT_EQ(4u, b.world.word(0x108));
    EXPECT_EQ(2u, b.world.word(0x110)); // the others were of alinks
    EXPECT_EQ(4u, b.world.word(0x220));
    for (uint32_t header : {0x330, 0x440, 0x550, 0x660})
        EXPECT_EQ(1u, b.world.word(header)) << header;

    b.before(visit(8), command_word, 3);
    b.ticks(visit(8 + 4));
    EXPECT_EQ(1u, b.world.word(0)); // zeroed, and posted once more
    std::vector<uint64_t> numbers;
    for (const cs_probe_record &r : b.samples())
        if (r.index == 1)
            numbers.push_back(r.value);
    EXPECT_EQ((std::vector<uint64_t>{0, 1, 2, 3, 4}), numbers);
}

// A change leaves delays and epochs as they are: groups 1 to 3 have to wait for a visit more.
TEST(NestVisits, ChangeLeavesDelays)
{
    Steady b;
    b.world.control(units_word) = ~uint64_t{0};
    b.world.control(speed_word) = 1;
    b.ticks(visit(1));
    EXPECT_EQ((Groups{3, 6}), b.groups(visit(1)));
    b.before(visit(2), command_word, 3);
    b.ticks(visit(2 + 4 + 3));
    EXPECT_EQ(Groups{}, b.groups(visit(2 + 4)));           // ring 5
    EXPECT_EQ(Groups{6}, b.groups(visit(2 + 4 + 1)));      // group 3 waits
    EXPECT_EQ((Groups{1, 2}), b.groups(visit(2 + 4 + 2))); // the alinks went before
    EXPECT_EQ((Groups{3, 7}), b.groups(visit(2 + 4 + 3)));
}

// A bus error in the midst loses what was to be added, and no more; the record has the response of
// the trailer alone.
TEST(NestVisits, Errors)
{
    Steady probe;
    probe.ticks(visit(2));
    const size_t posts = probe.work(visit(2)).size();
    const size_t first = probe.world.log.size() - posts;
    Steady without; // what was there before
    for (auto &increment : without.nest.increment)
        increment = [](cs_cycle) { return 15; };
    without.ticks(visit(1));

    for (size_t bad = 0; bad < posts; bad++) {
        for (uint8_t resp : {CS_BUS_SLVERR, CS_BUS_DECERR}) {
            Steady b;
            b.world.error = [&](unsigned n) { return n == first + bad ? resp : uint8_t{0}; };
            for (auto &increment : b.nest.increment)
                increment = [](cs_cycle) { return 15; };
            b.ticks(visit(2));
            EXPECT_EQ(probe.places(visit(2)), b.places(visit(2)));
            std::vector<cs_probe_record> samples = b.samples();
            ASSERT_GE(samples.size(), 2u);
            samples.erase(samples.begin(), samples.end() - 2);
            EXPECT_EQ(bad == 6 ? resp : 0, samples[0].resp);
            EXPECT_EQ(bad == posts - 1 ? resp : 0, samples[1].resp);
            for (size_t i = 0; i < posts; i++) {
                const auto place = static_cast<uint32_t>(b.places(visit(2))[i]);
                EXPECT_EQ(i != bad, b.world.word(place) != without.world.word(place)) << place;
            }
        }
    }
}

} // namespace
