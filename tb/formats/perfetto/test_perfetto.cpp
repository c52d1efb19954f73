// SPDX-License-Identifier: Apache-2.0
// Timelines as Trace Event JSON: what Python's parser and the viewers' rules make of them.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "formats/perfetto/write/json.h"
#include "support/temp_folder.hpp"
#include "support/timeline.hpp"

using namespace cs_test;

namespace
{

const cs_field_label kResponses[] = {{0, "OKAY"}, {2, "SLV\"ERR"}};
const cs_field kFields[] = {
    {"count", CS_FIELD_DECIMAL, 64, nullptr, 0}, {"addr", CS_FIELD_HEX, 64, nullptr, 0},
    {"skid", CS_FIELD_SIGNED, 64, nullptr, 0},   {"resp", CS_FIELD_ENUM, 8, kResponses, 2},
    {"text", CS_FIELD_TEXT, 0, nullptr, 0},
};

struct Timeline {
    explicit Timeline(unsigned clock_mhz = 1000)
    {
        const cs_text_sink sink = {write, this};
        const cs_perfetto_args none = {nullptr, nullptr, 0};

        EXPECT_EQ(cs_perfetto_begin(&t, &sink, clock_mhz, &none), CS_OK);
        EXPECT_EQ(cs_perfetto_name_group(&t, 1, "group", 1), CS_OK);
        EXPECT_EQ(cs_perfetto_name_track(&t, track, "track", 1), CS_OK);
    }
    std::vector<TimelineEvent> read()
    {
        EXPECT_EQ(cs_perfetto_end(&t), CS_OK);
        return timeline_read(folder.write("t.json", text), CS_SOURCE_DIR);
    }
    static cs_status write(void *ctx, const char *text, size_t bytes)
    {
        static_cast<Timeline *>(ctx)->text.append(text, bytes);
        return CS_OK;
    }

    TempFolder folder;
    std::string text;
    cs_perfetto t = {};
    const cs_perfetto_track track = {1, 11};
};

TEST(Perfetto, EveryKindOfEventIsReadAsItWasWritten)
{
    Timeline t;
    const cs_field_value values[] = {{7}, {0xabc}, {static_cast<uint64_t>(-9)}, {0}, {.text = "x"}};
    const cs_perfetto_args args = {kFields, values, 5};

    cs_perfetto_slice(&t.t, t.track, "work", 1234, 5678, &args);
    cs_perfetto_instant(&t.t, t.track, "event", 1300, nullptr);
    cs_perfetto_counter(&t.t, 1, "load", "percent", 1400, 12.5);
    const auto events = t.read();

    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].phase, "X");
    EXPECT_EQ(events[0].group, "group");
    EXPECT_EQ(events[0].track, "track");
    EXPECT_EQ(events[0].name, "work");
    EXPECT_EQ(events[0].ns, 1234u);
    EXPECT_EQ(events[0].duration_ns, 5678u - 1234u);
    EXPECT_EQ(
        events[0].args,
        (std::map<std::string, std::string>{
            {"count", "7"}, {"addr", "0xabc"}, {"skid", "-9"}, {"resp", "OKAY"}, {"text", "x"}}));
    EXPECT_EQ(events[1].phase, "i");
    EXPECT_EQ(events[1].track, "track");
    EXPECT_EQ(events[1].ns, 1300u);
    EXPECT_TRUE(events[1].args.empty());
    EXPECT_EQ(events[2].phase, "C");
    EXPECT_EQ(events[2].group, "group");
    EXPECT_EQ(events[2].name, "load");
    EXPECT_EQ(events[2].ns, 1400u);
    EXPECT_EQ(events[2].args, (std::map<std::string, std::string>{{"percent", "12.5"}}));
}

