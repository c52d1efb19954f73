// SPDX-License-Identifier: Apache-2.0
// CTF traces: babeltrace2 reads every field as it was written, and has nothing to say. The packets
// are also looked at byte by byte, with a reader of the test's own.
#include "ctf_trace.hpp"

using namespace ctf_trace;
using namespace cs_test;

namespace
{

TEST(Ctf, EveryFieldIsReadAsItWasWritten)
{
    const struct {
        uint64_t number;
        const char *text;
    } cases[] = {
        {0, ""},
        {1, "one"},
        {2, "with \"quotes\", commas } and = signs"},
        {127, "back\\slash"},
        {128, "two\nlines\tand a tab"},
        {255, "\xc3\xa4"},
        {0xffff, "x"},
        {0x80000000, "x"},
        {0xffffffff, "x"},
        {UINT64_C(0x7fffffffffffffff), "x"},
        {UINT64_C(0x8000000000000000), "x"},
        {std::numeric_limits<uint64_t>::max(), "x"},
    };
    Trace t;
    cs_ctf_stream *stream = t.open(0, 7, "cpu7");
    uint64_t cycle = 0;

    for (const auto &c : cases)
        ASSERT_EQ(cs_ctf_put(stream, 0, cycle++, values(c.number, c.text).data()), CS_OK);
    const auto events = t.read();

    ASSERT_EQ(events.size(), std::size(cases));
    for (size_t i = 0; i < events.size(); i++) {
        const auto v = values(cases[i].number, cases[i].text);

        EXPECT_EQ(events[i].cycle, i);
        EXPECT_EQ(events[i].name, "all");
        EXPECT_EQ(events[i].context.at("cpu_id"), "7");
        ASSERT_EQ(events[i].fields.size(), kNrFields);
        for (size_t f = 0; f < kNrFields; f++)
            EXPECT_EQ(events[i].text(kFields[f].name), shown(kFields[f], v[f]))
                << kFields[f].name << " of " << cases[i].number;
    }
}

// One packet as its bytes say.
struct Packet {
    uint64_t begin, end, content_bits, packet_bits, number;
    uint32_t instance;
};

uint64_t little(const std::string &bytes, size_t at, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = count; i-- > 0;)
        value = value << 8 | static_cast<uint8_t>(bytes.at(at + i));
    return value;
}

std::vector<Packet> packets(const std::string &bytes, uint64_t stream)
{
    std::vector<Packet> result;

    for (size_t at = 0; at < bytes.size(); at += result.back().packet_bits / 8) {
        EXPECT_EQ(little(bytes, at, 4), 0xC1FC1FC1u);
        EXPECT_EQ(little(bytes, at + 4, 1), 0xc5u) << "the UUID is the trace's";
        EXPECT_EQ(little(bytes, at + 20, 4), 0u) << "the kind of stream";
        EXPECT_EQ(little(bytes, at + 24, 8), stream);
        result.push_back({little(bytes, at + 32, 8), little(bytes, at + 40, 8),
                          little(bytes, at + 48, 8), little(bytes, at + 56, 8),
                          little(bytes, at + 64, 8),
                          static_cast<uint32_t>(little(bytes, at + 72, 4))});
        if (result.back().packet_bits == 0)
            break;
    }
    return result;
}

TEST(Ctf, PacketsTellTheirTimesSizesAndNumbers)
{
    // given: packets of at most 512 bytes, events of some 40 to 240 bytes, and one of 3000 (no text
    // is empty: babeltrace2 2.0.4 shows the one before it then)
    cs_ctf_config c = config();
    c.packet_bytes = 512;
    Trace t(c);
    cs_ctf_stream *stream = t.open(0, 3, "cpu3");
    const cs_field &text = kFields[kNrFields - 1];
    std::vector<std::string> texts;
    std::mt19937 random(1);

    // when
    for (uint64_t i = 0; i < 500; i++) {
        texts.emplace_back(i == 250 ? 3000 : 1 + random() % 199, static_cast<char>('a' + i % 26));
        const auto v = values(i, texts.back().c_str());
        ASSERT_EQ(cs_ctf_put(stream, 0, 1000 + i / 3, v.data()), CS_OK);
    }
    const auto events = t.read();

    // then: all events are there, and the packets follow each other without a gap
    ASSERT_EQ(events.size(), 500u);
    for (size_t i = 0; i < events.size(); i++) {
        EXPECT_EQ(events[i].cycle, 1000 + i / 3);
        EXPECT_EQ(events[i].number("u64"), i);
        EXPECT_EQ(events[i].text(text.name), texts[i]);
    }
    const std::string bytes = t.folder.read("trace/cpu3");
    const auto all = packets(bytes, 0);
    uint64_t total = 0, last = 0;
    ASSERT_GT(all.size(), 100u);
    EXPECT_EQ(all.front().begin, 1000u);
    EXPECT_EQ(all.back().end, 1000u + 499 / 3);
    for (size_t i = 0; i < all.size(); i++) {
        const Packet &p = all[i];

        EXPECT_EQ(p.number, i);
        EXPECT_EQ(p.instance, 3u);
        EXPECT_LE(p.begin, p.end);
        EXPECT_GE(p.begin, last);
        EXPECT_LE(p.content_bits, p.packet_bits);
        EXPECT_LT(p.packet_bits - p.content_bits, 64u);
        EXPECT_EQ(p.packet_bits % 64, 0u);
        EXPECT_GT(p.content_bits, 76u * 8) << "none is empty";
        if (p.content_bits > 512 * 8) {
            EXPECT_GT(p.content_bits, 3000u * 8) << "only what does not fit elsewhere";
        }
        last = p.end;
        total += p.packet_bits / 8;
    }
    EXPECT_EQ(total, bytes.size());
}

