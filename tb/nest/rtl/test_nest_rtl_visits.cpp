// SPDX-License-Identifier: Apache-2.0
// docs/hw/nest.md, "Visit", SCAN to POST, "Probe records".
#include <algorithm>

#include "nest_bench.hpp"

namespace
{

std::vector<unsigned> groups_of(const std::vector<Sample> &samples, size_t from)
{
    std::vector<unsigned> list;
    for (size_t i = from; i < samples.size(); i++)
        list.push_back(samples[i].group);
    return list;
}

void to_run(Nest &nest)
{
    nest.ticks(4);
    ASSERT_EQ(nest.dut.status_o, RUN);
    nest.fresh_transfers();
}

TEST(NestRtlRing, EveryGroupInItsStates)
{
    // Alinks, which tell nothing, in turns with xlinks.
    const std::vector<unsigned> ring[8] = {{1}, {3, 6}, {1, 2}, {3, 7},
                                           {1}, {3, 4}, {1, 2}, {3, 5}};
    Nest nest(1000);
    to_run(nest);
    for (unsigned visit = 0; visit < 20; visit++) {
        SCOPED_TRACE(visit);
        size_t before = nest.samples.size();
        nest.ticks(1);
        EXPECT_EQ(groups_of(nest.samples, before), ring[visit % 8]);
    }
    nest.expect_no_complaints();
}

// Of the visits of a group, numbered from 0, those post of which the number is a multiple of d + 1.
TEST(NestRtlRing, SpeedSaysHowManyVisitsGoByInBetween)
{
    const std::vector<unsigned> ring[8] = {{1, 2}, {3, 6}, {1, 2}, {3, 7},
                                           {1, 2}, {3, 4}, {1, 2}, {3, 5}};
    for (unsigned speed = 0; speed < 12; speed++) {
        SCOPED_TRACE(speed);
        Nest nest(1000);
        nest.put(block_speed, speed);
        to_run(nest);
        unsigned visits[8] = {}, links = 0;
        for (unsigned visit = 0; visit < 8 * 7; visit++) {
            std::vector<unsigned> expected;
            for (unsigned group : ring[visit % 8])
                if (visits[group]++ % (group <= 3 ? speed + 1 : speed / 8 + 1) == 0 &&
                    (group != 2 || links++ % 2 == 1))
                    expected.push_back(group);
            size_t before = nest.samples.size();
            nest.ticks(1);
            ASSERT_EQ(groups_of(nest.samples, before), expected) << "visit " << visit;
        }
    }
}

TEST(NestRtlRing, AChangeBeginsItAnewAndLeavesDelays)
{
    Nest nest(1000);
    nest.put(block_speed, 1);
    to_run(nest);
    nest.ticks(2);                  // ring 7 is next; groups 1, 2 and 3 have a visit to wait
    nest.put(block_units, 1 << 30); // any other one
    nest.ticks(4);
    size_t before = nest.samples.size();
    nest.ticks(4); // rings 5 to 8 anew
    EXPECT_EQ(groups_of(nest.samples, before), (std::vector<unsigned>{6, 1, 2, 3, 7}));
}

std::vector<uint64_t> offsets(const std::vector<Written> &posts, uint64_t from, uint64_t to)
{
    std::vector<uint64_t> list;
    for (const Written &post : posts)
        if (post.offset >= from && post.offset < to)
            list.push_back(post.offset);
    return list;
}

TEST(NestRtlEpoch, TwoBridgesAPostingInTurn)
{
    for (unsigned speed : {0u, 8u}) {
        Nest nest(1000);
        nest.put(block_speed, speed);
        to_run(nest);
        for (unsigned posting = 0; posting < 7; posting++) {
            nest.fresh_transfers();
            nest.ticks(speed == 0 ? 8 : 16);
            uint64_t first = 0x338 + 0x40 * (posting % 3);
            EXPECT_EQ(offsets(nest.fresh_posts(), 0x330, 0x440),
                      (std::vector<uint64_t>{0x330, first, first + 0x20, 0x438}));
        }
    }
}

TEST(NestRtlEpoch, AChangeDoesNotClearIt)
{
    Nest nest(1000);
    to_run(nest);
    nest.ticks(8);
    nest.put(block_command, CLEAR);
    nest.ticks(4);
    nest.fresh_transfers();
    nest.ticks(8);
    EXPECT_EQ(offsets(nest.fresh_posts(), 0x330, 0x440),
              (std::vector<uint64_t>{0x330, 0x378, 0x398, 0x438}));
}

TEST(NestRtlEpoch, AlinksInTurnWithXlinks)
{
    Nest nest(1000);
    nest.put(block_units, ~uint64_t{0});
    to_run(nest);
    for (unsigned visit = 0; visit < 8; visit++) {
        nest.fresh_transfers();
        nest.ticks(1);
        const std::vector<Written> posts = nest.fresh_posts();
        const bool alinks = visit % 4 == 0, xlinks = visit % 4 == 2;
        EXPECT_EQ(offsets(posts, 0x110, 0x220).size(), xlinks ? 6u : 0u) << visit;
        EXPECT_EQ(offsets(posts, 0x4A8, 0x548).size(), alinks ? 2u : 0u) << visit;
        EXPECT_EQ(offsets(posts, 0x5B8, 0x658).size(), alinks ? 2u : 0u) << visit;
    }
}

TEST(NestRtlEpoch, APauseDoesNotClearIt)
{
    Nest nest(1000);
    to_run(nest);
    nest.ticks(8);
    nest.put(block_command, HALT);
    nest.ticks(1);
    nest.put(block_command, RESUME);
    nest.ticks(1);
    nest.fresh_transfers();
    nest.ticks(8);
    EXPECT_EQ(offsets(nest.fresh_posts(), 0x330, 0x440),
              (std::vector<uint64_t>{0x330, 0x378, 0x398, 0x438}));
}

// Bit n of the page is 2^(63-n).
TEST(NestRtlUnits, EveryBitAlone)
{
    const std::vector<uint64_t> always{0x000, 0x008, 0x048, 0x080, 0x0C8, 0x100, 0x108,
                                       0x110, 0x218, 0x220, 0x328, 0x330, 0x438, 0x440,
                                       0x548, 0x550, 0x658, 0x660, 0x768};
    std::map<unsigned, std::vector<uint64_t>> more{
        {9, {0x448, 0x458}},  {10, {0x460, 0x470}}, {11, {0x478, 0x488}}, {12, {0x490, 0x4A0}},
        {13, {0x558, 0x568}}, {14, {0x570, 0x580}}, {15, {0x588, 0x598}}, {16, {0x5A0, 0x5B0}},
        {25, {0x118}},        {26, {0x158}},        {27, {0x198}},        {30, {0x338}},
        {31, {0x358}},        {36, {0x1D8}},        {37, {0x6C8}},        {38, {0x708}},
        {41, {0x4A8}},        {42, {0x4E8}},        {43, {0x5B8}},        {44, {0x5F8}},
    };
    for (unsigned link = 0; link < 6; link++) // two of 0x668..
        more[45 + link] = {0x228 + 0x20 * link, 0x2E8, 0x668 + 0x20 * (link / 2)};
    for (unsigned bit = 0; bit < 64; bit++) {
        SCOPED_TRACE(bit);
        Nest nest(1000);
        nest.put(block_units, uint64_t{1} << (63 - bit));
        to_run(nest);
        nest.ticks(8);
        std::vector<uint64_t> found = offsets(nest.fresh_posts(), 0, 0x800);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        std::vector<uint64_t> expected = always;
        expected.insert(expected.end(), more[bit].begin(), more[bit].end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(found, expected);
    }
}

TEST(NestRtlDebug, Group1GoesElsewhere)
{
    Nest nest(1000);
    nest.put(block_mode, 1);
    to_run(nest);
    nest.ticks(8);
    std::vector<Written> posts = nest.fresh_posts();
    EXPECT_EQ(offsets(posts, 0x000, 0x110).size(), 0u);
    EXPECT_EQ(offsets(posts, 0x220, 0x221).size(), 4u); // the others are where they always are
    EXPECT_EQ(offsets(posts, 0x10000, 0x10001).size(), 4u);
    EXPECT_EQ(offsets(posts, 0x10108, 0x10109).size(), 4u);
    for (const Sample &sample : nest.samples)
        EXPECT_EQ(sample.group == 1, sample.addr == nest.base + 0x10000);
    EXPECT_EQ(nest.word(0x10000), 4u);
    EXPECT_EQ(nest.word(0x10108), 4u);
    EXPECT_EQ(nest.word(0), 0u);
}

TEST(NestRtlDebug, SpeedCountsThere)
{
    Nest nest(1000);
    nest.put(block_mode, 1);
    nest.put(block_speed, 2);
    to_run(nest);
    nest.ticks(24);
    const std::vector<unsigned> groups = groups_of(nest.samples, 0);
    EXPECT_EQ(std::count(groups.begin(), groups.end(), 1u), 4); // of 12 visits
}

TEST(NestRtlPosts, HeaderAndTrailerCountAlike)
{
    Nest nest(1000);
    to_run(nest);
    nest.ticks(24);
    const struct {
        uint64_t header, trailer, postings;
    } groups[] = {{0x000, 0x108, 12}, {0x110, 0x218, 6}, {0x220, 0x328, 12}, {0x330, 0x438, 3},
                  {0x440, 0x548, 3},  {0x550, 0x658, 3}, {0x660, 0x768, 3}};
    for (const auto &g : groups) {
        EXPECT_EQ(nest.word(g.header), g.postings);
        EXPECT_EQ(nest.word(g.trailer), g.postings);
    }
}

// The cycles of a visit, with a bus that does not wait: ring 7, groups 1 and 2.
TEST(NestRtlPosts, CycleByCycle)
{
    Nest nest(60);                                   // ticks wait since the first, which cleaned
    nest.put(block_units, uint64_t{1} << (63 - 36)); // nx
    nest.run_to(2000);
    std::vector<Transfer> all = nest.memory.transfers;
    size_t at = 0, headers = 0;
    while (at < all.size() && headers != 2) // of group 1; the first visit was with alinks
        headers += all[at++].addr == (nest.base | add_bit);
    at--;
    struct {
        uint64_t offset;
        unsigned count, scans; // rows that are looked at before, this one included
    } expected[] = {{0x000, 1, 1}, {0x008, 8, 1}, {0x048, 7, 1}, {0x080, 9, 1}, {0x0C8, 7, 1},
                    {0x100, 1, 1}, {0x108, 1, 1}, {0x110, 1, 1}, {0x1D8, 8, 4}, {0x218, 1, 5}};
    ASSERT_GT(all.size(), at + 10);
    uint64_t before = all[at - 1].complete + 1; // DECIDE
    for (const auto &e : expected) {
        const Transfer &t = all[at++];
        EXPECT_EQ(t.addr, (nest.base + e.offset) | add_bit);
        EXPECT_EQ(t.beats, e.count);
        // SCAN, COLLECT, POST, of which the second cycle has the request
        EXPECT_EQ(t.asked, before + e.scans + e.count + 2);
        before = t.complete;
    }
    // 45 rows more; a tick waits: IDLE, LOOK, request
    EXPECT_FALSE(all[at].write);
    EXPECT_EQ(all[at].asked, before + 45 + 3);
    ASSERT_GE(nest.samples.size(), 5u); // groups 1; 3 and 6; and these
    const Transfer &header = all[at - 10], &trailer = all[at - 4], &last = all[at - 1];
    EXPECT_EQ(nest.samples[3],
              (Sample{trailer.complete, 1, nest.base, 1, 8 * 34, 0, header.asked - 2}));
    EXPECT_EQ(nest.samples[4],
              (Sample{last.complete, 2, nest.base + 0x110, 0, 8 * 10, 0, all[at - 3].asked - 2}));
}

// After the very last row comes IDLE, without a SCAN in between.
TEST(NestRtlPosts, AfterTheLastRow)
{
    Nest nest(170);
    to_run(nest);
    nest.run_to(170 * 40);
    std::vector<Transfer> all = nest.memory.transfers;
    bool met = false;
    for (size_t i = 0; i + 1 < all.size(); i++)
        if (all[i].addr == ((nest.base + 0x768) | add_bit)) {
            met = true;
            EXPECT_EQ(all[i + 1].addr, nest.base + block);
            EXPECT_EQ(all[i + 1].asked, all[i].complete + 3); // IDLE, LOOK, request
        }
    EXPECT_TRUE(met);
}

TEST(NestRtlSamples, NumberAndResponseOfTheTrailer)
{
    Nest nest(1000);
    uint64_t header = nest.base | add_bit, trailer = (nest.base + 0x108) | add_bit;
    // A failed header is lost; the trailer's second to fail.
    unsigned trailers = 0;
    nest.memory.response = [&](const Transfer &t, unsigned) {
        if (t.addr == header)
            return 2u;
        return t.addr == trailer && trailers == 1 ? 3u : 0u;
    };
    to_run(nest);
    for (unsigned n = 0; n < 4; n++, trailers++) {
        nest.ticks(2);
        std::vector<Sample> mine;
        for (const Sample &sample : nest.samples)
            if (sample.group == 1)
                mine.push_back(sample);
        ASSERT_EQ(mine.size(), n + 1);
        EXPECT_EQ(mine[n].number, n);
        EXPECT_EQ(mine[n].resp, n == 1 ? 3u : 0u);
        EXPECT_EQ(mine[n].bytes, 8u * 34);
    }
    EXPECT_EQ(nest.word(0x000), 0u);
    EXPECT_EQ(nest.word(0x108), 3u);
}

TEST(NestRtlSamples, NumbersGoOnAfterAChange)
{
    Nest nest(1000);
    to_run(nest);
    nest.ticks(8);
    nest.put(block_command, CLEAR);
    nest.ticks(4);
    size_t before = nest.samples.size();
    nest.ticks(1);
    ASSERT_EQ(nest.samples.size(), before + 1); // and alinks
    EXPECT_EQ(nest.samples[before].number, 4u);
    EXPECT_EQ(nest.word(0x000), 1u); // zeroed in between
}

} // namespace
