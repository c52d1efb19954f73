// SPDX-License-Identifier: Apache-2.0
// Readers of streams, tables and profiles, with an allocation that fails: nothing is left out, and what
// could not be opened is NULL.
#include <gtest/gtest.h>

#include <string>

#include "formats/common/json_read.h"
#include "formats/ctf/read/ctf.h"
#include "formats/firefox/read/firefox.h"
#include "formats/folded/read/folded.h"
#include "formats/perfetto/read/proto.h"
#include "formats/pprof/read/pprof.h"
#include "formats/speedscope/read/speedscope.h"
#include "formats/starving.hpp"
#include "formats/table/read/table.h"
#include "support/temp_folder.hpp"

// Sanitizers have an allocator of their own.
#ifndef __SANITIZE_ADDRESS__

namespace
{

using namespace cs_test;
using namespace starving;

// No stream of a trace is left out in silence.
TEST(NoMemoryOpens, IsToldOfEveryStream)
{
    TempFolder temp;
    const std::string path = temp.path().string();

    temp.write("metadata",
               "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; stream { };\n"
               "event { name = e; id = 0; fields := struct { integer { size = 8; } n; }; };\n");
    temp.write("a", "12");
    temp.write("b", "3");
    const auto read = [&](unsigned &events) {
        cs_ctfread *reader = nullptr;
        cs_ctfread_event event;
        bool there = false;
        cs_status status = cs_ctfread_open(path.c_str(), &reader, nullptr);

        events = 0;
        while (status == CS_OK &&
               (status = cs_ctfread_next(reader, &event, &there, nullptr)) == CS_OK && there)
            events++;
        cs_ctfread_close(reader);
        return status;
    };
    unsigned events = 0;
    const auto body = [&] { return read(events); };

    ASSERT_EQ(starve(kNever, body), CS_OK);
    EXPECT_EQ(events, 3u);
    const unsigned long most = allocations;
    for (unsigned long at = 1; at <= most; at++)
        if (starve(at, body) == CS_OK) {
            EXPECT_EQ(events, 3u) << "allocation " << at;
        }
}

// What could not be opened is NULL.
TEST(NoMemoryOpens, OpensNothing)
{
    const cs_byte_source source = {nullptr, nullptr}; // nobody comes to read
    int kept = 0;
    const auto open = [&](auto *reader, auto how) {
        reader = reinterpret_cast<decltype(reader)>(&kept);
        EXPECT_EQ(starve(1, [&] { return how(&reader); }), CS_ERR_NO_MEMORY);
        return reader == nullptr;
    };

    EXPECT_TRUE(open(static_cast<cs_json *>(nullptr), [&](cs_json **out) {
        return cs_json_open(&source, "t", false, out, nullptr);
    }));
    EXPECT_TRUE(open(static_cast<cs_tableread *>(nullptr), [&](cs_tableread **out) {
        return cs_tableread_open(&source, "t", CS_TABLE_JSON, out, nullptr);
    }));
    EXPECT_TRUE(open(static_cast<cs_ctfread *>(nullptr),
                     [&](cs_ctfread **out) { return cs_ctfread_open("/", out, nullptr); }));
    EXPECT_TRUE(open(static_cast<cs_perfettoread *>(nullptr), [&](cs_perfettoread **out) {
        return cs_perfettoread_open(&source, "t", out, nullptr);
    }));
    for (const cs_profileread_class *profile :
         {&cs_foldedread, &cs_firefoxread, &cs_pprofread, &cs_speedscoperead})
        EXPECT_TRUE(open(static_cast<void *>(nullptr),
                         [&](void **out) { return profile->open(&source, "t", out, nullptr); }));
}

} // namespace

#endif