TEST(Ctf, NumbersOfStreamsHaveNames)
{
    Trace t;
    cs_ctf_stream *first = t.open(1, 1024, "first"), *second = t.open(1, 7, "second"),
                  *more = t.open(1, 1024, "more"), *cpu = t.open(0, 3, "cpu");

    ASSERT_EQ(cs_ctf_label(first, "hart 0", &t.diag), CS_OK);
    ASSERT_EQ(cs_ctf_label(second, "a \"name\"", &t.diag), CS_OK);
    ASSERT_EQ(cs_ctf_label(more, "another", &t.diag), CS_OK);
    for (cs_ctf_stream *stream : {first, second, more, cpu})
        ASSERT_EQ(cs_ctf_put(stream, 1, 5, values(9, "").data()), CS_OK);
    const auto events = t.read();

    ASSERT_EQ(events.size(), 4u);
    std::map<std::string, unsigned> found;
    for (const CtfEvent &e : events)
        if (e.context.count("unit_id") != 0)
            found[e.context.at("unit_id") + "=" + e.labels.at("unit_id")]++;
        else
            EXPECT_TRUE(e.labels.empty()) << "a class without names has a plain number";
    EXPECT_EQ(found, (std::map<std::string, unsigned>{{"1024=hart 0", 2}, {"7=a \"name\"", 1}}))
        << "the first name counts";
}

TEST(Ctf, AStreamWithoutEventsIsThereAllTheSame)
{
    Trace t;
    t.open(0, 1, "quiet");
    cs_ctf_stream *loud = t.open(1, 2, "loud");

    ASSERT_EQ(cs_ctf_put(loud, 1, 5, values(9, "").data()), CS_OK);
    const auto events = t.read();

    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].name, "one");
    EXPECT_EQ(events[0].context.at("unit_id"), "2");
    EXPECT_EQ(events[0].number("u8"), 9u);
    const auto all = packets(t.folder.read("trace/quiet"), 0);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].content_bits, 76u * 8);
    const CtfReading details = babeltrace(t.path, "-c sink.text.details");
    EXPECT_EQ(details.warnings, "");
    size_t streams = 0;
    for (size_t at = 0; (at = details.text.find("Stream beginning", at)) != std::string::npos; at++)
        streams++;
    EXPECT_EQ(streams, 2u);
}

TEST(Ctf, ATraceWithoutStreamsSaysNothing)
{
    Trace t;

    EXPECT_TRUE(t.read().empty());
}

TEST(Ctf, FactsClockAndNamesAreRead)
{
    // given: a clock that is no whole number of nanoseconds, names that TSDL has taken
    static const cs_field fields[] = {{"event", CS_FIELD_DECIMAL, 8, nullptr, 0},
                                      {"stream", CS_FIELD_HEX, 16, nullptr, 0},
                                      {"_marked", CS_FIELD_DECIMAL, 8, nullptr, 0},
                                      {"string", CS_FIELD_TEXT, 0, nullptr, 0}};
    static const cs_ctf_event_class events[] = {{"a \"name\" \\ of\tits own", fields, 4}};
    static const cs_ctf_stream_class classes[] = {{"cpu_id", events, 1}};
    cs_ctf_config c = config();
    c.clock_hz = 3300000000;
    c.classes = classes;
    c.nr_classes = 1;
    Trace t(c);
    const std::vector<cs_field_value> v = {{1}, {2}, {3}, {.text = "x"}};
    ASSERT_EQ(cs_ctf_put(t.open(0, 1, "a"), 0, UINT64_C(1) << 62, v.data()), CS_OK);

    // when
    const auto read = t.read();

    // then
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].cycle, UINT64_C(1) << 62);
    EXPECT_EQ(read[0].name, "a \"name\" \\ of\tits own");
    EXPECT_EQ(read[0].text("event"), "1");
    EXPECT_EQ(read[0].text("stream"), "0x2");
    EXPECT_EQ(read[0].text("_marked"), "3");
    EXPECT_EQ(read[0].text("string"), "x");
    const CtfReading details = babeltrace(t.path, "-c sink.text.details");
    EXPECT_EQ(details.warnings, "");
    EXPECT_NE(details.text.find("tracer_name: counter\"sink"), std::string::npos) << details.text;
    EXPECT_NE(details.text.find("seed: -5"), std::string::npos) << details.text;
    EXPECT_NE(details.text.find("Frequency (Hz): 3,300,000,000"), std::string::npos)
        << details.text;
    EXPECT_NE(details.text.find("c5000000-0000-0000-0000-000000000000"), std::string::npos);
}