TEST(Perfetto, NumbersThatJavaScriptDoesNotHoldAreTexts)
{
    const struct {
        size_t field;
        uint64_t number;
        const char *json;
    } cases[] = {
        {0, 0, "\"count\":0"},
        {0, UINT64_C(1) << 53, "\"count\":9007199254740992"},
        {0, (UINT64_C(1) << 53) + 1, "\"count\":\"9007199254740993\""},
        {0, ~UINT64_C(0), "\"count\":\"18446744073709551615\""},
        {1, 0, "\"addr\":\"0x0\""},
        {1, ~UINT64_C(0), "\"addr\":\"0xffffffffffffffff\""},
        {2, static_cast<uint64_t>(-(INT64_C(1) << 53)), "\"skid\":-9007199254740992"},
        {2, static_cast<uint64_t>(INT64_MIN), "\"skid\":\"-9223372036854775808\""},
        {2, INT64_MAX, "\"skid\":\"9223372036854775807\""},
        {3, 2, "\"resp\":\"SLV\\u0022ERR\""},
        {3, 9, "\"resp\":9"},
    };

    Timeline t;

    for (const auto &c : cases) {
        const cs_field_value value = {c.number};
        const cs_perfetto_args args = {&kFields[c.field], &value, 1};

        cs_perfetto_instant(&t.t, t.track, "e", 0, &args);
    }
    EXPECT_EQ(t.read().size(), std::size(cases));
    for (const auto &c : cases)
        EXPECT_NE(t.text.find("\"args\":{" + std::string(c.json) + "}"), std::string::npos)
            << c.json;
}

TEST(Perfetto, AnyTextIsJson)
{
    const struct {
        const char *text, *read;
    } cases[] = {
        {"", ""},
        {"a \"quoted\" \\ text", "a \"quoted\" \\ text"},
        {"two\nlines\ta tab \x01 \x1e", "two\nlines\ta tab \x01 \x1e"},
        {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xed\x9f\xbf \xf4\x8f\xbf\xbf", "\xed\x9f\xbf \xf4\x8f\xbf\xbf"},
        {"\xff|", "\xef\xbf\xbd|"},
        {"\x80|", "\xef\xbf\xbd|"},
        {"\xc0\x80|", "\xef\xbf\xbd\xef\xbf\xbd|"},
        {"\xc3|", "\xef\xbf\xbd|"},
        {"\xc3", "\xef\xbf\xbd"},
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };

    Timeline t;
    unsigned group = 1;

    for (const auto &c : cases) {
        const cs_field_value value = {.text = c.text};
        const cs_perfetto_args args = {&kFields[4], &value, 1};

        group++;
        cs_perfetto_name_group(&t.t, group, c.text, group);
        cs_perfetto_name_track(&t.t, {group, 100 + group}, c.text, 0);
        cs_perfetto_instant(&t.t, {group, 100 + group}, c.text, 0, &args);
    }
    const auto events = t.read();
    ASSERT_EQ(events.size(), std::size(cases));
    for (size_t i = 0; i < events.size(); i++) {
        EXPECT_EQ(events[i].group, cases[i].read);
        EXPECT_EQ(events[i].track, cases[i].read);
        EXPECT_EQ(events[i].name, cases[i].read);
        EXPECT_EQ(events[i].args.at("text"), cases[i].read);
    }
}

TEST(Perfetto, TimesAreNanosecondsRoundedDown)
{
    const struct {
        unsigned mhz;
        uint64_t cycle, ns;
    } cases[] = {
        {1000, 0, 0},
        {1000, 999, 999},
        {1000, 1000, 1000},
        {1, 7, 7000},
        {3, 1, 333},
        {3, 2, 666},
        {3, 3, 1000},
        {3300, 1, 0},
        {3300, 33, 10},
        {2600, UINT64_C(2600000000) * 86400 * 365, UINT64_C(1000000000) * 86400 * 365},
        {4000, (UINT64_C(1) << 53) + 4, (UINT64_C(1) << 51) + 1},
    };

    for (const auto &c : cases) {
        Timeline t(c.mhz);

        cs_perfetto_instant(&t.t, t.track, "e", c.cycle, nullptr);
        const auto events = t.read();
        ASSERT_EQ(events.size(), 1u);
        EXPECT_EQ(events[0].ns, c.ns) << c.cycle << " cycles of " << c.mhz << " MHz";
    }
}

// Slices that follow each other, with others inside, at clocks that are no whole nanoseconds: the
// reader checks that they still nest or follow.
TEST(Perfetto, RoundingKeepsSlicesApart)
{
    for (unsigned mhz : {3u, 7u, 333u, 1000u, 2600u, 3300u}) {
        Timeline t(mhz);
        std::mt19937_64 random(mhz);
        uint64_t cycle = random() % 1000000000000;
        size_t written = 0;

        for (unsigned i = 0; i < 300; i++) {
            const uint64_t end = cycle + 2 + random() % 40;
            const uint64_t middle = cycle + random() % (end - cycle);

            cs_perfetto_slice(&t.t, t.track, "outer", cycle, end, nullptr);
            cs_perfetto_slice(&t.t, t.track, "first", cycle, middle, nullptr);
            cs_perfetto_slice(&t.t, t.track, "second", middle, end, nullptr);
            written += 3;
            cycle = end;
        }
        EXPECT_EQ(t.read().size(), written) << mhz;
    }
}

TEST(Perfetto, FactsAreTheTimelinesOwn)
{
    static const cs_field fields[] = {{"scenario", CS_FIELD_TEXT, 0, nullptr, 0},
                                      {"seed", CS_FIELD_DECIMAL, 64, nullptr, 0}};
    const cs_field_value values[] = {{.text = "a \"demo\""}, {42}};
    const cs_perfetto_args facts = {fields, values, 2};
    Timeline t;
    const cs_text_sink sink = {Timeline::write, &t};

    t.text.clear();
    cs_perfetto_begin(&t.t, &sink, 1000, &facts);
    const auto events = t.read();

    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].name, "scenario");
    EXPECT_EQ(events[0].args.at(""), "a \"demo\"");
    EXPECT_EQ(events[1].name, "seed");
    EXPECT_EQ(events[1].args.at(""), "42");
}

