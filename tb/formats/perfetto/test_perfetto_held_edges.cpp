// SPDX-License-Identifier: Apache-2.0
// What the reader of Perfetto's protocol buffers counts of what it holds: texts that grow, tables.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "formats/perfetto/read/impl.h"
#include "support/proto.hpp"

using namespace cs_test;

namespace
{

// A packet at a time, made when the last one is read.
struct Packets {
    std::function<std::string(uint64_t nr)> make;
    uint64_t nr = 0;
    std::string left;
    size_t at = 0;

    static cs_status read(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
    {
        auto *packets = static_cast<Packets *>(ctx);

        for (*got = 0; *got < bytes;) {
            if (packets->at == packets->left.size()) {
                packets->left = packets->make(packets->nr++);
                packets->at = 0;
                if (packets->left.empty())
                    break;
            }
            const size_t part =
                packets->left.copy(reinterpret_cast<char *>(out) + *got, bytes - *got, packets->at);
            packets->at += part;
            *got += part;
        }
        return CS_OK;
    }
};

constexpr size_t kMiB = 1u << 20;
const char *const kFull = ": found more than 268435456 bytes of names, tracks and sequences";

} // namespace

// A name that is more than twice as long as the last one takes what it needs, not twice the last.
TEST(PerfettoHeldEdges, ATextThatGrowsFarIsCountedWhole)
{
    const auto named = [](size_t bytes) {
        return packet(num(8, 1) + sub(11, num(9, 3) + sub(23, std::string(bytes, 'n'))));
    };
    const auto interned = [](uint64_t iid, size_t bytes) {
        return packet(
            sub(12, sub(2, num(1, static_cast<int64_t>(iid)) + sub(2, std::string(bytes, 'i')))));
    };
    Packets packets;
    const cs_byte_source source = {Packets::read, &packets};
    cs_perfettoread *reader = nullptr;
    cs_perfettoread_event *event = nullptr;
    cs_diag diag = {};

    // Given a name of 24 MiB, and others that leave 32 MiB
    packets.make = [&](uint64_t nr) {
        return nr == 0 ? named(24 * kMiB) : nr <= 4 ? interned(nr, 50 * kMiB) : named(60 * kMiB);
    };
    ASSERT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
    for (unsigned nr = 0; nr < 5; nr++)
        ASSERT_EQ(cs_perfettoread_next(reader, &event, &diag), CS_OK) << nr << ": " << diag.text;
    // When it grows by 36 MiB, then there is no room
    EXPECT_EQ(cs_perfettoread_next(reader, &event, &diag), CS_ERR_FORMAT);
    EXPECT_NE(std::string(diag.text).find(kFull), std::string::npos) << diag.text;
    cs_perfettoread_close(reader);
}

// A track is a node with two texts, and a place in the table, which has more places than nodes.
TEST(PerfettoHeldEdges, TheTableIsCounted)
{
    constexpr uint64_t kTexts = sizeof "track 999999" + 1;
    Packets packets;

    packets.make = [](uint64_t nr) {
        return packet(sub(60, num(1, static_cast<int64_t>(nr + 100000))));
    };
    const cs_byte_source source = {Packets::read, &packets};
    cs_perfettoread *reader = nullptr;
    cs_perfettoread_event *event = nullptr;
    cs_diag diag = {};
    uint64_t nr = 0;

    ASSERT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
    while (nr < CS_PERFETTOREAD_HELD / 64 && cs_perfettoread_next(reader, &event, &diag) == CS_OK)
        nr++;
    EXPECT_NE(std::string(diag.text).find(kFull), std::string::npos) << diag.text;
    EXPECT_GT(nr, 10000u);
    EXPECT_LE(nr * (sizeof(cs_pftread_track) + kTexts + sizeof(void *)), CS_PERFETTOREAD_HELD);
    cs_perfettoread_close(reader);
}
