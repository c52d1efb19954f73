// SPDX-License-Identifier: Apache-2.0
// CTF traces: what cannot be written, and where they lie.
#include "ctf_trace.hpp"

using namespace ctf_trace;
using namespace cs_test;

namespace
{

TEST(Ctf, WhatAStreamCannotHoldIsRefusedAndNotWritten)
{
    Trace t;
    cs_ctf_stream *stream = t.open(0, 1, "cpu1");
    const auto good = values(1, "good");
    const auto changed = [&](size_t field, uint64_t number) {
        auto v = good;
        v[field].number = number;
        return v;
    };
    const struct {
        const char *what;
        unsigned event;
        uint64_t cycle;
        std::vector<cs_field_value> values;
    } cases[] = {
        {"an event that is none", 2, 10, good},
        {"a time below the last", 0, 9, good},
        {"9 bits in 8", 0, 10, changed(0, 0x100)},
        {"17 bits in 16", 0, 10, changed(1, 0x10000)},
        {"33 bits in 32", 0, 10, changed(2, UINT64_C(1) << 32)},
        {"9 bits of hex in 8", 0, 10, changed(4, 0x100)},
        {"128 in a signed byte", 0, 10, changed(6, 128)},
        {"-129 in a signed byte", 0, 10, changed(6, static_cast<uint64_t>(-129))},
        {"9 bits of an enumeration", 0, 10, changed(8, 0x100)},
        {"no text", 0, 10, values(1, nullptr)},
    };

    ASSERT_EQ(cs_ctf_put(stream, 0, 10, good.data()), CS_OK);
    for (const auto &c : cases)
        EXPECT_EQ(cs_ctf_put(stream, c.event, c.cycle, c.values.data()), CS_ERR_RANGE) << c.what;
    ASSERT_EQ(cs_ctf_put(stream, 0, 10, good.data()), CS_OK);

    EXPECT_EQ(t.read().size(), 2u);
}

TEST(Ctf, TablesThatSayNonsenseAreRefused)
{
    static const cs_field_label twice[] = {{1, "a"}, {1, "b"}};
    static const cs_field_label wide[] = {{256, "wide"}};
    static const cs_field_label unnamed[] = {{1, nullptr}};
    static const cs_field fields[][2] = {
        {{"a b", CS_FIELD_DECIMAL, 8, nullptr, 0}, {}},
        {{"", CS_FIELD_DECIMAL, 8, nullptr, 0}, {}},
        {{nullptr, CS_FIELD_DECIMAL, 8, nullptr, 0}, {}},
        {{"x", CS_FIELD_DECIMAL, 8, nullptr, 0}, {"x", CS_FIELD_TEXT, 8, nullptr, 0}},
        {{"x", CS_FIELD_DECIMAL, 12, nullptr, 0}, {}},
        {{"x", CS_FIELD_ENUM, 8, nullptr, 0}, {}},
        {{"x", CS_FIELD_ENUM, 8, twice, 2}, {}},
        {{"x", CS_FIELD_ENUM, 8, wide, 1}, {}},
        {{"x", CS_FIELD_ENUM, 8, unnamed, 1}, {}},
    };
    static const cs_ctf_event_class events[] = {
        {"e", fields[0], 1}, {"e", fields[1], 1}, {"e", fields[2], 1},   {"e", fields[3], 2},
        {"e", fields[4], 1}, {"e", fields[5], 1}, {"e", fields[6], 1},   {"e", fields[7], 1},
        {"e", fields[8], 1}, {"e", kFields, 0},   {nullptr, kFields, 1}, {"e", kFields, 33},
    };
    static const char *const texts[] = {"not an identifier",
                                        "not an identifier",
                                        "not an identifier",
                                        "two fields are called x",
                                        "12 bits, expected 8, 16, 32 or 64",
                                        "without a name for any value",
                                        "a and b are one value",
                                        "wide does not fit into 8 bits",
                                        "without a name",
                                        "0 fields, expected 1..32",
                                        "an event without a name",
                                        "33 fields, expected 1..32"};
    static const cs_ctf_fact fact[] = {{"stream", "x", 0}};
    std::vector<std::pair<cs_ctf_config, std::string>> cases;
    std::deque<cs_ctf_stream_class> classes;
    const auto with = [&](auto change, const char *text) {
        cs_ctf_config c = config();
        change(c);
        cases.emplace_back(c, text);
    };

    for (size_t i = 0; i < std::size(events); i++) {
        classes.push_back({"cpu_id", &events[i], 1});
        with([&](cs_ctf_config &c) { c.classes = &classes.back(), c.nr_classes = 1; }, texts[i]);
    }
    classes.push_back({"event", kEvents, 1});
    with([&](cs_ctf_config &c) { c.classes = &classes.back(), c.nr_classes = 1; }, "word of TSDL");
    classes.push_back({"cpu_id", kEvents, 0});
    with([&](cs_ctf_config &c) { c.classes = &classes.back(), c.nr_classes = 1; }, "0 events");
    with([](cs_ctf_config &c) { c.nr_classes = 0; }, "no kind of streams");
    with([](cs_ctf_config &c) { c.clock_hz = 0; }, "0 Hz");
    with([](cs_ctf_config &c) { c.clock_name = "a clock"; }, "the clock's name");
    with([](cs_ctf_config &c) { c.packet_bytes = 255; }, "packets of 255 bytes, expected 256..");
    with([](cs_ctf_config &c) { c.packet_bytes = (1u << 26) + 1; }, "packets of 67108865 bytes");
    with([](cs_ctf_config &c) { c.facts = fact, c.nr_facts = 1; }, "the name of a fact");

    for (const auto &[c, text] : cases) {
        Trace t(c);

        EXPECT_EQ(t.status, CS_ERR_RANGE) << text;
        EXPECT_EQ(t.trace, nullptr);
        EXPECT_NE(std::string(t.diag.text).find(text), std::string::npos) << t.diag.text;
        EXPECT_FALSE(t.folder.has("trace")) << text;
    }
}

TEST(Ctf, TheFolderIsTheTracesOwn)
{
    const cs_ctf_config c = config();
    TempFolder folder;
    cs_ctf *trace = nullptr;
    cs_diag diag = {};
    const auto create = [&](const std::string &name) {
        diag = {};
        return cs_ctf_create(folder.file(name).c_str(), &c, &trace, &diag);
    };

    // what is in the way stays
    folder.write("file", "mine");
    std::filesystem::create_directory(folder.path() / "full");
    folder.write("full/notes", "mine");
    EXPECT_EQ(create("file"), CS_ERR_IO);
    EXPECT_EQ(std::string(diag.where), folder.file("file"));
    EXPECT_EQ(create("full"), CS_ERR_IO);
    EXPECT_NE(std::string(diag.text).find("is not empty"), std::string::npos) << diag.text;
    EXPECT_EQ(create("no/such"), CS_ERR_IO);
    EXPECT_EQ(trace, nullptr);
    EXPECT_EQ(folder.tree(), (std::set<std::string>{"file", "full", "full/notes"}));

    // an empty folder is taken, and stays when the trace is given up
    std::filesystem::create_directory(folder.path() / "empty");
    ASSERT_EQ(create("empty"), CS_OK) << diag.text;
    cs_ctf_stream *stream = nullptr;
    ASSERT_EQ(cs_ctf_open(trace, 0, 0, "a", &stream, &diag), CS_OK);
    cs_ctf_abandon(trace);
    EXPECT_EQ(folder.tree("empty"), (std::set<std::string>{}));
    EXPECT_TRUE(folder.has("empty"));

    // one that was made goes
    ASSERT_EQ(create("made"), CS_OK);
    ASSERT_EQ(cs_ctf_open(trace, 0, 0, "a", &stream, &diag), CS_OK);
    cs_ctf_abandon(trace);
    EXPECT_FALSE(folder.has("made"));
}

TEST(Ctf, NamesOfStreamsAreFilesOfTheFolder)
{
    Trace t;
    cs_ctf_stream *stream = nullptr;
    t.open(0, 0, "A-z_0.9");

    for (const char *name :
         {"", ".", "..", ".hidden", "metadata", "a/b", "../a", "a b", "\xc3\xa4"}) {
        EXPECT_EQ(cs_ctf_open(t.trace, 0, 0, name, &stream, &t.diag), CS_ERR_RANGE) << name;
        EXPECT_EQ(stream, nullptr);
    }
    EXPECT_EQ(cs_ctf_open(t.trace, 2, 0, "b", &stream, &t.diag), CS_ERR_RANGE);
    EXPECT_NE(std::string(t.diag.text).find("there are 2"), std::string::npos) << t.diag.text;
    EXPECT_EQ(cs_ctf_open(t.trace, 0, 0, "A-z_0.9", &stream, &t.diag), CS_ERR_IO) << "twice";
    EXPECT_TRUE(t.read().empty());
}

// An event that is larger than a packet should be has a packet of its own; none is empty.
TEST(Ctf, LargeEventsHaveLargePackets)
{
    cs_ctf_config c = config();
    c.packet_bytes = 256;
    Trace t(c);
    cs_ctf_stream *stream = t.open(0, 0, "cpu0");
    const std::string text(5000, 'x');

    for (uint64_t cycle = 1; cycle <= 2; cycle++)
        ASSERT_EQ(cs_ctf_put(stream, 0, cycle, values(1, text.c_str()).data()), CS_OK);
    EXPECT_EQ(t.read().size(), 2u);

    const std::string bytes = file_text(t.path + "/cpu0");
    unsigned packets = 0;
    for (size_t at = 0; (at = bytes.find("\xc1\x1f\xfc\xc1", at)) != std::string::npos; at++)
        packets++;
    EXPECT_EQ(packets, 2u);
}

TEST(Ctf, AFullDiskIsToldWithItsFile)
{
    in_child([] {
        // given: no file may be longer than 8 KiB
        Trace t;
        cs_ctf_stream *stream = t.open(0, 0, "cpu0");
        const rlimit limit = {8192, 8192};
        cs_status status = CS_OK;
        unsigned good = 0;

        std::signal(SIGXFSZ, SIG_IGN);
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);

        // when
        for (uint64_t i = 0; i < 100000 && status == CS_OK; i++) {
            status = cs_ctf_put(stream, 1, i, values(1, "").data());
            good += status == CS_OK;
        }

        // then
        EXPECT_EQ(status, CS_ERR_IO);
        EXPECT_GT(good, 1000u) << "a packet is kept until it is full";
        EXPECT_EQ(cs_ctf_put(stream, 1, 1000000, values(1, "").data()), CS_ERR_IO);
        EXPECT_EQ(t.close(), CS_ERR_IO);
        EXPECT_EQ(std::string(t.diag.where), t.path + "/cpu0");
        EXPECT_NE(std::string(t.diag.text).find(strerror(EFBIG)), std::string::npos) << t.diag.text;
    });
}

} // namespace