// Tables by chance, events by chance, in several streams with packets of all sizes.
TEST(Ctf, AnyTablesAndEventsAreRead)
{
    static const unsigned sizes[] = {8, 16, 32, 64};

    for (unsigned seed = 0; seed < 12; seed++) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const auto below = [&](uint64_t n) { return random() % n; };
        std::deque<std::string> names;
        std::deque<std::vector<cs_field_label>> labels;
        std::deque<std::vector<cs_field>> fields;
        std::deque<std::vector<cs_ctf_event_class>> events;
        std::vector<cs_ctf_stream_class> classes;
        const auto name = [&](const char *prefix) {
            names.push_back(prefix + std::to_string(names.size()));
            return names.back().c_str();
        };

        for (uint64_t n = 1 + below(3); n-- > 0;) {
            events.emplace_back();
            for (uint64_t e = 1 + below(5); e-- > 0;) {
                fields.emplace_back();
                for (uint64_t f = 1 + below(6); f-- > 0;) {
                    cs_field field = {name("f"), static_cast<cs_field_kind>(below(5)),
                                      sizes[below(4)], nullptr, 0};
                    if (field.kind == CS_FIELD_ENUM) {
                        labels.emplace_back();
                        for (uint64_t i = 0; i <= below(4); i++)
                            labels.back().push_back({i * 3, name("label ")});
                        field.labels = labels.back().data();
                        field.nr_labels = labels.back().size();
                    }
                    fields.back().push_back(field);
                }
                events.back().push_back(
                    {name("event "), fields.back().data(), fields.back().size()});
            }
            classes.push_back({name("id"), events.back().data(), events.back().size()});
        }
        cs_ctf_config c = config();
        c.classes = classes.data();
        c.nr_classes = classes.size();
        c.packet_bytes = 256 + below(2000);
        Trace t(c);
        ASSERT_EQ(t.status, CS_OK) << t.diag.text;

        struct Stream {
            cs_ctf_stream *stream;
            const cs_ctf_stream_class *kind;
            uint64_t cycle;
        };
        struct Written {
            uint64_t cycle;
            const cs_ctf_event_class *kind;
            std::vector<std::string> fields;
        };
        std::vector<Stream> streams;
        std::map<std::string, std::vector<Written>> written; // by the stream's own number
        for (uint32_t i = 0; i < 4; i++) {
            const auto k = static_cast<unsigned>(below(classes.size()));
            streams.push_back({t.open(k, i, "s" + std::to_string(i)), &classes[k], 0});
        }
        for (unsigned i = 0; i < 600; i++) {
            const uint64_t which = below(4);
            Stream &s = streams[which];
            const auto e = static_cast<unsigned>(below(s.kind->nr_events));
            const cs_ctf_event_class &kind = s.kind->events[e];
            std::vector<cs_field_value> v(kind.nr_fields);
            Written w;

            s.cycle += below(4) == 0 ? below(UINT64_C(1) << 50) : below(3);
            w.cycle = s.cycle;
            w.kind = &kind;
            for (size_t f = 0; f < kind.nr_fields; f++) {
                const cs_field &field = kind.fields[f];

                if (field.kind == CS_FIELD_TEXT)
                    v[f].text = name("text ");
                else if (field.kind == CS_FIELD_ENUM)
                    v[f].number = below(9);
                else if (field.kind == CS_FIELD_SIGNED)
                    v[f].number =
                        static_cast<uint64_t>(static_cast<int64_t>(random()) >> (64 - field.bits));
                else
                    v[f].number = random() >> (64 - field.bits);
                w.fields.push_back(shown(field, v[f]));
            }
            ASSERT_EQ(cs_ctf_put(s.stream, e, s.cycle, v.data()), CS_OK);
            written[std::to_string(which)].push_back(w);
        }

        std::map<std::string, size_t> seen;
        uint64_t last = 0;
        const auto read = t.read();
        ASSERT_EQ(read.size(), 600u);
        for (const CtfEvent &event : read) {
            ASSERT_EQ(event.context.size(), 1u);
            const std::string stream = event.context.begin()->second;
            const Written &w = written.at(stream).at(seen[stream]++);

            EXPECT_GE(event.cycle, last);
            last = event.cycle;
            EXPECT_EQ(event.cycle, w.cycle);
            EXPECT_EQ(event.name, w.kind->name);
            ASSERT_EQ(event.fields.size(), w.fields.size());
            for (size_t f = 0; f < w.fields.size(); f++)
                EXPECT_EQ(event.text(w.kind->fields[f].name), w.fields[f]);
        }
    }
}

} // namespace