TEST(Perfetto, ASliceThatEndsBeforeItBeginsIsRefused)
{
    Timeline t;

    EXPECT_EQ(cs_perfetto_slice(&t.t, t.track, "wrong", 10, 9, nullptr), CS_ERR_RANGE);
    EXPECT_EQ(cs_perfetto_slice(&t.t, t.track, "nothing", 10, 10, nullptr), CS_OK);
    const auto events = t.read();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].name, "nothing");
}

TEST(Perfetto, TheSinksFailureIsKept)
{
    struct Failing {
        size_t room, calls = 0;
    } disk = {10000};
    const auto write = [](void *ctx, const char *, size_t bytes) {
        auto *d = static_cast<Failing *>(ctx);

        d->calls++;
        if (bytes > d->room)
            return CS_ERR_IO;
        d->room -= bytes;
        return CS_OK;
    };
    const cs_text_sink sink = {write, &disk};
    const cs_perfetto_args none = {nullptr, nullptr, 0};
    cs_perfetto t;
    cs_status status = cs_perfetto_begin(&t, &sink, 1000, &none);

    for (unsigned i = 0; i < 1000; i++)
        status = cs_perfetto_instant(&t, {1, 1}, "event", i, nullptr);

    EXPECT_EQ(status, CS_ERR_IO);
    EXPECT_EQ(cs_perfetto_end(&t), CS_ERR_IO);
    EXPECT_EQ(disk.calls, 10000 / CS_PERFETTO_BUFFER_BYTES + 1) << "not asked again";
}

TEST(Perfetto, TheRulesAreHeld)
{
    // given: files that break one rule each
    const std::string head = "{\"displayTimeUnit\":\"ns\",\"otherData\":{},\"traceEvents\":["
                             "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\","
                             "\"args\":{\"name\":\"g\"}},{\"ph\":\"M\",\"pid\":1,\"tid\":2,"
                             "\"name\":\"thread_name\",\"args\":{\"name\":\"t\"}}";
    const auto slice = [](const char *ts, const char *dur) {
        return std::string(",{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"name\":\"s\",\"ts\":") + ts +
               ",\"dur\":" + dur + "}";
    };
    const struct {
        std::string events, text;
    } cases[] = {
        {slice("1.000", "2.000") + slice("3.000", "1.000"), ""},
        {slice("1.000", "2.000") + slice("2.999", "1.000"), "overlap"},
        {slice("1.000", "-2.000"), "not negative"},
        {slice("1.0001", "2.000"), "nanoseconds"},
        {",{\"ph\":\"i\",\"pid\":1,\"tid\":3,\"name\":\"s\",\"ts\":1.0,\"s\":\"t\"}", "track"},
        {",{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"name\":\"s\",\"ts\":2.0,\"args\":{\"a\":1}}"
         ",{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"name\":\"s\",\"ts\":1.0,\"args\":{\"a\":1}}",
         "times rise"},
    };

    for (const auto &c : cases) {
        TempFolder folder;
        std::string text;

        // when
        try {
            timeline_read(folder.write("t.json", head + c.events + "]}"), CS_SOURCE_DIR);
        } catch (const std::exception &error) {
            text = error.what();
        }

        // then
        EXPECT_NE(text.find(c.text), std::string::npos) << text;
        EXPECT_EQ(text.empty(), c.text.empty()) << text;
    }
}

} // namespace
