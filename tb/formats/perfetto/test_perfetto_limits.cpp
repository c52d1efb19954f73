// What a reader of Perfetto's protocol buffers holds of a file has an end.
#include <gtest/gtest.h>

#include <string>

#include "formats/perfetto/read/proto.h"
#include "support/proto.hpp"

using namespace cs_test;

namespace
{

// Tracks without end, a packet each.
struct Tracks {
    uint64_t uuid = 0;
    std::string left;

    static cs_status read(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *)
    {
        auto *tracks = static_cast<Tracks *>(ctx);

        while (tracks->left.size() < bytes)
            tracks->left += packet(sub(60, num(1, static_cast<int64_t>(++tracks->uuid))));
        *got = tracks->left.copy(reinterpret_cast<char *>(out), bytes);
        tracks->left.erase(0, bytes);
        return CS_OK;
    }
};

} // namespace

TEST(PerfettoLimits, TracksThatAreHeld)
{
    constexpr uint64_t kMost = CS_PERFETTOREAD_HELD / 64; // a track takes more
    Tracks tracks;
    const cs_byte_source source = {Tracks::read, &tracks};
    cs_perfettoread *reader = nullptr;
    cs_perfettoread_event *event = nullptr;
    cs_diag diag = {};
    uint64_t nr = 0;

    ASSERT_EQ(cs_perfettoread_open(&source, "t", &reader, nullptr), CS_OK);
    while (nr < kMost && cs_perfettoread_next(reader, &event, &diag) == CS_OK)
        nr++;
    EXPECT_GT(nr, 10000u);
    EXPECT_NE(std::string(diag.text).find("found more than 268435456 bytes of names, tracks and"),
              std::string::npos)
        << nr << " " << diag.text;
    cs_perfettoread_close(reader);
}
